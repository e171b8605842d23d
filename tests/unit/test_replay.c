/* Replay: what lies between steps, and scatter, against calculations by hand. */
#include "cost_model/handoffs.h"
#include "cost_model/replay/replay.h"
#include "cost_model/replay/skew.h"
#include "tests/unit/cost_parts.h"

/* Quantize 0-20, WriteToDram 24-34, SendOperandTriple 38-42, Task 50-70, ReadFromDram 75-85, and
 * the inference ends at 100: 0, 4, 16, 5 and 15 lie between. */
static void handoff_checks(Arena *a)
{
    OpSpan span[] = {
        {.name = "Quantize", .kind = SPAN_HOST_OPERATOR, .dur_ns = 20},
        {.name = "WriteToDram", .kind = SPAN_TRANSFER, .start_ns = 24, .dur_ns = 10},
        {.name = "SendOperandTriple", .kind = SPAN_SUBMIT, .start_ns = 38, .dur_ns = 4},
        {.name = "ReadFromDram", .kind = SPAN_TRANSFER, .start_ns = 75, .dur_ns = 10}};
    HostDetail detail[] = {{.self_ns = 20}, {.self_ns = 10}, {.self_ns = 4}, {.self_ns = 10}};
    ExecutionStat task = {.start_ns = 50, .total_ns = 20};
    InferenceStat inference = {.dur_ns = 100, .ntask = 1, .nhost = 4};
    TraceStats s = {.host_span = span, .host_detail = detail, .execution = &task};
    HandoffSamples *samples = handoffs_open(a, 1);
    handoffs_gather(samples, a, &s, &inference);
    Handoffs h = handoffs_close(samples);
    Step step[] = {{.kind = STEP_HOST},
                   {.kind = STEP_H2D},
                   {.kind = STEP_NPU},
                   {.kind = STEP_D2H},
                   {.kind = STEP_D2H}};
    Program all = {.step = step, .nstep = 4}, less = {.step = step + 1, .nstep = 3};
    Program more = {.step = step, .nstep = 5};
    CHECK(handoffs_cover(&h, &all) && !handoffs_cover(&h, &less) && !handoffs_cover(&h, &more));
    CHECK(near(handoffs_sum_ns(&h, &all, 1000), 40));
    CHECK(near(handoffs_sum_ns(&h, &all, 10), 29));    /* what is longer is no hand-off */
    CHECK(near(handoffs_sum_ns(&h, &less, 1000), 36)); /* nothing before the first step */
    CHECK(near(handoffs_sum_ns(&h, &more, 1000), 45)); /* as from the NPU to a transfer */
    CHECK(near(h.submit_ns, 4));
    CHECK(h.launch_ns == -1); /* a task that does not tell its Run */
    task.has_run = true;
    task.io_wait_ns = 7;
    samples = handoffs_open(a, 1);
    handoffs_gather(samples, a, &s, &inference);
    CHECK(near(handoffs_close(samples).launch_ns, 7));
    task.io_wait_ns = -7; /* Total < Run tells nothing */
    samples = handoffs_open(a, 1);
    handoffs_gather(samples, a, &s, &inference);
    CHECK(handoffs_close(samples).launch_ns == -1);
}

/* Two operators of 100 whose means are 110: variances of 110^2 * 0.21 = 2541 each; the median of
 * the sum is 220^2 / sqrt(220^2 + 5082) = 209.286.  A step that was not measured scatters as they
 * do. */
static void skew_checks(void)
{
    Step step[] = {{.kind = STEP_HOST, .host_op = HOST_QUANTIZE},
                   {.kind = STEP_HOST, .host_op = HOST_LOWER},
                   {.kind = STEP_NPU}};
    Program p = {.step = step, .nstep = 3}, one = {.step = step, .nstep = 1};
    Measured m[] = {{100, 90, 110, 9, 1.1}, {100, 90, 110, 9, 1.1}, {500, 500, 500, 9, 1}};
    Reconciliation r = {.step = m};
    StepPrediction time[] = {
        {.total_ns = {90, 100, 110}}, {.total_ns = {90, 100, 110}}, {.known = true}};
    Prediction t = {.step = time};
    uint32_t found[] = {0, UINT32_MAX, 2};
    skew_fill(&p, &r, &p, found, &t);
    CHECK(near(t.host_more_ns, 20) && fabs(t.host_skew_ns - 9.286) < 0.001);
    skew_fill(&p, &r, &one, found, &t); /* of one, the median is the median */
    CHECK(near(t.host_more_ns, 10) && fabs(t.host_skew_ns) < 1e-9);
    /* A Quantize that was not measured scatters as the measured Quantize does, a Dequantize as all
     * do: 110 and 130 for 200. */
    m[1].skew = 1.3;
    Step other[] = {{.kind = STEP_HOST, .host_op = HOST_DEQUANTIZE}};
    Program unseen = {.step = other, .nstep = 1};
    uint32_t none[] = {UINT32_MAX};
    skew_fill(&p, &r, &one, none, &t);
    CHECK(near(t.host_more_ns, 10));
    skew_fill(&p, &r, &unseen, none, &t);
    CHECK(near(t.host_more_ns, 20));
    r.step = (Measured[3]){{0}}; /* nothing was measured: nothing is known of scatter */
    skew_fill(&p, &r, &unseen, none, &t);
    CHECK(near(t.host_more_ns, 0));
    int64_t value[] = {10, 10, 10, 20, 400}; /* the last stands for something else */
    CHECK(near(measured_of(value, 5).skew, 1.25));
}

/* Thirty inferences of one task with one operator. */
static Reconciliation measured_with(const TraceStats *stats, Measured *task, const Costs *c,
                                    const Costs *carried)
{
    return (Reconciliation){.stats = stats,
                            .step = task,
                            .op = task,
                            .latency = *task,
                            .matched_time_share = 1,
                            .matched_op_share = 1,
                            .inferences = 30,
                            .costs = c,
                            .carried = carried,
                            .widen = 1};
}

/* A convolution reads a megabyte of weights; 45 ns a kilobyte were to take 45 us, of which 22.5 are
 * waited for (the rest is hidden), and it takes so much longer that it waits for about 200.  On one
 * PE ten megabytes of maps go through the DRAM as well, 18.9 ns a kilobyte and hidden: nobody waits
 * for them, but the channel is busy for (45 + 189) us, and as much slower as it is for the
 * weights: 200 / 45. */
static void channel_checks(Arena *a)
{
    Costs *c = load(a);
    c->carried = true;
    c->calibration = "trace";
    c->kind_factor[LOWOP_CONV2D][term(c, "overflow")] = 0.5;
    c->kind_factor[LOWOP_CONCAT][term(c, "spill")] = 0;
    LowOp op[2] = {conv_op(), conv_op()};
    op[0].weight_bytes = op[0].streamed_bytes = op[0].spill_bytes = 1000000;
    op[1] = (LowOp){.id = 1, .kind = LOWOP_CONCAT, .spill_bytes = 10000000};
    Step step = {.kind = STEP_NPU, .op = "npu", .nop = 1}, more = step;
    more.nop = 2;
    Program fused = {.machine = &machine, .images = 1, .step = &step, .nstep = 1, .op = op};
    fused.options.pe = 2;
    fused.nop = 1;
    Program single = fused;
    single.options.pe = 1;
    single.step = &more;
    single.nop = 2;
    RunOptions run = {.workers = 1};
    OpPrediction there = predict(a, &fused, c, &run)->op[0];
    int64_t ns = (int64_t)there.total_ns.mid + 177500;
    Measured task = {ns, ns, ns, 30, 1};
    KeyedItem step_key_of = {step_key(&fused, &step), 0},
              op_key = {program_lowop_key(&fused, op), 0};
    TraceStats stats = {.lanes = 1};
    Reconciliation r = measured_with(&stats, &task, c, c);
    r.step_by_key = &step_key_of;
    r.op_by_key = &op_key;
    r.nstep_by_key = r.nop_by_key = 1;
    double waited = predict_op_wait(&there, (double)ns);
    CHECK(about(waited, 200000, 0.01));
    CHECK(near(replay(a, &fused, &r, &fused, c, &run)->dram_ns, waited));
    CHECK(near(replay(a, &fused, &r, &single, c, &run)->dram_ns, waited / 45 * (45 + 189)));
    c->kind_factor[LOWOP_CONCAT][term(c, "spill")] = 5; /* what is waited for is no less */
    CHECK(near(replay(a, &fused, &r, &single, c, &run)->dram_ns, waited + 5 * 189000));
}

/* A convolution on both PEs takes what the target says.  So it does on one PE, whatever the terms
 * are that a fit to this one trace has: it may leave the products nothing. */
static void mode_checks(Arena *a)
{
    Costs *c = load(a), *fitted = ARENA_NEW(a, Costs);
    *fitted = *c;
    fitted->calibration = "trace";
    fitted->carried = true;
    fitted->kind_factor[LOWOP_CONV2D][term(c, "mac")] = 0;
    LowOp op = conv_op();
    Step step = {.kind = STEP_NPU, .op = "npu", .nop = 1};
    Program fused = {.machine = &machine, .images = 1, .step = &step, .nstep = 1, .op = &op};
    fused.options.pe = 2;
    fused.nop = 1;
    Program single = fused;
    single.options.pe = 1;
    RunOptions run = {.workers = 1};
    int64_t ns = (int64_t)predict(a, &fused, c, &run)->op[0].total_ns.mid;
    Measured task = {ns, ns, ns, 30, 1};
    TraceStats stats = {.lanes = 1};
    Reconciliation r = measured_with(&stats, &task, c, fitted);
    double expected = predict(a, &single, c, &run)->npu_ns.mid;
    CHECK(about(replay(a, &fused, &r, &single, c, &run)->npu_ns.mid, expected, 0.001));
}

int main(void)
{
    Arena *a = arena_new(0);
    channel_checks(a);
    mode_checks(a);
    handoff_checks(a);
    skew_checks();
    arena_free(a);
    return check_failures() != 0;
}
