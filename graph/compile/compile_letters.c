/* Determines the meaning of each axis of a value, and whether channels are last.
 *
 * Operators on images (Conv, pooling …) say that their axes are N, C, H, W; Transposes relabel, ops
 * of one shape carry labels on.  What no such operator reaches has the default of its rank. */
#include "graph/compile/compile_state.h"
#include "graph/edit/rewrite.h"

static bool labels_images(const Ir *op)
{
    return op_is((OpId)op->op, OP_Conv, OP_ConvTranspose, OP_BatchNormalization, OP_Resize,
                 OP_DepthToSpace, OP_SpaceToDepth, OP_InstanceNormalization, OP_LRN) ||
           ir_class(op) == CLASS_POOL;
}

static bool keeps_labels(const Ir *op)
{
    OpClass k = ir_class(op);
    return k == CLASS_ELEMENTWISE || k == CLASS_ACTIVATION ||
           op_is((OpId)op->op, OP_Concat, OP_Pad, OP_Slice, OP_Split, OP_Softmax,
                 OP_LpNormalization);
}

/* perm of a Transpose, the reversal when it has none; false when it does not fit the rank. */
static bool read_permutation(const Compile *c, const Ir *op, int rank, int perm[LETTERS_MAX])
{
    const int64_t *p;
    size_t n = node_attr_ints(ir_node(c, op), "perm", &p);
    if (rank > LETTERS_MAX || (n && n != (size_t)rank))
        return false;
    for (int i = 0; i < rank; i++) {
        perm[i] = n ? (int)p[i] : rank - 1 - i;
        if (perm[i] < 0 || perm[i] >= rank)
            return false;
    }
    return true;
}

/* Room for the letters of a value that has none; NULL where it has, or can have none. */
static char *new_letters(Compile *c, ValueId v)
{
    CompileValue *value = &c->value[v];
    if (!value->known || value->letter || value_shape(c, v)->rank > LETTERS_MAX)
        return NULL;
    return value->letter = arena_alloc(c->scratch, LETTERS_MAX);
}

static bool can_label(const Compile *c, ValueId from, ValueId to)
{
    return from != VALUE_NONE && to != VALUE_NONE && c->value[from].letter && c->value[to].known &&
           !c->value[to].letter;
}

static void label_default(Compile *c, ValueId v)
{
    char *letter = new_letters(c, v);
    if (letter)
        layout_letters(value_shape(c, v), letter);
}

static void label_copy(Compile *c, ValueId from, ValueId to)
{
    if (can_label(c, from, to) && value_shape(c, from)->rank == value_shape(c, to)->rank)
        memcpy(new_letters(c, to), c->value[from].letter, LETTERS_MAX);
}

/* Forwards: out[j] is in[perm[j]]; backwards the inverse. */
static void label_transposed(Compile *c, const Ir *op, bool forwards)
{
    if (!op->nin || op->out[0] == VALUE_NONE)
        return;
    ValueId from = forwards ? op->in[0] : op->out[0], to = forwards ? op->out[0] : op->in[0];
    int perm[LETTERS_MAX], rank = value_shape(c, from)->rank;
    if (!can_label(c, from, to) || !read_permutation(c, op, rank, perm))
        return;
    char *letter = new_letters(c, to);
    for (int j = 0; letter && j < rank; j++) {
        if (forwards)
            letter[j] = c->value[from].letter[perm[j]];
        else
            letter[perm[j]] = c->value[from].letter[j];
    }
}

/* True when `wide` is `narrow` with an axis of one image put before it: CxHxW and 1xCxHxW. */
static bool adds_image_axis(const Shape *narrow, const Shape *wide)
{
    return wide->rank == narrow->rank + 1 && wide->rank <= LETTERS_MAX && wide->dim[0].value == 1 &&
           LIST_ALL(i, narrow->rank, wide->dim[i + 1].value == narrow->dim[i].value);
}

/* Unsqueeze, Squeeze or Reshape that only adds or removes the axis of one image, or only moves
 * axes of size 1. */
static void label_view(Compile *c, ValueId from, ValueId to)
{
    int64_t axis[LETTERS_MAX];
    if (!can_label(c, from, to))
        return;
    const Shape *s = value_shape(c, from), *t = value_shape(c, to);
    const char *f = c->value[from].letter;
    bool adds = adds_image_axis(s, t),
         moves = s->rank <= LETTERS_MAX && rewrite_moves_ones(s, t, axis);
    bool removes = adds_image_axis(t, s) && f[0] == 'N';
    if (!adds && !removes && !moves)
        return;
    char *letter = new_letters(c, to);
    letter[0] = 'N';
    memcpy(letter + adds, f + removes, LETTERS_MAX - 1);
    for (int k = 0; moves && k < s->rank; k++)
        letter[axis[k]] = f[k];
}

/* From the inputs to the outputs, or the other way. */
static void label_along(Compile *c, const Ir *op, bool forwards)
{
    const ValueId *from = forwards ? op->in : op->out, *to = forwards ? op->out : op->in;
    uint32_t nfrom = forwards ? op->nin : op->nout, nto = forwards ? op->nout : op->nin;
    if (labels_images(op)) {
        for (uint32_t k = 0; k < nto && (forwards || k == 0); k++)
            if (to[k] != VALUE_NONE)
                label_default(c, to[k]);
    } else if (op->op == OP_Transpose) {
        label_transposed(c, op, forwards);
    } else if ((op->op == OP_Unsqueeze || op->op == OP_Squeeze || op->op == OP_Reshape) &&
               op->nin) {
        label_view(c, from[0], to[0]);
    } else if (keeps_labels(op) && nfrom) {
        for (uint32_t k = 0; k < nto; k++)
            label_copy(c, from[0], to[k]);
    }
}

void compile_layouts(Compile *c)
{
    for (size_t i = 0; i < c->nir; i++)
        if (!c->ir[i].merged)
            label_along(c, &c->ir[i], true);
    for (size_t i = c->nir; i-- > 0;)
        if (!c->ir[i].merged)
            label_along(c, &c->ir[i], false);
    for (size_t v = 0; v < c->nvalue; v++) {
        CompileValue *value = &c->value[v];
        char *letter = new_letters(c, (ValueId)v);
        if (letter)
            layout_has_free_letters(value_shape(c, (ValueId)v), c->images, letter);
        if (value->letter)
            value->g =
                layout_geometry(value_shape(c, (ValueId)v), value->letter, c->options->batch);
        value->known &= value->letter != NULL;
    }
}

bool compile_transpose_relabels(const Compile *c, const Ir *op)
{
    const CompileValue *in = &c->value[op->in[0]], *out = &c->value[op->out[0]];
    const Shape *s = value_shape(c, op->out[0]);
    int perm[LETTERS_MAX];
    return read_permutation(c, op, s->rank, perm) &&
           LIST_ALL(j, s->rank, s->dim[j].value == 1 || out->letter[j] == in->letter[perm[j]]);
}

TensorId compile_value_tensor(const Compile *c, ValueId v)
{
    uint32_t out = c->first_output[v];
    return out == INDEX_NOT ? c->value[v].tensor : c->graph->output[out];
}

char compile_value_last_letter(const Compile *c, ValueId id)
{
    const CompileValue *v = &c->value[id];
    int rank = value_shape(c, id)->rank;
    if (!v->letter || rank == 0)
        return 'C';
    if (v->input != INDEX_NOT && v->input < c->options->npermute &&
        c->options->permute[v->input].rank == rank)
        return v->letter[c->options->permute[v->input].axis[rank - 1]];
    return v->letter[rank - 1];
}
