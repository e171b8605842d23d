/* Writes the format of numpy.lib.format. */
#include "npu_exec/values/npy.h"

#include <sys/stat.h>

enum { HEADER_ALIGN = 64, PREFIX = 10, TEXT = 512 };

static const struct {
    DType dtype;
    const char *descr;
} type[] = {
    {DT_FLOAT32, "<f4"},  {DT_FLOAT64, "<f8"}, {DT_FLOAT16, "<f2"}, {DT_UINT8, "|u1"},
    {DT_INT8, "|i1"},     {DT_UINT16, "<u2"},  {DT_INT16, "<i2"},   {DT_UINT32, "<u4"},
    {DT_INT32, "<i4"},    {DT_UINT64, "<u8"},  {DT_INT64, "<i8"},   {DT_BOOL, "|b1"},
    {DT_BFLOAT16, "<f4"},
};

Status npy_folder(const char *path, Diag *diag)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return STATUS_OK;
    return diag_set(diag, STATUS_INPUT, path, NULL, "cannot be made: %s", strerror(errno));
}

/* The dictionary, filled up with blanks so that the data begin at a multiple of 64 bytes.  `stack`:
 * number of values, 0 for one without a stack axis. */
static size_t npy_header(const Value *v, size_t stack, const char *descr, char *text)
{
    int n = snprintf(text, TEXT, "{'descr': '%s', 'fortran_order': False, 'shape': (", descr);
    if (stack)
        n += snprintf(text + n, (size_t)(TEXT - n), "%zu,%s", stack, v->rank ? " " : "");
    for (int32_t i = 0; i < v->rank; i++)
        n += snprintf(text + n, (size_t)(TEXT - n), "%lld,%s", (long long)v->dim[i],
                      i + 1 < v->rank ? " " : "");
    n += snprintf(text + n, (size_t)(TEXT - n), "), }");
    while ((n + 1 + PREFIX) % HEADER_ALIGN)
        text[n++] = ' ';
    text[n++] = '\n';
    return (size_t)n;
}

static const char *descr_of(DType t)
{
    return LIST_VALUE(k, sizeof type / sizeof type[0], type[k].dtype == t, type[k].descr, NULL);
}

static Status begin_file(OutFile *f, Value *v, size_t stack, const char *path, Diag *diag)
{
    const char *descr = descr_of(v->dtype);
    if (!descr)
        return diag_set(diag, STATUS_UNDECIDED, path, NULL, "%s cannot be written",
                        dtype_name(v->dtype));
    Status st = file_out_open(f, path, diag);
    if (st)
        return st;
    char text[TEXT + HEADER_ALIGN];
    size_t n = npy_header(v, stack, descr, text);
    const unsigned char prefix[PREFIX] = {
        0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (unsigned char)(n & 255), (unsigned char)(n >> 8)};
    fwrite(prefix, 1, PREFIX, f->stream);
    fwrite(text, 1, n, f->stream);
    return STATUS_OK;
}

static bool put_elements(OutFile *f, const void *data, size_t size, int64_t count)
{
    return fwrite(data, size, (size_t)count, f->stream) == (size_t)count;
}

/* Writes dequantized values in parts: the whole takes four times as much memory as the integers. */
static bool put_dequantized(OutFile *f, Value *v)
{
    enum { SOME = 1024 };
    float some[SOME];
    for (int64_t from = 0, n; from < v->count; from += n) {
        n = v->count - from < SOME ? v->count - from : SOME;
        if (!value_float_range(v, from, n, some) || !put_elements(f, some, sizeof *some, n))
            return false;
    }
    return true;
}

static Status put_value(OutFile *f, Value *v, Diag *diag)
{
    float first;
    bool coded = v->count && value_float_range(v, 0, 1, &first);
    const float *floats = !coded && (v->dtype == DT_BFLOAT16 || !v->data) ? value_floats(v) : NULL;
    const void *data = floats ? (const void *)floats : v->data;
    size_t size = floats ? sizeof *floats : (size_t)dtype_bits(v->dtype) / 8;
    if (!coded && !data)
        return diag_set(diag, STATUS_UNDECIDED, f->path, NULL, "no memory for an output");
    if (!(coded ? put_dequantized(f, v) : put_elements(f, data, size, v->count)))
        return diag_set(diag, STATUS_INPUT, f->path, NULL, "cannot be written: %s",
                        strerror(errno));
    return STATUS_OK;
}

Status npy_write(Value *v, const char *path, Diag *diag)
{
    OutFile f;
    Status st = begin_file(&f, v, 0, path, diag);
    if (st)
        return st;
    st = put_value(&f, v, diag);
    if (st)
        file_out_abort(&f);
    return st ? st : file_out_commit(&f, diag);
}

Status npy_begin(NpyStack *s, Value *like, size_t n, const char *path, Diag *diag)
{
    Status st = begin_file(&s->file, like, n, path, diag);
    s->begun = !st;
    return st;
}

Status npy_add(NpyStack *s, Value *v, Diag *diag)
{
    return put_value(&s->file, v, diag);
}

Status npy_end(NpyStack *s, Diag *diag)
{
    s->begun = false;
    return file_out_commit(&s->file, diag);
}

void npy_abort(NpyStack *s)
{
    if (s->begun)
        file_out_abort(&s->file);
    s->begun = false;
}
