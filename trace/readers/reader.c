/* Opens a trace, recognises its format, reads it and counts what was mended. */
#include "trace/readers/trace_formats.h"

#include <inttypes.h>
#include <string.h>

enum { SNIFF_BYTES = 64 << 10 };

static bool text_contains(const char *text, size_t len, const char *what)
{
    return memmem(text, len, what, strlen(what)) != NULL;
}

static bool has_sign(const TraceReader *reader, const char *text, size_t len)
{
    for (const Sign *s = reader->sign; s && s->text; s++)
        if (text_contains(text, len, s->text) && (!s->also || text_contains(text, len, s->also)))
            return true;
    return !reader->sign;
}

/* A forced format may have several readers: the one that recognises the file, else the last. */
static const TraceReader *choose_reader(const TraceRead *r)
{
    size_t got = (size_t)(r->source.end - r->source.p), len = got < SNIFF_BYTES ? got : SNIFF_BYTES;
    TraceFormat wanted = r->options->format;
    const TraceReader *found = NULL;
    for (size_t i = 0; r->readers[i]; i++) {
        if (wanted && r->readers[i]->format != wanted)
            continue;
        found = r->readers[i];
        if (has_sign(found, r->source.p, len))
            break;
    }
    return found;
}

/* Files that people mistake for traces, by their first bytes. */
static const struct {
    const char *magic;
    size_t len;
    const char *what;
} stranger[] = {
    {"SQLite format 3", 15, "an SQLite database; give the trace it was made from"},
    {"PK\3\4", 4, "a zip archive; unpack it first"},
    {"\x28\xb5\x2f\xfd", 4, "zstd data; unpack it first"},
    {"\xfd"
     "7zXZ",
     5, "xz data; unpack it first"},
    {"BZh", 3, "bzip2 data; unpack it first"},
    {"# tracer:", 9, "ftrace text; convert it to Chrome JSON first"},
    {"version https://git-lfs", 23, "a git-LFS pointer; fetch the file with `git lfs pull`"},
    {"<", 1, "HTML or XML, no trace"},
    {"\xff\xfe", 2, "UTF-16 text; convert it with `iconv -f UTF-16 -t UTF-8`"},
    {"\xfe\xff", 2, "UTF-16 text; convert it with `iconv -f UTF-16 -t UTF-8`"},
    {"[\0", 2, "UTF-16 text; convert it with `iconv -f UTF-16LE -t UTF-8`"},
    {"{\0", 2, "UTF-16 text; convert it with `iconv -f UTF-16LE -t UTF-8`"},
    {"\0[", 2, "UTF-16 text; convert it with `iconv -f UTF-16BE -t UTF-8`"},
    {"\0{", 2, "UTF-16 text; convert it with `iconv -f UTF-16BE -t UTF-8`"},
    {"\0", 1, "binary data, no trace"},
};

static Status refuse_strangers(TraceRead *r)
{
    size_t held = (size_t)(r->source.end - r->source.p);
    if (held == 0)
        return diag_set(r->diag, STATUS_INPUT, r->info.path, NULL, "is %s",
                        r->source.damaged ? "damaged gzip data" : "empty");
    for (size_t i = 0; i < sizeof stranger / sizeof *stranger; i++)
        if (held >= stranger[i].len && memcmp(r->source.p, stranger[i].magic, stranger[i].len) == 0)
            return diag_set(r->diag, STATUS_INPUT, r->info.path, NULL, "is %s", stranger[i].what);
    return STATUS_OK;
}

/* Fills the window far enough to recognise the format; a pipe gives less at a time. */
static Status fill_window(TraceRead *r)
{
    while (!r->source.eof && r->source.end - r->source.p < SNIFF_BYTES) {
        Status st = source_more(&r->source, TRACE_MAX_TOKEN_BYTES, r->diag);
        if (st)
            return st;
    }
    if (r->source.end - r->source.p >= 3 && memcmp(r->source.p, "\xef\xbb\xbf", 3) == 0)
        r->source.p += 3; /* byte order mark: RFC 8259 lets a reader ignore it */
    return refuse_strangers(r);
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
        if (all[i].count == 0 || strcmp(all[i].name, "doubled") == 0)
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
    return diag_set(r->diag, STATUS_INPUT, r->info.path, NULL, "byte %" PRIu64 ": not JSON: %s",
                    r->check.offset, r->check.failure);
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
    r->pairs = pairs_new(r->arena, sink_pair, r);
    json_check_init(&r->check);
    Status st = fill_window(r);
    if (st)
        return st;
    r->reader = choose_reader(r);
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
