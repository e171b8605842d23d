/* OpModel: cycles, layouts and the terms of a low-level op, against calculations by hand. */
#include "cost_model/predict.h"
#include "graph/base/xml.h"
#include "tests/unit/cost_parts.h"

static void op_checks(void)
{
    LowOp op = conv_op();
    /* 56 rows in 8 parts: 7; 56 columns in lanes of 32: 2; 9 taps of 64 channels: 576; 64 outputs
     * in 8 parts: 8, four at a time: 2.  7 2 576 2 = 16,128. */
    CHECK(near(op_mac_cycles(&machine, 1, &op), 16128));
    CHECK(near(op_mac_cycles(&machine, 2, &op), 8064)); /* 64 outputs in 16 parts: 4, so 1 step */
    op.c_out = 96;                                      /* 96 in 16 parts: 6, so 2 steps again */
    op.macs = op.macs / 64 * 96;
    op.elements_out = 96 * 56 * 56;
    CHECK(near(op_mac_cycles(&machine, 2, &op), 16128));
    op = conv_op();
    LowOp up = op; /* a transposed convolution with stride 2 multiplies a quarter of the taps */
    up.macs /= 4;
    CHECK(near(op_mac_cycles(&machine, 1, &up), 16128 / 4.0));
    LowOp depthwise = op; /* one row of four: 8 steps; one channel: 9 taps; 7 2 9 8 = 1,008 */
    depthwise.kind = LOWOP_DEPTHWISE;
    depthwise.group = 64;
    depthwise.macs /= 64;
    CHECK(near(op_mac_cycles(&machine, 1, &depthwise), 1008));
    /* Rows of three, no power of two: 8 outputs of a part in ceil(8/3) = 3 steps. */
    Machine three = machine;
    three.mac_height = 3;
    CHECK(near(op_mac_cycles(&three, 1, &op), 24192));
    /* Four slices: as many parts of the height, one of the channels; 14 2 576 16. */
    Machine four = machine;
    four.slices_per_pe = 4;
    CHECK(near(op_mac_cycles(&four, 1, &op), 258048));
    LowOp none = op;
    none.macs = 0;
    CHECK(op_mac_cycles(&machine, 1, &none) == 0);
    none = op;
    none.elements_out = 0;
    CHECK(op_mac_cycles(&machine, 1, &none) == 0);
    CHECK(near(op_map_bytes(&machine, &op), 2 * 64 * 56 * 64)); /* widths of 56 take 64 */
}

/* Three products of 1370 x 1370 by 1370 x 64, whatever the rank: 1370 rows in 256 lanes of 8 parts:
 * 6; 1370 terms; 64 columns in 8 parts: 8, four at a time: 2; 3 6 1370 2 = 49,320.  With shared
 * weights the rows of all are one: 4110 rows, 17 times 256. */
static void product_checks(void)
{
    LowOp op = {.kind = LOWOP_CONV2D, .n = 1, .c_out = 3, .h_out = 1370, .w_out = 64};
    op.c_in = op.h_in = op.w_in = 1370;
    op.kernel_h = op.kernel_w = 1;
    op.macs = INT64_C(3) * 1370 * 1370 * 64;
    op.elements_in = INT64_C(3) * 1370 * 1370 + 3 * 1370 * 64;
    op.elements_out = INT64_C(3) * 1370 * 64;
    op.columns = 64;
    op.matrices = 3;
    CHECK(near(op_mac_cycles(&machine, 1, &op), 49320));
    LowOp flat = op; /* rank 3 */
    flat.c_out = 1370;
    flat.h_out = 3;
    CHECK(near(op_mac_cycles(&machine, 1, &flat), 49320));
    op.matrices = 1;
    CHECK(near(op_mac_cycles(&machine, 1, &op), 17 * 1370 * 2));
    /* 3 x 1370 x 1370 + 3 x 1370 x 64 bytes, 1370 columns on 1376; and 3 x 1370 x 64. */
    CHECK(near(op_map_bytes(&machine, &op), 5893740. * 1376 / 1370 + 263040));
}

/* Classes of what a fit leaves: a product of two activations is like no published convolution. */
static void class_checks(void)
{
    LowOp op = conv_op();
    CHECK(op_residual_figure(&op) == COST_residual_conv);
    op.group = 4;
    CHECK(op_residual_figure(&op) == COST_residual_depthwise);
    op.weight_bytes = 0;
    CHECK(op_residual_figure(&op) == COST_residual_unseen);
    op.kind = LOWOP_POOL;
    CHECK(op_residual_figure(&op) == COST_residual_vector);
}

/* What is no convolution, on one PE: 64 channels of 56 rows of 64 bytes are 229,376 bytes. */
static void other_term_checks(Arena *a)
{
    const Costs *c = load(a);
    LowOp op = conv_op();
    Program p = {.machine = &machine, .options = {.pe = 1}, .op = &op, .nop = 1};
    OpModel m = op_model(&p, c);
    double work[TERM_MAX];
    op.kind = LOWOP_CONCAT;
    op.ninput = 4; /* three after the first */
    op_work(&m, &op, work);
    CHECK(near(work[term(c, "concat")], 3 * 229.376));
    CHECK(work[term(c, "mac")] == 0 && work[term(c, "op")] == 0 && work[term(c, "vector_op")] == 1);
    op.ninput = 1;
    op_work(&m, &op, work);
    CHECK(work[term(c, "concat")] == 0);
    op.kind = LOWOP_POOL;
    op_work(&m, &op, work);
    CHECK(near(work[term(c, "stream")], 2 * 200.704) && work[term(c, "activation")] == 0);
    op.vector_passes = 3; /* 64 x 56 x 56 outputs, each with three parts of a window */
    op_work(&m, &op, work);
    CHECK(near(work[term(c, "window")], 3 * 200.704));
    op.kind = LOWOP_SOFTMAX;
    op.vector_passes = 4; /* each of 64 x 56 rows four times */
    op_work(&m, &op, work);
    CHECK(near(work[term(c, "activation")], 4 * 64 * 56));
    CHECK(near(work[term(c, "activation_bytes")], 4 * 229.376));
    op.zero_cost = true;
    op_work(&m, &op, work);
    for (int t = 0; t < c->nterm; t++)
        CHECK(work[t] == (t == term(c, "view")));
    CHECK(near(op_fixed_ns(c, LOWOP_POOL).mid, 500) &&
          near(op_fixed_ns(c, LOWOP_CONV2D).mid, 1200));
}

/* Works of the convolution on one PE, from the figures above: 16,128 cycles of half a nanosecond,
 * one op, 64 x 56 rows of activations, and its weights. */
static void term_checks(Arena *a)
{
    Costs *c = load(a);
    LowOp op = conv_op();
    Program p = {.machine = &machine, .options = {.pe = 1}, .op = &op, .nop = 1, .images = 1};
    OpModel m = op_model(&p, c);
    double work[TERM_MAX];
    OpPrediction t = predict_op(&m, c, &op, work);
    CHECK(near(work[term(c, "mac")], 8064) && near(work[term(c, "op")], 1));
    CHECK(near(work[term(c, "activation")], 3584) && near(work[term(c, "weight")], 37120));
    CHECK(work[term(c, "concat")] == 0 && work[term(c, "overflow")] == 0);
    double sum = figure(c, "mac") * 8064 + figure(c, "op") + figure(c, "activation") * 3584 +
                 figure(c, "activation_bytes") * 229.376 + figure(c, "weight") * 37120;
    CHECK(near(t.total_ns.mid, sum) && near(t.load_ns + t.compute_ns + t.store_ns, sum));
    CHECK(t.total_ns.lo < t.total_ns.mid && t.total_ns.mid < t.total_ns.hi);
    CHECK(t.limit == LIMIT_MAC); /* 8,064 ns of products, 7,053 of activations */
    /* 1,000 bytes of maps and 500 of weights pass the DRAM channel, whatever the op's own time. */
    CHECK(t.dram_ns == 0);
    op.streamed_bytes = 500;
    op.spill_bytes = 1500;
    CHECK(near(predict_op(&m, c, &op, work).dram_ns,
               500 * figure(c, "overflow") + 1000 * figure(c, "spill")));
    CHECK(near(t.utilisation, 115605504.0 / (16384 * sum))); /* 8,192 MAC a cycle, 2 cycles a ns */
    /* Every figure doubled moves the time by its own term. */
    for (int k = 0; k < c->nterm; k++) {
        Costs twice = *c;
        twice.term[k].figure = interval_scale(c->term[k].figure, 2);
        double more = predict_op(&m, &twice, &op, work).total_ns.mid - t.total_ns.mid;
        CHECK(near(more, costs_term_ns(c, k, work[k])));
    }
    /* Two fused PEs: 64 outputs in 16 parts, half the steps; activations take as long as on one. */
    p.options.pe = 2;
    m = op_model(&p, c);
    op_work(&m, &op, work);
    CHECK(near(work[term(c, "mac")], 4032) && near(work[term(c, "activation")], 3584));
    LowOp join = op;
    join.kind = LOWOP_CONCAT;
    join.ninput = 2;
    op_work(&m, &join, work);
    CHECK(near(work[term(c, "concat")], 229.376 / (1 + c->fusion_phi.mid)));
}

/* What does not fit 16 MiB of SRAM. */
static void memory_term_checks(Arena *a)
{
    const Costs *c = load(a);
    LowOp op = conv_op();
    Program p = {.machine = &machine, .options = {.pe = 1}, .op = &op, .nop = 1, .images = 1};
    double work[TERM_MAX];
    /* 20 MiB of weights beside 229,376 bytes of output: 4 MiB and those come again in every task.
     */
    op.weight_bytes = 20 << 20;
    OpModel m = op_model(&p, c);
    op_work(&m, &op, work);
    CHECK(near(work[term(c, "overflow")], (4 << 20) + 229376));
    CHECK(work[term(c, "oversize")] == 0 && op_model_widening(&m) == 1);
    /* 64 x 384 x 384 in and out: 9 MiB each, no padding, more than 16: all 18 have a price. */
    op.h_in = op.w_in = op.h_out = op.w_out = 384;
    op.elements_in = op.elements_out = 64 * 384 * 384;
    m = op_model(&p, c);
    op_work(&m, &op, work);
    CHECK(near(work[term(c, "oversize")], 18 << 20) && near(work[term(c, "overflow")], 13 << 20));
    CHECK(op_model_widening(&m) == 3);
    /* Of eight such images each is too large, and they go one by one. */
    op.n = p.images = 8;
    op.elements_in = op.elements_out = 8 * 64 * 384 * 384;
    m = op_model(&p, c);
    op_work(&m, &op, work);
    CHECK(near(work[term(c, "oversize")], 144 << 20) && near(work[term(c, "overflow")], 13 << 20));
    op.streamed_bytes = 8 * op.weight_bytes; /* the program reads the weights with each */
    m = op_model(&p, c);
    op_work(&m, &op, work);
    CHECK(near(work[term(c, "overflow")], 104 << 20));
    /* 64 x 320 x 320: 12.5 MiB in and out are more than 0.8 of the SRAM, and fit. */
    op.h_in = op.w_in = op.h_out = op.w_out = 320;
    op.n = p.images = 1;
    op.elements_in = op.elements_out = 64 * 320 * 320;
    op.weight_bytes = op.streamed_bytes = 0;
    m = op_model(&p, c);
    op_work(&m, &op, work);
    CHECK(op_model_widening(&m) == 1 && work[term(c, "oversize")] == 0);
    op.c_out = 72; /* 13.3 MiB */
    m = op_model(&p, c);
    CHECK(op_model_widening(&m) == 3);
}

/* Results of 1 MiB each: 0 is read by 2, and 1 by a Pad and then by 2: all three are live there. */
static void live_checks(Arena *a)
{
    static const LowOpId one[] = {0}, two[] = {1}, both[] = {0, 2};
    LowOp op[4];
    for (uint32_t i = 0; i < 4; i++)
        op[i] =
            (LowOp){.id = i, .kind = LOWOP_POOL, .n = 1, .c_out = 1024, .h_out = 32, .w_out = 32};
    op[1].dep = one;
    op[2].kind = LOWOP_PAD;
    op[2].dep = two;
    op[3].dep = both;
    op[1].ndep = op[2].ndep = 1;
    op[3].ndep = 2;
    Program p = {.machine = &machine, .options = {.pe = 1}, .op = op, .nop = 4};
    CHECK(near(op_model(&p, load(a)).live_bytes, 3 << 20));
    op[3].dep = &both[1]; /* 0 is read by 1 alone */
    op[3].ndep = 1;
    CHECK(near(op_model(&p, load(a)).live_bytes, 2 << 20));
}

/* A term beside another: the longer of the two counts, whichever it is. */
static void beside_checks(Arena *a)
{
    Costs *c = load(a);
    int array = term(c, "mac"), rows = term(c, "activation");
    c->term[rows].figure = interval_exact(2.4);
    c->term[rows].beside = array;
    LowOp op = conv_op();
    Program p = {.machine = &machine, .options = {.pe = 1}, .op = &op, .nop = 1};
    OpModel m = op_model(&p, c);
    double work[TERM_MAX];
    op_work(&m, &op, work); /* 8,602 ns of activations hide 8,064 of products */
    CHECK(work[array] == 0 && near(work[rows], 3584));
    c->term[array].figure = interval_exact(2);
    op_work(&m, &op, work);
    CHECK(near(work[array], 8064) && work[rows] == 0);
}

int main(void)
{
    xml_startup();
    Arena *a = arena_new(0);
    op_checks();
    product_checks();
    class_checks();
    other_term_checks(a);
    term_checks(a);
    memory_term_checks(a);
    live_checks(a);
    beside_checks(a);
    arena_free(a);
    return check_failures() != 0;
}
