/* Computes figures per name of the spans that are in no other table. */
#include "trace/stats/gather.h"

/* Moves the n durations that are of the kind of the first to the beginning; returns how many. */
static size_t bring_together(int64_t *duration, uint8_t *kind, size_t n)
{
    size_t count = 0;
    uint8_t wanted = kind[0];
    for (size_t i = 0; i < n; i++) {
        if (kind[i] != wanted)
            continue;
        int64_t d = duration[i];
        duration[i] = duration[count];
        kind[i] = kind[count];
        duration[count] = d;
        kind[count++] = wanted;
    }
    return count;
}

/* Counting sort by name: durations of one name are side by side. */
NameStat *gather_other_names(Gather *g, const TraceStats *s, size_t *ret_count)
{
    Arena *scratch = arena_new(SIZE_MAX);
    int64_t *duration = ARENA_ARRAY(scratch, int64_t, g->other.count);
    uint8_t *kind = ARENA_ARRAY(scratch, uint8_t, g->other.count);
    size_t *end = ARENA_ARRAY(scratch, size_t, g->nname + 1), cap = 0, at = 0;
    NameStat *table = NULL;
    RowCursor c = rows_begin(&g->other);
    for (OtherRow *o; (o = rows_next(&g->other, &c));)
        end[o->name + 1]++;
    for (size_t k = 0; k < g->nname; k++)
        end[k + 1] += end[k];
    for (OtherRow *o; (o = rows_take(&g->other));) {
        kind[end[o->name]] = (uint8_t)o->kind;
        duration[end[o->name]++] = o->dur_ns;
    }
    *ret_count = 0;
    for (size_t k = 0; k < g->nname; k++) {
        for (size_t n; at < end[k]; at += n) {
            n = bring_together(duration + at, kind + at, end[k] - at);
            NameStat *x = VEC_PUSH(s->arena, table, *ret_count, cap);
            *x = (NameStat){.name = g->name[k], .kind = (SpanKind)kind[at], .count = n};
            name_stat_fill(x, duration + at, stats_percentile_rule(s));
            x->self_ns = x->total_ns;
        }
    }
    rows_sort(table, *ret_count, sizeof *table, name_stat_order);
    arena_free(scratch);
    return table;
}
