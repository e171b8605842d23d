/* Reads inputs from folders and writes outputs to them. */
#include "graph/onnx/value_file.h"
#include "npu_exec/values/execute.h"
#include "npu_exec/values/npy.h"

typedef struct {
    Arena *arena;
    const char *input_dir, *output_dir;
} Folders;

static bool fits_value(const ValueFile *f, const Value *v)
{
    bool same = f->value.dtype == v->dtype && f->shape.rank == v->rank;
    for (int32_t i = 0; same && i < v->rank; i++)
        same = f->shape.dim[i].value == v->dim[i];
    return same && f->value.data && (int64_t)f->value.nbyte == value_bytes(v);
}

static Status read_input(void *user, size_t i, const Tensor *t, Value *v, Diag *diag)
{
    const Folders *d = user;
    const char *npy = arena_printf(d->arena, "%s/input_%zu.npy", d->input_dir, i);
    const char *pb = arena_printf(d->arena, "%s/input_%zu.pb", d->input_dir, i);
    const char *path = access(npy, R_OK) == 0 ? npy : pb;
    ValueFile f;
    Status st = value_file_open(d->arena, path, &f, diag);
    if (st)
        return st;
    if (fits_value(&f, v))
        memcpy(v->data, f.value.data, f.value.nbyte);
    else
        st = diag_set(diag, STATUS_INPUT, path, NULL, "is %s %s, but input '%s' takes %s %s",
                      dtype_name(f.value.dtype), shape_text(d->arena, &f.shape), t->name,
                      dtype_name(t->dtype), shape_text(d->arena, &t->shape));
    value_file_close(&f);
    return st;
}

static Status save_output(void *user, size_t i, Value *v, Diag *diag)
{
    const Folders *d = user;
    Status st = i == 0 ? npy_folder(d->output_dir, diag) : STATUS_OK;
    return st ? st
              : npy_write(v, arena_printf(d->arena, "%s/output_%zu.npy", d->output_dir, i), diag);
}

Status values_execute(const Model *model, const char *input_dir, const char *output_dir, Diag *diag)
{
    Folders d = {arena_new(0), input_dir, output_dir};
    Status st =
        values_run(model, &(ValuesIo){.user = &d, .take = read_input, .give = save_output}, diag);
    arena_free(d.arena);
    return st;
}
