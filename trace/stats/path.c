/* Sweeps over each inference with a heap of the spans that are open. */
#include "trace/stats/path.h"

#include "trace/stats/rows.h"

typedef struct {
    int64_t start_ns, end_ns;
    const char *name;
    SpanKind kind;
    int rank; /* higher explains first */
} Item;

typedef struct {
    PathPart *part;
    size_t npart, cap;
    uint64_t *last; /* inference that counted the part last, plus one */
    size_t nlast, last_cap;
    StrMap index;
} Table;

typedef struct {
    Arena *arena, *scratch;
    Table span, gap;
    Item *item;
    size_t nitem, item_cap;
    Item **heap;
    size_t nheap, heap_cap;
    uint64_t inference;
} Sweep;

static int rank_of(SpanKind k)
{
    static const int rank[] = {
        [SPAN_TASK] = 4, [SPAN_TRANSFER] = 3, [SPAN_HOST_OPERATOR] = 2, [SPAN_SUBMIT] = 1};
    return (size_t)k < sizeof rank / sizeof *rank ? rank[k] : 0;
}

ORDER_BY(compare_items, Item, COMPARE(a->start_ns, b->start_ns), COMPARE(b->end_ns, a->end_ns),
         strcmp(a->name, b->name))

static bool explains_before(const Item *a, const Item *b)
{
    if (a->rank != b->rank)
        return a->rank > b->rank;
    return a > b; /* begun later: items are sorted by start */
}

static void heap_push(Sweep *w, Item *item)
{
    size_t i = w->nheap;
    *VEC_PUSH(w->scratch, w->heap, w->nheap, w->heap_cap) = item;
    for (; i > 0 && explains_before(item, w->heap[(i - 1) / 2]); i = (i - 1) / 2)
        w->heap[i] = w->heap[(i - 1) / 2];
    w->heap[i] = item;
}

static void heap_pop(Sweep *w)
{
    assert(w->nheap > 0);
    Item *item = w->heap[--w->nheap];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < w->nheap; i = child) {
        if (child + 1 < w->nheap && explains_before(w->heap[child + 1], w->heap[child]))
            child++;
        if (!explains_before(w->heap[child], item))
            break;
        w->heap[i] = w->heap[child];
    }
    w->heap[i] = item;
}

static void add_part(Sweep *w, Table *t, const char *name, SpanKind kind, int64_t ns)
{
    assert(ns > 0);
    uint32_t i = strmap_get(&t->index, name);
    if (i == STRMAP_NONE) {
        i = (uint32_t)t->npart;
        const char *kept = arena_strdup(w->arena, name);
        *VEC_PUSH(w->arena, t->part, t->npart, t->cap) = (PathPart){.name = kept, .kind = kind};
        *VEC_PUSH(w->scratch, t->last, t->nlast, t->last_cap) = 0;
        strmap_put(&t->index, kept, i);
    }
    t->part[i].total_ns += ns;
    t->part[i].count += t->last[i] != w->inference + 1;
    t->last[i] = w->inference + 1;
}

static char *append_text(char *to, const char *end, const char *text)
{
    size_t n = strnlen(text, (size_t)(end - to));
    memcpy(to, text, n);
    return to + n;
}

static void add_gap(Sweep *w, const char *before, const char *after, int64_t ns)
{
    char name[256], *to = name, *end = name + sizeof name - 1;
    to = append_text(to, end, before ? before : "begin");
    to = append_text(to, end, " … ");
    *append_text(to, end, after ? after : "end") = '\0';
    add_part(w, &w->gap, name, SPAN_OTHER, ns);
}

static void add_item(Sweep *w, const InferenceStat *f, const char *name, SpanKind kind,
                     int64_t start_ns, int64_t dur_ns)
{
    int64_t end = start_ns + dur_ns, last = f->start_ns + f->dur_ns;
    Item *i = VEC_PUSH(w->scratch, w->item, w->nitem, w->item_cap);
    *i = (Item){.start_ns = start_ns > f->start_ns ? start_ns : f->start_ns,
                .end_ns = end < last ? end : last,
                .name = name,
                .kind = kind,
                .rank = rank_of(kind)};
    if (i->end_ns <= i->start_ns)
        w->nitem--;
}

static void collect_items(Sweep *w, const TraceStats *s, const InferenceStat *f)
{
    w->nitem = 0;
    for (uint32_t k = 0; k < f->nhost; k++) {
        const OpSpan *h = &s->host_span[f->first_host + k];
        add_item(w, f, h->name, h->kind, h->start_ns, h->dur_ns);
    }
    for (uint32_t k = 0; k < f->ntask && !s->dealt_in_order; k++) {
        const ExecutionStat *e = &s->execution[f->first_task + k];
        add_item(w, f, "NPU", SPAN_TASK, e->start_ns, e->total_ns);
    }
    rows_sort(w->item, w->nitem, sizeof *w->item, compare_items);
}

/* From `now` on until the next span begins (or the end), with whatever is open. */
static int64_t run_until(Sweep *w, int64_t now_ns, int64_t until_ns, const char **last)
{
    while (now_ns < until_ns) {
        while (w->nheap > 0 && w->heap[0]->end_ns <= now_ns)
            heap_pop(w);
        if (w->nheap == 0)
            break;
        const Item *top = w->heap[0];
        int64_t end = top->end_ns < until_ns ? top->end_ns : until_ns;
        add_part(w, &w->span, top->name, top->kind, end - now_ns);
        *last = top->name;
        now_ns = end;
    }
    return now_ns;
}

static void sweep_inference(Sweep *w, const InferenceStat *f)
{
    int64_t now = f->start_ns, end = f->start_ns + f->dur_ns;
    const char *last = NULL;
    w->nheap = 0;
    for (size_t i = 0; i <= w->nitem; i++) {
        int64_t next = i < w->nitem ? w->item[i].start_ns : end;
        now = run_until(w, now, next, &last);
        if (now < next)
            add_gap(w, last, i < w->nitem ? w->item[i].name : NULL, next - now);
        now = next;
        if (i < w->nitem)
            heap_push(w, &w->item[i]);
    }
}

ORDER_BY(by_total, PathPart, COMPARE(b->total_ns, a->total_ns), COMPARE(a->kind, b->kind),
         strcmp(a->name, b->name))

PathPart *trace_path(Arena *a, const TraceStats *s, size_t *ret_count, int64_t *ret_latency_ns)
{
    Sweep w = {.arena = a, .scratch = arena_new(SIZE_MAX)};
    int64_t latency = 0;
    strmap_init(&w.span.index, w.scratch, 64);
    strmap_init(&w.gap.index, w.scratch, 64);
    bool all = s->nwarm_up == s->ninference;
    for (size_t i = 0; i < s->ninference; i++) {
        const InferenceStat *f = &s->inference[i];
        if (f->warm_up && !all)
            continue;
        w.inference = i;
        collect_items(&w, s, f);
        sweep_inference(&w, f);
        latency += f->dur_ns;
    }
    size_t n = w.span.npart + w.gap.npart;
    PathPart *part = ARENA_ARRAY(a, PathPart, n);
    memcpy(part, w.span.part ? w.span.part : part, w.span.npart * sizeof *part);
    memcpy(part + w.span.npart, w.gap.part ? w.gap.part : part, w.gap.npart * sizeof *part);
    assert(LIST_SUM(uint64_t, i, n, (uint64_t)part[i].total_ns) == (uint64_t)latency);
    rows_sort(part, n, sizeof *part, by_total);
    arena_free(w.scratch);
    *ret_count = n;
    *ret_latency_ns = latency;
    return part;
}
