/* The compiled program: properties that hold for every model, on models made here. */
#include "graph/base/notes.h"
#include "graph/base/random.h"
#include "graph/base/xml.h"
#include "graph/compile/compile.h"
#include "graph/compile/layout.h"
#include "tests/unit/check.h"
#include "tests/unit/model_build.h"
#include "tests/unit/verified.h"

#include <stdio.h>

static Machine *machine;
static Arena *arena;

static const Program *compiled(const Model *m, const Machine *on, const CompileOptions *o)
{
    Notes *notes = ARENA_NEW(arena, Notes);
    Diag diag;
    Program *p = NULL;
    notes_init(notes, arena);
    Status st = m ? compile_model(arena, m, on, o, notes, &p, &diag) : STATUS_INPUT;
    if (m && st)
        printf("  %s\n", diag.text);
    if (!st && program_verify(p, &diag)) {
        printf("  %s\n", diag.text);
        return NULL;
    }
    return p;
}

static CompileOptions defaults(void)
{
    CompileOptions o;
    compile_options_init(&o);
    return o;
}

static Model *loaded(ModelBuild *b)
{
    Notes *notes = ARENA_NEW(arena, Notes);
    Diag diag;
    notes_init(notes, arena);
    Model *m = build_load(b, arena, notes, &diag);
    if (!m)
        printf("  %s\n", diag.text);
    return m;
}

static void conv(ModelBuild *b, const char *in, const char *out, int64_t c_in, int64_t c_out,
                 int64_t k)
{
    char weight[64], inputs[200];
    snprintf(weight, sizeof weight, "w_%s", out);
    snprintf(inputs, sizeof inputs, "%s %s", in, weight);
    build_weight(b, weight, DIMS(c_out, c_in, k, k));
    int64_t p = k / 2;
    IntAttr attr[] = {{"pads", {p, p, p, p}, 4}};
    build_node(b, "Conv", inputs, out, attr, 1);
}

static size_t count_host(const Program *p, HostOp op)
{
    size_t n = 0;
    for (size_t i = 0; i < p->nstep; i++)
        n += p->step[i].kind == STEP_HOST && p->step[i].host_op == op;
    return n;
}

static const Step *find_op(const Program *p, const char *op)
{
    for (size_t i = 0; i < p->nstep; i++)
        if (strcmp(p->step[i].op, op) == 0)
            return &p->step[i];
    return NULL;
}

/* ---- layout ---- */

static void layout_checks(void)
{
    Geometry g = {1, 273, 19, 19};
    Lowered l = layout_lower(machine, 2, &g);
    CHECK(l.ho == 1 && l.co == 128 && l.hi == 19 && l.ci == 3 && l.w_padded == 32);
    CHECK(l.bytes == 233472);
    g = (Geometry){1, 12, 19, 19};
    l = layout_lower(machine, 2, &g);
    CHECK(l.ho == 8 && l.co == 16 && l.hi == 3 && l.ci == 1 && l.bytes == 12288);
    /* 8 x 16: 128 slices of 160 rows and one channel, 1280 wide: 26,214,400 bytes, past 8 MiB.
     * 32 x 4 has 40 rows: 6,553,600; 64 x 2 has 20 rows of two channels, the same; 128 x 1 has 10
     * of three: 4,915,200. */
    g = (Geometry){1, 3, 1280, 1280};
    l = layout_lower(machine, 2, &g);
    CHECK(l.ho == 128 && l.co == 1 && l.hi == 10 && l.ci == 3 && l.bytes == 4915200);
    g = (Geometry){8, 3, 640,
                   640}; /* eight images, each 6,553,600 in 8 x 16: a batch changes nothing */
    l = layout_lower(machine, 2, &g);
    CHECK(l.ho == 8 && l.bytes == 8 * 6553600);
    for (uint64_t i = 0; i < 500; i++) {
        Geometry r = {1 + (int64_t)random_below(random_bits(1, 1, i, 0), 3),
                      1 + (int64_t)random_below(random_bits(1, 1, i, 1), 600),
                      1 + (int64_t)random_below(random_bits(1, 1, i, 2), 300),
                      1 + (int64_t)random_below(random_bits(1, 1, i, 3), 300)};
        Lowered x = layout_lower(machine, i % 2 ? 1 : 2, &r);
        if (x.bytes < layout_elements(&r) || x.bytes < layout_padded_bytes(machine, &r))
            CHECK(false && "lowered bytes are at least the real ones");
    }
    Geometry huge = {INT64_MAX / 4, INT64_MAX / 4, 7, 7};
    CHECK(layout_lower(machine, 2, &huge).bytes == SIZE_CAP);
}

/* ---- SRAM ---- */

static int64_t traffic(const Program *p)
{
    int64_t sum = 0;
    for (size_t i = 0; i < p->nop; i++)
        sum += p->op[i].spill_bytes;
    return sum;
}

/* Wide maps, a long skip connection, weights of several sizes. */
static Model *network_with_skip(int64_t size)
{
    ModelBuild b = {{0}};
    build_input(&b, "x", 1, DIMS(1, 3, size, size));
    conv(&b, "x", "a", 3, 64, 3);
    conv(&b, "a", "b", 64, 128, 3);
    conv(&b, "b", "c", 128, 256, 3);
    conv(&b, "c", "d", 256, 64, 1);
    build_node(&b, "Add", "a d", "e", NULL, 0);
    conv(&b, "e", "f", 64, 512, 3);
    conv(&b, "f", "y", 512, 16, 1);
    build_output(&b, "y");
    return loaded(&b);
}

static void sram_checks(void)
{
    const int64_t size[] = {64, 160, 320};
    for (size_t k = 0; k < 3; k++) {
        Model *m = network_with_skip(size[k]);
        int64_t spill = INT64_MAX, moved = INT64_MAX;
        bool falls = true;
        for (int64_t slice = 1 << 13; slice <= 1 << 20; slice += slice / 4) {
            Machine other = *machine;
            other.sram_slice_bytes = slice;
            CompileOptions o = defaults();
            const Program *p = compiled(m, &other, &o);
            if (!p)
                falls = false;
            if (!p || p->summary.host_steps > 4) /* too small for a tile: another placement */
                continue;
            falls &= p->summary.dram_spill_bytes <= spill && traffic(p) <= moved;
            spill = p->summary.dram_spill_bytes;
            moved = traffic(p);
        }
        CHECK(falls); /* more SRAM never means more traffic */
        CHECK(spill == 0);
    }
}

/* ---- boundaries ---- */

static Model *image_network(bool nhwc)
{
    ModelBuild b = {{0}};
    IntAttr perm = {"perm", {0, 3, 1, 2}, 4};
    build_input(&b, "x", 1, nhwc ? (int64_t[]){1, 64, 96, 3} : (int64_t[]){1, 3, 64, 96}, 4);
    if (nhwc)
        build_node(&b, "Transpose", "x", "t", &perm, 1);
    conv(&b, nhwc ? "t" : "x", "y", 3, 32, 3);
    build_output(&b, "y");
    return loaded(&b);
}

static bool same_boundary(const Program *a, const Program *b)
{
    bool same = a && b && a->nstep == b->nstep;
    for (size_t i = 0; same && i < a->nstep; i++)
        same = a->step[i].kind == b->step[i].kind && a->step[i].host_op == b->step[i].host_op &&
               a->step[i].bytes_in == b->step[i].bytes_in &&
               a->step[i].bytes_out == b->step[i].bytes_out &&
               a->step[i].reason == b->step[i].reason;
    return same;
}

static void permute_checks(void)
{
    Model *nchw = image_network(false), *nhwc = image_network(true);
    CompileOptions plain = defaults(), there = defaults(), back = defaults(), none = defaults();
    Permutation to_nchw = {{0, 3, 1, 2}, 4}, to_nhwc = {{0, 2, 3, 1}, 4}, same = {{0, 1, 2, 3}, 4};
    there.permute = &to_nchw, there.npermute = 1;
    back.permute = &to_nhwc, back.npermute = 1;
    none.permute = &same, none.npermute = 1;
    const Program *a = compiled(nchw, machine, &plain), *b = compiled(nhwc, machine, &plain);
    CHECK(count_host(a, HOST_LOWER) == 0 && count_host(b, HOST_LOWER) == 1);
    /* Permuting a model whose input was permuted the other way gives the first one again. */
    CHECK(same_boundary(a, compiled(nhwc, machine, &there)));
    CHECK(same_boundary(b, compiled(nchw, machine, &back)));
    const Program *identity = compiled(nchw, machine, &none);
    for (size_t i = 0; i < a->nstep; i++)
        CHECK(step_key(a, &a->step[i]) == step_key(identity, &identity->step[i]));
}

static Model *chain_with(const char *op)
{
    ModelBuild b = {{0}};
    build_input(&b, "x", 1, DIMS(1, 3, 64, 96));
    conv(&b, "x", "a", 3, 32, 3);
    build_node(&b, op, "a", "m", NULL, 0);
    conv(&b, "m", "y", 32, 32, 3);
    build_output(&b, "y");
    return loaded(&b);
}

/* What the vendor's quantizer makes int8, and no page lists, adds itself and the transfers alone.
 */
static void unknown_place_checks(void)
{
    CompileOptions o = defaults();
    const Program *with = compiled(chain_with("Abs"), machine, &o);
    const Program *without = compiled(chain_with("Relu"), machine, &o);
    const Step *s = find_op(with, "Abs");
    CHECK(with->nstep == without->nstep + 4); /* d2h, Abs, h2d, npu */
    CHECK(s && s->type == QUANTIZED_INT8 && s->place_unknown);
    CHECK(with->summary.unknown_places == 1 && without->summary.unknown_places == 0);
}

/* An operator that the NPU does not have adds itself, the way out and the way back in. */
static void island_checks(void)
{
    CompileOptions o = defaults();
    const Program *with = compiled(chain_with("Floor"), machine, &o);
    const Program *without = compiled(chain_with("Relu"), machine, &o);
    CHECK(without->summary.segments == 1 && with->summary.segments == 2);
    CHECK(with->nstep == without->nstep + 6); /* d2h, Dequantize, Floor, Quantize, h2d, npu */
    CHECK(count_host(with, HOST_DEQUANTIZE) == count_host(without, HOST_DEQUANTIZE) + 1);
    CHECK(count_host(with, HOST_QUANTIZE) == count_host(without, HOST_QUANTIZE) + 1);
    const Step *s = find_op(with, "Floor");
    CHECK(s && s->reason == REASON_UNSUPPORTED && s->known && s->why);
    CHECK(with->summary.macs == without->summary.macs);
    o.sdk = 8; /* no Lower on the NPU: the host does both directions as well */
    const Program *old = compiled(chain_with("Floor"), machine, &o);
    CHECK(count_host(old, HOST_LOWER) == 2 && count_host(old, HOST_UNLOWER) == 2);
    const Program *unknown = compiled(chain_with("NoSuchOperator"), machine, &o);
    s = find_op(unknown, "NoSuchOperator");
    CHECK(s && s->reason == REASON_UNKNOWN_OPERATOR && !s->known);
    CHECK(unknown->nodes == 3 && unknown->nodes_known < 3 && unknown->nunknown_op == 1);
}

static void type_checks(void)
{
    CompileOptions o = defaults();
    IoType pixels = {"x", DT_UINT8}, bytes = {"x", DT_INT8}, out = {"y", DT_INT8};
    Model *m = image_network(false);
    const Program *p = compiled(m, machine, &o);
    CHECK(p->step[0].host_op == HOST_QUANTIZE && p->step[0].from == DT_FLOAT32 &&
          p->step[0].reason == REASON_FLOAT_INPUT);
    o.input_dtype = &pixels, o.ninput_dtype = 1;
    p = compiled(m, machine, &o);
    CHECK(p->step[0].host_op == HOST_QUANTIZE && p->step[0].from == DT_UINT8 &&
          p->step[0].reason == REASON_INTEGER_INPUT);
    o.input_dtype = &bytes;
    CHECK(count_host(compiled(m, machine, &o), HOST_QUANTIZE) == 0);
    o.output_dtype = &out, o.noutput_dtype = 1;
    CHECK(count_host(compiled(m, machine, &o), HOST_DEQUANTIZE) == 0);
    Diag diag;
    Notes notes;
    Program *unused;
    notes_init(&notes, arena);
    o.input_dtype = &out; /* no input has that name */
    CHECK(compile_model(arena, m, machine, &o, &notes, &unused, &diag) == STATUS_USAGE);
}

/* ---- batch, splitting ---- */

static Model *classifier(void)
{
    ModelBuild b = {{0}};
    build_input(&b, "x", 1, DIMS(1, 3, 32, 32));
    conv(&b, "x", "a", 3, 64, 3);
    build_node(&b, "GlobalAveragePool", "a", "g", NULL, 0);
    IntAttr axis = {"axis", {1}, 0};
    build_node(&b, "Flatten", "g", "f", &axis, 1);
    build_node(&b, "Softmax", "f", "y", &axis, 1);
    build_output(&b, "y");
    return loaded(&b);
}

static void batch_checks(void)
{
    Model *m = classifier();
    CompileOptions o = defaults();
    const Program *one = compiled(m, machine, &o);
    o.batch = 2;
    const Program *two = compiled(m, machine, &o);
    o.batch = 4;
    const Program *four = compiled(m, machine, &o);
    CHECK(one->images == 1 && four->images == 4);
    CHECK(two->summary.macs == 2 * one->summary.macs &&
          four->summary.macs == 4 * one->summary.macs);
    CHECK(two->summary.h2d_bytes == 2 * one->summary.h2d_bytes);
    CHECK(four->step[0].elements == 4 * one->step[0].elements);
    CHECK(four->summary.weight_bytes == one->summary.weight_bytes);
    CHECK(!find_op(two, "Softmax"));
    const Step *s = find_op(four, "Softmax"); /* at most 2 of a batch */
    CHECK(s && s->reason == REASON_CONDITION_FAILED &&
          strcmp(message_format(arena, NULL, s->nearest), "batch 2") == 0);
}

/* Two convolutions with half of the channels each and a Concat multiply as often as one. */
static void split_checks(void)
{
    ModelBuild whole = {{0}}, split = {{0}};
    IntAttr axis = {"axis", {1}, 0};
    build_input(&whole, "x", 1, DIMS(1, 16, 64, 64));
    conv(&whole, "x", "y", 16, 64, 3);
    build_output(&whole, "y");
    build_input(&split, "x", 1, DIMS(1, 16, 64, 64));
    conv(&split, "x", "a", 16, 32, 3);
    conv(&split, "x", "b", 16, 32, 3);
    build_node(&split, "Concat", "a b", "y", &axis, 1);
    build_output(&split, "y");
    CompileOptions o = defaults();
    const Program *a = compiled(loaded(&whole), machine, &o);
    const Program *b = compiled(loaded(&split), machine, &o);
    CHECK(a->summary.macs == b->summary.macs && a->summary.macs == INT64_C(64) * 64 * 64 * 16 * 9);
    CHECK(a->summary.weight_bytes == b->summary.weight_bytes);
}

/* ---- partitions of random graphs ---- */

enum { DAG_NODES = 24 };

/* Node i reads one or two earlier ones; some are operators that the NPU does not have. */
static Model *random_dag(uint64_t seed)
{
    ModelBuild b = {{0}};
    build_input(&b, "v0", 1, DIMS(1, 8, 8, 32));
    for (uint64_t i = 1; i <= DAG_NODES; i++) {
        char in[32], out[16];
        uint64_t near = i < 5 ? i : 5;
        uint64_t p = i - 1 - random_below(random_bits(seed, 2, i, 0), near);
        uint64_t q = i - 1 - random_below(random_bits(seed, 2, i, 1), near);
        bool host = random_below(random_bits(seed, 2, i, 2), 4) == 0;
        snprintf(out, sizeof out, "v%d", (int)i);
        snprintf(in, sizeof in, host ? "v%d" : "v%d v%d", (int)p, (int)q);
        build_node(&b, host ? "Abs" : "Add", in, out, NULL, 0);
        if (i > DAG_NODES - 3)
            build_output(&b, out);
    }
    return loaded(&b);
}

/* reach[i][j]: step j waits for step i, directly or not. */
static bool reach[512][512];

static void find_reach(const Program *p)
{
    memset(reach, 0, sizeof reach);
    for (size_t j = 0; j < p->nstep; j++)
        for (uint32_t d = 0; d < p->step[j].ndep; d++)
            for (size_t i = 0; i < p->nstep; i++)
                reach[i][j] |= i == p->step[j].dep[d] || reach[i][p->step[j].dep[d]];
}

/* Segment b reads from segment a over the bus, with no host op between: could they be one? */
static bool could_merge(const Program *p, const Step *a, const Step *b)
{
    for (size_t i = 0; i < p->nstep; i++) {
        bool works = p->step[i].kind == STEP_NPU || p->step[i].host_op == HOST_OPERATOR;
        if (works && i != a->id && i != b->id && reach[a->id][i] && reach[i][b->id])
            return false;
    }
    return true;
}

static bool reads_directly(const Program *p, const Step *a, const Step *b)
{
    for (uint32_t k = 0; k < b->ninput; k++)
        for (uint32_t o = 0; o < a->noutput; o++)
            if (p->tensor[b->input[k]].tensor == p->tensor[a->output[o]].tensor)
                return true;
    return false;
}

static void partition_checks(void)
{
    CompileOptions o = defaults();
    size_t bad = 0, mergeable = 0, segments = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        const Program *p = compiled(random_dag(seed), machine, &o);
        if (!p || p->nstep > 512) {
            bad++;
            continue;
        }
        find_reach(p);
        for (size_t i = 0; i < p->nstep; i++)
            for (size_t j = i + 1; p->step[i].kind == STEP_NPU && j < p->nstep; j++)
                mergeable += p->step[j].kind == STEP_NPU &&
                             reads_directly(p, &p->step[i], &p->step[j]) &&
                             could_merge(p, &p->step[i], &p->step[j]);
        segments += (size_t)p->summary.segments;
    }
    printf("  %zu segments in 300 random graphs, %zu pairs could have been one\n", segments,
           mergeable);
    CHECK(bad == 0);
    CHECK(mergeable == 0);
}

/* ---- the verifier itself ---- */

static void verifier_checks(void)
{
    CompileOptions o = defaults();
    Program *p = (Program *)compiled(network_with_skip(64), machine, &o);
    Diag diag;
    CHECK(program_verify(p, &diag) == STATUS_OK);
    p->step[1].bytes_in++;
    CHECK(program_verify(p, &diag) == STATUS_INPUT);
    p->step[1].bytes_in--;
    p->nfolded++; /* a node twice */
    p->folded = (FoldedNode[]){{0, "twice"}};
    CHECK(program_verify(p, &diag) == STATUS_INPUT);
    p->nfolded--;
    size_t a = p->nbox - 1;
    int64_t old = p->box[a].address;
    p->box[a].address = p->box[0].address; /* over a weight that is always there */
    CHECK(program_verify(p, &diag) == STATUS_INPUT);
    p->box[a].address = old;
    p->tensor[0].bytes--;
    CHECK(program_verify(p, &diag) == STATUS_INPUT);
    p->tensor[0].bytes++;
    CHECK(program_verify(p, &diag) == STATUS_OK);
}

static void verifier_words_checks(void)
{
    CompileOptions o = defaults();
    Program *p = (Program *)compiled(network_with_skip(64), machine, &o);
    Diag diag;
    size_t npu = 0, deps = 0;
    while (p->step[npu].kind != STEP_NPU)
        npu++;
    while (!p->step[deps].ndep)
        deps++;
    Step *s = &p->step[npu];
    PTensor *t = &p->tensor[s->output[0]];
    BROKEN(NodeId, &s->node[0], 1000, "node 1000 does not exist");
    BROKEN(NodeId, &s->node[0], (NodeId)p->model->graph->nnode, "does not exist");
    BROKEN(NodeId, &s->node[0], s->node[1], "is in two places");
    BROKEN(uint32_t, &s->nnode, s->nnode - 1, "is in no step and not folded");
    BROKEN(int64_t, &p->tensor[0].n, p->tensor[0].n + 1,
           "tensor 0: 12288 elements do not fit its axes");
    BROKEN(int64_t, &t->bytes, t->bytes + 1, "bytes do not fit its layout");
    BROKEN(int64_t, &t->bytes, t->bytes - 1, "bytes do not fit its layout");
    BROKEN(StepId, &s->id, s->id + 1, "has another number");
    BROKEN(StepId, &p->step[0].id, 1, "step 0 has another number");
    BROKEN(StepId, &p->step[deps].dep[0], p->step[deps].id, "has a dependency out of order");
    BROKEN(uint32_t, &p->step[deps].ndep, 0, "does not wait for what it reads");
    BROKEN(StepId, &p->tensor[s->output[0]].producer, STEP_NONE, "an output has another producer");
    BROKEN(int64_t, &s->bytes_out, s->bytes_out + 1, "bytes differ from its tensors'");
    BROKEN(StepKind, &s->kind, STEP_HOST, "its low-level ops are not in one run");
    BROKEN(LowOpId, &s->first_op, 1, "its low-level ops are not in one run");
    for (size_t i = 0; i < p->nop; i += p->nop - 1) { /* the first and the last */
        BROKEN(LowOpId, &p->op[i].id, (LowOpId)i + 1, "is not where its step says");
        BROKEN(StepId, &p->op[i].step, (StepId)p->nstep, "is not where its step says");
        BROKEN(StepId, &p->op[i].step, 0, "is not where its step says");
        BROKEN(int64_t, &p->op[i].tiles, 0, "is not where its step says");
    }
    BROKEN(uint32_t, &s->nop, s->nop - 1, "is not where its step says");
    for (size_t i = 0; i < p->nop; i++)
        if (p->op[i].ndep)
            BROKEN(LowOpId, &p->op[i].dep[0], (LowOpId)i, "has a dependency out of order");
    BROKEN(int64_t, &p->box[0].address, -1, "box 0 lies outside");
    BROKEN(int64_t, &p->box[0].bytes, 0, "box 0 lies outside");
    BROKEN(LowOpId, &p->box[0].last, (LowOpId)p->nop, "box 0 lies outside");
    BROKEN(int64_t, &p->box[0].address, p->summary.sram_bytes, "box 0 lies outside");
    CHECK(program_verify(p, &diag) == STATUS_OK);
}

/* ---- options ---- */

static void option_checks(void)
{
    static const char *const word[] = {
        "target",          "warboy",    "sdk",           "0.9",
        "batch",           "4",         "permute-input", "[[0, 3, 1, 2], [], [1,0]]",
        "input-dtype",     "a=b=uint8", "dim",           "N=7",
        "compiler-config", "k=[1,2]",   "host-cores",    "3",
        "unknown-on",      "npu"};
    CompileOptions o = defaults(), again = defaults();
    Diag diag;
    for (size_t i = 0; i < sizeof word / sizeof *word; i += 2)
        CHECK(compile_option_set(&o, arena, option_named(OPTION_OF_BOTH, word[i])->id, word[i + 1],
                                 &diag) == STATUS_OK);
    CHECK(o.npermute == 3 && o.permute[1].rank == 0 && o.permute[2].axis[0] == 1);
    CHECK(strcmp(o.input_dtype[0].name, "a=b") == 0);
    size_t n, m;
    const char **argv = compile_options_argv(arena, &o, &n);
    CHECK(argv[n] == NULL);
    for (size_t i = 0; i + 1 < n; i += 2)
        CHECK(compile_option_set(&again, arena, option_named(OPTION_OF_BOTH, argv[i] + 2)->id,
                                 argv[i + 1], &diag) == STATUS_OK);
    const char **twice = compile_options_argv(arena, &again, &m);
    CHECK(n == m);
    for (size_t i = 0; i < n && n == m; i++)
        CHECK(strcmp(argv[i], twice[i]) == 0);
    static const char *const wrong[] = {
        "permute-input", "[[0,3,1,2]",  "permute-input", "[[0,0,1]]", "permute-input", "[[0,9]]",
        "batch",         "0",           "batch",         "4x",        "sdk",           "1.0",
        "target",        "gpu",         "dim",           "N",         "dim",           "N=-1",
        "input-dtype",   "x=complex64", "host-cores",    "0",         "unknown-on",    "gpu"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i += 2)
        CHECK(compile_option_set(&o, arena, option_named(OPTION_OF_BOTH, wrong[i])->id,
                                 wrong[i + 1], &diag) == STATUS_USAGE);
    CHECK(!option_named(OPTION_OF_BOTH, "nothing"));
}

int main(void)
{
    Diag diag;
    arena = arena_new((size_t)2 << 30);
    xml_startup();
    if (machine_load(arena, "rules/targets/warboy.xml", &machine, &diag)) {
        printf("FAILED %s\n", diag.text);
        return 1;
    }
    layout_checks();
    option_checks();
    sram_checks();
    permute_checks();
    unknown_place_checks();
    island_checks();
    type_checks();
    batch_checks();
    split_checks();
    partition_checks();
    verifier_checks();
    verifier_words_checks();
    arena_free(arena);
    return check_failures() != 0;
}
