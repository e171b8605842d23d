/* Writes the format of numpy.lib.format. */
#include "npu_exec/values/npy.h"
#include "graph/onnx/value_file.h"

#include <sys/stat.h>

Status npy_folder(const char *path, Diag *diag)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return STATUS_OK;
    return diag_set(diag, STATUS_INPUT, path, NULL, "cannot be made: %s", strerror(errno));
}

static Status begin_file(OutFile *f, Value *v, size_t stack, const char *path, Diag *diag)
{
    DType written = v->dtype == DT_BFLOAT16 ? DT_FLOAT32 : v->dtype;
    if (!*dtype_to_npy(written))
        return diag_set(diag, STATUS_UNDECIDED, path, NULL, "%s cannot be written",
                        dtype_name(v->dtype));
    Status st = file_out_open(f, path, diag);
    if (!st)
        value_file_begin_npy(f->stream, written, stack, v->rank, v->dim);
    return st;
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
