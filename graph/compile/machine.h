/* Describes a target's geometry and operator support (<machine>). Both are in
 * rules/targets/NAME.xml. Read by graph/ alone; the <costs> part belongs to cost_model/. */
#pragma once

#include "graph/base/diag.h"
#include "graph/base/message.h"
#include "graph/compile/machine_words.def"

/* SDK generations as ordered numbers: 0.8 -> 8, 0.9 -> 9, 0.10 -> 10; of three parts 2.3.2 ->
 * 20302. */
typedef int Sdk;
enum { SDK_OLDEST = 6, SDK_NEWEST = 10, SDK_DEFAULT = 10 };
enum { SDK_0_9 = 9, SDK_0_10 = 10 }; /* another quantizer; another runtime */

enum { SDK_OLDEST_TAKEN = 8 };       /* 0.8: older ones are known from support tables alone */
Sdk sdk_from_text(const char *text); /* 0 when unknown; accepts 0.9.1 */
const char *sdk_text(Sdk sdk);       /* "0.9" */
const char *sdk_choice(Arena *a);    /* "0.8|0.9|0.10": those that are compiled for */

/* What a condition can ask of a node. */
typedef enum {
#define X(id, key) CONDITION_##id,
    CONDITION_KEYS(X)
#undef X
        CONDITION_KEY_COUNT
} ConditionKey;
const char *condition_key_name(ConditionKey k); /* as the target file spells it */
MessageArg condition_key_words(ConditionKey k); /* as messages do, before the value */

/* "KEY<=NUMBER" or "KEY in A|B". */
typedef struct {
    ConditionKey key;
    bool is_limit;
    int64_t limit;    /* when is_limit */
    const char *set;  /* "|A|B|" otherwise */
    const char *text; /* as written */
} Condition;

/* How a machine runs a program. */
typedef enum {
    MACHINE_TASKS, /* segments as tasks in separate memory, conversions and transfers between */
    MACHINE_ROWS,  /* operator by operator in the host's memory, each a row of a table */
    MACHINE_KIND_COUNT
} MachineKind;

/* How an operator becomes rows where it is not one as it stands. */
typedef enum {
#define X(id, word) ROW_##id,
    ROW_FORMS(X)
#undef X
        ROW_FORM_COUNT
} RowForm;

/* One row of the operator support table: an operator is placed on the NPU when a row of its name
 * exists whose SDK range covers the version and all of whose conditions hold. */
typedef struct {
    const char *op;
    Sdk since;        /* first SDK with the row; 0: older than SDK_OLDEST */
    const char *when; /* the conditions as written, "" for none */
    const Condition *condition;
    size_t ncondition;
    RowForm form;     /* the rest is of machines of rows alone */
    const char *rows; /* words of the compiler's table, "cpu:" before those of the host */
    int number;       /* in the order of the file */
} SupportRow;

#define ROW_HOST_MARK "cpu:" /* before a word of the host */

/* A word of the compiler's table for an operator on the NPU, and what works there. */
typedef struct {
    const char *name; /* "ConvExSwish" */
    const char *kind; /* of low-level operator, as terms name it: "Conv2d" */
    bool table;       /* its activation goes through the table unit */
    bool joint;       /* fused PEs share it; without, one of them does it alone */
} RowWord;

/* A setting in the words of the target's tools; its value replaces "{n}". */
typedef struct {
    const char *lever, *as;
} SettingWords;

/* An operator that joins the one before it, whose only reader it is: `row` and `next` are `to`. */
typedef struct {
    const char *row, *next, *to; /* of two activations only into a product */
    bool own;                    /* only an Add of the input of the product itself */
} RowJoin;

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
    size_t number; /* keeps the rows of one operator in the order of the file */
} QuantizerRow;

/* The quantizer of one SDK. */
typedef struct {
    Sdk sdk;
    const char *source;      /* the packages that were run; or why another SDK's rows are taken */
    bool inferred;           /* the rows were measured with another SDK's quantizer */
    const QuantizerRow *row; /* sorted by op, then as in the file */
    size_t nrow;
} Quantizer;

typedef struct {
    const char *id; /* "warboy" */
    const char *source_path;
    MachineKind kind;
    Sdk newest;         /* SDK where none is given */
    const char *family; /* of targets with the same tools: rules and fixes are for one */
    const char *record; /* what records a trace, for people; NULL: the profiler of Furiosa */
    const char *first_row, *last_row; /* words for handing over inputs and outputs; of rows */
    const RowWord *word;
    size_t nword;
    const RowJoin *join;
    size_t njoin;
    const SettingWords *spelling; /* none: as Furiosa's tools say it */
    size_t nspelling;
#define X(field, type, kinds) type field;
    MACHINE_FIGURES(X)
#undef X
    const SupportRow *row; /* sorted by op, then by SDK; of the page that decides */
    size_t nrow;
    const SupportRow *other_row; /* the guide's other page, same order; none: no such page */
    size_t nother_row;
    const Quantizer *quantizer; /* NULL: none is known */
    size_t nquantizer;
} Machine;

/* Whether there is a target file of that name, or path. */
bool machine_exists(Arena *a, const char *target);

/* The first target of rows with as many cores, by name; NULL. */
const char *machine_with_cores(Arena *a, int cores);

/* Loads and checks <machine> of the target file. `target` is a name ("warboy") or a path. */
Status machine_load(Arena *a, const char *target, Machine **ret, Diag *diag);

/* All of the row is the host's work (machines of rows). */
bool machine_row_is_host(const SupportRow *row);

/* Rows of an operator: the first, and how many follow it; NULL when there is none. */
typedef enum { PAGE_DECIDES, PAGE_OTHER } SupportPage;
const SupportRow *machine_rows(const Machine *m, SupportPage page, const char *op, size_t *ret_n);

/* The quantizer of the SDK; NULL when what it does is not known (0.8). */
const Quantizer *machine_quantizer(const Machine *m, Sdk sdk);

/* The setting in the words of the target's tools; NULL where the target has none for the lever. */
const char *machine_spelling(Arena *a, const Machine *m, const char *lever, const char *value);

/* The word of a table, a product's where it is not listed; what joins a row; NULL. */
RowWord machine_word(const Machine *m, const char *name);
typedef enum { OPERAND_OTHER, OPERAND_OWN } JoinOperand; /* what `next` adds to the row */
const RowJoin *machine_join(const Machine *m, const char *row, const char *next, JoinOperand adds);
const QuantizerRow *quantizer_rows(const Quantizer *q, const char *op, size_t *ret_n);
