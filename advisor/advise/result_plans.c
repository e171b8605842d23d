/* Builds now, the plans, their changes, and the configurations that were looked at. */
#include "advisor/advise/result.h"

#include "advisor/candidate/proposal.h"
#include "advisor/candidate/search/builds.h"
#include "advisor/candidate/search/front.h"
#include "advisor/candidate/search/plan.h"
#include "advisor/candidate/search/space.h"
#include "advisor/report/command_words.h"
#include "advisor/report/result_json.h"
#include "advisor/report/summary.h"
#include "advisor/rules/lever.h"
#include "advisor/rules/variant.h"
#include "graph/compile/machine.h"
#include "graph/compile/options.h"
#include "graph/compile/program.h"
#include "graph/options/option.h"

static ResultSource source_of(FigureSource s)
{
    return s == SOURCE_MEASURED    ? RESULT_SOURCE_MEASURED
           : s == SOURCE_SIMULATED ? RESULT_SOURCE_SIMULATED
                                   : RESULT_SOURCE_PREDICTED;
}

/* Beside no known cost the runtime's overhead alone is no latency. */
static const ResultNow *now_of(const AdviseRun *run, const Result *r)
{
    const PlanNow *n = &run->plans.now;
    if (!(n->latency_ns > 0) ||
        (n->source != SOURCE_MEASURED && !summary_any_cost_known(&r->steps)))
        return NULL;
    return RESULT_NEW(run->arena, ResultNow,
                      {.latency_ns = result_int_if(true, result_ns(n->latency_ns)),
                       .throughput_per_s = result_real_if(true, result_real(n->per_s)),
                       .source = source_of(n->source)});
}

/* The rule that an axis belongs to: the first of the book that sets its lever alone, whatever is
 * found; or else where something is. */
static const Rule *rule_of_axis(const AdviseRun *run, SpaceAxis axis)
{
    const Rule *some = NULL;
    for (size_t r = 0; r < run->rules.book.nrule; r++) {
        const Rule *rule = &run->rules.book.rule[r];
        for (size_t k = 0; k < rule->nattempt; k++)
            if (rule->attempt[k].nset == 1 &&
                rule->attempt[k].set[0].lever == space_axis_lever(axis)) {
                if (!rule->attempt[k].test)
                    return rule;
                some = some ? some : rule;
            }
    }
    return some;
}

/* A rule that asks for more workers is not the one of fewer. */
static bool goes_the_same_way(const PlanRow *x, const LeverSetting *s)
{
    int64_t value = x->axis == AXIS_TARGET ? s->value.pe : s->value.number;
    return (value > x->now) == (x->value > x->now) && value != x->now;
}

/* The proposal that asks for this setting, if a rule fired for it. */
static const Proposal *proposal_of_row(const AdviseRun *run, const PlanRow *x)
{
    LeverId lever = space_axis_lever(x->axis);
    for (size_t i = 0; !x->part && i < run->nproposal; i++) {
        const Match *m = run->proposal[i].match;
        if (LIST_ANY(k, m->nattempt,
                     m->attempt[k].nset == 1 && m->attempt[k].set[0].lever == lever &&
                         goes_the_same_way(x, &m->attempt[k].set[0])))
            return &run->proposal[i];
    }
    return x->part ? x->part->proposal : NULL;
}

static const Message *axis_title(const AdviseRun *run, const PlanRow *x)
{
    static const PhraseId title[] = {[AXIS_TARGET] = PHRASE_CHANGE_TARGET,
                                     [AXIS_BATCH] = PHRASE_CHANGE_BATCH,
                                     [AXIS_WORKERS] = PHRASE_CHANGE_WORKERS,
                                     [AXIS_DEPTH] = PHRASE_CHANGE_DEPTH,
                                     [AXIS_DEVICES] = PHRASE_CHANGE_DEVICES};
    static_assert(sizeof title / sizeof *title == AXIS_COUNT, "a title for each axis");
    return MESSAGE(run->arena, phrase_arg(title[x->axis]), arg_count(x->value), arg_count(x->now));
}

/* The setting as the tools of that SDK spell it. */
static const char *axis_fix(const AdviseRun *run, const PlanRow *x)
{
    Arena *a = run->arena;
    bool is_new = run->variant.compile.sdk >= 10;
    long long n = (long long)x->value;
    TargetText text;
    const char *target = target_text(&text, run->variant.compile.target_name, (int)x->value);
    const char *own = machine_spelling(a, run->machine, lever_table[space_axis_lever(x->axis)].name,
                                       arena_printf(a, "%lld", n));
    if (own)
        return own;
    switch (x->axis) {
    case AXIS_TARGET:
        return arena_printf(a, "%s --target-npu %s",
                            is_new ? "furiosa-compiler" : "furiosa compile", target);
    case AXIS_BATCH:
        return arena_printf(a, "%s --batch-size %lld",
                            is_new ? "furiosa-compiler" : "furiosa compile", n);
    case AXIS_WORKERS:
        return is_new ? arena_printf(a, "create_runner(model, worker_num=%lld)", n)
                      : arena_printf(a, "session.create(model, worker_num=%lld)", n);
    case AXIS_DEPTH:
        return RESULT_SENTENCE(run, MESSAGE(a, phrase_arg(PHRASE_FIX_DEPTH), arg_count(x->value)));
    default:
        return RESULT_SENTENCE(run,
                               MESSAGE(a, phrase_arg(PHRASE_FIX_DEVICES), arg_count(x->value)));
    }
}

/* "NPU504-" and 12 digits, as fingerprints of matches are, of the graph's setting as such. */
static const char *axis_fingerprint(const AdviseRun *run, const Rule *rule, SpaceAxis axis)
{
    uint64_t h = strmap_hash_string(HASH_SEED, lever_table[space_axis_lever(axis)].name);
    return arena_printf(run->arena, "%s-%012" PRIx64, rule ? rule->id : "setting",
                        h & UINT64_C(0xffffffffffff));
}

static ResultChange setting_change(const AdviseRun *run, const PlanRow *x)
{
    const Proposal *p = proposal_of_row(run, x);
    const Rule *rule = p ? p->match->rule : rule_of_axis(run, x->axis);
    const Language *lang = run->request->lang;
    const Lever *lever = &lever_table[space_axis_lever(x->axis)];
    bool is_code = x->axis != AXIS_DEPTH && x->axis != AXIS_DEVICES;
    return (ResultChange){
        .rule_id = rule ? rule->id : "",
        .fingerprint = p ? p->fingerprint : axis_fingerprint(run, rule, x->axis),
        .title = RESULT_SENTENCE(run, axis_title(run, x)),
        .where = p ? result_where(run, &p->match->place[0]) : (ResultWhere){.node = NULL},
        .occurrences = p ? result_occurrences(run, p, p->chosen) : (ResultPlaceList){NULL, 0},
        .fix = {sdk_text(run->variant.compile.sdk),
                result_word(result_fix_where_words, lever->where), is_code, axis_fix(run, x)},
        .needs = result_needs(run->arena, x->needs),
        .level =
            rule ? result_word(result_level_words, level_name(p ? p->match->level : rule->level))
                 : RESULT_LEVEL_INFO,
        .group = rule ? result_word(result_group_words, rule->group) : RESULT_GROUP_RUNTIME,
        .why = rule ? rule_text(&rule->why, lang) : "",
        .risk = rule ? rule_text(&rule->risk, lang) : ""};
}

enum { POINT_NAME_MAX = 256 };

/* "batch=4", or an edit in words; of many settings the first ones and how many more. */
static const char *point_name(Arena *a, const Attempt *t, const Language *lang)
{
    const char *text = "";
    Phrase p;
    for (size_t i = 0; i < t->nset; i++) {
        if (strlen(text) >= POINT_NAME_MAX)
            return arena_printf(a, "%s (+%zu)", text, t->nset - i);
        text = arena_printf(a, "%s%s%s", text, i ? ", " : "",
                            lever_sentence(&p, lang, lever_words(a, &t->set[i])));
    }
    return text;
}

static ResultSweep sweep_point(const AdviseRun *run, const Proposal *p, size_t i, bool chosen)
{
    const ProposalTrial *x = &p->point[i];
    Objective o = run->request->objective;
    ResultSweep point = {.value = point_name(run->arena, &p->match->attempt[i], run->request->lang),
                         .chosen = chosen};
    if (x->tried && x->gain.known) {
        point.objective =
            RESULT_NEW(run->arena, ResultInterval, result_objective(o, x->gain.objective));
        point.gain = RESULT_NEW(run->arena, ResultInterval, result_difference(o, x->gain.gain));
    }
    return point;
}

/* The curve of a change with several settings to choose from. */
static ResultSweepList sweep_of(const AdviseRun *run, const Proposal *p, size_t chosen)
{
    size_t n = p && p->npoint > 1 ? p->npoint : 0;
    ResultSweep *list = ARENA_ARRAY(run->arena, ResultSweep, n);
    for (size_t i = 0; i < n; i++)
        list[i] = sweep_point(run, p, i, i == chosen);
    return (ResultSweepList){list, n};
}

/* Rules that may apply once this one is followed. */
static ResultTexts enables_of(const AdviseRun *run, const Rule *rule, const ResultChange *list,
                              size_t n)
{
    const char **id = ARENA_ARRAY(run->arena, const char *, rule->nenables);
    size_t count = 0;
    for (size_t i = 0; i < rule->nenables; i++) {
        const Rule *other = rule_find(&run->rules.book, rule->enables[i]);
        if (other && !LIST_ANY(k, n, !strcmp(list[k].rule_id, other->id)))
            id[count++] = other->id;
    }
    return (ResultTexts){id, count};
}

static ResultChange rule_change(const AdviseRun *run, const PlanRow *x)
{
    const Proposal *p = x->part->proposal;
    ResultChange c = result_change(run->arena, p->match, x->attempt,
                                   sdk_text(run->variant.compile.sdk), x->needs);
    c.fingerprint = p->fingerprint;
    c.where = result_where(run, &p->match->place[0]);
    c.occurrences = result_occurrences(run, p, x->attempt);
    c.accuracy = result_accuracy(run->arena, &p->accuracy);
    c.accuracy_reason = RESULT_SENTENCE(run, p->accuracy_why);
    c.verdict = p->verdict == VERDICT_ACCURACY_BLOCKED ? RESULT_CHANGE_VERDICT_ACCURACY_BLOCKED
                                                       : RESULT_CHANGE_VERDICT_UNSET;
    c.sweep = sweep_of(run, p, x->attempt);
    return c;
}

static Gain gain_of_axis(const AdviseRun *run, const PlanRow *x)
{
    Trial t;
    Diag why;
    if (whatif_try(&run->whatif, x->own.set, x->own.nset, &t, &why))
        return (Gain){.known = false};
    Gain g = whatif_gain(&run->whatif, &t);
    trial_free(&t);
    return g;
}

/* What the row saves by itself: its own settings, which need not be the proposal's choice. */
static ResultGain alone_of(const AdviseRun *run, const PlanRow *x)
{
    Proposal as = {.gain = {.known = false}};
    if (x->part)
        as = *x->part->proposal;
    if (!x->part)
        as.gain = gain_of_axis(run, x);
    else if (as.point[x->attempt].tried && as.point[x->attempt].gain.known)
        as.gain = as.point[x->attempt].gain;
    else
        return result_gain(run, &as);
    as.basis = BASIS_WHAT_IF;
    as.unknown = as.gain.known ? NULL : MESSAGE(run->arena, phrase_arg(PHRASE_NOT_ALONE));
    return result_gain(run, &as);
}

typedef struct {
    const PlanRow *row[ROUTE_COUNT * (PARTS_MAX + AXIS_COUNT)];
    size_t n;
} RowList;

static bool is_same_change(const PlanRow *a, const PlanRow *b)
{
    return a->part ? a->part == b->part && a->attempt == b->attempt
                   : !b->part && a->axis == b->axis && a->value == b->value;
}

static size_t number_of(const RowList *l, const PlanRow *x)
{
    size_t i = LIST_INDEX(k, l->n, is_same_change(l->row[k], x));
    return i;
}

static void add_rows(RowList *l, const Plan *p)
{
    for (size_t i = 0; i < p->nrow; i++)
        if (number_of(l, &p->row[i]) == l->n)
            l->row[l->n++] = &p->row[i];
}

/* Those of the recommended plan first. */
static RowList list_of_rows(const PlanSet *s)
{
    RowList l = {.n = 0};
    const Plan *first = plan_recommended(s);
    if (first)
        add_rows(&l, first);
    for (size_t i = 0; i < s->nplan; i++)
        add_rows(&l, &s->plan[i]);
    return l;
}

static ResultChangeList changes_of(const AdviseRun *run, const RowList *l)
{
    ResultChange *list = ARENA_ARRAY(run->arena, ResultChange, l->n);
    for (size_t i = 0; i < l->n; i++) {
        const PlanRow *x = l->row[i];
        list[i] = x->part ? rule_change(run, x) : setting_change(run, x);
        list[i].id = (int64_t)i + 1;
        list[i].alone = alone_of(run, x);
        list[i].levers = result_levers(run->arena, &x->own, RESULT_ALL_SETTINGS);
    }
    for (size_t i = 0; i < l->n; i++)
        if (l->row[i]->part)
            list[i].enables = enables_of(run, l->row[i]->part->proposal->match->rule, list, l->n);
    return (ResultChangeList){list, l->n};
}

static ResultPlanChange plan_change(const AdviseRun *run, const RowList *l, const Plan *p,
                                    const PlanRow *x)
{
    Objective o = run->request->objective;
    return (ResultPlanChange){
        .id = (int64_t)number_of(l, x) + 1,
        .saves = x->merged ? NULL
                           : RESULT_NEW(run->arena, ResultInterval, result_difference(o, x->saves)),
        .source = source_of(p->source),
        .accuracy = result_accuracy(run->arena, &x->accuracy),
        .steps = result_ids(run->arena, x->effect.step, x->effect.nstep),
        .operators = result_ids(run->arena, x->effect.op, x->effect.nop)};
}

static Sdk sdk_of(const AdviseRun *run, const Plan *p)
{
    const LeverSetting *s = attempt_setting(&p->settings, LEVER_SDK);
    return s && s->value.kind == TERM_SDK ? s->value.sdk : run->variant.compile.sdk;
}

static ResultSettings settings_of(const AdviseRun *run, const Plan *p)
{
    const Variant *now = &run->variant;
    const TunePoint *x = &p->point;
    TargetText text;
    int set = space_queue_depth(run->plans.space, x->workers);
    int depth = set ? set : now->run.queue_depth;
    return (ResultSettings){
        .target =
            arena_strdup(run->arena, target_text(&text, now->compile.target_name, x->build->pe)),
        .sdk = sdk_text(sdk_of(run, p)),
        .batch = x->build->batch,
        .workers = x->workers,
        .queue_depth = result_int_if(depth > 0, depth),
        .devices = x->devices};
}

/* The options with which a runner runs the model of the bundle. */
static ResultTexts run_options_of(const AdviseRun *run, const Plan *p)
{
    Arena *a = run->arena;
    Variant v = run->variant;
    Diag why;
    size_t n = 0, nrun = 0;
    if (LIST_ANY(i, p->settings.nset, variant_apply(a, &v, run->model, &p->settings.set[i], &why)))
        return (ResultTexts){NULL, 0};
    if (run->program->precision != PRECISION_ASSUMED_PTQ) /* the model carries its types */
        v.compile.ninput_dtype = v.compile.noutput_dtype = 0;
    const char **compile = compile_options_argv(a, &v.compile, &n);
    const char **options = run_options_argv(a, &v.run, true, &nrun);
    const char **word = ARENA_ARRAY(a, const char *, n + nrun);
    memcpy(word, compile, n * sizeof *word);
    if (nrun)
        memcpy(word + n, options, nrun * sizeof *word);
    return (ResultTexts){word, n + nrun};
}

static ResultAfter after_of(const AdviseRun *run, const Plan *p)
{
    const Verified *v = &p->verified;
    return (ResultAfter){
        .latency_ns = result_objective(OBJECTIVE_LATENCY, p->latency_ns),
        .throughput_per_s = result_interval(p->per_s),
        .source = source_of(p->source),
        .runner = v->n ? v->runner : NULL,
        .members = v->n && v->members ? RESULT_NEW(run->arena, ResultMembers, {v->members, v->real})
                                      : NULL,
        .pairs = result_int_if(v->n > 0, v->n)};
}

/* Why the vendor's quantizer takes the model of the plan in no form; NULL: it does. */
static const char *refusal_of_plan(const AdviseRun *run, const Plan *p)
{
    const TunePoint *x = &p->point;
    Trial t;
    Diag diag;
    if (builds_trial(run->plans.search.builds, x->build, x->workers, x->devices, &t, &diag))
        return NULL;
    const char *why = program_refusal(run->arena, t.program);
    trial_free(&t);
    return why;
}

static ResultPlan plan_of(const AdviseRun *run, const Result *r, const RowList *l, const Plan *p)
{
    Arena *a = run->arena;
    ResultPlanChange *change = ARENA_ARRAY(a, ResultPlanChange, p->nrow);
    for (size_t i = 0; i < p->nrow; i++)
        change[i] = plan_change(run, l, p, &p->row[i]);
    const char *words = command_words(a, r, NULL);
    return (ResultPlan){
        .id = arena_strdup(a, p->id),
        .route = result_word(result_route_words, route_name(p->route)),
        .recommended = p == plan_recommended(&run->plans),
        .settings = settings_of(run, p),
        .levers = result_levers(a, &p->settings, RESULT_ALL_SETTINGS),
        .needs = result_needs(a, p->needs),
        .after = after_of(run, p),
        .predicted = result_objective(run->request->objective, p->predicted),
        .at_least = p->at_least,
        .application_ns = result_objective(OBJECTIVE_LATENCY, p->application_ns),
        .changes = {change, p->nrow},
        .verdict = result_word(result_verdict_words, verdict_name(p->verdict)),
        .accuracy = result_accuracy(a, &p->accuracy),
        .bundle = {arena_printf(a, "npu-advise apply %s%s%s %s %s %s fixed", words,
                                run->request->verify ? " " : "",
                                run->request->verify ? option_flag(OPTION_VERIFY) : "",
                                option_flag(OPTION_PLAN), p->id, option_flag(OPTION_OUTPUT)),
                   refusal_of_plan(run, p), run_options_of(run, p)}};
}

static ResultTexts rules_of_point(const AdviseRun *run, const TunePoint *x)
{
    const Space *s = run->plans.space;
    const char **id = ARENA_ARRAY(run->arena, const char *, s->npart);
    size_t n = 0;
    for (size_t i = 0; i < s->npart; i++)
        if (x->build->set.way[i])
            id[n++] = s->part[i].proposal->match->rule->id;
    return (ResultTexts){id, n};
}

static bool is_same_point(const TunePoint *x, const TunePoint *y)
{
    return x->build == y->build && x->workers == y->workers && x->devices == y->devices;
}

/* A point that is a plan has the plan's figures. */
static ResultFront front_point_of(const AdviseRun *run, const TunePoint *x)
{
    const Plan *plan = LIST_FIND(i, run->plans.plan, run->plans.nplan,
                                 is_same_point(&run->plans.plan[i].point, x));
    const PlanNow *now = &run->plans.now;
    ResultAfter after = plan ? after_of(run, plan) : (ResultAfter){.members = NULL};
    TargetText text;
    const char *name = run->variant.compile.target_name;
    return (ResultFront){.target = arena_strdup(run->arena, target_text(&text, name, x->build->pe)),
                         .batch = x->build->batch,
                         .workers = x->workers,
                         .devices = x->devices,
                         .latency_ns =
                             plan ? after.latency_ns.mid
                                  : (double)result_ns(plan_latency_after(now, x->latency_ns)),
                         .throughput_per_s = plan ? after.throughput_per_s.mid
                                                  : result_real(plan_rate_after(now, x->per_s)),
                         .needs = result_needs(run->arena, x->needs),
                         .rules = rules_of_point(run, x),
                         .plan = plan ? arena_strdup(run->arena, plan->id) : NULL};
}

/* Puts the plans that are not on the front beside it: they have fewer needs, or a smaller batch. */
static void add_plans(const AdviseRun *run, TunePoint *point, size_t *n)
{
    for (size_t i = 0; i < run->plans.nplan; i++) {
        const TunePoint *p = &run->plans.plan[i].point;
        size_t k = 0, at;
        while (k < *n && !is_same_point(&point[k], p))
            k++;
        if (k < *n)
            continue;
        for (at = (*n)++; at > 0 && point[at - 1].per_s > p->per_s; at--)
            point[at] = point[at - 1];
        point[at] = *p;
    }
}

static ResultFrontList front_list(const AdviseRun *run)
{
    size_t n = 0;
    if (!run->request->front)
        return (ResultFrontList){NULL, 0};
    const TunePoint *front = front_of(run->arena, &run->plans.search.points, &n);
    TunePoint *point = ARENA_ARRAY(run->arena, TunePoint, n + ROUTE_COUNT);
    memcpy(point, front, n * sizeof *point);
    add_plans(run, point, &n);
    ResultFront *list = ARENA_ARRAY(run->arena, ResultFront, n);
    for (size_t i = 0; i < n; i++)
        list[i] = front_point_of(run, &point[i]);
    return (ResultFrontList){list, n};
}

static const ResultSearched *searched_of(const AdviseRun *run)
{
    const Search *s = &run->plans.search;
    return RESULT_NEW(run->arena, ResultSearched,
                      {.points = (int64_t)s->points.seen,
                       .builds = (int64_t)s->builds->nbuild,
                       .compiled = (int64_t)s->builds->ncompiled,
                       .exhaustive = s->exhaustive,
                       .changes_left_out = (int64_t)run->plans.space->nleft_out});
}

void result_set_plans(Result *ret, const AdviseRun *run)
{
    const PlanSet *s = &run->plans;
    RowList rows = list_of_rows(s);
    ResultPlan *plan = ARENA_ARRAY(run->arena, ResultPlan, s->nplan);
    ret->now = now_of(run, ret);
    ret->rate = result_rate(run);
    ret->latency_limit_ns =
        result_int_if(run->request->latency_limit_ns > 0, run->request->latency_limit_ns);
    for (size_t i = 0; i < s->nplan; i++)
        plan[i] = plan_of(run, ret, &rows, &s->plan[i]);
    ret->plans = (ResultPlanList){plan, s->nplan};
    const ResultPlan *best = LIST_FIND(i, plan, s->nplan, plan[i].recommended);
    ret->refused = best ? best->bundle.refused : program_refusal(run->arena, run->program);
    ret->conversion = ret->refused ? NULL : result_conversion(run);
    ret->changes = changes_of(run, &rows);
    ret->front = front_list(run);
    ret->searched = searched_of(run);
}
