/* Runs the baseline and each change slice by slice, and compares their outputs. */
#include "advisor/measure/accuracy.h"

#include "advisor/message/json.h"
#include "advisor/message/phrase.h"
#include "advisor/message/process.h"
#include "advisor/measure/accuracy_log.h"
#include "advisor/measure/metric.h"
#include "advisor/candidate/quantize_model.h"
#include "advisor/rules/lever.h"
#include "advisor/rules/variant.h"
#include "advisor/candidate/runner.h"
#include "graph/base/folder.h"
#include "graph/edit/edit.h"
#include "graph/model/model.h"
#include "graph/onnx/onnx.h"
#include "graph/options/option.h"

enum {
    LIMIT_S = 24 * 3600,
    SLICE_BYTES = 64 << 20, /* of outputs on disk */
    SLICE_MIN = 4,
    SLICE_MAX = 128,
    LAYER_IMAGES = 16, /* for finding the worst layer */
};

struct AccuracyBench {
    Arena *a;
    AccuracyRequest q;
    const char *const *command;
    const char *name;   /* of the runner */
    bool quantizes;     /* the model is float */
    const char *path;   /* of the baseline that is run … */
    const Model *model; /* … and what it holds */
    /* Written models; outputs before and after; inputs and outputs of a tail. */
    TempFolder models, before, after, fed, tail;
    size_t nmodel;
    AccuracyLog *log;   /* NULL: nothing is kept */
    SliceMetric *judge; /* NULL: only distances are measured */
};

/* One change, ready to be run. */
typedef struct {
    AccuracyTrial *trial;
    Variant variant;
    const char *path, *tail; /* files; tail: NULL */
    const Model *model, *tail_model;
    Comparer **comparer; /* of each output of the baseline; NULL: the change drops it */
    Scores *scores;      /* NULL: no score applies */
    size_t scored;       /* of them, before this slice */
    bool off;            /* nothing to measure, or it cannot be */
    const char *key;     /* what it sets, in the log */
} Change;

static bool is_resize(const Edit *e)
{
    return e->kind == EDIT_WIDTH || e->kind == EDIT_HEIGHT || e->kind == EDIT_BIND_DIM;
}

static const char *model_file(AccuracyBench *b)
{
    return arena_printf(b->a, "%s/%zu.onnx", b->models.path, b->nmodel++);
}

/* Types and axes of inputs and outputs are not quantized. */
static CompileOptions inner_compile_options(const CompileOptions *from)
{
    CompileOptions o = *from;
    o.ninput_dtype = o.noutput_dtype = o.npermute = o.nedit = 0;
    o.batch = 1;
    return o;
}

/* Writes the float model at `path` as an int8 model. */
static Status quantize_float_model(AccuracyBench *b, const char *path, const char **ret_path,
                                   const Model **ret_model, Diag *diag)
{
    CompileOptions o = inner_compile_options(&b->q.w->baseline.variant.compile);
    Notes unsaid;
    QuantizeResult r;
    notes_init(&unsaid, b->a);
    const QuantizeRequest q = {.model = path,
                               .compile = &o,
                               .data = b->q.data,
                               .preprocess = b->q.preprocess,
                               .images = b->q.images,
                               .method = "min-max",
                               .runner = b->q.runner,
                               .helper = b->q.helper,
                               .notes = &unsaid};
    Status st = quantize_model(b->a, &q, &r, diag);
    const char *made = model_file(b);
    st = st ? st : onnx_write(r.model, made, diag);
    if (st)
        return st;
    *ret_path = made;
    *ret_model = r.model;
    return STATUS_OK;
}

static Status make_model(AccuracyBench *b, Change *c, Diag *diag)
{
    const CompileOptions *o = &c->variant.compile;
    const Model *given = b->q.w->model;
    Model *edited = NULL;
    c->path = b->path;
    c->model = b->model;
    if (o->nedit == 0)
        return STATUS_OK;
    Status st = model_edit(b->a, given, o->edit, o->nedit, &edited, diag);
    c->path = model_file(b);
    st = st ? st : onnx_write(edited, c->path, diag);
    c->model = edited;
    if (!st && b->quantizes)
        st = quantize_float_model(b, c->path, &c->path, &c->model, diag);
    if (st || !LIST_ANY(i, o->nedit, o->edit[i].kind == EDIT_CUT_TAIL))
        return st;
    Model *tail = NULL;
    size_t chosen;
    Diag nothing = {0}; /* no tail remains */
    if (model_tail(b->a, given, o->edit, o->nedit, &tail, &chosen, &nothing))
        return STATUS_OK;
    c->tail = model_file(b);
    c->tail_model = tail;
    return onnx_write(tail, c->tail, diag);
}

typedef struct {
    const char *model, *data, *preprocess, *images, *slice, *out;
    CompileOptions compile;
    bool layers; /* the quantization error of each, to the file `out`; else values, to a folder */
} Call;

static Status call_runner(AccuracyBench *b, Arena *a, const Call *c, Diag *diag)
{
    size_t noption = 0;
    const char **option = compile_options_argv(a, &c->compile, &noption);
    const char *const own[] = {
        option_flag(OPTION_VALUES), option_flag(OPTION_DATA), c->data,
        c->layers ? option_flag(OPTION_LAYERS) : option_flag(OPTION_OUTPUT_DIR), c->out};
    assert(c->model && c->data && c->out);
    WordList l = {.a = a};
    word_list_extend(&l, b->command, SIZE_MAX);
    word_list_add(&l, c->model);
    word_list_extend(&l, option, noption);
    word_list_extend(&l, own, sizeof own / sizeof *own);
    const char *const more[][2] = {{option_flag(OPTION_PREPROCESS), c->preprocess},
                                   {option_flag(OPTION_IMAGES), c->images},
                                   {option_flag(OPTION_SLICE), c->slice}};
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        if (more[i][1])
            word_list_add(&l, arena_printf(a, "%s=%s", more[i][0], more[i][1]));
    word_list_add(&l, NULL);
    return helper_run(b->q.helper, l.word, (ProcessLimits){LIMIT_S, c->layers ? NULL : c->out},
                      diag);
}

static Call call_of(const AccuracyBench *b, const char *model, const Variant *v, const char *slice,
                    const char *out)
{
    Call c = {model, b->q.data, b->q.preprocess, b->q.images, slice, out, v->compile, false};
    c.compile.nedit = 0;
    c.compile.batch = 1;
    return c;
}

/* Runs the tail of a cut model on the outputs of the cut model. */
static Status run_tail(AccuracyBench *b, Arena *a, const Change *c, Diag *diag)
{
    const Graph *g = c->tail_model->graph;
    for (size_t i = 0; i < g->ninput; i++) {
        OutputTransform x;
        Status st = output_transform_open(a, c->model, &c->variant.compile,
                                          g->tensor[g->input[i]].name, b->after.path, &x, diag);
        st = st ? st
                : output_transform_save(&x, arena_printf(a, "%s/input_%zu.npy", b->fed.path, i),
                                        diag);
        output_transform_close(&x);
        if (st)
            return st;
    }
    Call call_tail = call_of(b, c->tail, &c->variant, NULL, b->tail.path);
    call_tail.data = b->fed.path;
    call_tail.preprocess = call_tail.images = NULL;
    call_tail.compile = inner_compile_options(&call_tail.compile);
    call_tail.compile.ndim = 0;
    return call_runner(b, a, &call_tail, diag);
}

/* Output i before and after the change; the latter has no more columns. */
static Status open_pair(AccuracyBench *b, Arena *a, const Change *c, size_t i, OutputTransform *x,
                        OutputTransform *y, Diag *diag)
{
    const Graph *g = b->model->graph;
    const char *name = g->tensor[g->output[i]].name;
    bool is_tail =
        c->tail_model && output_transform_index(c->tail_model->graph, name) != OUTPUT_NONE;
    const CompileOptions plain = inner_compile_options(&c->variant.compile);
    Status st = output_transform_open(a, b->model, &b->q.w->baseline.variant.compile, name,
                                      b->before.path, x, diag);
    if (st || !c->comparer[i])
        return st;
    st = is_tail ? output_transform_open(a, c->tail_model, &plain, name, b->tail.path, y, diag)
                 : output_transform_open(a, c->model, &c->variant.compile, name, b->after.path, y,
                                         diag);
    return st ? st : output_transform_fit(x, y, name, diag);
}

static void compare_output(Arena *a, Comparer *to, const OutputTransform *x,
                           const OutputTransform *y)
{
    double *before = ARENA_ARRAY(a, double, x->count + 1),
           *after = ARENA_ARRAY(a, double, x->count + 1);
    for (size_t k = 0; k < x->runs; k++) {
        output_transform_read(x, k, before);
        output_transform_read(y, k, after);
        comparer_add(to, before, after, x->count);
    }
}

static Status compare_change(AccuracyBench *b, Arena *a, const Change *c, Diag *diag)
{
    size_t n = b->model->graph->noutput;
    OutputTransform *x = ARENA_ARRAY(a, OutputTransform, n + 1),
                    *y = ARENA_ARRAY(a, OutputTransform, n + 1);
    Status st = STATUS_OK;
    for (size_t i = 0; i < n && !st; i++)
        st = open_pair(b, a, c, i, &x[i], &y[i], diag);
    if (!st && c->scores)
        st = metric_score_slice(b->judge, a, x, y, n, c->scores, diag);
    for (size_t i = 0; i < n; i++) {
        if (!st && c->comparer[i])
            compare_output(a, c->comparer[i], &x[i], &y[i]);
        output_transform_close(&x[i]);
        output_transform_close(&y[i]);
    }
    return st;
}

static Status run_change(AccuracyBench *b, const Change *c, const char *slice, Diag *diag)
{
    Arena *a = arena_new(0);
    Call own = call_of(b, c->path, &c->variant, slice, b->after.path);
    Status st = call_runner(b, a, &own, diag);
    if (!st && c->tail)
        st = run_tail(b, a, c, diag);
    st = st ? st : compare_change(b, a, c, diag);
    arena_free(a);
    return st;
}

static bool equal_types(const IoType *x, size_t nx, const IoType *y, size_t ny)
{
    bool same = nx == ny;
    for (size_t i = 0; same && i < nx; i++)
        same = x[i].dtype == y[i].dtype && !strcmp(x[i].name, y[i].name);
    return same;
}

/* True if model, types or axes differ from the baseline. */
static bool changes_values(const CompileOptions *x, const CompileOptions *y)
{
    bool axes = x->npermute != y->npermute ||
                (x->npermute && memcmp(x->permute, y->permute, x->npermute * sizeof *x->permute));
    return axes || x->nedit != y->nedit ||
           !equal_types(x->input_dtype, x->ninput_dtype, y->input_dtype, y->ninput_dtype) ||
           !equal_types(x->output_dtype, x->noutput_dtype, y->output_dtype, y->noutput_dtype);
}

static Status variant_of(const AccuracyBench *b, const Attempt *t, Variant *ret, Diag *diag)
{
    Status st = STATUS_OK;
    *ret = b->q.w->baseline.variant;
    for (size_t i = 0; i < t->nset && !st; i++)
        st = variant_apply(b->a, ret, b->q.w->model, &t->set[i], diag);
    return st;
}

bool accuracy_concerns(const AccuracyBench *b, const Attempt *t)
{
    Variant v;
    Diag ignored;
    return t && attempt_basis(t) == BASIS_WHAT_IF && !variant_of(b, t, &v, &ignored) &&
           changes_values(&b->q.w->baseline.variant.compile, &v.compile);
}

/* One for each output that the change keeps. */
static void make_comparers(AccuracyBench *b, Change *c)
{
    const Graph *g = b->model->graph, *shapes = b->q.w->baseline.program->model->graph;
    c->comparer = ARENA_ARRAY(b->a, Comparer *, g->noutput + 1);
    for (size_t i = 0; i < g->noutput; i++) {
        const Tensor *t = &g->tensor[g->output[i]];
        size_t k = output_transform_index(shapes, t->name);
        bool kept =
            output_transform_index(c->model->graph, t->name) != OUTPUT_NONE ||
            (c->tail_model && output_transform_index(c->tail_model->graph, t->name) != OUTPUT_NONE);
        if (kept && k != OUTPUT_NONE) {
            const Tensor *known = &shapes->tensor[shapes->output[k]];
            c->comparer[i] = comparer_new(b->a, t->name, known->dtype, &known->shape);
        }
    }
}

static void give_up(AccuracyBench *b, Change *c, const Diag *diag)
{
    c->off = true;
    c->trial->why = message_verbatim(b->a, arena_strdup(b->a, diag->text));
}

static void prepare_change(AccuracyBench *b, Change *c)
{
    Diag diag = {0};
    c->off = !accuracy_concerns(b, c->trial->attempt);
    if (c->off)
        return;
    Status st = variant_of(b, c->trial->attempt, &c->variant, &diag);
    for (size_t i = 0; i < c->variant.compile.nedit && !st; i++)
        if (is_resize(&c->variant.compile.edit[i])) {
            c->off = true;
            c->trial->why = MESSAGE(b->a, phrase_arg(PHRASE_ACCURACY_SIZE));
            return;
        }
    st = st ? st : make_model(b, c, &diag);
    if (st) {
        give_up(b, c, &diag);
        return;
    }
    make_comparers(b, c);
    c->scores = metric_scores(b->a, b->judge);
}

static void conclude_change(AccuracyBench *b, Change *c, double images)
{
    size_t n = 0, all = b->model->graph->noutput;
    Comparer **list = ARENA_ARRAY(b->a, Comparer *, all + 1);
    for (size_t i = 0; i < all && !c->off; i++)
        if (c->comparer[i])
            list[n++] = c->comparer[i];
    if (c->off)
        return;
    c->trial->result = comparer_result(list, n, b->q.seed);
    if (c->scores)
        scores_apply(c->scores, &c->trial->result, b->q.seed);
    c->trial->result.images = (size_t)images;
    c->trial->result.runner = b->name;
}

/* Runs of a slice: as many as their outputs have room for. */
static size_t slice_length(const AccuracyBench *b)
{
    const Graph *g = b->q.w->baseline.program->model->graph;
    double bytes = 1;
    for (size_t i = 0; i < g->noutput; i++) {
        int64_t n = shape_elements(&g->tensor[g->output[i]].shape);
        bytes += n > 0 ? 4.0 * (double)n : 0;
    }
    double runs = SLICE_BYTES / bytes;
    return runs < SLICE_MIN ? SLICE_MIN : runs > SLICE_MAX ? SLICE_MAX : (size_t)runs;
}

typedef struct {
    double images, runs; /* in all */
} Counts;

static Status run_baseline(AccuracyBench *b, const char *slice, Counts *ret, Diag *diag)
{
    Arena *a = arena_new(0);
    cJSON *root = NULL;
    Call own = call_of(b, b->path, &b->q.w->baseline.variant, slice, b->before.path);
    const char *path = arena_printf(a, "%s/samples.json", b->before.path);
    Status st = call_runner(b, a, &own, diag);
    st = st ? st : json_load(path, &root, diag);
    *ret = (Counts){json_number_or(root, "images", 0), json_number_or(root, "runs", 0)};
    if (!st && !(ret->runs >= 1 && ret->images >= 1 && ret->runs < 1e9))
        st = diag_set(diag, STATUS_INPUT, b->name, "samples.json", "counts no images");
    if (!st && b->judge)
        st = metric_begin_slice(b->judge, b->before.path, diag);
    cJSON_Delete(root);
    arena_free(a);
    return st;
}

/* The settings of an attempt as one text. */
static const char *key_of(AccuracyBench *b, const Attempt *t)
{
    const char *key = "";
    for (size_t i = 0; t && i < t->nset; i++) {
        LeverWords s = lever_words(b->a, &t->set[i]);
        key = arena_printf(b->a, "%s%s%s %s %s", key, i ? ", " : "", s.lever, s.index, s.value);
    }
    return key;
}

/* The runs of a slice that are in the log; nothing is changed where they are not all there. */
static bool restore_slice(AccuracyBench *b, Change *c, size_t from)
{
    const cJSON *line = accuracy_log_find(b->log, c->key, from), *of = NULL;
    bool ok = line != NULL;
    size_t i = 0;
    cJSON_ArrayForEach(of, json_at(line, "outputs"))
    {
        while (i < b->model->graph->noutput && !c->comparer[i])
            i++;
        ok = ok && i < b->model->graph->noutput && comparer_count(c->comparer[i]) == from &&
             comparer_restore(c->comparer[i], of);
        i++;
    }
    return ok && (!c->scores || scores_restore(c->scores, json_at(line, "scores")));
}

static void log_slice(AccuracyBench *b, const Change *c, size_t from, double images, double runs)
{
    cJSON *line = cJSON_CreateObject();
    cJSON_AddStringToObject(line, "change", c->key);
    cJSON_AddNumberToObject(line, "from", (double)from);
    cJSON_AddNumberToObject(line, "images", images);
    cJSON_AddNumberToObject(line, "runs", runs);
    cJSON *outputs = cJSON_AddArrayToObject(line, "outputs");
    for (size_t i = 0; i < b->model->graph->noutput; i++)
        if (c->comparer[i])
            cJSON_AddItemToArray(outputs, comparer_runs(c->comparer[i], from));
    if (c->scores)
        cJSON_AddItemToObject(line, "scores", scores_runs(c->scores, c->scored));
    accuracy_log_add(b->log, line);
}

/* A digest of everything that decides the numbers; files by name, size and time. */
static Status question_of(AccuracyBench *b, const char **ret, Diag *diag)
{
    char data[65], *hex = arena_calloc(b->a, 65, 1);
    size_t noption = 0;
    const char **option = compile_options_argv(b->a, &b->q.w->baseline.variant.compile, &noption);
    const char *text = arena_printf(
        b->a, "%s\n%s\n%s\n%s\n%s", NPU_ADVISE_VERSION, b->q.preprocess ? b->q.preprocess : "",
        b->q.images ? b->q.images : "", b->q.metric ? b->q.metric : "", b->command[0]);
    for (size_t i = 0; i < noption; i++)
        text = arena_printf(b->a, "%s\n%s", text, option[i]);
    InFile f;
    Status st = folder_digest(b->q.data, data, diag);
    st = st ? st : file_in_open(&f, b->q.model_path, (size_t)1 << 32, diag);
    if (st)
        return st;
    sha256_hex(f.data, f.size, hex);
    file_in_close(&f);
    text = arena_printf(b->a, "%s\n%s\n%s", text, data, hex);
    sha256_hex(text, strlen(text), hex);
    *ret = hex;
    return STATUS_OK;
}

static Status open_log(AccuracyBench *b, Diag *diag)
{
    const char *question = NULL;
    Status st = b->q.resume ? question_of(b, &question, diag) : STATUS_OK;
    return st || !b->q.resume ? st : accuracy_log_open(b->a, b->q.resume, question, &b->log, diag);
}

/* Runs all changes on one slice, and the baseline where one of them needs it. */
static Status run_slice(AccuracyBench *b, Change *list, size_t n, size_t from, size_t length,
                        Counts *counts, Diag *diag)
{
    const char *slice = arena_printf(b->a, "%zu:%zu", from, length);
    bool has_run = false;
    Status st = STATUS_OK;
    for (size_t i = 0; i < n && !st; i++) {
        Diag own = {0};
        const cJSON *line = accuracy_log_find(b->log, list[i].key, from);
        if (list[i].off)
            continue;
        if (line && restore_slice(b, &list[i], from)) {
            *counts = (Counts){json_number_or(line, "images", 0), json_number_or(line, "runs", 0)};
            continue;
        }
        if (!has_run)
            st = run_baseline(b, slice, counts, diag);
        has_run = true;
        list[i].scored = list[i].scores ? scores_count(list[i].scores) : 0;
        if (!st && run_change(b, &list[i], slice, &own))
            give_up(b, &list[i], &own);
        else if (!st)
            log_slice(b, &list[i], from, counts->images, counts->runs);
    }
    return st;
}

Status accuracy_measure(AccuracyBench *b, AccuracyTrial *trial, size_t n, Diag *diag)
{
    Change *list = ARENA_ARRAY(b->a, Change, n + 1);
    size_t length = slice_length(b), wanted = 0, from = 0;
    Counts counts = {0};
    Status st = STATUS_OK;
    for (size_t i = 0; i < n; i++) {
        list[i].trial = &trial[i];
        list[i].key = key_of(b, trial[i].attempt);
        prepare_change(b, &list[i]);
        wanted += !list[i].off;
    }
    for (; wanted && !st && (from == 0 || from < (size_t)counts.runs); from += length) {
        accuracy_log_report(b->log, from, (size_t)counts.runs);
        st = run_slice(b, list, n, from, length, &counts, diag);
        if (b->q.tell)
            b->q.tell(b->q.user, from + length, (size_t)counts.runs);
    }
    accuracy_log_quiet();
    for (size_t i = 0; i < n && !st; i++)
        conclude_change(b, &list[i], counts.images);
    return st;
}

static Status make_folders(AccuracyBench *b, Diag *diag)
{
    TempFolder *const folder[] = {&b->models, &b->before, &b->after, &b->fed, &b->tail};
    Status st = STATUS_OK;
    for (size_t i = 0; i < sizeof folder / sizeof *folder && !st; i++)
        st = process_temp_folder_make(b->a, folder[i], diag);
    return st;
}

/* Notes the layer that quantizing hurts most, on a few images by npu-exec. */
static void name_worst_layer(AccuracyBench *b)
{
    Diag ignored = {0};
    cJSON *root = NULL;
    const char *few = b->q.images && atol(b->q.images) < LAYER_IMAGES ? b->q.images : NULL,
               *path = arena_printf(b->a, "%s/layers.json", b->models.path);
    Call c = call_of(b, b->path, &b->q.w->baseline.variant, NULL, path);
    c.images = few ? few : arena_printf(b->a, "%d", LAYER_IMAGES);
    c.layers = true;
    if (b->q.runner || call_runner(b, b->a, &c, &ignored) || json_load(path, &root, &ignored))
        return;
    const cJSON *list = json_at(root, "tensors"), *worst = cJSON_IsArray(list) ? list->child : NULL;
    if (worst)
        notes_add(b->q.notes, "accuracy-layer", phrase_arg(PHRASE_NOTE_WORST_LAYER),
                  arg_text(json_text(worst, "tensor", "?")),
                  arg_fixed(json_number_or(worst, "sqnr_db", 0), 1),
                  arg_fixed(100 * json_number_or(worst, "clipped", 0), 1),
                  arg_count((int64_t)json_number_or(root, "images", 0)));
    cJSON_Delete(root);
}

static Status prepare_metric(AccuracyBench *b, Diag *diag)
{
    const Graph *own = b->model->graph, *shapes = b->q.w->baseline.program->model->graph;
    Graph *g = ARENA_NEW(b->a, Graph);
    TensorId *output = ARENA_ARRAY(b->a, TensorId, own->noutput + 1);
    *g = *shapes; /* which has the sizes, in the order in which values come */
    g->output = output;
    for (g->noutput = 0; g->noutput < own->noutput; g->noutput++) {
        size_t k = output_transform_index(shapes, own->tensor[own->output[g->noutput]].name);
        if (k == OUTPUT_NONE)
            return STATUS_OK;
        output[g->noutput] = shapes->output[k];
    }
    const MetricRequest q = {.graph = g,
                             .data = b->q.data,
                             .metric = b->q.metric,
                             .helper = b->q.metric_helper,
                             .notes = b->q.notes};
    return metric_open(b->a, &q, &b->judge, diag);
}

Status accuracy_open(Arena *a, const AccuracyRequest *q, AccuracyBench **ret, Diag *diag)
{
    AccuracyBench *b = ARENA_NEW(a, AccuracyBench);
    *b = (AccuracyBench){.a = a, .q = *q, .path = q->model_path, .model = q->w->model};
    b->quantizes = q->w->baseline.program->precision == PRECISION_ASSUMED_PTQ;
    Status st = runner_command(a, q->runner, &b->command, diag);
    st = st ? st : make_folders(b, diag);
    if (!st)
        b->name = file_base_name(b->command[0]);
    st = st ? st : open_log(b, diag);
    if (!st && b->quantizes)
        st = quantize_float_model(b, q->model_path, &b->path, &b->model, diag);
    st = st ? st : prepare_metric(b, diag);
    if (!st && b->quantizes)
        notes_add(q->notes, "accuracy-quantized", phrase_arg(PHRASE_NOTE_ACCURACY_QUANTIZED));
    if (st) {
        accuracy_close(b);
        return st;
    }
    name_worst_layer(b);
    *ret = b;
    return STATUS_OK;
}

void accuracy_close(AccuracyBench *b)
{
    if (!b)
        return;
    TempFolder *const folder[] = {&b->models, &b->before, &b->after, &b->fed, &b->tail};
    accuracy_log_close(b->log);
    metric_close(b->judge);
    for (size_t i = 0; i < sizeof folder / sizeof *folder; i++)
        if (folder[i]->path)
            process_temp_folder_remove(folder[i]);
}
