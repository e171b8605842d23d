/* Adds nodes, names and constants of the ONNX model that a vendor's graph becomes. */
#include "graph/import/vendor_map.h"

enum { LARGE_BYTES = 1024 }; /* constants that stay in the file */

/* ---- names and nodes */

/* The map has for each name the number that its next double gets: a search from 2 would take
 * forever where a file gives one name to all. */
const char *vendor_map_name_in(Arena *a, StrMap *taken, const char *wanted)
{
    const char *name = wanted;
    uint32_t next = strmap_get(taken, wanted);
    if (next != STRMAP_NONE) {
        do
            name = arena_printf(a, "%s_%u", wanted, next++);
        while (strmap_get(taken, name) != STRMAP_NONE);
        strmap_put(taken, wanted, next);
    }
    strmap_put(taken, name, 2);
    return name;
}

const char *vendor_map_name(VendorMap *m, const char *wanted)
{
    return vendor_map_name_in(m->arena, &m->name, wanted);
}

static bool is_conversion(VendorOpKind kind)
{
    return kind == VENDOR_QUANTIZE || kind == VENDOR_DEQUANTIZE || kind == VENDOR_REQUANTIZE;
}

/* An operator and the conversions around it have one name in the file: the operator's first node
 * keeps it, all others add their type. */
static const char *node_name(VendorMap *m, const char *type)
{
    const VendorOp *op = m->op;
    bool converts = strcmp(type, "QuantizeLinear") == 0 || strcmp(type, "DequantizeLinear") == 0;
    const char *name = *op->name ? op->name : op->onnx_type ? op->onnx_type : op->type;
    if (converts || is_conversion(op->kind) || m->made++)
        name = arena_printf(m->arena, "%s %s", name, type);
    name = vendor_map_name_in(m->arena, &m->node, name);
    if (vendor_op_on_host(m->g, op))
        strmap_put(&m->host, name, 1);
    return name;
}

const char *vendor_map_node_name(VendorMap *m)
{
    return node_name(m, "node");
}

void vendor_map_node(VendorMap *m, EmitNode n)
{
    n.name = node_name(m, n.op);
    onnx_emit_node(&m->emit, &n);
}

/* ---- constants */

static const char *add_constant(VendorMap *m, const char *wanted, DType t, int64_t n, Bytes bytes)
{
    const char *name = vendor_map_name(m, wanted);
    onnx_emit_constant(&m->emit, name, t, &n, n >= 0, bytes);
    return name;
}

const char *vendor_map_integers(VendorMap *m, const int64_t *v, size_t n)
{
    int64_t *copy = ARENA_ARRAY(m->arena, int64_t, n + 1);
    if (n)
        memcpy(copy, v, n * sizeof *v);
    return add_constant(m, "integers", DT_INT64, (int64_t)n,
                        (Bytes){(const uint8_t *)copy, n * sizeof *v});
}

const char *vendor_map_floats(VendorMap *m, const float *v, size_t n)
{
    float *copy = ARENA_ARRAY(m->arena, float, n + 1);
    memcpy(copy, v, n * sizeof *v);
    return add_constant(m, "floats", DT_FLOAT32, (int64_t)n,
                        (Bytes){(const uint8_t *)copy, n * sizeof *v});
}

const char *vendor_map_float(VendorMap *m, double v)
{
    float *copy = ARENA_NEW(m->arena, float);
    *copy = (float)v;
    return add_constant(m, "number", DT_FLOAT32, -1, (Bytes){(const uint8_t *)copy, sizeof *copy});
}

/* ---- tensors */

static const char *tensor_name(VendorMap *m, uint32_t tensor)
{
    const VendorTensor *t = &m->g->tensor[tensor];
    if (t->nsource)
        return t->source_name[0];
    return arena_printf(m->arena, "tensor %" PRIu32, t->id);
}

static const char *scales_of(VendorMap *m, const VendorTensor *t, const char *name)
{
    float *scale = ARENA_ARRAY(m->arena, float, t->nrange);
    for (size_t i = 0; i < t->nrange; i++)
        scale[i] = (float)vendor_tensor_scale(t, i);
    return add_constant(m, arena_printf(m->arena, "%s/scale", name), DT_FLOAT32,
                        t->axis < 0 ? -1 : (int64_t)t->nrange,
                        (Bytes){(const uint8_t *)scale, t->nrange * sizeof *scale});
}

static const char *zero_points_of(VendorMap *m, const VendorTensor *t, const char *name)
{
    size_t width = (size_t)dtype_bits(t->dtype) / 8;
    uint8_t *bytes = arena_alloc(m->arena, t->nrange * width);
    for (size_t i = 0; i < t->nrange; i++)
        for (size_t k = 0; k < width; k++)
            bytes[i * width + k] = (uint8_t)((uint64_t)vendor_tensor_zero_point(t, i) >> 8 * k);
    return add_constant(m, arena_printf(m->arena, "%s/zero_point", name), t->dtype,
                        t->axis < 0 ? -1 : (int64_t)t->nrange, (Bytes){bytes, t->nrange * width});
}

/* QuantizeLinear or DequantizeLinear with the tensor's scales along `axis`. */
static void add_conversion(VendorMap *m, const VendorTensor *t, EmitNode n, int axis)
{
    n.in[1] = scales_of(m, t, n.in[0]);
    n.in[2] = zero_points_of(m, t, n.in[0]);
    if (t->axis >= 0)
        n.attribute[0] = emit_int("axis", axis);
    vendor_map_node(m, n);
}

static const char *add_dequantize(VendorMap *m, uint32_t tensor, const char *stored, int axis)
{
    const char *real =
        vendor_map_name(m, arena_printf(m->arena, "%s/real", tensor_name(m, tensor)));
    add_conversion(m, &m->g->tensor[tensor],
                   (EmitNode){.op = "DequantizeLinear", .in = {stored}, .out = real}, axis);
    return real;
}

static const char *initializer(VendorMap *m, uint32_t tensor, const int64_t *dim, int rank,
                               Bytes bytes)
{
    const VendorTensor *t = &m->g->tensor[tensor];
    const char *name = vendor_map_name(m, tensor_name(m, tensor));
    if (bytes.size > LARGE_BYTES && bytes.data == t->constant.data)
        onnx_emit_weights(&m->emit, name, t->dtype, dim, (size_t)rank,
                          (size_t)(bytes.data - m->file));
    else
        onnx_emit_constant(&m->emit, name, t->dtype, dim, (size_t)rank, bytes);
    return name;
}

static const char *stored_values(VendorMap *m, uint32_t tensor)
{
    const VendorTensor *t = &m->g->tensor[tensor];
    if (!m->stored[tensor] && t->is_constant)
        m->stored[tensor] = initializer(m, tensor, t->shape.dim, t->shape.rank, t->constant);
    const char *form = t->quantized ? arena_printf(m->arena, "/%s", dtype_name(t->dtype)) : "";
    if (!m->stored[tensor])
        m->stored[tensor] =
            vendor_map_name(m, arena_printf(m->arena, "%s%s", tensor_name(m, tensor), form));
    return m->stored[tensor];
}

static const char *vendor_map_real(VendorMap *m, uint32_t tensor)
{
    const VendorTensor *t = &m->g->tensor[tensor];
    if (!t->quantized)
        return stored_values(m, tensor);
    if (!m->real[tensor])
        m->real[tensor] = add_dequantize(m, tensor, stored_values(m, tensor), t->axis);
    return m->real[tensor];
}

const char *vendor_map_in(VendorMap *m, size_t i)
{
    assert(i < m->op->input.count);
    return vendor_map_real(m, m->op->input.tensor[i]);
}

const VendorTensor *vendor_map_in_tensor(const VendorMap *m, size_t i)
{
    assert(i < m->op->input.count);
    return &m->g->tensor[m->op->input.tensor[i]];
}

const VendorTensor *vendor_map_out_tensor(const VendorMap *m, size_t i)
{
    assert(i < m->op->output.count);
    return &m->g->tensor[m->op->output.tensor[i]];
}

/* ---- weights in another order of axes */

/* Position of each axis of `axes` in the shape; false where one is missing. */
static bool axis_positions(const VendorShape *s, const char *axes, int *position)
{
    int rank = (int)strlen(axes);
    bool found = s->rank == rank;
    for (int i = 0; found && i < rank; i++) {
        const char *at = memchr(s->axis, axes[i], (size_t)rank);
        found = at != NULL;
        position[i] = at ? (int)(at - s->axis) : 0;
    }
    return found;
}

/* Elements in the order of `position`: axis i of the result is axis position[i]. */
static Bytes permuted(VendorMap *m, const VendorTensor *t, const int *position)
{
    size_t width = (size_t)dtype_bits(t->dtype) / 8, n = t->constant.size / width;
    uint8_t *out = arena_alloc(m->arena, t->constant.size + 1);
    int64_t stride[VENDOR_MAX_RANK], index[VENDOR_MAX_RANK] = {0};
    int rank = t->shape.rank;
    for (int i = rank; i-- > 0;)
        stride[i] = i == rank - 1 ? 1 : stride[i + 1] * t->shape.dim[i + 1];
    for (size_t k = 0; k < n; k++) {
        int64_t from = LIST_SUM(int64_t, i, rank, index[i] * stride[position[i]]);
        memcpy(out + k * width, t->constant.data + (size_t)from * width, width);
        for (int i = rank; i-- > 0 && ++index[i] == t->shape.dim[position[i]];)
            index[i] = 0;
    }
    return (Bytes){out, t->constant.size};
}

const char *vendor_map_weights(VendorMap *m, uint32_t tensor, const char *axes, int left_out)
{
    const VendorTensor *t = &m->g->tensor[tensor];
    int position[VENDOR_MAX_RANK], axis = t->axis;
    int64_t dim[VENDOR_MAX_RANK];
    bool moved = false;
    if (!t->is_constant || !axis_positions(&t->shape, axes, position))
        return vendor_map_real(m, tensor);
    for (int i = 0; i < t->shape.rank; i++) {
        dim[i] = t->shape.dim[position[i]];
        moved |= position[i] != i;
        if (position[i] == t->axis)
            axis = i;
    }
    if (!moved && !left_out)
        return vendor_map_real(m, tensor);
    const char *stored =
        initializer(m, tensor, dim + left_out, t->shape.rank - left_out, permuted(m, t, position));
    return add_dequantize(m, tensor, stored, axis < left_out ? axis : axis - left_out);
}

/* ---- results */

static bool is_clipped(const VendorMap *m, VendorRange r)
{
    bool has = vendor_op_attributes(m->op->kind) & HAS_CLIPPING;
    return has && (isfinite(r.min) || isfinite(r.max));
}

/* Relu where it is one. */
static const char *add_clip(VendorMap *m, const char *from, const char *to, VendorRange r)
{
    if (r.min == 0 && isinf(r.max)) {
        vendor_map_node(m, (EmitNode){.op = "Relu", .in = {from}, .out = to});
        return to;
    }
    const char *min = isfinite(r.min) ? vendor_map_float(m, r.min) : "";
    const char *max = isfinite(r.max) ? vendor_map_float(m, r.max) : NULL;
    vendor_map_node(m, (EmitNode){.op = "Clip", .in = {from, min, max}, .out = to});
    return to;
}

/* What is not stored as it is: the real numbers before QuantizeLinear. */
static const char *unstored(VendorMap *m, uint32_t tensor)
{
    const VendorTensor *t = &m->g->tensor[tensor];
    return t->quantized ? vendor_map_name(m, tensor_name(m, tensor)) : stored_values(m, tensor);
}

const char *vendor_map_result(VendorMap *m, size_t i)
{
    uint32_t tensor = m->op->output.tensor[i];
    if (is_clipped(m, m->op->attribute.clipping))
        return vendor_map_name(m, arena_printf(m->arena, "%s/unclipped", tensor_name(m, tensor)));
    return unstored(m, tensor);
}

void vendor_map_end(VendorMap *m, size_t i, const char *result)
{
    uint32_t tensor = m->op->output.tensor[i];
    const VendorTensor *t = &m->g->tensor[tensor];
    if (is_clipped(m, m->op->attribute.clipping))
        result = add_clip(m, result, unstored(m, tensor), m->op->attribute.clipping);
    if (t->quantized)
        add_conversion(
            m, t,
            (EmitNode){.op = "QuantizeLinear", .in = {result}, .out = stored_values(m, tensor)},
            t->axis);
}

void vendor_map_dequantize(VendorMap *m)
{
    uint32_t from = m->op->input.tensor[0], to = m->op->output.tensor[0];
    const VendorTensor *t = &m->g->tensor[from];
    if (!t->quantized || m->g->tensor[to].quantized) {
        m->fact = "does not make real numbers of int8";
        return;
    }
    add_conversion(m, t,
                   (EmitNode){.op = "DequantizeLinear",
                              .in = {stored_values(m, from)},
                              .out = stored_values(m, to)},
                   t->axis);
}
