/* Reads a TensorProto, with raw_data and packed floats as views of the file. Typed fields are
 * converted. */
#include "graph/onnx/onnx_read.h"
#include "graph/base/messages.h"

#include "graph/model/dtype.h"

enum { SPARSE_DENSE_LIMIT_BYTES = 64 << 20 }; /* of all sparse tensors together */

static const uint8_t no_bytes[1] = {0}; /* what an empty constant points to: not missing */

typedef struct {
    int64_t dim[ONNX_MAX_RANK];
    int32_t rank;
    int32_t code; /* data_type */
    Bytes raw;
    bool has_raw, is_external;
} Header;

/* The typed field that holds values of a type, and how many bytes one entry of it stores.
 * 4-bit types store one byte, two elements, per entry (onnx.proto, int32_data). */
static uint32_t typed_field(DType t, size_t *ret_width)
{
    int bits = dtype_bits(t);
    *ret_width = bits < 8 ? 1 : (size_t)bits / 8;
    switch (t) {
    case DT_COMPLEX64:
        *ret_width = 4;
        return T_FLOAT;
    case DT_FLOAT32:
        return T_FLOAT;
    case DT_COMPLEX128:
        *ret_width = 8;
        return T_DOUBLE;
    case DT_FLOAT64:
        return T_DOUBLE;
    case DT_INT64:
        return T_INT64;
    case DT_UINT32:
    case DT_UINT64:
        return T_UINT64;
    default:
        return T_INT32;
    }
}

static Status add_dim(Loader *l, Header *h, int64_t dim, const char *name)
{
    if (h->rank == ONNX_MAX_RANK)
        return onnx_error(l, "tensor", name, "more than %d dimensions", ONNX_MAX_RANK);
    if (dim < 0)
        return onnx_error(l, "tensor", name, "dimension %d is negative", (int)h->rank);
    h->dim[h->rank++] = dim;
    return STATUS_OK;
}

static Status add_dims(Loader *l, Header *h, const WireField *f, const char *name)
{
    if (f->type == WIRE_VARINT)
        return add_dim(l, h, (int64_t)f->value, name);
    Bytes rest = f->bytes;
    uint64_t v;
    Status st = STATUS_OK;
    while (!st && onnx_wire_varint(&rest, &v))
        st = add_dim(l, h, (int64_t)v, name);
    return st;
}

static Status read_tensor_header(Loader *l, Bytes raw, const char *name, Header *h)
{
    WireField f;
    Status st = STATUS_OK;
    *h = (Header){0};
    while (!st && onnx_wire_next(&raw, &f) == WIRE_FIELD) {
        if (f.number == T_DIMS)
            st = add_dims(l, h, &f, name);
        else if (f.number == T_TYPE && f.type == WIRE_VARINT)
            h->code = (int32_t)f.value;
        else if (f.number == T_RAW && f.type == WIRE_BYTES) {
            h->raw = f.bytes;
            h->has_raw = true;
        } else if (f.number == T_LOCATION && f.type == WIRE_VARINT)
            h->is_external = f.value == 1;
    }
    return st;
}

static Shape header_shape(Loader *l, const Header *h)
{
    Dim *dim = h->rank ? ARENA_ARRAY(l->arena, Dim, (size_t)h->rank) : NULL;
    for (int32_t i = 0; i < h->rank; i++)
        dim[i].value = h->dim[i];
    return (Shape){h->rank, dim};
}

/* Elements and bytes of the constant; the limits keep every later product in 63 bits. */
static Status measure_constant(Loader *l, const Header *h, const char *name, Const *c)
{
    int64_t n = 1;
    for (int32_t i = 0; i < h->rank; i++)
        if (h->dim[i] && n > (INT64_MAX >> 8) / h->dim[i])
            return onnx_error(l, "tensor", name, "more elements than any machine can hold");
        else
            n *= h->dim[i];
    c->dtype = dtype_from_onnx(h->code);
    c->nelem = n;
    int64_t nbyte = dtype_bytes(c->dtype, n);
    c->nbyte = nbyte > 0 ? (size_t)nbyte : 0;
    return STATUS_OK;
}

static void store_le(uint8_t *out, size_t at, size_t width, uint64_t v)
{
    for (size_t i = 0; i < width; i++)
        out[at * width + i] = (uint8_t)(v >> (8 * i));
}

/* Entries of a packed chunk of `number`, stored in `out` when it is not NULL; `room` bounds. */
static size_t unpack_chunk(Bytes chunk, uint32_t number, uint8_t *out, size_t width, size_t room)
{
    size_t n = 0;
    uint64_t v;
    size_t fixed = number == T_FLOAT ? 4 : number == T_DOUBLE ? 8 : 0;
    if (fixed) {
        n = chunk.size / fixed;
        if (out)
            memcpy(out, chunk.data, (n < room ? n : room) * fixed);
        return n;
    }
    for (; onnx_wire_varint(&chunk, &v); n++)
        if (out && n < room)
            store_le(out, n, width, v);
    return n;
}

/* Entries of the typed field, stored in `out` when it is not NULL. */
static size_t unpack_typed(Bytes raw, uint32_t number, uint8_t *out, size_t width, size_t room)
{
    size_t n = 0;
    WireField f;
    while (onnx_wire_next(&raw, &f) == WIRE_FIELD) {
        if (f.number != number)
            continue;
        uint8_t *at = out && n < room ? out + n * width : NULL;
        if (f.type == WIRE_BYTES)
            n += unpack_chunk(f.bytes, number, at, width, room - (n < room ? n : room));
        else {
            if (at)
                store_le(at, 0, width, f.value);
            n++;
        }
    }
    return n;
}

static Status size_error(Loader *l, const char *name, const Const *c, size_t found)
{
    return onnx_error(l, "tensor", name, "has %zu bytes of data, its type and shape need %zu",
                      found, c->nbyte);
}

/* One packed chunk of floats or doubles is laid out as the constant is: a view will do. */
static bool view_of_chunk(Bytes raw, uint32_t number, const Const *c, const uint8_t **ret)
{
    WireField f;
    if ((number != T_FLOAT && number != T_DOUBLE) || onnx_wire_count(raw, number) != 1 ||
        !onnx_wire_find(raw, number, WIRE_BYTES, &f) || f.bytes.size != c->nbyte)
        return false;
    *ret = f.bytes.data;
    return true;
}

static Status read_typed(Loader *l, Bytes raw, const char *name, Const *c)
{
    size_t width;
    uint32_t number = typed_field(c->dtype, &width);
    if (c->nbyte && view_of_chunk(raw, number, c, &c->data))
        return STATUS_OK;
    size_t n = unpack_typed(raw, number, NULL, width, 0);
    if (n * width != c->nbyte && n)
        return size_error(l, name, c, n * width);
    if (!n) {
        onnx_note_missing(l, c->nbyte, name, &message_WITHOUT_DATA);
        return STATUS_OK;
    }
    uint8_t *out = arena_alloc(l->arena, c->nbyte);
    unpack_typed(raw, number, out, width, n);
    c->data = out;
    return STATUS_OK;
}

static Status read_data(Loader *l, Bytes raw, const Header *h, const char *name, Const *c)
{
    if (c->dtype == DT_STRING) /* sizes only: nothing computes with strings */
        return STATUS_OK;
    if (c->dtype == DT_UNKNOWN) {
        notes_add(l->notes, "unknown-data-type", MESSAGE_ID(DATA_TYPE_UNKNOWN), arg_text(name),
                  arg_count((int)h->code));
        c->nbyte = h->raw.size;
        c->data = h->has_raw && h->raw.size ? h->raw.data : no_bytes;
        return STATUS_OK;
    }
    if (c->nbyte == 0) {
        c->data = no_bytes;
        return STATUS_OK;
    }
    if (h->is_external)
        return onnx_read_external(l, raw, name, c->nbyte, &c->data);
    if (!h->has_raw || (h->raw.size == 0 && onnx_wire_count(raw, T_RAW) == 1))
        return read_typed(l, raw, name, c);
    if (h->raw.size != c->nbyte)
        return size_error(l, name, c, h->raw.size);
    c->data = h->raw.data;
    return STATUS_OK;
}

Status onnx_read_tensor(Loader *l, Bytes raw, TensorRead *ret)
{
    Header h;
    TensorRead t = {.name = onnx_string(l->arena, raw, T_NAME)};
    Status st = read_tensor_header(l, raw, t.name, &h);
    st = st ? st : measure_constant(l, &h, t.name, &t.value);
    st = st ? st : read_data(l, raw, &h, t.name, &t.value);
    if (st)
        return st;
    t.shape = header_shape(l, &h);
    *ret = t;
    return STATUS_OK;
}

/* Linear position of entry i of the indices, which are [n] or [n, rank]; -1 when out of range. */
static int64_t sparse_position(const TensorRead *indices, const Shape *s, int64_t i)
{
    int64_t at = 0, k;
    if (indices->shape.rank == 1)
        return const_int(&indices->value, i, &at) ? at : -1;
    for (int32_t d = 0; d < s->rank; d++) {
        if (!const_int(&indices->value, i * s->rank + d, &k) || k < 0 || k >= s->dim[d].value)
            return -1;
        at = at * s->dim[d].value + k;
    }
    return at;
}

static Status scatter_sparse(Loader *l, const TensorRead *values, const TensorRead *indices,
                             TensorRead *t)
{
    size_t width = (size_t)dtype_bits(t->value.dtype) / 8;
    uint8_t *out = arena_alloc(l->arena, t->value.nbyte);
    l->dense_bytes += t->value.nbyte;
    for (int64_t i = 0; i < values->value.nelem; i++) {
        int64_t at = sparse_position(indices, &t->shape, i);
        if (at < 0 || at >= t->value.nelem)
            return onnx_error(l, "sparse tensor", t->name, "index %lld is out of its shape",
                              (long long)i);
        memcpy(out + (size_t)at * width, values->value.data + (size_t)i * width, width);
    }
    t->value.data = out;
    return STATUS_OK;
}

/* Dense bytes where they are small and their element size is a whole number of bytes. */
static Status make_dense(Loader *l, const TensorRead *value, const TensorRead *index, TensorRead *t)
{
    if (t->value.nbyte == 0) {
        t->value.data = no_bytes;
        return STATUS_OK;
    }
    if (!value->value.data || !index->value.data)
        return STATUS_OK; /* counted where the bytes were missed */
    if (t->value.nbyte > SPARSE_DENSE_LIMIT_BYTES - l->dense_bytes ||
        dtype_bits(t->value.dtype) < 8) {
        notes_add(l->notes, "sparse-tensor-large", MESSAGE_ID(SPARSE_LARGE), arg_text(t->name));
        return STATUS_OK;
    }
    return scatter_sparse(l, value, index, t);
}

Status onnx_read_sparse(Loader *l, Bytes raw, TensorRead *ret)
{
    WireField values_field = {0}, indices_field = {0};
    TensorRead values, indices, t = {0};
    onnx_wire_find(raw, 1, WIRE_BYTES, &values_field);
    onnx_wire_find(raw, 2, WIRE_BYTES, &indices_field);
    Status st = onnx_read_tensor(l, values_field.bytes, &values);
    st = st ? st : onnx_read_tensor(l, indices_field.bytes, &indices);
    Header h = {.code = dtype_to_onnx(st ? DT_UNKNOWN : values.value.dtype)};
    WireField f;
    while (!st && onnx_wire_next(&raw, &f) == WIRE_FIELD)
        if (f.number == 3)
            st = add_dims(l, &h, &f, values.name);
    st = st ? st : measure_constant(l, &h, values.name, &t.value);
    if (st)
        return st;
    t.name = values.name;
    t.shape = header_shape(l, &h);
    st = make_dense(l, &values, &indices, &t);
    if (!st)
        *ret = t;
    return st;
}
