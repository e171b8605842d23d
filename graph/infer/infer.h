/* Declares what shape functions and fold functions use during inference. Private to graph/infer/.
 *
 * A shape function reads the inputs of c->node and sets the known facts of the outputs; the rest
 * stays unknown.  A fold function runs after it and computes values of small constants.  Neither
 * fails: a contradiction is a note (infer_conflict) and the output stays unknown. */
#pragma once

#include "graph/base/messages.h"
#include "graph/infer/ops.h"
#include "graph/infer/shape.h"
#include "graph/infer/symbols.h"
#include "graph/model/dtype.h"

enum {
    INFER_MAX_RANK = 64,
    INFER_MAX_BODY_DEPTH = 32,      /* bodies in bodies; deeper ones stay unknown */
    FOLD_MAX_ELEMENTS = 4096,       /* larger constants are constant, but not computed */
    FOLD_BUDGET_ELEMENTS = 1 << 21, /* of all values computed for one model */
    FOLD_LARGE_ELEMENTS =
        1 << 20, /* both with Model.folds_large: 4 MiB of floats, 128 MiB in all */
    FOLD_LARGE_BUDGET_ELEMENTS = 1 << 25,
    FOLD_SCRATCH_VALUES = 8,
    NOTES_MAX_CONFLICTS = 10,
};

/* One element of a small tensor: a number, or an unknown that may be known to equal a symbol.
 * Integers and bool are in `i`, real types in `f`. */
typedef struct {
    bool known;
    int64_t i;
    double f;
    const char *symbol;
    int64_t most; /* of an unknown that is not negative: at most this; 0: no bound */
} Element;

/* A small tensor while its value is worked out. */
typedef struct {
    DType dtype;
    Shape shape; /* all known */
    int64_t n;
    const Element *e;
} FoldValue;

struct MemberType;

/* Infers a body whose inputs have been given types; `member`, one per input, for those that are
 * sequences, or NULL.  *ret, zero before the first time, is the context it ended with; false when
 * it is nested too deeply. */
typedef bool InferBody(InferContext *outer, Graph *body, const struct MemberType *const *member,
                       InferContext *ret);

/* One run of shape_infer. */
typedef struct {
    Model *model;
    InferBody *body; /* what the control operators infer their bodies with */
    Arena *arena;
    Symbols symbols;
    int64_t fold_max; /* elements of a value that is computed */
    Element *scratch; /* for FOLD_SCRATCH_VALUES, by infer_scratch, taken back per node */
    size_t scratch_used;
    int64_t fold_budget;
    int conflicts;
} InferRun;

/* Content of a sequence or an optional, which has no tensor type itself. */
typedef struct MemberType {
    enum { MEMBER_SEQUENCE, MEMBER_OPTIONAL_TENSOR, MEMBER_OPTIONAL_SEQUENCE } kind;
    DType dtype; /* of all members, where known */
    Shape shape;
    int64_t count; /* -1: unknown */
} MemberType;

struct InferContext {
    InferRun *run;
    Graph *graph;
    InferContext *outer; /* of a body */
    int depth;
    const FoldValue **partial; /* by tensor: value with unknown elements, or NULL */
    const MemberType **member; /* by tensor: a sequence or an optional, or NULL */
    const Node *node;          /* the node at hand … */
    int64_t opset;             /* … and the version of its domain */
};

/* ---- inputs ---- */

const Tensor *infer_input(const InferContext *c, uint32_t index); /* NULL when omitted */
bool infer_has(const InferContext *c, uint32_t index);
DType infer_dtype(const InferContext *c, uint32_t index);
const Shape *infer_shape(const InferContext *c, uint32_t index); /* never NULL */
int32_t infer_rank(const InferContext *c, uint32_t index);
/* Unknown when the rank is; axis must be in range otherwise. */
Dim infer_dim(const InferContext *c, uint32_t index, int32_t axis);

/* A list of numbers given as an attribute or as an input. */
typedef struct {
    bool given; /* the attribute or the input is there (its value may be unknown) */
    bool known; /* its length is known, and e[] is there; single elements may be unknown */
    int64_t n;
    const Element *e;
} List;

/* The attribute if it is there, else the input (-1: none). */
List infer_list(InferContext *c, const char *attr, int input);
bool list_int(const List *l, int64_t index, int64_t *ret); /* false: unknown or out of range */
bool list_real(const List *l, int64_t index, double *ret);
/* The element as a dimension, without what is known of an unknown one. */
Dim list_size(const List *l, int64_t index);
/* The element as a dimension: unknown, with its symbol or its bound, where it is. */
Dim list_dim(const List *l, int64_t index);
bool list_is_complete(const List *l); /* known, every element too */
/* Scalar parameter: attribute, else input, else the fallback when neither is given. */
bool infer_scalar(InferContext *c, const char *attr, int input, int64_t fallback, int64_t *ret);
/* axis + rank when negative; false, with a note, when it is outside [-rank, rank). */
bool infer_axis(InferContext *c, int64_t axis, int32_t rank, int32_t *ret);

/* ---- outputs ---- */

void infer_set_dtype(InferContext *c, uint32_t output, DType t);
/* `dim` is kept: it lives in the arena (infer_dims) or belongs to a tensor.  The shape stays as it
 * is where a rank above 0 comes without dimensions. */
void infer_set_shape(InferContext *c, uint32_t output, int32_t rank, const Dim *dim);
void infer_set(InferContext *c, uint32_t output, DType t, int32_t rank, const Dim *dim);
/* Type and shape of an input; not its value. */
void infer_copy(InferContext *c, uint32_t output, uint32_t input);
/* `rank` unknown dimensions; NULL when the rank is out of range, with a note. */
Dim *infer_dims(InferContext *c, int64_t rank);
/* The dimensions of an input, and `more` unknown ones after them, as an array that may be changed;
 * NULL when its rank is unknown. */
Dim *infer_dims_of(InferContext *c, uint32_t input, int32_t more);
void infer_set_value(InferContext *c, uint32_t output, const Const *value);
const MemberType *infer_member(const InferContext *c, uint32_t input); /* NULL: a plain tensor */
void infer_set_member(InferContext *c, uint32_t output, const MemberType *m); /* copied */
/* What fits both: equal dimensions stay, others are unknown, and so is a rank that differs. */
Shape infer_common(InferContext *c, const Shape *a, const Shape *b);

/* Notes that the node contradicts itself or its inputs. */
#define infer_conflict(c, ...)                                                                     \
    infer_conflict_message(                                                                        \
        (c), MESSAGE((c)->run->model->notes ? (c)->run->model->notes->arena : (c)->run->arena,     \
                     __VA_ARGS__))
void infer_conflict_message(InferContext *c, const Message *fact);

/* ---- dimensions ---- */

Dim dim_of(int64_t value);      /* unknown below 0 and above INT64_MAX / 16 */
Dim dim_with_max(int64_t most); /* unknown, but with a bound; without one below 1 */
int64_t dim_max(Dim d);         /* the value or its bound; 0 when there is neither */
bool dim_is(Dim d, int64_t value);
bool dim_known(Dim d);
Dim dim_add(Dim a, Dim b); /* the other one when one is 0 */
Dim dim_mul(Dim a, Dim b); /* the other one when one is 1 */
/* floor(a / b) for known a and b > 0; a itself when b is 1. */
Dim dim_div(Dim a, int64_t b);

/* The two must be equal: equates symbols, notes a contradiction.  Result: the better known. */
Dim infer_equate(InferContext *c, Dim a, Dim b, const MessageId *what);
/* The shape of every `step`th input from `first` on, joined along an axis. */
void infer_join(InferContext *c, uint32_t first, uint32_t step, int64_t axis);
/* Numpy's broadcast of two dimensions or of two shapes. */
Dim infer_broadcast_dim(InferContext *c, Dim a, Dim b);
Shape infer_broadcast(InferContext *c, const Shape *a, const Shape *b);

/* ---- values (more in graph/infer/fold.h) ---- */

/* Room for n elements until the node is done; NULL when there is none. */
Element *infer_scratch(InferContext *c, int64_t n);
/* Value of an input, elements perhaps unknown; false when nothing is known or it is too large. */
bool infer_value_load(InferContext *c, uint32_t input, FoldValue *ret);

/* ---- the functions of ops.xml ---- */

#define OP(id, name, domain, op_class, shape, macs, fold) void shape(InferContext *c);
#include "graph/infer/ops.def"
