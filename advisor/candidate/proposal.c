/* Tries the settings of each match and chooses the cheapest try that is close to the best. */
#include "advisor/candidate/proposal.h"
#include "graph/compile/compiler_config.h"
#include "graph/compile/machine.h"
#include "graph/import/vendor_graph.h"

#include "advisor/rules/fingerprint.h"
#include "advisor/rules/lever.h"
#include "advisor/message/phrase.h"

/* The first (cheapest) try this close to the best wins: 5 % is not worth a batch (assumed). */
#define SWEEP_TOLERANCE 0.05
#define SWEEP_MIN_SHARE 0.5 /* … and has at least this share of the best saving */

ENUM_WORDS(verdict_name, Verdict, VERDICT_NOT_VERIFIABLE + 1, NULL, "confirmed", "larger",
           "smaller", "no-gain", "regression", "accuracy-blocked", "not-verifiable")

ENUM_WORDS(basis_name, Basis, BASIS_BOUND + 1, "what-if", "stand-in", "bound")

static Basis basis_of(const LeverSetting *s)
{
    if (s->lever == LEVER_WITHOUT ||
        (s->lever == LEVER_COMPILER_CONFIG && compiler_config_moves_work(s->index.text)))
        return BASIS_BOUND;
    return s->lever == LEVER_STAND_IN ? BASIS_STAND_IN : BASIS_WHAT_IF;
}

Basis attempt_basis(const Attempt *t)
{
    Basis b = BASIS_WHAT_IF;
    for (size_t i = 0; i < t->nset; i++) {
        Basis of = basis_of(&t->set[i]);
        b = of > b ? of : b;
    }
    return b;
}

LeverSetting *attempt_setting(const Attempt *t, LeverId lever)
{
    return t ? LIST_FIND(i, t->set, t->nset, t->set[i].lever == lever) : NULL;
}

bool attempt_has(const Attempt *t, const LeverSetting *want)
{
    return LIST_ANY(i, t->nset, lever_setting_equal(&t->set[i], want));
}

bool attempt_makes(const Attempt *t, const LeverSetting *want)
{
    return LIST_ANY(i, t->nset, !t->set[i].given && lever_setting_equal(&t->set[i], want));
}

NeedSet attempt_needs(const Attempt *t, bool moves)
{
    NeedSet needs = NEED_NONE;
    for (size_t i = 0; i < t->nset; i++)
        if (!t->set[i].given)
            needs |= lever_setting_needs(&t->set[i], moves);
    return needs;
}

bool attempt_is_rest(const Attempt *t)
{
    return t->nset == 1 && t->set[0].lever == LEVER_WITHOUT && t->set[0].index.kind == TERM_NONE;
}

/* A duplicate of an output can be dropped without a loss. */
static bool drops_values(const LeverSetting *s)
{
    bool same = s->value.text && !strcmp(s->value.text, "duplicate");
    return s->lever == LEVER_DROP_OUTPUT && !same;
}

/* The model becomes another one, or is quantized again. */
static bool changes_model(const LeverSetting *s)
{
    const char *where = lever_table[s->lever].where;
    return !strcmp(where, "model") || !strcmp(where, "quantizer");
}

bool attempt_is_by_hand(const Attempt *t, const Model *m)
{
    static const LeverId own[] = {LEVER_APPLICATION_THREADS, LEVER_SPARED_NS, LEVER_IO_THREADS,
                                  LEVER_PATCH};
    if (LIST_ANY(i, sizeof own / sizeof *own, attempt_setting(t, own[i])))
        return true;
    bool fixed = vendor_graph_is_dfg(m->file.data, m->file.size);
    return t &&
           LIST_ANY(i, t->nset, drops_values(&t->set[i]) || (fixed && changes_model(&t->set[i])));
}

Attempt attempt_user_set(Arena *a, const Attempt *t)
{
    Attempt given = {ARENA_ARRAY(a, LeverSetting, t->nset), 0};
    for (size_t i = 0; i < t->nset; i++)
        if (t->set[i].given)
            given.set[given.nset++] = t->set[i];
    return given;
}

const Attempt *proposal_attempt(const Proposal *p)
{
    return p->npoint ? &p->match->attempt[p->chosen] : NULL;
}

bool proposal_has_gain(const Proposal *p)
{
    return p->unknown == NULL;
}

/* The path of the model is dropped from the error. */
static const Message *refusal_message(Arena *a, const WhatIf *w, const Diag *why)
{
    const char *path = w->model->path ? w->model->path : "";
    size_t n = strlen(path);
    bool named = n && !strncmp(why->text, path, n) && !strncmp(why->text + n, ": ", 2);
    return message_verbatim(a, named ? why->text + n + 2 : why->text);
}

/* A change that depends on another saves what it adds to that one. */
static ProposalTrial try_on_top(Arena *a, const WhatIf *w, const Attempt *t, const Attempt *given)
{
    Trial alone, both;
    Diag why;
    if (whatif_try(w, given->set, given->nset, &alone, &why))
        return (ProposalTrial){.tried = false, .reason = refusal_message(a, w, &why)};
    ProposalTrial p = {.tried = false};
    if (whatif_try(w, t->set, t->nset, &both, &why)) {
        p.reason = refusal_message(a, w, &why);
    } else {
        p = (ProposalTrial){.tried = true, .gain = whatif_gain_over(w, &alone, &both)};
        trial_free(&both);
    }
    trial_free(&alone);
    return p;
}

static int64_t returned_elements(const Program *p)
{
    const Graph *g = p->model->graph;
    return LIST_SUM(int64_t, i, g->noutput, shape_elements(tensor_shape(&g->tensor[g->output[i]])));
}

/* With another image size, a detector returns more or fewer boxes; a classifier does not. */
static void note_output_sizes(const WhatIf *w, const Attempt *t, const Trial *trial)
{
    bool other = returned_elements(trial->program) != returned_elements(w->baseline.program);
    for (size_t i = 0; i < t->nset; i++)
        t->set[i].resizes_outputs = other && t->set[i].lever == LEVER_WIDTH;
}

static ProposalTrial try_point(Arena *a, const WhatIf *w, const Attempt *t)
{
    Trial trial;
    Diag why;
    Attempt given = attempt_user_set(a, t);
    if (given.nset)
        return try_on_top(a, w, t, &given);
    if (whatif_try(w, t->set, t->nset, &trial, &why))
        return (ProposalTrial){.tried = false, .reason = refusal_message(a, w, &why)};
    note_output_sizes(w, t, &trial);
    ProposalTrial p = {.tried = true, .gain = whatif_gain(w, &trial)};
    double limit = (double)w->latency_limit_ns, latency = trial_latency_ns(&trial);
    if (w->objective == OBJECTIVE_THROUGHPUT && limit > 0 && latency > limit)
        p = (ProposalTrial){.tried = false,
                            .reason = MESSAGE(a, phrase_arg(PHRASE_OVER_LIMIT), arg_time(latency),
                                              arg_time(limit))};
    trial_free(&trial);
    return p;
}

/* The saving with a newer SDK is the one over that SDK alone. */
static ProposalTrial try_with_sdk(Arena *a, const WhatIf *w, const Attempt *t, Sdk sdk)
{
    Attempt given = attempt_user_set(a, t);
    LeverSetting *set = ARENA_ARRAY(a, LeverSetting, t->nset + 1);
    LeverSetting *first = ARENA_ARRAY(a, LeverSetting, given.nset + 1);
    set[0] = first[0] =
        (LeverSetting){.lever = LEVER_SDK, .value = {.kind = TERM_SDK, .sdk = sdk}, .given = true};
    memcpy(set + 1, t->set, t->nset * sizeof *set);
    memcpy(first + 1, given.set, given.nset * sizeof *set);
    return try_on_top(a, w, &(Attempt){set, t->nset + 1}, &(Attempt){first, given.nset + 1});
}

static bool is_close(const WhatIf *w, const Gain *g, const Gain *best)
{
    if (g->gain.mid < SWEEP_MIN_SHARE * best->gain.mid)
        return false;
    double x = g->objective.mid, y = best->objective.mid;
    return w->objective == OBJECTIVE_LATENCY ? x <= y * (1 + SWEEP_TOLERANCE)
                                             : x >= y * (1 - SWEEP_TOLERANCE);
}

/* The firmest basis of a try with a known saving. */
static Basis firmest_basis(const Proposal *p)
{
    Basis b = BASIS_BOUND;
    for (size_t i = 0; i < p->npoint; i++)
        if (p->point[i].tried && p->point[i].gain.known && attempt_basis(&p->match->attempt[i]) < b)
            b = attempt_basis(&p->match->attempt[i]);
    return b;
}

/* The best try on a basis; npoint when none has a known saving. */
static size_t best_on(const Proposal *p, Basis basis)
{
    size_t best = p->npoint;
    for (size_t i = 0; i < p->npoint; i++) {
        const ProposalTrial *x = &p->point[i];
        if (x->tried && x->gain.known && attempt_basis(&p->match->attempt[i]) == basis &&
            (best == p->npoint || x->gain.gain.mid > p->point[best].gain.gain.mid))
            best = i;
    }
    return best;
}

/* Index of the try to propose; npoint when none has a known saving.  Figures of different bases are
 * not compared: a bound is always larger than a tried change.  But a stand-in is not the change:
 * where it saves nothing, the bound of the removed operator still applies. */
static size_t choose_attempt(const WhatIf *w, const Proposal *p)
{
    Basis basis = firmest_basis(p);
    size_t best = best_on(p, basis);
    if (basis == BASIS_STAND_IN && p->point[best].gain.gain.mid <= 0) {
        size_t bound = best_on(p, BASIS_BOUND);
        if (bound < p->npoint)
            return bound;
    }
    for (size_t i = 0; i < best && best < p->npoint; i++)
        if (p->point[i].tried && p->point[i].gain.known &&
            attempt_basis(&p->match->attempt[i]) == basis &&
            is_close(w, &p->point[i].gain, &p->point[best].gain))
            return i;
    return best;
}

static const Message *why_unknown(Arena *a, const Proposal *p)
{
    if (p->match->untried)
        return p->match->untried;
    return LIST_VALUE(
        i, p->npoint, p->point[i].tried, MESSAGE(a, phrase_arg(PHRASE_COST_UNKNOWN)),
        p->npoint ? MESSAGE(a, phrase_arg(PHRASE_NOT_TRIED), arg_message(p->point[0].reason))
                  : MESSAGE(a, phrase_arg(PHRASE_NOTHING_TO_TRY)));
}

static void try_places(Arena *a, const WhatIf *w, Proposal *p)
{
    const Match *m = p->match;
    p->place = ARENA_ARRAY(a, Gain, m->nplace);
    if (m->nplace == 1)
        p->place[0] = p->gain;
    /* Cuts of several tensors are one change. */
    if (attempt_setting(&m->attempt[p->chosen], LEVER_CUT_TAIL))
        return;
    for (size_t i = 0; i < m->nplace && i < PLACES_TRIED && m->nplace > 1; i++) {
        ProposalTrial x = try_point(a, w, &m->place[i].attempt[p->chosen]);
        if (x.tried)
            p->place[i] = x.gain;
    }
}

Proposal proposal_try(Arena *a, const WhatIf *w, const Match *m, const char *fingerprint)
{
    assert(m->nplace > 0 && fingerprint);
    Proposal p = {.match = m,
                  .fingerprint = fingerprint,
                  .point = ARENA_ARRAY(a, ProposalTrial, m->nattempt),
                  .npoint = m->nattempt};
    for (size_t i = 0; i < p.npoint; i++)
        p.point[i] = m->newer ? try_with_sdk(a, w, &m->attempt[i], m->newer)
                              : try_point(a, w, &m->attempt[i]);
    p.chosen = choose_attempt(w, &p);
    if (p.chosen == p.npoint) {
        p.chosen = 0;
        p.unknown = why_unknown(a, &p);
        p.place = ARENA_ARRAY(a, Gain, m->nplace);
        return p;
    }
    assert(p.chosen < p.npoint && p.point[p.chosen].tried);
    p.gain = p.point[p.chosen].gain;
    p.basis = attempt_basis(&m->attempt[p.chosen]);
    try_places(a, w, &p);
    return p;
}

Proposal *proposal_try_all(Arena *a, const WhatIf *w, const MatchList *m, size_t *ret_count)
{
    Proposal *list = ARENA_ARRAY(a, Proposal, m->nmatch);
    const char **fingerprint = fingerprint_all(a, w->baseline.program->model->graph, m);
    for (size_t i = 0; i < m->nmatch; i++)
        list[i] = proposal_try(a, w, &m->match[i], fingerprint[i]);
    *ret_count = m->nmatch;
    return list;
}
