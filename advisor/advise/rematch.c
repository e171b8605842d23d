/* Compiles a plan's edits, matches rules there, and spells their settings for the model as loaded.
 */
#include "advisor/advise/rematch.h"

#include "advisor/candidate/proposal.h"
#include "advisor/candidate/search/front.h"
#include "advisor/candidate/search/plan.h"
#include "advisor/candidate/search/space.h"
#include "advisor/rules/facts.h"
#include "advisor/rules/fingerprint.h"
#include "advisor/rules/lever.h"
#include "passes/pipeline.h"

typedef struct {
    AdviseRun *run;
    const Plan *plan;
    const Graph *graph; /* as edited */
    Attempt edits;      /* given */
    Proposal *added;
    size_t nadded;
} Rematch;

static Attempt edits_of(Arena *a, const Attempt *t)
{
    Attempt edits = {ARENA_ARRAY(a, LeverSetting, t->nset), 0};
    for (size_t i = 0; i < t->nset; i++)
        if (lever_table[t->set[i].lever].effect == EFFECT_EDIT) {
            edits.set[edits.nset] = t->set[i];
            edits.set[edits.nset++].given = true;
        }
    return edits;
}

/* ---- settings ---- */

static size_t port_named(const Graph *g, const TensorId *port, size_t n, const char *name)
{
    return LIST_INDEX(k, n, strcmp(g->tensor[port[k]].name, name) == 0);
}

/* The number of the same input or output in the model as loaded, else its name. */
static LeverTerm spell_port(const Rematch *k, const LeverTerm *at)
{
    const Graph *was = k->run->program->model->graph, *is = k->graph;
    const char *name = lever_port(is, at);
    bool input = at->kind == TERM_INPUT;
    if (!name)
        return *at;
    size_t n = input ? was->ninput : was->noutput;
    size_t i = port_named(was, input ? was->input : was->output, n, name);
    LeverTerm same = *at;
    same.number = (int64_t)i;
    return i < n ? same
                 : (LeverTerm){.kind = TERM_TENSOR, .text = arena_strdup(k->run->arena, name)};
}

/* The edits, and a try's own settings after them. */
static Attempt spell_attempt(const Rematch *k, const Attempt *t)
{
    Attempt all = {ARENA_ARRAY(k->run->arena, LeverSetting, k->edits.nset + t->nset), 0};
    memcpy(all.set, k->edits.set, k->edits.nset * sizeof *all.set);
    all.nset = k->edits.nset;
    for (size_t i = 0; i < t->nset; i++) {
        LeverSetting s = t->set[i];
        if (s.index.kind == TERM_INPUT || s.index.kind == TERM_OUTPUT)
            s.index = spell_port(k, &s.index);
        all.set[all.nset++] = s;
    }
    return all;
}

static bool has_own_settings(const Attempt *t, const Attempt *own)
{
    size_t same = LIST_SUM(size_t, i, own->nset, own->set[i].given || attempt_has(t, &own->set[i]));
    return same == own->nset;
}

/* Whether a match of the model as loaded has these settings already. */
static bool is_known(const Rematch *k, const Attempt *t)
{
    const Proposal *p = k->run->proposal;
    return LIST_ANY(
        i, k->run->nproposal,
        LIST_ANY(j, p[i].match->nattempt, has_own_settings(&p[i].match->attempt[j], t)));
}

static bool is_new(const Rematch *k, const Attempt *t)
{
    return t->nset > k->edits.nset && attempt_basis(t) == BASIS_WHAT_IF && !space_sets_axis(t) &&
           !is_known(k, t);
}

/* ---- occurrences ---- */

/* In the graph as loaded, where it has the same tensor or result. */
static Occurrence spell_occurrence(const Rematch *k, const Occurrence *x, const Attempt *t)
{
    const Graph *was = k->run->program->model->graph, *is = k->graph;
    Occurrence o = *x;
    const Node *n = x->node < is->nnode ? &is->node[x->node] : NULL;
    const char *result = n && n->noutput ? is->tensor[n->output[0]].name : "";
    uint32_t tensor = x->tensor < is->ntensor
                          ? strmap_get(&was->by_name, is->tensor[x->tensor].name)
                          : STRMAP_NONE;
    uint32_t made = *result ? strmap_get(&was->by_name, result) : STRMAP_NONE;
    o.step = STEP_NONE;
    o.tensor = tensor == STRMAP_NONE ? TENSOR_NONE : tensor;
    o.node = made == STRMAP_NONE ? NODE_NONE : was->tensor[made].producer;
    o.attempt = t;
    o.text =
        message_format(k->run->arena, k->run->request->lang,
                       MESSAGE(k->run->arena, phrase_arg(PHRASE_AFTER_EDITS), arg_text(x->text)));
    return o;
}

/* The texts of some of a match's tries. */
static const char **texts_of(Arena *a, const char *const *text, const size_t *of, size_t n)
{
    const char **ret = ARENA_ARRAY(a, const char *, n);
    for (size_t i = 0; i < n; i++)
        ret[i] = text[of[i]];
    return ret;
}

/* Its tries that are new; NULL: the match is known. */
static const Match *spell_match(const Rematch *k, const Match *m)
{
    Arena *a = k->run->arena;
    Attempt *attempt = ARENA_ARRAY(a, Attempt, m->nattempt + 1);
    size_t *of = ARENA_ARRAY(a, size_t, m->nattempt + 1), n = 0;
    for (size_t i = 0; i < m->nattempt; i++) {
        attempt[n] = spell_attempt(k, &m->attempt[i]);
        of[n] = i;
        n += is_new(k, &attempt[n]);
    }
    if (!n)
        return NULL;
    Occurrence *place = ARENA_ARRAY(a, Occurrence, m->nplace);
    for (size_t j = 0; j < m->nplace; j++) {
        place[j] = spell_occurrence(k, &m->place[j], attempt);
        place[j].fix = texts_of(a, m->place[j].fix, of, n);
    }
    Match *ret = ARENA_NEW(a, Match);
    *ret = *m;
    ret->place = place;
    ret->attempt = attempt;
    ret->nattempt = n;
    ret->title = texts_of(a, m->title, of, n);
    ret->fix = texts_of(a, m->fix, of, n);
    return ret;
}

/* It has neither passed nor is it not applicable. */
static void set_fired(const MatchList *l, const Rule *rule)
{
    for (size_t i = 0; i < l->noutcome; i++)
        if (l->outcome[i].rule == rule)
            l->outcome[i].outcome = OUTCOME_FIRED;
}

/* One that saves nothing after the edits alone may save something after all of the plan. */
static bool saves_after_plan(const Rematch *k, const Match *m)
{
    const PlanSet *s = &k->run->plans;
    Attempt none = {0};
    double without, with, most;
    return plan_with(s, k->plan, &none, &without, &most) &&
           plan_with(s, k->plan, &m->attempt[0], &with, &most) &&
           front_is_better(s->goal.objective, with, without);
}

static void add_matches(Rematch *k, const MatchList *list)
{
    Arena *a = k->run->arena;
    const char **fingerprint = fingerprint_all(a, k->graph, list);
    k->added = ARENA_ARRAY(a, Proposal, list->nmatch);
    for (size_t i = 0; i < list->nmatch; i++) {
        const Match *m = list->match[i].withheld ? NULL : spell_match(k, &list->match[i]);
        if (!m)
            continue;
        Proposal p = proposal_try(a, &k->run->whatif, m, fingerprint[i]);
        p.off = config_is_off(&k->run->rules.settings, m->rule->id);
        if (!proposal_has_gain(&p) || (p.gain.gain.mid <= 0 && !saves_after_plan(k, m)))
            continue;
        k->added[k->nadded++] = p;
        set_fired(&k->run->rules.matches, m->rule);
    }
}

static xmlDoc *facts_of(const AdviseRun *run, const Trial *t)
{
    const AdviseRequest *q = run->request;
    PassInput in = {t->program, run->costs, &t->variant.run, t->time, NULL, q->goal_per_s};
    FindingList findings = passes_run(run->arena, &in);
    double small_ns = fmax((double)q->min_gain_ns, q->min_share * t->time->latency_ns.mid);
    return facts_build(t->program, t->time, NULL, &t->variant.run, q->objective, small_ns,
                       &findings);
}

bool rematch_plan(AdviseRun *run, const Plan *p)
{
    Rematch k = {.run = run, .plan = p, .edits = edits_of(run->arena, &p->settings)};
    Trial t;
    Diag why;
    if (!k.edits.nset || whatif_try(&run->whatif, k.edits.set, k.edits.nset, &t, &why))
        return false;
    k.graph = t.program->model->graph;
    xmlDoc *facts = facts_of(run, &t);
    RuleScope made = {run->variant.compile.sdk, run->machine->family,
                      &run->program->model->graph->by_name, &k.graph->by_name};
    MatchList list = match_rules(run->arena, &run->rules.book, facts, made, run->request->lang);
    add_matches(&k, &list);
    xmlFreeDoc(facts);
    trial_free(&t);
    if (!k.nadded)
        return false;
    Proposal *all = ARENA_ARRAY(run->arena, Proposal, run->nproposal + k.nadded);
    memcpy(all, run->proposal, run->nproposal * sizeof *all);
    memcpy(all + run->nproposal, k.added, k.nadded * sizeof *all);
    run->proposal = all;
    run->nproposal += k.nadded;
    return true;
}
