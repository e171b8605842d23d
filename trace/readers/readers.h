/* Declares the formats of traces, which trace_formats.h lists. A format says how to recognise it,
 * what its names mean, and, where it is no list of Chrome events, how to read it. */
#pragma once

#include "trace/readers/names.h"
#include "trace/readers/pair.h"
#include "trace/readers/reader.h"
#include "trace/readers/source.h"

typedef struct TraceReader TraceReader;

enum { DETAILS_RECENT = 1024 };

/* One file being read. */
typedef struct {
    Arena *arena;
    const TraceReader *const *readers; /* all, in order of recognition; NULL-terminated */
    const TraceReadOptions *options;
    const TraceReader *reader;
    Source source;
    JsonCheck check;
    Names names;
    const Name *last_cat; /* most events follow one of the same category */
    Pairs *pairs;
    SpanSink sink;
    void *user;
    TraceInfo info;
    uint64_t order; /* of the next span's beginning */
    StrMap rows;    /* processes and threads that have a name for a number, once told */
    StrMap details; /* index into detail, by the hash of their operator and facts */
    const OpDetail **detail;
    size_t ndetail, detail_cap;
    struct {
        uint64_t hash; /* of its operator and facts */
        const OpDetail *detail;
    } recent[DETAILS_RECENT]; /* by hash */
    const Name *last_node;    /* ONNX Runtime: the latest that ran */
    int64_t clock_ns;         /* where formats without beginnings put their next span */
    uint64_t next_progress;
    bool too_many_open;
    bool has_event; /* at least one object was an event */
    Diag *diag;
} TraceRead;

/* Two texts that both occur near the beginning of the file; `also` may be NULL. */
typedef struct {
    const char *text, *also;
} Sign;

/* An event near the beginning of the file, in whose texts nothing is unescaped; "": it has none. */
typedef struct {
    const char *cat, *name, *pid, *tid; /* pid, tid: names in place of numbers */
    const char *json;
    size_t len; /* of the whole event */
} EventSample;

struct TraceReader {
    TraceFormat format;
    const char *name;
    const Sign *sign; /* any of them; ends with {NULL, NULL}, or NULL */
    /* What of the event is particular to the format, or NULL; may be NULL. */
    const char *(*clue)(const EventSample *e);
    const char *const *cat; /* categories that only this format has, for files whose beginning
                               says nothing; NULL-terminated, or NULL */
    bool trust_names;       /* an E of another name ends another span (spans get lost) */
    /* Length of `name` without what tells instances apart; NULL: whole. */
    size_t (*strip)(const char *name, size_t len);
    SpanKind (*kind)(const char *cat, const char *name); /* NULL: all other */
    int (*sdk)(const char *cat);                         /* 10, 9 or 0; NULL: always 0 */
    /* What an event says about the operator that ran; may be NULL, may return NULL. */
    OpDetail *(*detail)(Arena *a, const Event *e);
    /* Sets what neither name nor category tells; may be NULL. */
    void (*refine)(TraceRead *r, const Event *e, Span *s);
    /* One object of the array, as text; NULL: Chrome events. */
    void (*element)(TraceRead *r, const char *json, size_t len);
    Status (*whole)(TraceRead *r); /* reads the file by itself; NULL: JSON with an array */
};

#define FORMAT(id, reader)  extern const TraceReader reader_##reader;
#define VARIANT(id, reader) extern const TraceReader reader_##reader;
#include "trace/readers/trace_formats.def"

/* Hands a span out: counts it, sets its kind and order where unset, drops doubled ones. */
void reader_emit(TraceRead *r, Span *s, bool nested_in_itself);

/* Canonical text of a name (in UTF-8, stripped as the format says) or of a category. */
const char *reader_name(TraceRead *r, const char *text, size_t len);

/* Reads the array, or the object that holds it. */
Status reader_read_json(TraceRead *r);

/* Takes one Chrome event. */
void reader_chrome_event(TraceRead *r, const Event *e);
