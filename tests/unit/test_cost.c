/* cost_model: the arithmetic, against calculations by hand. */
#include "cost_model/reconcile.h"
#include "cost_model/score.h"
#include "cost_model/sensitivity.h"
#include "graph/base/statistics.h"
#include "graph/base/xml.h"
#include "tests/unit/cost_parts.h"

#include <string.h>

static void interval_checks(void)
{
    Interval v[2] = {{7, 10, 13}, {16, 20, 24}};
    Interval s = interval_sum_independent(v, 2); /* 3 and 4 add to 5 */
    CHECK(near(s.lo, 25) && near(s.mid, 30) && near(s.hi, 35));
    Interval w = interval_widen(v[0], 2);
    CHECK(near(w.lo, 4) && near(w.mid, 10) && near(w.hi, 16));
    CHECK(interval_widen(v[0], 9).lo >= 0); /* a time is never negative */
    CHECK(near(interval_add(v[0], v[1]).hi, 37));
}

/* The published traces of MobileNet v1 and YOLOv5s as queueing networks: N* = (Z + D) / Dmax. */
static void queueing_checks(void)
{
    QueueDemand mobilenet = {.npu_ns = 119e3,
                             .npu_servers = 1,
                             .host_ns = 362e3,
                             .host_servers = 8,
                             .pcie_servers = 1,
                             .delay_ns = 1.66e6};
    CHECK(about(queueing_throughput(&mobilenet, 1), 1e9 / (1.66e6 + 119e3 + 362e3), 1e-9));
    CHECK(about(queueing_throughput(&mobilenet, 4), 1850, 0.01));
    CHECK(about(queueing_throughput(&mobilenet, 16), 6641, 0.01));
    CHECK(near(queueing_ceiling(&mobilenet), 1e9 / 119e3));
    CHECK(queueing_workers_for(&mobilenet, 1, 99) == 18); /* 2.141 / 0.119 = 17.99 */
    QueueDemand yolo = {.npu_ns = 1.93e6,
                        .npu_servers = 1,
                        .host_ns = 6.63e6,
                        .host_servers = 8,
                        .pcie_servers = 1};
    CHECK(about(queueing_throughput(&yolo, 1), 117, 0.01));
    CHECK(about(queueing_throughput(&yolo, 16), 518, 0.01));
    CHECK(queueing_workers_for(&yolo, 1, 99) == 5); /* 8.56 / 1.93 = 4.4 */
    CHECK(queueing_workers_for(&yolo, 1, 3) == 3);
    double before = 0;
    for (int n = 1; n <= 64; n++) {
        double x = queueing_throughput(&yolo, n);
        CHECK(x >= before && x <= queueing_ceiling(&yolo) && x <= n * 1e9 / 8.56e6 * (1 + 1e-12));
        before = x;
    }
    /* Service 1, delay 1, two workers: the second meets the first with probability 1/2, and waits
     * for all of an exponential service, for half of a regular one: 2.5 and 2.25 for both.  In step
     * they never meet: 2; the middle is 2.125. */
    QueueDemand pair = {.npu_ns = 1e9, .npu_servers = 1, .delay_ns = 1e9};
    CHECK(near(queueing_throughput(&pair, 2), 0.8));
    pair.npu_regularity = 1;
    CHECK(near(queueing_throughput(&pair, 2), 2 / 2.125));
    /* Two exponential servers and one behind them, service 1 each, two requests: none, one or two
     * of them at the two are as 1 : 1 : 1/2, and the one behind is busy in the first two: 2 / 2.5.
     */
    QueueDemand both = {.npu_ns = 1e9, .npu_servers = 2, .host_ns = 1e9, .host_servers = 1};
    CHECK(near(queueing_throughput(&both, 1), 0.5));
    CHECK(near(queueing_throughput(&both, 2), 0.8));
    CHECK(near(queueing_throughput(&pair, 99), 1)); /* never above the ceiling */
    /* What no request waits for takes the same core: one request takes 1, the core 1/2 + 3/4. */
    QueueDemand beside = {.host_ns = 5e8, .share_ns = 7.5e8, .host_servers = 1, .delay_ns = 5e8};
    CHECK(near(queueing_throughput(&beside, 1), 0.8) && near(queueing_ceiling(&beside), 0.8));
    beside.host_servers = 2;
    CHECK(near(queueing_throughput(&beside, 1), 1) && near(queueing_ceiling(&beside), 1.6));
    QueueDemand nothing = {.npu_servers = 1, .host_servers = 1, .pcie_servers = 1};
    CHECK(queueing_throughput(&nothing, 4) == 0 && queueing_ceiling(&nothing) == 0);
    CHECK(queueing_workers_for(&nothing, 1, 9) == 1);
}

static void host_checks(Arena *a)
{
    Costs *c = load(a);
    Step q = {.kind = STEP_HOST,
              .host_op = HOST_QUANTIZE,
              .op = "Quantize",
              .from = DT_FLOAT32,
              .to = DT_INT8,
              .elements = 3 * 640 * 640};
    const HostCost *old = costs_for_host(c, 9, &q), *new = costs_for_host(c, 10, &q);
    CHECK(old && new &&old != new);
    /* The guide: 60.639 ms for YOLOX_L in float32, 0.277 ms in uint8; within 2 %. */
    CHECK(about(costs_host_ns(old, &q).mid, 60.639e6, 0.02));
    q.from = DT_UINT8;
    Interval u8 = costs_host_ns(costs_for_host(c, 10, &q), &q);
    CHECK(u8.lo < 277e3 && 277e3 < u8.hi && about(u8.mid, 277e3, 0.02));
    /* ResNet50 float32 to uint8 saves 2.7 to 3.0 ms on 0.10. */
    q.elements = 3 * 224 * 224;
    double bytes = costs_host_ns(costs_for_host(c, 10, &q), &q).mid;
    q.from = DT_FLOAT32;
    double saved = costs_host_ns(costs_for_host(c, 10, &q), &q).mid - bytes;
    CHECK(2.7e6 < saved && saved < 3.0e6);
    q.from = DT_INT16; /* no law states it: the one without types */
    CHECK(costs_for_host(c, 10, &q) && costs_for_host(c, 10, &q)->from == DT_UNKNOWN);
}

/* An operator on the CPU takes the longer of its bytes and its MACs. */
static void host_operator_checks(const Costs *c)
{
    Step op = {.kind = STEP_HOST,
               .host_op = HOST_OPERATOR,
               .op = "RoiAlign",
               .bytes_in = 1000,
               .bytes_out = 1000,
               .macs = 1000000};
    CHECK(costs_for_host(c, 10, &op)->unit == UNIT_MAC);
    op.macs = 0;
    CHECK(costs_for_host(c, 10, &op)->unit == UNIT_BYTE);
    CHECK(near(costs_host_units(costs_for_host(c, 10, &op)->unit, &op), 2000));
    /* Sizes that are upper bounds: none of the work to all of it, and half of it in the middle. */
    op.at_most = true;
    const HostCost *law = costs_for_host(c, 10, &op);
    Interval t = costs_host_ns(law, &op);
    CHECK(near(t.lo, law->fixed_ns.lo) &&
          near(t.mid, law->fixed_ns.mid + 1000 * law->per_unit_ns.mid));
    CHECK(near(t.hi, law->fixed_ns.hi + 2000 * law->per_unit_ns.hi));
    CHECK(!costs_host_counts_uncached(law));
}

/* Its own law if there is one, that of its form first; an ONNX Slice is not the compiler's. */
static void host_form_checks(const Costs *c)
{
    Step resize = {
        .kind = STEP_HOST, .host_op = HOST_OPERATOR, .op = "Resize", .elements = 1000000};
    double nearest = costs_host_ns(costs_for_host(c, 10, &resize), &resize).mid;
    resize.finer = "ResizeCubic";
    CHECK(costs_host_ns(costs_for_host(c, 10, &resize), &resize).mid > 100 * nearest);
    Step slice = {.kind = STEP_HOST, .host_op = HOST_OPERATOR, .op = "Slice", .bytes_out = 1000};
    const HostCost *onnx = costs_for_host(c, 10, &slice);
    slice.host_op = HOST_SLICE;
    const HostCost *ours = costs_for_host(c, 10, &slice);
    CHECK(onnx->of_operator && !ours->of_operator && onnx->fixed_ns.mid < ours->fixed_ns.mid);
    /* What moves in pieces is counted in pieces too: 1,000 of 4 B, or one of 4,000 B. */
    Step gather = {.kind = STEP_HOST, .host_op = HOST_OPERATOR, .op = "Gather", .bytes_out = 4000};
    double whole = costs_host_ns(costs_for_host(c, 10, &gather), &gather).mid;
    gather.rows = 1000;
    CHECK(costs_host_ns(costs_for_host(c, 10, &gather), &gather).mid > whole + 1000);
}

static void host_cache_checks(const Costs *c)
{
    Step out = {.kind = STEP_HOST,
                .host_op = HOST_DEQUANTIZE,
                .op = "Dequantize",
                .from = DT_INT8,
                .to = DT_FLOAT32,
                .elements = 1 << 20,
                .bytes_in = 1 << 20,
                .bytes_out = 4 << 20};
    const HostCost *scale = costs_for_host(c, 10, &out);
    /* Of what is written 4,194,304 - 1,310,720 B lie beyond the caches: 10 us and 0.8 ns for each
     * of 1,048,576 elements, and 0.5 ns for each of 2,883,584 B.  What is read counts nowhere. */
    CHECK(costs_host_counts_uncached(scale) &&
          near(costs_host_units(UNIT_UNCACHED_BYTE, &out), 2883584));
    CHECK(near(costs_host_uncached_ns(scale, &out).mid, 1441792));
    CHECK(near(costs_host_ns(scale, &out).mid, 2290652.8));
    out.bytes_out = HOST_CACHE_BYTES;
    out.bytes_in = 2 * HOST_CACHE_BYTES;
    CHECK(costs_host_units(UNIT_UNCACHED_BYTE, &out) == 0 &&
          costs_host_uncached_ns(scale, &out).hi == 0);
    Step control = {.kind = STEP_HOST, .host_op = HOST_CONTROL, .op = "control"};
    CHECK(costs_for_host(c, 10, &control) == NULL); /* nobody can tell */
}

/* Figures against what the guides' own tables show (the target file's `source` says where). */
static void guide_checks(Arena *a)
{
    Costs *c = load(a);
    CHECK(about(figure(c, "op"), 1226, 0.05));           /* a Conv2d that hardly multiplies */
    CHECK(about(figure(c, "depthwise_op"), 757, 0.05));  /* DepthwiseConv2d */
    const Interval pad = c->term[term(c, "pad")].figure; /* 361 ns of 0.9 to 576 of 0.10 */
    CHECK(pad.lo < 361 && 576 < pad.hi);
    double moved = 2 * 150528e-3 / 2 * figure(c, "move"); /* bytes in and out, on two PEs */
    CHECK(about(figure(c, "transpose") + moved, 250, 0.05));
    CHECK(about(figure(c, "mask"), 117, 0.05) && figure(c, "view") == 2);
    /* Total - Run of a small task, and of one with 836 KB in and out. */
    double small = c->launch_ns.mid + 20e3 * c->task_io_ns_per_byte.mid;
    double large = c->launch_ns.mid + 836e3 * c->task_io_ns_per_byte.mid;
    CHECK(2340 <= small && small <= 2440 && 11011 <= large && large <= 11229);
    CHECK(about(figure(c, "spill"), 1 / (0.8 * 66), 0.01)); /* 80 % of 66 GB/s */
    CHECK(about(c->physical->term[term(c, "weight")].figure.mid, 1 / 66., 0.01));
    /* MLPerf v2.0 leaves SSD-MobileNet 0.12 ms for 13 transfers, 14 hand-offs and a launch; the
     * picture of a trace shows 370 to 450 us between stages of a first inference, twice those of a
     * later. */
    CHECK(about(13 * c->pcie_ns.mid + 14 * c->gap_ns.mid + c->launch_ns.mid, 0.12e6, 0.1));
    CHECK(about(2 * c->gap_profiled_ns.mid, 410e3, 0.1));
    Step lower = {.kind = STEP_HOST, .host_op = HOST_LOWER, .op = "Lower", .elements = 150528};
    CHECK(about(costs_host_ns(costs_for_host(c, 10, &lower), &lower).mid, 209e3, 0.02));
    lower.elements = 784;
    CHECK(about(costs_host_ns(costs_for_host(c, 10, &lower), &lower).mid, 31e3, 0.2));
    Step q = {.kind = STEP_HOST,
              .host_op = HOST_QUANTIZE,
              .op = "Quantize",
              .from = DT_UINT8,
              .to = DT_INT8,
              .elements = 784};
    CHECK(about(costs_host_ns(costs_for_host(c, 9, &q), &q).mid, 10e3, 0.02));
    q.elements = q.bytes_in = q.bytes_out = 1228800; /* the caches hold it */
    CHECK(about(costs_host_ns(costs_for_host(c, 9, &q), &q).mid, 277e3, 0.02));
}

/* Quantize, transfer, one convolution, transfer, Dequantize. */
static void program_checks(Arena *a)
{
    Costs *c = load(a);
    LowOp op = conv_op();
    Step step[] = {
        {.id = 0,
         .kind = STEP_HOST,
         .host_op = HOST_QUANTIZE,
         .op = "Quantize",
         .from = DT_FLOAT32,
         .to = DT_INT8,
         .elements = 100000,
         .known = true},
        {.id = 1,
         .kind = STEP_H2D,
         .op = "h2d",
         .bytes_in = 125000,
         .bytes_out = 125000,
         .known = true},
        {.id = 2,
         .kind = STEP_NPU,
         .op = "npu",
         .first_op = 0,
         .nop = 1,
         .known = true,
         .bytes_in = 125000,
         .bytes_out = 250000},
        {.id = 3,
         .kind = STEP_D2H,
         .op = "d2h",
         .bytes_in = 250000,
         .bytes_out = 250000,
         .known = true},
        {.id = 4, .kind = STEP_HOST, .host_op = HOST_OPERATOR, .op = "Mystery", .known = false},
    };
    Program p = {.machine = &machine,
                 .options = {.pe = 1, .sdk = 10, .host_cores = 8},
                 .images = 1,
                 .op = &op,
                 .nop = 1,
                 .step = step,
                 .nstep = 5};
    RunOptions run = {.workers = 1, .devices = 1};
    Prediction *t = predict(a, &p, c, &run);
    CHECK(near(t->step[0].total_ns.mid, 20000 + 19.2 * 100000));
    CHECK(near(t->step[1].total_ns.mid, c->pcie_ns.mid + 10000)); /* 125 kB at 12.5 GB/s: 10 us */
    CHECK(near(t->step[1].total_ns.lo, c->pcie_ns.lo + 125e12 / c->pcie_bytes_per_s.hi));
    CHECK(near(t->step[1].total_ns.hi, c->pcie_ns.hi + 125e12 / c->pcie_bytes_per_s.lo));
    CHECK(t->step[1].limit == LIMIT_PCIE && t->step[0].limit == LIMIT_HOST);
    CHECK(near(t->step[2].total_ns.mid, t->op[0].total_ns.mid));
    CHECK(!t->step[4].known && t->step[4].limit == LIMIT_UNKNOWN && t->nunknown == 1);
    CHECK(near(t->io_ns.mid, 2 * c->pcie_ns.mid + 30000));
    CHECK(near(t->gap_ns.mid, 4 * c->gap_ns.mid + c->launch_ns.mid + c->request_ns.mid +
                                  (125000 + 250000) * c->task_io_ns_per_byte.mid));
    CHECK(near(t->latency_ns.mid, t->npu_ns.mid + t->host_ns.mid + t->io_ns.mid + t->gap_ns.mid));
    CHECK(near(t->host_free_ns, t->latency_ns.mid - t->host_ns.mid));
    CHECK(near(t->throughput_per_s.mid, 1e9 / t->latency_ns.mid)); /* one worker never queues */
    CHECK(t->throughput_per_s.lo < t->throughput_per_s.mid &&
          t->throughput_per_s.mid < t->throughput_per_s.hi);
    run.workers = 3;
    double three = predict(a, &p, c, &run)->throughput_per_s.mid;
    CHECK(three > 2 * t->throughput_per_s.mid && three <= 3 * t->throughput_per_s.mid);
    p.options.sdk = 9; /* the runtime before 0.10 gains nothing beyond two workers */
    run.workers = 2;
    double two = predict(a, &p, c, &run)->throughput_per_s.mid;
    run.workers = 8;
    CHECK(near(predict(a, &p, c, &run)->throughput_per_s.mid, two));
}

static void score_checks(Arena *a)
{
    double measured[4] = {100, 200, 300, 400};
    Interval predicted[4] = {{90, 110, 130}, {150, 160, 170}, {200, 330, 400}, {380, 400, 420}};
    Score s = score(a, measured, predicted, 4);
    CHECK(near(s.mean_abs_error, (0.1 + 0.2 + 0.1 + 0) / 4) && near(s.median_abs_error, 0.1));
    CHECK(near(s.interval_coverage, 0.75) && near(s.spearman, 1));
    Interval falling[3] = {{3, 3, 3}, {2, 2, 2}, {1, 1, 1}};
    CHECK(near(score(a, measured, falling, 3).spearman, -1));
    Score none = score(a, measured, predicted, 0);
    CHECK(none.n == 0 && none.mean_abs_error == 0 && statistics_median(NULL, 0) == 0);
    CHECK(near(s.median_width, (0.125 + 40. / 110) / 2)); /* of 40/110, 20/160, 200/330, 40/400 */
    Interval ties[4] = {
        {1, 1, 1}, {5, 5, 5}, {5, 5, 5}, {5, 5, 5}}; /* ranks 0 2 2 2: 3 / sqrt(5 3) */
    CHECK(near(score(a, measured, ties, 4).spearman, 3 / sqrt(15)));
}

/* 20 values: half of 1.645 sqrt(20) = 3.68 ranks on either side of the middle, rounded up. */
static void measured_checks(void)
{
    int64_t v[20], few[3] = {30, 10, 20};
    for (int i = 0; i < 20; i++)
        v[i] = (i * 7) % 20;
    Measured m = measured_of(v, 20);
    CHECK(m.median_ns == 9 && m.lo_ns == 6 && m.hi_ns == 13 && m.count == 20);
    m = measured_of(few, 3);
    CHECK(m.median_ns == 20 && m.lo_ns == 10 && m.hi_ns == 30);
    CHECK(measured_of(NULL, 0).count == 0);
}

/* Host 6 ms, NPU 2 ms, transfer 1 ms and 1 ms of hand-offs: 10 ms for one request.  With hundreds
 * of workers on 8 cores the NPU holds everything up (2 ms against 0.75 ms of a core and 1 ms of the
 * link): one percent less of it is worth about as much. */
static void sensitivity_checks(void)
{
    Machine two_pes = {.pe_count = 2};
    Step step[] = {{.kind = STEP_HOST}, {.id = 1, .kind = STEP_NPU}, {.id = 2, .kind = STEP_D2H}};
    StepPrediction time[] = {{{6e6, 6e6, 6e6}, true, LIMIT_HOST},
                             {{2e6, 2e6, 2e6}, true, LIMIT_MAC},
                             {{1e6, 1e6, 1e6}, false, LIMIT_PCIE}};
    Program p = {.machine = &two_pes, .step = step, .nstep = 3, .images = 1};
    p.options = (CompileOptions){.sdk = 10, .pe = 2, .host_cores = 8};
    Prediction t = {.step = time, .latency_ns = {10e6, 10e6, 10e6}, .host_ns = {6e6, 6e6, 6e6}};
    t.npu_ns = time[1].total_ns;
    t.io_ns = time[2].total_ns;
    Costs c = {0};
    RunOptions one = {.workers = 1}, many = {.workers = 400};
    Sensitivity s = sensitivity_of(&p, &c, &one, &t, OBJECTIVE_LATENCY);
    CHECK(near(sensitivity_step(&s, &p, &t, 0), 0.6) && near(sensitivity_step(&s, &p, &t, 1), 0.2));
    CHECK(near(sensitivity_step(&s, &p, &t, 2), 0));            /* nobody knows what it costs */
    s = sensitivity_of(&p, &c, &one, &t, OBJECTIVE_THROUGHPUT); /* 6, 2 and 1 of 9 ms */
    CHECK(about(sensitivity_step(&s, &p, &t, 0), 6. / 9, 1e-6));
    s = sensitivity_of(&p, &c, &many, &t, OBJECTIVE_THROUGHPUT);
    CHECK(about(sensitivity_step(&s, &p, &t, 1), 1, 0.01));
    CHECK(sensitivity_step(&s, &p, &t, 0) < 0.01);
}

int main(void)
{
    xml_startup();
    Arena *a = arena_new(0);
    interval_checks();
    queueing_checks();
    host_checks(a);
    Costs *costs = load(a);
    host_operator_checks(costs);
    host_form_checks(costs);
    host_cache_checks(costs);
    guide_checks(a);
    program_checks(a);
    score_checks(a);
    measured_checks();
    sensitivity_checks();
    arena_free(a);
    return check_failures() != 0;
}
