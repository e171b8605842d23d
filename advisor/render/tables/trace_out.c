/* Prints any table of trace_tables.h in each form, cell by cell. */
#include "advisor/render/tables/trace_out.h"

#include "advisor/message/json.h"
#include "advisor/message/phrase.h"
#include "advisor/message/plain.h"
#include "trace/write/emit.h"
#include "trace/readers/trace_formats.h"
#include "advisor/message/text_out.h"
#include "graph/base/wrap.h"
#include "graph/base/log_command.h"

#define NREPAIR (sizeof(TraceRepairs) / sizeof(uint64_t))

static const char *const repair_name[] = {
#define X(name) #name,
    TRACE_REPAIRS(X)
#undef X
};
static_assert(sizeof repair_name / sizeof *repair_name == NREPAIR, "one name per counter");

static void sum_repairs(const TraceStats *s, uint64_t ret[NREPAIR])
{
    memset(ret, 0, NREPAIR * sizeof *ret);
    for (size_t f = 0; f < s->nfile; f++) {
        const TraceRepairs *r = &s->file[f].repairs;
        const uint64_t one[] = {
#define X(name) r->name,
            TRACE_REPAIRS(X)
#undef X
        };
        for (size_t i = 0; i < NREPAIR; i++)
            ret[i] += one[i];
    }
}

const char *trace_out_repairs(Arena *a, const Language *lang, const TraceStats *s)
{
    uint64_t sum[NREPAIR];
    const char *text = NULL;
    sum_repairs(s, sum);
    for (size_t i = 0; i < NREPAIR; i++)
        if (sum[i])
            text = arena_printf(a, "%s%s%llu %s", text ? text : "", text ? ", " : "",
                                (unsigned long long)sum[i],
                                phrase_by_key(lang, "REPAIR_", repair_name[i]));
    return text;
}

static bool has_row(const TraceTable *t, const TraceView *v, size_t row)
{
    return !t->has || t->has(v, row);
}

/* The summary of no inferences says nothing either. */
static bool is_empty(const TraceTable *t, const TraceView *v)
{
    if (t->is_object && !t->is_extra)
        return v->stats->ninference == 0;
    return !LIST_ANY(row, t->limit(v), has_row(t, v, row));
}

/* A file without spans holds sums alone: they are all that there is. */
static bool is_shown(const TraceView *v, const TraceOutOptions *o, const TraceTable *t)
{
    bool alone = v->stats->spans == 0 && !is_empty(t, v);
    return o->only ? o->only == t : !t->is_extra || alone;
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void json_cell(Emit *e, const Cell *c)
{
    char buf[CELL_TEXT_SIZE];
    if (c->kind == CELL_NONE)
        EMIT(e, "null");
    else if (c->kind == CELL_TEXT || c->kind == CELL_HEX)
        emit_string(e, cell_show(c, buf));
    else if (c->kind == CELL_REAL)
        emit_text(e, json_number_text(buf, c->real));
    else
        emit_text(e, cell_show(c, buf));
}

static void json_row(Emit *e, const TraceTable *t, const TraceView *v, size_t row)
{
    Cell cell[TRACE_COLUMNS_MAX];
    t->fill(v, row, cell);
    for (size_t k = 0; k < t->ncolumn; k++) {
        emit_text(e, k ? ", \"" : "\"");
        emit_text(e, t->column[k].key);
        EMIT(e, "\": ");
        json_cell(e, &cell[k]);
    }
}

static void json_table(Emit *e, const TraceTable *t, const TraceView *v)
{
    bool any = false;
    emit_text(e, t->is_object ? "{" : "[");
    for (size_t row = 0; row < t->limit(v); row++) {
        if (!has_row(t, v, row))
            continue;
        if (!t->is_object)
            emit_text(e, any ? ",\n    {" : "\n    {");
        json_row(e, t, v, row);
        if (!t->is_object)
            EMIT(e, "}");
        any = true;
    }
    emit_text(e, t->is_object ? "}" : any ? "\n  ]" : "]");
}

static void json_repairs(Emit *e, const TraceStats *s)
{
    uint64_t sum[NREPAIR];
    bool any = false;
    sum_repairs(s, sum);
    EMIT(e, "{");
    for (size_t i = 0; i < NREPAIR; i++) {
        if (!sum[i])
            continue;
        emit_text(e, any ? ", \"" : "\"");
        emit_text(e, repair_name[i]);
        EMIT(e, "\": ");
        emit_int(e, (int64_t)sum[i]);
        any = true;
    }
    EMIT(e, "}");
}

static void print_json(FILE *out, const TraceView *v, const TraceOutOptions *o)
{
    Emit e = {.stream = out};
    EMIT(&e, "{\n  \"spans\": ");
    emit_int(&e, (int64_t)v->stats->spans);
    EMIT(&e, ",\n  \"format\": ");
    emit_string(&e, trace_format_name(v->stats->format));
    EMIT(&e, ",\n  \"repaired\": ");
    json_repairs(&e, v->stats);
    for (size_t i = 0; trace_table[i]; i++) {
        if (!is_shown(v, o, trace_table[i]))
            continue;
        EMIT(&e, ",\n  \"");
        emit_text(&e, trace_table[i]->key);
        EMIT(&e, "\": ");
        json_table(&e, trace_table[i], v);
    }
    EMIT(&e, "\n}\n");
    emit_flush(&e);
}

static void print_ndjson(FILE *out, const TraceView *v, const TraceOutOptions *o)
{
    Emit e = {.stream = out};
    for (size_t i = 0; trace_table[i]; i++) {
        const TraceTable *t = trace_table[i];
        for (size_t row = 0; row < t->limit(v) && is_shown(v, o, t); row++) {
            if (!has_row(t, v, row))
                continue;
            EMIT(&e, "{\"table\": \"");
            emit_text(&e, t->key);
            EMIT(&e, "\", ");
            json_row(&e, t, v, row);
            EMIT(&e, "}\n");
        }
    }
    emit_flush(&e);
}

/* ---- CSV ----------------------------------------------------------------------------------- */

/* RFC 4180.  A cell that a spreadsheet would run as a formula is defused with a quote mark. */
static void csv_cell(Emit *e, const Cell *c)
{
    char buf[CELL_TEXT_SIZE];
    const char *text = cell_show(c, buf);
    bool formula = c->kind == CELL_TEXT && *text && strchr("=+-@\t\r", *text);
    if (!formula && !strpbrk(text, ",\"\n\r#") && !log_command_begins(text)) {
        emit_text(e, text);
        return;
    }
    emit_text(e, formula ? "\"'" : "\"");
    for (const char *p = text; *p; p++) {
        if (*p == '"')
            EMIT(e, "\"");
        if (*p == '\n' || *p == '\r') /* a log would obey it as a separate line */
            emit_text(e, *p == '\n' ? "\\n" : "\\r");
        else if (log_command_at(p))
            EMIT(e, "\\x23");
        else
            emit_bytes(e, p, 1);
    }
    EMIT(e, "\"");
}

/* Without one table named, all share one header: the union of their columns. */
typedef struct {
    const char *key[64];
    size_t n;
} Header;

static void add_columns(Header *h, const TraceTable *t)
{
    for (size_t k = 0; k < t->ncolumn; k++) {
        size_t i = LIST_INDEX(j, h->n, strcmp(h->key[j], t->column[k].key) == 0);
        if (i == h->n)
            h->key[h->n++] = t->column[k].key;
    }
}

static void csv_row(Emit *e, const Header *h, const TraceTable *t, const TraceView *v, size_t row)
{
    Cell cell[TRACE_COLUMNS_MAX];
    t->fill(v, row, cell);
    for (size_t i = 0; i < h->n; i++) {
        EMIT(e, ",");
        for (size_t k = 0; k < t->ncolumn; k++)
            if (!strcmp(h->key[i], t->column[k].key))
                csv_cell(e, &cell[k]);
    }
    EMIT(e, "\n");
}

static void print_csv(FILE *out, const TraceView *v, const TraceOutOptions *o)
{
    Emit e = {.stream = out};
    Header h = {0};
    for (size_t i = 0; trace_table[i]; i++)
        if (is_shown(v, o, trace_table[i]))
            add_columns(&h, trace_table[i]);
    EMIT(&e, "table");
    for (size_t i = 0; i < h.n; i++) {
        EMIT(&e, ",");
        emit_text(&e, h.key[i]);
    }
    EMIT(&e, "\n");
    for (size_t i = 0; trace_table[i]; i++) {
        const TraceTable *t = trace_table[i];
        for (size_t row = 0; row < t->limit(v) && is_shown(v, o, t); row++) {
            if (!has_row(t, v, row))
                continue;
            emit_text(&e, t->key);
            csv_row(&e, &h, t, v, row);
        }
    }
    emit_flush(&e);
}

/* ---- text ---------------------------------------------------------------------------------- */

enum { NAME_COLUMNS = 48 };

/* What cells and columns are shown as. */
typedef struct {
    const Language *lang;
    Figure figure;
    Plain plain;
    char buf[CELL_TEXT_SIZE];
} Shown;

static const char *shown_text(Shown *s, const Cell *c)
{
    if (c->is_word)
        return phrase_by_key(s->lang, "CELL_", c->text);
    return c->figure ? c->figure(&s->figure, c->real) : cell_show(c, s->buf);
}

static const char *heading_of(const Language *lang, const Column *c)
{
    return phrase_by_key(lang, "COLUMN_", c->heading);
}

/* Columns that no row fills are left out. */
typedef struct {
    size_t width[TRACE_COLUMNS_MAX];
    bool used[TRACE_COLUMNS_MAX], number[TRACE_COLUMNS_MAX];
    const Language *lang;
} Widths;

static Widths lay_out(const TraceTable *t, const TraceView *v, const Language *lang, size_t top)
{
    Widths l = {.lang = lang};
    Cell cell[TRACE_COLUMNS_MAX];
    size_t shown = 0;
    for (size_t row = 0; row < t->limit(v) && (top == 0 || shown < top); row++) {
        if (!has_row(t, v, row))
            continue;
        shown++;
        t->fill(v, row, cell);
        for (size_t k = 0; k < t->ncolumn; k++) {
            Shown s = {.lang = lang};
            size_t width = plain_width(plain(&s.plain, shown_text(&s, &cell[k]), NAME_COLUMNS));
            l.used[k] |= t->column[k].heading && cell[k].kind != CELL_NONE;
            l.number[k] |= cell[k].kind == CELL_INT || cell[k].kind == CELL_REAL;
            l.width[k] = width > l.width[k] ? width : l.width[k];
        }
    }
    for (size_t k = 0; k < t->ncolumn; k++) {
        size_t width = l.used[k] ? plain_width(heading_of(lang, &t->column[k])) : 0;
        l.width[k] = width > l.width[k] ? width : l.width[k];
    }
    return l;
}

/* Leaves out columns from the right until a row fits the screen. */
static void fit_screen(Widths *l, size_t ncolumn, size_t room)
{
    size_t all = 0;
    for (size_t k = 0; k < ncolumn; k++)
        all += l->used[k] ? l->width[k] + 2 : 0;
    for (size_t k = ncolumn; k-- > 1 && all > room;) {
        all -= l->used[k] ? l->width[k] + 2 : 0;
        l->used[k] = false;
    }
}

typedef enum { PAD_LEFT, PAD_RIGHT, PAD_NONE } Padding;

static void put_padded(FILE *out, const char *text, size_t width, Padding padding)
{
    Plain p;
    const char *shown = plain(&p, text, NAME_COLUMNS);
    assert(plain_width(shown) <= width);
    int pad = (int)(width - plain_width(shown));
    fprintf(out, "  %*s%s%*s", padding == PAD_LEFT ? pad : 0, "", shown,
            padding == PAD_RIGHT ? pad : 0, "");
}

/* Numbers are right-aligned; the last column of the line needs no blanks. */
static Padding padding_of(const Widths *l, size_t column)
{
    if (l->number[column])
        return PAD_LEFT;
    while (++column < TRACE_COLUMNS_MAX)
        if (l->used[column])
            return PAD_RIGHT;
    return PAD_NONE;
}

static void text_row(FILE *out, const TraceTable *t, const TraceView *v, const Widths *l,
                     size_t row)
{
    Cell cell[TRACE_COLUMNS_MAX];
    t->fill(v, row, cell);
    for (size_t k = 0; k < t->ncolumn; k++) {
        Shown s = {.lang = l->lang};
        if (l->used[k])
            put_padded(out, shown_text(&s, &cell[k]), l->width[k], padding_of(l, k));
    }
    putc('\n', out);
}

static void text_table(FILE *out, const TraceTable *t, const TraceView *v, const TraceOutOptions *o)
{
    size_t top = o->screen ? t->screen_rows : o->top, shown = 0, left = 0;
    Widths l = lay_out(t, v, o->lang, top);
    Phrase more;
    if (o->screen)
        fit_screen(&l, t->ncolumn, (size_t)wrap_columns(out, 60, 160));
    for (size_t k = 0; k < t->ncolumn; k++)
        if (l.used[k])
            put_padded(out, heading_of(o->lang, &t->column[k]), l.width[k], padding_of(&l, k));
    putc('\n', out);
    for (size_t row = 0; row < t->limit(v); row++) {
        if (!has_row(t, v, row))
            continue;
        if (top && shown == top) {
            left++;
            continue;
        }
        text_row(out, t, v, &l, row);
        shown++;
    }
    if (left)
        fprintf(out, "%s\n", phrase_format(&more, o->lang, PHRASE_TRACE_MORE, COUNTED(left), NULL));
}

/* The vendor's summary has a line per figure and cuts the mean to an integer. */
static void text_summary(FILE *out, const TraceTable *t, const TraceView *v, const Language *lang)
{
    Cell cell[TRACE_COLUMNS_MAX];
    t->fill(v, 0, cell);
    for (size_t k = 0; k < t->ncolumn; k++) {
        Shown s = {.lang = lang};
        Cell c = cell[k];
        if (c.kind == CELL_REAL && !c.figure)
            c = (Cell){.kind = CELL_INT, .integer = (int64_t)c.real};
        fputs("  ", out);
        plain_put(out, heading_of(lang, &t->column[k]), 30);
        fprintf(out, ": %s\n", c.kind ? shown_text(&s, &c) : "-");
    }
}

/* Times are sums over all inferences, however many there were.  Means of runs are of one. */
static bool is_in_all(const TraceStats *s)
{
    bool means = LIST_ANY(i, s->nnpu_name, s->npu_name[i].is_mean);
    return s->ninference == 0 && !means;
}

/* "3600 spans, format furiosa; 20 inferences, median 49.4 ms (p90 62.0 ms)" */
static void text_head(FILE *out, const TraceStats *s, const TraceOutOptions *o)
{
    const Distribution *d = s->warm.count ? &s->warm : &s->latency;
    Figure median, p90;
    Phrase p;
    TextOut t = {.out = out};
    text_line(&t, 0, 2);
    text_put(&t, STYLE_NONE,
             phrase_format(&p, o->lang, PHRASE_TRACE_HEAD, COUNTED(s->spans),
                           trace_format_name(s->format), NULL));
    if (d->count && o->screen)
        text_put(&t, STYLE_NONE,
                 phrase_format(&p, o->lang, PHRASE_TRACE_INFERENCES, COUNTED(d->count),
                               figure_time(&median, (double)d->median),
                               figure_time(&p90, (double)d->p90), NULL));
    if (d == &s->warm && o->screen && s->nwarm_up)
        text_put(&t, STYLE_NONE,
                 phrase_format(&p, o->lang, PHRASE_TRACE_WARM_UP, COUNTED(s->nwarm_up), NULL));
    text_end(&t);
}

static bool is_printed(const TraceTable *t, const TraceView *v, const TraceOutOptions *o)
{
    return (!o->only || o->only == t) && (!o->screen || t->screen_rows) && !is_empty(t, v);
}

static void print_text(FILE *out, const TraceView *v, const TraceOutOptions *o)
{
    size_t printed = 0;
    text_head(out, v->stats, o);
    for (size_t i = 0; trace_table[i]; i++) {
        const TraceTable *t = trace_table[i];
        if (!is_printed(t, v, o) || (o->screen && printed && t == &trace_table_span_names))
            continue;
        printed++;
        const char *key = t->key_in_all && is_in_all(v->stats) ? t->key_in_all : t->key;
        fprintf(out, "\n%s\n", phrase_by_key(o->lang, "TABLE_", key));
        if (t->is_object)
            text_summary(out, t, v, o->lang);
        else
            text_table(out, t, v, o);
    }
    if (o->screen && v->stats->spans)
        fprintf(out, "\n%s\n", phrase_text(o->lang, PHRASE_TRACE_EVERY_TABLE));
}

const TraceOut trace_out[] = {
    {"text", print_text},     {"json", print_json}, {"csv", print_csv},
    {"ndjson", print_ndjson}, {NULL, NULL},
};
