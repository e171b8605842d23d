/* Totals: what a task asks of each station, and what that makes of latency and throughput. */
#include "cost_model/predict.h"
#include "tests/unit/check.h"

#include <math.h>

/* Quantize, transfer in, two NPU tasks of 100 and 200 bytes, transfer out. */
static const Machine machine = {.pe_count = 2};
static const Step step[] = {{.kind = STEP_HOST, .host_op = HOST_QUANTIZE},
                            {.kind = STEP_H2D},
                            {.kind = STEP_NPU, .bytes_in = 40, .bytes_out = 60},
                            {.kind = STEP_NPU, .bytes_in = 50, .bytes_out = 150},
                            {.kind = STEP_D2H}};

static Program program(Sdk sdk, int pe)
{
    return (Program){.machine = &machine,
                     .options = {.sdk = sdk, .pe = pe, .host_cores = 8},
                     .images = 4,
                     .step = (Step *)step,
                     .nstep = sizeof step / sizeof *step};
}

static Costs costs(void)
{
    return (Costs){.launch_ns = {10, 20, 30},
                   .task_io_ns_per_byte = {1, 2, 3},
                   .gap_ns = {4, 5, 6},
                   .gap_profiled_ns = {40, 50, 60},
                   .request_ns = {1, 7, 9},
                   .worker_cap_old = {2, 2, 2}};
}

static bool is(Interval x, double lo, double mid, double hi)
{
    bool ok = fabs(x.lo - lo) < 1e-6 && fabs(x.mid - mid) < 1e-6 && fabs(x.hi - hi) < 1e-6;
    if (!ok)
        printf("  found %.9g %.9g %.9g\n", x.lo, x.mid, x.hi);
    return ok;
}

/* Two launches and 300 bytes; four hand-offs. */
static void gap_checks(void)
{
    Program p = program(10, 1);
    Costs c = costs();
    CHECK(is(predict_launches(&p, &c), 20 + 300, 40 + 600, 60 + 900));
    CHECK(is(predict_traced_handoffs(&p, &c), 16, 20, 240));
    c.gap_ns.hi = 70;
    CHECK(is(predict_traced_handoffs(&p, &c), 16, 20, 280));
    c.gap_ns.hi = 6;
    Prediction t = {0};
    predict_gaps(&p, &c, &t);
    CHECK(t.launch_ns == 640 && is(t.gap_part[REST_HANDOFF], 16, 20, 24) &&
          is(t.gap_part[REST_REQUEST], 1, 7, 9));
    CHECK(is(t.gap_ns, 667 - sqrt(4. * 4 + 320 * 320 + 6 * 6), 667,
             667 + sqrt(4. * 4 + 320 * 320 + 2 * 2)));
    p.nstep = 1; /* one step: nothing is handed over */
    predict_gaps(&p, &c, &t);
    CHECK(is(t.gap_part[REST_HANDOFF], 0, 0, 0) && t.launch_ns == 0);
    p.nstep = 0;
    predict_gaps(&p, &c, &t);
    CHECK(is(t.gap_part[REST_HANDOFF], 0, 0, 0));
}

/* Host 600 and 50 more on average, NPU 300 of which 120 wait for DRAM, transfers 100, 40 of gaps of
 * which 10 are launches and 5 submits, 60 that nobody explains of which 20 are scatter. */
static Prediction times(void)
{
    return (Prediction){.npu_ns = {300, 300, 300},
                        .host_ns = {600, 600, 600},
                        .io_ns = {100, 100, 100},
                        .gap_ns = {40, 40, 40},
                        .unattributed_ns = {60, 60, 60},
                        .launch_ns = 10,
                        .submit_ns = 5,
                        .dram_ns = 120,
                        .host_more_ns = 50,
                        .host_skew_ns = 20};
}

static void demand_checks(void)
{
    Program p = program(10, 1);
    Prediction t = times();
    RunOptions run = {.workers = 4};
    /* Two PEs ask the DRAM for 120 of 300 each: 120/300 of 120 more, 1.2 times (dram_checks). */
    QueueDemand d = predict_demand(&p, &run, &t);
    CHECK_NEAR(d.npu_ns, 300 + 1.2 * 0.4 * 120 + 10, 1e-12);
    CHECK(d.npu_servers == 2 && d.host_servers == 8 && d.pcie_servers == 2);
    CHECK_NEAR(d.host_ns, 650, 1e-12);
    CHECK_NEAR(d.pcie_ns, 105, 1e-12);
    CHECK_NEAR(d.delay_ns, 40 - 10 + 60 - 20 - 5, 1e-12);
    CHECK(d.npu_regularity == 1 && d.pcie_regularity == 1 && d.host_regularity == 0.83);
    t.dram_ns = 280; /* two tasks cannot be done before 2.2 times that */
    CHECK_NEAR(predict_demand(&p, &run, &t).npu_ns, 2.2 * 280 + 10, 1e-12);
    t.dram_ns = 400; /* more than the NPU is busy: all of it, 2.2 times */
    CHECK_NEAR(predict_demand(&p, &run, &t).npu_ns, 2.2 * 400 + 10, 1e-12);
    t.dram_ns = 120;
    run.workers = 1; /* one request is on one PE at a time */
    d = predict_demand(&p, &run, &t);
    CHECK(d.npu_servers == 1 && d.npu_ns == 310);
    run = (RunOptions){.workers = 4, .devices = 3, .io_threads = 1};
    d = predict_demand(&p, &run, &t);
    CHECK(d.npu_servers == 6 && d.pcie_servers == 3);
    p.options.pe = 2; /* both PEs are one */
    d = predict_demand(&p, &run, &t);
    CHECK(d.npu_servers == 3 && d.npu_ns == 310);
    t.nunknown = 1; /* what nobody explains may be what nobody knows: a core's */
    d = predict_demand(&p, &run, &t);
    CHECK_NEAR(d.host_ns, 650 + 65, 1e-12);
    CHECK(d.delay_ns == 0);
    t = times();
    t.npu_ns = (Interval){0, 0, 0}; /* nothing is launched */
    t.dram_ns = 0;
    d = predict_demand(&p, &run, &t);
    CHECK(d.npu_ns == 0 && d.delay_ns == 75);
}

/* A byte takes 1 on the link, and a set-up 10 to 60.  100 bytes to the card take 120: 100 on the
 * link.  300 from it take 350, 50 of which is a set-up that may be; in 500 it can be 60, and the
 * link is slower, 440.  So reads keep the link busy for 740 of 970, and no second thread helps. */
static void link_checks(void)
{
    Step three[] = {{.kind = STEP_H2D, .bytes_out = 100},
                    {.kind = STEP_D2H, .bytes_in = 300, .bytes_out = 300},
                    {.kind = STEP_D2H, .bytes_in = 300}};
    StepPrediction time[] = {
        {.total_ns = {0, 120, 0}}, {.total_ns = {0, 350, 0}}, {.total_ns = {0, 500, 0}}};
    Program p = program(10, 1);
    p.step = three;
    p.nstep = 3;
    Costs c = costs();
    c.pcie_ns = (Interval){10, 20, 60};
    c.pcie_bytes_per_s = (Interval){1e9, 1e9, 1e9};
    Prediction t = {.step = time, .io_ns = {0, 970, 0}};
    predict_link(&p, &c, &t);
    CHECK_NEAR(t.one_way_share, 740 / 970., 1e-12);
    RunOptions run = {.workers = 4, .devices = 3};
    QueueDemand d = predict_demand(&p, &run, &t);
    CHECK_NEAR(d.pcie_ns, 740, 1e-9);
    CHECK_NEAR(d.delay_ns, 230, 1e-9);
    CHECK(d.pcie_servers == 3);
    run.io_threads = 1; /* does all of it, one after the other */
    d = predict_demand(&p, &run, &t);
    CHECK(d.pcie_ns == 970 && d.pcie_servers == 3 && d.delay_ns == 0);
    run.io_threads = 2;
    three[1].kind = STEP_H2D; /* 440 one way, 400 the other: each has a thread */
    predict_link(&p, &c, &t);
    d = predict_demand(&p, &run, &t);
    CHECK(d.pcie_ns == 970 && d.pcie_servers == 6 && d.delay_ns == 0);
}

/* Alone: own 400 and 200 of DRAM, 600.  One more beside it for all of its time counts as 1 + 0.1 x
 * (1 + 1) = 1.2: it waits for w = 200 (1 + 1.2 w / (400 + w)), so w w - 40 w = 80000, 303.55.  For
 * a third of it, 1/3 + 0.1 x 2/3 = 0.4: w w + 120 w = 80000, 229.14.  The law back gives the 200
 * each time. */
static void dram_checks(void)
{
    const double one = (40 + sqrt(1600 + 320000)) / 2, third = (sqrt(14400 + 320000) - 120) / 2;
    CHECK_NEAR(predict_dram_alone(400 + one, one, 1), 200, 1e-9);
    CHECK_NEAR(predict_dram_alone(400 + third, third, 1 / 3.), 200, 1e-9);
    CHECK_NEAR(predict_dram_alone(600, 200, 0), 200, 1e-9);
    CHECK_NEAR(predict_dram_alone(600, 900, 1), 600 / 2.2, 1e-9); /* nothing but the channel */
    CHECK(predict_dram_alone(600, 0, 1) == 0);
    /* Two requests of 1000 each, 600 of it on the NPU: the other one is there for 0.6 of the time.
     */
    CHECK_NEAR(predict_others(600, 1000, 2, 1), 0.6, 1e-12);
    CHECK(predict_others(600, 1000, 9, 1) == 1 && predict_others(600, 1000, 0.5, 1) == 0);
    Program p = program(10, 1);
    Prediction t = times();
    t.replayed = true;
    t.npu_ns = (Interval){703, 400 + one, 704};
    t.dram_others_ns = one - 200;
    t.dram_ns = 200;
    RunOptions run = {.workers = 9}; /* as measured: beside another task all the time */
    CHECK_NEAR(predict_demand(&p, &run, &t).npu_ns, 400 + one + 10, 1e-9);
    /* In step they ask at once, 400 + (2 + 0.2 x 2) x 200; never at once 600, or, if what was
     * measured was in step, half of the wait less. */
    Interval beside = predict_npu_beside(&p, &run, &t);
    CHECK_NEAR(beside.lo, 400 + one / 2, 1e-9);
    CHECK_NEAR(beside.hi, 880, 1e-9);
    run.workers = 1;
    CHECK_NEAR(predict_demand(&p, &run, &t).npu_ns, 610, 1e-9);
    p.options.pe = 2;
    run.workers = 9;
    CHECK_NEAR(predict_demand(&p, &run, &t).npu_ns, 610, 1e-9);
    /* Own 100 and 300 of DRAM beside three, which count as 3 + 0.1 x 4 = 3.4: w w - 1220 w = 30000;
     * the channel alone takes 1200. */
    Machine four = *p.machine;
    four.pe_count = 4;
    p.machine = &four;
    run.workers = 99;
    p.options.pe = 1;
    t.dram_others_ns = 0;
    t.dram_ns = 300;
    t.npu_ns.mid = 400;
    CHECK_NEAR(predict_demand(&p, &run, &t).npu_ns, 110 + 610 + sqrt(610 * 610 + 30000), 1e-9);
}

/* Four at 4,000 tasks a second are 1 ms under way; 0.3 is what one takes itself, 0.1 what the
 * application does before it hands over. */
static void line_checks(void)
{
    Program p = program(10, 1);
    Costs c = costs();
    RunOptions run = {.workers = 4};
    double images = predict_images(&p, &run);
    Prediction t = {
        .latency_ns = {800e3, 900e3, 1000e3}, .waiting_ns = 600e3, .application_ns = 100e3};
    t.throughput_per_s.mid = 4000 * images;
    CHECK_NEAR(predict_line(&p, &c, &run, &t), 600e3, 1e-6);
    t.throughput_per_s.mid = 40000 * images; /* nobody waits for less than nothing */
    CHECK(predict_line(&p, &c, &run, &t) == 0);
    t.throughput_ceiling_per_s = 50000 * images;
    CHECK_NEAR(predict_idle_share(&t), 0.2, 1e-12);
    t.throughput_ceiling_per_s = 0; /* nothing is busy */
    CHECK(predict_idle_share(&t) == 0);
}

/* A trace whose busiest station was idle for half of the time: what its requests waited beyond the
 * law counts by the idle share that is left, and not at all where there is none. */
static void idle_checks(void)
{
    Program p = program(10, 1);
    Costs c = costs();
    RunOptions run = {.workers = 4};
    StepPrediction steps[sizeof step / sizeof *step] = {0};
    Prediction t = {.step = steps, .in_line = true, .idle_share = 0.5};
    steps[2].total_ns = interval_exact(1e6);
    predict_totals(&p, &c, &run, &t);
    double idle = predict_idle_share(&t), waits = t.waiting_ns;
    CHECK(idle < 0.01 && waits > 0);
    t.waits_more_ns = -1e5;
    predict_totals(&p, &c, &run, &t);
    CHECK_NEAR(t.waiting_ns, waits - idle / 0.5 * 1e5, 1);
}

static void option_checks(void)
{
    Program p = program(9, 1);
    Costs c = costs();
    RunOptions run = {.workers = 5};
    CHECK(predict_worker_cap(&p, &c) == 2 && predict_workers(&p, &c, &run) == 2);
    p.options.sdk = 10;
    CHECK(predict_worker_cap(&p, &c) == QUEUEING_MAX_WORKERS && predict_workers(&p, &c, &run) == 5);
    run.queue_depth = 3;
    CHECK(predict_workers(&p, &c, &run) == 3);
    run.queue_depth = 9;
    CHECK(predict_workers(&p, &c, &run) == 5);
    run.workers = 0;
    CHECK(predict_workers(&p, &c, &run) == 1);
    CHECK(predict_images(&p, &run) == 4);
    run.fill = 3;
    CHECK(predict_images(&p, &run) == 3);
    run.fill = 5;
    CHECK(predict_images(&p, &run) == 4);
}

/* Two Quantize steps go wrong together, 8 each; a transfer by 12 by itself: 16 and 12 make 20.  One
 * worker never queues: four images in all of it. */
static void total_checks(void)
{
    Step two[] = {{.kind = STEP_HOST, .host_op = HOST_QUANTIZE},
                  {.kind = STEP_HOST, .host_op = HOST_QUANTIZE},
                  {.kind = STEP_NPU},
                  {.kind = STEP_D2H}};
    StepPrediction time[] = {{{92, 100, 108}, true, LIMIT_HOST},
                             {{92, 100, 108}, true, LIMIT_HOST},
                             {{300, 300, 300}, true, LIMIT_MAC},
                             {{88, 100, 112}, false, LIMIT_PCIE}};
    Program p = program(10, 2);
    p.step = two;
    p.nstep = 4;
    Costs c = costs();
    RunOptions run = {.workers = 1};
    Prediction t = {.step = time, .gap_ns = {50, 50, 50}, .unattributed_ns = {10, 10, 10}};
    predict_totals(&p, &c, &run, &t);
    CHECK(is(t.host_ns, 184, 200, 216) && is(t.npu_ns, 300, 300, 300) && is(t.io_ns, 88, 100, 112));
    CHECK(is(t.latency_ns, 640, 660, 680) && t.nunknown == 1);
    CHECK(t.host_free_ns == 460 && t.npu_free_ns == 360);
    CHECK_NEAR(t.throughput_per_s.mid, 4e9 / 660, 1e-9);
    CHECK_NEAR(t.throughput_per_s.lo, 4e9 / 680, 1e-9);
    CHECK_NEAR(t.throughput_per_s.hi, 4e9 / 640, 1e-9);
    CHECK_NEAR(t.throughput_ceiling_per_s, 4e9 / 300, 1e-9); /* the NPU's: a core does 260 / 8 */
    /* Of 10 that are in no step 4 are scatter of the host's, or all, and go where it takes none. */
    t.host_skew_ns = 4;
    predict_totals(&p, &c, &run, &t);
    CHECK(t.host_free_ns == 456 && t.npu_free_ns == 360);
    t.host_skew_ns = 40;
    predict_totals(&p, &c, &run, &t);
    CHECK(t.host_free_ns == 450 && t.npu_free_ns == 360);
    t.host_skew_ns = 0;
    run = (RunOptions){.workers = 1, .patches = 5, .spared_ns = 40, .fill = 2};
    predict_totals(&p, &c, &run, &t);
    CHECK(is(t.latency_ns, 3200 - 40, 3300 - 40, 3400 - 40));
    CHECK(t.host_free_ns == 2300 && t.npu_free_ns == 1800);
    CHECK_NEAR(t.throughput_per_s.mid, 2e9 / 3300, 1e-9);
    CHECK_NEAR(t.throughput_ceiling_per_s, 2e9 / 1500, 1e-9);
    /* Gaps that may be nothing are no launches either. */
    t.launch_ns = 40;
    t.gap_ns = (Interval){0, 40, 40};
    t.unattributed_ns = (Interval){0, 0, 0};
    time[0].total_ns = time[1].total_ns = time[3].total_ns = (Interval){0, 0, 0};
    run = (RunOptions){.workers = 1};
    predict_totals(&p, &c, &run, &t);
    CHECK_NEAR(t.throughput_per_s.mid, 4e9 / 340, 1e-9);
    CHECK_NEAR(t.throughput_per_s.hi, 4e9 / 300, 1e-9);
    /* A time that may be nothing at all: a hundred times as fast is the most to believe. */
    t.launch_ns = 0;
    t.gap_ns = (Interval){0, 0, 0};
    time[2].total_ns = (Interval){0, 300, 300};
    predict_totals(&p, &c, &run, &t);
    CHECK_NEAR(t.throughput_per_s.hi, 4e9 / 3, 1e-9);
    CHECK(is(prediction_objective(&t, OBJECTIVE_LATENCY), t.latency_ns.lo, 300, t.latency_ns.hi));
    CHECK(is(prediction_objective(&t, OBJECTIVE_THROUGHPUT), t.throughput_per_s.lo,
             t.throughput_per_s.mid, t.throughput_per_s.hi));
}

int main(void)
{
    gap_checks();
    demand_checks();
    link_checks();
    dram_checks();
    line_checks();
    idle_checks();
    option_checks();
    total_checks();
    return check_failures() != 0;
}
