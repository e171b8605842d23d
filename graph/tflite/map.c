/* Maps graphs, operators (by a table), inputs and outputs of a TensorFlow Lite file to ONNX. */
#include "graph/tflite/map.h"
#include "graph/onnx/onnx.h"
#include "graph/tflite/flex.h"
#include "graph/tflite/tflite.h"

enum { OPSET = 13 /* the newest that the vendor's compiler takes */, DEEPEST_COMPOSITE = 16 };

static MapOperator *const by_code[TFL_COUNT] = {
#define TFLITE_OP(number, name, options, map) [number] = map,
#include "graph/tflite/tflite_ops.def"
};

static void map_graph(Mapper *m, TfliteScope *s);

static void enter_scope(Mapper *m, TfliteScope *s, const TfliteGraph *g)
{
    *s = (TfliteScope){.outer = m->scope, .graph = g};
    s->value = ARENA_ARRAY(m->arena, TfliteValue, g->ntensor + 1);
    for (uint32_t i = 0; i < g->ntensor; i++) {
        const TfliteTensor *t = &g->tensor[i];
        TfliteValue *v = &s->value[i];
        *v = (TfliteValue){.tensor = t, .rank = t->rank};
        for (int k = 0; k < t->rank; k++)
            v->shape[k] = t->shape[k];
        v->name = t->has_buffer ? t->name : map_name(m, t->name);
    }
}

/* Boxes, classes, scores and count of detections, whose shapes are in the operator's options.
 * Source: LiteRT kernels/detection_postprocess.cc. */
static void say_detections(Mapper *m, const TfliteOperator *op)
{
    int64_t n = flex_number(op->custom, "max_detections", 0) *
                flex_number(op->custom, "max_classes_per_detection", 1);
    const int64_t shape[4][3] = {{1, n, 4}, {1, n}, {1, n}, {1}};
    static const int rank[4] = {3, 2, 2, 1};
    for (uint32_t i = 0; n > 0 && op->noutput == 4 && i < 4; i++) {
        TfliteValue *v = map_out(m, i);
        if (v->rank > 0)
            continue;
        v->rank = rank[i];
        memcpy(v->shape, shape[i], sizeof shape[i]);
    }
}

/* Keeps the operator as it is, in a separate domain: named, and unknown.  The state that it keeps
 * from one inference to the next is no value of the graph. */
bool map_opaque(Mapper *m, const TfliteOperator *op)
{
    const char **in = ARENA_ARRAY(m->arena, const char *, op->ninput + 1);
    const char **out = ARENA_ARRAY(m->arena, const char *, op->noutput + 1);
    for (uint32_t i = 0; i < op->ninput; i++) {
        TfliteValue *v = map_in(m, i);
        bool own = v && ((v->tensor->is_variable && v->tensor->producer < 0) ||
                         (op->code == TFL_CUSTOM && !tflite_has_value(v->tensor)));
        in[i] = v && !own ? map_value_stored(m, v, PLAIN) : "";
    }
    if (!strcmp(op->name, "TFLite_Detection_PostProcess"))
        say_detections(m, op);
    for (uint32_t i = 0; i < op->noutput; i++) {
        TfliteValue *v = map_out(m, i);
        out[i] = v->stored[PLAIN] = v->name;
        v->real[PLAIN] = NULL;
    }
    map_node(m, (EmitNode){.op = op->name,
                           .domain = "tflite",
                           .ins = in,
                           .nins = op->ninput,
                           .outs = out,
                           .nouts = op->noutput});
    return true;
}

static bool is_open(const Mapper *m, const TfliteGraph *g)
{
    unsigned depth = 0;
    for (const TfliteScope *s = m->scope; s; s = s->outer)
        if (s->graph == g || ++depth > DEEPEST_COMPOSITE)
            return true;
    return false;
}

/* Results of an inner graph are what the operator gives. */
static void hand_out(Mapper *m, const TfliteOperator *op, TfliteScope *inner)
{
    for (uint32_t i = 0; i < op->noutput; i++) {
        TfliteValue *from = &inner->value[inner->graph->output[i]];
        const char *name = map_value_stored(m, from, PLAIN);
        map_node(m, (EmitNode){.name = "result",
                               .op = "Identity",
                               .in = {name},
                               .out = map_out(m, i)->stored[PLAIN] = map_out(m, i)->name});
    }
}

/* Replaces an operator that refers to a graph of the file by that graph. */
bool map_composite(Mapper *m, const TfliteOperator *op)
{
    int32_t index = tflite_option(m->file, op, 1, -1);
    if (index < 1 || (uint32_t)index >= m->file->ngraph)
        return false;
    const TfliteGraph *g = &m->file->graph[index];
    if (is_open(m, g) || g->ninput != op->ninput || g->noutput != op->noutput)
        return false;
    TfliteScope *outer = m->scope, inner;
    enter_scope(m, &inner, g);
    for (uint32_t i = 0; i < g->ninput; i++) {
        TfliteValue *v = map_in(m, i), *to = &inner.value[g->input[i]];
        if (!v)
            return false;
        memcpy(to->stored, v->stored, sizeof v->stored);
        to->stored[PLAIN] = map_value_stored(m, v, PLAIN);
        to->native = v->native;
    }
    m->scope = &inner;
    map_graph(m, &inner);
    m->scope = outer;
    m->op = op;
    hand_out(m, op, &inner);
    return true;
}

static void map_operator(Mapper *m, const TfliteOperator *op)
{
    assert(op->code < TFL_COUNT);
    m->op = op;
    if (m->emit.nnode > ONNX_MAX_INLINED * 2u) {
        map_refuse(m, "is beyond the limit of nodes that graphs within graphs may come to");
        return;
    }
    if (!by_code[op->code](m, op) && !m->status)
        map_opaque(m, op);
    /* What the file says of a result helps where it cannot be worked out. */
    for (uint32_t i = 0; !m->status && i < op->noutput; i++) {
        TfliteValue *v = map_out(m, i);
        if (v->stored[PLAIN] == v->name && v->rank >= 0)
            onnx_emit_value(&m->emit, ONNX_EMIT_VALUE, v->name, v->tensor->dtype, v->shape, NULL,
                            v->rank);
    }
}

static void map_graph(Mapper *m, TfliteScope *s)
{
    for (uint32_t i = 0; i < s->graph->nop && !m->status; i++)
        map_operator(m, &s->graph->op[i]);
}

/* ---- the ends */

static void emit_end(Mapper *m, uint32_t field, const TfliteValue *v, const char *name)
{
    const char *symbol[TFLITE_MAX_RANK] = {0};
    for (int i = 0; i < v->rank; i++)
        if (v->shape[i] < 0 && field == ONNX_EMIT_INPUT)
            symbol[i] = arena_printf(m->arena, "%s_dim%d", name, i);
    onnx_emit_value(&m->emit, field, name, v->tensor->dtype, v->shape, symbol, v->rank);
}

static void emit_inputs(Mapper *m, TfliteScope *s)
{
    const TfliteGraph *g = &m->file->graph[0];
    enter_scope(m, s, g);
    m->scope = s;
    for (uint32_t i = 0; i < g->noutput; i++)
        s->value[g->output[i]].is_output = true;
    for (uint32_t i = 0; i < g->ninput; i++) {
        TfliteValue *v = &s->value[g->input[i]];
        if (v->stored[PLAIN]) /* listed twice */
            continue;
        v->stored[PLAIN] = v->name;
        emit_end(m, ONNX_EMIT_INPUT, v, v->name);
    }
}

/* Each output under its own name, in the file's layout. */
static void emit_outputs(Mapper *m, TfliteScope *s)
{
    m->op = NULL;
    for (uint32_t i = 0; i < s->graph->noutput && !m->status; i++) {
        TfliteValue *v = &s->value[s->graph->output[i]];
        const char *name = map_value_stored(m, v, PLAIN), *wanted = v->name;
        if (v->tensor->is_input || map_value_is_constant(v))
            wanted = map_name(m, arena_printf(m->arena, "%s/out", v->name));
        if (strcmp(name, wanted))
            map_node(m,
                     (EmitNode){.name = "output", .op = "Identity", .in = {name}, .out = wanted});
        emit_end(m, ONNX_EMIT_OUTPUT, v, wanted);
    }
}

static Bytes finish_model(Mapper *m)
{
    const TfliteFile *f = m->file;
    Metadata *p = ARENA_ARRAY(m->arena, Metadata, f->nmetadata + f->nsignature + 2);
    size_t n = 0;
    if (f->description && *f->description)
        p[n++] = (Metadata){"tflite.description", f->description};
    for (uint32_t i = 0; i < f->nmetadata; i++)
        p[n++] = (Metadata){
            arena_printf(m->arena, "tflite.metadata.%s", f->metadata[i].name),
            arena_printf(m->arena, "%llu bytes", (unsigned long long)f->metadata[i].bytes)};
    for (uint32_t i = 0; i < f->nsignature; i++)
        p[n++] = (Metadata){"tflite.signature", f->signature[i]};
    return onnx_emit_model(&m->emit, f->graph[0].name ? f->graph[0].name : "main", "tflite", OPSET,
                           p, n);
}

Status tflite_map(Arena *a, TfliteFile *f, const char *weights, Bytes *ret, Diag *diag)
{
    Mapper m = {.arena = a, .file = f, .diag = diag};
    TfliteScope top;
    onnx_emit_init(&m.emit, a, weights);
    m.emit.domain = "tflite";
    m.emit.domain_version = 3;
    strmap_init(&m.name, a, 4 * (size_t)f->graph[0].ntensor + 64);
    emit_inputs(&m, &top);
    map_graph(&m, &top);
    emit_outputs(&m, &top);
    if (!m.status && f->flat.status)
        m.status = f->flat.status; /* options may be damaged too */
    if (!m.status)
        *ret = finish_model(&m);
    return m.status;
}
