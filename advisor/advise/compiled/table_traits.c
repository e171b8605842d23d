/* Looks at the shapes and cycles of each row, then compares rows of equal type and shapes. */
#include "advisor/advise/compiled/table_traits.h"

#include "advisor/message/phrase.h"
#include "cost_model/costs.h"
#include "cost_model/op_model.h"
#include "graph/base/statistics.h"
#include "graph/compile/machine.h"

/* ---- the chip ---- */

/* What a target file says of it. */
typedef struct {
    const Machine *machine;
    double table; /* ns that the table unit takes for an output */
    double npu_hz;
} TableChip;

static const TableChip *load_chip(Arena *a, const char *name)
{
    TableChip *chip = ARENA_NEW(a, TableChip);
    Machine *machine;
    Costs *costs;
    Diag unread = {0};
    char *target = arena_strdup(a, name);
    for (char *s = target; *s; s++)
        *s = (char)tolower((unsigned char)*s);
    if (strchr(target, '/') || !machine_exists(a, target) ||
        machine_load(a, target, &machine, &unread) || machine->kind != MACHINE_ROWS ||
        costs_load(a, target, NULL, &costs, &unread))
        return NULL;
    *chip = (TableChip){machine, costs_form_figure(costs, TERM_TABLE).mid, costs->clock_hz.mid};
    return chip;
}

/* The chip that the log names; else the target with as many cores as the rows tell. */
static const TableChip *find_chip(Arena *a, TableTraits *x)
{
    const RknnTable *t = x->table;
    const char *told = t->log.word[RKNN_PLATFORM];
    size_t cores = LIST_VALUE(i, t->nrow, t->row[i].ncore, t->row[i].ncore, 0);
    const char *name = told ? told : cores > 1 ? machine_with_cores(a, (int)cores) : NULL;
    const TableChip *chip = name ? load_chip(a, name) : NULL;
    x->chip_by_cores = !told && chip;
    x->chip = chip ? chip->machine->id : told;
    x->cores = chip ? (size_t)chip->machine->pe_count : cores;
    x->cin = chip ? chip->machine->mac_width : 0;
    x->cout = chip ? chip->machine->mac_height : 0;
    x->full_ddr_mhz = chip && chip->machine->ddr_mhz > 1 ? chip->machine->ddr_mhz : 0;
    x->full_npu_mhz = chip ? chip->npu_hz / 1e6 : 0;
    return chip;
}

/* ---- rows ---- */

static const ImportTensor *plain_tensor(const Imported *g, const uint32_t *id, size_t n, size_t k)
{
    const ImportTensor *t = k < n ? &g->tensor[id[k]] : NULL;
    bool plain = t && t->rank == 4 && LIST_ALL(i, 4, t->dim[i] > 0 && t->dim[i] < 1 << 20);
    return plain ? t : NULL;
}

/* Of a convolution with all its shapes; else all 0. */
static void look_at_shapes(const Imported *g, const ImportOp *op, TableRow *x)
{
    const ImportTensor *in = plain_tensor(g, op->input, op->ninput, 0),
                       *weights = plain_tensor(g, op->input, op->ninput, 1),
                       *out = plain_tensor(g, op->output, op->noutput, 0);
    if (strncmp(op->type, "Conv", 4) != 0 || !in || !weights || !out)
        return;
    x->cin = (double)in->dim[1];
    x->cout = (double)out->dim[1];
    x->kernel_h = (double)weights->dim[2];
    x->kernel_w = (double)weights->dim[3];
    x->read = (double)(in->dim[0] * in->dim[2]) * (double)in->dim[3];
    x->made = (double)(out->dim[0] * out->dim[2]) * (double)out->dim[3];
    x->depthwise = x->cin > 1 && in->dim[1] == out->dim[1] && weights->dim[0] == 1;
    x->first = x->cin <= 4 && !x->depthwise;
}

/* What the law of the chip says of a convolution; no more than the row took. */
static void apply_law(const TableChip *c, const RknnRow *row, TableRow *x)
{
    const Machine *m = c->machine;
    double ns = fmax(row->time_us, 0) * 1e3, npu = (double)row->npu_cycles;
    double outputs = x->made * op_blocks(x->cout, m->mac_height) * m->mac_height;
    double table =
        (strstr(row->type, "Swish") || strstr(row->type, "Sigmoid")) && !strstr(row->type, "Hard")
            ? c->table * outputs
            : 0;
    double work = fmin(ns, fmax(npu, table));
    double useful = x->depthwise
                        ? x->cin / (op_blocks(x->cin, m->depthwise_height) * m->depthwise_height)
                        : x->cin / (op_blocks(x->cin, m->mac_width) * m->mac_width) * x->cout /
                              (op_blocks(x->cout, m->mac_height) * m->mac_height);
    double stem =
        op_product_cycles(m, x->made, 4, 3, 12) + op_product_cycles(m, x->made, 9, 12, x->cout);
    x->table_ns = fmax(0, fmin(ns, table - npu));
    x->padding_ns = x->first ? 0 : work * (1 - useful);
    x->memory_ns = (double)row->ddr_cycles > fmax(npu, table) ? ns - work : 0;
    if (x->cin == 3 && x->kernel_h == 6 && x->kernel_w == 6)
        x->stem_ns = fmax(0, fmin(ns, npu - stem));
}

static void look_at_rows(TableTraits *x, const Imported *g, const TableChip *chip)
{
    size_t last = g->nop;
    for (size_t i = 0; i < g->nop; i++) {
        const RknnRow *row = &x->table->row[i];
        TableRow *y = &x->row[i];
        look_at_shapes(g, &g->op[i], y);
        if (y->cin > 0 && chip)
            apply_law(chip, row, y);
        y->splits = LIST_SUM(int, k, row->ncore, row->load[k] > 0) > 1;
        x->sum_us += fmax(row->time_us, 0);
        x->sum_kb += fmax(row->rw_kb, 0);
        if (y->cout > 4 || y->kernel_h > 1)
            last = i;
    }
    for (size_t i = last + 1; i < g->nop; i++)
        x->row[i].tail = strcmp(g->op[i].type, "OutputOperator") != 0;
}

/* ---- the clock of the memory ---- */

/* Bytes that the compiler counts for a row: activations at 16 channels, weights, biases. */
static double counted_bytes(const TableRow *x)
{
    double weights = x->depthwise ? op_blocks(x->cin, 16) * 16 : x->cout * fmax(x->cin, 16);
    return op_blocks(x->cin, 16) * 16 * x->read + op_blocks(x->cout, 16) * 16 * x->made +
           weights * x->kernel_h * x->kernel_w + 8 * x->cout;
}

/* By the rows of int8 whose bytes are surely counted so: not of an image, a sum or an output. */
static double ddr_clock(Arena *a, const TableTraits *x, const Imported *g, const TableChip *chip)
{
    double *mhz = ARENA_ARRAY(a, double, g->nop + 1);
    size_t n = 0;
    for (size_t i = 0; chip && chip->machine->ddr_bytes_1e6 > 1 && x->table->timed && i < g->nop;
         i++) {
        const RknnRow *row = &x->table->row[i];
        if (x->row[i].cin > 4 && row->ddr_cycles > 1000 && !strcmp(row->dtype, "INT8") &&
            !strstr(row->type, "Add") && !strstr(row->type, "Transpose"))
            mhz[n++] = counted_bytes(&x->row[i]) / (double)row->ddr_cycles /
                       (double)chip->machine->ddr_bytes_1e6 * 1e6;
    }
    if (n < 3)
        return 0;
    statistics_sort_reals(mhz, n);
    return mhz[n / 2];
}

/* ---- rows that must take the same time ---- */

static bool is_compared(const RknnRow *row)
{
    return row->time_us > 0 && strcmp(row->type, "InputOperator") != 0 &&
           strcmp(row->type, "OutputOperator") != 0 && strcmp(row->type, "Reshape") != 0;
}

static void compare_twins(Arena *a, TableTraits *x)
{
    const RknnTable *t = x->table;
    StrMap first;
    uint32_t *twin = ARENA_ARRAY(a, uint32_t, t->nrow + 1);
    double *least = ARENA_ARRAY(a, double, t->nrow + 1);
    bool *apart = ARENA_ARRAY(a, bool, t->nrow + 1);
    strmap_init(&first, a, t->nrow);
    for (size_t i = 0; i < t->nrow; i++) {
        const char *key = arena_printf(a, "%s %s %s %s", t->row[i].type, t->row[i].dtype,
                                       t->row[i].in_shape, t->row[i].out_shape);
        twin[i] = strmap_number(&first, key, i);
        double *min = &least[twin[i]];
        if (is_compared(&t->row[i]) && (*min <= 0 || t->row[i].time_us < *min))
            *min = t->row[i].time_us;
    }
    for (size_t i = 0; i < t->nrow; i++) {
        TableRow *row = &x->row[i];
        row->fastest_ns = is_compared(&t->row[i]) ? least[twin[i]] * 1e3 : 0;
        row->unsteady = row->fastest_ns > 0 && t->row[i].time_us > TABLE_STEADY * least[twin[i]];
        x->nunsteady += row->unsteady;
        x->ngroup += row->unsteady && !apart[twin[i]];
        apart[twin[i]] |= row->unsteady;
    }
}

TableTraits *table_traits(Arena *a, const Imported *g)
{
    TableTraits *x = ARENA_NEW(a, TableTraits);
    *x = (TableTraits){.table = g->rknn, .row = ARENA_ARRAY(a, TableRow, g->nop + 1)};
    const TableChip *chip = find_chip(a, x);
    look_at_rows(x, g, chip);
    x->ddr_mhz = ddr_clock(a, x, g, chip);
    x->plain_ns = x->table->log.plain_us * 1e3;
    compare_twins(a, x);
    return x;
}

/* ---- times ---- */

void table_times(EngineTimes *t, const Imported *g)
{
    const RknnTable *table = g->rknn;
    for (size_t i = 0; table->timed && i < g->nop; i++)
        *VEC_PUSH(t->arena, t->row, t->nrow, t->row_cap) =
            (EngineRow){g->op[i].name, table->row[i].time_us * 1e3, -1};
    if (table->timed)
        *VEC_PUSH(t->arena, t->file, t->nfile, t->file_cap) =
            (EngineFile){.path = g->path, .kind = ENGINE_TABLE};
    double ns = table->log.plain_us * 1e3;
    if (ns > 0)
        t->stage[ENGINE_LATENCY] = (EngineStage){.known = true,
                                                 .min = ns,
                                                 .mean = ns,
                                                 .median = ns,
                                                 .max = ns,
                                                 .p90 = -1,
                                                 .p99 = -1,
                                                 .cv = -1};
}

/* ---- trust ---- */

enum { ROWS_NAMED = 8 };

static const char *slow_rows(Arena *a, const TableTraits *x)
{
    const char *list = "";
    for (size_t i = 0, n = 0; i < x->table->nrow && n <= ROWS_NAMED; i++)
        if (x->row[i].unsteady && n++ < ROWS_NAMED)
            list = arena_printf(a, "%s%s%lld", list, *list ? ", " : "",
                                (long long)x->table->row[i].id);
    return x->nunsteady > ROWS_NAMED ? arena_printf(a, "%s …", list) : list;
}

/* Adds what is said, if anything; returns whether it was. */
static int tell_issue(Arena *a, LayerTimes *x, const char *code, const Message *said)
{
    if (said)
        layer_times_issue(a, x, code, said);
    return said != NULL;
}

static bool sum_differs(double sum, double footer)
{
    return footer > 0 && fabs(sum - footer) > fmax(0.005 * footer, 1);
}

/* What is missing in the table, and what speaks against its times; returns by how many grades. */
static int doubt_table(Arena *a, LayerTimes *x)
{
#define SAY(when, ...) ((when) ? MESSAGE(a, __VA_ARGS__) : NULL)
    const TableTraits *t = x->table;
    const RknnTable *table = t->table;
    size_t lost = table->bad_rows > table->lost_rows ? table->bad_rows : table->lost_rows;
    int worse =
        tell_issue(a, x, "rows-lost", SAY(lost, phrase_arg(PHRASE_TABLE_LOST), arg_size(lost)));
    worse += tell_issue(a, x, "cut-off", SAY(!table->whole, phrase_arg(PHRASE_TABLE_CUT)));
    tell_issue(
        a, x, "several-tables",
        SAY(table->log.ntable > 1, phrase_arg(PHRASE_TABLE_SEVERAL), arg_size(table->log.ntable)));
    if (!table->timed)
        return worse +
               tell_issue(a, x, "no-layer-times", SAY(true, phrase_arg(PHRASE_TABLE_UNTIMED)));
    worse += tell_issue(a, x, "sum-differs",
                        SAY(sum_differs(t->sum_us, table->total_us), phrase_arg(PHRASE_TABLE_SUM),
                            arg_time(t->sum_us * 1e3), arg_time(table->total_us * 1e3)));
    worse += tell_issue(a, x, "rw-differs",
                        SAY(sum_differs(t->sum_kb, table->rw_kb), phrase_arg(PHRASE_TABLE_RW),
                            arg_fixed(t->sum_kb, 0), arg_fixed(table->rw_kb, 0)));
    worse += tell_issue(a, x, "unsteady",
                        SAY(t->ngroup, phrase_arg(PHRASE_TABLE_UNSTEADY), arg_size(t->nunsteady),
                            arg_text(slow_rows(a, t))));
    return worse + tell_issue(a, x, "no-plain-run",
                              SAY(t->plain_ns < 0, phrase_arg(PHRASE_TABLE_NO_PLAIN)));
}

static void tell_chip(Arena *a, LayerTimes *x)
{
    const TableTraits *t = x->table;
    tell_issue(a, x, "chip-by-cores",
               SAY(t->chip_by_cores, phrase_arg(PHRASE_TABLE_CHIP), arg_text(t->chip),
                   arg_size(t->cores)));
    tell_issue(a, x, "chip-unknown", SAY(!t->chip, phrase_arg(PHRASE_TABLE_NO_CHIP)));
    tell_issue(
        a, x, "ddr-clock",
        SAY(t->ddr_mhz > 0,
            phrase_arg(lround(t->ddr_mhz) == 2112 ? PHRASE_TABLE_DDR_DEFAULT : PHRASE_TABLE_DDR),
            arg_fixed(t->ddr_mhz, 0)));
#undef SAY
}

void table_judge(Arena *a, LayerTimes *x)
{
    if (!x->graph->rknn)
        return;
    TableTraits *t = table_traits(a, x->graph);
    if (x->stage_ns[STAGE_RUN])
        t->plain_ns = (double)x->stage_ns[STAGE_RUN];
    x->table = t;
    int worse = doubt_table(a, x);
    tell_chip(a, x);
    x->gains = x->sum_ns > 0;
    x->grade = (char)('A' + (worse > 3 || !x->gains ? 3 : worse));
}
