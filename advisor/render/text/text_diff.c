/* Prints a comparison of two results or traces as text. */
#include "advisor/message/figure.h"
#include "advisor/message/json.h"
#include "advisor/message/plain.h"
#include "advisor/render/text/text_parts.h"

enum { NAME = 27, OLD = 29, NEW = 48, CHANGE = 67, ROWS_SHOWN = 20 };

static TextStyle style_of(const char *verdict)
{
    if (!strcmp(verdict, "faster") || !strcmp(verdict, "better") || !strcmp(verdict, "improved") ||
        !strcmp(verdict, "gone"))
        return STYLE_GOOD;
    if (!strcmp(verdict, "slower") || !strcmp(verdict, "worse") || !strcmp(verdict, "grown"))
        return STYLE_BAD;
    return STYLE_NONE;
}

/* Short enough for its column: an interval that is too wide for it is left out. */
static void put_column_value(TextOut *t, size_t column, const cJSON *o, const char *unit,
                             size_t width)
{
    Figure f;
    text_to(t, column);
    if (!cJSON_IsObject(o)) {
        text_put(t, STYLE_NONE, "-");
        return;
    }
    figure_json(&f, o, unit);
    if (plain_width(f.text) > width)
        figure_value(&f, json_number_or(o, "mid", 0), unit);
    text_put(t, STYLE_NONE, f.text);
}

/* A figure by its name in the JSON; an operator is called as it is. */
static const char *metric_label(const TextOut *t, const char *name)
{
    static const struct {
        const char *name;
        PhraseId say;
    } figure[] = {
        {"measured.latency_ns.median", PHRASE_FIGURE_LATENCY},
        {"measured.latency_ns.p99", PHRASE_FIGURE_LATENCY_P99},
        {"measured.npu_ns", PHRASE_FIGURE_NPU},
        {"measured.host_ns", PHRASE_FIGURE_HOST},
        {"measured.io_ns", PHRASE_FIGURE_IO},
        {"measured.unattributed_ns", PHRASE_FIGURE_UNEXPLAINED},
        {"prediction.latency_ns", PHRASE_FIGURE_PREDICTED},
        {"prediction.npu_ns", PHRASE_FIGURE_NPU_PREDICTED},
        {"prediction.host_ns", PHRASE_FIGURE_HOST_PREDICTED},
        {"prediction.io_ns", PHRASE_FIGURE_IO_PREDICTED},
        {"prediction.throughput_per_s", PHRASE_FIGURE_RATE_PREDICTED},
        {"compiled.stages.compute.mean", PHRASE_FIGURE_QUERY_GPU},
        {"compiled.stages.latency.mean", PHRASE_FIGURE_QUERY},
        {"compiled.sum_ns", PHRASE_FIGURE_LAYERS},
        {"compiled.reformats.ns", PHRASE_FIGURE_REFORMATS},
        {"inference_ns", PHRASE_FIGURE_INFERENCE},
        {"npu_total_ns", PHRASE_FIGURE_NPU_TOTAL},
        {"npu_run_ns", PHRASE_FIGURE_NPU_RUN},
        {"npu_io_wait_ns", PHRASE_FIGURE_NPU_WAIT},
    };
    return LIST_VALUE(i, sizeof figure / sizeof *figure, !strcmp(name, figure[i].name),
                      phrase_text(t->lang, figure[i].say), name);
}

static void put_diff_row(TextOut *t, const cJSON *m)
{
    const char *unit = json_text(m, "unit", "ns"), *verdict = json_text(m, "verdict", "?");
    double change, old;
    Plain name;
    text_line(t, 0, 0);
    text_put(t, STYLE_NONE, plain(&name, metric_label(t, json_text(m, "name", "?")), NAME));
    put_column_value(t, OLD, json_at(m, "old"), unit, NEW - OLD - 2);
    put_column_value(t, NEW, json_at(m, "new"), unit, CHANGE - NEW - 2);
    text_to(t, CHANGE);
    bool noise = !strcmp(verdict, "same");
    if (noise)
        text_put(t, STYLE_DIM, "~");
    else if (json_number(m, "change", &change) && json_number(m, "old.mid", &old) && old > 0)
        text_putf(t, style_of(verdict), "%+.1f %%", 100 * change / old);
    else
        text_put(t, style_of(verdict), phrase_by_key(t->lang, "DIFF_", verdict));
    text_end(t);
    if (*json_text(m, "how", "")) {
        text_line(t, 2, 2);
        text_put(t, STYLE_DIM, json_text(m, "how", ""));
        text_end(t);
    }
}

static void put_diff_rows(TextOut *t, const cJSON *list, PhraseId heading)
{
    size_t n = 0, all = json_count(list, "");
    if (all == 0)
        return;
    text_line(t, 0, 0);
    text_put(t, STYLE_BOLD, phrase_text(t->lang, heading));
    const TextHead column[] = {{OLD, phrase_text(t->lang, PHRASE_COL_BEFORE)},
                               {NEW, phrase_text(t->lang, PHRASE_COL_AFTER)},
                               {CHANGE, phrase_text(t->lang, PHRASE_COL_DIFFERENCE)}};
    text_heads(t, column, sizeof column / sizeof *column);
    for (const cJSON *m = json_first(list, ""); m; m = m->next) {
        if (n++ == ROWS_SHOWN)
            break;
        put_diff_row(t, m);
    }
    text_more(t, 0, all > ROWS_SHOWN ? all - ROWS_SHOWN : 0);
    text_end(t);
}

static void put_recommendation(TextOut *t, const cJSON *r)
{
    const char *state = json_text(r, "state", "?"), *unit = json_text(r, "unit", "ns");
    double gain;
    Figure f;
    text_line(t, 0, 20);
    text_put(t, style_of(state), phrase_by_key(t->lang, "DIFF_", state));
    text_to(t, 12);
    text_putf(t, STYLE_BOLD, "%s ", json_text(r, "rule_id", "?"));
    text_put(t, STYLE_NONE, json_text(r, "title", "?"));
    if (json_number(r, "new", &gain) || json_number(r, "old", &gain))
        text_putf(t, STYLE_DIM, "  %s", figure_value(&f, gain, unit));
    text_end(t);
}

void text_diff(FILE *out, const cJSON *diff, const View *view)
{
    TextOut t = {.out = out, .colour = view->colour, .lang = view->lang};
    Plain name;
    text_line(&t, 0, 0);
    text_put(&t, STYLE_BOLD, plain(&name, json_text(diff, "old", "?"), 36));
    text_put(&t, STYLE_NONE, " → ");
    text_put(&t, STYLE_BOLD, plain(&name, json_text(diff, "new", "?"), 36));
    text_end(&t);
    text_end(&t);
    put_diff_rows(&t, json_at(diff, "metrics"), PHRASE_DIFF_METRICS);
    put_diff_rows(&t, json_at(diff, "parts"), PHRASE_DIFF_PARTS);
    for (const cJSON *r = json_first(diff, "findings"); r; r = r->next)
        put_recommendation(&t, r);
    text_line(&t, 0, 0);
    text_put(&t, STYLE_DIM, phrase_text(t.lang, PHRASE_DIFF_NOTE));
    text_end(&t);
}
