/* Declares the tables of `npu-advise trace`, each a list of columns and a function that fills
 * a row.  Text, JSON, NDJSON and CSV therefore show the same figures.  Names are those of the
 * vendor's guide where it has one. */
#pragma once

#include "advisor/render/tables/trace_cell.h"
#include "advisor/render/tables/trace_columns.def"
#include "advisor/render/tables/trace_operators.h"
#include "trace/stats/path.h"

typedef struct {
    const char *key;     /* JSON, CSV */
    const char *heading; /* text: COLUMN_… of the language, else as it is; NULL: not there */
} Column;
#define TRACE_COLUMN(key, heading) {key, sizeof(heading) > 1 ? heading : NULL},

/* How busy the NPU was, as furiosactl top says it: over the time from the first inference to the
 * end of the last, and, of the time in use, computing or waiting for data. */
typedef struct {
    int64_t window_ns, busy_ns; /* busy: at least one task runs */
    int64_t total_ns, run_ns;   /* of the tasks whose operators are known */
} NpuUsage;

/* A user label: how often it was drawn and how long each took, and the latency of the inferences
 * within it; those without one come under NULL. */
typedef struct {
    const char *label;
    const NameStat *span; /* NULL for NULL */
    Distribution latency; /* count 0: it holds no inference, as "pre" and "post" around one */
    double npu_ns;        /* mean per inference */
} LabelStat;

/* Those that hold inferences in the order of their first, then the others by their time; none when
 * there is no label. */
LabelStat *trace_labels(Arena *a, const TraceStats *s, size_t *ret_count);

/* Every name of every kind, by total; as in the statistics. */
const NameStat **trace_span_names(Arena *a, const TraceStats *s, size_t *ret_count);

/* Spans, or the runs whose mean one span is; empty: unknown. */
static inline Cell trace_count_cell(const NameStat *n)
{
    return n->is_mean && !n->runs ? cell_none()
                                  : cell_int((int64_t)(n->is_mean ? n->runs : n->count));
}

/* What the tables show. */
typedef struct {
    const TraceStats *stats;
    const OperatorRow *operator_row;
    size_t noperator_row;
    NpuUsage usage;
    const PathPart *path;
    size_t npath;
    int64_t path_latency_ns; /* sum over the inferences of `path` */
    const LabelStat *label;
    size_t nlabel;
    const NameStat **span_name;
    size_t nspan_name;
} TraceView;

/* Fills usage; sorts a copy in `a`. */
NpuUsage trace_usage(Arena *a, const TraceStats *s);

enum { TRACE_COLUMNS_MAX = 16 };
typedef struct {
    const char *key;        /* its heading is TABLE_… of the language … */
    const char *key_in_all; /* … this one where no inference is known; NULL: the same */
    const Column *column;
    size_t ncolumn;
    bool is_object; /* one row, an object in JSON */
    bool is_extra;  /* beside the guide's five: in JSON, NDJSON and CSV only when it is asked for */
    size_t screen_rows; /* of the first screen, largest first; 0: not on it */
    /* Row numbers run over [0, limit); those for which `has` says no are left out (NULL: all in).
     */
    size_t (*limit)(const TraceView *v);
    bool (*has)(const TraceView *v, size_t row);
    void (*fill)(const TraceView *v, size_t row, Cell *cell); /* one for each column */
} TraceTable;

/* Defines a table of trace_columns.xml: `rows` is what `limit` returns, of the view `v`; then other
 * fields. */
#define TRACE_TABLE_OF(id, name, COLUMNS, rows, fill_row, ...)                                     \
    static size_t trace_limit_##id(const TraceView *v)                                             \
    {                                                                                              \
        return (void)v, (size_t)(rows);                                                            \
    }                                                                                              \
    static const Column trace_column_##id[] = {COLUMNS(TRACE_COLUMN)};                             \
    const TraceTable trace_table_##id = {.key = name,                                              \
                                         .column = trace_column_##id,                              \
                                         .ncolumn = sizeof trace_column_##id / sizeof(Column),     \
                                         .limit = trace_limit_##id,                                \
                                         .fill = fill_row,                                         \
                                         __VA_ARGS__}

/* trace_guide.c holds the guide's five; the others stand beside what they show. */
#define TRACE_TABLE(name) extern const TraceTable trace_table_##name;
#include "graph/options/trace_tables.def"

extern const TraceTable *const trace_table[]; /* NULL-terminated, from trace_tables.xml */

/* NULL when there is none of that key. */
const TraceTable *trace_table_named(const char *key);
