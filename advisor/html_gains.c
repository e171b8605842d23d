/* Section 2: before and after.  A waterfall as a table: each row is a figure and its bar. */
#include "advisor/html.h"

#include <string.h>

enum { FIXES_SHOWN = 12 };

/* The running level: latency goes down with every gain, throughput up. */
typedef struct {
    double level, full;
    bool up;
} Fall;

static double moved(const Fall *f, double gain)
{
    double to = f->up ? f->level + gain : f->level - gain;
    return to < 0 ? 0 : to;
}

static void bar_cell(Page *p, const Fall *f, const char *class, double a, double b)
{
    html_open(p->h, "td", "class", "bars", NULL);
    page_bar(p, class, a < b ? a : b, a < b ? b : a, f->full);
    html_close(p->h);
}

static void row_level(Page *p, Fall *f, PhraseId name, double level, const char *class)
{
    row_open(p);
    cell_head(p, say(p->lang, name));
    html_leaf(p->h, "td", "", NULL);
    cell_value(p, level, p->d.unit);
    bar_cell(p, f, class, 0, level);
    row_close(p);
}

static void row_fix(Page *p, Fall *f, const cJSON *rec, double gain)
{
    bool verified = cJSON_IsObject(json_at(rec, "gain.verified"));
    double to = moved(f, gain);
    row_open(p);
    html_open(p->h, "th", "scope", "row", NULL);
    html_open(p->h, "a", NULL);
    html_attr(p->h, "href", "#%s", json_text(rec, "fingerprint", ""));
    html_textf(p->h, "%s", json_text(rec, "rule_id", "?"));
    html_close(p->h);
    html_textf(p->h, " %s", json_text(rec, "title", ""));
    html_close(p->h);
    cell_text(p, say(p->lang, verified ? SAY_IS_VERIFIED : SAY_IS_PREDICTED));
    cell_interval(p, json_at(rec, verified ? "gain.verified" : "gain.predicted"), p->d.unit);
    bar_cell(p, f, gain >= 0 ? "gain" : "loss", f->level, to);
    row_close(p);
    f->level = to;
}

static bool is_combined(const Page *p, const cJSON *rec)
{
    const cJSON *ids = json_at(p->r, "combined.rule_ids"), *id;
    if (!cJSON_IsArray(ids))
        return rec == p->d.first;
    cJSON_ArrayForEach(id, ids)
    {
        if (cJSON_IsString(id) && !strcmp(id->valuestring, json_text(rec, "rule_id", "")))
            return true;
    }
    return false;
}

static void rows_of_fixes(Page *p, Fall *f)
{
    const cJSON *rec;
    int shown = 0;
    cJSON_ArrayForEach(rec, json_at(p->r, "recommendations"))
    {
        double gain;
        if (!is_combined(p, rec) || !gain_best(json_at(rec, "gain"), &gain) ||
            !recommendation_helps(rec) || shown++ >= FIXES_SHOWN)
            continue;
        row_fix(p, f, rec, gain);
    }
}

/* What the fixes take from each other, then what all gain together. */
static void rows_of_combined(Page *p, Fall *f)
{
    const cJSON *c = json_at(p->r, "combined");
    double gain, base = p->d.baseline;
    if (!json_number(c, "verified.median", &gain) && !json_number(c, "predicted.mid", &gain))
        return;
    bool verified = cJSON_IsObject(json_at(c, "verified"));
    double after = p->d.throughput ? base + gain : base - gain;
    row_open(p);
    cell_head(p, say(p->lang, SAY_ROW_OVERLAP));
    cell_text(p, say(p->lang, SAY_IS_PREDICTED));
    cell_value(p, json_number_or(c, "overlap", 0), p->d.unit);
    bar_cell(p, f, "lost", f->level, after < 0 ? 0 : after);
    row_close(p);
    row_open(p);
    cell_head(p, say(p->lang, SAY_ROW_TOGETHER));
    cell_text(p, say(p->lang, verified ? SAY_IS_VERIFIED : SAY_IS_PREDICTED));
    cell_interval(p, json_at(c, verified ? "verified" : "predicted"), p->d.unit);
    bar_cell(p, f, "good", 0, after < 0 ? 0 : after);
    row_close(p);
}

static double fullest(const Page *p)
{
    double full = p->d.baseline, gain;
    const cJSON *rec;
    if (!p->d.throughput)
        return full;
    cJSON_ArrayForEach(rec, json_at(p->r, "recommendations"))
    {
        if (is_combined(p, rec) && recommendation_helps(rec) &&
            gain_best(json_at(rec, "gain"), &gain) && gain > 0)
            full += gain;
    }
    return full;
}

void html_gains(Page *p)
{
    static const PhraseId head[] = {SAY_COL_WHAT, SAY_COL_HOW_KNOWN, SAY_COL_TIME_OR_GAIN,
                                    SAY_COL_PICTURE, SAY_COUNT};
    Fall f = {.level = p->d.baseline, .full = fullest(p), .up = p->d.throughput};
    if (p->d.outcome == OUTCOME_UNDECIDED) {
        page_note(p, SAY_HEAD_UNDECIDED);
        return;
    }
    table_open(p, "waterfall", SAY_WATERFALL, head);
    row_level(p, &f, p->d.measured ? SAY_ROW_NOW_MEASURED : SAY_ROW_NOW_PREDICTED, p->d.baseline,
              "now");
    rows_of_fixes(p, &f);
    rows_of_combined(p, &f);
    if (!p->d.throughput) {
        row_level(p, &f, SAY_ROW_NO_HOST, json_number_or(p->r, "ceiling.host_free_ns", 0), "npu");
        row_level(p, &f, SAY_ROW_NO_NPU, json_number_or(p->r, "ceiling.npu_free_ns", 0), "host");
    }
    table_close(p);
    page_note(p, p->d.throughput ? SAY_WATERFALL_NOTE_RATE : SAY_WATERFALL_NOTE);
}
