/* Implements what the machine-readable forms share: quoting, texts of findings, and rows. */
#include "advisor/render/forms/out.h"

#include "advisor/message/figure.h"
#include "advisor/message/plain.h"
#include "advisor/report/assertion.h"
#include "advisor/report/command_words.h"
#include "advisor/report/summary.h"
#include "advisor/report/verdict.h"

enum { NAME_BYTES = 400, TEXT_BYTES = 1000 };

void out_each(const ResultSet *set, const View *view, OutEach *each, void *user)
{
    static const Result nothing = {.model.file = "model", .gate.status = RESULT_STATUS_NONE};
    for (size_t i = 0; i < set->count; i++) {
        Arena *a = arena_new(0);
        const ResultEntry *entry = &set->entry[i];
        const Result *result = result_set_read(a, set, i);
        View v = *view;
        if (set->many && !v.anchor)
            v.anchor = entry->file ? entry->file : entry->model;
        if (set->many) /* what was typed names them all */
            v.again_apply =
                result ? command_words(a, result, entry->file ? entry->file : entry->model) : NULL;
        each(user, a, entry, result ? result : &nothing, &v);
        arena_free(a);
    }
}

const char *out_status(int status)
{
    static const char *const name[] = {"passed", "failed", "unreadable", "inconclusive"};
    return status >= 0 && status < 4 ? name[status] : "?";
}

typedef enum { LINE_ENDS_SHOWN, LINE_ENDS_KEPT } LineEnds;

static const char *printable_text(Arena *a, const char *s, size_t limit, LineEnds line_ends)
{
    size_t n = strlen(s), len = 0;
    char *text = arena_alloc(a, (n < limit ? n : limit) * PLAIN_CHAR_SIZE + 8);
    text[0] = '\0';
    while (*s) {
        char buf[PLAIN_CHAR_SIZE];
        int width;
        bool end = line_ends == LINE_ENDS_KEPT && *s == '\n' && s[1] != ':' && s[1] != '#';
        const char *one = end ? (s++, "\n") : plain_char(buf, &s, &width);
        size_t more = strlen(one);
        if (len + more > limit) {
            memcpy(text + len, "…", sizeof "…");
            return text;
        }
        memcpy(text + len, one, more + 1);
        len += more;
    }
    return text;
}

const char *out_text(Arena *a, const char *s, size_t limit)
{
    return printable_text(a, s ? s : "?", limit, LINE_ENDS_SHOWN);
}

const char *out_lines(Arena *a, const char *s, size_t limit)
{
    return printable_text(a, s, limit, LINE_ENDS_KEPT);
}

const char *out_escape(Arena *a, const char *text, const char *special, const char *code)
{
    enum { CODE_SIZE = 16 };
    char *out = arena_calloc(a, strlen(text) + 1, CODE_SIZE), *p = out;
    for (; *text; text++)
        if (strchr(special, *text)) {
            /* The formats are constants of the callers. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
            int n = snprintf(p, CODE_SIZE, code, (unsigned char)*text);
#pragma GCC diagnostic pop
            assert(n > 0 && n < CODE_SIZE);
            p += n;
        } else {
            *p++ = *text;
        }
    return out;
}

const char *out_saving(Arena *a, const Result *r, const ReportedFinding *x)
{
    FindingSaving s;
    Figure f;
    if (!finding_saving(r, x, &s))
        return x->change ? wording_of("counted with the next change") : "unknown";
    if (s.up_to)
        return arena_printf(a, "up to %s", figure_value(&f, s.value.hi, s.unit));
    figure_interval(&f, s.value.lo, s.value.mid, s.value.hi, s.unit);
    return arena_printf(a, "%s, %s%s%s", f.text, verdict_source(s.source, language_spoken()),
                        s.plan && !s.plan->recommended
                            ? arena_printf(a, ", in plan %s", out_text(a, s.plan->id, NAME_BYTES))
                            : "",
                        finding_may_not_help(r, &s.value) ? wording_of(", may not help") : "");
}

const char *out_message(Arena *a, const Result *r, const ReportedFinding *x)
{
    const char *title = out_text(a, x->title, NAME_BYTES);
    if (x->observation)
        return arena_printf(a, "%s: %s. No figure: %s", title,
                            out_text(a, x->observation->text, TEXT_BYTES),
                            out_text(a, x->observation->reason, TEXT_BYTES));
    return arena_printf(a, "%s. Saves %s. Fix (%s): %s", title, out_saving(a, r, x),
                        out_text(a, result_fix_where_words[x->fix->where], NAME_BYTES),
                        out_lines(a, x->fix->text, TEXT_BYTES));
}

const char *out_needs(Arena *a, const ResultTexts *needs)
{
    const char *text = "";
    for (size_t i = 0; needs && i < needs->count; i++)
        text = arena_printf(a, "%s%s%s", text, i ? "," : "", needs->item[i]);
    return *text ? text : "none";
}

const char *out_location(Arena *a, const ResultWhere *where)
{
    const char *const name[] = {where->node, where->tensor, where->op};
    return LIST_VALUE(i, 3, name[i] && *name[i], out_text(a, name[i], NAME_BYTES), "");
}

/* A path that is absolute or climbs says something about the machine: its last part alone. */
const char *out_file(Arena *a, const Result *result, const View *view)
{
    const char *path = view->anchor ? view->anchor : result->model.file;
    while (!strncmp(path, "./", 2))
        path += 2;
    if (*path == '/' || !strncmp(path, "../", 3) || strstr(path, "/../")) {
        const char *slash = strrchr(path, '/');
        path = slash[1] ? slash + 1 : "model";
    }
    return *path ? out_text(a, path, 3 * TEXT_BYTES) : "model";
}

const char *out_uri(Arena *a, const Result *result, const View *view)
{
    const char *path = out_file(a, result, view);
    char *uri = arena_calloc(a, strlen(path) + 2, 3), *p = uri;
    for (; *path; path++)
        p += (isalnum((unsigned char)*path) || strchr("-._~/", *path))
                 ? sprintf(p, "%c", *path)
                 : sprintf(p, "%%%02X", (unsigned char)*path);
    return uri;
}

const char *out_outcome(const ResultAssertion *x)
{
    return !x->pass.known ? "inconclusive" : x->pass.value ? "pass" : "fail";
}

const char *out_assertion(Arena *a, const ResultAssertion *x)
{
    return out_text(a, assertion_sentence(a, x, NULL), NAME_BYTES + TEXT_BYTES);
}

#include "advisor/render/forms/csv_columns.def"
enum {
#define X(name) AT_##name,
    COLUMNS(X)
#undef X
};
static const char *const column_name[] = {
#define X(name) #name,
    COLUMNS(X)
#undef X
};
static_assert(sizeof column_name / sizeof *column_name == OUT_ROW_COLUMNS, "a name for each");

const char *out_row_column(size_t i)
{
    assert(i < OUT_ROW_COLUMNS);
    return column_name[i];
}

static OutCell number_cell(double number)
{
    return (OutCell){.number = number, .is_number = true};
}

static OutCell count_cell(ResultInt count)
{
    return (OutCell){.number = (double)count.value, .is_number = count.known};
}

/* NULL: none. */
static OutCell text_cell(Arena *a, const char *text)
{
    return (OutCell){.text = text ? out_lines(a, text, SIZE_MAX / 32) : NULL};
}

/* What every row of a result has. */
static void result_cells(Arena *a, const Result *r, OutCell cell[OUT_ROW_COLUMNS])
{
    cell[AT_sha256] = text_cell(a, r->model.sha256);
    cell[AT_target] = text_cell(a, r->target);
    cell[AT_sdk] = text_cell(a, r->sdk);
    cell[AT_objective] = text_cell(a, result_objective_words[r->objective]);
    cell[AT_batch] = count_cell(r->options.batch);
    cell[AT_workers] = count_cell(r->options.workers);
    cell[AT_gate] = text_cell(a, result_status_words[r->gate.status]);
    cell[AT_grade] = text_cell(a, result_grade_words[r->evidence.grade]);
    if (r->prediction)
        cell[AT_predicted_latency_ns] = number_cell((double)r->prediction->latency_ns.mid);
    if (r->measured)
        cell[AT_measured_latency_ns] = number_cell((double)r->measured->latency_ns.median);
}

/* The one figure of a finding, as everywhere. */
static void saving_cells(Arena *a, const Result *r, const ReportedFinding *x,
                         OutCell cell[OUT_ROW_COLUMNS])
{
    FindingSaving s;
    cell[AT_unit] = text_cell(a, summary_unit(r));
    cell[AT_basis] = text_cell(a, x->alone ? result_basis_words[x->alone->basis] : NULL);
    if (!finding_saving(r, x, &s))
        return;
    cell[AT_gain_lo] = number_cell(s.value.lo);
    cell[AT_gain_mid] = number_cell(s.value.mid);
    cell[AT_gain_hi] = number_cell(s.value.hi);
    cell[AT_source] = text_cell(a, result_source_words[s.source]);
    cell[AT_plan] = text_cell(a, s.plan ? s.plan->id : NULL);
}

static void finding_cells(Arena *a, const Result *r, const ReportedFinding *x,
                          OutCell cell[OUT_ROW_COLUMNS])
{
    cell[AT_kind].text = x->observation ? "observation" : x->by_hand ? "by_hand" : "change";
    cell[AT_rule_id] = text_cell(a, x->rule_id);
    cell[AT_fingerprint] = text_cell(a, x->fingerprint);
    cell[AT_level] = text_cell(a, result_level_words[x->level]);
    cell[AT_fix] = text_cell(a, x->fix->text);
    if (x->observation)
        return;
    cell[AT_needs] = text_cell(a, out_needs(a, x->needs));
    cell[AT_rank] = number_cell((double)x->id);
    saving_cells(a, r, x, cell);
}

static void entry_cells(Arena *a, const ResultEntry *e, OutCell cell[OUT_ROW_COLUMNS])
{
    cell[AT_kind].text = e->has_result ? "result" : "error";
    cell[AT_status].text = out_status(e->status);
    if (e->error)
        cell[AT_error].text = out_text(a, e->error, SIZE_MAX / 32);
}

typedef struct {
    RowPut *put;
    void *user;
} Rows;

static void put_rows(void *user, Arena *a, const ResultEntry *entry, const Result *result,
                     const View *view)
{
    (void)view;
    const Rows *rows = user;
    OutCell common[OUT_ROW_COLUMNS] = {{0}}, cell[OUT_ROW_COLUMNS];
    common[AT_model].text = out_text(a, entry->model, SIZE_MAX / 32);
    if (entry->has_result)
        result_cells(a, result, common);
    memcpy(cell, common, sizeof cell);
    entry_cells(a, entry, cell);
    rows->put(rows->user, cell);
    for (size_t i = 0; i < finding_count(result); i++) {
        ReportedFinding x = finding_at(result, i);
        memcpy(cell, common, sizeof cell);
        finding_cells(a, result, &x, cell);
        rows->put(rows->user, cell);
    }
}

void out_rows(const ResultSet *set, const View *view, RowPut *put, void *user)
{
    Rows rows = {put, user};
    out_each(set, view, put_rows, &rows);
}
