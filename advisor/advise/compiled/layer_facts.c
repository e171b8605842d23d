/* Writes the layers, times, options and messages of an engine as elements of one XML tree. */
#include "advisor/advise/compiled/layer_facts.h"

#include "advisor/advise/compiled/engine_shapes.h"
#include "advisor/advise/compiled/layer_rows.def"
#include "advisor/advise/compiled/table_traits.h"
#include "advisor/rules/facts.h"
#include "cost_model/match/row_match.h"
#include "advisor/rules/rule.h"
#include "graph/model/dtype.h"

typedef struct {
    Arena *a;
    const LayerTimes *t, *other;
    const LayerTraits *look;
    xmlDoc *doc;
} Facts;

const char *layer_facts_import_key(ImportKind k)
{
    static const char *const key[] = {[IMPORT_LOWERED] = "lowered",
                                      [IMPORT_DOT] = "dot",
                                      [IMPORT_TENSORRT] = "tensorrt",
                                      [IMPORT_RKNN] = "rknn"};
    assert((unsigned)k < sizeof key / sizeof *key && key[k]);
    return key[k];
}

/* ---- attributes ---- */

enum { TEXT = 2048 };

static void set_attribute(xmlNode *n, const char *name, const char *value)
{
    char clean[TEXT];
    facts_clean_text(value ? value : "", clean, sizeof clean);
    xmlNewProp(n, (const xmlChar *)name, (const xmlChar *)clean);
}

typedef struct {
    const char *name;
    bool on;
} Flag;

/* Each that is on, as "yes". */
static void set_flags(xmlNode *n, const Flag *flag, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (flag[i].on)
            set_attribute(n, flag[i].name, "yes");
}
#define SET_FLAGS(n, ...)                                                                          \
    set_flags((n), (const Flag[]){__VA_ARGS__}, sizeof((const Flag[]){__VA_ARGS__}) / sizeof(Flag))

static void set_number(xmlNode *n, const char *name, double value)
{
    char text[48];
    snprintf(text, sizeof text, "%.9g", value);
    set_attribute(n, name, text);
}

/* Each left out when it is not known. */
static void set_known_text(xmlNode *n, const char *name, const char *value)
{
    if (value)
        set_attribute(n, name, value);
}

static void set_known(xmlNode *n, const char *name, double value)
{
    if (value > 0)
        set_number(n, name, value);
}

#define ROW(set, name, value) set_##set(n, name, value);

static xmlNode *add_element(xmlNode *parent, const char *name)
{
    return xmlNewChild(parent, NULL, (const xmlChar *)name, NULL);
}

/* ---- the whole ---- */

/* The least precise type that any layer computes in. */
static const char *lowest_dtype(const Facts *f)
{
    bool quantized = false, half = false, real = false;
    const Imported *g = f->t->graph;
    for (size_t t = 0; t < g->ntensor; t++) {
        DType d = g->tensor[t].dtype;
        quantized |= layer_is_quantized_type(d);
        half |= d == DT_FLOAT16 || d == DT_BFLOAT16;
        real |= d == DT_FLOAT32;
    }
    return quantized ? "int8" : half ? "float16" : real ? "float32" : "unknown";
}

/* Time without computing per query. */
static double gap_ns(const EngineTimes *t)
{
    const EngineStage *c = &t->stage[ENGINE_COMPUTE];
    double queries = c->known && c->mean > 0 ? t->gpu_ns / c->mean : 0;
    return queries >= 1 && t->wall_ns > t->gpu_ns ? (t->wall_ns - t->gpu_ns) / queries : 0;
}

int64_t layer_facts_batch(const Imported *g)
{
    return LIST_VALUE(i, g->ntensor,
                      g->tensor[i].bound && g->tensor[i].producer == IMPORT_NONE &&
                          g->tensor[i].rank > 0,
                      g->tensor[i].dim[0], -1);
}

/* The time per image of the same model at another batch. */
static void add_other(const Facts *f, xmlNode *time)
{
    double batch = (double)layer_facts_batch(f->t->graph),
           other = f->other ? (double)layer_facts_batch(f->other->graph) : 0;
    set_known(time, "batch", batch);
    if (batch < 1 || other < 1 || !f->other->gains || !f->t->gains)
        return;
    double each = f->t->sum_ns / batch, there = f->other->sum_ns / other;
    set_number(time, "batch-other", other);
    set_number(time, "per-image-ns", each);
    set_number(time, "per-image-other-ns", there);
    set_known(time, "batch-saves-ns", (each - there) * batch);
    SET_FLAGS(time, {"batch-gains", there <= 0.8 * each});
}

static void add_time(const Facts *f, xmlNode *root)
{
    const EngineTimes *t = f->t->times;
    const EngineStage *s = t->stage;
    xmlNode *n = add_element(root, "time");
    set_known(n, "sum-ns", f->t->sum_ns);
    set_known(n, "event-ns", f->t->event_ns);
    set_known(n, "stray-ns", f->t->sum_ns - f->t->joined_ns);
    set_known(n, "wall-ns", t->wall_ns);
    set_known(n, "gpu-ns", t->gpu_ns);
    set_known(n, "gap-ns", gap_ns(t));
    SET_FLAGS(n, {"gaps", t->wall_ns > 0 && t->gpu_ns < 0.9 * t->wall_ns});
    if (s[ENGINE_COMPUTE].known && f->t->sum_ns > 0) {
        set_number(n, "compute-ns", s[ENGINE_COMPUTE].mean);
        double ratio = f->t->sum_ns / s[ENGINE_COMPUTE].mean;
        set_number(n, "sum-by-compute", ratio);
        SET_FLAGS(n, {"sum-differs", ratio < 1.0 || ratio > 1.05});
    }
    /* trtexec's own limit for its warning. */
    SET_FLAGS(n, {"enqueue-bound", s[ENGINE_ENQUEUE].known && s[ENGINE_COMPUTE].known &&
                                       s[ENGINE_ENQUEUE].median > 0.8 * s[ENGINE_COMPUTE].median});
    double transfers = (s[ENGINE_H2D].known ? s[ENGINE_H2D].median : 0) +
                       (s[ENGINE_D2H].known ? s[ENGINE_D2H].median : 0);
    set_known(n, "transfers-ns", transfers);
    SET_FLAGS(n,
              {"transfer-bound", s[ENGINE_LATENCY].known &&
                                     transfers >= 0.1 * s[ENGINE_LATENCY].median && transfers > 0},
              {"unstable",
               s[ENGINE_COMPUTE].cv > LAYER_UNSTABLE_CV || t->message_count[ENGINE_UNSTABLE]});
    set_attribute(n, "runs", t->iterations ? arena_printf(f->a, "%zu", t->iterations) : "unknown");
    SET_FLAGS(n, {"few-runs", t->nrow && t->iterations < LAYER_ENOUGH_RUNS});
    add_other(f, n);
}

static bool has_log(const EngineTimes *t)
{
    return LIST_ANY(i, t->nfile,
                    t->file[i].kind == ENGINE_LOG || t->file[i].kind == ENGINE_METADATA);
}

static void add_stages(const Facts *f, xmlNode *root)
{
    for (int i = 0; i < ENGINE_STAGE_COUNT; i++) {
        const EngineStage *s = &f->t->times->stage[i];
        if (!s->known)
            continue;
        xmlNode *n = add_element(root, "stage");
        set_attribute(n, "name", engine_stage_key((EngineStageKind)i));
        set_number(n, "median-ns", s->median);
        set_number(n, "mean-ns", s->mean);
        if (s->cv >= 0)
            set_number(n, "cv", s->cv);
        set_number(n, "n", (double)s->n);
    }
}

static void add_log(const Facts *f, xmlNode *root)
{
    const EngineTimes *t = f->t->times;
    for (size_t i = 0; i < t->noption; i++) {
        xmlNode *n = add_element(root, "option");
        set_attribute(n, "section", t->option[i].section);
        set_attribute(n, "key", t->option[i].key);
        set_attribute(n, "value", t->option[i].value);
    }
    bool told[ENGINE_MESSAGE_COUNT] = {false};
    for (size_t i = 0; i < t->nmessage; i++) {
        EngineMessageKind k = t->message[i].kind;
        if (told[k] && !t->message[i].subject)
            continue;
        xmlNode *n = add_element(root, "message");
        set_attribute(n, "kind", engine_message_key(k));
        set_number(n, "count", (double)t->message_count[k]);
        set_known_text(n, "subject", t->message[i].subject);
        told[k] = true;
    }
    if (t->message_count[ENGINE_TACTIC_TIMING]) {
        xmlNode *n = add_element(root, "message");
        set_attribute(n, "kind", engine_message_key(ENGINE_TACTIC_TIMING));
        set_number(n, "count", (double)t->message_count[ENGINE_TACTIC_TIMING]);
    }
}

static void add_shapes(const Facts *f, xmlNode *root)
{
    size_t n;
    const EngineShape *s = engine_shapes(f->a, f->t->times, &n);
    for (size_t i = 0; i < n; i++) {
        xmlNode *x = add_element(root, "shape");
        set_attribute(x, "name", s[i].name);
        set_attribute(x, "min", s[i].min);
        set_attribute(x, "opt", s[i].opt);
        set_attribute(x, "max", s[i].max);
        set_attribute(x, "run", s[i].run ? s[i].run : s[i].opt);
        SET_FLAGS(x, {"off-opt", s[i].off_opt}, {"wide", s[i].wide});
    }
}

/* ---- layers ---- */

static const char *layer_ids_text(const Facts *f, const uint32_t *list, size_t n)
{
    char *text = arena_alloc(f->a, 12 * n + 1), *at = text;
    for (size_t i = 0; i < n; i++)
        at += sprintf(at, "%sL%" PRIu32, i ? " " : "", list[i]);
    *at = '\0';
    return text;
}

static const char *extents_text(Arena *a, const ImportTensor *t)
{
    const char *text = "";
    for (int i = 0; t && i < t->rank; i++)
        text = t->dim[i] < 0 ? arena_printf(a, "%s%s?", text, i ? "x" : "")
                             : arena_printf(a, "%s%s%" PRId64, text, i ? "x" : "", t->dim[i]);
    return text;
}

/* "int8 CHW4 1x3x224x224" */
static const char *format_text(Arena *a, const Imported *g, const uint32_t *id, size_t n)
{
    const ImportTensor *t = n ? &g->tensor[id[0]] : NULL;
    if (!t)
        return "nothing";
    return arena_printf(a, "%s%s%s%s%s", dtype_name(t->dtype), t->layout ? " " : "",
                        t->layout ? t->layout : "", t->rank > 0 ? " " : "", extents_text(a, t));
}

/* trtexec spells layouts in lower case: hwc8, chw32. */
static const char *io_layout(Arena *a, const char *layout)
{
    if (!layout)
        return "chw";
    char *s = arena_strdup(a, layout);
    for (char *c = s; *c; c++)
        *c = *c == ' ' ? '_' : (char)tolower((unsigned char)*c);
    return s;
}

static const char *io_dtype(DType t)
{
    static const struct {
        DType t;
        const char *name;
    } name[] = {{DT_FLOAT32, "fp32"}, {DT_FLOAT16, "fp16"}, {DT_BFLOAT16, "bf16"},
                {DT_INT8, "int8"},    {DT_INT32, "int32"},  {DT_INT64, "int64"},
                {DT_UINT8, "uint8"},  {DT_BOOL, "bool"},    {DT_FLOAT8E4M3FN, "fp8"}};
    return LIST_VALUE(i, sizeof name / sizeof *name, name[i].t == t, name[i].name, "fp32");
}

/* Tensors of layers here are named by TensorRT: the first that is bound, else the first. */
static const char *bound_name(const Imported *g, const uint32_t *id, size_t n)
{
    return LIST_VALUE(i, n, g->tensor[id[i]].bound, g->tensor[id[i]].name,
                      n ? g->tensor[id[0]].name : "");
}

static bool is_tiny(double ns)
{
    return ns > 0 && ns < 5000;
}

static void set_times(const Facts *f, xmlNode *n, size_t i)
{
    double ns = f->t->ns[i];
    if (ns < 0)
        return;
    set_number(n, "ns", ns);
    if (f->t->sum_ns > 0)
        set_number(n, "share", ns / f->t->sum_ns);
    SET_FLAGS(n, {"idle", ns == 0}, {"tiny", is_tiny(ns)});
}

static void set_relations(const Facts *f, xmlNode *n, const LayerTraits *x)
{
    set_attribute(n, "at",
                  x->at_input    ? x->at_output ? "both" : "input"
                  : x->at_output ? "output"
                                 : "inner");
    SET_FLAGS(n, {"at-border", x->at_border}, {"int8-in", x->quantized_in},
              {"int8-out", x->quantized_out}, {"float", x->is_float}, {"island", x->island},
              {"falls-out", x->falls_out}, {"behind-transpose", x->behind_transpose},
              {"batch-norm", x->batch_norm}, {"norm-plugin", x->norm_plugin},
              {"norm-scale", x->norm_scale}, {"attention", x->attention},
              {"missing-scale", x->missing_scale}, {"dla-border", x->on_dla_border},
              {"fell-back", x->fell_back});
    set_attribute(n, "tensor-core", layer_answer_key(x->tensor_core));
    set_attribute(n, "aligned", layer_answer_key(x->aligned));
    set_attribute(n, "before", layer_ids_text(f, x->before, x->nbefore));
    set_attribute(n, "behind", layer_ids_text(f, x->behind, x->nbehind));
}

static void set_parameters(const Facts *f, xmlNode *n, const ImportOp *op, const LayerTraits *x)
{
    const ImportLayer *p = &op->layer;
    PARAMETER_FACTS(ROW)
    SET_FLAGS(n, {"transposes", x->transposes}, {"pads-lowest", p->pads_lowest});
    TYPE_FACTS(ROW)
    /* The format of the inner side, for trtexec. */
    set_attribute(n, "io-flag", x->at_output ? "--outputIOFormats" : "--inputIOFormats");
    set_attribute(n, "io-dtype", io_dtype(x->at_output ? x->in : x->out));
    set_attribute(n, "io-layout", io_layout(f->a, x->at_output ? x->in_layout : x->out_layout));
}

/* What accuracy_analysis says of the row's node, or the settings of hybrid quantization of its
 * tensor; the tensor has the node's name and a suffix, a conversion that of its tensor. */
static void set_loss(const Facts *f, xmlNode *n, const char *name)
{
    const RknnLog *log = &f->t->graph->rknn->log;
    const char *conversion = strstr(name, "__cvt_");
    if (conversion)
        name = arena_strndup(f->a, name, (size_t)(conversion - name));
    const RknnLoss *of[2] = {NULL, NULL};
    for (size_t i = log->nloss; i-- > 0;)
        if (match_row_is_called(log->loss[i].tensor, name))
            of[log->loss[i].float_by != NULL] = &log->loss[i];
    if (of[0])
        set_number(n, "cosine", of[0]->cosine);
    if (of[1])
        set_attribute(n, "float-by", of[1]->float_by);
}

/* What a table of RKNN says of its row. */
static void set_row(const Facts *f, xmlNode *n, size_t i)
{
    const RknnRow *row = &f->t->graph->rknn->row[i];
    const TableRow *x = &f->t->table->row[i];
    ROW_FACTS(ROW)
    if (x->cin > 0)
        set_attribute(n, "kernel", arena_printf(f->a, "%dx%d", (int)x->kernel_h, (int)x->kernel_w));
    set_loss(f, n, f->t->graph->op[i].name);
    ROW_TIMES(ROW)
    SET_FLAGS(n, {"depthwise", x->depthwise}, {"first", x->first}, {"tail", x->tail},
              {"splits", x->splits}, {"unsteady", x->unsteady});
}

/* What it says as a whole; versions also as numbers that grow with them. */
static void set_table(const Facts *f, xmlNode *n)
{
    static const char *const name[] = {"toolkit", "runtime", "driver"};
    const TableTraits *x = f->t->table;
    for (int w = RKNN_TOOLKIT; w <= RKNN_DRIVER; w++) {
        const char *text = x->table->log.word[w];
        set_known_text(n, name[w], text);
        if (text)
            set_number(n, arena_printf(f->a, "%s-number", name[w]), rule_version("rknn", text));
    }
    TABLE_FACTS(ROW)
    for (int s = 0; s < STAGE_COUNT; s++)
        if (f->t->stage_ns[s])
            set_number(n, arena_printf(f->a, "%s-ns", application_stage_name((ApplicationStage)s)),
                       (double)f->t->stage_ns[s]);
    set_attribute(n, "timed", x->table->timed ? "yes" : "no");
}

static void add_layer(const Facts *f, xmlNode *root, size_t i)
{
    const ImportOp *op = &f->t->graph->op[i];
    const LayerTraits *x = &f->look[i];
    char id[32];
    xmlNode *n = add_element(root, "layer");
    snprintf(id, sizeof id, "L%zu", i);
    xmlAttr *attr = xmlNewProp(n, (const xmlChar *)"id", (const xmlChar *)id);
    xmlAddID(NULL, f->doc, (const xmlChar *)id, attr);
    LAYER_FACTS(ROW)
    set_times(f, n, i);
    if (f->t->table)
        set_row(f, n, i);
    set_parameters(f, n, op, x);
    set_relations(f, n, x);
}

static void add_root(const Facts *f, xmlNode *n)
{
    const Imported *g = f->t->graph;
    const EngineTimes *t = f->t->times;
    size_t tiny = 0;
    bool streams = t->message_count[ENGINE_AUXILIARY] > 0;
    for (size_t i = 0; i < g->nop; i++) {
        tiny += is_tiny(f->t->ns[i]);
        streams |= g->op[i].layer.stream > 0;
    }
    GRAPH_FACTS(ROW)
    if (f->t->table)
        set_table(f, n);
}

xmlDoc *layer_facts(Arena *a, const LayerTimes *t, const LayerTraits *look, const LayerTimes *other)
{
    Facts f = {a, t, other, look, xmlNewDoc((const xmlChar *)"1.0")};
    xmlNode *root = xmlNewNode(NULL, (const xmlChar *)"facts");
    xmlDocSetRootElement(f.doc, root);
    add_root(&f, root);
    add_time(&f, root);
    add_stages(&f, root);
    add_log(&f, root);
    add_shapes(&f, root);
    for (size_t i = 0; i < t->nissue; i++) {
        xmlNode *n = add_element(root, "issue");
        set_attribute(n, "code", t->issue[i].code);
        set_attribute(n, "text", message_format(a, NULL, t->issue[i].said));
        facts_attach_message(n, "text", t->issue[i].said);
    }
    for (size_t i = 0; i < t->graph->nop; i++)
        add_layer(&f, root, i);
    return f.doc;
}
