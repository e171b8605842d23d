/* Lists and prints what is known of a target's operators for one SDK, from the quantizer's table
 * and the guide's support page.  The placement of a model asks the same tables. */
#pragma once

#include "advisor/message/phrase.h"
#include "graph/compile/machine.h"

typedef enum {
    PLACE_NPU,
    PLACE_HOST,
    PLACE_NOT_KNOWN, /* int8, and not on the page; or float by another SDK's tool, and on the page
                      */
    PLACE_NONE,      /* refused */
    PLACE_COUNT
} SupportPlace;

/* Which table says so. */
typedef enum { SOURCE_PAGE, SOURCE_TOOL, SOURCE_BOTH, SOURCE_COUNT } SupportSource;

typedef struct {
    const char *op;
    const char *when;   /* "" for none; of the lines of an operator the first that holds decides */
    QuantizedType type; /* QUANTIZED_UNKNOWN: the page alone has the operator */
    SupportPlace place;
    SupportSource source;
} SupportLine;

/* The lines, sorted by operator; all in `a`. */
const SupportLine *support_list(Arena *a, const Machine *m, Sdk sdk, size_t *ret_n);

/* In 80 columns: operator, condition, type, place and source. */
void support_text(const PhraseOut *o, const Machine *m, Sdk sdk);
