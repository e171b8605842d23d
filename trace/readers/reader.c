/* Opens a trace, recognises its format, reads it and counts what was mended. */
#include "trace/readers/recognise.h"
#include "trace/readers/trace_formats.h"

/* Fills the window far enough to recognise the format; a pipe gives less at a time. */
static Status fill_window(TraceRead *r)
{
    while (!r->source.eof && r->source.end - r->source.p < RECOGNISE_BYTES) {
        Status st = source_more(&r->source, TRACE_MAX_TOKEN_BYTES, r->diag);
        if (st)
            return st;
    }
    if (r->source.end - r->source.p >= 3 && memcmp(r->source.p, "\xef\xbb\xbf", 3) == 0)
        r->source.p += 3; /* byte order mark: RFC 8259 lets a reader ignore it */
    return STATUS_OK;
}

static uint64_t repairs_that_strict_refuses(const TraceRead *r, const char **ret_first)
{
    const TraceRepairs *n = &r->info.repairs;
    uint64_t sum = 0;
    const struct {
        const char *name;
        uint64_t count;
    } all[] = {
#define X(name) {#name, n->name},
        TRACE_REPAIRS(X)
#undef X
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (all[i].count == 0 || !strcmp(all[i].name, "doubled") ||
            !strcmp(all[i].name, "skipped_bytes"))
            continue;
        if (sum == 0)
            *ret_first = all[i].name;
        sum += all[i].count;
    }
    return sum;
}

static Status refuse_what_is_no_json(TraceRead *r)
{
    if (r->reader->whole || (!r->options->strict && r->info.spans > 0))
        return STATUS_OK;
    json_check_end(&r->check);
    if (!r->check.failure)
        return STATUS_OK;
    return diag_set(r->diag, STATUS_INPUT, r->info.path, NULL, "byte %" PRIu64 ": not JSON: %s; %s",
                    r->check.offset, r->check.failure, recognise_formats);
}

static Status sum_repairs(TraceRead *r)
{
    PairRepairs p;
    pairs_finish(r->pairs, r->reader->trust_names, &p);
    TraceRepairs *n = &r->info.repairs;
    n->unmatched_begin += p.unmatched_begin;
    n->unmatched_end += p.unmatched_end;
    n->renamed_end += p.renamed_end;
    n->out_of_order += p.out_of_order;
    n->negative_duration += p.negative_duration;
    n->bad_utf8 += r->names.nmended;
    r->info.encoding = r->names.nmended ? encoding_likely(&r->names.votes) : NULL;
    n->unterminated += r->source.damaged;
    n->trailing_bytes += r->source.trailing;
    if (!r->has_event)
        n->bad_event = 0; /* objects among which no event is were never meant as events */
    Status st = refuse_what_is_no_json(r);
    const char *first = NULL;
    if (st || !r->options->strict)
        return st;
    uint64_t sum = repairs_that_strict_refuses(r, &first);
    if (sum == 0)
        return STATUS_OK;
    return diag_set(r->diag, STATUS_INPUT, r->info.path, NULL,
                    "%" PRIu64 " places would need mending (first kind: %s); leave out --strict",
                    sum, first);
}

static void sink_pair(void *user, Span *s, bool nested_in_itself)
{
    reader_emit(user, s, nested_in_itself);
}

static Status read_opened(TraceRead *r)
{
    names_init(&r->names, r->arena);
    strmap_init(&r->rows, r->arena, 8);
    strmap_init(&r->details, r->arena, 64);
    r->pairs = pairs_new(r->arena, sink_pair, r);
    Status st = fill_window(r);
    st = st ? st : recognise_choose(r);
    if (st)
        return st;
    if (r->reader->whole) {
        st = r->reader->whole(r);
    } else {
        r->check.offset = source_offset(&r->source);
        json_check_feed(&r->check, r->source.p, (size_t)(r->source.end - r->source.p));
        r->source.check = &r->check;
        st = reader_read_json(r);
    }
    r->info.format = r->reader->format;
    return st ? st : sum_repairs(r);
}

Status trace_read(Arena *a, const char *path, const TraceReadOptions *o, SpanSink sink, void *user,
                  TraceInfo *ret_info, Diag *diag)
{
    TraceRead r = {.arena = a,
                   .readers = reader_table,
                   .options = o,
                   .sink = sink,
                   .user = user,
                   .info = {.path = arena_strdup(a, path)},
                   .diag = diag};
    SourceHash hash = o->no_hash ? SOURCE_UNHASHED : SOURCE_HASHED;
    Status st = o->bytes ? source_open_bytes(&r.source, a, path, o->bytes, o->nbyte, diag)
                         : source_open(&r.source, a, path, hash, diag);
    if (st)
        return st;
    st = read_opened(&r);
    source_close(&r.source, r.info.sha256);
    if (!st)
        *ret_info = r.info;
    return st;
}
