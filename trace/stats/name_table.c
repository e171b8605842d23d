/* Computes figures per name (count, mean, median, extremes), sorted by total. */
#include "trace/stats/gather.h"

#include "graph/base/compare.h"
#include "graph/base/statistics.h"

#include <string.h>

int name_stat_order(const void *pa, const void *pb)
{
    const NameStat *a = pa, *b = pb;
    int order = COMPARE(b->total_ns, a->total_ns);
    order = order ? order : strcmp(a->name, b->name);
    return order ? order : COMPARE(a->kind, b->kind);
}

/* Compares names by address, then by text: a name's spans share its address within one file. */
typedef struct {
    Arena *arena; /* of the table */
    StrMap ids;
    struct {
        const char *name;
        uint32_t id;
    } recent[64];
    NameStat *table;
    size_t count, cap;
} NameIndex;

static uint32_t look_up(NameIndex *x, const OpSpan *s, size_t slot)
{
    uint32_t id = strmap_get(&x->ids, s->name);
    if (id == STRMAP_NONE) {
        id = (uint32_t)x->count;
        *VEC_PUSH(x->arena, x->table, x->count, x->cap) =
            (NameStat){.name = s->name, .kind = s->kind};
        strmap_put(&x->ids, s->name, id);
    }
    x->recent[slot].name = s->name;
    return x->recent[slot].id = id;
}

/* Adds a name on first sight. */
static uint32_t entry_of(NameIndex *x, const OpSpan *s)
{
    size_t slot = (uintptr_t)s->name / 16 % (sizeof x->recent / sizeof *x->recent);
    return x->recent[slot].name == s->name ? x->recent[slot].id : look_up(x, s, slot);
}

static void swap_numbers(int64_t *a, int64_t *b)
{
    int64_t t = *a;
    *a = *b;
    *b = t;
}

static int64_t middle_of(int64_t a, int64_t b, int64_t c)
{
    int64_t low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : c > high ? high : c;
}

/* Moves the k-th smallest to its place, smaller ones before it, larger ones behind (Hoare's
 * selection, with the median of three as pivot and an insertion sort at the end; an order made to
 * defeat it is sorted after MAX_ROUNDS). */
static void select_nth(int64_t *v, size_t n, size_t k)
{
    enum { MAX_ROUNDS = 100 };
    size_t low = 0, high = n; /* the k-th is within [low, high) */
    for (int round = 0; high - low > 16; round++) {
        if (round == MAX_ROUNDS) {
            statistics_sort_ints(v + low, high - low);
            return;
        }
        int64_t pivot = middle_of(v[low], v[low + (high - low) / 2], v[high - 1]);
        size_t i = low, j = high - 1;
        for (;;) {
            while (v[i] < pivot)
                i++;
            while (v[j] > pivot)
                j--;
            if (i >= j)
                break;
            swap_numbers(&v[i++], &v[j--]);
        }
        if (k <= j)
            high = j + 1;
        else
            low = j + 1;
    }
    for (size_t i = low + 1; i < high; i++)
        for (size_t j = i; j > low && v[j] < v[j - 1]; j--)
            swap_numbers(&v[j], &v[j - 1]);
}

/* Mean of the two middle values, cut to an integer as the vendor's. */
static int64_t median_of(int64_t *v, size_t n)
{
    size_t k = (n - 1) / 2;
    select_nth(v, n, k);
    if (n % 2)
        return v[k];
    int64_t next = v[k + 1];
    for (size_t i = k + 2; i < n; i++)
        next = v[i] < next ? v[i] : next;
    return v[k] + (next - v[k]) / 2;
}

/* As statistics_percentile, which looks at two values only.  What lies before *from is in its place
 * as far as what lies behind is concerned; moves on. */
static int64_t quantile_of(int64_t *v, size_t n, double q, size_t *from)
{
    size_t k = (size_t)statistics_percentile_position(n, q), next = k + 1;
    select_nth(v + *from, n - *from, k - *from);
    for (size_t i = k + 2; i < n; i++)
        if (v[i] < v[next])
            next = i;
    if (next < n)
        swap_numbers(&v[k + 1], &v[next]);
    *from = k;
    return (int64_t)statistics_percentile(v, n, q);
}

void name_stat_fill(NameStat *s, int64_t *duration)
{
    s->min_ns = s->max_ns = duration[0];
    for (uint64_t i = 0; i < s->count; i++) {
        s->total_ns += duration[i];
        s->min_ns = duration[i] < s->min_ns ? duration[i] : s->min_ns;
        s->max_ns = duration[i] > s->max_ns ? duration[i] : s->max_ns;
    }
    s->average_ns = (double)s->total_ns / (double)s->count;
    s->median_ns = median_of(duration, s->count);
    size_t from = (s->count - 1) / 2;
    s->p90_ns = quantile_of(duration, s->count, 0.9, &from);
    s->p95_ns = quantile_of(duration, s->count, 0.95, &from);
    s->p99_ns = quantile_of(duration, s->count, 0.99, &from);
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

NameStat *gather_name_table(const TraceStats *s, const OpSpan *span, const HostDetail *detail,
                            size_t n, unsigned kinds, size_t *ret_count)
{
    Arena *scratch = arena_new(SIZE_MAX);
    NameIndex x = {.arena = s->arena};
    strmap_init(&x.ids, scratch, 256);
    uint32_t *id = ARENA_ARRAY(scratch, uint32_t, n);
    for (size_t i = 0; i < n; i++) {
        id[i] = STRMAP_NONE;
        if (!(kinds >> span[i].kind & 1))
            continue;
        id[i] = entry_of(&x, &span[i]);
        x.table[id[i]].count++;
        x.table[id[i]].self_ns += detail ? detail[i].self_ns : span[i].dur_ns;
    }
    NameStat *table = x.table;
    size_t count = x.count;
    /* Counting sort by name: durations of one name lie together. */
    int64_t *duration = ARENA_ARRAY(scratch, int64_t, n);
    size_t *next = ARENA_ARRAY(scratch, size_t, count), at = 0;
    for (size_t k = 0; k < count; at += table[k++].count)
        next[k] = at;
    for (size_t i = 0; i < n; i++)
        if (id[i] != STRMAP_NONE)
            duration[next[id[i]]++] = span[i].dur_ns;
    for (size_t k = 0; k < count; k++)
        name_stat_fill(&table[k], duration + next[k] - table[k].count);
    add_info(s, table, count);
    rows_sort(table, count, sizeof *table, name_stat_order);
    arena_free(scratch);
    *ret_count = count;
    return table;
}
