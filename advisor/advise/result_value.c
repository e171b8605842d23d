/* Rounds figures, and converts settings, places and accuracy to result types. */
#include "advisor/advise/result.h"

#include "advisor/report/result_json.h"
#include "advisor/rules/lever.h"
#include "advisor/rules/need.h"
#include "graph/model/model.h"

/* JSON integers are exact up to here. */
#define INTEGER_LIMIT 9007199254740991.0

double result_real(double x)
{
    char text[64];
    snprintf(text, sizeof text, "%.6g", isfinite(x) ? x : 0);
    double rounded = strtod(text, NULL);
    return rounded == 0 ? 0 : rounded; /* no -0 */
}

int64_t result_ns(double ns)
{
    double whole = isfinite(ns) ? round(ns) : 0;
    return (int64_t)fmin(fmax(whole, -INTEGER_LIMIT), INTEGER_LIMIT);
}

double result_amount(Objective o, double x)
{
    return o == OBJECTIVE_LATENCY ? (double)result_ns(x) : result_real(x);
}

static ResultIntervalNs interval_above(Interval v, double floor_ns)
{
    return (ResultIntervalNs){result_ns(fmax(v.lo, floor_ns)), result_ns(fmax(v.mid, floor_ns)),
                              result_ns(fmax(v.hi, floor_ns))};
}

ResultIntervalNs result_interval_ns(Interval v)
{
    return interval_above(v, 0);
}

ResultInterval result_interval(Interval v)
{
    return (ResultInterval){result_real(v.lo), result_real(v.mid), result_real(v.hi)};
}

static ResultInterval time_or_rate(Objective o, Interval v, double floor_ns)
{
    ResultIntervalNs t = interval_above(v, floor_ns);
    return o == OBJECTIVE_LATENCY ? (ResultInterval){(double)t.lo, (double)t.mid, (double)t.hi}
                                  : result_interval(v);
}

ResultInterval result_objective(Objective o, Interval v)
{
    return time_or_rate(o, v, 0);
}

ResultInterval result_difference(Objective o, Interval v)
{
    return time_or_rate(o, v, -INTEGER_LIMIT);
}

ResultInts result_ids(Arena *a, const uint32_t *id, size_t n)
{
    int64_t *list = ARENA_ARRAY(a, int64_t, n);
    for (size_t i = 0; i < n; i++)
        list[i] = id[i];
    return (ResultInts){list, n};
}

const char *result_sentence(Arena *a, const AdviseRequest *q, const Message *said)
{
    return said ? message_format(a, q->lang, said) : NULL;
}

ResultTexts result_notes(Arena *a, const Notes *notes, const Language *lang)
{
    const char **list = ARENA_ARRAY(a, const char *, notes->nnote);
    for (size_t i = 0; i < notes->nnote; i++)
        list[i] = message_format(a, lang, notes->note[i].said);
    return (ResultTexts){list, notes->nnote};
}

ResultLeverList result_levers(Arena *a, const Attempt *t, ResultLeverScope which)
{
    ResultLever *list = ARENA_ARRAY(a, ResultLever, t ? t->nset : 0);
    size_t n = 0;
    for (size_t i = 0; t && i < t->nset; i++)
        if (which == RESULT_ALL_SETTINGS || !t->set[i].given) {
            LeverWords s = lever_words(a, &t->set[i]);
            list[n++] = (ResultLever){s.lever, s.index, s.value};
        }
    return (ResultLeverList){list, n};
}

static ResultFix result_fix(const char *sdk, const Match *m, size_t attempt)
{
    assert(attempt < (m->nattempt ? m->nattempt : 1));
    return (ResultFix){.sdk = sdk,
                       .where = result_word(result_fix_where_words, m->fix_where),
                       .code = m->fix_rule && m->fix_rule->is_code,
                       .text = m->fix[attempt]};
}

ResultTexts result_needs(Arena *a, NeedSet needs)
{
    const char **word = ARENA_ARRAY(a, const char *, NEED_KINDS);
    return (ResultTexts){word, need_words(needs, word)};
}

/* What a change and work by hand take from a match alike. */
#define MATCH_FIELDS                                                                               \
    .rule_id = m->rule->id, .title = m->title[attempt], .fix = result_fix(sdk, m, attempt),        \
    .needs = result_needs(a, needs),                                                               \
    .level = result_word(result_level_words, level_name(m->level)),                                \
    .group = result_word(result_group_words, m->rule->group), .why = m->why, .risk = m->risk

ResultChange result_change(Arena *a, const Match *m, size_t attempt, const char *sdk, NeedSet needs)
{
    return (ResultChange){MATCH_FIELDS};
}

ResultHandWork result_hand_work(Arena *a, const Match *m, size_t attempt, const char *sdk,
                                NeedSet needs)
{
    return (ResultHandWork){MATCH_FIELDS};
}

ResultObservation result_observation(const Match *m, size_t attempt, const char *sdk)
{
    return (ResultObservation){.rule_id = m->rule->id,
                               .title = m->title[attempt],
                               .text = m->place[0].text,
                               .fix = result_fix(sdk, m, attempt),
                               .level = result_word(result_level_words, level_name(m->level)),
                               .group = m->rule->group,
                               .why = m->why};
}

ResultWhere result_where(const AdviseRun *run, const Occurrence *p)
{
    const Graph *g = run->program->model->graph;
    return (ResultWhere){.node =
                             p->node < g->nnode ? node_label(run->arena, &g->node[p->node]) : NULL,
                         .tensor = p->tensor < g->ntensor ? g->tensor[p->tensor].name : NULL,
                         .op = p->op};
}

static ResultAccuracyFigure accuracy_figure(const AccuracyFigure *f)
{
    return (ResultAccuracyFigure){result_word(result_accuracy_metric_words, f->metric),
                                  result_word(result_accuracy_unit_words, f->unit), f->value, f->lo,
                                  f->hi};
}

const ResultAccuracy *result_accuracy(Arena *a, const Accuracy *x)
{
    if (!x->known)
        return NULL;
    ResultAccuracyFigure head = accuracy_figure(&x->head),
                         *more = ARENA_ARRAY(a, ResultAccuracyFigure, x->nmore);
    for (size_t i = 0; i < x->nmore; i++)
        more[i] = accuracy_figure(&x->more[i]);
    return RESULT_NEW(a, ResultAccuracy,
                      {.metric = head.metric,
                       .unit = head.unit,
                       .value = head.value,
                       .lo = head.lo,
                       .hi = head.hi,
                       .images = (int64_t)x->images,
                       .runner = x->runner,
                       .exact = x->exact,
                       .output = x->output ? x->output : "",
                       .loss = {x->loss_lo, x->loss, x->loss_hi},
                       .more = {more, x->nmore}});
}
