/* Turns low-level operators into times of engines. */
#include "npu_exec/sim/task_plan.h"
#include "graph/compile/machine.h"
#include "graph/infer/ops.h"
#include "npu_exec/sim/dram.h"
#include "npu_exec/sim/geometry.h"
#include "npu_exec/sim/messages.h"
#include "npu_exec/sim/row_plan.h"

enum { MILLI = 1000, BLOCKS_MAX = 256, JOIN_MAX = 1 << 16 };

typedef struct {
    const Silicon *si;
    const Program *program;
    SliceGrid grid;
    bool fused;
    int64_t instruction_left; /* of the instruction memory, bytes */
} Planner;

static Ps cycles_time(const Planner *p, int64_t count, int64_t milli_cycles)
{
    return silicon_cycles(p->si, i64_mul(count, milli_cycles));
}

/* Elements through a network shared by all slices. */
static Ps network_time(const Planner *p, int64_t bytes, int64_t milli_rate)
{
    return silicon_cycles(p->si, i64_mul_div(i64_max(bytes, 0), MILLI * MILLI, milli_rate));
}

/* Fused nodes that go through the look-up tables, and those that combine two operands; a clamp
 * costs nothing. */
static void fused_passes(const Program *p, const LowOp *op, int64_t *ret_table,
                         int64_t *ret_arithmetic)
{
    int64_t table = 0, arithmetic = 0;
    for (uint32_t i = 0; i < op->nnode; i++) {
        OpId id = p->model->graph->node[op->node[i]].op_id;
        table += op_info(id)->op_class == CLASS_ACTIVATION;
        arithmetic += id == OP_Mul || id == OP_Add || id == OP_Sub;
    }
    *ret_table = table;
    *ret_arithmetic = arithmetic;
}

static int64_t output_slice(const Planner *p, const LowOp *op)
{
    return geometry_slice_elements(&p->grid, op->n, op->c_out, op->h_out, op->w_out);
}

/* A transposed convolution multiplies only where the spread-out input is not zero: fewer products
 * than a window over its outputs, as many as the compiler counts. */
static bool is_transposed(const Program *p, const LowOp *op)
{
    return LIST_ANY(i, op->nnode, p->model->graph->node[op->node[i]].op_id == OP_ConvTranspose);
}

static int64_t steps_of(const Planner *p, const LowOp *op)
{
    int64_t steps = geometry_array_steps(&p->grid, op), all = geometry_op_macs(op);
    if (is_transposed(p->program, op) && op->macs > 0 && op->macs < all)
        steps = i64_mul_div(steps, op->macs, all);
    return steps;
}

/* Elements as the networks carry them: rows are padded to the width of the array. */
static int64_t padded_elements(const Planner *p, const LowOp *op)
{
    int64_t row =
        i64_mul(i64_ceil_div(i64_max(op->w_out, 0), p->si->width_multiple), p->si->width_multiple);
    return i64_mul(i64_mul(i64_max(op->n, 0), i64_max(op->c_out, 0)),
                   i64_mul(i64_max(op->h_out, 0), row));
}

/* Weights into the array, which keeps a part of them from one image of a batch to the next; single
 * rows pass it together. */
static Ps feed_time(const Planner *p, const LowOp *op)
{
    if (op->weight_bytes <= 0)
        return 0;
    int64_t images = op->h_out > 1 || op->w_out > 1 ? i64_max(op->n, 1) : 1;
    int64_t again = i64_mul(images - 1, p->si->feed_again);
    int64_t fed = i64_mul_div(op->weight_bytes, i64_add(MILLI * MILLI, again), MILLI * MILLI);
    return i64_add(cycles_time(p, 1, p->si->feed_start), network_time(p, fed, p->si->feed_rate));
}

/* Per kind: whole-op array and vector times. */
static void work_mac(const Planner *p, const LowOp *op, PlanEntry *e)
{
    const Silicon *si = p->si;
    int64_t table, arithmetic, out = padded_elements(p, op);
    fused_passes(p->program, op, &table, &arithmetic);
    e->array = cycles_time(p, steps_of(p, op),
                           op->kind == LOWOP_DEPTHWISE ? si->window_step : si->array_step);
    e->feed = feed_time(p, op);
    e->vector = network_time(p, out / p->program->options.pe, si->commit_rate);
    e->vector = i64_add(e->vector, network_time(p, i64_mul(out, table), si->table_rate));
    e->vector = i64_add(
        e->vector, cycles_time(p, i64_mul(output_slice(p, op), arithmetic), si->vector_element));
}

static void work_pool(const Planner *p, const LowOp *op, PlanEntry *e)
{
    int64_t taps = i64_mul(i64_max(op->kernel_h, 1), i64_max(op->kernel_w, 1));
    e->vector = cycles_time(p, i64_mul(output_slice(p, op), taps), p->si->pool_tap);
}

static void work_vector(const Planner *p, const LowOp *op, PlanEntry *e)
{
    int64_t passes = i64_max(op->vector_passes, 1);
    e->vector = cycles_time(p, i64_mul(output_slice(p, op), passes), p->si->vector_element);
}

/* Each slice reads its part of the input once. */
static void work_reduce(const Planner *p, const LowOp *op, PlanEntry *e)
{
    int64_t in = geometry_slice_elements(&p->grid, op->n, op->c_in, op->h_in, op->w_in);
    e->vector = cycles_time(p, in, p->si->vector_element);
}

static void work_table(const Planner *p, const LowOp *op, PlanEntry *e)
{
    int64_t passes = i64_max(op->vector_passes, 1);
    e->vector = network_time(p, i64_mul(padded_elements(p, op), passes), p->si->table_rate);
}

static void work_move(const Planner *p, const LowOp *op, PlanEntry *e)
{
    e->vector = cycles_time(p, output_slice(p, op), p->si->move_element);
}

/* The second input is copied beside the first; every further one is joined to the output so far,
 * all of which moves: inputs 2 … n of equal size rewrite 1/n, 3/n … n/n of the output; or each
 * input is copied once.  Of a fused pair each PE joins its own part, some of which comes from the
 * other. */
static void work_concat(const Planner *p, const LowOp *op, PlanEntry *e)
{
    int64_t n = i64_min(i64_max(op->ninput, 2), JOIN_MAX);
    int64_t parts = p->si->join_copies >= MILLI / 2 ? n : n * (n + 1) / 2 - 2;
    int64_t rate = p->si->gather_rate;
    if (p->fused)
        rate = i64_max(1, i64_mul_div(rate, p->si->gather_fused, MILLI * MILLI));
    e->vector = network_time(p, i64_mul_div(padded_elements(p, op), parts, n), rate);
}

static const struct {
    void (*plan)(const Planner *p, const LowOp *op, PlanEntry *e);
    int descriptors;
} work[] = {
#define OP(kind, work, descriptors) [LOWOP_##kind] = {work_##work, descriptors},
#include "npu_exec/sim/task_work.def"
};
static_assert(sizeof work / sizeof *work == LOWOP_KIND_COUNT, "a row for each kind");

static void plan_reload(const Planner *p, int64_t bytes, PlanEntry *e)
{
    e->reload = dram_work(p->si, bytes);
    e->first_bytes = bytes;
}

/* Fetching the op's instructions and putting its descriptors into the operand queue. */
static void plan_commands(Planner *p, const LowOp *op, PlanEntry *e)
{
    const Silicon *si = p->si;
    if (op->zero_cost) {
        e->command = cycles_time(p, 1, si->view_command);
        return;
    }
    int64_t bytes = i64_add(si->command_bytes, i64_mul(e->nblock, si->block_command_bytes)) / MILLI;
    e->command = i64_add(network_time(p, bytes, si->command_fetch),
                         cycles_time(p, work[op->kind].descriptors + i64_max(op->ninput - 1, 0),
                                     si->descriptor_issue));
    if (p->instruction_left >= bytes)
        p->instruction_left -= bytes;
    else
        plan_reload(p, bytes, e);
}

/* Splits whole-op times over the blocks; fills and barriers come once per block. */
static void plan_blocks(const Planner *p, PlanEntry *e)
{
    const Silicon *si = p->si;
    int64_t n = e->nblock;
    if (e->array > 0)
        e->array = ps_service(i64_ceil_div(e->array, n) + cycles_time(p, 1, si->array_fill));
    if (e->vector > 0)
        e->vector = ps_service(i64_ceil_div(e->vector, n) + cycles_time(p, 1, si->vector_fill));
    if (p->fused)
        e->array = ps_service(e->array + cycles_time(p, 1, si->pe_barrier));
    e->barrier = cycles_time(p, 1, si->slice_barrier);
}

/* What leaves SRAM leaves without the padding of its slices. */
static int64_t without_padding(const LowOp *op, int64_t bytes)
{
    int64_t real = i64_add(op->elements_in, op->elements_out);
    int64_t lowered = i64_add(op->bytes_in, op->bytes_out);
    return lowered > real && bytes > 0 ? i64_mul_div(bytes, real, lowered) : i64_max(bytes, 0);
}

/* Its maps alone do not fit SRAM: every row that moves is fetched by itself. */
static bool overfills(const Planner *p, const LowOp *op)
{
    int64_t sram = p->program->summary.sram_bytes;
    int64_t images = i64_max(p->program->images, 1);
    return op->kind != LOWOP_PAD && i64_add(op->bytes_in, op->bytes_out) / images > sram;
}

/* Bytes that leave or enter SRAM because it is full, shared out over the blocks. */
static void plan_memory(const Planner *p, const LowOp *op, PlanEntry *e)
{
    int64_t halo = i64_max(op->halo_bytes, 0), streamed = i64_max(op->streamed_bytes, 0);
    int64_t spill = without_padding(op, op->spill_bytes - halo - streamed);
    if (overfills(p, op))
        spill = i64_mul_div(spill, p->si->map_spread, MILLI * MILLI);
    int64_t in = i64_add(spill / 2, without_padding(op, halo)), out = spill - spill / 2;
    int64_t stored = i64_mul_div(streamed, p->si->weight_spread, MILLI * MILLI);
    e->load_bytes = i64_ceil_div(in, e->nblock);
    e->store_bytes = i64_ceil_div(out, e->nblock);
    e->first_bytes = i64_add(e->first_bytes, stored);
    e->load = dram_work(p->si, e->load_bytes);
    e->store = dram_work(p->si, e->store_bytes);
    e->weights = dram_work(p->si, stored);
}

static void plan_op(Planner *p, const LowOp *op, uint32_t first_op, PlanEntry *e)
{
    assert(op->kind < LOWOP_KIND_COUNT && op->id >= first_op);
    e->op = op->id;
    e->nblock = (uint32_t)i64_min(i64_max(op->tiles, 1), BLOCKS_MAX);
    e->after = op->id - first_op + 1; /* one op after the other: the compiler's own view of a task
                                         adds up, operator by operator, to the whole */
    plan_commands(p, op, e);
    if (op->zero_cost)
        return;
    work[op->kind].plan(p, op, e);
    if (p->fused)
        e->vector =
            i64_add(e->vector, network_time(p, padded_elements(p, op) / 2, p->si->exchange_rate));
    plan_blocks(p, e);
    plan_memory(p, op, e);
}

static int64_t tensor_bytes(const Program *p, const PTensorId *id, uint32_t n)
{
    int64_t bytes = 0;
    for (uint32_t i = 0; i < n; i++)
        bytes = i64_add(bytes, i64_max(p->tensor[id[i]].bytes, 0));
    return bytes;
}

/* The compiler and we count the same multiplications, each from the shape. */
static void check_macs(const Program *p, const LowOp *op, Notes *notes)
{
    if (is_transposed(p, op))
        return;
    if ((op->kind == LOWOP_CONV2D || op->kind == LOWOP_DEPTHWISE) && op->macs > 0 &&
        geometry_op_macs(op) != op->macs)
        notes_add(notes, "macs-differ", MESSAGE_ID(MACS_DIFFER), arg_count(op->id),
                  arg_count(geometry_op_macs(op)), arg_count(op->macs));
}

TaskPlan *task_plan(Arena *a, const Silicon *si, const Program *p, const Step *s, Notes *notes)
{
    Planner planner = {.si = si,
                       .program = p,
                       .grid = {.slices = si->slices_per_pe * p->options.pe,
                                .mac_width = si->mac_width,
                                .mac_height = si->mac_height},
                       .fused = p->options.pe > 1,
                       .instruction_left = si->instruction_bytes};
    bool rows = p->machine->kind == MACHINE_ROWS; /* whose data are in DRAM as they come */
    TaskPlan *t = ARENA_NEW(a, TaskPlan);
    *t = (TaskPlan){.nentry = s->nop + 2,
                    .overlap = si->dma_overlap >= MILLI / 2,
                    .in_order = rows,
                    .entry = ARENA_ARRAY(a, PlanEntry, (size_t)s->nop + 2),
                    .launch = ps_service(si->task_launch),
                    .commit = ps_service(si->task_commit)};
    int64_t in = rows ? 0 : tensor_bytes(p, s->input, s->ninput);
    int64_t out = rows ? 0 : tensor_bytes(p, s->output, s->noutput);
    t->entry[0] = (PlanEntry){
        .op = LOWOP_NONE_LOAD, .nblock = 1, .load = dram_work(si, in), .load_bytes = in};
    for (uint32_t i = 0; i < s->nop; i++) {
        const LowOp *op = &p->op[s->first_op + i];
        if (rows) {
            t->entry[i + 1] = row_plan(si, p, op);
            t->entry[i + 1].after = i + 1;
            continue;
        }
        plan_op(&planner, op, s->first_op, &t->entry[i + 1]);
        check_macs(p, op, notes);
    }
    t->entry[s->nop + 1] = (PlanEntry){.op = LOWOP_NONE_STORE,
                                       .nblock = 1,
                                       .after = s->nop + 1,
                                       .store = dram_work(si, out),
                                       .store_bytes = out,
                                       .waits_store = true};
    for (uint32_t i = 0; i < t->nentry; i++) {
        t->entry[i].first = t->nblock;
        assert(t->entry[i].nblock > 0 && t->entry[i].after <= i);
        t->nblock += t->entry[i].nblock;
    }
    return t;
}
