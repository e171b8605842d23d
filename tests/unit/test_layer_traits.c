/* What the layers of a compiled graph are, by the words of their types, and to each other. */
#include "advisor/advise/compiled/layer_traits.h"
#include "tests/unit/check.h"
#include "tests/unit/layer_chain.h"

#include <string.h>

static Arena *arena;

static LayerTraits *look(Made *m)
{
    return layer_traits_find(arena, &m->of);
}

/* ---- kinds ---- */

static void kinds(void)
{
    static const struct {
        const char *name, *type, *operation, *plugin, *kind;
    } check[] = {
        {"x", "CaskConvolution", NULL, NULL, "conv"},
        {"x", "CaskDeconvolutionV2", NULL, NULL, "conv"},
        {"x", "CaskConvActPool", NULL, NULL, "conv"},
        {"x", "conv", NULL, NULL, "conv"},
        {"x", "GEMM", NULL, NULL, "gemm"},
        {"x", "MatrixMultiply", NULL, NULL, "gemm"},
        {"x", "MatMul", NULL, NULL, "gemm"},
        {"x", "FullyConnected", NULL, NULL, "gemm"},
        {"x", "CaskPooling", NULL, NULL, "pool"},
        {"x", "SoftMaxV2", NULL, NULL, "softmax"},
        {"x", "PointWiseV2", NULL, NULL, "pointwise"},
        {"x", "ElementWise", NULL, NULL, "pointwise"},
        {"x", "Activation", NULL, NULL, "pointwise"},
        {"x", "kgen", NULL, NULL, "pointwise"},
        {"x", "Scale", NULL, NULL, "scale"},
        {"x", "Shuffle", NULL, NULL, "shuffle"},
        {"x", "Padding", NULL, NULL, "pad"},
        {"x", "Slice", NULL, NULL, "slice"},
        {"x", "Reformat", NULL, NULL, "reformat"},
        {"x", "MyelinReformat", NULL, NULL, "reformat"},
        {"x", "Myelin", NULL, NULL, "opaque"},
        {"x", "ForeignNode", NULL, NULL, "opaque"},
        {"x", "PluginV2", NULL, NULL, "plugin"},
        {"x", "NMS", NULL, NULL, "select"},
        {"x", "TopK", NULL, NULL, "select"},
        {"x", "NonZero", NULL, NULL, "select"},
        {"x", "TrainStation", NULL, NULL, "sync"},
        {"x", "ToShapeHost", NULL, NULL, "sync"},
        {"x", "ShapeHostTo", NULL, NULL, "sync"},
        {"x", "shape_call", NULL, NULL, "sync"},
        {"x", "NoOp", NULL, NULL, "noop"},
        {"x", "Constant", NULL, NULL, "constant"},
        {"x", "Einsum", NULL, NULL, "other"},
        /* The operation says more than the type, where the type decides nothing. */
        {"x", "Layer", "Convolution", NULL, "conv"},
        {"x", "Scale", "Pooling", NULL, "pool"},
        {"x", "Scale", "Unheard", NULL, "scale"},
        {"x", "NoOp", "Shuffle", NULL, "noop"},
        {"x", "Padding", "Slice", NULL, "pad"},
        {"x", "Myelin", "Convolution", NULL, "opaque"},
        {"x", "TrainStation", "Convolution", NULL, "sync"},
        {"x", "PluginV2", "Convolution", NULL, "plugin"},
        {"x", "PluginV2", NULL, "EfficientNMS_TRT", "select"},
        {"x", "PluginV2", NULL, "GroupNormalization", "plugin"},
        {"x", "Scale", NULL, "EfficientNMS_TRT", "scale"},
        /* A name alone. */
        {"{ForeignNode[a...b]}", NULL, NULL, NULL, "opaque"},
        {"Reformatting CopyNode for x", NULL, NULL, NULL, "reformat"},
        {"[trainStation1]", NULL, NULL, NULL, "sync"},
        {"a Reformatting CopyNode", NULL, NULL, NULL, "other"},
        {"Conv_1", NULL, NULL, NULL, "other"},
    };
    for (size_t i = 0; i < sizeof check / sizeof *check; i++) {
        Made *m = chain(arena, 1, DT_FLOAT16);
        m->op[0].name = check[i].name;
        m->op[0].type = check[i].type;
        m->op[0].layer.operation = check[i].operation;
        m->op[0].layer.plugin = check[i].plugin;
        CHECK(same_text(layer_kind_key(look(m)[0].kind), check[i].kind));
    }
}

/* ---- a layer alone ---- */

static void tensor_cores(void)
{
    static const char *const with[] = {"imma",  "hmma",  "xmma",  "a_mma", "s884",
                                       "h1688", "i8816", "16816", "16832", "tensorop"};
    Made *m = chain(arena, 1, DT_FLOAT16);
    CHECK(look(m)[0].tensor_core == ANSWER_UNKNOWN);
    m->op[0].layer.tactic = "";
    CHECK(look(m)[0].tensor_core == ANSWER_UNKNOWN);
    m->op[0].layer.tactic = "sm80_ffma";
    CHECK(look(m)[0].tensor_core == ANSWER_NO);
    for (size_t i = 0; i < sizeof with / sizeof *with; i++) {
        m->op[0].layer.tactic = arena_printf(arena, "sm80_%s_x", with[i]);
        CHECK(look(m)[0].tensor_core == ANSWER_YES);
    }
    CHECK(same_text(arena_printf(arena, "%s %s %s", layer_answer_key(ANSWER_NO),
                                 layer_answer_key(ANSWER_YES), layer_answer_key(ANSWER_UNKNOWN)),
                    "no yes unknown"));
}

/* Float16 takes channels by eight, int8 by sixteen; both sides must. */
static void alignment(void)
{
    static const struct {
        DType dtype;
        int64_t c, k;
        Answer expected;
    } check[] = {
        {DT_FLOAT16, 8, 24, ANSWER_YES},      {DT_FLOAT16, 4, 24, ANSWER_NO},
        {DT_FLOAT16, 8, 12, ANSWER_NO},       {DT_BFLOAT16, 8, 8, ANSWER_YES},
        {DT_INT8, 16, 32, ANSWER_YES},        {DT_INT8, 8, 32, ANSWER_NO},
        {DT_INT8, 16, 8, ANSWER_NO},          {DT_FLOAT8E4M3FN, 16, 16, ANSWER_YES},
        {DT_FLOAT32, 16, 16, ANSWER_UNKNOWN}, {DT_FLOAT16, 0, 8, ANSWER_UNKNOWN},
        {DT_FLOAT16, 8, 0, ANSWER_UNKNOWN},   {DT_FLOAT16, 1, 8, ANSWER_NO},
        {DT_FLOAT16, 8, 1, ANSWER_NO},        {DT_FLOAT16, 8, -1, ANSWER_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof check / sizeof *check; i++) {
        Made *m = chain(arena, 1, check[i].dtype);
        m->tensor[0].dim[1] = check[i].c;
        m->op[0].layer.out_maps = check[i].k;
        CHECK(look(m)[0].aligned == check[i].expected);
    }
    Made *m = chain(arena, 1, DT_FLOAT16);
    m->tensor[0].rank = 1;
    CHECK(look(m)[0].c == -1 && look(m)[0].aligned == ANSWER_UNKNOWN);
}

static void types(void)
{
    static const struct {
        DType in, out;
        bool is_float, touches, in_q, out_q;
    } check[] = {
        {DT_FLOAT32, DT_FLOAT16, true, false, false, false},
        {DT_INT8, DT_FLOAT16, false, true, true, false},
        {DT_FLOAT16, DT_INT8, false, true, false, true},
        {DT_INT32, DT_INT64, false, false, false, false},
        {DT_INT32, DT_FLOAT16, true, false, false, false},
        {DT_FLOAT8E4M3FN, DT_FLOAT8E4M3FN, false, true, true, true},
    };
    for (size_t i = 0; i < sizeof check / sizeof *check; i++) {
        Made *m = chain(arena, 1, check[i].in);
        m->tensor[1].dtype = check[i].out;
        LayerTraits *x = look(m);
        CHECK(x->is_float == check[i].is_float && x->touches_int8 == check[i].touches &&
              x->quantized_in == check[i].in_q && x->quantized_out == check[i].out_q);
    }
    Made *m = chain(arena, 1, DT_FLOAT16);
    m->op[0].ninput = m->op[0].noutput = 0;
    LayerTraits *x = look(m);
    CHECK(x->in == DT_UNKNOWN && x->out == DT_UNKNOWN && !x->is_float && !x->at_border &&
          !x->at_input && !x->at_output && x->nbefore == 0 && x->nbehind == 0);
}

/* ---- borders ---- */

static void borders(void)
{
    Made *m = chain(arena, 4, DT_FLOAT16);
    LayerTraits *x = look(m);
    CHECK(x[0].at_border && x[0].at_input && !x[0].at_output);
    CHECK(!x[1].at_border && !x[1].at_input && !x[1].at_output);
    CHECK(x[3].at_border && !x[3].at_input && x[3].at_output);
    CHECK(x[0].nbefore == 0 && x[0].nbehind == 1 && x[0].behind[0] == 1);
    CHECK(x[2].nbefore == 1 && x[2].before[0] == 1 && x[2].nbehind == 1 && x[2].behind[0] == 3);
    /* Through what needs no copy: a renaming, and a view of something. */
    m->op[0].work = WORK_RENAME;
    m->op[3].work = WORK_VIEW;
    x = look(m);
    CHECK(x[1].at_input && !x[1].at_border && x[1].nbefore == 0);
    CHECK(x[2].at_output && !x[2].at_border && x[2].nbehind == 0);
    m->op[1].work = WORK_LAYOUT; /* a copy */
    x = look(m);
    CHECK(!x[2].at_input && x[2].nbefore == 1 && x[2].before[0] == 1);
    m->op[0].work = WORK_VIEW;
    m->op[0].ninput = 0; /* a view of nothing makes something */
    x = look(m);
    CHECK(!x[1].at_input && x[1].nbefore == 1 && x[1].before[0] == 0);
    /* An output that is read as well is one. */
    m = chain(arena, 2, DT_FLOAT16);
    m->tensor[1].bound = true;
    x = look(m);
    CHECK(x[0].at_output && x[0].at_border && x[0].nbehind == 1);
    CHECK(!x[1].at_input && x[1].at_output);
}

/* 16 views in a row are looked through, the next is not. */
static void in_a_row(void)
{
    enum { VIEWS = 18 };
    Imported g = {.kind = IMPORT_TENSORRT};
    ImportOp op[VIEWS + 1] = {{0}};
    ImportTensor tensor[VIEWS + 2] = {{0}};
    uint32_t id[VIEWS + 2];
    double ns[VIEWS + 1] = {0};
    EngineTimes times = {0};
    for (uint32_t i = 0; i < VIEWS + 2; i++) {
        id[i] = i;
        tensor[i] = (ImportTensor){.name = "t", .rank = -1, .producer = i ? i - 1 : IMPORT_NONE};
    }
    for (uint32_t i = 0; i < VIEWS + 1; i++)
        op[i] = (ImportOp){.name = "x",
                           .type = "NoOp",
                           .work = i == 0 || i == VIEWS ? WORK_COMPUTE : WORK_VIEW,
                           .input = &id[i],
                           .output = &id[i + 1],
                           .ninput = 1,
                           .noutput = 1};
    g.op = op;
    g.nop = VIEWS + 1;
    g.tensor = tensor;
    g.ntensor = VIEWS + 2;
    LayerTimes t = {.graph = &g, .times = &times, .ns = ns};
    LayerTraits *x = layer_traits_find(arena, &t);
    CHECK(x[0].nbehind == 1 && x[0].behind[0] == 17);
    CHECK(x[1].nbehind == 1 && x[1].behind[0] == 18);
    CHECK(x[VIEWS].nbefore == 1 && x[VIEWS].before[0] == 1);
}

/* ---- neighbours ---- */

/* conv -> pointwise -> conv in int8, whose middle computes in float. */
static Made *island(void)
{
    Made *m = chain(arena, 3, DT_INT8);
    m->op[1].type = "PointWise";
    m->tensor[1].dtype = m->tensor[2].dtype = DT_FLOAT16;
    return m;
}

static void islands(void)
{
    Made *m = island();
    CHECK(look(m)[1].island && !look(m)[0].island);
    m->op[1].type = "Convolution"; /* a product is told of otherwise */
    CHECK(!look(m)[1].island);
    m = island();
    m->op[1].work = WORK_COPY;
    CHECK(!look(m)[1].island);
    m = island();
    m->op[1].type = "Myelin";
    CHECK(!look(m)[1].island);
    m = island();
    m->op[1].type = "TrainStation";
    CHECK(!look(m)[1].island);
    m = island();
    m->tensor[0].dtype = DT_FLOAT16; /* nothing before it is int8 */
    CHECK(!look(m)[1].island);
    m = island();
    m->tensor[3].dtype = DT_FLOAT16;
    CHECK(!look(m)[1].island);
    /* Through a move as well; with nothing behind it there is no shore. */
    m = chain(arena, 4, DT_INT8);
    m->op[1].type = "PointWise";
    m->op[2].work = WORK_LAYOUT;
    for (int i = 1; i < 4; i++)
        m->tensor[i].dtype = DT_FLOAT16;
    CHECK(look(m)[1].island);
    m = island();
    m->graph.nop = 2;
    CHECK(!look(m)[1].island);
}

static void falls(void)
{
    Made *m = chain(arena, 2, DT_FLOAT16);
    m->tensor[0].dtype = DT_INT8;
    CHECK(look(m)[0].falls_out);
    m->tensor[1].dtype = DT_INT8;
    CHECK(!look(m)[0].falls_out);
    m->tensor[1].dtype = DT_FLOAT16;
    m->op[0].type = "Pooling";
    CHECK(!look(m)[0].falls_out);
    m->op[0].type = "Gemm";
    CHECK(look(m)[0].falls_out);
    m->tensor[0].dtype = DT_FLOAT16;
    CHECK(!look(m)[0].falls_out);
    m = chain(arena, 1, DT_FLOAT16); /* the last may */
    m->tensor[0].dtype = DT_INT8;
    CHECK(!look(m)[0].falls_out);
}

static void attentions(void)
{
    static const char *const type[][3] = {{"Gemm", "SoftMax", "Gemm"},
                                          {"Gemm", "Scale", "Gemm"},
                                          {"Pooling", "SoftMax", "Gemm"},
                                          {"Gemm", "SoftMax", "Pooling"}};
    for (int i = 0; i < 4; i++) {
        Made *m = chain(arena, 3, DT_FLOAT16);
        for (int k = 0; k < 3; k++)
            m->op[k].type = type[i][k];
        LayerTraits *x = look(m);
        CHECK(x[1].attention == (i == 0) && !x[0].attention && !x[2].attention);
    }
}

static void transposed_inputs(void)
{
    Made *m = chain(arena, 3, DT_FLOAT16);
    m->op[0].layer.transposes = true;
    m->op[1].type = "Reformat";
    CHECK(look(m)[1].behind_transpose);
    m->op[1].type = "Scale";
    CHECK(!look(m)[1].behind_transpose);
    m->op[1].type = "Reformat";
    m->op[0].layer.transposes = false;
    CHECK(!look(m)[1].behind_transpose);
    m->op[0].layer.transposes = true;
    m->tensor[0].bound = false; /* not of an input */
    CHECK(!look(m)[1].behind_transpose);
}

static void norms(void)
{
    Made *m = chain(arena, 3, DT_FLOAT16);
    m->op[0].type = "PluginV2";
    m->op[0].layer.plugin = "InstanceNormalization_TRT";
    m->op[1].type = "Scale";
    m->op[1].name = "BatchNormalization_3";
    m->op[2].type = "Scale";
    LayerTraits *x = look(m);
    CHECK(x[0].norm_plugin && x[1].norm_scale && x[1].batch_norm);
    CHECK(!x[2].norm_scale && !x[2].batch_norm && !x[1].norm_plugin);
    m->op[1].type = "Reformat"; /* a copy between the two */
    x = look(m);
    CHECK(x[2].norm_scale && !x[1].norm_scale && !x[1].batch_norm);
    m->op[1].type = "Pooling";
    CHECK(!look(m)[2].norm_scale);
    m->op[0].layer.plugin = "Resize";
    m->op[1].type = "Scale";
    x = look(m);
    CHECK(!x[0].norm_plugin && !x[1].norm_scale);
    m->op[0].type = "Scale";
    m->op[0].layer.plugin = "InstanceNormalization_TRT";
    CHECK(!look(m)[0].norm_plugin);
}

static void dla(void)
{
    static const struct {
        const char *type, *in, *out;
        bool expected;
    } check[] = {
        {"Reformat", "DLA HWC4", "CHW", true},  {"Reformat", "CHW", "DLA HWC4", true},
        {"Reformat", "DLA", "DLA HWC4", false}, {"Reformat", "CHW", "HWC", false},
        {"Reformat", NULL, "DLA", true},        {"Reformat", "DLA", NULL, true},
        {"Reformat", NULL, NULL, false},        {"Scale", "DLA", "CHW", false},
        {"Reformat", "DL", "CHW", false},
    };
    for (size_t i = 0; i < sizeof check / sizeof *check; i++) {
        Made *m = chain(arena, 1, DT_FLOAT16);
        m->op[0].type = check[i].type;
        m->tensor[0].layout = check[i].in;
        m->tensor[1].layout = check[i].out;
        CHECK(look(m)[0].on_dla_border == check[i].expected);
    }
}

static void messages(void)
{
    EngineMessage said[] = {{ENGINE_UNSTABLE, NULL},
                            {ENGINE_DLA_FALLBACK, "layer0"},
                            {ENGINE_INT8_REJECTED, "layer1"},
                            {ENGINE_MISSING_SCALE, "t4"}};
    Made *m = chain(arena, 5, DT_FLOAT16);
    m->times.message = said;
    m->times.nmessage = 4;
    LayerTraits *x = look(m);
    CHECK(x[0].fell_back && !x[0].missing_scale);
    CHECK(!x[1].fell_back && x[1].missing_scale);
    CHECK(!x[2].fell_back && !x[2].missing_scale);
    CHECK(x[3].missing_scale && x[4].missing_scale); /* makes it, reads it */
    m->times.nmessage = 0;
    x = look(m);
    CHECK(!x[0].fell_back && !x[1].missing_scale);
}

int main(void)
{
    arena = arena_new(0);
    kinds();
    tensor_cores();
    alignment();
    types();
    borders();
    in_a_row();
    islands();
    falls();
    attentions();
    transposed_inputs();
    norms();
    dla();
    messages();
    arena_free(arena);
    return check_failures() != 0;
}
