/* OpModel: cycles, layouts and the terms of a low-level op, against calculations by hand. */
#include "cost_model/predict.h"
#include "graph/base/xml.h"
#include "tests/unit/cost_parts.h"

static void op_checks(void)
{
    LowOp op = conv_op();
    /* 64 slices as 8 heights x 8 channel groups: ceil(56/8) = 7 rows, ceil(8/4) = 2 row groups, 14;
     * per pixel row min(ceil(56/32) 9 64 = 1152, 56 9 ceil(64/32) = 1008); 14 1008 = 14112. */
    CHECK(near(op_mac_cycles(&machine, &op), 14112));
    /* 16 heights x 4: 4 x 16 x 64 bytes of width x 64 slices = 262144; 8 x 8: 7 8 64 64 = 229376.
     */
    CHECK(near(lowered_bytes(&machine, 1, 1, 64, 56, 56), 229376));
    CHECK(near(lowered_bytes(&machine, 1, 3, 64, 56, 56), 3 * 229376));
    /* 1,001 classes on 128 slices: 8 x 32 bytes on each, as the vendor's MLPerf code has it. */
    CHECK(near(lowered_bytes(&machine, 2, 1, 1001, 1, 1), 32768));
    LowOp up = op; /* a transposed convolution with stride 2 multiplies a quarter of the taps */
    up.macs /= 4;
    CHECK(near(op_mac_cycles(&machine, &up), 14112 / 4.0));
    LowOp depthwise = op; /* one of four rows: Ci 8 instead of 2; 14 becomes 56 (7 8) */
    depthwise.kind = LOWOP_DEPTHWISE;
    depthwise.group = 64;
    depthwise.macs /= 64;
    /* 56 x min(ceil(56/32) 9 1 = 18, 56 9 1 = 504) = 1008; 64 x 1 has 1 64 = 64; 32 x 2: 2 32 = 64
     */
    CHECK(near(op_mac_cycles(&machine, &depthwise), 1008));
    /* Rows of three, no power of two: 7 rows, 8 channels in ceil(8/3) = 3; 21 1008. */
    Machine three = machine;
    three.mac_height = 3;
    CHECK(near(op_mac_cycles(&three, &op), 21168));
    LowOp none = op;
    none.macs = 0;
    CHECK(op_mac_cycles(&machine, &none) == 0);
    none = op;
    none.w_out = 0;
    CHECK(op_mac_cycles(&machine, &none) == 0);
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
    CHECK(term_from_name("concat_more") == TERM_CONCAT_MORE && term_from_name("concat_most") == -1);
}

/* What is no convolution, on one PE: 286,720 bytes with longer rows, as in term_checks. */
static void other_term_checks(Arena *a)
{
    LowOp op = conv_op();
    Program p = {.machine = &machine, .options = {.pe = 1}, .op = &op, .nop = 1};
    OpModel m = op_model(&p, load(a));
    double work[TERM_COUNT];
    op.kind = LOWOP_CONCAT;
    op.ninput = 4; /* a second input, and two more */
    op_work(&m, &op, work);
    CHECK(near(work[TERM_CONCAT], 286.72) && near(work[TERM_CONCAT_MORE], 2 * 286.72));
    CHECK(work[TERM_MAC] == 0 && work[TERM_FETCH] == 0 && work[TERM_OP] == 1);
    op.ninput = 1;
    op_work(&m, &op, work);
    CHECK(work[TERM_CONCAT] == 0 && work[TERM_CONCAT_MORE] == 0);
    op.kind = LOWOP_POOL;
    op.kernel_h = op.kernel_w = 5; /* 25 elements for the 9 of one pass */
    op_work(&m, &op, work);
    CHECK(near(work[TERM_VECTOR], 286.72 * 25 / 9));
    op.kernel_h = op.kernel_w = 2;
    op_work(&m, &op, work);
    CHECK(near(work[TERM_VECTOR], 286.72));
    op.zero_cost = true;
    op_work(&m, &op, work);
    for (int t = 0; t < TERM_COUNT; t++)
        CHECK(work[t] == (t == TERM_VIEW));
}

/* Works of the convolution on one PE, from the figures above: 14112 cycles of half a nanosecond,
 * one op; 64 bytes of each row and 16 more make 229376 bytes take as long as 286720, through the
 * vector unit and to the array. */
static void term_checks(Arena *a)
{
    Costs *c = load(a);
    LowOp op = conv_op();
    Program p = {.machine = &machine, .options = {.pe = 1}, .op = &op, .nop = 1};
    OpModel m = op_model(&p, c);
    double work[TERM_COUNT];
    OpPrediction t = predict_op(&m, c, &op, work);
    CHECK(near(work[TERM_MAC], 7056) && near(work[TERM_OP], 1) && near(work[TERM_VECTOR], 286.72));
    CHECK(near(work[TERM_FETCH], 286.72) && work[TERM_CONCAT] == 0 && work[TERM_OVERFLOW] == 0);
    double sum = c->mac_kappa.mid * 7056 + c->op_ns.mid + c->vector_ps.mid * 286.72 +
                 c->fetch_ps.mid * 286.72 + c->weight_ns_per_byte.mid * 37120;
    CHECK(near(t.total_ns.mid, sum) && near(t.load_ns + t.compute_ns + t.store_ns, sum));
    CHECK(t.total_ns.lo < t.total_ns.mid && t.total_ns.mid < t.total_ns.hi);
    CHECK(t.limit == LIMIT_MAC);
    /* 1,000 bytes of maps and 500 of weights pass the DRAM channel, whatever the op's own time. */
    CHECK(t.dram_ns == 0);
    op.streamed_bytes = 500;
    op.spill_bytes = 1500;
    CHECK(near(predict_op(&m, c, &op, work).dram_ns,
               500 * c->overflow_ns_per_byte.mid + 1000 * c->spill_ns_per_byte.mid));
    CHECK(near(t.utilisation, 115605504.0 / (16384 * sum))); /* 8,192 MAC a cycle, 2 cycles a ns */
    /* Every figure doubled moves the time by its own term. */
    for (int k = 0; k < TERM_COUNT; k++) {
        Costs twice = *c;
        costs_set_figure(&twice, term_table[k].figure,
                         interval_scale(costs_figure(c, term_table[k].figure), 2));
        double more = predict_op(&m, &twice, &op, work).total_ns.mid - t.total_ns.mid;
        CHECK(near(more, work[k] * costs_figure(c, term_table[k].figure).mid));
    }
    /* Two fused PEs: what is split takes 1 / (1 + phi). */
    p.options.pe = 2;
    m = op_model(&p, c);
    op_work(&m, &op, work);
    CHECK(near(work[TERM_MAC], 7056 / (1 + c->fusion_phi.mid)));
    CHECK(near(work[TERM_OP], 1));
    /* 20 MiB of weights on 16 MiB of SRAM: a fifth of them comes again in every task. */
    p.options.pe = 1;
    op.weight_bytes = 20 << 20;
    m = op_model(&p, c);
    op_work(&m, &op, work);
    CHECK(near(work[TERM_OVERFLOW], 4 << 20));
    /* 64 x 384 x 384 int8 in and out: 9 MiB each, no padding; 12 of 16 MiB stay. */
    op.h_in = op.w_in = op.h_out = op.w_out = 384;
    op.elements_in = op.elements_out = 64 * 384 * 384;
    op_work(&m, &op, work);
    CHECK(near(work[TERM_SPILL], 6 << 20));
    /* Eight such images: 144 MiB at once, or 6 of each when they go one by one; the compiled
     * program reads the weights with each. */
    op.n = 8;
    op.elements_in = op.elements_out = 8 * 64 * 384 * 384;
    op_work(&m, &op, work);
    CHECK(near(work[TERM_SPILL], 132 << 20) && near(work[TERM_OVERFLOW], 4 << 20));
    p.groups = 8;
    op.streamed_bytes = 8 * op.weight_bytes;
    op_work(&m, &op, work);
    CHECK(near(work[TERM_SPILL], 48 << 20) && near(work[TERM_OVERFLOW], 32 << 20));
    /* Maps of a quarter MiB: all sixteen fit beside each other, so it reads the weights once. */
    op.streamed_bytes = op.weight_bytes;
    op.h_in = op.w_in = op.h_out = op.w_out = 128;
    op.c_in = op.c_out = 16;
    op.elements_in = op.elements_out = 8 * 16 * 128 * 128;
    op_work(&m, &op, work);
    CHECK(near(work[TERM_SPILL], 0) && near(work[TERM_OVERFLOW], 4 << 20));
}

/* Two ops of 3 us of multiplication and 1 us of start: 64 channels on 16 x 16 and 1,024 on 4 x 4.
 * Shares 3/4 and 1/4; channels 2^6 and 2^10, mean 8; sides 2^4 and 2^2, mean 3. */
static void likeness_checks(void)
{
    LowOp op[2] = {{.c_out = 64, .h_out = 16, .w_out = 16},
                   {.c_out = 1024, .h_out = 4, .w_out = 4}};
    Program p = {.op = op, .nop = 2};
    Costs c = {.mac_kappa = {1, 1, 1}, .op_ns = {1000, 1000, 1000}, .residual_distance = {3, 3, 3}};
    double work[2][TERM_COUNT] = {{[TERM_MAC] = 3000, [TERM_OP] = 1},
                                  {[TERM_MAC] = 3000, [TERM_OP] = 1}};
    Blend b = fit_distance_blend(&p, &c, (const double(*)[TERM_COUNT])work);
    CHECK(near(b.part[BLEND_MULTIPLY], 0.75) && near(b.part[BLEND_FIXED], 0.25));
    CHECK(near(b.part[BLEND_WIDTH], 0.8) && near(b.part[BLEND_SIDE], 0.3));
    /* All time in joins, twice as wide: half of the shares' difference of 2, and a tenth. */
    Blend like[2] = {
        {{[BLEND_JOIN] = 1, [BLEND_WIDTH] = 0.9, [BLEND_SIDE] = 0.3}},
        {{[BLEND_MULTIPLY] = 0.65, [BLEND_FIXED] = 0.35, [BLEND_WIDTH] = 0.8, [BLEND_SIDE] = 0.2}}};
    CHECK(near(fit_distance_between(&b, &like[0]), 1.1) &&
          near(fit_distance_between(&b, &like[1]), 0.2));
    CHECK(fit_distance_widening(&c, &b) == 1); /* nothing to be like */
    c.like = like;
    c.nlike = 1;
    CHECK(near(fit_distance_widening(&c, &b), 1 + 3 * 1.1));
    c.nlike = 2;
    CHECK(near(fit_distance_widening(&c, &b), 1 + 3 * 0.2)); /* the nearest counts */
    c.info[COST_residual_conv].kind = KIND_CALIBRATED;
    CHECK(fit_distance_widening(&c, &b) == 1);
    p.nop = 0;
    CHECK(fit_distance_blend(&p, &c, NULL).part[BLEND_FIXED] == 0);
}

int main(void)
{
    xml_startup();
    Arena *a = arena_new(0);
    likeness_checks();
    op_checks();
    class_checks();
    other_term_checks(a);
    term_checks(a);
    arena_free(a);
    return check_failures() != 0;
}
