/* What a program takes of DRAM and SRAM, against sums by hand. */
#include "cost_model/memory.h"
#include "tests/unit/cost_parts.h"

static const Machine card = {
    .id = "test",
    .pe_count = 2,
    .slices_per_pe = 64,
    .mac_width = 32,
    .mac_height = 4,
    .sram_slice_bytes = 262144, /* 16 MiB of a PE */
    .dram_bytes = 1 << 30,
    .width_multiple = 32,
};

/* Two convolutions, one of whose 3 MiB of weights do not stay, and 5 MiB in DRAM in all: so 2 MiB
 * are activations; 1 MiB in and 2 MiB out. */
static void fits_checks(void)
{
    LowOp op[2] = {conv_op(), conv_op()};
    op[1].id = 1;
    op[1].weight_bytes = op[1].streamed_bytes = 3 << 20;
    Program p = {.machine = &card, .options = {.pe = 1}, .op = op, .nop = 2, .images = 1};
    p.summary = (ProgramSummary){.dram_spill_bytes = 5 << 20,
                                 .h2d_bytes = 1 << 20,
                                 .d2h_bytes = 2 << 20,
                                 .sram_peak_bytes = 15 << 20,
                                 .sram_bytes = 16 << 20,
                                 .activation_peak_bytes = 6 << 20};
    MemoryNeed m = memory_need(&p, 1, 1);
    CHECK(m.weight_bytes == 3 << 20 && m.activation_bytes == 2 << 20 && m.io_bytes == 3 << 20);
    CHECK(m.worker_bytes == 8 << 20 && m.dram_bytes == 8 << 20 && m.dram_limit_bytes == 1 << 30);
    CHECK(m.sram_peak_bytes == 15 << 20 && m.sram_bytes == 16 << 20);
    CHECK(m.largest_op_bytes == 2 * 64 * 56 * 64); /* 56 columns on 64 */
    CHECK(m.fits && m.limit == MEMORY_LIMIT_NONE && memory_workers_max(&m) == 128);
    CHECK(memory_need(&p, 128, 1).fits);
    m = memory_need(&p, 129, 1); /* one more than 1 GiB holds */
    CHECK(!m.fits && m.limit == MEMORY_LIMIT_DRAM && m.dram_bytes == 129 * (8 << 20));
    m = memory_need(&p, 129, 2); /* 65 on one of two cards */
    CHECK(m.fits && m.dram_bytes == 65 * (8 << 20));
    /* Two images fit beside each other, three do not: all that the operators write is in DRAM. */
    op[0].bytes_out = 7 << 20;
    op[1].bytes_out = 9 << 20;
    p.images = 2;
    CHECK(memory_need(&p, 1, 1).activation_bytes == 2 << 20);
    p.images = 3;
    CHECK(memory_need(&p, 1, 1).activation_bytes == 16 << 20);
    op[0].zero_cost = true; /* a view writes nothing */
    CHECK(memory_need(&p, 1, 1).activation_bytes == 9 << 20);
}

/* 64 x 384 x 384 in and out are 18 MiB: more than one PE has, and no more than two have. */
static void operator_checks(void)
{
    LowOp op = conv_op();
    op.h_in = op.w_in = op.h_out = op.w_out = 384;
    op.elements_in = op.elements_out = 64 * 384 * 384;
    Program p = {.machine = &card, .options = {.pe = 1}, .op = &op, .nop = 1, .images = 1};
    MemoryNeed m = memory_need(&p, 1, 1);
    CHECK(!m.fits && m.limit == MEMORY_LIMIT_OPERATOR && m.largest_op_bytes == 18 << 20);
    p.options.pe = 2;
    CHECK(memory_need(&p, 1, 1).fits);
    p.options.pe = 1;
    op.kind = LOWOP_PAD; /* is done where its reader takes the input */
    CHECK(memory_need(&p, 1, 1).fits);
    CHECK(memory_workers_max(&m) == INT64_MAX); /* nothing in DRAM */
}

int main(void)
{
    fits_checks();
    operator_checks();
    return check_failures() != 0;
}
