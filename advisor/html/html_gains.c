/* Section 2: before and after.  A waterfall as a table: each row is a figure and its bar. */
#include "advisor/html/html.h"

#include "advisor/say/json.h"

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

/* Ends the head of a row with the bar from level a to level b. */
static void end_head(Page *p, const Fall *f, const char *class, double a, double b)
{
    page_bar(p, class, a < b ? a : b, a < b ? b : a, f->full);
    html_close(p->h);
}

static void open_head(Page *p, PhraseId name)
{
    page_row_open(p);
    html_open(p->h, "th", "scope", "row", NULL);
    html_text(p->h, say(p->lang, name));
}

static void row_level(Page *p, Fall *f, PhraseId name, double level, const char *class,
                      PhraseId known)
{
    open_head(p, name);
    end_head(p, f, class, 0, level);
    page_cell_value(p, level, p->d.unit);
    page_cell_text(p, say(p->lang, known));
    page_row_close(p);
}

static void row_fix(Page *p, Fall *f, const cJSON *rec, double gain)
{
    bool verified = cJSON_IsObject(json_at(rec, "gain.verified"));
    double to = moved(f, gain);
    page_row_open(p);
    html_open(p->h, "th", "scope", "row", NULL);
    html_open(p->h, "a", NULL);
    html_attr(p->h, "href", "#%s", json_text(rec, "fingerprint", ""));
    html_textf(p->h, "%s", json_text(rec, "rule_id", "?"));
    html_close(p->h);
    html_textf(p->h, " %s", json_text(rec, "title", ""));
    end_head(p, f, gain >= 0 ? "gain" : "loss", f->level, to);
    page_cell_interval(p, json_at(rec, verified ? "gain.verified" : "gain.predicted"), p->d.unit);
    page_cell_text(p, say(p->lang, verified ? SAY_IS_VERIFIED : SAY_IS_PREDICTED));
    page_row_close(p);
    f->level = to;
}

static void rows_of_fixes(Page *p, Fall *f)
{
    const cJSON *rec;
    int shown = 0;
    cJSON_ArrayForEach(rec, json_at(p->r, "recommendations"))
    {
        double gain;
        if (!recommendation_is_combined(p->r, rec) || !gain_best(json_at(rec, "gain"), &gain) ||
            !recommendation_helps(rec) || shown++ >= FIXES_SHOWN)
            continue;
        row_fix(p, f, rec, gain);
    }
}

/* What the fixes take from each other, what all gain together, and what is left then. */
static void rows_of_combined(Page *p, Fall *f)
{
    const cJSON *c = json_at(p->r, "combined");
    double gain;
    if (!json_number(c, "verified.median", &gain) && !json_number(c, "predicted.mid", &gain))
        return;
    bool verified = cJSON_IsObject(json_at(c, "verified"));
    Fall now = {.level = p->d.baseline, .up = f->up};
    double after = moved(&now, gain);
    open_head(p, SAY_ROW_OVERLAP);
    end_head(p, f, "lost", f->level, after);
    if (verified) { /* of what was verified, as the bars are */
        double overlap = f->up ? f->level - after : after - f->level;
        Figure text;
        html_leaf(p->h, "td", figure_value(&text, overlap, p->d.unit), "class", "number", NULL);
    } else {
        page_cell_value(p, json_number_or(c, "overlap", 0), p->d.unit);
    }
    page_cell_text(p, say(p->lang, verified ? SAY_IS_DERIVED : SAY_IS_PREDICTED));
    page_row_close(p);
    open_head(p, SAY_ROW_TOGETHER);
    end_head(p, f, "gain", p->d.baseline, after);
    page_cell_interval(p, json_at(c, verified ? "verified" : "predicted"), p->d.unit);
    page_cell_text(p, say(p->lang, verified ? SAY_IS_VERIFIED : SAY_IS_PREDICTED));
    page_row_close(p);
    f->level = after;
}

/* Baseline less gain: derived, so it is no <data> of the JSON. */
static void row_left(Page *p, Fall *f)
{
    Figure left;
    open_head(p, f->up ? SAY_ROW_REACHED : SAY_ROW_LEFT);
    end_head(p, f, "good", 0, f->level);
    html_leaf(p->h, "td", figure_value(&left, f->level, p->d.unit), "class", "number", NULL);
    page_cell_text(p, say(p->lang, SAY_IS_DERIVED));
    page_row_close(p);
}

/* The longest bar: of throughput, whatever the gains add up to, one by one or together. */
static double fullest(const Page *p)
{
    double full = p->d.baseline, gain, together = 0;
    const cJSON *rec;
    if (!p->d.throughput)
        return full;
    cJSON_ArrayForEach(rec, json_at(p->r, "recommendations"))
    {
        if (recommendation_is_combined(p->r, rec) && recommendation_helps(rec) &&
            gain_best(json_at(rec, "gain"), &gain) && gain > 0)
            full += gain;
    }
    if (gain_best(json_at(p->r, "combined"), &gain))
        together = p->d.baseline + gain;
    return full > together ? full : together;
}

void html_gains(Page *p)
{
    static const PhraseId head[] = {SAY_COL_WHAT, SAY_COL_TIME_OR_GAIN, SAY_COL_HOW_KNOWN,
                                    SAY_COUNT};
    Fall f = {.level = p->d.baseline, .full = fullest(p), .up = p->d.throughput};
    if (p->d.outcome == OUTCOME_UNDECIDED) {
        page_note(p, SAY_HEAD_UNDECIDED);
        return;
    }
    page_table_open(p, "waterfall", p->d.throughput ? SAY_WATERFALL_RATE : SAY_WATERFALL, head);
    row_level(p, &f, p->d.measured ? SAY_ROW_NOW_MEASURED : SAY_ROW_NOW_PREDICTED, p->d.baseline,
              "now", p->d.measured ? SAY_LABEL_MEASURED : SAY_IS_PREDICTED);
    rows_of_fixes(p, &f);
    rows_of_combined(p, &f);
    if (p->d.outcome == OUTCOME_ADVICE)
        row_left(p, &f);
    if (!p->d.throughput) {
        row_level(p, &f, SAY_ROW_NO_HOST, json_number_or(p->r, "ceiling.host_free_ns", 0), "npu",
                  SAY_IS_DERIVED);
        row_level(p, &f, SAY_ROW_NO_NPU, json_number_or(p->r, "ceiling.npu_free_ns", 0), "host",
                  SAY_IS_DERIVED);
    }
    page_table_close(p);
    page_note(p, p->d.throughput ? SAY_WATERFALL_NOTE_RATE : SAY_WATERFALL_NOTE);
}
