/* Converts values between their layouts, and between stored and real numbers. */
#include "graph/tflite/map.h"
#include "graph/model/model.h"

enum { LARGE_BYTES = 1024 }; /* of constants that stay in the file */
/* No shape has more: sums of such numbers are still numbers. */
#define FARTHEST ((int64_t)1 << 40)

static TfliteValue *value_at(Mapper *m, const int32_t *list, uint32_t n, uint32_t i)
{
    return i >= n || list[i] < 0 ? NULL : &m->scope->value[list[i]];
}

TfliteValue *map_in(Mapper *m, uint32_t i)
{
    return value_at(m, m->op->input, m->op->ninput, i);
}

TfliteValue *map_out(Mapper *m, uint32_t i)
{
    return value_at(m, m->op->output, m->op->noutput, i);
}

bool map_value_is_constant(const TfliteValue *v)
{
    return v->tensor->has_buffer;
}

bool map_value_is_quantized(const TfliteValue *v)
{
    DType t = v->tensor->dtype;
    bool plain = v->tensor->quant.count == 1 || map_value_is_constant(v);
    return v->tensor->quant.scale && plain && (t == DT_INT8 || t == DT_UINT8 || t == DT_INT32);
}

bool map_value_layouts_agree(const TfliteValue *v)
{
    return v->rank == 4 && (v->shape[3] == 1 || (v->shape[1] == 1 && v->shape[2] == 1));
}

int map_value_integers(const TfliteValue *v, int64_t ret[TFLITE_MAX_RANK])
{
    int64_t n = v && map_value_is_constant(v) ? tflite_elements(v->tensor) : -1;
    if (n < 0 || n > TFLITE_MAX_RANK)
        return -1;
    for (int64_t i = 0; i < n; i++) {
        if (!tflite_integer(v->tensor, i, &ret[i]))
            return -1;
        ret[i] = ret[i] > FARTHEST ? FARTHEST : ret[i] < -FARTHEST ? -FARTHEST : ret[i];
    }
    return (int)n;
}

/* ---- constants */

static void emit_bytes(Mapper *m, const TfliteValue *v, const char *name, DType t,
                       const int64_t *dim, int rank, Bytes bytes)
{
    const TfliteTensor *from = v->tensor;
    if (!bytes.data)
        onnx_emit_missing(&m->emit, name, t, dim, (size_t)rank);
    else if (bytes.data == from->bytes.data && bytes.size > LARGE_BYTES && !from->is_sparse)
        onnx_emit_weights(&m->emit, name, t, dim, (size_t)rank, from->bytes_at);
    else
        onnx_emit_constant(&m->emit, name, t, dim, (size_t)rank, bytes);
}

/* Half precision, which is how weights are stored, is computed in single. */
static Bytes widen_half(Mapper *m, const TfliteValue *v, DType *ret_type)
{
    Bytes b = v->tensor->bytes;
    *ret_type = v->tensor->dtype;
    if (*ret_type != DT_FLOAT16 || !b.data)
        return b;
    const Const half = {DT_FLOAT16, (int64_t)(b.size / 2), b.size, b.data};
    const Const *wide = const_widened(m->arena, &half);
    *ret_type = wide->dtype;
    return (Bytes){wide->data, wide->nbyte};
}

/* The dimensions of a constant; one of fewer than four that must have four begins with ones. */
static int const_dims(const TfliteValue *v, bool four, size_t nelem, int64_t ret[TFLITE_MAX_RANK])
{
    int rank = v->rank < 0 ? nelem != 1 : v->rank; /* a list may be without a shape */
    int more = four && rank < 4 ? 4 - rank : 0;
    for (int i = 0; i < rank + more; i++)
        ret[i] = i < more ? 1 : v->rank < 0 ? (int64_t)nelem : v->shape[i - more];
    return rank + more;
}

/* Elements of four dimensions in the order of `perm`: result axis i is axis perm[i]. */
static Bytes permute_4d(Mapper *m, Bytes b, const int64_t s[4], const int perm[4], size_t width)
{
    uint8_t *out = arena_alloc(m->arena, b.size + 1);
    const int64_t stride[4] = {s[1] * s[2] * s[3], s[2] * s[3], s[3], 1};
    size_t at = 0;
    for (int64_t i = 0; i < s[perm[0]]; i++)
        for (int64_t j = 0; j < s[perm[1]]; j++)
            for (int64_t k = 0; k < s[perm[2]]; k++)
                for (int64_t l = 0; l < s[perm[3]]; l++, at += width) {
                    int64_t from = i * stride[perm[0]] + j * stride[perm[1]] + k * stride[perm[2]] +
                                   l * stride[perm[3]];
                    memcpy(out + at, b.data + (size_t)from * width, width);
                }
    return (Bytes){out, b.size};
}

/* Whether the order of bytes stays: axes that are longer than 1 keep their order. */
static bool keeps_order(const int64_t s[4], const int perm[4])
{
    int last = -1;
    for (int i = 0; i < 4; i++) {
        if (s[perm[i]] == 1)
            continue;
        if (perm[i] < last)
            return false;
        last = perm[i];
    }
    return true;
}

/* The initializer, its axes in the order of `perm` (NULL: as they are). */
static const char *emit_initializer(Mapper *m, const TfliteValue *v, const int *perm)
{
    DType t;
    Bytes b = widen_half(m, v, &t);
    t = t == DT_FLOAT16 ? DT_FLOAT32 : t;
    size_t width = (size_t)dtype_bits(t) / 8;
    int64_t dim[TFLITE_MAX_RANK], moved[4];
    int rank = const_dims(v, perm != NULL, width ? b.size / width : 0, dim);
    const char *name = map_name(m, v->name);
    if (!perm || rank != 4) {
        emit_bytes(m, v, name, t, dim, rank, b);
        return name;
    }
    for (int i = 0; i < 4; i++)
        moved[i] = dim[perm[i]];
    bool fits = width && tflite_elements(v->tensor) == (int64_t)(b.size / width);
    if (b.size && !keeps_order(dim, perm)) /* nothing has no order, whatever its dimensions */
        b = fits ? permute_4d(m, b, dim, perm, width) : (Bytes){0};
    emit_bytes(m, v, name, t, moved, 4, b);
    return name;
}

static const int to_first[] = {0, 3, 1, 2};

/* ---- activations */

static const char *view_of(Mapper *m, const TfliteValue *v, const char *from, TfliteLayout to,
                           const char *name)
{
    const int64_t *s = v->shape;
    int64_t first[4] = {s[0], s[3], s[1], s[2]};
    map_node(m, (EmitNode){.name = "layout",
                           .op = "Reshape",
                           .in = {from, map_integers(m, to == FIRST ? first : s, 4)},
                           .out = name});
    return name;
}

static const char *in_layout(Mapper *m, const TfliteValue *v, const char *from, TfliteLayout to)
{
    static const int64_t first[] = {0, 3, 1, 2}, plain[] = {0, 2, 3, 1};
    bool own = to == PLAIN && v->is_output;
    const char *name =
        own ? v->name
            : map_name(m, arena_printf(m->arena, "%s/%s", v->name, to == FIRST ? "nchw" : "nhwc"));
    bool known = v->shape[0] >= 0 && v->shape[1] >= 0 && v->shape[2] >= 0 && v->shape[3] >= 0;
    if (known && map_value_layouts_agree(v))
        return view_of(m, v, from, to, name);
    map_node(m, (EmitNode){.name = "layout",
                           .op = "Transpose",
                           .in = {from},
                           .out = name,
                           .attribute = {emit_ints("perm", to == FIRST ? first : plain, 4)}});
    return name;
}

const char *map_value_stored(Mapper *m, TfliteValue *v, TfliteLayout layout)
{
    if (!v->stored[layout] && map_value_is_constant(v))
        v->stored[layout] = emit_initializer(m, v, layout == FIRST ? to_first : NULL);
    if (!v->stored[layout] && v->stored[!layout] && v->rank == 4)
        v->stored[layout] = in_layout(m, v, v->stored[!layout], layout);
    if (!v->stored[layout]) /* a variable, or what an opaque operator made: as it is */
        v->stored[layout] = v->stored[!layout] ? v->stored[!layout] : v->name;
    return v->stored[layout];
}

static const char *zero_points(Mapper *m, const TfliteValue *v)
{
    const TfliteQuant *q = &v->tensor->quant;
    const char *name = map_name(m, arena_printf(m->arena, "%s/zero_point", v->name));
    size_t width = v->tensor->dtype == DT_INT32 ? 4 : 1;
    uint8_t *bytes = arena_alloc(m->arena, q->count * width);
    for (uint32_t i = 0; i < q->count; i++)
        for (size_t k = 0; k < width; k++)
            bytes[i * width + k] = (uint8_t)((uint64_t)q->zero_point[i] >> 8 * k);
    onnx_emit_constant(&m->emit, name, v->tensor->dtype, (int64_t[]){q->count}, q->count > 1,
                       (Bytes){bytes, q->count * width});
    return name;
}

static const char *emit_scales(Mapper *m, const TfliteValue *v)
{
    const TfliteQuant *q = &v->tensor->quant;
    const char *name = map_name(m, arena_printf(m->arena, "%s/scale", v->name));
    onnx_emit_constant(&m->emit, name, DT_FLOAT32, (int64_t[]){q->count}, q->count > 1,
                       (Bytes){(const uint8_t *)q->scale, q->count * sizeof *q->scale});
    return name;
}

/* The axis of the scales, where the tensor's axes are in the order of `perm`. */
static int64_t quant_axis(const TfliteValue *v, const int *perm)
{
    int64_t axis = v->tensor->quant.axis + (perm ? 4 - v->rank : 0);
    return perm ? LIST_VALUE(i, 4, perm[i] == axis, i, axis) : axis;
}

static void emit_qdq_node(Mapper *m, TfliteValue *v, const int *perm, const char *op,
                          const char *in, const char *out)
{
    bool per_axis = v->tensor->quant.count > 1;
    /* The zero point of 32-bit integers is 0, and older readers do not take one. */
    const char *zero = v->tensor->dtype == DT_INT32 ? NULL : zero_points(m, v);
    map_node(m, (EmitNode){.name = op[0] == 'Q' ? "quantize" : "dequantize",
                           .op = op,
                           .in = {in, emit_scales(m, v), zero},
                           .out = out,
                           .attribute = {emit_int(per_axis ? "axis" : NULL, quant_axis(v, perm))}});
}

void map_convert(Mapper *m, TfliteValue *v, TfliteLayout layout, const char *op, const char *in,
                 const char *out)
{
    emit_qdq_node(m, v, layout == FIRST ? to_first : NULL, op, in, out);
}

const char *map_value_weights(Mapper *m, TfliteValue *v, const int perm[4])
{
    if (m->status)
        return "";
    const char *stored = emit_initializer(m, v, perm);
    if (!map_value_is_quantized(v))
        return stored;
    const char *real = map_name(m, arena_printf(m->arena, "%s/real", stored));
    emit_qdq_node(m, v, perm, "DequantizeLinear", stored, real);
    return real;
}

const char *map_value_real(Mapper *m, TfliteValue *v, TfliteLayout layout)
{
    if (v->real[layout] || m->status)
        return v->real[layout] ? v->real[layout] : "";
    const char *stored = map_value_stored(m, v, layout);
    v->real[layout] = stored;
    if (map_value_is_quantized(v)) {
        v->real[layout] = map_name(m, arena_printf(m->arena, "%s/real", v->name));
        map_convert(m, v, layout, "DequantizeLinear", stored, v->real[layout]);
    }
    return v->real[layout];
}
