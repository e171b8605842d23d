/* Reconciliation: what the spans of a few inferences add up to, step by step, by hand. */
#include "cost_model/reconcile.h"
#include "graph/base/xml.h"
#include "tests/unit/cost_parts.h"

enum { INFERENCES = 3, HOSTS = 3, OPS = 2 };

/* Quantize, transfer, a task of a Conv2d and a Pad.  Three inferences of 1,000 ns each: Quantize
 * 300, transfer 100, something of the application 50, the task 250 (of which Conv2d 160, Pad 40).
 */
typedef struct {
    Arena *arena;
    Step step[3];
    LowOp op[OPS];
    Graph graph;
    Model model;
    Program program;
    OpSpan op_span[INFERENCES * OPS], host_span[INFERENCES * HOSTS];
    HostDetail detail[INFERENCES * HOSTS];
    ExecutionStat execution[INFERENCES];
    InferenceStat inference[INFERENCES];
    TraceStats stats;
    Reconciliation *r;
} Trace;

static LowOp low(LowOpKind kind)
{
    return (LowOp){.kind = kind,
                   .n = 1,
                   .c_out = 8,
                   .h_out = 8,
                   .w_out = 8,
                   .c_in = 8,
                   .h_in = 8,
                   .w_in = 8,
                   .kernel_h = 1,
                   .kernel_w = 1,
                   .stride_h = 1,
                   .stride_w = 1,
                   .group = 1,
                   .ninput = 1,
                   .macs = kind == LOWOP_CONV2D ? 4096 : 0,
                   .vector_passes = 1};
}

static void add_inference(Trace *t, uint32_t i)
{
    static const struct {
        const char *name;
        SpanKind kind;
        int64_t ns;
    } host[HOSTS] = {{"Quantize", SPAN_HOST_OPERATOR, 300},
                     {"WriteToDram", SPAN_TRANSFER, 100},
                     {"Resize", SPAN_HOST_OPERATOR, 50}};
    t->inference[i] = (InferenceStat){.start_ns = 1000 * i,
                                      .dur_ns = 1000,
                                      .first_task = i,
                                      .ntask = 1,
                                      .first_host = HOSTS * i,
                                      .nhost = HOSTS};
    for (uint32_t k = 0; k < HOSTS; k++)
        t->host_span[HOSTS * i + k] = (OpSpan){.name = host[k].name,
                                               .kind = host[k].kind,
                                               .start_ns = 1000 * i + 100 * k,
                                               .dur_ns = host[k].ns,
                                               .operator_index = INDEX_NONE,
                                               .inference = i};
    t->execution[i] = (ExecutionStat){.start_ns = 1000 * i + 700,
                                      .total_ns = 250,
                                      .has_run = true,
                                      .run_ns = 200,
                                      .io_wait_ns = 50,
                                      .inference = i,
                                      .first_op = OPS * i,
                                      .nop = OPS};
    t->op_span[OPS * i] =
        (OpSpan){.name = "LowLevelConv2d", .kind = SPAN_NPU_OPERATOR, .dur_ns = 160};
    t->op_span[OPS * i + 1] =
        (OpSpan){.name = "LowLevelPad", .kind = SPAN_NPU_OPERATOR, .dur_ns = 40};
}

static Trace *trace(Arena *a)
{
    Trace *t = ARENA_NEW(a, Trace);
    t->arena = a;
    t->step[0] = (Step){.kind = STEP_HOST,
                        .host_op = HOST_QUANTIZE,
                        .op = "Quantize",
                        .from = DT_UINT8,
                        .to = DT_INT8,
                        .elements = 100,
                        .known = true};
    t->step[1] = (Step){.id = 1, .kind = STEP_H2D, .op = "h2d", .bytes_out = 100, .known = true};
    t->step[2] = (Step){.id = 2, .kind = STEP_NPU, .op = "npu", .nop = OPS, .known = true};
    t->op[0] = low(LOWOP_CONV2D);
    t->op[1] = low(LOWOP_PAD);
    t->op[1].id = 1;
    for (int i = 0; i < OPS; i++)
        t->op[i].step = 2;
    t->model.graph = &t->graph;
    t->program = (Program){.machine = &machine,
                           .model = &t->model,
                           .options = {.pe = 1, .sdk = 10, .host_cores = 8},
                           .images = 1,
                           .step = t->step,
                           .nstep = 3,
                           .op = t->op,
                           .nop = OPS};
    for (uint32_t i = 0; i < INFERENCES; i++)
        add_inference(t, i);
    t->stats = (TraceStats){.inference = t->inference,
                            .ninference = INFERENCES,
                            .execution = t->execution,
                            .nexecution = INFERENCES,
                            .op_span = t->op_span,
                            .nop_span = INFERENCES * OPS,
                            .host_span = t->host_span,
                            .host_detail = t->detail,
                            .nhost_span = INFERENCES * HOSTS,
                            .lanes = 1};
    return t;
}

static const Reconciliation *reconciled(Trace *t)
{
    Costs *c = load(t->arena);
    RunOptions run = {.workers = 1};
    const Prediction *pred = predict(t->arena, &t->program, c, &run);
    return t->r = reconcile(t->arena, &t->program, c, pred, &t->stats);
}

static bool is(Measured m, int64_t ns, uint32_t count)
{
    bool ok = m.median_ns == ns && m.count == count;
    if (!ok)
        printf("  found %lld ns of %u\n", (long long)m.median_ns, m.count);
    return ok;
}

/* NPU time is Run; the rest of the task is in nothing: 1000 - (200 + 350 + 100).  Resize is no
 * step: of 650 ns, 600 are matched. */
static void sum_checks(Arena *a)
{
    const Reconciliation *r = reconciled(trace(a));
    CHECK(is(r->latency, 1000, 3) && is(r->npu, 200, 3) && is(r->host, 350, 3) &&
          is(r->io, 100, 3));
    CHECK(r->unattributed_ns == 350 && r->inferences == 3);
    CHECK_NEAR(r->npu_utilisation, 0.2, 1e-12);
    CHECK_NEAR(r->matched_time_share, 600. / 650, 1e-12);
    CHECK_NEAR(r->matched_op_share, 1, 1e-12);
    CHECK(is(r->step[0], 300, 3) && is(r->step[1], 100, 3) && is(r->step[2], 200, 3));
    CHECK(is(r->op[0], 160, 3) && is(r->op[1], 40, 3));
    CHECK(r->host_steps == 1 && r->host_steps_measured == 1);
    CHECK(r->nstep_by_key == 3 && r->nop_by_key == 2 &&
          r->step_by_key[0].key < r->step_by_key[1].key);
}

static void warm_up_checks(Arena *a)
{
    Trace *t = trace(a);
    t->inference[0].warm_up = true;
    t->inference[0].dur_ns = 9000;
    CHECK(is(reconciled(t)->latency, 1000, 2));
    t->inference[1].warm_up = t->inference[2].warm_up = true; /* there are no others */
    CHECK(is(reconciled(t)->latency, 1000, 3));
    t->stats.ninference = 0;
    const Reconciliation *r = reconciled(t);
    CHECK(is(r->latency, 0, 0) && r->grade == 'D' && r->npu_utilisation == 0 &&
          r->matched_time_share == 0);
}

/* The second task shows the Pad first: the Conv2d is found again, the Pad is not, and never takes
 * the place of the other. */
static void sequence_checks(Arena *a)
{
    Trace *t = trace(a);
    OpSpan *second = t->op_span + OPS, conv = second[0];
    second[0] = second[1];
    second[1] = conv;
    const Reconciliation *r = reconciled(t);
    CHECK(is(r->op[0], 160, 3) && is(r->op[1], 40, 2));
    CHECK_NEAR(r->matched_op_share, (3 * 200. - 40) / 600, 1e-9);
    t->execution[1].nop = 1; /* and now it shows nothing but the Pad */
    r = reconciled(t);
    CHECK(is(r->op[0], 160, 2) && is(r->op[1], 40, 3));
    t->execution[1].nop = t->execution[0].nop = t->execution[2].nop = 1; /* no Conv2d, or no Pad */
    t->op_span[0] = t->op_span[4] =
        (OpSpan){.name = "LowLevelPad", .kind = SPAN_NPU_OPERATOR, .dur_ns = 40};
    r = reconciled(t);
    CHECK(r->op[0].count == 0 && is(r->op[1], 40, 3) && r->nop_by_key == 1);
    CHECK(r->matched_op_share < 0.5); /* all of the trace, but little of the program */
}

/* Two tasks where the program has one: nobody knows which is which, but they are NPU time. */
static void count_checks(Arena *a)
{
    Trace *t = trace(a);
    t->inference[0].ntask = 2; /* its own and the next one's */
    const Reconciliation *r = reconciled(t);
    CHECK(is(r->step[2], 200, 2) && r->npu.hi_ns == 400);
    t = trace(a);
    for (int i = 0; i < INFERENCES; i++)
        t->execution[i].has_run = false; /* then all of the task is Run */
    CHECK(is(reconciled(t)->npu, 250, 3) && t->r->unattributed_ns == 300);
    t = trace(a);
    for (int i = 0; i < INFERENCES * HOSTS; i++)
        t->detail[i].nominal = t->host_span[i].kind == SPAN_TRANSFER; /* its time means nothing */
    CHECK(is(reconciled(t)->io, 0, 3) && t->r->step[1].count == 0 && t->r->unattributed_ns == 450);
    t = trace(a);
    t->inference[2].dur_ns = 600; /* spans side by side: more of them than time */
    t->inference[1].dur_ns = t->inference[0].dur_ns = 600;
    CHECK(reconciled(t)->unattributed_ns == 0);
}

int main(void)
{
    xml_startup();
    Arena *a = arena_new(0);
    sum_checks(a);
    warm_up_checks(a);
    sequence_checks(a);
    count_checks(a);
    arena_free(a);
    return check_failures() != 0;
}
