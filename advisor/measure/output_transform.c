/* Reads output_N.npy through strides, scales and zero points. */
#include "advisor/measure/output_transform.h"

#include "graph/edit/edit.h"
#include "graph/model/dtype.h"
#include "graph/model/model.h"

size_t output_transform_index(const Graph *g, const char *name)
{
    return LIST_VALUE(i, g->noutput, !strcmp(g->tensor[g->output[i]].name, name), i, OUTPUT_NONE);
}

/* ---- int8 values ---- */

static const IoType *wanted_type(const CompileOptions *o, const char *name)
{
    const IoType *found = NULL;
    for (size_t i = 0; i < o->noutput_dtype; i++)
        if (!strcmp(o->output_dtype[i].name, name))
            found = &o->output_dtype[i];
    return found;
}

/* Reads a scale and a zero point for each index along an axis. */
static bool read_channels(Arena *a, const Node *n, const Const *scale, const Const *zero,
                          DType want, OutputTransform *x)
{
    const Shape *file = &x->file.shape; /* the first axis counts the runs */
    int64_t axis = node_attr_int(n, "axis", 1), k = 0;
    bool ok = zero && zero->nelem == scale->nelem && zero->dtype == want;
    axis += axis < 0 ? x->rank : 0;
    ok = ok && axis >= 0 && axis < x->rank && file->dim[axis + 1].value == (int64_t)scale->nelem;
    x->scales = ARENA_ARRAY(a, double, 2 * (size_t)scale->nelem + 1);
    x->nscale = (int64_t)scale->nelem;
    x->apart = 1;
    for (int32_t i = (int32_t)axis + 2; ok && i < file->rank; i++)
        x->apart *= file->dim[i].value;
    for (int64_t i = 0; ok && i < x->nscale; i++) {
        ok = const_float(scale, i, &x->scales[2 * i]) && const_int(zero, i, &k);
        x->scales[2 * i + 1] = (double)k;
    }
    return ok;
}

/* Scale and zero point of an 8-bit output that the compiler derives from a float one: those of its
 * Dequantize; 0 to 1 where there is none, and for SDK 0.9, whose integer outputs are pixels. */
static bool read_coding(Arena *a, const Graph *g, TensorId id, const CompileOptions *o, DType want,
                        OutputTransform *x)
{
    const Node *n = edit_dequantize_of(g, id);
    bool direct = n && n == &g->node[g->tensor[id].producer];
    const Tensor *scale = n ? node_input(g, n, 1) : NULL, *zero = n ? node_input(g, n, 2) : NULL;
    int64_t shift = 0;
    x->coded = true;
    x->scale = 1.0 / 255;
    x->zero = want == DT_UINT8 ? 0 : -128;
    if (!n || compile_outputs_are_pixels(o))
        return true;
    if (scale && scale->value && scale->value->nelem > 1)
        return direct && read_channels(a, n, scale->value, zero ? zero->value : NULL, want, x);
    if (!scale || !scale->value || !const_float(scale->value, 0, &x->scale))
        return false;
    DType from = zero && zero->value ? zero->value->dtype : DT_UINT8;
    if (zero && !(zero->value && zero->value->nelem == 1 && const_int(zero->value, 0, &shift)))
        return false;
    x->zero = (double)(shift + (from == want ? 0 : want == DT_INT8 ? -128 : 128));
    return true;
}

/* True for an integer output of the model. */
static bool is_whole(const Tensor *t)
{
    DType d = t->dtype != DT_UNKNOWN ? t->dtype : t->declared_dtype;
    return dtype_is_integer(d);
}

/* ---- shape ---- */

/* Axis k of the file is axis axis[k] of the result. */
static bool put_axes_back(OutputTransform *x, const char *text)
{
    int64_t dim[OUTPUT_TRANSFORM_MAX_RANK], step[OUTPUT_TRANSFORM_MAX_RANK];
    int32_t k = 0;
    for (const char *s = text; *s && k < x->rank; s += *s != '\0', k++) {
        long axis = strtol(s, (char **)&s, 10);
        if (axis < 0 || axis >= x->rank)
            return false;
        dim[axis] = x->dim[k];
        step[axis] = x->step[k];
    }
    if (k != x->rank)
        return false;
    memcpy(x->dim, dim, sizeof dim);
    memcpy(x->step, step, sizeof step);
    return true;
}

static bool set_shape(OutputTransform *x, const CompileOptions *o, const char *name)
{
    const Shape *s = &x->file.shape;
    int64_t step = 1;
    x->rank = s->rank - 1;
    if (x->rank < 0 || x->rank > OUTPUT_TRANSFORM_MAX_RANK)
        return false;
    for (int32_t i = x->rank - 1; i >= 0; i--) {
        x->dim[i] = s->dim[i + 1].value;
        x->step[i] = step;
        step *= x->dim[i];
    }
    x->runs = (size_t)s->dim[0].value;
    x->stride = step;
    x->count = (size_t)step;
    for (size_t i = o->nedit; i-- > 0;) /* the last one is undone first */
        if (o->edit[i].kind == EDIT_PERMUTE_OUTPUT && !strcmp(o->edit[i].where, name) &&
            !put_axes_back(x, o->edit[i].text))
            return false;
    return true;
}

Status output_transform_open(Arena *a, const Model *m, const CompileOptions *o, const char *name,
                             const char *folder, OutputTransform *ret, Diag *diag)
{
    const Graph *g = m->graph;
    size_t i = output_transform_index(g, name);
    *ret = (OutputTransform){0};
    if (i == OUTPUT_NONE)
        return diag_set(diag, STATUS_INPUT, m->path, name, "is not an output after the change");
    const char *path = arena_printf(a, "%s/output_%zu.npy", folder, i);
    Status st = value_file_open(a, path, &ret->file, diag);
    if (st)
        return st;
    const IoType *want = wanted_type(o, name);
    const Tensor *t = &g->tensor[g->output[i]];
    bool coded = want && !is_whole(t) && (want->dtype == DT_INT8 || want->dtype == DT_UINT8);
    if (!ret->file.value.data || !set_shape(ret, o, name))
        st =
            diag_set(diag, STATUS_INPUT, path, NULL, "does not have the axes of output '%s'", name);
    else if (ret->file.value.dtype != DT_FLOAT32 && coded &&
             !read_coding(a, g, g->output[i], o, want->dtype, ret))
        st = diag_set(diag, STATUS_INPUT, path, NULL,
                      "output '%s' has no single scale, so its values have no unit", name);
    if (st)
        output_transform_close(ret);
    return st;
}

void output_transform_close(OutputTransform *x)
{
    value_file_close(&x->file);
    *x = (OutputTransform){0};
}

Status output_transform_fit(const OutputTransform *x, OutputTransform *y, const char *name,
                            Diag *diag)
{
    bool same = x->runs == y->runs && x->rank == y->rank;
    for (int32_t i = 0; same && i < x->rank; i++)
        same = x->dim[i] == y->dim[i] || (i == x->rank - 1 && x->dim[i] < y->dim[i]);
    if (!same)
        return diag_set(diag, STATUS_INPUT, NULL, name,
                        "has another shape after the change: there is nothing to compare");
    memcpy(y->dim, x->dim, sizeof x->dim);
    y->count = x->count;
    return STATUS_OK;
}

/* ---- numbers ---- */

static double kernel_number_at(const OutputTransform *x, int64_t i)
{
    const double *own = x->scales ? &x->scales[2 * (i / x->apart % x->nscale)] : NULL;
    double v = 0, scale = own ? own[0] : x->scale, zero = own ? own[1] : x->zero;
    if (x->file.value.dtype == DT_FLOAT32) {
        float f;
        memcpy(&f, x->file.value.data + (size_t)i * sizeof f, sizeof f);
        return (double)f;
    }
    const_float(&x->file.value, i, &v);
    /* As float32, in which the application scales. */
    return x->coded ? (double)((float)(v - zero) * (float)scale) : v;
}

void output_transform_read(const OutputTransform *x, size_t run, double *to)
{
    int64_t index[OUTPUT_TRANSFORM_MAX_RANK] = {0}, at = (int64_t)run * x->stride;
    for (size_t i = 0; i < x->count; i++) {
        to[i] = kernel_number_at(x, at);
        for (int32_t k = x->rank - 1; k >= 0; k--) {
            at += x->step[k];
            if (++index[k] < x->dim[k])
                break;
            at -= x->step[k] * x->dim[k];
            index[k] = 0;
        }
    }
}

static Status save_floats(const OutputTransform *x, const char *path, Diag *diag)
{
    OutFile f;
    Arena *a = arena_new(0);
    double *run = ARENA_ARRAY(a, double, x->count + 1);
    Status st = file_out_open(&f, path, diag);
    if (!st)
        value_file_begin_npy(f.stream, DT_FLOAT32, x->runs, x->rank, x->dim);
    for (size_t k = 0; k < x->runs && !st; k++) {
        output_transform_read(x, k, run);
        for (size_t i = 0; i < x->count; i++)
            fwrite(&(float){(float)run[i]}, sizeof(float), 1, f.stream);
    }
    arena_free(a);
    return st ? st : file_out_commit(&f, diag);
}

static Status copy_file(const OutputTransform *x, const char *path, Diag *diag)
{
    OutFile f;
    Status st = file_out_open(&f, path, diag);
    if (st)
        return st;
    fwrite(x->file.file.data, 1, x->file.file.size, f.stream);
    return file_out_commit(&f, diag);
}

/* As it lies in the file, without anything between. */
static bool is_in_order(const OutputTransform *x)
{
    int64_t step = 1;
    bool in_order = true;
    for (int32_t i = x->rank; i-- > 0; step *= x->dim[i])
        in_order = in_order && (x->step[i] == step || x->dim[i] == 1);
    return in_order && step == x->stride;
}

Status output_transform_save(const OutputTransform *x, const char *path, Diag *diag)
{
    return x->coded || !is_in_order(x) ? save_floats(x, path, diag) : copy_file(x, path, diag);
}
