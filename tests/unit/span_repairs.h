/* What a reader makes of a file, as text: every field of every span, and what was mended. */
#pragma once

#include "tests/unit/check.h"
#include "trace/readers/reader.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT_MAX = 16384 };
static char said[COUNT_MAX];

static inline void __attribute__((format(printf, 1, 2))) phrase_text(const char *form, ...)
{
    va_list list;
    size_t n = strlen(said);
    va_start(list, form);
    vsnprintf(said + n, COUNT_MAX - n, form, list);
    va_end(list);
}

static inline void say_index(const char *name, int32_t index)
{
    if (index != INDEX_NONE)
        phrase_text(" %s %d", name, index);
}

static inline void on_span(void *user, const Span *s)
{
    (void)user;
    phrase_text("%s %s", span_kind_name(s->kind), s->name);
    if (*s->cat)
        phrase_text(" [%s]", s->cat);
    if (s->op)
        phrase_text(" op %s", s->op);
    phrase_text(" %" PRId64 "+%" PRId64, s->start_ns, s->dur_ns);
    if (s->pid || s->tid)
        phrase_text(" %" PRId64 ":%" PRId64, s->pid, s->tid);
    if (s->trace_id_high || s->trace_id)
        phrase_text(" trace %" PRIx64 ".%" PRIx64, s->trace_id_high, s->trace_id);
    if (s->span_id || s->parent_id)
        phrase_text(" span %" PRIx64 " in %" PRIx64, s->span_id, s->parent_id);
    say_index("pe", s->pe_index);
    say_index("execution", s->execution_index);
    say_index("instruction", s->instruction_index);
    say_index("operator", s->operator_index);
    if (s->run_ns)
        phrase_text(" run %" PRId64, s->run_ns);
    if (s->detail && s->detail->is_mean) {
        phrase_text(" of %" PRIu64 " runs", s->detail->runs);
    } else if (s->detail && (s->detail->in_shapes || s->detail->out_shapes)) {
        phrase_text(" (%s -> %s)", s->detail->in_shapes ? s->detail->in_shapes : "",
                    s->detail->out_shapes ? s->detail->out_shapes : "");
        if (s->detail->flop > 0 || s->detail->memory_bytes > 0)
            phrase_text(" %.0f flop %.0f bytes", s->detail->flop, s->detail->memory_bytes);
    }
    phrase_text("%s\n", s->nominal ? " nominal" : "");
}

static inline void on_named(void *user, const TraceRow *row)
{
    (void)user;
    phrase_text(row->is_thread ? "%" PRId64 ":%" PRId64 " is %s\n"
                               : "%" PRId64 " is %.0" PRId64 "%s\n",
                row->pid, row->is_thread ? row->tid : 0, row->name);
}

/* Leaves in `said` what comes of it. */
static inline void read_as(TraceFormat format, const char *bytes, size_t size)
{
    Arena *a = arena_new(0);
    Diag diag = {0};
    TraceInfo info = {0};
    TraceReadOptions o = {
        .bytes = arena_strndup(a, bytes, size), .nbyte = size, .format = format, .named = on_named};
    said[0] = '\0';
    if (trace_read(a, "t", &o, on_span, NULL, &info, &diag)) {
        phrase_text("%s\n", diag.text);
    } else {
#define X(name)                                                                                    \
    if (info.repairs.name)                                                                         \
        phrase_text("%s %" PRIu64 "\n", #name, info.repairs.name);
        TRACE_REPAIRS(X)
#undef X
        if (info.sdk)
            phrase_text("sdk %d\n", info.sdk);
    }
    arena_free(a);
}

static inline void reads(const char *bytes, size_t size, const char *expected, int line)
{
    read_as(TRACE_UNKNOWN, bytes, size);
    bool same = !strcmp(said, expected);
    if (!same)
        printf("line %d:\n%s---- and expected was\n%s", line, said, expected);
    CHECK(same);
}
static inline void reads_text(const char *text, const char *expected, int line)
{
    reads(text, strlen(text), expected, line);
}
#define READS(text, expected) reads_text(text, expected, __LINE__)
