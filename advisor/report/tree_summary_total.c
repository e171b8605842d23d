/* Scales the saving of all changes together, or of the first, to the baseline. */
#include "advisor/report/tree_summary_total.h"

#include "advisor/report/tree_finding.h"
#include "advisor/message/figure.h"
#include "graph/base/arena.h"

#include <string.h>

/* The objective after a saving of `gain`. */
static double objective_after(const TreeSummary *d, double before, double gain)
{
    double after = d->throughput ? before + gain : before - gain;
    /* At least a thousandth of the time remains. */
    return after > before / 1000 ? after : before / 1000;
}

/* `g` is a saving of `before`, in older results relative to the runs. */
static void set_before_after(TreeSummaryTotal *o, const TreeSummary *d, const cJSON *g,
                             double before)
{
    double mid, lo, hi;
    if (!tree_gain_middle(g, &mid) || !(before > 0) || !(d->baseline > 0))
        return;
    /* Rates are relative to the replay, with its number of workers or the best. */
    double scale = d->throughput ? 1 : d->baseline / before;
    o->known = true;
    o->now = scale * before;
    o->after = scale * objective_after(d, before, mid);
    o->factor = d->throughput ? o->after / o->now : o->now / o->after;
    o->lo = o->hi = o->after;
    if (json_number(g, "lo", &lo) && json_number(g, "hi", &hi)) {
        o->lo = scale * objective_after(d, before, d->throughput ? lo : hi);
        o->hi = scale * objective_after(d, before, d->throughput ? hi : lo);
    }
}

TreeSummaryTotal tree_summary_total_of(const cJSON *result, const TreeSummary *d)
{
    TreeSummaryTotal o = {.now = d->baseline};
    if (d->outcome != TREE_SUMMARY_ADVICE)
        return o;
    bool combined = cJSON_IsObject(json_at(result, "combined"));
    o.gain = combined ? json_at(result, "combined") : json_at(d->first, "gain");
    const cJSON *seen = tree_gain_verified(o.gain), *raw = json_at(o.gain, "verified");
    double before = json_number_or(o.gain, "baseline", d->baseline);
    o.verified = seen != NULL;
    if (seen && seen == raw)
        before = json_number_or(raw, "baseline", before);
    set_before_after(&o, d, seen ? seen : json_at(o.gain, "predicted"), before);
    return o;
}

/* Titles begin with a verb, in lower case after another title. */
static const char *lowercase_title(char *buf, size_t size, const char *title, const Language *lang)
{
    snprintf(buf, size, "%s", title);
    bool word = buf[0] >= 'A' && buf[0] <= 'Z' && buf[1] >= 'a' && buf[1] <= 'z';
    if (word && !strcmp(language_tag(lang), "en"))
        buf[0] = (char)(buf[0] - 'A' + 'a');
    return buf;
}

const char *tree_summary_total_actions(Phrase *buf, const cJSON *result, const TreeSummary *d,
                                       const Language *lang)
{
    const cJSON *part[2] = {d->first, NULL}, *rec;
    char second[400], more[24];
    size_t n = 0;
    cJSON_ArrayForEach(rec, json_at(result, "recommendations"))
    {
        if (!cJSON_IsObject(json_at(result, "combined")) || !tree_summary_is_combined(result, rec))
            continue;
        if (n < 2)
            part[n] = rec;
        n++;
    }
    const char *title = json_text(part[0], "title", "?");
    if (!part[1])
        return phrase_format(buf, lang, PHRASE_HEAD_ACTION, title, NULL);
    lowercase_title(second, sizeof second, json_text(part[1], "title", "?"), lang);
    snprintf(more, sizeof more, "%zu", n - 2);
    return phrase_format(buf, lang, n > 2 ? PHRASE_HEAD_ACTIONS_MORE : PHRASE_HEAD_ACTIONS, title,
                         second, more, NULL);
}

const cJSON *tree_summary_uncovered_cost(const cJSON *result, double *ret_ns)
{
    const cJSON *x, *most = NULL;
    double ns;
    *ret_ns = 0;
    cJSON_ArrayForEach(x, json_at(result, "observations"))
    {
        if (json_number(x, "cost_ns", &ns) && ns > *ret_ns) {
            *ret_ns = ns;
            most = x;
        }
    }
    double all = json_number_or(result, "measured.latency_ns.median",
                                json_number_or(result, "prediction.latency_ns.mid", 0));
    return *ret_ns >= all / 10 ? most : NULL;
}

/* ---- what to deploy ---- */

int tree_summary_part_count(const cJSON *part)
{
    const char *rule = json_text(part, "rule_id", "");
    int times = 1;
    if (!*rule)
        return 1;
    for (const cJSON *x = part->prev; x->next; x = x->prev) /* the first one's is the last */
        if (!strcmp(json_text(x, "rule_id", ""), rule))
            return 0;
    for (const cJSON *x = part->next; x; x = x->next)
        times += !strcmp(json_text(x, "rule_id", ""), rule);
    return times;
}

const char *tree_summary_point_settings(Arena *a, const cJSON *point)
{
    const char *text = "", *options = "";
    const cJSON *part, *lever;
    cJSON_ArrayForEach(part, json_at(point, "parts"))
    {
        const char *rule = json_text(part, "rule_id", "");
        int times = tree_summary_part_count(part);
        if (*rule && times)
            text = arena_printf(a, "%s%s%s", text, *text ? ", " : "", rule);
        if (*rule && times > 1)
            text = arena_printf(a, "%s ×%d", text, times);
        cJSON_ArrayForEach(lever, json_at(part, "levers")) if (!*rule) options =
            arena_printf(a, "%s%s--%s %s", options, *options ? " " : "",
                         json_text(lever, "lever", "?"), json_text(lever, "value", "?"));
    }
    if (!*text && !*options)
        return NULL;
    return arena_printf(a, "%s%s%s", text, *text && *options ? ", " : "", options);
}

TreeSummaryDeploy tree_summary_deploy(Arena *a, const cJSON *result)
{
    const cJSON *point = json_at(result, "tuned.recommended");
    bool latency = !strcmp(json_text(result, "objective", ""), "latency");
    TreeSummaryDeploy d = {.unit = latency ? "ns" : "per_s"};
    d.settings = cJSON_IsObject(point) ? tree_summary_point_settings(a, point) : NULL;
    if (!d.settings)
        return d;
    const cJSON *run = json_at(point, "verified"), *now = json_at(result, "tuned.baseline");
    d.point = point;
    d.effort = json_text(result, "tuned.effort", "?");
    d.verified = cJSON_IsObject(run);
    d.after = d.verified ? run : json_at(point, latency ? "latency_ns" : "throughput_per_s");
    d.now = d.verified
                ? json_number_or(run, "baseline", 0)
                : json_number_or(now, latency ? "latency_ns.mid" : "throughput_per_s.mid", 0);
    return d;
}

const char *tree_summary_deploy_text(Phrase *buf, const TreeSummaryDeploy *d, const Language *lang)
{
    Figure now, after;
    return phrase_format(buf, lang, d->verified ? PHRASE_DEPLOY_RUN : PHRASE_DEPLOY_PREDICTED,
                         d->settings, figure_value(&now, d->now, d->unit),
                         figure_json(&after, d->after, d->unit),
                         json_text(d->point, "verified.runner", "?"), d->effort, NULL);
}
