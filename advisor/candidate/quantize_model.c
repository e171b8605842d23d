/* Prepares the model, runs it, reads the ranges and writes int8 values. */
#include "advisor/candidate/quantize_model.h"

#include "advisor/message/json.h"
#include "advisor/message/process.h"
#include "advisor/candidate/runner.h"
#include "graph/compile/compile.h"
#include "graph/compile/machine.h"
#include "graph/compile/options.h"
#include "graph/infer/ops.h"
#include "graph/onnx/onnx.h"
#include "graph/tflite/tflite.h"
#include "graph/options/option.h"

enum { RUN_LIMIT_S = 24 * 3600, RANGES_LIMIT_MIB = 64 };

/* ---- ranges ---- */

static Status read_ranges(const cJSON *root, const char *path, const Graph *g, double (*range)[2],
                          Diag *diag)
{
    const cJSON *list = json_at(root, "ranges");
    size_t found = 0;
    if (!cJSON_IsObject(list))
        return diag_set(diag, STATUS_INPUT, path, "ranges",
                        "is not an object of tensors with their [smallest, largest]");
    for (const cJSON *c = list->child; c; c = c->next) {
        const cJSON *lo = cJSON_GetArrayItem(c, 0), *hi = cJSON_GetArrayItem(c, 1);
        if (!cJSON_IsNumber(lo) || !cJSON_IsNumber(hi) || cJSON_GetArraySize(c) != 2 ||
            !isfinite(lo->valuedouble) || !isfinite(hi->valuedouble) ||
            lo->valuedouble > hi->valuedouble)
            return diag_set(diag, STATUS_INPUT, path, c->string,
                            "is not [smallest, largest], two finite numbers in this order");
        uint32_t id = strmap_get(&g->by_name, c->string);
        if (id == STRMAP_NONE)
            continue;
        range[id][0] = lo->valuedouble;
        range[id][1] = hi->valuedouble;
        found++;
    }
    return found ? STATUS_OK
                 : diag_set(diag, STATUS_INPUT, path, "ranges",
                            "names no tensor of the model as it is quantized");
}

/* The runner's command line. */
static const char **quantize_command(Arena *a, const QuantizeRequest *q, const char *const *command,
                                     const char *model, const char *ranges)
{
    size_t noption = 0;
    const char **option = compile_options_argv(a, q->compile, &noption);
    const char *const own[] = {option_flag(OPTION_VALUES),
                               option_flag(OPTION_DATA),
                               q->data,
                               option_flag(OPTION_RANGES),
                               ranges,
                               option_flag(OPTION_METHOD),
                               q->method};
    assert(q->data && q->method);
    WordList l = {.a = a};
    word_list_extend(&l, command, SIZE_MAX);
    word_list_add(&l, model);
    word_list_extend(&l, option, noption);
    word_list_extend(&l, own, sizeof own / sizeof *own);
    if (q->preprocess)
        word_list_add(&l, arena_printf(a, "%s=%s", option_flag(OPTION_PREPROCESS), q->preprocess));
    if (q->images)
        word_list_add(&l, arena_printf(a, "%s=%s", option_flag(OPTION_IMAGES), q->images));
    if (q->symmetric)
        word_list_add(&l, option_flag(OPTION_SYMMETRIC));
    word_list_add(&l, NULL);
    return l.word;
}

static Status find_ranges(Arena *a, const QuantizeRequest *q, const Model *prepared, cJSON **ret,
                          Diag *diag)
{
    const char *const *command = NULL;
    TempFolder folder;
    Status st = runner_command(a, q->runner, &command, diag);
    st = st ? st : process_temp_folder_make(a, &folder, diag);
    if (st)
        return st;
    const char *model = arena_printf(a, "%s/model.onnx", folder.path);
    const char *ranges = arena_printf(a, "%s/ranges.json", folder.path);
    st = onnx_write(prepared, model, diag);
    if (!st)
        st = helper_run(q->helper, quantize_command(a, q, command, model, ranges),
                        (ProcessLimits){RUN_LIMIT_S, folder.path}, diag);
    st = st ? st : json_load(ranges, ret, diag);
    process_temp_folder_remove(&folder);
    return st;
}

/* ---- the program ---- */

size_t program_npu_nodes(Arena *a, const Program *p)
{
    const bool *on = program_nodes_on_npu(a, p);
    const Node *node = p->model->graph->node;
    return LIST_SUM(size_t, i, p->model->graph->nnode,
                    on[i] && node[i].op_id != OP_QuantizeLinear &&
                        node[i].op_id != OP_DequantizeLinear);
}

static Status refuse_quantized(const Program *p, Diag *diag)
{
    return p->precision == PRECISION_ASSUMED_PTQ
               ? STATUS_OK
               : diag_set(diag, STATUS_INPUT, p->model->path, NULL,
                          "is quantized already; give the float model");
}

static Status write_codes(Arena *a, const QuantizeRequest *q, const cJSON *root, const char *path,
                          QuantizeResult *ret, Diag *diag)
{
    const Model *m = ret->assumed->model;
    size_t n = m->graph->ntensor;
    double(*range)[2] = arena_calloc(a, n + 1, sizeof *range);
    for (size_t i = 0; i < n; i++) {
        range[i][0] = INFINITY;
        range[i][1] = -INFINITY;
    }
    Status st = read_ranges(root, path, m->graph, range, diag);
    ret->method = arena_strdup(a, json_text(root, "method", "given"));
    ret->images = json_number_or(root, "images", 0);
    const Quantizing how = {program_nodes_on_npu(a, ret->assumed), (const double(*)[2])range,
                            q->symmetric, !q->per_tensor};
    return st ? st : model_quantize(a, m, &how, &ret->model, &ret->done, diag);
}

Status quantize_model(Arena *a, const QuantizeRequest *q, QuantizeResult *ret, Diag *diag)
{
    Machine *machine;
    Model *given, *prepared;
    Program *assumed = NULL, *program = NULL;
    cJSON *root = NULL;
    Notes unsaid; /* the note that the model is assumed quantized does not apply */
    notes_init(&unsaid, a);
    *ret = (QuantizeResult){.symmetric = q->symmetric};
    Status st = machine_load(a, q->compile->target_name, &machine, diag);
    st = st ? st : model_load(a, q->model, q->notes, &given, diag);
    if (st)
        return st;
    st = compile_model(a, given, machine, q->compile, &unsaid, &assumed, diag);
    st = st ? st : refuse_quantized(assumed, diag);
    st = st ? st : model_prepare(a, given, &prepared, diag);
    st = st ? st : compile_model(a, prepared, machine, q->compile, &unsaid, &assumed, diag);
    ret->assumed = assumed;
    if (!st)
        st = q->ranges ? json_load_strict(q->ranges, RANGES_LIMIT_MIB, &root, diag)
                       : find_ranges(a, q, prepared, &root, diag);
    st = st ? st : write_codes(a, q, root, q->ranges ? q->ranges : "the runner", ret, diag);
    cJSON_Delete(root);
    st = st ? st : compile_model(a, ret->model, machine, q->compile, q->notes, &program, diag);
    ret->program = program;
    return st;
}
