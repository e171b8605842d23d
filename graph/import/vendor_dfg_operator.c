/* Reads one operator of a .dfg: its kind, what it reads and writes, and its attributes. */
#include "graph/import/vendor_dfg.h"

#include <assert.h>
#include <inttypes.h>

#define VENDOR_OP(id, number, name, form, attributes)                                              \
    static_assert(DFG__OPERATOR__KIND_##id == (number), "the number that dfg.proto has");
#include "graph/import/vendor_ops.def"
#undef VENDOR_OP

/* One operator at work. */
typedef struct {
    Arena *arena;
    VendorOp *op;
    bool refused; /* a number that is not read; the others went on as 0 */
} OperatorReader;

/* ---- values */

static int64_t whole_number(OperatorReader *o, uint64_t value)
{
    o->refused |= value > INT32_MAX; /* no size or axis is larger */
    return value > INT32_MAX ? 0 : (int64_t)value;
}

static VendorPair read_pair(OperatorReader *o, const Dfg__Pair *from)
{
    return from ? (VendorPair){whole_number(o, from->h), whole_number(o, from->w)}
                : (VendorPair){1, 1};
}

static VendorPads read_pads(OperatorReader *o, const Dfg__Padding *from)
{
    if (!from)
        return (VendorPads){0};
    return (VendorPads){whole_number(o, from->top), whole_number(o, from->left),
                        whole_number(o, from->bottom), whole_number(o, from->right)};
}

static VendorRange read_clipping(OperatorReader *o, const Dfg__Range *from)
{
    if (!from)
        return (VendorRange){-__builtin_inf(), __builtin_inf()};
    o->refused |= !(from->min <= from->max);
    return (VendorRange){from->min, from->max};
}

static VendorIntegers new_integers(const OperatorReader *o, size_t n)
{
    return (VendorIntegers){ARENA_ARRAY(o->arena, int64_t, n + 1), n};
}

static VendorIntegers read_sizes(OperatorReader *o, const uint64_t *from, size_t n)
{
    VendorIntegers list = new_integers(o, n);
    o->refused |= n > VENDOR_MAX_RANK;
    for (size_t i = 0; i < n; i++)
        list.item[i] = whole_number(o, from[i]);
    return list;
}

static VendorIntegers read_integers(OperatorReader *o, const int64_t *from, size_t n)
{
    VendorIntegers list = new_integers(o, n);
    o->refused |= n > VENDOR_MAX_RANK;
    for (size_t i = 0; i < n; i++) {
        list.item[i] = from[i];
        o->refused |= from[i] > INT32_MAX || from[i] < INT32_MIN;
    }
    return list;
}

/* A word of `count` known ones. */
static unsigned word_number(OperatorReader *o, int value, int count)
{
    o->refused |= value < 0 || value >= count;
    return value < 0 || value >= count ? 0 : (unsigned)value;
}

/* ---- ports */

static void reads_tensor(OperatorReader *o, uint32_t id)
{
    vendor_port_add(o->arena, &o->op->input, id);
}

static void writes_tensor(OperatorReader *o, uint32_t id)
{
    vendor_port_add(o->arena, &o->op->output, id);
}

static void reads_and_writes(OperatorReader *o, uint32_t input, uint32_t output)
{
    reads_tensor(o, input);
    writes_tensor(o, output);
}

static void reads_list(OperatorReader *o, const uint32_t *id, size_t n)
{
    o->refused |= n > VENDOR_MAX_PORTS;
    for (size_t i = 0; i < n && n <= VENDOR_MAX_PORTS; i++)
        reads_tensor(o, id[i]);
}

/* ---- one function for each form: a message of dfg.proto */

static void read_unary(OperatorReader *o, const void *message)
{
    const Dfg__Unary *m = message;
    reads_and_writes(o, m->input, m->output);
}

static void read_binary(OperatorReader *o, const void *message)
{
    const Dfg__Binary *m = message;
    reads_tensor(o, m->first);
    reads_and_writes(o, m->second, m->output);
}

static void read_convolution(OperatorReader *o, const void *message)
{
    const Dfg__Convolution *m = message;
    VendorAttributes *a = &o->op->attribute;
    reads_tensor(o, m->input);
    reads_tensor(o, m->weight);
    reads_and_writes(o, m->bias, m->output);
    a->pads = read_pads(o, m->padding);
    a->stride = read_pair(o, m->stride);
    a->dilation = read_pair(o, m->dilation);
    a->clipping = read_clipping(o, m->clipping);
    a->groups = whole_number(o, m->groups);
}

static void read_pool(OperatorReader *o, const void *message)
{
    const Dfg__Pool *m = message;
    VendorAttributes *a = &o->op->attribute;
    reads_and_writes(o, m->input, m->output);
    a->pads = read_pads(o, m->padding);
    a->stride = read_pair(o, m->stride);
    a->kernel = read_pair(o, m->kernel);
    a->clipping = read_clipping(o, m->clipping);
    a->dilation = read_pair(o, m->dilation);
    a->pad_value = word_number(o, m->pad_value ? (int)m->pad_value->kind : 0, PAD_VALUES);
}

static void read_requantize(OperatorReader *o, const void *message)
{
    const Dfg__Requantize *m = message;
    reads_and_writes(o, m->input, m->output);
    o->op->attribute.clipping = read_clipping(o, m->clipping);
}

static void read_softmax(OperatorReader *o, const void *message)
{
    const Dfg__Softmax *m = message;
    reads_and_writes(o, m->input, m->output);
    o->op->attribute.beta = (double)m->beta;
    o->op->attribute.axis = whole_number(o, m->axis);
}

static void read_axis(OperatorReader *o, const void *message)
{
    const Dfg__Axis *m = message;
    reads_and_writes(o, m->input, m->output);
    o->op->attribute.axis = whole_number(o, m->axis);
    o->op->attribute.last_index = m->select_last_index;
}

static void read_leaky_relu(OperatorReader *o, const void *message)
{
    const Dfg__LeakyRelu *m = message;
    reads_and_writes(o, m->input, m->output);
    o->op->attribute.alpha = m->alpha;
}

static void read_elu(OperatorReader *o, const void *message)
{
    const Dfg__Elu *m = message;
    reads_and_writes(o, m->input, m->output);
    o->op->attribute.alpha = (double)m->alpha;
}

static void read_reduce(OperatorReader *o, const void *message)
{
    const Dfg__Reduce *m = message;
    reads_and_writes(o, m->input, m->output);
    o->op->attribute.axes = read_sizes(o, m->axes, m->n_axes);
    o->op->attribute.clipping = read_clipping(o, m->clipping);
}

static void read_slice(OperatorReader *o, const void *message)
{
    const Dfg__Slice *m = message;
    reads_and_writes(o, m->input, m->output);
    o->op->attribute.offsets = read_integers(o, m->offsets, m->n_offsets);
    o->op->attribute.steps = read_integers(o, m->steps, m->n_steps);
}

static void read_pad(OperatorReader *o, const void *message)
{
    const Dfg__Pad *m = message;
    reads_and_writes(o, m->input, m->output);
    VendorIntegers list = new_integers(o, 2 * m->n_pads);
    o->refused |= m->n_pads > VENDOR_MAX_RANK;
    for (size_t i = 0; i < m->n_pads; i++) {
        list.item[2 * i] = whole_number(o, m->pads[i]->before);
        list.item[2 * i + 1] = whole_number(o, m->pads[i]->after);
    }
    o->op->attribute.axis_pads = list;
    o->op->attribute.value = word_number(o, m->value ? (int)m->value->kind : 0, PAD_VALUES);
}

static void read_join(OperatorReader *o, const void *message)
{
    const Dfg__Join *m = message;
    reads_list(o, m->inputs, m->n_inputs);
    writes_tensor(o, m->output);
    o->op->attribute.axis = whole_number(o, m->axis);
}

static void read_permute(OperatorReader *o, const void *message)
{
    const Dfg__Permute *m = message;
    reads_and_writes(o, m->input, m->output);
    o->op->attribute.permutation = read_sizes(o, m->permutation, m->n_permutation);
}

static void read_depth_to_space(OperatorReader *o, const void *message)
{
    const Dfg__DepthToSpace *m = message;
    reads_and_writes(o, m->input, m->output);
    o->op->attribute.depth_mode = word_number(o, (int)m->mode, DEPTH_MODES);
}

static void read_gather(OperatorReader *o, const void *message)
{
    const Dfg__Gather *m = message;
    reads_tensor(o, m->input);
    reads_and_writes(o, m->indices, m->output);
    o->op->attribute.axis = whole_number(o, m->axis);
}

static void read_layer_normalization(OperatorReader *o, const void *message)
{
    const Dfg__LayerNormalization *m = message;
    reads_tensor(o, m->input);
    reads_tensor(o, m->scale);
    reads_and_writes(o, m->bias, m->output);
    o->op->attribute.axis = whole_number(o, m->axis);
    o->op->attribute.epsilon = (double)m->epsilon;
}

static void read_resize(OperatorReader *o, const void *message)
{
    const Dfg__Resize *m = message;
    VendorAttributes *a = &o->op->attribute;
    reads_and_writes(o, m->input, m->output);
    a->coordinates = word_number(o, (int)m->coordinates, COORDINATES_MODES);
    a->cubic = (double)m->cubic;
    a->exclude_outside = m->exclude_outside;
    a->extrapolation = (double)m->extrapolation;
    a->resize_mode = word_number(o, (int)m->mode, RESIZE_MODES);
    a->nearest = word_number(o, (int)m->nearest, NEAREST_MODES);
}

static void read_onnx_runtime(OperatorReader *o, const void *message)
{
    const Dfg__OnnxRuntime *m = message;
    reads_list(o, m->inputs, m->n_inputs);
    o->refused |= m->n_outputs > VENDOR_MAX_PORTS;
    for (size_t i = 0; i < m->n_outputs && i < VENDOR_MAX_PORTS; i++)
        writes_tensor(o, m->outputs[i]);
    o->op->model = m->model;
    o->op->onnx_type = arena_strdup(o->arena, m->type);
}

typedef void ReadForm(OperatorReader *o, const void *message);

static ReadForm *const read_form[] = {
    [FORM_UNARY] = read_unary,
    [FORM_BINARY] = read_binary,
    [FORM_CONVOLUTION] = read_convolution,
    [FORM_POOL] = read_pool,
    [FORM_REQUANTIZE] = read_requantize,
    [FORM_SOFTMAX] = read_softmax,
    [FORM_AXIS] = read_axis,
    [FORM_LEAKY_RELU] = read_leaky_relu,
    [FORM_ELU] = read_elu,
    [FORM_REDUCE] = read_reduce,
    [FORM_SLICE] = read_slice,
    [FORM_PAD] = read_pad,
    [FORM_JOIN] = read_join,
    [FORM_PERMUTE] = read_permute,
    [FORM_DEPTH_TO_SPACE] = read_depth_to_space,
    [FORM_GATHER] = read_gather,
    [FORM_LAYER_NORMALIZATION] = read_layer_normalization,
    [FORM_RESIZE] = read_resize,
    [FORM_ONNX_RUNTIME] = read_onnx_runtime,
};
static_assert(sizeof read_form / sizeof *read_form == VENDOR_FORMS, "a reader for each form");

/* An operator that dfg.proto lacks is kept as an unknown field. */
static const char *numbered_type(Arena *a, const Dfg__Operator *from)
{
    if (!from->base.n_unknown_fields)
        return "operator without a number";
    return arena_printf(a, "operator %" PRIu32, from->base.unknown_fields[0].tag);
}

const char *vendor_dfg_operator(Arena *a, const Dfg__Operator *from, VendorOp *op)
{
    OperatorReader o = {.arena = a, .op = op};
    op->kind = from->kind_case == DFG__OPERATOR__KIND__NOT_SET
                   ? VENDOR_OTHER
                   : vendor_op_numbered((uint32_t)from->kind_case);
    if (op->kind == VENDOR_OTHER) {
        op->type = numbered_type(a, from);
        return NULL;
    }
    const VendorOpRow *row = vendor_op_row(op->kind);
    op->type = row->name;
    /* All members of the union are pointers to a message. */
    read_form[row->form](&o, from->reshape);
    return o.refused ? arena_printf(a, "%s has an attribute that is out of range", row->name)
                     : NULL;
}
