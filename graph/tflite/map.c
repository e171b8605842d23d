/* Maps graphs, operators (by a table), inputs and outputs of a TensorFlow Lite file to ONNX. */
#include "graph/tflite/map.h"
#include "graph/onnx/onnx.h"
#include "graph/onnx/pb_writer.h"
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

/* A node whose results are the operator's as they are. */
static void emit_whole(Mapper *m, const TfliteOperator *op, EmitNode n)
{
    const char **out = ARENA_ARRAY(m->arena, const char *, op->noutput + 1);
    for (uint32_t i = 0; i < op->noutput; i++) {
        TfliteValue *v = map_out(m, i);
        out[i] = v->stored[PLAIN] = v->name;
        v->real[PLAIN] = NULL;
    }
    n.outs = out;
    n.nouts = op->noutput;
    map_node(m, n);
}

/* Keeps the operator as it is, in a separate domain: named, and unknown.  The state that it keeps
 * from one inference to the next is no value of the graph. */
bool map_opaque(Mapper *m, const TfliteOperator *op)
{
    const char **in = ARENA_ARRAY(m->arena, const char *, op->ninput + 1);
    for (uint32_t i = 0; i < op->ninput; i++) {
        TfliteValue *v = map_in(m, i);
        bool own = v && ((v->tensor->is_variable && v->tensor->producer < 0) ||
                         (op->code == TFL_CUSTOM && !tflite_has_value(v->tensor)));
        in[i] = v && !own ? map_value_stored(m, v, PLAIN) : "";
    }
    if (!strcmp(op->name, "TFLite_Detection_PostProcess"))
        say_detections(m, op);
    emit_whole(m, op,
               (EmitNode){.op = op->name, .domain = "tflite", .ins = in, .nins = op->ninput});
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

/* The graph of the file that the option names; NULL when it does not fit. */
static const TfliteGraph *inner_graph(const Mapper *m, const TfliteOperator *op, unsigned option,
                                      uint32_t ninput, uint32_t noutput)
{
    int32_t index = tflite_option(m->file, op, option, -1);
    const TfliteGraph *g =
        index < 1 || (uint32_t)index >= m->file->ngraph ? NULL : &m->file->graph[index];
    return g && !is_open(m, g) && g->ninput == ninput && g->noutput == noutput ? g : NULL;
}

/* What the operator reads from input `from` on, as stored; NULL when one is left out. */
static TfliteValue **inner_inputs(Mapper *m, const TfliteOperator *op, uint32_t from)
{
    TfliteValue **in = ARENA_ARRAY(m->arena, TfliteValue *, op->ninput + 1);
    for (uint32_t i = from; i < op->ninput; i++) {
        if (!(in[i - from] = map_in(m, i)))
            return NULL;
        map_value_stored(m, in[i - from], PLAIN);
    }
    return in;
}

static void map_inner(Mapper *m, const TfliteOperator *op, const TfliteGraph *g,
                      TfliteValue *const *in, TfliteScope *inner)
{
    TfliteScope *outer = m->scope;
    enter_scope(m, inner, g);
    for (uint32_t i = 0; i < g->ninput; i++) {
        TfliteValue *to = &inner->value[g->input[i]];
        memcpy(to->stored, in[i]->stored, sizeof to->stored);
        to->native = in[i]->native;
    }
    m->scope = inner;
    map_graph(m, inner);
    m->scope = outer;
    m->op = op;
}

/* Replaces an operator that refers to a graph of the file by that graph. */
bool map_composite(Mapper *m, const TfliteOperator *op)
{
    const TfliteGraph *g = inner_graph(m, op, 1, op->ninput, op->noutput);
    TfliteValue **in = g ? inner_inputs(m, op, 0) : NULL;
    TfliteScope inner;
    if (!in)
        return false;
    map_inner(m, op, g, in, &inner);
    hand_out(m, op, &inner);
    return true;
}

/* ---- bodies: they read the values around them by their names */

static PbWriter begin_body(Mapper *m)
{
    const PbWriter around = m->emit.graph;
    pb_writer_init(&m->emit.graph, m->arena);
    return around;
}

static void emit_body_output(Mapper *m, TfliteValue *v)
{
    const char *name = map_value_stored(m, v, PLAIN), *out = map_between(m, "result");
    map_node(m, (EmitNode){.name = "result", .op = "Identity", .in = {name}, .out = out});
    onnx_emit_value(&m->emit, ONNX_EMIT_OUTPUT, out, v->tensor->dtype, v->shape, NULL, v->rank);
}

static Attr end_body(Mapper *m, const char *name, const PbWriter *around)
{
    const Attr a = emit_graph(name, onnx_emit_body(&m->emit, name));
    m->emit.graph = *around;
    return a;
}

bool map_if(Mapper *m, const TfliteOperator *op)
{
    static const char *const name[2] = {"then_branch", "else_branch"};
    TfliteValue **in = op->ninput && map_in(m, 0) ? inner_inputs(m, op, 1) : NULL;
    EmitNode n = {.op = "If"};
    for (unsigned k = 0; k < 2; k++) {
        const TfliteGraph *g = in ? inner_graph(m, op, k, op->ninput - 1, op->noutput) : NULL;
        TfliteScope inner;
        if (!g)
            return false;
        const PbWriter around = begin_body(m);
        map_inner(m, op, g, in, &inner);
        for (uint32_t i = 0; i < g->noutput; i++)
            emit_body_output(m, &inner.value[g->output[i]]);
        n.attribute[k] = end_body(m, name[k], &around);
    }
    n.in[0] = map_value_stored(m, map_in(m, 0), PLAIN);
    emit_whole(m, op, n);
    return true;
}

/* The values that the body of a loop begins with. */
static TfliteValue **begin_loop(Mapper *m, const TfliteGraph *g, TfliteScope *s)
{
    TfliteValue **in = ARENA_ARRAY(m->arena, TfliteValue *, g->ninput + 1);
    enter_scope(m, s, g);
    onnx_emit_value(&m->emit, ONNX_EMIT_INPUT, map_between(m, "turn"), DT_INT64, NULL, NULL, 0);
    onnx_emit_value(&m->emit, ONNX_EMIT_INPUT, map_between(m, "goes_on"), DT_BOOL, NULL, NULL, 0);
    for (uint32_t i = 0; i < g->ninput; i++) {
        TfliteValue *v = in[i] = &s->value[g->input[i]];
        v->stored[PLAIN] = v->name;
        onnx_emit_value(&m->emit, ONNX_EMIT_INPUT, v->name, v->tensor->dtype, v->shape, NULL,
                        v->rank);
    }
    return in;
}

/* The condition is asked before the first turn, and at the end of each. */
bool map_while(Mapper *m, const TfliteOperator *op)
{
    const TfliteGraph *test = inner_graph(m, op, 0, op->ninput, 1),
                      *turn = inner_graph(m, op, 1, op->ninput, op->noutput);
    TfliteValue **in = test && turn ? inner_inputs(m, op, 0) : NULL;
    TfliteScope first, state, body, last;
    if (!in || op->ninput != op->noutput)
        return false;
    const char **name = ARENA_ARRAY(m->arena, const char *, op->ninput + 2);
    map_inner(m, op, test, in, &first);
    name[0] = "";
    name[1] = map_value_stored(m, &first.value[test->output[0]], PLAIN);
    for (uint32_t i = 0; i < op->ninput; i++)
        name[i + 2] = in[i]->stored[PLAIN];
    const PbWriter around = begin_body(m);
    map_inner(m, op, turn, begin_loop(m, turn, &state), &body);
    for (uint32_t i = 0; i < op->noutput; i++) {
        in[i] = &body.value[turn->output[i]];
        map_value_stored(m, in[i], PLAIN);
    }
    map_inner(m, op, test, in, &last);
    emit_body_output(m, &last.value[test->output[0]]);
    for (uint32_t i = 0; i < op->noutput; i++)
        emit_body_output(m, in[i]);
    emit_whole(m, op,
               (EmitNode){.op = "Loop",
                          .ins = name,
                          .nins = op->ninput + 2,
                          .attribute = {end_body(m, "body", &around)}});
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
