/* Parses the headers of both formats and passes the elements on. */
#include "graph/onnx/value_file.h"

#include "graph/model/dtype.h"
#include "graph/onnx/onnx_read.h"

enum { FILE_LIMIT_MIB = 4096, NPY_MAX_HEADER = 1 << 16 };

/* ---- NumPy ---- */

void value_file_begin_npy(FILE *out, DType t, size_t stack, int32_t rank, const int64_t *dim)
{
    enum { HEADER_ALIGN = 64, PREFIX = 10, TEXT = 512 };
    char text[TEXT + HEADER_ALIGN];
    int n = snprintf(text, TEXT, "{'descr': '%c%s', 'fortran_order': False, 'shape': (",
                     dtype_bits(t) == 8 ? '|' : '<', dtype_to_npy(t));
    if (stack)
        n += snprintf(text + n, (size_t)(TEXT - n), "%zu,%s", stack, rank ? " " : "");
    for (int32_t i = 0; i < rank; i++)
        n += snprintf(text + n, (size_t)(TEXT - n), "%lld,%s", (long long)dim[i],
                      i + 1 < rank ? " " : "");
    n += snprintf(text + n, (size_t)(TEXT - n), "), }");
    while ((n + 1 + PREFIX) % HEADER_ALIGN)
        text[n++] = ' ';
    text[n++] = '\n';
    const unsigned char prefix[PREFIX] = {
        0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (unsigned char)(n & 255), (unsigned char)(n >> 8)};
    fwrite(prefix, 1, PREFIX, out);
    fwrite(text, 1, (size_t)n, out);
}

/* What follows `'key':` in the header, a Python dictionary of numpy; "" if it is not there. */
static const char *npy_entry(Arena *a, const char *header, const char *key)
{
    const char *at = strstr(header, arena_printf(a, "'%s':", key));
    if (!at)
        return "";
    at += strlen(key) + 3;
    return at + strspn(at, " '(");
}

/* "1, 3, 224, 224)" or ")"; false when it is no such list, or beyond the limits. */
static bool npy_shape(Arena *a, const char *text, Shape *ret)
{
    Dim *dim = ARENA_ARRAY(a, Dim, ONNX_MAX_RANK);
    int32_t rank = 0;
    while (*text && *text != ')') {
        size_t digits = strspn(text, "0123456789");
        if (digits == 0 || digits > 15 || rank == ONNX_MAX_RANK)
            return false;
        int64_t v = 0;
        for (size_t i = 0; i < digits; i++)
            v = v * 10 + (text[i] - '0');
        dim[rank++].value = v;
        text += digits;
        text += strspn(text, ", ");
    }
    *ret = (Shape){rank, dim};
    return *text == ')';
}

static Status npy_read(Arena *a, const InFile *f, ValueFile *ret, Diag *diag)
{
    bool wide = f->size > 10 && f->data[6] >= 2; /* version 2 has a length of four bytes */
    size_t start = wide ? 12 : 10, length = 0;
    if (f->size < start)
        return diag_set(diag, STATUS_INPUT, f->path, NULL, "is cut off in its header");
    for (size_t i = 0; i < start - 8; i++)
        length |= (size_t)f->data[8 + i] << (8 * i);
    if (length > NPY_MAX_HEADER || length > f->size - start)
        return diag_set(diag, STATUS_INPUT, f->path, NULL, "is cut off in its header");
    const char *header = arena_strndup(a, (const char *)f->data + start, length);
    const char *descr = npy_entry(a, header, "descr");
    ret->value.dtype = *descr == '<' || *descr == '|' ? dtype_from_npy(descr + 1) : DT_UNKNOWN;
    if (ret->value.dtype == DT_UNKNOWN)
        return diag_set(diag, STATUS_INPUT, f->path, "descr", "is not a little-endian number type");
    if (strncmp(npy_entry(a, header, "fortran_order"), "False", 5) != 0)
        return diag_set(diag, STATUS_INPUT, f->path, "fortran_order",
                        "is not False; save it with numpy.ascontiguousarray");
    if (!npy_shape(a, npy_entry(a, header, "shape"), &ret->shape))
        return diag_set(diag, STATUS_INPUT, f->path, "shape", "cannot be read");
    ret->value.nelem = shape_elements(&ret->shape);
    int64_t nbyte = dtype_bytes(ret->value.dtype, ret->value.nelem);
    if (nbyte < 0 || (uint64_t)nbyte != f->size - start - length)
        return diag_set(diag, STATUS_INPUT, f->path, NULL,
                        "has %zu bytes of data, its type and shape need %lld",
                        f->size - start - length, (long long)nbyte);
    ret->value.nbyte = (size_t)nbyte;
    ret->value.data = f->data + start + length;
    return STATUS_OK;
}

/* ---- TensorProto ---- */

static bool wire_is_sound(Bytes message)
{
    WireField f;
    WireResult r;
    do
        r = onnx_wire_next(&message, &f);
    while (r == WIRE_FIELD);
    return r == WIRE_END;
}

static Status pb_read(Arena *a, const InFile *f, ValueFile *ret, Diag *diag)
{
    Bytes raw = {f->data, f->size};
    Notes notes;
    TensorRead t;
    if (!wire_is_sound(raw))
        return diag_set(diag, STATUS_INPUT, f->path, NULL,
                        "is damaged, or neither a TensorProto nor a NumPy array");
    notes_init(&notes, a);
    Loader l = {.arena = a,
                .notes = &notes,
                .diag = diag,
                .path = f->path,
                .file = raw,
                .model = ARENA_NEW(a, Model)};
    Status st = onnx_read_tensor(&l, raw, &t);
    if (st)
        return st;
    ret->value = t.value;
    ret->shape = t.shape;
    return STATUS_OK;
}

/* ---- either ---- */

static Status read_either(Arena *a, ValueFile *v, Diag *diag)
{
    static const char magic[] = "\x93NUMPY";
    bool npy = v->file.size >= 6 && memcmp(v->file.data, magic, 6) == 0;
    return npy ? npy_read(a, &v->file, v, diag) : pb_read(a, &v->file, v, diag);
}

Status value_file_read(Arena *a, const char *path, const uint8_t *bytes, size_t size,
                       ValueFile *ret, Diag *diag)
{
    ValueFile v = {.file = {.path = path, .data = bytes, .size = size}};
    Status st = read_either(a, &v, diag);
    v.file = (InFile){0};
    if (!st)
        *ret = v;
    return st;
}

Status value_file_open(Arena *a, const char *path, ValueFile *ret, Diag *diag)
{
    ValueFile v = {.file.path = path};
    Status st = file_in_open(&v.file, path, (size_t)FILE_LIMIT_MIB << 20, diag);
    if (st)
        return st;
    st = read_either(a, &v, diag);
    if (st)
        file_in_close(&v.file);
    else
        *ret = v;
    return st;
}

void value_file_close(ValueFile *v)
{
    file_in_close(&v->file);
}
