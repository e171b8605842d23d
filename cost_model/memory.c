/* Adds up what a program keeps in DRAM and SRAM. */
#include "cost_model/memory.h"
#include "cost_model/op_model.h"
#include "graph/compile/layout.h"

/* Weights that do not stay in SRAM. */
static int64_t streamed_weights(const Program *p)
{
    int64_t sum = 0;
    for (size_t i = 0; i < p->nop; i++)
        if (p->op[i].streamed_bytes > 0)
            sum = layout_size_add(sum, p->op[i].weight_bytes);
    return sum;
}

static int64_t all_activations(const Program *p)
{
    int64_t sum = 0;
    for (size_t i = 0; i < p->nop; i++)
        if (!p->op[i].zero_cost)
            sum = layout_size_add(sum, p->op[i].bytes_out);
    return sum;
}

static int64_t activations_in_dram(const Program *p, int64_t weights)
{
    const ProgramSummary *s = &p->summary;
    int64_t spilled = s->dram_spill_bytes > weights ? s->dram_spill_bytes - weights : 0;
    bool beside = layout_size_mul(p->images, s->activation_peak_bytes) <= s->sram_bytes;
    return p->images <= 1 || beside ? spilled : all_activations(p);
}

static void find_largest_op(const Program *p, MemoryNeed *m)
{
    int64_t images = p->images > 1 ? p->images : 1;
    for (LowOpId i = 0; i < p->nop; i++) {
        const LowOp *op = &p->op[i];
        bool moves = op->zero_cost || op->kind == LOWOP_PAD;
        int64_t bytes = moves ? 0 : (int64_t)op_map_bytes(p->machine, op) / images;
        m->largest_op_bytes = i64_max(m->largest_op_bytes, bytes);
    }
}

MemoryNeed memory_need(const Program *p, int workers, int devices)
{
    const ProgramSummary *s = &p->summary;
    int64_t on_a_card = devices > 1 ? ((int64_t)workers + devices - 1) / devices : workers;
    MemoryNeed m = {.weight_bytes = streamed_weights(p),
                    .io_bytes = layout_size_add(s->h2d_bytes, s->d2h_bytes),
                    .dram_limit_bytes = p->machine->dram_bytes,
                    .sram_peak_bytes = s->sram_peak_bytes,
                    .sram_bytes = layout_sram_bytes(p->machine, p->options.pe)};
    m.activation_bytes = activations_in_dram(p, m.weight_bytes);
    m.worker_bytes =
        layout_size_add(m.weight_bytes, layout_size_add(m.activation_bytes, m.io_bytes));
    m.dram_bytes = layout_size_mul(m.worker_bytes, on_a_card > 1 ? on_a_card : 1);
    find_largest_op(p, &m);
    m.limit = m.largest_op_bytes > m.sram_bytes   ? MEMORY_LIMIT_OPERATOR
              : m.dram_bytes > m.dram_limit_bytes ? MEMORY_LIMIT_DRAM
                                                  : MEMORY_LIMIT_NONE;
    m.fits = m.limit == MEMORY_LIMIT_NONE;
    return m;
}

int64_t memory_workers_max(const MemoryNeed *m)
{
    return m->worker_bytes > 0 ? m->dram_limit_bytes / m->worker_bytes : INT64_MAX;
}
