/* The first section of a compiled graph: the verdict, the few figures that carry it, the gate. */
#include "advisor/html/html.h"
#include "advisor/result/finding.h"
#include "advisor/result/verdict.h"
#include "advisor/say/json.h"

#include <string.h>

/* The title, what was seen, the fix and a link: what to do first, without scrolling. */
static void first_step(Page *p)
{
    const cJSON *first = p->d.first, *place;
    if (!first)
        return;
    html_open(p->h, "div", "class", "first", NULL);
    html_leaf(p->h, "p", say(p->lang, SAY_DO_FIRST), "class", "eyebrow", NULL);
    html_open(p->h, "p", "class", "title", NULL);
    html_open(p->h, "a", NULL);
    html_attr(p->h, "href", "#%s", json_text(first, "fingerprint", ""));
    html_text(p->h, json_text(first, "title", "?"));
    html_close(p->h);
    html_text(p->h, " ");
    html_open(p->h, "span", "class", "tag", NULL);
    html_text(p->h, say_key(p->lang, "WHERE_", json_text(first, "fix.where", "?")));
    html_text(p->h, ", ");
    html_text(p->h, say_key(p->lang, "APPLY_", json_text(first, "applicability", "?")));
    html_close(p->h);
    html_close(p->h);
    place = json_at(first, "places");
    if (place && place->child) {
        html_open(p->h, "p", "class", "note", NULL);
        html_textf(p->h, "%s ", say(p->lang, SAY_SEEN));
        html_text(p->h, json_text(place->child, "text", "?"));
        html_close(p->h);
    }
    page_fix(p, first);
    html_close(p->h);
}

static void key_open(Page *p, PhraseId id)
{
    html_open(p->h, "div", NULL);
    html_leaf(p->h, "dt", say(p->lang, id), NULL);
    html_open(p->h, "dd", NULL);
}

static void key_close(Page *p)
{
    html_close(p->h);
    html_close(p->h);
}

/* A second line, small. */
static void key_note(Page *p, const char *text)
{
    html_void(p->h, "br", NULL);
    html_leaf(p->h, "small", text, NULL);
}

/* Of a bound: the most that there can be, and what of it would vanish. */
static void key_bound(Page *p, const cJSON *gain, bool combined)
{
    Figure removable;
    Phrase buf;
    double most, mid;
    if (!json_number(gain, "predicted.hi", &most) || !json_number(gain, "predicted.mid", &mid))
        return;
    key_open(p, combined ? SAY_KEY_TOGETHER_AT_MOST : SAY_KEY_AT_MOST);
    page_value(p, most, p->d.unit);
    key_note(p, say_with(&buf, p->lang, SAY_OF_IT_REMOVABLE,
                         figure_value(&removable, mid, p->d.unit), NULL));
    key_close(p);
}

/* What all that is recommended gains, or the first where nothing is combined; and what is left.
 * That is derived, so it is no <data> of the JSON. */
static void key_gain(Page *p)
{
    bool combined = cJSON_IsObject(json_at(p->r, "combined"));
    if (cJSON_IsObject(json_at(p->r, "compiled"))) {
        key_bound(p, combined ? json_at(p->r, "combined") : json_at(p->d.first, "gain"), combined);
        return;
    }
    const cJSON *gain = combined ? json_at(p->r, "combined") : json_at(p->d.first, "gain");
    if (!combined && gain_phrase(gain) == SAY_GAIN_AT_MOST) {
        key_bound(p, gain, false);
        return;
    }
    double best;
    Figure after;
    if (!gain_best(gain, &best))
        return;
    bool verified = cJSON_IsObject(json_at(gain, "verified"));
    key_open(p, combined ? SAY_KEY_TOGETHER : SAY_KEY_GAIN);
    page_interval(p, json_at(gain, verified ? "verified" : "predicted"), p->d.unit);
    key_note(p, say(p->lang, !verified        ? SAY_IS_PREDICTED
                             : p->d.simulated ? SAY_IS_SIMULATED
                                              : SAY_IS_VERIFIED));
    key_close(p);
    double left = p->d.throughput ? p->d.baseline + best : p->d.baseline - best;
    key_open(p, combined ? SAY_KEY_AFTER_ALL : SAY_KEY_AFTER);
    html_text(p->h, figure_value(&after, left > 0 ? left : 0, p->d.unit));
    key_note(p, say(p->lang, SAY_IS_DERIVED));
    key_close(p);
}

static void key_evidence(Page *p)
{
    const char *grade = json_text(p->r, "evidence.grade", "?");
    key_open(p, SAY_KEY_EVIDENCE);
    html_leaf(p->h, "a", grade, "href", "#evidence", NULL);
    key_note(p, say_key(p->lang, "GRADE_", grade));
    key_close(p);
}

static void key_figures(Page *p)
{
    const cJSON *r = p->r;
    html_open(p->h, "dl", "class", "keys", NULL);
    bool layers = cJSON_IsObject(json_at(r, "compiled"));
    key_open(p, layers ? SAY_KEY_LAYERS : p->d.measured ? SAY_KEY_MEASURED : SAY_KEY_PREDICTED);
    page_value(p, p->d.baseline, p->d.unit);
    if (!layers)
        key_note(p,
                 say(p->lang, p->d.throughput ? SAY_OBJECTIVE_THROUGHPUT : SAY_OBJECTIVE_LATENCY));
    key_close(p);
    key_gain(p);
    key_evidence(p);
    if (cJSON_IsObject(json_at(r, "ceiling"))) {
        key_open(p, SAY_KEY_HOST_FREE);
        page_value(p, json_number_or(r, "ceiling.host_free_ns", 0), "ns");
        key_note(p, say(p->lang, SAY_OBJECTIVE_LATENCY));
        key_close(p);
    }
    key_open(p, SAY_KEY_TARGET);
    html_text(p->h, json_text(r, "target", "?"));
    html_void(p->h, "br", NULL);
    html_open(p->h, "small", NULL);
    html_textf(p->h, "SDK %s", json_text(r, "sdk", "?"));
    html_close(p->h);
    key_close(p);
    html_close(p->h);
}

void html_verdict(Page *p)
{
    char pairs[32];
    Phrase buf;
    html_leaf(p->h, "p", verdict_sentence(&buf, p->r, &p->d, p->lang), "class", "verdict", NULL);
    first_step(p);
    key_figures(p);
    if (p->d.verified) {
        snprintf(pairs, sizeof pairs, "%d", p->d.pairs);
        html_leaf(p->h, "p",
                  say_with(&buf, p->lang, p->d.simulated ? SAY_SIMULATION : SAY_RUN_BY, p->d.runner,
                           pairs, NULL),
                  "class", "note", NULL);
    }
    html_gate(p);
}
