/* Computes figures per name of the spans that are in no other table. */
#include "trace/stats/gather.h"

#include <string.h>

/* Counting sort by name: durations of one name lie together. */
NameStat *gather_other_names(Gather *g, const TraceStats *s, size_t *ret_count)
{
    Arena *scratch = arena_new(SIZE_MAX);
    int64_t *duration = ARENA_ARRAY(scratch, int64_t, g->other.count);
    NameStat *all = ARENA_ARRAY(scratch, NameStat, g->nname);
    size_t *next = ARENA_ARRAY(scratch, size_t, g->nname), count = 0, first = 0;
    RowCursor c = rows_begin(&g->other);
    for (OtherRow *o; (o = rows_next(&g->other, &c)); all[o->name].count++)
        all[o->name].kind = o->kind;
    for (size_t k = 0; k < g->nname; first += all[k++].count)
        next[k] = first;
    for (OtherRow *o; (o = rows_take(&g->other));)
        duration[next[o->name]++] = o->dur_ns;
    for (size_t k = 0; k < g->nname; k++) {
        if (all[k].count == 0)
            continue;
        all[k].name = g->name[k].name;
        all[k].op = g->name[k].op;
        all[k].detail = g->name[k].detail;
        name_stat_fill(&all[k], duration + next[k] - all[k].count);
        all[k].self_ns = all[k].total_ns;
        all[count++] = all[k];
    }
    NameStat *table = ARENA_ARRAY(s->arena, NameStat, count);
    memcpy(table, all, count * sizeof *table);
    rows_sort(table, count, sizeof *table, name_stat_order);
    arena_free(scratch);
    *ret_count = count;
    return table;
}
