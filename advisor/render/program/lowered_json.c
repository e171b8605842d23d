/* Writes a compiled program as JSON; the schema is docs/schema/lowered.json. */
#include "advisor/render/program/lowered.h"
#include "advisor/message/json.h"

#include "graph/compile/machine.h"
#include "graph/compile/options.h"
#include "graph/compile/program.h"
#include "graph/model/dtype.h"
#include "graph/model/model.h"
#include "advisor/render/program/lowered_rows.def"

#define ROW(add, key, value) add(o, key, value);

static void add_number(cJSON *to, const char *key, int64_t v)
{
    json_add_number(to, key, (double)v);
}

/* ---- nodes: labels for people, positions in the file for programs ---- */

static void add_nodes(cJSON *o, const Program *p, const NodeId *node, uint32_t n)
{
    cJSON *labels = cJSON_AddArrayToObject(o, "onnx");
    cJSON *places = cJSON_AddArrayToObject(o, "nodes");
    for (uint32_t i = 0; i < n; i++) {
        const Node *x = &p->model->graph->node[node[i]];
        cJSON_AddItemToArray(labels, cJSON_CreateString(node_label(p->arena, x)));
        cJSON_AddItemToArray(places, cJSON_CreateNumber(x->order));
    }
}

/* ---- tensors ---- */

/* On the NPU is what a transfer put there or the NPU made. */
static const char *tensor_place(const Program *p, const PTensor *t)
{
    StepKind k = t->producer == STEP_NONE ? STEP_HOST : p->step[t->producer].kind;
    return k == STEP_H2D || k == STEP_NPU ? "npu" : "host";
}

static cJSON *axes_json(const int64_t *v, size_t n)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < n; i++)
        cJSON_AddItemToArray(list, cJSON_CreateNumber((double)v[i]));
    return list;
}

static cJSON *tensor_json(const Program *p, const PTensor *t)
{
    cJSON *o = cJSON_CreateObject();
    const int64_t shape[] = {t->n, t->c, t->h, t->w};
    TENSOR_JSON(ROW)
    json_add_number(o, "producer", t->producer == STEP_NONE ? (double)NAN : t->producer);
    return o;
}

/* ---- low-level ops ---- */

static cJSON *lowop_json(const Program *p, const LowOp *op)
{
    cJSON *o = cJSON_CreateObject();
    const int64_t out[] = {op->n, op->c_out, op->h_out, op->w_out};
    const int64_t in[] = {op->c_in, op->h_in, op->w_in};
    const int64_t kernel[] = {op->kernel_h, op->kernel_w};
    const int64_t stride[] = {op->stride_h, op->stride_w};
    const int64_t dilation[] = {op->dilation_h, op->dilation_w};
    LowOpCycles cycles = program_lowop_cycles(p->machine, op);
    add_number(o, "id", op->id);
    json_add_text(o, "kind", program_lowop_name(op->kind));
    add_nodes(o, p, op->node, op->nnode);
    LOWOP_JSON(ROW)
    return o;
}

/* ---- steps ---- */

static void add_io(cJSON *o, const Step *s)
{
    static const char *const io[] = {
        [IO_NONE] = NULL, [IO_INPUT] = "input", [IO_OUTPUT] = "output"};
    json_add_text(o, "io", io[s->io]);
    json_add_number(o, "io_index", s->io == IO_NONE ? (double)NAN : s->io_index);
}

static void add_message(cJSON *o, const char *key, const Program *p, const Message *said)
{
    json_add_text(o, key, said ? message_format(p->arena, NULL, said) : NULL);
}

static cJSON *step_json(const Program *p, const Step *s)
{
    cJSON *o = cJSON_CreateObject();
    add_number(o, "id", s->id);
    json_add_text(o, "kind", step_kind_name(s->kind));
    json_add_text(o, "op", s->op);
    add_nodes(o, p, s->node, s->nnode);
    json_add_text(o, "reason", s->kind == STEP_HOST ? reason_key(s->reason) : NULL);
    if (s->type != QUANTIZED_UNKNOWN)
        json_add_text(o, "type", quantized_type_name(s->type));
    if (s->place_unknown)
        cJSON_AddBoolToObject(o, "place_known", false);
    add_message(o, "why", p, s->why);
    add_message(o, "nearest", p, s->nearest);
    add_io(o, s);
    STEP_JSON(ROW)
    json_add_number(o, "segment", s->kind == STEP_NPU ? s->segment : (double)NAN);
    cJSON *low = cJSON_AddArrayToObject(o, "lowlevel");
    for (uint32_t i = 0; i < s->nop; i++)
        cJSON_AddItemToArray(low, lowop_json(p, &p->op[s->first_op + i]));
    return o;
}

/* ---- the whole ---- */

static cJSON *summary_json(const Program *p)
{
    const ProgramSummary *s = &p->summary;
    cJSON *o = cJSON_CreateObject();
    add_number(o, "segments", s->segments);
    add_number(o, "host_steps", s->host_steps);
    if (s->unknown_places)
        add_number(o, "unknown_places", s->unknown_places);
    if (s->refused_ops)
        add_number(o, "refused_operators", s->refused_ops);
    SUMMARY_JSON(ROW)
    return o;
}

static cJSON *folded_json(const Program *p)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < p->nfolded; i++) {
        const Node *n = &p->model->graph->node[p->folded[i].node];
        cJSON *o = json_add_row(list);
        json_add_text(o, "node", node_label(p->arena, n));
        add_number(o, "index", n->order);
        json_add_text(o, "reason", p->folded[i].reason);
    }
    return list;
}

static cJSON *boxes_json(const Program *p)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < p->nbox; i++) {
        const SramBox *b = &p->box[i];
        cJSON *o = json_add_row(list);
        json_add_text(o, "kind", b->weight ? "weight" : "activation");
        json_add_text(o, "tensor",
                      b->tensor == TENSOR_NONE ? NULL : p->model->graph->tensor[b->tensor].name);
        add_number(o, "address", b->address);
        add_number(o, "bytes", b->bytes);
        add_number(o, "first", b->first);
        add_number(o, "last", b->last);
    }
    return list;
}

static void add_header(cJSON *o, const Program *p)
{
    size_t noption;
    const char **option = compile_options_argv(p->arena, &p->options, &noption);
    add_number(o, "schema_version", 1);
    json_add_text(o, "target", p->options.target);
    json_add_text(o, "sdk", sdk_text(p->options.sdk));
    add_number(o, "batch", p->options.batch);
    add_number(o, "images", p->images);
    json_add_text(o, "precision", precision_name(p->precision));
    json_add_texts(o, "options", option, noption);
    if (p->refused)
        add_message(o, "refused", p, p->refused);
    cJSON_AddItemToObject(o, "summary", summary_json(p));
    cJSON *cover = cJSON_AddObjectToObject(o, "coverage");
    add_number(cover, "nodes", (int64_t)p->nodes);
    add_number(cover, "nodes_known", (int64_t)p->nodes_known);
    json_add_texts(cover, "unknown_ops", p->unknown_op, p->nunknown_op);
}

cJSON *lowered_json(const Program *p)
{
    cJSON *o = cJSON_CreateObject();
    add_header(o, p);
    cJSON *tensors = cJSON_AddArrayToObject(o, "tensors");
    for (size_t i = 0; i < p->ntensor; i++)
        cJSON_AddItemToArray(tensors, tensor_json(p, &p->tensor[i]));
    cJSON *steps = cJSON_AddArrayToObject(o, "steps");
    for (size_t i = 0; i < p->nstep; i++)
        cJSON_AddItemToArray(steps, step_json(p, &p->step[i]));
    cJSON_AddItemToObject(o, "folded", folded_json(p));
    cJSON_AddItemToObject(o, "sram", boxes_json(p));
    return o;
}
