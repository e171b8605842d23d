/* Computes figures per name (count, mean, median, extremes), sorted by total. */
#include "trace/stats/gather.h"

#include "trace/readers/engine.h"

#include "graph/base/statistics.h"

int name_stat_order(const void *pa, const void *pb)
{
    const NameStat *a = pa, *b = pb;
    int order = COMPARE(b->total_ns, a->total_ns);
    order = order ? order : strcmp(a->name, b->name);
    order = order ? order : COMPARE(a->kind, b->kind);
    return order ? order : strcmp(a->op ? a->op : "", b->op ? b->op : "");
}

enum { SEEN_BITS = 14 };

/* Compares names by address, then by text: a name's spans share its address within one file. */
typedef struct {
    Arena *arena, *scratch; /* of the table, and of the rest */
    StrMap ids;             /* the first entry of each name */
    struct {
        const char *name, *op;
        SpanKind kind;
        uint32_t id;
    } recent[1024];
    NameStat *table;
    uint32_t *next;      /* per entry: another of its name, or STRMAP_NONE */
    uint64_t *described; /* per entry: runs whose work the file tells */
    size_t count, cap, next_cap, described_cap;
    StrMap shapes; /* of an entry */
    struct {
        const OpDetail *detail;
        uint32_t id;
    } * seen; /* 2^SEEN_BITS details whose shapes are among those of the entry */
} NameIndex;

static uint32_t add_entry(NameIndex *x, const OpSpan *s)
{
    size_t n = x->count, k = x->count;
    *VEC_PUSH(x->scratch, x->described, k, x->described_cap) = 0;
    *VEC_PUSH(x->scratch, x->next, n, x->next_cap) = strmap_get(&x->ids, s->name);
    *VEC_PUSH(x->arena, x->table, x->count, x->cap) =
        (NameStat){.name = s->name, .kind = s->kind, .op = op_span_type(s)};
    strmap_put(&x->ids, s->name, (uint32_t)x->count - 1);
    return (uint32_t)x->count - 1;
}

static uint32_t look_up(NameIndex *x, const OpSpan *s, size_t slot)
{
    uint32_t id = strmap_get(&x->ids, s->name);
    while (id != STRMAP_NONE &&
           (x->table[id].kind != s->kind || !texts_equal(x->table[id].op, op_span_type(s))))
        id = x->next[id];
    if (id == STRMAP_NONE)
        id = add_entry(x, s);
    x->recent[slot].name = s->name;
    x->recent[slot].op = op_span_type(s);
    x->recent[slot].kind = s->kind;
    return x->recent[slot].id = id;
}

/* Adds an entry on first sight. */
static uint32_t entry_of(NameIndex *x, const OpSpan *s)
{
    size_t slot = (uintptr_t)s->name / 16 % (sizeof x->recent / sizeof *x->recent);
    bool same = x->recent[slot].name == s->name && x->recent[slot].op == op_span_type(s) &&
                x->recent[slot].kind == s->kind;
    return same ? x->recent[slot].id : look_up(x, s, slot);
}

/* What the file sums up itself. */
static void take_means(NameStat *n)
{
    const OpDetail *d = n->detail;
    if (!d || !d->is_mean)
        return;
    n->is_mean = true;
    n->runs = n->count * d->runs;
    n->median_ns = n->count == 1 ? d->median_ns : -1;
    n->average_ns = n->mean_ns / (double)n->count;
    n->total_ns = d->runs ? llround(n->mean_ns * (double)d->runs) : -1;
    n->min_ns = n->max_ns = n->p90_ns = n->p95_ns = n->p99_ns = -1;
}

static void add_detail(NameIndex *x, uint32_t id, const OpDetail *d)
{
    NameStat *n = &x->table[id];
    x->described[id] += d->in_shapes || d->out_shapes || d->flop > 0 || d->memory_bytes > 0;
    n->flop += d->flop;
    n->memory_bytes += d->memory_bytes;
    n->mean_ns += d->mean_ns;
    bool has_shapes = d->in_shapes || d->out_shapes;
    size_t slot =
        ((uintptr_t)d ^ (uint64_t)id << 40) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SEEN_BITS);
    if (n->detail == d || (n->detail && !has_shapes) ||
        (x->seen[slot].detail == d && x->seen[slot].id == id))
        return;
    x->seen[slot].detail = d;
    x->seen[slot].id = id;
    n->detail = d;
    if (!has_shapes)
        return;
    const char *key =
        arena_printf(x->scratch, "%u %s>%s %" PRIx64, id, d->in_shapes ? d->in_shapes : "",
                     d->out_shapes ? d->out_shapes : "", d->shapes_key);
    n->shapes += strmap_add(&x->shapes, key, id);
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

/* Moves the k-th smallest to its place, smaller ones before it, larger ones after it (Hoare's
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

/* As statistics_percentile, which looks at two values only.  Values before *from are no greater
 * than those after it; advances *from. */
static int64_t quantile_of(PercentileRule rule, int64_t *v, size_t n, unsigned per_mille,
                           size_t *from)
{
    bool linear = rule == PERCENTILE_LINEAR;
    size_t k = linear ? (n - 1) * per_mille / 1000 : engine_percentile_index(n, per_mille / 1000.0),
           next = k + 1;
    if (k < *from)
        return v[*from]; /* of so few values that the median is above */
    select_nth(v + *from, n - *from, k - *from);
    for (size_t i = k + 2; i < n; i++)
        if (v[i] < v[next])
            next = i;
    if (next < n)
        swap_numbers(&v[k + 1], &v[next]);
    *from = k;
    return linear ? (int64_t)statistics_percentile(v, n, per_mille) : v[k];
}

void name_stat_fill(NameStat *s, int64_t *duration, PercentileRule rule)
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
    s->p90_ns = quantile_of(rule, duration, s->count, 900, &from);
    s->p95_ns = quantile_of(rule, duration, s->count, 950, &from);
    s->p99_ns = quantile_of(rule, duration, s->count, 990, &from);
}

const char *name_stat_shapes(Arena *a, const NameStat *n, ShapesOf of)
{
    const OpDetail *d = n->detail;
    const char *one = !d ? NULL : of == SHAPES_IN ? d->in_shapes : d->out_shapes;
    return one && n->shapes > 1 ? arena_printf(a, "%" PRIu64 " shapes", n->shapes) : one;
}

NameStat *gather_name_table(const TraceStats *s, const OpSpan *span, const HostDetail *detail,
                            size_t n, unsigned kinds, size_t *ret_count)
{
    Arena *scratch = arena_new(SIZE_MAX);
    NameIndex x = {.arena = s->arena, .scratch = scratch};
    strmap_init(&x.ids, scratch, 256);
    strmap_init(&x.shapes, scratch, 64);
    x.seen = arena_calloc(scratch, 1 << SEEN_BITS, sizeof *x.seen);
    uint32_t *id = ARENA_ARRAY(scratch, uint32_t, n);
    for (size_t i = 0; i < n; i++) {
        id[i] = STRMAP_NONE;
        if (!(kinds >> span[i].kind & 1))
            continue;
        id[i] = entry_of(&x, &span[i]);
        x.table[id[i]].count++;
        x.table[id[i]].self_ns += detail ? detail[i].self_ns : span[i].dur_ns;
        if (span[i].detail)
            add_detail(&x, id[i], span[i].detail);
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
    for (size_t k = 0; k < count; k++) {
        name_stat_fill(&table[k], duration + next[k] - table[k].count, stats_percentile_rule(s));
        take_means(&table[k]);
        if (x.described[k] > 0) { /* the others did the same on average */
            table[k].flop *= (double)table[k].count / (double)x.described[k];
            table[k].memory_bytes *= (double)table[k].count / (double)x.described[k];
        }
    }
    rows_sort(table, count, sizeof *table, name_stat_order);
    arena_free(scratch);
    *ret_count = count;
    return table;
}
