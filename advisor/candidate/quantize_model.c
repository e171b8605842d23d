/* Prepares the model, runs it, reads the ranges and writes int8 values. */
#include "advisor/candidate/quantize_model.h"

#include "advisor/message/json.h"
#include "advisor/message/process.h"
#include "advisor/candidate/runner.h"
#include "graph/compile/compile.h"
#include "graph/compile/machine.h"
#include "graph/compile/options.h"
#include "graph/edit/edit.h"
#include "graph/edit/opset.h"
#include "graph/infer/ops.h"
#include "graph/model/dtype.h"
#include "graph/model/stored_ranges.h"
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
static const char **quantize_command(Arena *a, const QuantizeRequest *q,
                                     const CompileOptions *options, const char *const *command,
                                     const char *model, const char *ranges)
{
    size_t noption = 0;
    const char **option = compile_options_argv(a, options, &noption);
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

static Status find_ranges(Arena *a, const QuantizeRequest *q, const CompileOptions *options,
                          const Model *prepared, cJSON **ret, Diag *diag)
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
        st = helper_run(q->helper, quantize_command(a, q, options, command, model, ranges),
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

/* Types at inputs and outputs are edits of a model with ranges. */
static Edit *type_edits(Arena *a, const CompileOptions *given, const Graph *g, size_t *ret_n)
{
    CompileOptions o = compile_options_copy(a, given);
    compile_options_name_types(a, &o, g);
    Edit *edit = ARENA_ARRAY(a, Edit, o.ninput_dtype + o.noutput_dtype + 1);
    size_t n = 0;
    for (size_t i = 0; i < o.ninput_dtype; i++)
        edit[n++] = (Edit){.kind = EDIT_INPUT_DTYPE,
                           .where = o.input_dtype[i].name,
                           .text = dtype_name(o.input_dtype[i].dtype)};
    for (size_t i = 0; i < o.noutput_dtype; i++)
        edit[n++] = (Edit){.kind = EDIT_OUTPUT_DTYPE,
                           .where = o.output_dtype[i].name,
                           .text = dtype_name(o.output_dtype[i].dtype)};
    *ret_n = n;
    return edit;
}

/* As SDK 0.10 does: nodes stay, and each value gets its range. */
static Status store_ranges(Arena *a, const QuantizeRequest *q, const double (*range)[2],
                           QuantizeResult *ret, Diag *diag)
{
    Model with = *ret->assumed->model;
    const Graph *g = with.graph;
    StoredRanges *s = ARENA_NEW(a, StoredRanges);
    size_t n;
    *s = (StoredRanges){.tensor = ARENA_ARRAY(a, CalibratedTensor, g->ntensor + 1)};
    strmap_init(&s->by_name, a, g->ntensor + 1);
    for (size_t i = 0; i < g->ntensor; i++) {
        const Tensor *t = &g->tensor[i];
        if (t->is_initializer || range[i][0] > range[i][1])
            continue;
        strmap_put(&s->by_name, t->name, (uint32_t)s->ntensor);
        s->tensor[s->ntensor++] =
            (CalibratedTensor){.name = t->name, .range = {range[i][0], range[i][1], true}};
    }
    with.stored_ranges = s;
    ret->done.activations = s->ntensor;
    const Edit *edit = type_edits(a, q->compile, g, &n);
    return model_edit(a, &with, edit, n, &ret->model, diag);
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
    if (!st && q->keeps_floats)
        return store_ranges(a, q, (const double(*)[2])range, ret, diag);
    const Quantizing how = {program_nodes_on_npu(a, ret->assumed), (const double(*)[2])range,
                            q->symmetric, !q->per_tensor, q->as_sdk_0_9};
    return st ? st : model_quantize(a, m, &how, &ret->model, &ret->done, diag);
}

/* What is calibrated, and then written. */
static Status prepare_floats(Arena *a, const QuantizeRequest *q, Model *m, Model **ret, Diag *diag)
{
    OpsetReport report;
    *ret = m;
    if (!q->keeps_floats)
        return model_prepare(a, m, ret, diag);
    Status st = model_fix_dims(a, ret, q->compile->dim, q->compile->ndim, diag);
    st = st ? st : model_prepare(a, *ret, ret, diag);
    return st ? st : model_convert_opset(a, *ret, OPSET_IR_SDK_0_10, ret, &report, diag);
}

Status quantize_model(Arena *a, const QuantizeRequest *q, QuantizeResult *ret, Diag *diag)
{
    Machine *machine;
    Model *given, *prepared;
    Program *assumed = NULL, *program = NULL;
    cJSON *root = NULL;
    bool widened;
    CompileOptions untyped = *q->compile;
    if (q->keeps_floats) /* dimensions and types are in the model that is written */
        untyped.ndim = untyped.ninput_dtype = untyped.noutput_dtype = 0;
    *ret = (QuantizeResult){.symmetric = q->symmetric};
    Status st = machine_load(a, q->compile->target_name, &machine, diag);
    st = st ? st : model_load(a, q->model, q->notes, &given, diag);
    st = st ? st : model_widen(a, &given, &widened, diag);
    if (st)
        return st;
    st = compile_model(a, given, machine, q->compile, NULL, &assumed, diag);
    st = st ? st : refuse_quantized(assumed, diag);
    st = st ? st : prepare_floats(a, q, given, &prepared, diag);
    st = st ? st : compile_model(a, prepared, machine, &untyped, NULL, &assumed, diag);
    ret->assumed = assumed;
    if (!st)
        st = q->ranges ? json_load_strict(q->ranges, RANGES_LIMIT_MIB, &root, diag)
                       : find_ranges(a, q, &untyped, prepared, &root, diag);
    st = st ? st
            : write_codes(a, q, root, q->ranges ? q->ranges : wording_of("the runner"), ret, diag);
    cJSON_Delete(root);
    st = st ? st : compile_model(a, ret->model, machine, &untyped, q->notes, &program, diag);
    ret->program = program;
    return st;
}
