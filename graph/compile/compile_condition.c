/* Checks whether a node fulfils a condition of the support tables. */
#include "graph/compile/compile_lower.h"
#include "graph/base/messages.h"

enum { WORD_BYTES = LETTERS_MAX + 1 };

/* Letters of the axes along which the node works, once each: "CW"; NULL when not known. */
static char letter_at(const Compile *c, const Ir *op, int64_t axis)
{
    const CompileValue *v = &c->value[op->in[0]];
    int rank = c->graph->tensor[v->tensor].shape.rank;
    axis += axis < 0 ? rank : 0;
    return axis >= 0 && axis < rank && axis < LETTERS_MAX ? v->letter[axis] : '?';
}

typedef struct {
    char text[8];
    size_t n;
} Letters;

static void letters_add(Letters *l, char letter)
{
    if (!memchr(l->text, letter, l->n) && l->n < sizeof l->text - 1)
        l->text[l->n++] = letter;
}

static bool kernel_number_at(const Compile *c, const Node *n, uint32_t input, const char *attr,
                             int64_t i, int64_t *ret)
{
    const int64_t *list;
    size_t count = node_attr_ints(n, attr, &list);
    if (count) {
        if (i < (int64_t)count)
            *ret = list[i];
        return i < (int64_t)count;
    }
    const Tensor *t = node_input(c->graph, n, input);
    return t && t->value && const_int(t->value, i, ret);
}

size_t compile_reduce_axes(const Graph *g, const Node *n, int64_t axis[8])
{
    const int64_t *a;
    size_t count = node_attr_ints(n, "axes", &a);
    if (count) {
        for (size_t i = 0; i < count && i < 8; i++)
            axis[i] = a[i];
        return count < 8 ? count : 8;
    }
    const Tensor *t = node_input(g, n, 1);
    for (count = 0; t && t->value && count < 8; count++)
        if (!const_int(t->value, (int64_t)count, &axis[count]))
            break;
    return count;
}

/* Axes that a Slice cuts. */
static void slice_letters(const Compile *c, const Ir *op, Letters *l)
{
    const Node *n = ir_node(c, op);
    const Tensor *in = &c->graph->tensor[c->value[op->in[0]].tensor];
    const Tensor *out = node_output(c->graph, n, 0);
    int64_t start, axis;
    for (int64_t i = 0; kernel_number_at(c, n, 1, "starts", i, &start); i++) {
        if (!kernel_number_at(c, n, 3, "axes", i, &axis))
            axis = i;
        int64_t at = axis < 0 ? axis + in->shape.rank : axis;
        if (at >= 0 && at < in->shape.rank && out && out->shape.rank == in->shape.rank &&
            in->shape.dim[at].value != out->shape.dim[at].value)
            letters_add(l, letter_at(c, op, axis));
    }
}

/* Axes whose size a Pad or a Tile changes. */
static void resized_letters(const Compile *c, const Ir *op, Letters *l)
{
    const Tensor *in = &c->graph->tensor[c->value[op->in[0]].tensor];
    const Tensor *out = node_output(c->graph, ir_node(c, op), 0);
    for (int32_t i = 0; out && i < in->shape.rank && i < out->shape.rank; i++)
        if (in->shape.dim[i].value != out->shape.dim[i].value)
            letters_add(l, letter_at(c, op, i));
}

static void reduce_letters(const Compile *c, const Ir *op, Letters *l)
{
    int64_t axis[8];
    size_t n = compile_reduce_axes(c->graph, ir_node(c, op), axis);
    for (size_t i = 0; i < n; i++)
        letters_add(l, letter_at(c, op, axis[i]));
}

/* An attribute says one axis, not a list. */
static bool has_one_axis(const Ir *op)
{
    return op_is((OpId)op->op, OP_Softmax, OP_Hardmax, OP_LpNormalization);
}

static int64_t one_axis(const Compile *c, const Ir *op)
{
    bool last = has_one_axis(op) && (c->model->opset >= 13 || op->op == OP_LpNormalization);
    int64_t axis = last ? -1 : op->op == OP_Gather ? 0 : 1;
    if (op->op == OP_CumSum)
        kernel_number_at(c, ir_node(c, op), 1, "axis", 0, &axis);
    return node_attr_int(ir_node(c, op), "axis", axis);
}

static Letters axis_letters(const Compile *c, const Ir *op)
{
    Letters l = {.n = 0};
    if (op->op == OP_Slice)
        slice_letters(c, op, &l);
    else if (op_is((OpId)op->op, OP_Pad, OP_Tile))
        resized_letters(c, op, &l);
    else if (ir_class(op) == CLASS_REDUCE && !has_one_axis(op))
        reduce_letters(c, op, &l);
    else
        letters_add(&l, letter_at(c, op, one_axis(c, op)));
    return l;
}

static int64_t largest_dilation(const Node *n)
{
    const int64_t *d;
    size_t count = node_attr_ints(n, "dilations", &d);
    int64_t most = 1;
    for (size_t i = 0; i < count; i++)
        most = d[i] > most ? d[i] : most;
    return most;
}

/* ---- what the vendor's quantizer looks at ---- */

static const Shape *first_shape(const Compile *c, const Ir *op)
{
    return &c->graph->tensor[c->value[op->in[0]].tensor].shape;
}

/* Product of the dimensions that the sums of a Softmax do not run over. Before opset 13 it makes a
 * matrix of its input first, so only the dimensions before the axis are left. */
static int64_t softmax_others(const Compile *c, const Ir *op)
{
    const Shape *s = first_shape(c, op);
    bool matrix = c->model->opset < 13;
    int64_t axis = node_attr_int(ir_node(c, op), "axis", matrix ? 1 : -1), product = 1;
    axis += axis < 0 ? s->rank : 0;
    for (int i = 0; i < s->rank; i++)
        if (i < axis || (i > axis && !matrix))
            product = layout_size_mul(product, s->dim[i].value);
    return product;
}

/* Which of two operands is a constant: 0, 1, or 2 for none. */
static uint32_t constant_operand(const Compile *c, const Ir *op)
{
    const Node *n = ir_node(c, op);
    return LIST_VALUE(i, n->ninput < 2 ? n->ninput : 2,
                      n->input[i] != TENSOR_NONE && tensor_is_constant(c->graph, n->input[i]), i,
                      2);
}

/* Without ones before a matrix, unless more axes than an image has. */
static int64_t weight_rank(const Compile *c, const Ir *op)
{
    const Tensor *t = node_input(c->graph, ir_node(c, op), constant_operand(c, op));
    int rank = t ? t->shape.rank : 0;
    while (rank > 2 && t->shape.rank <= 4 && t->shape.dim[t->shape.rank - rank].value == 1)
        rank--;
    return rank;
}

/* "whole" when every size of the output is a multiple of the input's. */
static const char *size_factors(const Compile *c, const Ir *op)
{
    const Shape *in = first_shape(c, op);
    const Tensor *out = node_output(c->graph, ir_node(c, op), 0);
    bool whole = out && out->shape.rank == in->rank;
    for (int i = 0; whole && i < in->rank; i++)
        whole = in->dim[i].value > 0 && out->shape.dim[i].value % in->dim[i].value == 0 &&
                out->shape.dim[i].value > 0;
    return whole ? "whole" : "broken";
}

/* Also where ceil_mode adds a window that ends outside. */
static bool pads_window(const Compile *c, const Ir *op)
{
    SpatialWindow w = lower_read_window(c, op);
    const int64_t size[] = {c->value[op->in[0]].g.h, c->value[op->in[0]].g.w};
    bool ceils = node_attr_int(ir_node(c, op), "ceil_mode", 0) != 0;
    return LIST_ANY(
        i, 2, w.pad[i] || (ceils && (size[i] - w.dilation[i] * (w.k[i] - 1) - 1) % w.stride[i]));
}

static const char *bias_word(const Compile *c, const Ir *op)
{
    const Node *n = ir_node(c, op);
    bool constant =
        n->ninput < 3 || n->input[2] == TENSOR_NONE || tensor_is_constant(c->graph, n->input[2]);
    return constant ? "constant" : "computed";
}

/* A Softmax over the first of its axes, which is no batch. */
static bool is_over_first_axis(const Compile *c, const Ir *op)
{
    const Shape *s = first_shape(c, op);
    int64_t axis = one_axis(c, op);
    return s->rank > 0 && (axis == 0 || axis == -s->rank) && s->dim[0].value > 1;
}

/* The constant that a Pad fills with, or the exponent of a Pow; "computed" where it is none. */
static const char *constant_value(const Compile *c, const Ir *op, char text[WORD_BYTES])
{
    const Node *n = ir_node(c, op);
    const Tensor *t = node_input(c->graph, n, op->op == OP_Pow ? 1 : 2);
    double v = node_attr_float(n, "value", 0);
    if (t && !(t->value && const_float(t->value, 0, &v)))
        return "computed";
    snprintf(text, WORD_BYTES, "%g", v);
    return text;
}

bool compile_is_pattern(const Compile *c, const Ir *op)
{
    return op->op != OP_UNKNOWN && compile_canonical_op(ir_node(c, op)->op_id) != op->op;
}

/* An Upsample says neither: it is a Resize of this kind. */
static const char *resize_word(const Compile *c, const Ir *op, const char *key, const char *preset,
                               const char *upsample)
{
    const Node *n = ir_node(c, op);
    return n->op_id == OP_Upsample ? upsample : node_attr_string(n, key, preset);
}

static const char *mode_word(const Compile *c, const Ir *op)
{
    const char *preset = op->op == OP_Resize ? "nearest" : op->op == OP_Pad ? "constant" : "DCR";
    return node_attr_string(ir_node(c, op), "mode", preset);
}

/* ---- what a table of rows looks at ---- */

static int64_t group_width(const Compile *c, const Ir *op)
{
    int64_t groups = node_attr_int(ir_node(c, op), "group", 1);
    return c->value[op->in[0]].g.c / (groups > 1 ? groups : 1);
}

int64_t compile_window_taps(const Compile *c, const Ir *op)
{
    const Shape *in = first_shape(c, op);
    if (op_is((OpId)op->op, OP_MatMul, OP_Gemm))
        return in->rank > 0 ? in->dim[in->rank - 1].value : 1;
    SpatialWindow w = lower_read_window(c, op);
    int64_t high = layout_size_mul(w.k[0] - 1, w.dilation[0]) + 1;
    int64_t wide = layout_size_mul(w.k[1] - 1, w.dilation[1]) + 1;
    return layout_size_mul(layout_size_mul(high, wide), group_width(c, op));
}

static int64_t largest_step(const Compile *c, const Ir *op)
{
    int64_t most = 1, step;
    for (int64_t i = 0; kernel_number_at(c, ir_node(c, op), 4, "steps", i, &step); i++)
        most = i64_max(most, step < 0 ? -step : step);
    return most;
}

static const char *permutation_word(const Compile *c, const Ir *op, char text[WORD_BYTES])
{
    const int64_t *perm;
    size_t n = node_attr_ints(ir_node(c, op), "perm", &perm);
    n = n < LETTERS_MAX ? n : LETTERS_MAX;
    for (size_t i = 0; i < n; i++)
        text[i] = perm[i] >= 0 && perm[i] <= 9 ? (char)('0' + perm[i]) : '?';
    text[n] = '\0';
    return text;
}

static const Shape *result_shape(const Compile *c, const Ir *op)
{
    const Tensor *out = node_output(c->graph, ir_node(c, op), 0);
    return out ? &out->shape : first_shape(c, op);
}

static const char *scale_word(const Compile *c, const Ir *op, char text[WORD_BYTES])
{
    const Shape *in = first_shape(c, op), *out = result_shape(c, op);
    double from = in->rank ? (double)in->dim[in->rank - 1].value : 1;
    double to = out->rank ? (double)out->dim[out->rank - 1].value : 1;
    snprintf(text, WORD_BYTES, "%g", from > 0 ? to / from : 0);
    return text;
}

static bool is_aligned(const Compile *c, const Ir *op)
{
    int block = c->machine->channel_block;
    bool whole = c->value[op->in[0]].g.c % block == 0;
    return whole && (op->out[0] == VALUE_NONE || c->value[op->out[0]].g.c % block == 0);
}

static const char *type_name(const Compile *c, IrId id)
{
    const Ir *op = &c->ir[id];
    return op->op == OP_UNKNOWN ? ir_node(c, op)->op : op_info((OpId)op->op)->name;
}

static const char *reader_word(const Compile *c, const Ir *op)
{
    const CompileValue *v = op->nout && op->out[0] != VALUE_NONE ? &c->value[op->out[0]] : NULL;
    if (!v || v->is_output || v->nuser == 0)
        return "none";
    return v->nuser == 1 ? type_name(c, v->user[0]) : "several";
}

static bool is_at_end(const Compile *c, const Ir *op)
{
    return LIST_ANY(k, op->nout, op->out[k] != VALUE_NONE && c->value[op->out[k]].is_output);
}

static bool lies_by_rows(const Compile *c, ValueId v)
{
    return v != VALUE_NONE && c->value[v].last_axis;
}

/* Which of input and output lies with its last axis as channels. */
static const char *last_axis_word(const Compile *c, const Ir *op)
{
    static const char *const word[] = {"none", "from", "to", "both"};
    return word[lies_by_rows(c, op->in[0]) + 2 * (op->nout && lies_by_rows(c, op->out[0]))];
}

/* As the compiler lays out a shape of any rank: an axis of channels, the axes after it are pixels;
 * where the last axis has the channels, those between it and the first are. */
static void plane_of(const Shape *s, bool last_axis, int64_t *ret_channels, int64_t *ret_pixels)
{
    int rank = s->rank, at = rank > 3 ? rank - 3 : rank > 1 ? 1 : 0;
    at = last_axis && rank > 0 ? rank - 1 : at;
    *ret_channels = rank > 0 ? s->dim[at].value : 1;
    *ret_pixels = 1;
    for (int i = last_axis ? 1 : at + 1; i < rank; i++)
        *ret_pixels = layout_size_mul(*ret_pixels, i == at ? 1 : s->dim[i].value);
}

static bool has_whole_blocks(const Machine *m, int64_t channels, int64_t pixels)
{
    return pixels == 1 ? channels % m->channel_block == 0 : pixels % m->pixel_block == 0;
}

/* What a Reshape does with blocks: keeps them, makes others of whole ones, or breaks them. */
static const char *blocks_word(const Compile *c, const Ir *op)
{
    const Machine *m = c->machine;
    const Shape *from = first_shape(c, op), *to = result_shape(c, op);
    bool edge = is_at_end(c, op) || op->in[0] == op->out[0];
    bool ends = to->rank != 4 && edge; /* blocks are unpacked there */
    int64_t channels[2], pixels[2];
    plane_of(from, !ends && lies_by_rows(c, op->in[0]), &channels[0], &pixels[0]);
    plane_of(to, !ends && lies_by_rows(c, op->out[0]), &channels[1], &pixels[1]);
    if (pixels[0] == pixels[1] && channels[0] % m->channel_block == 0 &&
        channels[1] % m->channel_block == 0 && (!ends || pixels[0] == 1))
        return "kept";
    bool whole = has_whole_blocks(m, channels[0], pixels[0]) &&
                 (ends || has_whole_blocks(m, channels[1], pixels[1]));
    return whole ? "whole" : "broken";
}

bool compile_scales_axis(const Compile *c, const Ir *op, int axis)
{
    const Node *n = ir_node(c, op);
    bool first = n->input[0] != TENSOR_NONE && c->value_of[n->input[0]] == op->in[0];
    const Tensor *k = node_input(c->graph, n, first ? 1 : 0);
    const Shape *in = &c->graph->tensor[c->value[op->in[0]].tensor].shape;
    if (!op_is((OpId)op->op, OP_Mul, OP_Div, OP_Add, OP_Sub) || op->nin != 1 || !k ||
        in->rank < 2 || (!first && op->op == OP_Div))
        return false;
    int64_t count = shape_elements(&k->shape);
    int at = k->shape.rank - (in->rank - axis); /* aligned to the right */
    return count == 1 || (at >= 0 && at < k->shape.rank && count == in->dim[axis].value &&
                          k->shape.dim[at].value == count);
}

static bool is_per_channel(const Compile *c, const Ir *op)
{
    const CompileValue *v = &c->value[op->in[0]];
    int rank = first_shape(c, op)->rank;
    int axis = LIST_INDEX(i, rank, v->letter && v->letter[i] == 'C');
    return axis < rank && compile_scales_axis(c, op, axis);
}

static const char *producer_word(const Compile *c, const Ir *op)
{
    IrId from = c->value[op->in[0]].producer;
    return from == IR_NONE ? "input" : type_name(c, from);
}

/* Dimensions without those of one element at the end. */
static int rank_without_ones(const Shape *s)
{
    int rank = s->rank;
    while (rank > 0 && s->dim[rank - 1].value == 1)
        rank--;
    return rank;
}

static bool is_squeezed(const Compile *c, const Ir *op)
{
    const Shape *in = first_shape(c, op), *out = result_shape(c, op);
    int rank = rank_without_ones(in);
    int64_t channels[2], pixels[2];
    plane_of(in, lies_by_rows(c, op->in[0]), &channels[0], &pixels[0]);
    plane_of(out, lies_by_rows(c, op->out[0]), &channels[1], &pixels[1]);
    return (channels[0] == channels[1] && pixels[0] == 1 && pixels[1] == 1) ||
           (rank == rank_without_ones(out) &&
            LIST_ALL(i, rank, in->dim[i].value == out->dim[i].value));
}

/* ---- one condition ---- */

static int64_t window_value(const Compile *c, const Ir *op, ConditionKey key)
{
    SpatialWindow w = lower_read_window(c, op);
    if (key == CONDITION_STRIDE)
        return i64_max(w.stride[0], w.stride[1]);
    bool bare = key == CONDITION_BARE_KERNEL;
    return i64_max(w.k[0] - bare * w.pad[0], w.k[1] - bare * w.pad[1]);
}

static int64_t limit_value(const Compile *c, const Ir *op, ConditionKey key)
{
    const Node *n = ir_node(c, op);
    switch (key) {
    case CONDITION_GROUP:
        return node_attr_int(n, "group", 1);
    case CONDITION_DILATION:
        return largest_dilation(n);
    case CONDITION_P:
        return node_attr_int(n, "p", 2);
    case CONDITION_COUNTED:
    case CONDITION_CEIL:
        return node_attr_int(n, condition_key_name(key), 0);
    case CONDITION_RANK:
        return first_shape(c, op)->rank;
    case CONDITION_SPATIAL:
        return first_shape(c, op)->rank - 2;
    case CONDITION_OTHERS:
        return softmax_others(c, op);
    case CONDITION_WEIGHT_RANK:
        return weight_rank(c, op);
    case CONDITION_KERNEL:
    case CONDITION_BARE_KERNEL:
    case CONDITION_STRIDE:
        return window_value(c, op, key);
    case CONDITION_SIZE:
        return i64_max(c->value[op->in[0]].g.h, c->value[op->in[0]].g.w);
    case CONDITION_GROUP_WIDTH:
        return group_width(c, op);
    case CONDITION_STEP:
        return largest_step(c, op);
    case CONDITION_TAPS:
        return compile_window_taps(c, op);
    default:
        return c->value[op->in[0]].g.n;
    }
}

/* NULL: it is a number. */
static const char *word_value(const Compile *c, const Ir *op, ConditionKey key,
                              char text[WORD_BYTES])
{
    static const char *const operand[] = {"first", "second", "none"}, *const yes[] = {"no", "yes"};
    switch (key) {
    case CONDITION_PERM:
        return permutation_word(c, op, text);
    case CONDITION_SCALE:
        return scale_word(c, op, text);
    case CONDITION_ALIGNED:
        return yes[is_aligned(c, op)];
    case CONDITION_SQUEEZED:
        return yes[is_squeezed(c, op)];
    case CONDITION_END:
        return yes[is_at_end(c, op)];
    case CONDITION_NEXT:
        return reader_word(c, op);
    case CONDITION_AFTER:
        return producer_word(c, op);
    case CONDITION_LAST_AXIS:
        return last_axis_word(c, op);
    case CONDITION_BLOCKS:
        return blocks_word(c, op);
    case CONDITION_PER_CHANNEL:
        return yes[is_per_channel(c, op)];
    case CONDITION_MODE:
        return mode_word(c, op);
    case CONDITION_FORM:
        return compile_is_pattern(c, op) ? "pattern" : "operator";
    case CONDITION_PADS:
        return pads_window(c, op) ? "some" : "none";
    case CONDITION_FACTORS:
        return size_factors(c, op);
    case CONDITION_AUTO_PAD:
        return node_attr_string(ir_node(c, op), "auto_pad", "NOTSET");
    case CONDITION_BIAS:
        return bias_word(c, op);
    case CONDITION_OPERAND:
        return dtype_name(tensor_dtype(node_input(c->graph, ir_node(c, op), 1)));
    case CONDITION_FIRST_AXIS:
        return yes[is_over_first_axis(c, op)];
    case CONDITION_TURNED:
        return yes[first_shape(c, op)->rank == 4 && letter_at(c, op, 1) != 'C'];
    case CONDITION_COORDINATES:
        return resize_word(c, op, "coordinate_transformation_mode", "half_pixel", "asymmetric");
    case CONDITION_NEAREST:
        return resize_word(c, op, "nearest_mode", "round_prefer_floor", "floor");
    case CONDITION_CONSTANT:
        return operand[constant_operand(c, op)];
    case CONDITION_VALUE:
        return constant_value(c, op, text);
    default:
        return NULL;
    }
}

static const char *set_text(Compile *c, const char *set)
{
    char *text = arena_strndup(c->scratch, set + 1, strlen(set) - 2), *bar;
    while ((bar = strchr(text, '|')))
        *bar = '/';
    return text;
}

/* Is it one of "|A|B|"? */
static bool set_has(const char *set, const char *word)
{
    size_t len = strlen(word);
    for (const char *at = set + 1; *at && (at = strstr(at, word)); at++)
        if (at[-1] == '|' && at[len] == '|')
            return true;
    return false;
}

static bool set_has_number(const char *set, int64_t number)
{
    for (const char *at = set; at[1]; at = strchr(at + 1, '|'))
        if (strtoll(at + 1, NULL, 10) == number)
            return true;
    return false;
}

bool condition_holds(const Compile *c, const Ir *op, const Condition *want)
{
    char text[WORD_BYTES];
    if (want->key == CONDITION_AXIS) {
        Letters l = axis_letters(c, op);
        return LIST_ALL(i, l.n, strchr(want->set, l.text[i]));
    }
    if (want->is_limit)
        return limit_value(c, op, want->key) <= want->limit;
    const char *word = word_value(c, op, want->key, text);
    return word ? set_has(want->set, word)
                : set_has_number(want->set, limit_value(c, op, want->key));
}

ConditionMiss condition_miss(Compile *c, const Ir *op, const Condition *want)
{
    const MessageArg key = condition_key_words(want->key);
    if (want->key == CONDITION_AXIS) {
        Letters l = axis_letters(c, op);
        return (ConditionMiss){
            MESSAGE(c->arena, MESSAGE_ID(FOUND_AXIS), arg_text(l.text)),
            MESSAGE(c->arena, MESSAGE_ID(TAKES_AXIS), arg_text(set_text(c, want->set)))};
    }
    if (want->is_limit) {
        bool rows = want->key == CONDITION_OTHERS;
        MessageArg v = arg_count(limit_value(c, op, want->key)), most = arg_count(want->limit);
        return (ConditionMiss){
            MESSAGE(c->arena, rows ? MESSAGE_ID(FOUND_ROWS) : MESSAGE_ID(FOUND_KEY), key, v),
            MESSAGE(c->arena, rows ? MESSAGE_ID(TAKES_ROWS) : MESSAGE_ID(TAKES_KEY), key, most)};
    }
    char text[WORD_BYTES];
    const char *word = word_value(c, op, want->key, text);
    if (!word)
        word = arena_printf(c->scratch, "%" PRId64, limit_value(c, op, want->key));
    return (ConditionMiss){
        strcmp(word, "none") == 0 ? MESSAGE(c->arena, MESSAGE_ID(FOUND_NONE), key)
                                  : MESSAGE(c->arena, MESSAGE_ID(FOUND_KEY), key, arg_text(word)),
        want->key == CONDITION_CONSTANT /* what is computed stays so */
            ? NULL
            : MESSAGE(c->arena, MESSAGE_ID(TAKES_KEY), key, arg_text(set_text(c, want->set)))};
}
