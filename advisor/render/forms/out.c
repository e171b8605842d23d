/* Implements what the machine-readable forms share: quoting, texts of findings, and rows. */
#include "advisor/render/forms/out.h"

#include "advisor/report/tree_finding.h"
#include "advisor/message/figure.h"
#include "advisor/message/json.h"
#include "advisor/message/plain.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 400, TEXT_BYTES = 1000, VALUES_SHOWN = 12 };

void out_each(const ResultSet *set, const View *view, OutEach *each, void *user)
{
    for (size_t i = 0; i < set->count; i++) {
        cJSON *owned;
        const cJSON *result = result_set_open(set, i, &owned);
        View v = *view;
        if (set->many && !v.anchor)
            v.anchor = set->entry[i].file ? set->entry[i].file : set->entry[i].model;
        each(user, &set->entry[i], result, &v);
        cJSON_Delete(owned);
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
    return printable_text(a, s, limit, LINE_ENDS_SHOWN);
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

static const char *gain_kind(const cJSON *gain)
{
    switch (tree_gain_phrase(gain)) {
    case PHRASE_GAIN_AT_LEAST:
        return "at least: a part of unknown cost goes too";
    case PHRASE_GAIN_ESTIMATED:
        return "estimated with a stand-in";
    default:
        return "predicted";
    }
}

const char *out_gain(Arena *a, const cJSON *rec)
{
    const char *unit = json_text(rec, "gain.unit", "ns");
    const cJSON *verified = json_at(rec, "gain.verified"),
                *predicted = json_at(rec, "gain.predicted");
    Figure f, most;
    if (cJSON_IsObject(verified))
        return arena_printf(a, "%s (verified by %s)", figure_json(&f, verified, unit),
                            out_text(a, json_text(verified, "runner", "?"), NAME_BYTES));
    if (cJSON_IsObject(predicted) && tree_gain_phrase(json_at(rec, "gain")) == PHRASE_GAIN_AT_MOST)
        return arena_printf(a, "removable %s, at most %s (a bound)",
                            figure_json(&f, predicted, unit),
                            figure_value(&most, json_number_or(predicted, "hi", 0), unit));
    if (cJSON_IsObject(predicted))
        return arena_printf(a, "%s (%s)", figure_json(&f, predicted, unit),
                            gain_kind(json_at(rec, "gain")));
    return arena_printf(
        a, "unknown: %s",
        out_text(a, json_text(rec, "gain.reason_if_null", "not tried"), NAME_BYTES));
}

const char *out_message(Arena *a, const cJSON *rec)
{
    if (tree_finding_is_observation(rec))
        return arena_printf(a, "%s: %s. No figure: %s",
                            out_text(a, json_text(rec, "title", "?"), NAME_BYTES),
                            out_text(a, json_text(rec, "text", "?"), TEXT_BYTES),
                            out_text(a, json_text(rec, "reason", "?"), TEXT_BYTES));
    return arena_printf(a, "%s. Gain: %s. Fix (%s): %s",
                        out_text(a, json_text(rec, "title", "?"), NAME_BYTES), out_gain(a, rec),
                        out_text(a, json_text(rec, "fix.where", "?"), NAME_BYTES),
                        out_lines(a, json_text(rec, "fix.text", "?"), TEXT_BYTES));
}

const char *out_location(Arena *a, const cJSON *rec)
{
    static const char *const path[] = {"where.node", "where.tensor", "where.op"};
    for (size_t i = 0; i < 3; i++) {
        const char *text = json_text(rec, path[i], NULL);
        if (text && *text)
            return out_text(a, text, NAME_BYTES);
    }
    return "";
}

static bool is_plain_in_uri(char c)
{
    return isalnum((unsigned char)c) || strchr("-._~/", c);
}

/* A path that is absolute or climbs says something about the machine: its last part alone. */
const char *out_file(Arena *a, const cJSON *result, const View *view)
{
    const char *path = view->anchor ? view->anchor : json_text(result, "model.file", "model");
    while (!strncmp(path, "./", 2))
        path += 2;
    if (*path == '/' || !strncmp(path, "../", 3) || strstr(path, "/../")) {
        const char *slash = strrchr(path, '/');
        path = slash[1] ? slash + 1 : "model";
    }
    return *path ? out_text(a, path, 3 * TEXT_BYTES) : "model";
}

const char *out_uri(Arena *a, const cJSON *result, const View *view)
{
    const char *path = out_file(a, result, view);
    char *uri = arena_calloc(a, strlen(path) + 2, 3), *p = uri;
    for (; *path; path++)
        p += is_plain_in_uri(*path) ? sprintf(p, "%c", *path)
                                    : sprintf(p, "%%%02X", (unsigned char)*path);
    return uri;
}

const char *out_outcome(const cJSON *assertion)
{
    const cJSON *pass = json_at(assertion, "pass");
    return cJSON_IsTrue(pass) ? "pass" : cJSON_IsFalse(pass) ? "fail" : "inconclusive";
}

static const char *values_text(Arena *a, const cJSON *values)
{
    const char *list = "";
    int n = 0;
    char number[40];
    for (const cJSON *v = json_first(values, ""); v; v = v->next) {
        if (n++ == VALUES_SHOWN)
            return arena_printf(a, "%s …", list);
        list = arena_printf(a, "%s%s%s", list, *list ? " " : "",
                            cJSON_IsNumber(v) ? json_number_text(number, v->valuedouble) : "?");
    }
    return list;
}

const char *out_assertion(Arena *a, const cJSON *x)
{
    double found;
    char number[40] = "nothing";
    if (json_number(x, "found", &found))
        json_number_text(number, found);
    const char *detail = json_text(x, "detail", "");
    return arena_printf(a, "%s: expected %s, found %s (values %s)%s%s",
                        out_text(a, json_text(x, "name", "?"), NAME_BYTES),
                        out_text(a, json_text(x, "expected", "?"), NAME_BYTES), number,
                        values_text(a, json_at(x, "values")), *detail ? ": " : "",
                        out_text(a, detail, TEXT_BYTES));
}

static const struct {
    const char *name, *path;
    bool of_rec, is_number;
} column[] = {
    {"kind", "", false, false},
    {"model", "", false, false},
    {"sha256", "model.sha256", false, false},
    {"target", "target", false, false},
    {"sdk", "sdk", false, false},
    {"objective", "objective", false, false},
    {"batch", "options.batch", false, true},
    {"workers", "options.workers", false, true},
    {"gate", "gate.status", false, false},
    {"grade", "evidence.grade", false, false},
    {"predicted_latency_ns", "prediction.latency_ns.mid", false, true},
    {"measured_latency_ns", "measured.latency_ns.median", false, true},
    {"rank", "rank", true, true},
    {"rule_id", "rule_id", true, false},
    {"fingerprint", "fingerprint", true, false},
    {"level", "level", true, false},
    {"applicability", "applicability", true, false},
    {"unit", "gain.unit", true, false},
    {"gain_lo", "gain.predicted.lo", true, true},
    {"gain_mid", "gain.predicted.mid", true, true},
    {"gain_hi", "gain.predicted.hi", true, true},
    {"verified", "gain.verified.now.mid", true, true},
    {"verdict", "verdict", true, false},
    {"fix", "fix.text", true, false},
    {"basis", "gain.basis", true, false},
    {"status", "", false, false},
    {"error", "", false, false},
};
static_assert(sizeof column / sizeof *column == OUT_ROW_COLUMNS, "each column has a name");

const char *out_row_column(size_t i)
{
    assert(i < OUT_ROW_COLUMNS);
    return column[i].name;
}

static void entry_cells(Arena *a, const ResultEntry *e, const cJSON *result, const cJSON *rec,
                        OutCell cell[OUT_ROW_COLUMNS])
{
    enum { KIND = 0, MODEL = 1, STATUS = OUT_ROW_COLUMNS - 2, ERROR = OUT_ROW_COLUMNS - 1 };
    cell[KIND].text = !rec                               ? (result ? "result" : "error")
                      : tree_finding_is_observation(rec) ? "observation"
                                                         : "recommendation";
    cell[MODEL].text = out_text(a, e->model, SIZE_MAX / 32);
    if (!rec)
        cell[STATUS].text = out_status(e->status);
    if (!rec && e->error)
        cell[ERROR].text = out_text(a, e->error, SIZE_MAX / 32);
}

/* `rec` NULL: of the result itself; `result` NULL: of a model that has none. */
static void row_of(Arena *a, const ResultEntry *entry, const cJSON *result, const cJSON *rec,
                   OutCell cell[OUT_ROW_COLUMNS])
{
    for (size_t i = 0; i < OUT_ROW_COLUMNS; i++) {
        const cJSON *from = column[i].of_rec ? rec : result;
        cell[i] = (OutCell){0};
        if (!*column[i].path || !from)
            continue;
        if (column[i].is_number)
            cell[i].is_number = json_number(from, column[i].path, &cell[i].number);
        else if (json_text(from, column[i].path, NULL))
            cell[i].text = out_lines(a, json_text(from, column[i].path, ""), SIZE_MAX / 32);
    }
    entry_cells(a, entry, result, rec, cell);
}

typedef struct {
    RowPut *put;
    void *user;
} Rows;

static void put_rows(void *user, const ResultEntry *entry, const cJSON *result, const View *view)
{
    (void)view;
    const Rows *rows = user;
    Arena *a = arena_new(0);
    OutCell cell[OUT_ROW_COLUMNS];
    const cJSON *rec = NULL;
    do {
        row_of(a, entry, result, rec, cell);
        rows->put(rows->user, cell);
    } while ((rec = tree_finding_next(result, rec)));
    arena_free(a);
}

void out_rows(const ResultSet *set, const View *view, RowPut *put, void *user)
{
    Rows rows = {put, user};
    out_each(set, view, put_rows, &rows);
}
