/* Describes a target's geometry and operator support (<machine>). Both are in
 * rules/targets/NAME.xml. Read by graph/ alone; the <costs> part belongs to cost_model/. */
#pragma once

#include "graph/base/diag.h"

#include <stdint.h>

/* SDK generations as small ordered numbers: 0.8 -> 8, 0.9 -> 9, 0.10 -> 10. */
typedef int Sdk;
enum { SDK_OLDEST = 6, SDK_NEWEST = 10, SDK_DEFAULT = 10 };

enum { SDK_OLDEST_TAKEN = 8 };       /* 0.8: older ones are known from support tables alone */
Sdk sdk_from_text(const char *text); /* 0 when unknown; accepts 0.9.1 */
const char *sdk_text(Sdk sdk);       /* "0.9" */
const char *sdk_choice(Arena *a);    /* "0.8|0.9|0.10": those that are compiled for */

/* What a condition can ask of a node: X(id, key, phrase). */
#define CONDITION_KEYS(X)                                                                          \
    X(GROUP, "group", "group")                                                                     \
    X(DILATION, "dilation", "dilation") /* the largest */                                          \
    X(BATCH, "batch", "batch")          /* first dimension times the batch option */               \
    X(AXIS, "axis",                                                                                \
      "axis") /* letters of N, C, H, W that the node works along, all must be there */             \
    X(MODE, "mode", "mode")                                                                        \
    X(P, "p", "p")                                                                                 \
    X(FORM, "form", "form") /* operator: one node; pattern: several that are fused to it */        \
    X(RANK, "rank", "rank") /* of the first input */                                               \
    X(SPATIAL, "spatial", "spatial axes") /* axes after batch and channels */                      \
    X(PADS, "pads", "pads")               /* none or some */                                       \
    X(COUNTED, "count_include_pad", "count_include_pad")                                           \
    X(CEIL, "ceil_mode", "ceil_mode")                                                              \
    X(FACTORS, "factors",                                                                          \
      "size factors") /* of the output's sizes to the input's: whole, or broken */                 \
    X(COORDINATES, "coordinates", "coordinate_transformation_mode")                                \
    X(NEAREST, "nearest", "nearest_mode")                                                          \
    X(OTHERS, "others", "product of the other dimensions") /* those a Softmax does not sum over */ \
    X(CONSTANT, "constant", "constant operand")            /* first, second or none of two */      \
    X(WEIGHT_RANK, "weight-rank", "constant of rank")                                              \
    X(VALUE, "value", "value") /* that a Pad fills with */

typedef enum {
#define X(id, key, phrase) CONDITION_##id,
    CONDITION_KEYS(X)
#undef X
        CONDITION_KEY_COUNT
} ConditionKey;
const char *condition_key_name(ConditionKey k);   /* as the target file spells it */
const char *condition_key_phrase(ConditionKey k); /* as messages do, before the value */

/* "KEY<=NUMBER" or "KEY in A|B". */
typedef struct {
    ConditionKey key;
    bool is_limit;
    int64_t limit;    /* when is_limit */
    const char *set;  /* "|A|B|" otherwise */
    const char *text; /* as written */
} Condition;

/* One row of the operator support table: an operator is placed on the NPU when a row of its name
 * exists whose SDK range covers the version and all of whose conditions hold. */
typedef struct {
    const char *op;
    Sdk since;        /* first SDK with the row; 0: older than SDK_OLDEST */
    const char *when; /* the conditions as written, "" for none */
    const Condition *condition;
    size_t ncondition;
    const char *source; /* page of the guide ("ko", "en", "ko+en") or release */
} SupportRow;

/* What the vendor's quantizer makes of an operator in a float model. */
typedef enum {
    QUANTIZED_UNKNOWN, /* no row: it was not tried */
    QUANTIZED_INT8,
    QUANTIZED_FLOAT,   /* stays in float, so the host runs it between conversions */
    QUANTIZED_REFUSED, /* the quantizer ends with an error */
    QUANTIZED_COUNT
} QuantizedType;
const char *quantized_type_name(QuantizedType t); /* "int8" "float" "refused", "" */

/* Of the rows of an operator the first whose conditions all hold says its type. */
typedef struct {
    const char *op;
    const char *when; /* the conditions as written, "" for none */
    const Condition *condition;
    size_t ncondition;
    QuantizedType type;
} QuantizerRow;

/* An operator whose version changed in an opset that the vendor's optimizer cannot convert back:
 * a node of it in a model of that opset or a newer one ends the optimizer with an error. */
typedef struct {
    const char *op;
    int opset;
} ChangedOp;

/* The quantizer of one SDK. */
typedef struct {
    Sdk sdk;
    const char *source;      /* the packages that were run; or why another SDK's rows are taken */
    bool inferred;           /* the rows were measured with another SDK's quantizer */
    const QuantizerRow *row; /* sorted by op, then as in the file */
    size_t nrow;
    const ChangedOp *changed;
    size_t nchanged;
} Quantizer;

/* The figures, by name exactly those of the file.  MACHINE(field, type) */
#define MACHINE_FIGURES(X)                                                                         \
    X(pe_count, int)                                                                               \
    X(slices_per_pe, int)                                                                          \
    X(mac_width, int)  /* lanes along the width */                                                 \
    X(mac_height, int) /* rows */                                                                  \
    X(sram_slice_bytes, int64_t)                                                                   \
    X(dram_bytes, int64_t)                                                                         \
    X(io_align_bytes, int)                                                                         \
    X(instruction_bytes, int64_t)                                                                  \
    X(width_multiple, int)       /* 32: widths are padded to it */                                 \
    X(npu_lower_since, Sdk)      /* Lower and Unlower can run on the NPU */                        \
    X(npu_dequantize_since, Sdk) /* so can Dequantize, by a compiler option */                     \
    X(max_opset, int)            /* newest opset the vendor's compiler takes */

typedef struct {
    const char *id; /* "warboy" */
    const char *source_path;
    uint64_t digest; /* of the figures; npu_exec refuses a silicon file of another */
#define X(field, type) type field;
    MACHINE_FIGURES(X)
#undef X
    const SupportRow *row; /* sorted by op, then by SDK; of the page that decides */
    size_t nrow;
    const SupportRow *other_row; /* the same of the guide's other page; none: no such page */
    size_t nother_row;
    const Quantizer *quantizer; /* NULL: none is known */
    size_t nquantizer;
} Machine;

/* Whether there is a target file of that name, or path. */
bool machine_exists(Arena *a, const char *target);

/* Loads and checks <machine> of the target file. `target` is a name ("warboy") or a path. */
Status machine_load(Arena *a, const char *target, Machine **ret, Diag *diag);

/* Rows of an operator: the first, and how many follow it; NULL when there is none. */
typedef enum { PAGE_DECIDES, PAGE_OTHER } SupportPage;
const SupportRow *machine_rows(const Machine *m, SupportPage page, const char *op, size_t *ret_n);

/* The quantizer of the SDK; NULL when what it does is not known (0.8). */
const Quantizer *machine_quantizer(const Machine *m, Sdk sdk);
const QuantizerRow *quantizer_rows(const Quantizer *q, const char *op, size_t *ret_n);
