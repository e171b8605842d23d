/* Matches the rows of the table with those that the model is compiled to. */
#include "advisor/validation/validate_layers.h"

#include "advisor/advise/compiled/table_traits.h"
#include "cost_model/match/row_match.h"
#include "cost_model/match/span_match.h"
#include "graph/base/file.h"
#include "graph/base/statistics.h"
#include "trace/readers/rknn.h"

Status validate_layers_read(Arena *a, const char *path, Imported **ret, Diag *diag)
{
    InFile file;
    Status st = file_in_open(&file, path, 0, diag);
    if (st)
        return st;
    st = imported_read(a, file, ret, diag);
    file_in_close(&file);
    if (!st && (!(*ret)->rknn || !(*ret)->rknn->timed))
        return diag_set(diag, STATUS_INPUT, path, NULL, "is no layer table of RKNN with times");
    return st;
}

int validate_layers_ddr_mhz(Arena *a, const Imported *table)
{
    return (int)lround(table_traits(a, table)->ddr_mhz);
}

/* Of each row, by operators of the NPU or by host steps of its kind; the middle is 0 where it is
 * none. */
static void predict_rows(Arena *a, const Imported *table, const Program *p, const Prediction *t,
                         RowsOf of, Interval *ret)
{
    OpSpan *span = ARENA_ARRAY(a, OpSpan, table->nop + 1);
    uint32_t *match = ARENA_ARRAY(a, uint32_t, table->nop + 1);
    for (size_t i = 0; i < table->nop; i++)
        span[i] = (OpSpan){.name = table->op[i].name, .detail = rknn_row_detail(a, table, i)};
    match_rows(a, p, of, span, (uint32_t)table->nop, match);
    for (size_t i = 0; i < table->nop; i++) {
        uint32_t k = match[i];
        const char *kind = k == MATCH_NONE     ? NULL
                           : of == ROWS_OF_NPU ? p->op[k].row
                                               : p->step[k].op;
        if (kind && !strcmp(kind, table->rknn->row[i].type))
            ret[i] = of == ROWS_OF_NPU ? t->op[k].total_ns : t->step[k].total_ns;
    }
}

/* From the first disturbed row to the last, all may be. */
static void mark_disturbed(Arena *a, const Imported *table, bool *ret)
{
    const TableTraits *x = table_traits(a, table);
    size_t first = LIST_INDEX(i, table->nop, x->row[i].unsteady), last = first;
    for (size_t i = first; i < table->nop; i++)
        last = x->row[i].unsteady ? i : last;
    for (size_t i = first; i <= last && i < table->nop; i++)
        ret[i] = true;
}

static double floor_left(Arena *a, const RknnRow *row, const bool *out, const Interval *npu,
                         size_t n)
{
    double *left = ARENA_ARRAY(a, double, n + 1);
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (npu[i].mid > 0 && row[i].time_us > 0 && !out[i])
            left[count++] = row[i].time_us * 1e3 - npu[i].mid;
    return count ? statistics_median(left, count) : 0;
}

static Interval interval_moved(Interval x, double by)
{
    return (Interval){fmax(x.lo + by, 0), fmax(x.mid + by, 0), fmax(x.hi + by, 0)};
}

LayerRows validate_layers_predict(Arena *a, const Imported *table, const Program *p,
                                  const Prediction *t)
{
    const RknnRow *row = table->rknn->row;
    Interval *npu = ARENA_ARRAY(a, Interval, table->nop + 1),
             *host = ARENA_ARRAY(a, Interval, table->nop + 1);
    bool *out = ARENA_ARRAY(a, bool, table->nop + 1);
    LayerRows r = {.row = ARENA_ARRAY(a, LayerOutcome, table->nop + 1)};
    predict_rows(a, table, p, t, ROWS_OF_NPU, npu);
    predict_rows(a, table, p, t, ROWS_OF_HOST, host);
    mark_disturbed(a, table, out);
    double more = floor_left(a, row, out, npu, table->nop);
    for (size_t i = 0; i < table->nop; i++) {
        Interval said = npu[i].mid > 0 ? interval_moved(npu[i], more) : host[i];
        if (said.mid > 0 && row[i].time_us > 0 && !out[i])
            r.row[r.n++] = (LayerOutcome){row[i].type, row[i].time_us * 1e3, said};
        r.disturbed += out[i];
    }
    return r;
}
