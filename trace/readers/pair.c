/* Keeps one track per thread and per asynchronous key, each a stack of open spans. */
#include "trace/readers/pair.h"

#include "trace/readers/scan.h"

/* A beginning or an end. */
typedef struct {
    Span span;
    bool is_end;
} Held;

typedef struct Track {
    uint64_t a, b; /* pid and tid, or the key and ASYNC */
    bool async;
    Span *open; /* stack, outermost first */
    size_t nopen, open_cap;
    Span *waiting; /* ends without a beginning, oldest first; start_ns is their time */
    size_t nwaiting, waiting_cap;
    Held *held; /* the latest events of a thread, a ring in the order of time */
    size_t first_held, nheld, held_cap;
    int64_t last_ns;       /* time of the latest event */
    const char *last_name; /* of the last complete span asked about */
    int64_t last_start_ns, last_end_ns;
    struct Track *next_free;
} Track;

struct Pairs {
    Arena *arena;
    PairSink sink;
    void *user;
    Track **slot; /* open addressing */
    size_t count, cap;
    Track *recent; /* the thread of the last event: most follow on the same one */
    Track *free;   /* asynchronous tracks that ended */
    size_t nopen, nheld;
    bool too_many_open;
    PairRepairs repairs;
};

Pairs *pairs_new(Arena *a, PairSink sink, void *user)
{
    Pairs *p = ARENA_NEW(a, Pairs);
    *p = (Pairs){.arena = a, .sink = sink, .user = user, .cap = 64};
    p->slot = ARENA_ARRAY(a, Track *, p->cap);
    return p;
}

static size_t home_slot(const Pairs *p, uint64_t a, uint64_t b, bool async)
{
    return scan_hash((const char *)(uint64_t[]){a, b}, 16, async) & (p->cap - 1);
}

static void place_track(Pairs *p, Track *t)
{
    size_t i = home_slot(p, t->a, t->b, t->async);
    while (p->slot[i])
        i = (i + 1) & (p->cap - 1);
    p->slot[i] = t;
}

static void grow_pairs(Pairs *p)
{
    Track **old = p->slot;
    size_t n = p->cap;
    p->cap *= 2;
    p->slot = ARENA_ARRAY(p->arena, Track *, p->cap);
    for (size_t i = 0; i < n; i++)
        if (old[i])
            place_track(p, old[i]);
}

static Track *find_track(const Pairs *p, uint64_t a, uint64_t b, bool async)
{
    for (size_t i = home_slot(p, a, b, async); p->slot[i]; i = (i + 1) & (p->cap - 1))
        if (p->slot[i]->a == a && p->slot[i]->b == b && p->slot[i]->async == async)
            return p->slot[i];
    return NULL;
}

static Track *add_track(Pairs *p, uint64_t a, uint64_t b, bool async)
{
    Track *t = p->free;
    if (2 * p->count >= p->cap)
        grow_pairs(p);
    if (t)
        p->free = t->next_free;
    else
        t = ARENA_NEW(p->arena, Track);
    t->a = a;
    t->b = b;
    t->async = async;
    t->last_ns = INT64_MIN;
    t->last_name = NULL;
    p->count++;
    place_track(p, t);
    return t;
}

/* Keys of asynchronous spans come and go: an empty track is used again for the next one. */
static void remove_track(Pairs *p, Track *t)
{
    size_t i = home_slot(p, t->a, t->b, t->async), mask = p->cap - 1;
    while (p->slot[i] != t)
        i = (i + 1) & mask;
    for (size_t j = (i + 1) & mask; p->slot[j]; j = (j + 1) & mask) {
        size_t want = home_slot(p, p->slot[j]->a, p->slot[j]->b, p->slot[j]->async);
        if (((j - want) & mask) >= ((j - i) & mask)) {
            p->slot[i] = p->slot[j];
            i = j;
        }
    }
    p->slot[i] = NULL;
    p->count--;
    t->next_free = p->free;
    p->free = t;
}

static Track *thread_of(Pairs *p, const Span *s)
{
    uint64_t pid = (uint64_t)s->pid, tid = (uint64_t)s->tid;
    if (p->recent && p->recent->a == pid && p->recent->b == tid)
        return p->recent;
    Track *t = find_track(p, pid, tid, false);
    return p->recent = t ? t : add_track(p, pid, tid, false);
}

static void take_missing(int32_t *index, int32_t other)
{
    if (*index == INDEX_NONE)
        *index = other;
}

static void emit_complete_span(Pairs *p, const Span *begin, const Span *end, bool nested_in_itself)
{
    Span s = *begin;
    s.dur_ns = end->start_ns - begin->start_ns;
    if (s.dur_ns < 0) {
        s.dur_ns = 0;
        p->repairs.negative_duration++;
    }
    take_missing(&s.pe_index, end->pe_index);
    take_missing(&s.execution_index, end->execution_index);
    take_missing(&s.instruction_index, end->instruction_index);
    take_missing(&s.operator_index, end->operator_index);
    p->sink(p->user, &s, nested_in_itself);
}

static void drop_waiting(Track *t, size_t i)
{
    assert(i < t->nwaiting);
    t->nwaiting--;
    memmove(t->waiting + i, t->waiting + i + 1, (t->nwaiting - i) * sizeof *t->waiting);
}

static void drop_open(Pairs *p, Track *t, size_t i)
{
    assert(p->nopen > 0 && i < t->nopen);
    p->nopen--;
    t->nopen--;
    memmove(t->open + i, t->open + i + 1, (t->nopen - i) * sizeof *t->open);
}

static bool same_name(const Span *begin, const Span *end)
{
    return !end->name || begin->name == end->name;
}

/* Earliest waiting end that can close `s`, or nwaiting. */
static size_t waiting_for(const Track *t, const Span *s, bool any_name)
{
    size_t best = t->nwaiting;
    for (size_t i = 0; i < t->nwaiting; i++) {
        const Span *e = &t->waiting[i];
        if (e->start_ns >= s->start_ns && (any_name || same_name(s, e)) &&
            (best == t->nwaiting || e->start_ns < t->waiting[best].start_ns))
            best = i;
    }
    return best;
}

static bool begin_on(Pairs *p, Track *t, const Span *s)
{
    size_t i = waiting_for(t, s, false);
    if (i < t->nwaiting) {
        emit_complete_span(p, s, &t->waiting[i], false);
        drop_waiting(t, i);
        return true;
    }
    if (p->nopen == PAIR_MAX_OPEN)
        return false;
    p->nopen++;
    *VEC_PUSH(p->arena, t->open, t->nopen, t->open_cap) = *s;
    return true;
}

/* Innermost open span that `e` can close, or nopen. */
static size_t opened_by(const Track *t, const Span *e)
{
    size_t lowest = t->nopen > PAIR_MAX_SEARCH ? t->nopen - PAIR_MAX_SEARCH : 0;
    size_t owed = e->name ? 0 : t->nwaiting; /* ends of other names, which close what is inside */
    for (size_t i = t->nopen; i-- > lowest;)
        if (owed > 0 && t->waiting[owed - 1].start_ns >= t->open[i].start_ns)
            owed--;
        else if (same_name(&t->open[i], e) && t->open[i].start_ns <= e->start_ns)
            return i;
    return t->nopen;
}

static void end_on(Pairs *p, Track *t, const Span *e)
{
    size_t i = opened_by(t, e);
    if (i < t->nopen) {
        Span begin = t->open[i];
        bool nested = i > 0 && t->open[i - 1].name == begin.name;
        drop_open(p, t, i);
        emit_complete_span(p, &begin, e, nested);
        return;
    }
    if (t->nwaiting == PAIR_MAX_WAITING) {
        drop_waiting(t, 0);
        p->repairs.unmatched_end++;
    }
    *VEC_PUSH(p->arena, t->waiting, t->nwaiting, t->waiting_cap) = *e;
}

/* ---- writers' buffers that are in the file in another order than time ---- */

static Held *held_at(const Track *t, size_t i)
{
    return &t->held[(t->first_held + i) & (t->held_cap - 1)];
}

static void grow_held(Pairs *p, Track *t)
{
    size_t cap = t->held_cap ? 2 * t->held_cap : 8;
    Held *bigger = ARENA_ARRAY(p->arena, Held, cap);
    for (size_t i = 0; i < t->nheld; i++)
        bigger[i] = *held_at(t, i);
    t->held = bigger;
    t->held_cap = cap;
    t->first_held = 0;
}

/* Pairs the earliest. */
static void release_event(Pairs *p, Track *t)
{
    const Held *h = held_at(t, 0);
    t->first_held++;
    t->nheld--;
    p->nheld--;
    if (h->is_end)
        end_on(p, t, &h->span);
    else
        p->too_many_open |= !begin_on(p, t, &h->span);
}

/* Events of one time stay in the order of the file. */
static void hold_event(Pairs *p, const Span *s, bool is_end)
{
    Track *t = thread_of(p, s);
    p->repairs.out_of_order += s->start_ns < t->last_ns;
    t->last_ns = s->start_ns;
    if (t->nheld == t->held_cap)
        grow_held(p, t);
    size_t i = t->nheld++;
    p->nheld++;
    for (; i > 0 && held_at(t, i - 1)->span.start_ns > s->start_ns; i--)
        *held_at(t, i) = *held_at(t, i - 1);
    *held_at(t, i) = (Held){*s, is_end};
    while (t->nheld > (p->nheld > PAIR_MAX_HELD ? 0 : PAIR_WINDOW))
        release_event(p, t);
}

bool pairs_begin(Pairs *p, const Span *s)
{
    hold_event(p, s, false);
    return !p->too_many_open;
}

void pairs_end(Pairs *p, const Span *e)
{
    hold_event(p, e, true);
}

static Track *async_track(Pairs *p, uint64_t key)
{
    Track *t = find_track(p, key, 0, true);
    return t ? t : add_track(p, key, 0, true);
}

static void release_if_empty(Pairs *p, Track *t)
{
    if (t->nopen == 0 && t->nwaiting == 0)
        remove_track(p, t);
}

bool pairs_async_begin(Pairs *p, uint64_t key, const Span *s)
{
    Track *t = async_track(p, key);
    bool ok = begin_on(p, t, s);
    release_if_empty(p, t);
    return ok;
}

/* An end with an unknown key does not wait: every lost beginning would keep a track. */
void pairs_async_end(Pairs *p, uint64_t key, const Span *e)
{
    Track *t = find_track(p, key, 0, true);
    if (!t) {
        p->repairs.unmatched_end++;
        return;
    }
    end_on(p, t, e);
    release_if_empty(p, t);
}

bool pairs_repeats(Pairs *p, const Span *s)
{
    Track *t = thread_of(p, s);
    int64_t end_ns = s->start_ns + s->dur_ns;
    bool within = s->start_ns >= t->last_start_ns && end_ns <= t->last_end_ns;
    bool around = s->start_ns <= t->last_start_ns && end_ns >= t->last_end_ns;
    if (t->last_name == s->name && (within || around))
        return true;
    t->last_name = s->name;
    t->last_start_ns = s->start_ns;
    t->last_end_ns = end_ns;
    return false;
}

/* The last that began takes the next that ended, as nesting would have it. */
static void pair_by_nesting(Pairs *p, Track *t)
{
    size_t lowest = t->nopen > PAIR_MAX_SEARCH ? t->nopen - PAIR_MAX_SEARCH : 0;
    for (size_t i = t->nopen; i-- > lowest && t->nwaiting > 0;) {
        size_t w = waiting_for(t, &t->open[i], true);
        if (w == t->nwaiting)
            continue;
        emit_complete_span(p, &t->open[i], &t->waiting[w], false);
        p->repairs.renamed_end += t->waiting[w].name != NULL;
        drop_waiting(t, w);
        drop_open(p, t, i);
    }
}

/* An end before its beginning: the clock stepped back within the span. */
static void pair_backwards(Pairs *p, Track *t)
{
    for (size_t w = t->nwaiting; w-- > 0;)
        for (size_t i = t->nopen; i-- > 0 && t->nopen - i <= PAIR_MAX_SEARCH;)
            if (same_name(&t->open[i], &t->waiting[w])) {
                emit_complete_span(p, &t->open[i], &t->waiting[w], false);
                drop_open(p, t, i);
                drop_waiting(t, w);
                break;
            }
}

void pairs_finish(Pairs *p, bool trust_names, PairRepairs *ret)
{
    for (size_t i = 0; i < p->cap; i++) {
        Track *t = p->slot[i];
        if (!t)
            continue;
        while (t->nheld)
            release_event(p, t);
        if (!trust_names) {
            pair_backwards(p, t);
            pair_by_nesting(p, t);
        }
        p->repairs.unmatched_begin += t->nopen;
        p->repairs.unmatched_end += t->nwaiting;
    }
    *ret = p->repairs;
}
