/* Checks the work that a change leaves to the application, by hand: tails, scaling, layouts. */
#include "advisor/candidate/application.h"
#include "graph/edit/edit.h"
#include "graph/infer/shape.h"
#include "tests/unit/check.h"
#include "tests/unit/model_build.h"

/* A pass takes 2 ns per byte; an operator 1000 ns, 10 ns per byte and 100 ns per MAC. */
static const Costs costs = {.pass_ns_per_byte = {1, 2, 3},
                            .app_op_ns = {1, 1000, 9e9},
                            .app_ns_per_byte = {1, 10, 9e9},
                            .app_mac_ns = {1, 100, 9e9}};

static Model *load(ModelBuild *b, Arena *a)
{
    Notes notes;
    Diag diag;
    notes_init(&notes, a);
    Model *m = build_load(b, a, &notes, &diag);
    if (m)
        shape_infer(m, NULL, 0, 0);
    return m;
}

/* x -> Conv -> c -> Relu -> r -> Conv -> d -> Flatten -> y, and x -> Relu -> z beside it. */
static Model *make_chain(Arena *a)
{
    ModelBuild b = {0};
    build_input(&b, "x", 1, DIMS(1, 4, 8, 8));
    build_weight(&b, "w", DIMS(6, 4, 1, 1));
    build_weight(&b, "v", DIMS(2, 6, 1, 1));
    build_node(&b, "Conv", "x w", "c", NULL, 0);
    build_node(&b, "Relu", "c", "r", NULL, 0);
    build_node(&b, "Conv", "r v", "d", NULL, 0);
    build_node(&b, "Flatten", "d", "y", NULL, 0);
    build_node(&b, "Relu", "x", "z", NULL, 0);
    build_output(&b, "y");
    build_output(&b, "z");
    return load(&b, a);
}

/* A detector with two levels of side x side cells: a, b -> Reshape -> Concat -> j -> scores -> y of
 * 1 x 6 x (2 * side * side). */
static Model *make_detector(Arena *a, int64_t side, const char *scores)
{
    ModelBuild b = {0};
    const int64_t shape[] = {1, 6, side * side};
    const IntAttr axis = {"axis", {2}, 0};
    build_input(&b, "x", 1, DIMS(1, 4, side, side));
    build_weight(&b, "w", DIMS(6, 4, 1, 1));
    build_const(&b, "s", 7, 3, shape, sizeof shape);
    build_node(&b, "Conv", "x w", "a", NULL, 0);
    build_node(&b, "Conv", "x w", "b", NULL, 0);
    build_node(&b, "Reshape", "a s", "p", NULL, 0);
    build_node(&b, "Reshape", "b s", "q", NULL, 0);
    build_node(&b, "Concat", "p q", "j", &axis, 1);
    build_node(&b, scores, "j", "y", NULL, 0);
    build_output(&b, "y");
    return load(&b, a);
}

/* The share of a trial with options `o` over a baseline with options `now` (NULL: the defaults). */
static Interval share_of(Model *m, const CompileOptions *o, const CompileOptions *now)
{
    Program program = {.model = m};
    Prediction time = {.step = NULL};
    WhatIf w = {.model = m, .costs = &costs, .baseline = {.program = &program, .time = &time}};
    Trial t = {.variant.compile = *o};
    if (now)
        w.baseline.variant.compile = *now;
    return application_share_ns(&w, &t);
}

#define CHECK_SHARE(found, lo_, mid_, hi_)                                                         \
    do {                                                                                           \
        Interval x_ = (found);                                                                     \
        CHECK_NEAR(x_.lo, lo_, 1e-9);                                                              \
        CHECK_NEAR(x_.mid, mid_, 1e-9);                                                            \
        CHECK_NEAR(x_.hi, hi_, 1e-9);                                                              \
    } while (0)

static CompileOptions with_edits(Edit *edit, size_t n)
{
    CompileOptions o;
    compile_options_init(&o);
    o.edit = edit;
    o.nedit = n;
    return o;
}

/* c has 6 x 64 floats, 1536 bytes: one pass is 3072 ns.  After it, Relu moves 1536 + 1536 bytes and
 * Conv 1536 + 512 (weights stay in the caches) with 2 x 6 x 64 = 768 MACs; Flatten moves none:
 * 2 x 1000 + 5120 x 10 + 768 x 100 = 130,000 ns.  z does not depend on c. */
static void check_tail(Arena *a, Model *m)
{
    Edit cut = {.kind = EDIT_CUT_TAIL, .where = "c"};
    CompileOptions o = with_edits(&cut, 0);
    CHECK_SHARE(share_of(m, &o, NULL), 0, 0, 0);
    o.nedit = 1;
    CHECK_SHARE(share_of(m, &o, NULL), 3072, 130000, 130000);
    CHECK_NEAR(application_macs(a, m, &o), 768, 1e-9);
    o.batch = 2; /* per task, of two images */
    CHECK_SHARE(share_of(m, &o, NULL), 6144, 260000, 260000);
    CHECK_NEAR(application_macs(a, m, &o), 1536, 1e-9);

    /* After d there are views alone: the pass over 512 bytes remains. */
    cut.where = "d";
    o.batch = 1;
    CHECK_SHARE(share_of(m, &o, NULL), 1024, 1024, 1024);
    CHECK_NEAR(application_macs(a, m, &o), 0, 1e-9);

    /* A tensor that does not exist, and an output that is not used. */
    cut.where = "q";
    CHECK_SHARE(share_of(m, &o, NULL), 0, 0, 0);
    cut = (Edit){.kind = EDIT_DROP_OUTPUT, .where = "y"};
    CHECK_SHARE(share_of(m, &o, NULL), 0, 0, 0);
}

/* y has 128 values, 512 bytes as floats.  One pass over int8 values: 128 x 2 = 256 ns.  An operator
 * reads 128 bytes and writes 512: 1000 + 640 x 10 = 7400 ns. */
static void check_scaling(Model *m)
{
    IoType type = {"y", DT_INT8};
    CompileOptions o = with_edits(NULL, 0), now;
    o.output_dtype = &type;
    o.noutput_dtype = 1;
    CHECK_SHARE(share_of(m, &o, NULL), 256, 256, 7400);
    type.dtype = DT_UINT8;
    CHECK_SHARE(share_of(m, &o, NULL), 256, 256, 7400);
    now = o; /* the application scales them today */
    CHECK_SHARE(share_of(m, &o, &now), 0, 0, 0);
    type.dtype = DT_FLOAT32;
    CHECK_SHARE(share_of(m, &o, NULL), 0, 0, 0);
}

/* y as floats: a pass over 512 bytes is 1024 ns; read and written, 1000 + 1024 x 10 = 11,240 ns. */
static void check_layout(Model *m)
{
    Edit edit = {.kind = EDIT_PERMUTE_OUTPUT, .where = "y"};
    CompileOptions o = with_edits(&edit, 1), now = o;
    CHECK_SHARE(share_of(m, &o, NULL), 1024, 11240, 11240);
    CHECK_SHARE(share_of(m, &o, &now), 0, 0, 0); /* as today */
    edit.kind = EDIT_PAD_OUTPUT;
    CHECK_SHARE(share_of(m, &o, NULL), 1024, 11240, 11240);
}

static Interval detector_share(Arena *a, int64_t side, const char *scores, const CompileOptions *o)
{
    Model *m = make_detector(a, side, scores);
    Interval ns = share_of(m, o, NULL);
    model_close(m);
    return ns;
}

/* With s x s cells, a and b have 6 x s x s floats each.  Of 20 x 20: 2 x 9600 bytes, a pass takes
 * 38,400 ns.  Concat and the scores read and write 19,200 bytes each: 2 x (1000 + 38,400 x 10) =
 * 770,000 ns.  300 of 800 anchors remain after a threshold: 38,400 + 770,000 x 300 / 800. */
static void check_detector(Arena *a)
{
    Edit cut[] = {{.kind = EDIT_CUT_TAIL, .where = "a"}, {.kind = EDIT_CUT_TAIL, .where = "b"}};
    CompileOptions o = with_edits(cut, 2);
    CHECK_SHARE(detector_share(a, 20, "Sigmoid", &o), 38400, 327150, 770000);
    /* Without scores there is no threshold. */
    CHECK_SHARE(detector_share(a, 20, "Relu", &o), 38400, 770000, 770000);
    /* 200 anchors are fewer than 300: all of the work, 2 x (1000 + 9600 x 10). */
    CHECK_SHARE(detector_share(a, 10, "Sigmoid", &o), 9600, 194000, 194000);
}

/* Keys of the compiler that leave conversions out: between none of their time and all of it. */
static void check_exposed(Model *m)
{
    Step step[] = {{.kind = STEP_HOST, .io = IO_INPUT},
                   {.kind = STEP_NPU, .io = IO_INPUT},
                   {.kind = STEP_HOST, .io = IO_OUTPUT},
                   {.kind = STEP_HOST, .io = IO_NONE}};
    StepPrediction ns[] = {{.total_ns = {1, 10, 99}},
                           {.total_ns = {1, 20, 99}},
                           {.total_ns = {1, 40, 99}},
                           {.total_ns = {1, 80, 99}}};
    Program program = {.model = m, .step = step, .nstep = 4};
    Prediction time = {.step = ns};
    WhatIf w = {.model = m, .costs = &costs, .baseline = {.program = &program, .time = &time}};
    Trial t = {.variant.without_borders = true};
    CHECK_NEAR(application_boundary_ns(&program, &time), 50, 1e-9);
    CHECK_SHARE(application_share_ns(&w, &t), 0, 0, 50);
    t.variant.without_borders = false;
    CHECK_SHARE(application_share_ns(&w, &t), 0, 0, 0);
}

/* The Flatten depends on d; neither the Relu before it nor the one beside it does. */
static void check_marks(const Graph *g)
{
    bool node[5] = {false};
    application_mark_nodes(g, "no-such", node);
    application_mark_nodes(g, "d", node);
    CHECK(node[g->tensor[strmap_get(&g->by_name, "y")].producer]);
    CHECK(!node[g->tensor[strmap_get(&g->by_name, "r")].producer]);
    CHECK(!node[g->tensor[strmap_get(&g->by_name, "z")].producer]);
}

int main(void)
{
    Arena *a = arena_new(0);
    Model *m = make_chain(a);
    CHECK(m != NULL);
    if (!m)
        return 1;
    check_tail(a, m);
    check_scaling(m);
    check_layout(m);
    check_detector(a);
    check_exposed(m);
    check_marks(m->graph);
    model_close(m);
    arena_free(a);
    return check_failures() != 0;
}
