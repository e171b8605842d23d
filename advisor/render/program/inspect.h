/* Shows a model as one JSON tree (docs/schema/inspect.json), and as text. */
#pragma once

#include "advisor/message/json.h"
#include "advisor/message/phrase.h"
#include "graph/compile/program.h"
#include "graph/model/model.h"

/* Needs types and shapes (shape_infer).  `lang`: of the reasons.  The caller frees with
 * cJSON_Delete. */
cJSON *inspect_json(Arena *a, const Model *m, const Language *lang);

/* What `inspect` says of a model. */
typedef struct {
    const char *file;
    const cJSON *tree;
    const Program *program; /* NULL: it was not compiled … */
    const char *refusal;    /* … for this reason; NULL: none */
    bool every;             /* no list is cut; one line per node as well */
} Inspection;

void inspect_text(const PhraseOut *o, const Inspection *x);
