/* Runs the model once per sample and undoes the permutation of input axes on the way. */
#include "npu_exec/session/run_samples.h"
#include "graph/model/dtype.h"
#include "npu_exec/data/samples.h"
#include "npu_exec/values/execute.h"
#include "npu_exec/values/npy.h"
#include "npu_exec/values/value.h"

#include <cjson/cJSON.h>

typedef struct {
    Arena *arena;
    const ExecOptions *options;
    const Graph *as_written; /* the inputs with the axes that the data have */
    Samples *samples;
    NpyStack *output;
    size_t noutput, first, runs;
} DataRun;

/* ---- axes ---- */

/* Of input i; rank 0: as the model is written. */
static Permutation input_permutation(const ExecOptions *o, size_t i)
{
    return i < o->compile.npermute ? o->compile.permute[i] : (Permutation){0};
}

/* The graph with its inputs' axes back: a copy where they were permuted. */
static const Graph *with_axes_back(Arena *a, const ExecOptions *o, const Graph *g)
{
    if (!o->compile.npermute)
        return g;
    Graph *copy = ARENA_NEW(a, Graph);
    *copy = *g;
    copy->tensor = ARENA_ARRAY(a, Tensor, g->ntensor);
    memcpy(copy->tensor, g->tensor, g->ntensor * sizeof *g->tensor);
    for (size_t i = 0; i < g->ninput; i++) {
        Permutation p = input_permutation(o, i);
        Tensor *t = &copy->tensor[g->input[i]];
        Dim *dim = ARENA_ARRAY(a, Dim, (size_t)p.rank);
        if (p.rank == 0 || p.rank != t->shape.rank)
            continue;
        for (int32_t k = 0; k < p.rank; k++)
            dim[p.axis[k]] = t->shape.dim[k];
        t->shape.dim = dim;
    }
    return copy;
}

/* Element by element in the order of `to`, whose axis k is axis p.axis[k] of `from`. */
static void permute_value(const Permutation *p, const Value *from, Value *to)
{
    int64_t step[PERMUTE_MAX_RANK], index[PERMUTE_MAX_RANK] = {0}, at = 0;
    size_t size = (size_t)dtype_bits(to->dtype) / 8;
    for (int32_t k = 0; k < p->rank; k++)
        step[k] = value_extent(from, p->axis[k] + 1, from->rank);
    for (int64_t i = 0; i < to->count; i++) {
        memcpy((uint8_t *)to->data + (size_t)i * size,
               (const uint8_t *)from->data + (size_t)at * size, size);
        for (int32_t k = p->rank - 1; k >= 0; k--) {
            at += step[k];
            if (++index[k] < to->dim[k])
                break;
            at -= step[k] * to->dim[k];
            index[k] = 0;
        }
    }
}

static Status take_permuted(DataRun *j, size_t i, const Tensor *t, const Permutation *p, Value *v,
                            Diag *diag)
{
    int64_t dim[VALUE_MAX_RANK];
    for (int32_t k = 0; k < t->shape.rank; k++)
        dim[k] = t->shape.dim[k].value;
    Value *own = value_create(v->dtype, v->rank, dim);
    if (!own)
        return diag_set(diag, STATUS_INPUT, NULL, NULL, "no memory for input '%s'", t->name);
    Status st = samples_take(j->samples, i, t, own, diag);
    if (!st)
        permute_value(p, own, v);
    value_release(own);
    return st;
}

/* ---- in and out ---- */

static Status take_input(void *user, size_t i, const Tensor *t, Value *v, Diag *diag)
{
    DataRun *j = user;
    const Tensor *given = &j->as_written->tensor[j->as_written->input[i]];
    Permutation p = input_permutation(j->options, i);
    (void)t;
    return p.rank == v->rank && p.rank ? take_permuted(j, i, given, &p, v, diag)
                                       : samples_take(j->samples, i, given, v, diag);
}

static Status write_output(void *user, size_t i, Value *v, Diag *diag)
{
    DataRun *j = user;
    NpyStack *s = &j->output[i];
    Status st = STATUS_OK;
    if (!s->begun)
        st =
            npy_begin(s, v, j->runs,
                      arena_printf(j->arena, "%s/output_%zu.npy", j->options->output_dir, i), diag);
    return st ? st : npy_add(s, v, diag);
}

static Status run_all(DataRun *j, Execution *x, void (*progress)(double done), Diag *diag)
{
    Status st = STATUS_OK;
    for (size_t k = 0; k < j->runs && !st; k++) {
        samples_choose(j->samples, j->first + k);
        st = execution_run(x, &(ValuesIo){.user = j, .take = take_input, .give = write_output},
                           diag);
        progress((double)(k + 1) / (double)j->runs);
    }
    for (size_t i = 0; i < j->noutput; i++) {
        st = st ? st : npy_end(&j->output[i], diag);
        npy_abort(&j->output[i]);
    }
    return st;
}

/* The runs that --slice asks for. */
static Status choose_runs(DataRun *j, Diag *diag)
{
    const ExecOptions *o = j->options;
    size_t all = samples_runs(j->samples), from = (size_t)o->slice_from;
    size_t count = o->slice_count ? (size_t)o->slice_count : all;
    j->first = from;
    j->runs = from >= all ? 0 : count < all - from ? count : all - from;
    return j->runs ? STATUS_OK
                   : diag_set(diag, STATUS_INPUT, o->data, NULL,
                              "--slice begins at %zu, but there are %zu runs", from, all);
}

static cJSON *files_of(const DataRun *j)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t run = j->first; run < j->first + j->runs; run++) {
        const char *file;
        for (size_t i = 0; (file = samples_file(j->samples, run, i)); i++)
            cJSON_AddItemToArray(list, cJSON_CreateString(file));
    }
    return list;
}

/* [image's width, height, left, top, width and height in the input]; null for an array. */
static cJSON *placements_of(const DataRun *j)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t run = j->first; run < j->first + j->runs; run++)
        for (size_t i = 0; samples_file(j->samples, run, i); i++) {
            const Placement *p = samples_placed(j->samples, run, i);
            const double v[] = {p ? (double)p->width : 0,    p ? (double)p->height : 0,
                                p ? (double)p->at.left : 0,  p ? (double)p->at.top : 0,
                                p ? (double)p->at.width : 0, p ? (double)p->at.height : 0};
            cJSON_AddItemToArray(list, p ? cJSON_CreateDoubleArray(v, 6) : cJSON_CreateNull());
        }
    return list;
}

/* Totals for callers that ask for one slice after the other, and the files that were run. */
static Status write_counts(const DataRun *j, Diag *diag)
{
    const char *path = arena_printf(j->arena, "%s/samples.json", j->options->output_dir);
    cJSON *o = cJSON_CreateObject();
    cJSON_AddNumberToObject(o, "images", (double)samples_images(j->samples));
    cJSON_AddNumberToObject(o, "runs", (double)samples_runs(j->samples));
    cJSON_AddItemToObject(o, "files", files_of(j));
    cJSON_AddItemToObject(o, "placed", placements_of(j));
    char *text = cJSON_PrintUnformatted(o);
    cJSON_Delete(o);
    return file_out_write_text(path, text, diag);
}

Status run_samples(Arena *a, const ExecOptions *o, const Model *m, void (*progress)(double done),
                   DataUsed *ret, Diag *diag)
{
    const Graph *g = m->graph;
    DataRun j = {.arena = a,
                 .options = o,
                 .as_written = with_axes_back(a, o, g),
                 .output = ARENA_ARRAY(a, NpyStack, g->noutput),
                 .noutput = g->noutput};
    Execution *x = NULL;
    Status st = npy_folder(o->output_dir, diag);
    if (!st)
        st = samples_open(a, o->data, o->recipe.name ? &o->recipe : NULL, j.as_written,
                          (size_t)o->images, &j.samples, diag);
    st = st ? st : choose_runs(&j, diag);
    st = st ? st : execution_open(m, &x, diag);
    st = st ? st : run_all(&j, x, progress, diag);
    st = st ? st : write_counts(&j, diag);
    execution_close(x);
    if (st)
        return st;
    *ret = (DataUsed){.images = samples_images(j.samples)};
    if (!samples_converted(j.samples, &ret->from, &ret->to))
        ret->from = ret->to = NULL;
    return STATUS_OK;
}
