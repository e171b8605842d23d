/* Selects the changes, modes and batches, and enumerates the sets that fit together. */
#include "advisor/candidate/search/space.h"

#include "advisor/rules/lever.h"
#include "advisor/rules/rule.h"

#include "graph/edit/rewrite.h"
#include "graph/compile/options.h"
#include "graph/base/statistics.h"

int space_queue_depth(const Space *s, int workers)
{
    int depth = s->w->baseline.variant.run.queue_depth;
    return s->open[AXIS_DEPTH] && depth > 0 && depth < workers ? workers : 0;
}

LeverId space_axis_lever(SpaceAxis a)
{
    static const LeverId lever[] = {LEVER_TARGET, LEVER_BATCH, LEVER_WORKERS, LEVER_QUEUE_DEPTH,
                                    LEVER_DEVICES};
    static_assert(sizeof lever / sizeof *lever == AXIS_COUNT, "a lever for each axis");
    assert((unsigned)a < AXIS_COUNT);
    return lever[a];
}

/* ---- changes ---- */

bool space_sets_axis(const Attempt *t)
{
    return LIST_ANY(a, AXIS_COUNT, attempt_setting(t, space_axis_lever((SpaceAxis)a)));
}

/* A change refused for a latency limit may keep it together with others. */
static bool may_be_tried(const Space *s, const ProposalTrial *x)
{
    return s->w->latency_limit_ns > 0 || (x->tried && x->gain.known);
}

/* False for newer SDKs, and for work of the application. */
static bool belongs_to_plans(const Space *s, const Attempt *t)
{
    return !attempt_is_by_hand(t, s->w->model) && (s->allow_sdk || !attempt_setting(t, LEVER_SDK));
}

static bool is_taken_from(const Space *s, const Proposal *p, size_t i)
{
    const Attempt *t = &p->match->attempt[i];
    return may_be_tried(s, &p->point[i]) && attempt_basis(t) == BASIS_WHAT_IF &&
           !space_sets_axis(t) && belongs_to_plans(s, t) &&
           !(attempt_needs(t, s->moves) & ~s->needs);
}

static Part part_of(const Space *s, const Proposal *p)
{
    Part part = {.proposal = p};
    bool blocked = p->off || p->match->withheld || p->verdict == VERDICT_ACCURACY_BLOCKED;
    for (size_t i = 0; !blocked && i < p->npoint && part.nattempt < WAYS_MAX; i++)
        if (is_taken_from(s, p, i))
            part.attempt[part.nattempt++] = i;
    return part;
}

static double part_worth(const Part *p)
{
    double most = -1e300;
    for (size_t i = 0; i < p->nattempt; i++) {
        double gain = p->proposal->point[p->attempt[i]].gain.gain.mid;
        most = gain > most ? gain : most;
    }
    return most;
}

/* Proposals come in one order; their address breaks ties. */
ORDER_BY(by_worth, Part, COMPARE(part_worth(b), part_worth(a)), COMPARE(a->proposal, b->proposal))

static void take_parts(Space *s, Arena *a, const Proposal *list, size_t n)
{
    Part *part = ARENA_ARRAY(a, Part, n + 1);
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        part[count] = part_of(s, &list[i]);
        count += part[count].nattempt > 0;
    }
    ORDER_LIST(part, count, by_worth);
    s->npart = count < PARTS_MAX ? count : PARTS_MAX;
    s->nleft_out = count - s->npart;
    memcpy(s->part, part, s->npart * sizeof *part);
}

static const Attempt *taken_attempt(const Space *s, const PartSet *set, size_t i)
{
    const Part *p = &s->part[i];
    assert(i < s->npart && set->way[i] != SET_LEFT && set->way[i] <= p->nattempt);
    return &p->proposal->match->attempt[p->attempt[set->way[i] - 1]];
}

static bool rule_excludes(const Rule *a, const Rule *b)
{
    return LIST_ANY(i, a->nconflicts, strcmp(a->conflicts[i], b->id) == 0);
}

static bool settings_clash(const Attempt *a, const Attempt *b)
{
    return LIST_ANY(i, a->nset,
                    LIST_ANY(k, b->nset,
                             lever_same_place(&a->set[i], &b->set[k]) &&
                                 !lever_setting_equal(&a->set[i], &b->set[k])));
}

/* True if the setting of `other` has another spelling, or does not exist, in the SDK of `mover`. */
static bool sdk_clashes(const Proposal *mover, const Proposal *other)
{
    const LeverSetting *set = attempt_setting(proposal_attempt(mover), LEVER_SDK);
    Sdk sdk = set && set->value.kind == TERM_SDK ? set->value.sdk : 0;
    const RuleFix *fix = other->match->fix_rule;
    return sdk && fix && !rule_fix_fits(fix, sdk);
}

/* Returns true if a rule excludes the other, or both set one lever differently. */
static bool proposals_exclude(const Proposal *a, const Proposal *b)
{
    if (rule_excludes(a->match->rule, b->match->rule) ||
        rule_excludes(b->match->rule, a->match->rule))
        return true;
    const Attempt *x = proposal_attempt(a), *y = proposal_attempt(b);
    return x && y && settings_clash(x, y);
}

/* The proposal of a part that the set takes, as if that try were the chosen one. */
static Proposal taken_proposal(const Space *s, const PartSet *set, size_t i)
{
    assert(i < s->npart && set->way[i] != SET_LEFT);
    Proposal p = *s->part[i].proposal;
    p.chosen = s->part[i].attempt[set->way[i] - 1];
    return p;
}

/* True if other changes of the set make the settings that this one depends on. */
static bool has_its_base(const Space *s, const PartSet *set, size_t i)
{
    const Attempt *t = taken_attempt(s, set, i);
    return LIST_ALL(
        k, t->nset,
        !t->set[k].given ||
            LIST_ANY(j, s->npart,
                     j != i && set->way[j] && attempt_makes(taken_attempt(s, set, j), &t->set[k])));
}

bool space_excludes(const Space *s, const PartSet *set, size_t i, size_t k)
{
    Proposal a = taken_proposal(s, set, i), b = taken_proposal(s, set, k);
    return sdk_clashes(&a, &b) || sdk_clashes(&b, &a) || proposals_exclude(&a, &b);
}

bool space_fits(const Space *s, const PartSet *set)
{
    for (size_t i = 0; i < s->npart; i++) {
        if (!set->way[i])
            continue;
        if (!has_its_base(s, set, i))
            return false;
        for (size_t k = i + 1; k < s->npart; k++)
            if (set->way[k] && space_excludes(s, set, i, k))
                return false;
    }
    return true;
}

/* The next in counting order; false after the last. */
static bool next_set(const Space *s, PartSet *set)
{
    for (size_t i = 0; i < s->npart; i++) {
        if (set->way[i] < s->part[i].nattempt) {
            set->way[i]++;
            return true;
        }
        set->way[i] = SET_LEFT;
    }
    return false;
}

PartSet *space_sets(Arena *a, const Space *s, size_t most, size_t *ret_count)
{
    PartSet *list = NULL, set = {{0}};
    size_t n = 0, cap = 0, all = 1;
    *ret_count = 0;
    for (size_t i = 0; i < s->npart; i++)
        all *= s->part[i].nattempt + 1;
    if (all > 64 * most)
        return NULL;
    do {
        if (space_fits(s, &set))
            *VEC_PUSH(a, list, n, cap) = set;
    } while (n <= most && next_set(s, &set));
    *ret_count = n <= most ? n : 0;
    return n <= most ? list : NULL;
}

/* Drops an operator that returns its input: however little it saves, no plan is simpler without it.
 */
static bool drops_nothing(const LeverSetting *x)
{
    RewriteKind k;
    return x->lever == LEVER_REWRITE && rewrite_from_name(x->value.text, &k) &&
           (k == REWRITE_DROP_IDENTITY || k == REWRITE_CANCEL_TRANSPOSES);
}

static bool part_counts(const Space *s, const PartSet *set, size_t i)
{
    const Attempt *t = set->way[i] == SET_LEFT ? NULL : taken_attempt(s, set, i);
    return t && (attempt_needs(t, s->moves) || !LIST_ALL(k, t->nset, drops_nothing(&t->set[k])));
}

size_t space_changes(const Space *s, const PartSet *set)
{
    return LIST_SUM(size_t, i, s->npart, part_counts(s, set, i));
}

size_t space_set_count(const PartSet *set)
{
    return LIST_SUM(size_t, i, PARTS_MAX, set->way[i] != SET_LEFT);
}

NeedSet space_needs(const Space *s, const PartSet *set)
{
    NeedSet needs = NEED_NONE;
    for (size_t i = 0; i < s->npart; i++)
        if (set->way[i])
            needs |= attempt_needs(taken_attempt(s, set, i), s->moves);
    return needs;
}

/* ---- settings ---- */

static void add_setting(Attempt *t, LeverSetting x)
{
    if (attempt_has(t, &x))
        return;
    t->set[t->nset] = x;
    t->set[t->nset++].given = false;
}

typedef struct {
    size_t part;
    int order;
} Turn;

int space_order_of(const Part *p, size_t attempt)
{
    const Match *m = p->proposal->match;
    const Attempt *t = &m->attempt[attempt];
    bool depends = LIST_ANY(i, t->nset, t->set[i].given);
    return m->rule->order + (depends ? 1000 : 0);
}

ORDER_BY(compare_by_order, Turn, COMPARE(a->order, b->order), COMPARE(a->part, b->part))

Attempt space_settings(Arena *a, const Space *s, const PartSet *set, int pe, int64_t batch)
{
    Turn turn[PARTS_MAX];
    size_t n = 0, nset = 2;
    for (size_t i = 0; i < s->npart; i++)
        if (set->way[i]) {
            turn[n++] = (Turn){i, space_order_of(&s->part[i], s->part[i].attempt[set->way[i] - 1])};
            nset += taken_attempt(s, set, i)->nset;
        }
    ORDER_LIST(turn, n, compare_by_order);
    assert(n == space_set_count(set));
    Attempt t = {ARENA_ARRAY(a, LeverSetting, nset), 0};
    for (size_t i = 0; i < n; i++) {
        const Attempt *x = taken_attempt(s, set, turn[i].part);
        for (size_t k = 0; k < x->nset; k++)
            add_setting(&t, x->set[k]);
    }
    const CompileOptions *now = &s->w->baseline.variant.compile;
    if (pe != now->pe)
        add_setting(&t, (LeverSetting){.lever = LEVER_TARGET,
                                       .value = {TERM_TARGET, now->target_name, .pe = pe}});
    if (batch != now->batch)
        add_setting(&t, (LeverSetting){.lever = LEVER_BATCH, .value = lever_number(batch)});
    return t;
}

/* ---- axes ---- */

NeedSet space_axis_needs(SpaceAxis a)
{
    return lever_table[space_axis_lever(a)].needs;
}

static void open_axes(Space *s, const SpaceLimits *limits)
{
    const Variant *said = limits->said;
    const bool fixed[AXIS_COUNT] = {[AXIS_TARGET] = said->compile.target_given,
                                    [AXIS_BATCH] = said->compile.batch_given,
                                    [AXIS_WORKERS] = said->run.workers_given,
                                    [AXIS_DEPTH] = said->run.queue_depth > 0,
                                    [AXIS_DEVICES] = said->run.devices_given || !limits->cards};
    for (int a = 0; a < AXIS_COUNT; a++)
        s->open[a] = !fixed[a] && !(space_axis_needs((SpaceAxis)a) & ~s->needs);
    s->open[AXIS_DEVICES] = !fixed[AXIS_DEVICES]; /* a rate may need more cards */
    /* One memory, one operator after the other: a batch runs image by image, and joint cores share
     * the listed operators alone, which no measurement shows to gain. */
    if (s->w->machine->kind == MACHINE_ROWS)
        s->open[AXIS_BATCH] = s->open[AXIS_TARGET] = false;
    if (s->w->objective == OBJECTIVE_LATENCY && !limits->cards)
        s->open[AXIS_BATCH] = s->open[AXIS_WORKERS] = s->open[AXIS_DEPTH] = false;
}

static void take_modes(Space *s)
{
    const CompileOptions *o = &s->w->baseline.variant.compile;
    s->pe[s->npe++] = o->pe;
    int pes = compile_options_pes(o, s->w->machine);
    int other = o->pe == 1 ? pes : 1; /* one alone, or all of them together */
    if (other != o->pe && s->open[AXIS_TARGET])
        s->pe[s->npe++] = other;
}

/* Weights, and the largest operator and the boundaries of two tasks, fit the DRAM. */
static bool memory_bears(const Space *s, int64_t batch)
{
    const Program *p = s->w->baseline.program;
    double largest = 0, times = (double)batch / (double)p->options.batch;
    for (size_t i = 0; i < p->nop; i++) {
        double bytes = (double)p->op[i].bytes_in + (double)p->op[i].bytes_out;
        largest = bytes > largest ? bytes : largest;
    }
    double task = largest + (double)p->summary.h2d_bytes + (double)p->summary.d2h_bytes;
    return (double)p->summary.weight_bytes + 2 * times * task <= (double)s->w->machine->dram_bytes;
}

static void add_batch(Space *s, int64_t batch)
{
    for (size_t i = 0; i < s->nbatch; i++)
        if (s->batch[i] == batch)
            return;
    if (s->nbatch < SPACE_BATCHES_MAX)
        s->batch[s->nbatch++] = batch;
}

/* Powers of two. */
static void take_batches(Space *s)
{
    int64_t now = s->w->baseline.variant.compile.batch;
    int64_t most = now > SPACE_BATCH_MAX ? now : SPACE_BATCH_MAX;
    add_batch(s, now);
    for (int64_t b = 1; b <= most && s->open[AXIS_BATCH] && memory_bears(s, b); b *= 2)
        add_batch(s, b);
    statistics_sort_ints(s->batch, s->nbatch);
}

static bool match_sets(const Match *m, LeverId lever)
{
    return LIST_ANY(i, m->nattempt,
                    LIST_ANY(k, m->attempt[i].nset, m->attempt[i].set[k].lever == lever));
}

/* A setting whose rule a settings file has turned off is not searched. */
static void close_axes(Space *s, const Proposal *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (int a = 0; list[i].off && a < AXIS_COUNT; a++)
            if (match_sets(list[i].match, space_axis_lever((SpaceAxis)a)))
                s->open[a] = false;
}

void space_init(Space *s, Arena *a, const WhatIf *w, const Proposal *list, size_t n,
                SpaceLimits limits)
{
    bool moves = w->baseline.program->precision == PRECISION_ASSUMED_PTQ;
    *s = (Space){.w = w, .needs = limits.needs, .moves = moves, .allow_sdk = limits.allow_sdk};
    open_axes(s, &limits);
    close_axes(s, list, n);
    take_modes(s);
    take_batches(s);
    take_parts(s, a, list, n);
    assert(s->npe > 0 && s->nbatch > 0 && s->npart <= PARTS_MAX);
}
