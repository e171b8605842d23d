/* What rules are told of a compiled graph: its times at and beside each limit, its layers by what
 * they are and what they are to each other. */
#include "advisor/advise/compiled/layer_facts.h"
#include "tests/unit/layer_chain.h"
#include "tests/unit/check.h"

#include <string.h>

static Arena *arena;

static EngineStage stage(double mean, double median)
{
    return (EngineStage){.known = true, .n = 9, .mean = mean, .median = median, .cv = 0.01};
}

static xmlDoc *facts_of(Made *m, const LayerTimes *other)
{
    return layer_facts(arena, &m->of, layer_traits_find(arena, &m->of), other);
}

/* "name=value name=value" of a node. */
static const char *attributes(const xmlNode *n)
{
    const char *all = "";
    for (const xmlAttr *x = n ? n->properties : NULL; x; x = x->next)
        all = arena_printf(arena, "%s%s%s=%s", all, *all ? " " : "", (const char *)x->name,
                           (const char *)x->children->content);
    return all;
}

static const xmlNode *child(xmlDoc *doc, const char *name, int at)
{
    for (const xmlNode *n = xmlDocGetRootElement(doc)->children; n; n = n->next)
        if (!strcmp((const char *)n->name, name) && at-- == 0)
            return n;
    return NULL;
}

static const char *value(const xmlNode *n, const char *name)
{
    for (const xmlAttr *x = n ? n->properties : NULL; x; x = x->next)
        if (!strcmp((const char *)x->name, name))
            return arena_strdup(arena, x->children ? (const char *)x->children->content : "");
    return "-";
}

/* ---- times ---- */

static const char *time_of(Made *m, const LayerTimes *other)
{
    xmlDoc *doc = facts_of(m, other);
    const char *text = attributes(child(doc, "time", 0));
    xmlFreeDoc(doc);
    return text;
}

static void times(void)
{
    Made *m = chain(arena, 1, DT_FLOAT16);
    check_same("nothing", time_of(m, NULL), "runs=unknown batch=1");
    m->of.sum_ns = 100;
    m->of.joined_ns = 90;
    m->of.event_ns = 7;
    m->times.iterations = 29;
    m->times.nrow = 1;
    check_same("few runs", time_of(m, NULL),
               "sum-ns=100 event-ns=7 stray-ns=10 runs=29 few-runs=yes batch=1");
    m->times.iterations = 30;
    check_same("enough", time_of(m, NULL), "sum-ns=100 event-ns=7 stray-ns=10 runs=30 batch=1");
    m->of.joined_ns = 100;
    m->of.event_ns = 0;
    /* What layers sum up to is to be what is computed, or up to 5 % more. */
    static const struct {
        double mean;
        const char *expected;
    } check[] = {
        {100, "compute-ns=100 sum-by-compute=1"},
        {100.5, "compute-ns=100.5 sum-by-compute=0.995024876 sum-differs=yes"},
        {96, "compute-ns=96 sum-by-compute=1.04166667"},
        {95, "compute-ns=95 sum-by-compute=1.05263158 sum-differs=yes"},
    };
    for (size_t i = 0; i < sizeof check / sizeof *check; i++) {
        m->times.stage[ENGINE_COMPUTE] = stage(check[i].mean, 100);
        check_same("sum", time_of(m, NULL),
                   arena_printf(arena, "sum-ns=100 %s runs=30 batch=1", check[i].expected));
    }
    m->of.sum_ns = 0;
    m->of.joined_ns = 0;
    check_same("no sum", time_of(m, NULL), "runs=30 batch=1");
}

/* 4 queries of 100 computed in 400 of 500: 25 between two; a tenth is what counts as a gap. */
static void gaps(void)
{
    static const struct {
        double wall, gpu;
        const char *expected;
    } check[] = {
        {500, 400, "wall-ns=500 gpu-ns=400 gap-ns=25 gaps=yes"},
        {1000, 900, "wall-ns=1000 gpu-ns=900 gap-ns=11.1111111"},
        {1000, 899, "wall-ns=1000 gpu-ns=899 gap-ns=11.2347052 gaps=yes"},
        {100, 100, "wall-ns=100 gpu-ns=100"},
        {90, 100, "wall-ns=90 gpu-ns=100"},
        {200, 100, "wall-ns=200 gpu-ns=100 gap-ns=100 gaps=yes"},
        {200, 99, "wall-ns=200 gpu-ns=99 gaps=yes"},
        {0, 100, "gpu-ns=100"},
    };
    for (size_t i = 0; i < sizeof check / sizeof *check; i++) {
        Made *m = chain(arena, 1, DT_FLOAT16);
        m->times.stage[ENGINE_COMPUTE] = stage(100, 100);
        m->times.wall_ns = check[i].wall;
        m->times.gpu_ns = check[i].gpu;
        check_same("gap", time_of(m, NULL),
                   arena_printf(arena, "%s runs=unknown batch=1", check[i].expected));
    }
    Made *m = chain(arena, 1, DT_FLOAT16);
    m->times.wall_ns = 500;
    m->times.gpu_ns = 400;
    check_same("queries unknown", time_of(m, NULL),
               "wall-ns=500 gpu-ns=400 gaps=yes runs=unknown batch=1");
}

static void bounds(void)
{
    Made *m = chain(arena, 1, DT_FLOAT16);
    m->times.stage[ENGINE_COMPUTE] = stage(100, 100);
    m->times.stage[ENGINE_ENQUEUE] = stage(1, 80);
    check_same("enqueued in time", time_of(m, NULL), "runs=unknown batch=1");
    m->times.stage[ENGINE_ENQUEUE] = stage(1, 81);
    check_same("enqueued late", time_of(m, NULL), "enqueue-bound=yes runs=unknown batch=1");
    m->times.stage[ENGINE_COMPUTE].known = false;
    check_same("of what", time_of(m, NULL), "runs=unknown batch=1");
    m = chain(arena, 1, DT_FLOAT16);
    m->times.stage[ENGINE_H2D] = stage(1, 7);
    check_same("of no latency", time_of(m, NULL), "transfers-ns=7 runs=unknown batch=1");
    m->times.stage[ENGINE_D2H] = stage(1, 3);
    m->times.stage[ENGINE_LATENCY] = stage(1, 100);
    check_same("a tenth", time_of(m, NULL),
               "transfers-ns=10 transfer-bound=yes runs=unknown batch=1");
    m->times.stage[ENGINE_LATENCY] = stage(1, 101);
    check_same("less", time_of(m, NULL), "transfers-ns=10 runs=unknown batch=1");
    m = chain(arena, 1, DT_FLOAT16);
    m->times.stage[ENGINE_LATENCY] = stage(1, 0);
    check_same("no transfers", time_of(m, NULL), "runs=unknown batch=1");
    m->times.stage[ENGINE_COMPUTE].cv = 0.025;
    check_same("steady", time_of(m, NULL), "runs=unknown batch=1");
    m->times.stage[ENGINE_COMPUTE].cv = 0.026;
    check_same("unsteady", time_of(m, NULL), "unstable=yes runs=unknown batch=1");
    m->times.stage[ENGINE_COMPUTE].cv = -1;
    m->times.message_count[ENGINE_UNSTABLE] = 1;
    check_same("as the log says", time_of(m, NULL), "unstable=yes runs=unknown batch=1");
}

/* 400 for 4 images is 100 each; alone an image takes 125, so the other batch saves 20 % there. */
static void batches(void)
{
    Made *m = chain(arena, 1, DT_FLOAT16), *other = chain(arena, 1, DT_FLOAT16);
    m->of.sum_ns = m->of.joined_ns = 125;
    other->of.sum_ns = 400;
    other->tensor[0].dim[0] = 4;
    check_same(
        "saves", time_of(m, &other->of),
        "sum-ns=125 runs=unknown batch=1 batch-other=4 per-image-ns=125 per-image-other-ns=100 "
        "batch-saves-ns=25 batch-gains=yes");
    m->of.sum_ns = m->of.joined_ns = 124;
    check_same(
        "saves less", time_of(m, &other->of),
        "sum-ns=124 runs=unknown batch=1 batch-other=4 per-image-ns=124 per-image-other-ns=100 "
        "batch-saves-ns=24");
    other->of.gains = false;
    check_same("not to be told", time_of(m, &other->of), "sum-ns=124 runs=unknown batch=1");
    other->of.gains = true;
    m->of.gains = false;
    check_same("nor here", time_of(m, &other->of), "sum-ns=124 runs=unknown batch=1");
    m->of.gains = true;
    other->tensor[0].dim[0] = 0;
    check_same("no batch there", time_of(m, &other->of), "sum-ns=124 runs=unknown batch=1");
    other->tensor[0].dim[0] = 4;
    m->tensor[0].dim[0] = -1;
    check_same("no batch here", time_of(m, &other->of), "sum-ns=124 runs=unknown");
    m->tensor[0].rank = 0;
    check_same("no dimensions", arena_printf(arena, "%d", (int)layer_facts_batch(&m->graph)), "-1");
    m->tensor[0].rank = 1;
    m->tensor[0].dim[0] = 5;
    m->tensor[0].bound = false;
    check_same("no input", arena_printf(arena, "%d", (int)layer_facts_batch(&m->graph)), "-1");
    m->tensor[0].bound = true;
    check_same("of one dimension", arena_printf(arena, "%d", (int)layer_facts_batch(&m->graph)),
               "5");
}

/* ---- the whole ---- */

static void roots(void)
{
    Made *m = chain(arena, 3, DT_FLOAT32);
    m->ns[0] = 4999;
    m->ns[1] = 5000;
    m->ns[2] = 0;
    m->of.joined = 2;
    m->times.nrow = 4;
    m->of.stray = 1;
    m->graph.ncut = 5;
    m->graph.nsubgraph = 6;
    m->times.version = 805;
    xmlDoc *doc = facts_of(m, NULL);
    check_same(
        "root", attributes(xmlDocGetRootElement(doc)),
        "kind=tensorrt layers=3 joined=2 times=4 strays=1 tiny=1 cuts=5 subgraphs=6 names-only=no "
        "gains=yes log=no streams=one lowest-dtype=float32 version=805");
    xmlFreeDoc(doc);
    static const struct {
        DType dtype;
        const char *lowest;
    } check[] = {{DT_FLOAT16, "float16"}, {DT_BFLOAT16, "float16"},  {DT_INT8, "int8"},
                 {DT_INT4, "int8"},       {DT_FLOAT8E4M3FN, "int8"}, {DT_FLOAT8E5M2, "int8"},
                 {DT_UINT8, "float32"},   {DT_FLOAT4E2M1, "int8"}};
    for (size_t i = 0; i < sizeof check / sizeof *check; i++) {
        m->tensor[1].dtype = check[i].dtype;
        doc = facts_of(m, NULL);
        check_same("lowest", value(xmlDocGetRootElement(doc), "lowest-dtype"), check[i].lowest);
        xmlFreeDoc(doc);
    }
    m = chain(arena, 1, DT_UNKNOWN);
    EngineFile file[2] = {{.kind = ENGINE_PROFILE}, {.kind = ENGINE_METADATA}};
    m->times.file = file;
    m->times.nfile = 2;
    m->op[0].layer.stream = 1;
    m->of.gains = false;
    m->graph.names_only = true;
    m->graph.kind = IMPORT_DOT;
    doc = facts_of(m, NULL);
    check_same(
        "another", attributes(xmlDocGetRootElement(doc)),
        "kind=dot layers=1 joined=0 times=0 strays=0 tiny=0 cuts=0 subgraphs=0 names-only=yes "
        "gains=no log=yes streams=several lowest-dtype=unknown");
    xmlFreeDoc(doc);
    m->op[0].layer.stream = 0;
    m->times.message_count[ENGINE_AUXILIARY] = 1;
    file[1].kind = ENGINE_LOG;
    m->graph.kind = IMPORT_LOWERED;
    doc = facts_of(m, NULL);
    check_same("streams", value(xmlDocGetRootElement(doc), "streams"), "several");
    check_same("log", value(xmlDocGetRootElement(doc), "log"), "yes");
    check_same("kind", value(xmlDocGetRootElement(doc), "kind"), "lowered");
    xmlFreeDoc(doc);
}

static void stages_and_log(void)
{
    Made *m = chain(arena, 1, DT_FLOAT16);
    m->times.stage[ENGINE_H2D] = stage(3, 4);
    m->times.stage[ENGINE_LATENCY] = (EngineStage){.known = true, .mean = 1, .median = 2, .cv = -1};
    EngineOption option[] = {{"build", "precision", "FP16"}};
    EngineMessage message[] = {{ENGINE_UNSTABLE, NULL},
                               {ENGINE_UNSTABLE, NULL},
                               {ENGINE_MISSING_SCALE, "t1"},
                               {ENGINE_MISSING_SCALE, "t2"}};
    m->times.option = option;
    m->times.noption = 1;
    m->times.message = message;
    m->times.nmessage = 4;
    m->times.message_count[ENGINE_UNSTABLE] = 2;
    m->times.message_count[ENGINE_MISSING_SCALE] = 5;
    m->times.message_count[ENGINE_TACTIC_TIMING] = 9;
    LayerIssue issue[] = {{"few", NULL}};
    m->of.issue = issue;
    m->of.nissue = 0;
    xmlDoc *doc = facts_of(m, NULL);
    check_same("stage", attributes(child(doc, "stage", 0)),
               "name=h2d median-ns=4 mean-ns=3 cv=0.01 n=9");
    check_same("of a summary", attributes(child(doc, "stage", 1)),
               "name=latency median-ns=2 mean-ns=1 n=0");
    check_same("no more", attributes(child(doc, "stage", 2)), "");
    check_same("option", attributes(child(doc, "option", 0)),
               "section=build key=precision value=FP16");
    check_same("said once", attributes(child(doc, "message", 0)), "kind=unstable count=2");
    check_same("each tensor", attributes(child(doc, "message", 1)),
               "kind=missing-scale count=5 subject=t1");
    check_same("and the next", attributes(child(doc, "message", 2)),
               "kind=missing-scale count=5 subject=t2");
    check_same("counted alone", attributes(child(doc, "message", 3)), "kind=tactic-timing count=9");
    check_same("and that is all", attributes(child(doc, "message", 4)), "");
    xmlFreeDoc(doc);
}

/* ---- one layer ---- */

static void one_layer(void)
{
    Made *m = chain(arena, 1, DT_INT8);
    m->op[0] = (ImportOp){.name = "a\x01"
                                  "b\x7f"
                                  "c\xff"
                                  "d\xef\xbf\xbf\xc2\xb5",
                          .layer = {.origin = "QDQ",
                                    .tactic = "sm80_imma",
                                    .plugin = "P",
                                    .out_maps = 32,
                                    .groups = 2,
                                    .stream = 3,
                                    .weights = DT_INT8,
                                    .transposes = true,
                                    .pads_lowest = true},
                          .type = "Scale",
                          .work = WORK_COMPUTE,
                          .input = m->in,
                          .output = m->out,
                          .ninput = 1,
                          .noutput = 1};
    m->tensor[0].layout = "CHW 4";
    m->tensor[0].rank = 4;
    memcpy(m->tensor[0].dim, (int64_t[]){1, 16, -1, 224}, 4 * sizeof(int64_t));
    m->tensor[1].rank = -1;
    m->tensor[1].dtype = DT_FLOAT16;
    m->of.sum_ns = m->of.joined_ns = 40;
    m->ns[0] = 10;
    xmlDoc *doc = facts_of(m, NULL);
    check_same(
        "layer", attributes(child(doc, "layer", 0)),
        "id=L0 index=0 name=a?b?c?d?\xc2\xb5 kind=scale work=compute type=Scale in=int8 "
        "out=float16 reads=t0 makes=t1 ns=10 share=0.25 tiny=yes origin=QDQ tactic=sm80_imma "
        "plugin=P groups=2 c=16 k=32 stream=3 transposes=yes pads-lowest=yes weights=int8 "
        "in-format=int8 CHW 4 1x16x?x224 out-format=float16 in-layout=chw_4 out-layout=chw "
        "in-io=int8 out-io=fp16 io-flag=--outputIOFormats io-dtype=int8 io-layout=chw_4 at=both "
        "at-border=yes int8-in=yes tensor-core=yes aligned=yes before= behind=");
    xmlFreeDoc(doc);
    m->ns[0] = 0;
    m->of.sum_ns = 0;
    m->op[0].type = NULL;
    m->op[0].noutput = 0;
    doc = facts_of(m, NULL);
    const xmlNode *n = child(doc, "layer", 0);
    check_same("idle", value(n, "idle"), "yes");
    check_same("not tiny", value(n, "tiny"), "-");
    check_same("no share", value(n, "share"), "-");
    check_same("no type", value(n, "type"), "unknown");
    check_same("makes nothing", value(n, "makes"), "");
    check_same("of no format", value(n, "out-format"), "nothing");
    check_same("at the input", value(n, "at"), "input");
    check_same("flag", value(n, "io-flag"), "--inputIOFormats");
    check_same("type of what is not there", value(n, "io-dtype"), "fp32");
    xmlFreeDoc(doc);
    m->ns[0] = LAYER_UNTIMED;
    doc = facts_of(m, NULL);
    check_same("untimed", value(child(doc, "layer", 0), "ns"), "-");
    check_same("nor idle", value(child(doc, "layer", 0), "idle"), "-");
    xmlFreeDoc(doc);
    static const struct {
        double ns;
        const char *tiny;
    } check[] = {{4999, "yes"}, {5000, "-"}, {0.5, "yes"}};
    for (size_t i = 0; i < sizeof check / sizeof *check; i++) {
        m->ns[0] = check[i].ns;
        doc = facts_of(m, NULL);
        check_same("tiny", value(child(doc, "layer", 0), "tiny"), check[i].tiny);
        xmlFreeDoc(doc);
    }
}

static void names_of_types(void)
{
    static const struct {
        DType dtype;
        const char *name;
    } check[] = {{DT_FLOAT32, "fp32"},     {DT_BFLOAT16, "bf16"}, {DT_INT32, "int32"},
                 {DT_INT64, "int64"},      {DT_UINT8, "uint8"},   {DT_BOOL, "bool"},
                 {DT_FLOAT8E4M3FN, "fp8"}, {DT_STRING, "fp32"}};
    for (size_t i = 0; i < sizeof check / sizeof *check; i++) {
        Made *m = chain(arena, 1, check[i].dtype);
        xmlDoc *doc = facts_of(m, NULL);
        check_same("type", value(child(doc, "layer", 0), "in-io"), check[i].name);
        xmlFreeDoc(doc);
    }
    /* Of several the bound one is named, which trtexec knows. */
    Made *m = chain(arena, 3, DT_FLOAT16);
    uint32_t in[] = {1, 0}, inner[] = {1, 2};
    m->op[2].input = in;
    m->op[2].ninput = 2;
    xmlDoc *doc = facts_of(m, NULL);
    check_same("the bound one", value(child(doc, "layer", 2), "reads"), "t0");
    xmlFreeDoc(doc);
    m->op[2].input = inner;
    doc = facts_of(m, NULL);
    check_same("the first", value(child(doc, "layer", 2), "reads"), "t1");
    check_same("of all behind", value(child(doc, "layer", 0), "behind"), "L1 L2");
    check_same("of all before", value(child(doc, "layer", 2), "before"), "L0 L1");
    check_same("inner", value(child(doc, "layer", 1), "at"), "inner");
    check_same("output", value(child(doc, "layer", 2), "at"), "output");
    xmlFreeDoc(doc);
}

int main(void)
{
    arena = arena_new(0);
    times();
    gaps();
    bounds();
    batches();
    roots();
    stages_and_log();
    one_layer();
    names_of_types();
    arena_free(arena);
    return check_failures() != 0;
}
