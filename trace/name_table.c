/* Per-name figures: count, mean, median, extremes, sorted by total. */
#include "trace/gather.h"

#include <stdlib.h>
#include <string.h>

static int by_total(const void *pa, const void *pb)
{
    const NameStat *a = pa, *b = pb;
    if (a->total_ns != b->total_ns)
        return a->total_ns > b->total_ns ? -1 : 1;
    int names = strcmp(a->name, b->name);
    return names ? names : (a->kind > b->kind) - (a->kind < b->kind);
}

static int by_value(const void *pa, const void *pb)
{
    int64_t a = *(const int64_t *)pa, b = *(const int64_t *)pb;
    return a < b ? -1 : a > b;
}

/* Adds a name on first sight; spans' names are canonical, so the text decides. */
static uint32_t entry_of(Arena *a, StrMap *ids, const OpSpan *s, NameStat **table, size_t *n,
                         size_t *cap)
{
    uint32_t id = strmap_get(ids, s->name);
    if (id != STRMAP_NONE)
        return id;
    id = (uint32_t)*n;
    *VEC_PUSH(a, *table, *n, *cap) = (NameStat){.name = s->name, .kind = s->kind};
    strmap_put(ids, s->name, id);
    return id;
}

static void fill(NameStat *s, int64_t *duration)
{
    sort_rows(duration, s->count, sizeof *duration, by_value);
    for (uint64_t i = 0; i < s->count; i++)
        s->total_ns += duration[i];
    s->average_ns = (double)s->total_ns / (double)s->count;
    s->min_ns = duration[0];
    s->max_ns = duration[s->count - 1];
    s->median_ns = (int64_t)percentile_sorted(duration, s->count, 0.5);
}

static void add_info(const TraceStats *s, NameStat *table, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t id = strmap_get(&s->info_by_name, table[i].name);
        if (id == STRMAP_NONE)
            continue;
        table[i].op = s->info[id].op;
        table[i].detail = s->info[id].detail;
    }
}

NameStat *name_table(const TraceStats *s, const OpSpan *span, const HostDetail *detail, size_t n,
                     unsigned kinds, size_t *ret_count)
{
    Arena *a = s->arena, *scratch = arena_new(SIZE_MAX);
    StrMap ids;
    NameStat *table = NULL;
    size_t count = 0, cap = 0;
    strmap_init(&ids, scratch, 256);
    uint32_t *id = ARENA_ARRAY(scratch, uint32_t, n + 1);
    for (size_t i = 0; i < n; i++) {
        id[i] = STRMAP_NONE;
        if (!(kinds >> span[i].kind & 1))
            continue;
        bool same = i > 0 && id[i - 1] != STRMAP_NONE && span[i].name == span[i - 1].name;
        id[i] = same ? id[i - 1] : entry_of(a, &ids, &span[i], &table, &count, &cap);
        table[id[i]].count++;
        table[id[i]].self_ns += detail ? detail[i].self_ns : span[i].dur_ns;
    }
    /* Counting sort by name: durations of one name lie together. */
    int64_t *duration = ARENA_ARRAY(scratch, int64_t, n + 1);
    size_t *next = ARENA_ARRAY(scratch, size_t, count + 1), at = 0;
    for (size_t k = 0; k < count; at += table[k++].count)
        next[k] = at;
    for (size_t i = 0; i < n; i++)
        if (id[i] != STRMAP_NONE)
            duration[next[id[i]]++] = span[i].dur_ns;
    for (size_t k = 0; k < count; k++)
        fill(&table[k], duration + next[k] - table[k].count);
    add_info(s, table, count);
    sort_rows(table, count, sizeof *table, by_total);
    arena_free(scratch);
    *ret_count = count;
    return table;
}
