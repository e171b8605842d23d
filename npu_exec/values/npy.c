/* The format of numpy.lib.format. */
#include "npu_exec/values/npy.h"

#include "graph/base/file.h"
#include "graph/model/dtype.h"

#include <errno.h>
#include <string.h>
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

/* The dictionary, filled up with blanks so that the data begin at a multiple of 64 bytes. */
static size_t header(const Value *v, const char *descr, char *text)
{
    int n = snprintf(text, TEXT, "{'descr': '%s', 'fortran_order': False, 'shape': (", descr);
    for (int32_t i = 0; i < v->rank; i++)
        n += snprintf(text + n, (size_t)(TEXT - n), "%lld,%s", (long long)v->dim[i],
                      i + 1 < v->rank ? " " : "");
    n += snprintf(text + n, (size_t)(TEXT - n), "), }");
    while ((n + 1 + PREFIX) % HEADER_ALIGN)
        text[n++] = ' ';
    text[n++] = '\n';
    return (size_t)n;
}

Status npy_write(Value *v, const char *path, Diag *diag)
{
    size_t k = 0;
    while (k < sizeof type / sizeof type[0] && type[k].dtype != v->dtype)
        k++;
    const float *floats = v->dtype == DT_BFLOAT16 || !v->data ? value_floats(v) : NULL;
    const void *data = floats ? (const void *)floats : v->data;
    if (k == sizeof type / sizeof type[0] || !data)
        return diag_set(diag, STATUS_UNDECIDED, path, NULL, "%s cannot be written",
                        dtype_name(v->dtype));
    OutFile f;
    Status st = outfile_open(&f, path, diag);
    if (st)
        return st;
    char text[TEXT + HEADER_ALIGN];
    size_t n = header(v, type[k].descr, text);
    const unsigned char prefix[PREFIX] = {
        0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (unsigned char)(n & 255), (unsigned char)(n >> 8)};
    fwrite(prefix, 1, PREFIX, f.stream);
    fwrite(text, 1, n, f.stream);
    fwrite(data, floats ? sizeof *floats : (size_t)dtype_bits(v->dtype) / 8, (size_t)v->count,
           f.stream);
    return outfile_commit(&f, diag);
}
