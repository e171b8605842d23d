/* The verifier of programs, on one made by hand: what may not be otherwise in it, and what may. */
#include "graph/base/diag.h"
#include "graph/compile/program.h"
#include "tests/unit/check.h"
#include "tests/unit/verified.h"

typedef struct {
    Graph graph;
    Model model;
    Machine machine;
    NodeId node[2];
    PTensorId id[7];
    PTensor tensor[7];
    StepId dep[5][2];
    Step step[5];
    LowOpId before[2];
    LowOp op[4];
    FoldedNode folded[1];
    SramBox box[4];
    Program p;
} Hand;

static PTensor of_layout(Layout layout, int64_t bytes, StepId producer)
{
    return (PTensor){.dtype = DT_INT8,
                     .layout = layout,
                     .n = 1,
                     .c = 2,
                     .h = 3,
                     .w = 4,
                     .elements = 24,
                     .bytes = bytes,
                     .ho = 1,
                     .co = 2,
                     .hi = 3,
                     .ci = 1,
                     .w_padded = 8,
                     .producer = producer};
}

static Step step_of(Hand *h, StepId id, StepKind kind, PTensorId from, PTensorId to)
{
    return (Step){.id = id,
                  .kind = kind,
                  .input = &h->id[from],
                  .ninput = 1,
                  .output = &h->id[to],
                  .noutput = 1,
                  .bytes_in = h->tensor[from].bytes,
                  .bytes_out = h->tensor[to].bytes};
}

/* Padded on the host, sent, lowered by a segment of two ops, of which one half goes back and the
 * other through a second segment.  Tensor 6 is nobody's. */
static Program *by_hand(Hand *h)
{
    static const StepId producer[] = {STEP_NONE, 0, 1, 2, 3, 4, STEP_NONE};
    static const Layout layout[] = {LAYOUT_PLAIN,   LAYOUT_PADDED,  LAYOUT_PADDED, LAYOUT_LOWERED,
                                    LAYOUT_LOWERED, LAYOUT_LOWERED, LAYOUT_PLAIN};
    *h = (Hand){.node = {0, 1}, .dep = {{0, 0}, {0, 0}, {1, 0}, {2, 0}, {0, 2}}, .before = {0, 2}};
    for (PTensorId i = 0; i < 7; i++) {
        h->id[i] = i;
        h->tensor[i] = of_layout(layout[i], layout[i] == LAYOUT_PLAIN ? 24 : 48, producer[i]);
    }
    h->step[0] = step_of(h, 0, STEP_HOST, 0, 1);
    h->step[1] = step_of(h, 1, STEP_H2D, 1, 2);
    h->step[2] = step_of(h, 2, STEP_NPU, 2, 3);
    h->step[3] = step_of(h, 3, STEP_D2H, 3, 4);
    h->step[4] = step_of(h, 4, STEP_NPU, 3, 5);
    for (StepId i = 0; i < 5; i++) {
        h->step[i].dep = h->dep[i];
        h->step[i].ndep = i == 0 ? 0 : i == 4 ? 2 : 1;
    }
    for (LowOpId i = 0; i < 4; i++)
        h->op[i] = (LowOp){
            .id = i, .step = i < 2 ? 2 : 4, .tiles = 1, .dep = &h->before[i / 2], .ndep = i % 2};
    h->step[0].node = &h->node[0];
    h->step[2].node = &h->node[1];
    h->step[0].nnode = h->step[2].nnode = 1;
    h->step[2].nop = h->step[4].nop = 2;
    h->step[4].first_op = 2;
    h->folded[0] = (FoldedNode){2, "constant"};
    h->box[0] = (SramBox){.address = 0, .bytes = 40, .first = 0, .last = 3};
    h->box[1] = (SramBox){.address = 70, .bytes = 30, .first = 2, .last = 3};
    h->box[2] = (SramBox){.address = 40, .bytes = 30, .first = 2, .last = 2};
    h->box[3] = (SramBox){.address = 40, .bytes = 60, .first = 0, .last = 1};
    h->graph.nnode = 3;
    h->model.graph = &h->graph;
    h->machine.slices_per_pe = 2;
    h->p = (Program){.model = &h->model,
                     .machine = &h->machine,
                     .options = {.pe = 1},
                     .tensor = h->tensor,
                     .ntensor = 7,
                     .step = h->step,
                     .nstep = 5,
                     .op = h->op,
                     .nop = 4,
                     .folded = h->folded,
                     .nfolded = 1,
                     .box = h->box,
                     .nbox = 4,
                     .summary = {.sram_bytes = 100}};
    return &h->p;
}

static const int64_t tebi = INT64_C(1) << 40;

static void verifier_tensor_checks(void)
{
    Hand h;
    Program *p = by_hand(&h);
    PTensor *t = &h.tensor[6], bound = *t, lowered = of_layout(LAYOUT_LOWERED, 48, STEP_NONE);
    Diag diag;
    CHECK(program_verify(p, &diag) == STATUS_OK);
    int64_t *axis[] = {&t->n, &t->c, &t->h, &t->w};
    for (size_t i = 0; i < 4; i++)
        BROKEN(int64_t, axis[i], *axis[i] + 1, "tensor 6: 24 elements do not fit its axes");
    BROKEN(int64_t, &t->elements, tebi - 1, "do not fit its axes");
    BROKEN(int64_t, &t->bytes, tebi - 1, "do not fit its layout");
    SOUND(int64_t, &t->elements, tebi);
    SOUND(int64_t, &t->bytes, tebi);
    SOUND(int64_t, &t->elements, 0);
    SOUND(DType, &t->dtype, DT_UNKNOWN);
    bound.at_most = true;
    bound.n = 9;
    SOUND(PTensor, t, bound);
    bound.bytes++;
    BROKEN(PTensor, t, bound, "tensor 6: 25 bytes do not fit its bound");
    bound.bytes--;
    bound.layout = LAYOUT_PADDED;
    BROKEN(PTensor, t, bound, "do not fit its bound");
    /* Less than its elements, as the width was padded to less. */
    bound = *t;
    bound.layout = LAYOUT_PADDED;
    bound.w_padded = 2;
    bound.bytes = 12;
    BROKEN(PTensor, t, bound, "do not fit its layout");
    static const struct {
        int ho, co;
        int64_t hi, ci, w_padded;
        bool sound;
    } slices[] = {
        {1, 2, 3, 1, 4, true},  {2, 1, 2, 2, 8, true},  {1, 2, 2, 2, 8, false},
        {2, 1, 2, 1, 8, false}, {1, 2, 3, 2, 3, false}, {1, 3, 3, 1, 8, false},
        {1, 1, 3, 2, 8, false},
    };
    for (size_t i = 0; i < sizeof slices / sizeof *slices; i++) {
        lowered.ho = slices[i].ho;
        lowered.co = slices[i].co;
        lowered.hi = slices[i].hi;
        lowered.ci = slices[i].ci;
        lowered.w_padded = slices[i].w_padded;
        lowered.bytes = lowered.ho * lowered.co * lowered.hi * lowered.ci * lowered.w_padded;
        if (slices[i].sound)
            SOUND(PTensor, t, lowered);
        else
            BROKEN(PTensor, t, lowered, "tensor 6 does not fit its slices");
    }
    BROKEN(int, &p->options.pe, 2, "does not fit its slices");
    CHECK(program_verify(p, &diag) == STATUS_OK);
}

static void verifier_step_checks(void)
{
    Hand h;
    Program *p = by_hand(&h);
    Diag diag;
    BROKEN(FoldedNode, &h.folded[0], ((FoldedNode){2, NULL}), "node 2 is folded for no reason");
    BROKEN(NodeId, &h.folded[0].node, 1, "node 1 is in two places");
    BROKEN(uint32_t, &h.step[0].nnode, 0, "node 0 is in no step and not folded");
    BROKEN(uint32_t, &h.step[0].nop, 1, "step 0: its low-level ops are not in one run");
    BROKEN(StepKind, &h.step[0].kind, STEP_H2D, "a transfer changes the number of bytes");
    BROKEN(StepKind, &h.step[0].kind, STEP_D2H, "a transfer changes the number of bytes");
    SOUND(StepKind, &h.step[0].kind, STEP_NPU);
    BROKEN(StepId, &h.dep[4][0], 2, "step 4 has a dependency out of order");
    BROKEN(StepId, &h.dep[4][0], 3, "step 4 has a dependency out of order");
    BROKEN(StepId, &h.dep[4][1], 4, "step 4 has a dependency out of order");
    BROKEN(StepId, &h.dep[4][1], 1, "step 4 does not wait for what it reads");
    BROKEN(uint32_t, &h.step[4].ndep, 1, "step 4 does not wait for what it reads");
    h.step[0].bytes_in = tebi; /* what is beyond it counts no more */
    SOUND(int64_t, &h.tensor[0].bytes, tebi);
    SOUND(int64_t, &h.tensor[0].bytes, tebi + 1);
    SOUND(int64_t, &h.tensor[0].bytes, 3 * tebi);
    h.step[0].bytes_in = 24;
    BROKEN(StepKind, &h.step[4].kind, STEP_HOST, "step 4: its low-level ops are not in one run");
    BROKEN(LowOpId, &h.step[4].first_op, 1, "step 4: its low-level ops are not in one run");
    BROKEN(LowOpId, &h.step[4].first_op, 3, "step 4: its low-level ops are not in one run");
    BROKEN(StepId, &h.op[1].step, 4, "op 1 is not where its step says");
    BROKEN(StepId, &h.op[2].step, 2, "op 2 is not where its step says");
    BROKEN(LowOpId, &h.before[0], 1, "op 1 has a dependency out of order");
    BROKEN(LowOpId, &h.before[1], 1, "op 3 has a dependency out of order");
    BROKEN(LowOpId, &h.before[1], 3, "op 3 has a dependency out of order");
    p->nbox = 0;
    BROKEN(size_t, &p->nop, 3, "low-level ops outside any step");
    Program none = {.model = &(Model){.graph = &(Graph){.nnode = 0}}};
    CHECK(program_verify(&none, &diag) == STATUS_OK);
}

static void verifier_box_checks(void)
{
    Hand h;
    Program *p = by_hand(&h);
    Diag diag;
    BROKEN(int64_t, &h.box[0].bytes, 41, "lies over another that lives");
    BROKEN(int64_t, &h.box[3].address, 39, "lies over another that lives");
    BROKEN(int64_t, &h.box[2].bytes, 31, "lies over another that lives");
    BROKEN(int64_t, &h.box[1].address, 69, "lies over another that lives");
    BROKEN(LowOpId, &h.box[3].last, 2, "lies over another that lives");
    BROKEN(LowOpId, &h.box[1].first, 1, "box 1 lies over another that lives");
    BROKEN(LowOpId, &h.box[2].first, 3, "box 2 lies outside");
    BROKEN(LowOpId, &h.box[1].last, 4, "box 1 lies outside");
    BROKEN(int64_t, &p->summary.sram_bytes, 99, "box 1 lies outside");
    SOUND(int64_t, &h.box[0].bytes, 1);
    BROKEN(int64_t, &h.box[0].address, -1, "box 0 lies outside");
    SOUND(LowOpId, &h.box[2].last, 3);
    CHECK(program_verify(p, &diag) == STATUS_OK);
}

int main(void)
{
    verifier_tensor_checks();
    verifier_step_checks();
    verifier_box_checks();
    return check_failures() != 0;
}
