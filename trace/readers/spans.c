/* Turns Chrome events into spans with kinds, and repairs broken ones. */
#include "trace/readers/readers.h"

/* Times beyond this would overflow when added; 2^61 ns are 73 years. */
#define TIME_LIMIT_NS (INT64_C(1) << 61)

static void strip_name(TraceRead *r, Name *name)
{
    bool is_new;
    if (!r->reader->strip)
        return;
    size_t len = strlen(name->text), kept = r->reader->strip(name->text, len);
    if (kept == len)
        return;
    Text group = {.p = name->text, .n = (uint32_t)kept};
    name->group = names_intern(&r->names, &group, &is_new)->text;
}

static Name *stripped_name(TraceRead *r, const Text *text)
{
    bool is_new;
    Name *name = names_intern(&r->names, text, &is_new);
    if (is_new)
        strip_name(r, name);
    return name;
}

/* Runs with the same type and texts share one. */
static const OpDetail *event_detail(TraceRead *r, const Event *e, const char *op)
{
    uint64_t hash = (uintptr_t)op;
    if (!op && !e->has_fact)
        return NULL;
    for (size_t i = 0; i < EVENT_FACTS; i++)
        hash = e->fact[i].n ? scan_hash(e->fact[i].p, e->fact[i].n, hash + i) : hash;
    size_t slot = (hash ^ hash >> 16) % DETAILS_RECENT;
    if (r->recent[slot].detail && r->recent[slot].hash == hash)
        return r->recent[slot].detail;
    const char *key = arena_printf(r->arena, "%" PRIx64, hash);
    uint32_t at = strmap_get(&r->details, key);
    if (at == STRMAP_NONE) {
        OpDetail *d = r->reader->detail ? r->reader->detail(r->arena, e) : NULL;
        at = (uint32_t)r->ndetail;
        d = d ? d : ARENA_NEW(r->arena, OpDetail);
        d->op = op;
        *VEC_PUSH(r->arena, r->detail, r->ndetail, r->detail_cap) = d;
        strmap_put(&r->details, key, at);
    }
    r->recent[slot].hash = hash;
    return r->recent[slot].detail = r->detail[at];
}

const char *reader_name(TraceRead *r, const char *text, size_t len)
{
    return stripped_name(r, &(Text){.p = text, .n = (uint32_t)len, .wide = true})->group;
}

/* A file whose beginning told nothing shows its format by its first particular category. */
static void reconsider_reader(TraceRead *r, const char *cat)
{
    if (r->reader != &reader_chrome || r->options->format)
        return;
    for (size_t i = 0; r->readers[i]; i++)
        if (r->readers[i]->cat && name_in(r->readers[i]->cat, cat))
            r->reader = r->readers[i];
}

static const char *next_category(TraceRead *r, const Text *text)
{
    bool is_new;
    Name *name = names_intern(&r->names, text, &is_new);
    r->last_cat = name;
    /* The format may have been settled since this category was first seen. */
    if (is_new) {
        reconsider_reader(r, name->text);
        int sdk = r->reader->sdk ? r->reader->sdk(name->text) : 0;
        if (sdk > r->info.sdk)
            r->info.sdk = sdk;
    }
    return name->text;
}

static const char *event_category(TraceRead *r, const Text *text)
{
    const Name *last = r->last_cat;
    bool same = last && last->raw_len == text->n && scan_equal(last->raw, text->p, text->n);
    return same ? last->text : next_category(r, text);
}

static SpanKind event_kind(TraceRead *r, Name *name, const char *cat)
{
    if (!r->reader->kind)
        return SPAN_OTHER;
    if (name->kind_of == cat)
        return name->kind;
    bool ours = strcmp(cat, TRACE_OWN_CATEGORY) == 0;
    name->kind = ours ? SPAN_OTHER : r->reader->kind(cat, name->group);
    name->kind_of = cat;
    return name->kind;
}

static Span span_of(TraceRead *r, const Event *e)
{
    const char *cat = event_category(r, &e->cat);
    Name *name = e->name.n ? stripped_name(r, &e->name) : NULL;
    bool is_new;
    Span s = {.name = name ? name->group : NULL,
              .cat = cat,
              .op = e->op.n ? names_intern(&r->names, &e->op, &is_new)->text : NULL,
              .kind = name ? event_kind(r, name, cat) : SPAN_OTHER,
              .start_ns = e->ts_ns,
              .dur_ns = e->dur_ns,
              .pid = e->pid,
              .tid = e->tid,
              .trace_id_high = e->trace_id_high,
              .trace_id = e->trace_id,
              .span_id = e->span_id,
              .parent_id = e->parent_id,
              .pe_index = e->pe_index,
              .execution_index = e->execution_index,
              .instruction_index = e->instruction_index,
              .operator_index = e->operator_index,
              .nominal = e->nominal,
              .order = r->order++};
    s.detail = name ? event_detail(r, e, s.op) : NULL;
    if (s.operator_index != INDEX_NONE && (s.kind == SPAN_OTHER || s.kind == SPAN_LABEL) &&
        strcmp(cat, TRACE_OWN_CATEGORY) != 0)
        s.kind = SPAN_HOST_OPERATOR;
    if (r->reader->refine)
        r->reader->refine(r, e, &s);
    return s;
}

/* Within a trace of Furiosa's the same transfer or call is drawn twice, one inside the other. */
static bool may_double(const TraceRead *r, const Span *s)
{
    return r->reader == &reader_furiosa && (s->kind == SPAN_TRANSFER || s->kind == SPAN_SUBMIT);
}

void reader_emit(TraceRead *r, Span *s, bool nested_in_itself)
{
    r->info.spans++;
    if (!r->options->strict)
        r->source.check = NULL; /* it is a trace, whatever the letter says */
    if (!s->name || !*s->name) {
        s->name = "(unnamed)";
        r->info.repairs.missing_name++;
    }
    if (nested_in_itself && may_double(r, s)) {
        r->info.repairs.doubled++;
        return;
    }
    assert(*s->name && s->cat && s->dur_ns >= 0); /* spans are whole, whatever the file is */
    r->sink(r->user, s);
    if (r->options->also)
        r->options->also(r->options->also_user, s);
}

static void on_complete(TraceRead *r, const Event *e)
{
    Span s = span_of(r, e);
    r->info.repairs.missing_duration += !e->has_duration;
    if (s.dur_ns < 0) {
        r->info.repairs.negative_duration++;
        s.dur_ns = 0;
    }
    reader_emit(r, &s, may_double(r, &s) && pairs_repeats(r->pairs, &s));
}

static void on_begin(TraceRead *r, const Event *e)
{
    Span s = span_of(r, e);
    r->too_many_open |= !pairs_begin(r->pairs, &s);
}

static void on_end(TraceRead *r, const Event *e)
{
    Span s = span_of(r, e);
    pairs_end(r->pairs, &s);
}

/* Old (S, F) and new (b, e) asynchronous events live in different worlds. */
static uint64_t async_key(const Span *s, const Event *e)
{
    uint64_t part[] = {e->id, e->scope, scan_hash(e->cat.p, e->cat.n, 0),
                       e->id_local ? (uint64_t)s->pid : 0, e->phase == 'b' || e->phase == 'e'};
    return scan_hash((const char *)part, sizeof part, 2);
}

static void on_async_begin(TraceRead *r, const Event *e)
{
    Span s = span_of(r, e);
    r->too_many_open |= !pairs_async_begin(r->pairs, async_key(&s, e), &s);
}

static void on_async_end(TraceRead *r, const Event *e)
{
    Span s = span_of(r, e);
    pairs_async_end(r->pairs, async_key(&s, e), &s);
}

static void name_row(TraceRead *r, const Event *e, const Text *name, bool is_thread)
{
    bool is_new;
    TraceRow row = {e->pid, e->tid, is_thread, names_intern(&r->names, name, &is_new)->text};
    r->options->named(r->options->named_user, &row);
}

static void on_metadata(TraceRead *r, const Event *e)
{
    bool is_thread = text_is(&e->name, "thread_name");
    if (r->options->named && e->arg_name.n > 0 && (is_thread || text_is(&e->name, "process_name")))
        name_row(r, e, &e->arg_name, is_thread);
}

/* "gpu0:0", "worker": a name in place of the number is the row's name, told once. */
static void name_row_once(TraceRead *r, const Event *e, const Text *name, bool is_thread)
{
    char key[64];
    int n = snprintf(key, sizeof key, "%lld %lld", (long long)e->pid,
                     is_thread ? (long long)e->tid : -1LL);
    if (name->n == 0 || !r->options->named || n < 0 || strmap_get(&r->rows, key) != STRMAP_NONE)
        return;
    strmap_put(&r->rows, arena_strdup(r->arena, key), 1);
    name_row(r, e, name, is_thread);
}

/* All other phases (instants, counters, flows, steps, snapshots) carry no span. */
static const struct {
    char phase;
    void (*on)(TraceRead *r, const Event *e);
} phase_table[] = {
    {'X', on_complete},  {'B', on_begin},       {'E', on_end},       {'b', on_async_begin},
    {'e', on_async_end}, {'S', on_async_begin}, {'F', on_async_end},
};

void reader_chrome_event(TraceRead *r, const Event *e)
{
    TraceRepairs *n = &r->info.repairs;
    n->duplicate_key += e->nduplicate;
    n->bad_number += e->nbad_number;
    n->wrapped_counter += e->nwrapped;
    n->trailing_comma += e->ntrailing_comma;
    n->bad_event += !e->phase;
    r->has_event |= e->phase != '\0';
    if (e->phase && (e->pid_name.n || e->tid_name.n)) {
        name_row_once(r, e, &e->pid_name, false);
        name_row_once(r, e, &e->tid_name, true);
    }
    if (e->phase == 'M')
        on_metadata(r, e);
    for (size_t i = 0; i < sizeof phase_table / sizeof *phase_table; i++) {
        if (phase_table[i].phase != e->phase)
            continue;
        if (e->has_time &&
            (e->ts_ns > -TIME_LIMIT_NS && e->ts_ns < TIME_LIMIT_NS && e->dur_ns < TIME_LIMIT_NS))
            phase_table[i].on(r, e);
        else
            n->bad_event++;
        return;
    }
}
