/* Section 3: the recommendations, each with its evidence, the exact fix, what it gains, what it
 * risks; then those that were tried and gain nothing. */
#include "advisor/html/html.h"
#include "advisor/result/finding.h"
#include "advisor/say/json.h"

#include <string.h>

/* Places at once, and with those that are folded away; the JSON has them all. */
enum { PLACES_SHOWN = 12, PLACES_FOLDED = 240 };

static void head(Page *p, const cJSON *rec)
{
    html_open(p->h, "h3", NULL);
    html_textf(p->h, "%.0f. ", json_number_or(rec, "rank", 0));
    html_open(p->h, "a", "class", "rule", NULL);
    html_attr(p->h, "href", "#%s", json_text(rec, "fingerprint", ""));
    html_text(p->h, json_text(rec, "rule_id", "?"));
    html_close(p->h);
    html_textf(p->h, " %s", json_text(rec, "title", "?"));
    html_close(p->h);
    html_open(p->h, "p", "class", "tags", NULL);
    html_leaf(p->h, "span", say_key(p->lang, "WHERE_", json_text(rec, "fix.where", "?")), "class",
              "tag", NULL);
    html_text(p->h, " ");
    html_leaf(p->h, "span", say_key(p->lang, "APPLY_", json_text(rec, "applicability", "?")),
              "class", "tag", NULL);
    const char *verdict = json_text(rec, "verdict", NULL);
    if (verdict) {
        html_text(p->h, " ");
        html_leaf(p->h, "span", say_key(p->lang, "VERDICT_", verdict), "class",
                  !recommendation_helps(rec)           ? "tag bad"
                  : !strcmp(verdict, "not-verifiable") ? "tag"
                                                       : "tag good",
                  NULL);
    }
    html_close(p->h);
}

/* The interval on the scale of the objective now. */
static void gain_row(Page *p, PhraseId name, const cJSON *o, const char *unit, const char *class)
{
    double lo, hi;
    if (!cJSON_IsObject(o))
        return;
    page_row_open(p);
    html_open(p->h, "th", "scope", "row", NULL);
    html_text(p->h, say(p->lang, name));
    if (json_number(o, "lo", &lo) && json_number(o, "hi", &hi) && p->d.baseline > 0) {
        double full = hi > p->d.baseline ? hi : p->d.baseline;
        page_bar(p, hi > 0 ? class : "loss", lo > 0 ? lo : 0, hi > 0 ? hi : 0, full);
    }
    html_close(p->h);
    page_cell_interval(p, o, unit);
    page_row_close(p);
}

/* A bound: what goes, with its interval, and the most that there can be. */
static void at_most_row(Page *p, const cJSON *gain, const char *unit)
{
    double hi;
    if (gain_phrase(gain) != SAY_GAIN_AT_MOST || !json_number(gain, "predicted.hi", &hi))
        return;
    page_row_open(p);
    html_leaf(p->h, "th", say(p->lang, SAY_COL_AT_MOST), "scope", "row", NULL);
    page_cell_value(p, hi, unit);
    page_row_close(p);
}

static PhraseId how_said(const cJSON *gain)
{
    PhraseId id = gain_phrase(gain);
    return id == SAY_GAIN_PREDICTED   ? SAY_IS_PREDICTED
           : id == SAY_GAIN_ESTIMATED ? SAY_IS_ESTIMATED
           : id == SAY_GAIN_AT_MOST   ? SAY_COL_REMOVABLE
                                      : SAY_IS_BOUND;
}

static void bound_row(Page *p, PhraseId name, double ns, const char *class)
{
    page_row_open(p);
    html_open(p->h, "th", "scope", "row", NULL);
    html_text(p->h, say(p->lang, name));
    if (p->d.baseline > 0)
        page_bar(p, class, 0, ns, p->d.baseline);
    html_close(p->h);
    page_cell_value(p, ns, "ns");
    page_row_close(p);
}

/* Of measured layers: what would vanish, and the most that there can be; no middle guess. */
static void bound_rows(Page *p, const cJSON *gain)
{
    bound_row(p, SAY_COL_REMOVABLE, json_number_or(gain, "predicted.mid", 0), "good");
    bound_row(p, SAY_COL_AT_MOST, json_number_or(gain, "predicted.hi", 0), "gain");
}

static void gains(Page *p, const cJSON *rec)
{
    static const PhraseId columns[] = {SAY_COL_GAIN_PICTURE, SAY_COL_GAIN, SAY_COUNT};
    static const PhraseId of_layers[] = {SAY_COL_BOUND_PICTURE, SAY_COL_TIME, SAY_COUNT};
    const cJSON *gain = json_at(rec, "gain");
    const char *unit = json_text(gain, "unit", "ns"),
               *reason = json_text(gain, "reason_if_null", NULL);
    double local;
    Phrase buf;
    if (reason)
        html_leaf(p->h, "p", say_with(&buf, p->lang, SAY_GAIN_UNKNOWN, reason, NULL), "class",
                  "note", NULL);
    if (!cJSON_IsObject(json_at(gain, "predicted")) && !cJSON_IsObject(json_at(gain, "verified")))
        return;
    if (json_at(gain, "removes")) {
        page_table_open(p, "gain", SAY_GAIN_TABLE, of_layers);
        bound_rows(p, gain);
        page_table_close(p);
        return;
    }
    page_table_open(p, "gain", SAY_GAIN_TABLE, columns);
    gain_row(p, how_said(gain), json_at(gain, "predicted"), unit, "gain");
    at_most_row(p, gain, unit);
    gain_row(p, p->d.simulated ? SAY_IS_SIMULATED : SAY_IS_VERIFIED, json_at(gain, "verified"),
             unit, "good");
    if (json_number(gain, "local_ns", &local)) {
        page_row_open(p);
        page_cell_head(p, say(p->lang, SAY_LOCAL));
        page_cell_value(p, local, "ns");
        page_row_close(p);
    }
    page_table_close(p);
}

static void fix(Page *p, const cJSON *rec)
{
    Phrase buf;
    html_leaf(p->h, "p",
              say_with(&buf, p->lang, SAY_FIX_FOR, json_text(rec, "fix.sdk", "?"),
                       say_key(p->lang, "WHERE_", json_text(rec, "fix.where", "?")), NULL),
              NULL);
    page_fix(p, rec);
}

static void place_row(Page *p, const cJSON *place, const char *unit)
{
    static const char *const path[] = {"node", "tensor", "op"};
    page_row_open(p);
    html_leaf(p->h, "th", json_text(place, "text", "?"), "scope", "row", NULL);
    for (int i = 0; i < 3; i++) {
        html_open(p->h, "td", NULL);
        html_name(p->h, json_text(place, path[i], "–"), PAGE_NAME);
        html_close(p->h);
    }
    page_cell_interval(p, json_at(place, "gain"), unit);
    page_row_close(p);
}

/* The table of the places [from, to). */
static void places_table(Page *p, const cJSON *rec, const char *unit, size_t from, size_t to)
{
    static const PhraseId columns[] = {SAY_COL_SEEN,     SAY_COL_NODE, SAY_COL_TENSOR,
                                       SAY_COL_OPERATOR, SAY_COL_GAIN, SAY_COUNT};
    const cJSON *place;
    size_t n = 0;
    page_table_open(p, "places", SAY_PLACES_TABLE, columns);
    cJSON_ArrayForEach(place, json_at(rec, "places"))
    {
        if (n >= from && n < to)
            place_row(p, place, unit);
        n++;
    }
    page_table_close(p);
}

static void places(Page *p, const cJSON *rec, const char *unit)
{
    size_t all = json_count(rec, "places");
    char more[32];
    Phrase buf;
    places_table(p, rec, unit, 0, PLACES_SHOWN);
    if (all <= PLACES_SHOWN)
        return;
    snprintf(more, sizeof more, "%zu", all - PLACES_SHOWN);
    html_open(p->h, "details", "class", "rest", NULL);
    html_leaf(p->h, "summary", say_with(&buf, p->lang, SAY_AND_MORE, more, NULL), NULL);
    places_table(p, rec, unit, PLACES_SHOWN, PLACES_FOLDED);
    page_and_more(p, all, PLACES_FOLDED);
    html_close(p->h);
}

static double sweep_most(const cJSON *rec)
{
    double most = 0, v;
    const cJSON *s;
    cJSON_ArrayForEach(s, json_at(rec, "sweep"))
    {
        if (json_number(s, "objective.mid", &v) && v > most)
            most = v;
    }
    return most;
}

static void sweep(Page *p, const cJSON *rec, const char *unit)
{
    static const PhraseId columns[] = {SAY_COL_SETTING, SAY_COL_OBJECTIVE, SAY_COL_GAIN, SAY_COUNT};
    const cJSON *s;
    double most = sweep_most(rec), mid;
    if (json_count(rec, "sweep") == 0)
        return;
    page_table_open(p, "sweep", SAY_SWEEP_TABLE, columns);
    cJSON_ArrayForEach(s, json_at(rec, "sweep"))
    {
        bool chosen = cJSON_IsTrue(json_at(s, "chosen"));
        page_row_open(p);
        html_open(p->h, "th", "scope", "row", NULL);
        html_text(p->h, json_text(s, "value", "?"));
        if (chosen)
            html_textf(p->h, " (%s)", say(p->lang, SAY_CHOSEN));
        if (json_number(s, "objective.mid", &mid))
            page_bar(p, chosen ? "good" : "now", 0, mid, most);
        html_close(p->h);
        page_cell_interval(p, json_at(s, "objective"), unit);
        page_cell_interval(p, json_at(s, "gain"), unit);
        page_row_close(p);
    }
    page_table_close(p);
}

static void labelled(Page *p, PhraseId label, const char *text)
{
    html_open(p->h, "p", NULL);
    html_leaf(p->h, "strong", say(p->lang, label), NULL);
    html_text(p->h, " ");
    html_text(p->h, text);
    html_close(p->h);
}

static void conflicts(Page *p, const cJSON *rec)
{
    const cJSON *id;
    if (json_count(rec, "conflicts_with") == 0)
        return;
    html_open(p->h, "p", NULL);
    html_leaf(p->h, "strong", say(p->lang, SAY_CONFLICTS_WITH), NULL);
    cJSON_ArrayForEach(id, json_at(rec, "conflicts_with"))
    {
        html_text(p->h, " ");
        html_text(p->h, cJSON_IsString(id) ? id->valuestring : "?");
    }
    html_close(p->h);
}

static void finding(Page *p, const cJSON *rec)
{
    const char *unit = json_text(rec, "gain.unit", "ns");
    html_open(p->h, "article", "class", recommendation_helps(rec) ? "finding" : "finding weak",
              NULL);
    page_anchor(p, rec);
    head(p, rec);
    labelled(p, SAY_WHY, json_text(rec, "why", "?"));
    fix(p, rec);
    gains(p, rec);
    labelled(p, SAY_RISK, json_text(rec, "risk", "?"));
    conflicts(p, rec);
    html_neighbourhood(p, rec);
    html_open(p->h, "details", NULL);
    html_leaf(p->h, "summary", say(p->lang, SAY_DETAILS), NULL);
    places(p, rec, unit);
    sweep(p, rec, unit);
    html_close(p->h);
    html_close(p->h);
}

/* Those that help, then those that do not; true if there was any. */
static bool findings(Page *p, bool helps)
{
    const cJSON *rec;
    bool any = false;
    cJSON_ArrayForEach(rec, json_at(p->r, "recommendations"))
    {
        if (recommendation_helps(rec) != helps)
            continue;
        if (!any && !helps)
            page_heading(p, "h3", SAY_TRIED_NO_GAIN);
        finding(p, rec);
        any = true;
    }
    return any;
}

static void observation(Page *p, const cJSON *o)
{
    html_open(p->h, "li", NULL);
    html_open(p->h, "a", "class", "rule", NULL);
    html_attr(p->h, "href", "#%s", json_text(o, "fingerprint", ""));
    html_text(p->h, json_text(o, "rule_id", "?"));
    html_close(p->h);
    html_textf(p->h, " %s: %s", json_text(o, "title", "?"), json_text(o, "text", "?"));
    html_close(p->h);
}

/* Folded: one line each; the table of rules holds them too. */
static void observations(Page *p)
{
    const cJSON *o;
    size_t all = json_count(p->r, "observations");
    char count[32];
    Phrase buf;
    if (all == 0)
        return;
    snprintf(count, sizeof count, "%zu", all);
    html_open(p->h, "details", "class", "rest", NULL);
    html_leaf(p->h, "summary", say_with(&buf, p->lang, SAY_OBSERVATIONS, count, NULL), NULL);
    html_open(p->h, "ul", NULL);
    cJSON_ArrayForEach(o, json_at(p->r, "observations")) observation(p, o);
    html_close(p->h);
    html_close(p->h);
}

void html_findings(Page *p)
{
    if (!findings(p, true))
        page_note(p, SAY_NO_ADVICE);
    findings(p, false);
    observations(p);
}
