/* Selects the changes, modes and batches, and enumerates the sets that fit together. */
#include "advisor/candidate/search/space.h"

#include "advisor/candidate/rank.h"
#include "advisor/rules/lever.h"

#include "graph/compile/options.h"
#include "graph/base/compare.h"
#include "graph/base/statistics.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

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

static bool sets_axis(const Attempt *t)
{
    for (int a = 0; a < AXIS_COUNT; a++)
        if (attempt_setting(t, space_axis_lever((SpaceAxis)a)))
            return true;
    return false;
}

/* A change refused for a latency limit may keep it together with others. */
static bool may_be_tried(const Space *s, const ProposalTrial *x)
{
    return s->w->latency_limit_ns > 0 || (x->tried && x->gain.known);
}

static bool is_taken_from(const Space *s, const Proposal *p, size_t i)
{
    const Attempt *t = &p->match->attempt[i];
    return may_be_tried(s, &p->point[i]) && attempt_basis(t) == BASIS_WHAT_IF && !sets_axis(t) &&
           p->match->rule->applicability <= s->effort;
}

/* Excludes changes that were measured without a saving, or that lose accuracy. */
static bool was_no_good(const Space *s, const Proposal *p)
{
    bool lost = p->verdict == VERDICT_NO_GAIN || p->verdict == VERDICT_REGRESSION;
    return p->verdict == VERDICT_ACCURACY_BLOCKED || (lost && s->w->objective == OBJECTIVE_LATENCY);
}

static Part part_of(const Space *s, const Proposal *p)
{
    Part part = {.proposal = p};
    bool blocked = p->off || p->match->withheld || was_no_good(s, p);
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
static int by_worth(const void *pa, const void *pb)
{
    const Part *a = pa, *b = pb;
    double x = part_worth(a), y = part_worth(b);
    int c = COMPARE(y, x);
    return c ? c : COMPARE(a->proposal, b->proposal);
}

static void take_parts(Space *s, Arena *a, const Proposal *list, size_t n)
{
    Part *part = ARENA_ARRAY(a, Part, n + 1);
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        part[count] = part_of(s, &list[i]);
        count += part[count].nattempt > 0;
    }
    if (count)
        qsort(part, count, sizeof *part, by_worth);
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
    for (size_t k = 0; k < t->nset; k++) {
        bool made = !t->set[k].given;
        for (size_t j = 0; j < s->npart && !made; j++)
            made = j != i && set->way[j] && attempt_makes(taken_attempt(s, set, j), &t->set[k]);
        if (!made)
            return false;
    }
    return true;
}

bool space_excludes(const Space *s, const PartSet *set, size_t i, size_t k)
{
    Proposal a = taken_proposal(s, set, i), b = taken_proposal(s, set, k);
    return rank_conflict(&a, &b);
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

size_t space_set_count(const PartSet *set)
{
    size_t n = 0;
    for (size_t i = 0; i < PARTS_MAX; i++)
        n += set->way[i] != SET_LEFT;
    return n;
}

Applicability space_effort(const Space *s, const PartSet *set)
{
    Applicability most = APPLY_SAFE;
    for (size_t i = 0; i < s->npart; i++) {
        Applicability asks = s->part[i].proposal->match->rule->applicability;
        most = set->way[i] && asks > most ? asks : most;
    }
    return most;
}

static void drop_excess_parts(Space *s, size_t most)
{
    Arena *scratch = arena_new(0);
    size_t n;
    while (s->npart && !space_sets(scratch, s, most, &n)) {
        s->npart--;
        s->nleft_out++;
    }
    arena_free(scratch);
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

static int compare_by_order(const void *pa, const void *pb)
{
    const Turn *a = pa, *b = pb;
    int c = COMPARE(a->order, b->order);
    return c ? c : COMPARE(a->part, b->part);
}

Attempt space_settings(Arena *a, const Space *s, const PartSet *set, int pe, int64_t batch)
{
    Turn turn[PARTS_MAX];
    size_t n = 0, nset = 2;
    for (size_t i = 0; i < s->npart; i++)
        if (set->way[i]) {
            turn[n++] = (Turn){i, s->part[i].proposal->match->rule->order};
            nset += taken_attempt(s, set, i)->nset;
        }
    qsort(turn, n, sizeof *turn, compare_by_order);
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

/* The lowest applicability of a rule that sets the lever. */
static Applicability asks_for(const RuleBook *book, LeverId lever)
{
    Applicability least = APPLY_RETRAIN;
    bool any = false;
    for (size_t r = 0; r < book->nrule; r++)
        for (size_t t = 0; t < book->rule[r].nattempt; t++)
            for (size_t k = 0; k < book->rule[r].attempt[t].nset; k++) {
                if (book->rule[r].attempt[t].set[k].lever != lever)
                    continue;
                any = true;
                if (book->rule[r].applicability < least)
                    least = book->rule[r].applicability;
            }
    return any ? least : APPLY_SAFE;
}

static void open_axes(Space *s, const RuleBook *book, const SpaceLimits *limits)
{
    const Variant *said = limits->said;
    const bool fixed[AXIS_COUNT] = {[AXIS_TARGET] = said->compile.target_given,
                                    [AXIS_BATCH] = said->compile.batch_given,
                                    [AXIS_WORKERS] = said->run.workers_given,
                                    [AXIS_DEPTH] = said->run.queue_depth > 0,
                                    [AXIS_DEVICES] = said->run.devices_given || !limits->cards};
    for (int a = 0; a < AXIS_COUNT; a++) {
        s->asks[a] = asks_for(book, space_axis_lever((SpaceAxis)a));
        s->open[a] = !fixed[a] && s->asks[a] <= s->effort;
    }
    s->open[AXIS_DEVICES] = !fixed[AXIS_DEVICES]; /* a rate may need more cards */
}

static void take_modes(Space *s)
{
    const CompileOptions *o = &s->w->baseline.variant.compile;
    s->pe[s->npe++] = o->pe;
    int pes = compile_options_pes(o, s->w->machine);
    for (int pe = 1; pe <= pes && s->open[AXIS_TARGET] && s->npe < 2; pe++)
        if (pe != o->pe)
            s->pe[s->npe++] = pe;
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

/* Batches that the tries of a rule would set. */
static void add_batches_of(Space *s, const Proposal *p)
{
    for (size_t i = 0; i < p->match->nattempt; i++)
        for (size_t k = 0; k < p->match->attempt[i].nset; k++) {
            const LeverSetting *x = &p->match->attempt[i].set[k];
            int64_t batch = x->value.kind == TERM_NUMBER ? x->value.number : 0;
            if (x->lever == LEVER_BATCH && batch > 0 && memory_bears(s, batch))
                add_batch(s, batch);
        }
}

/* Two batches per octave. */
static void take_batches(Space *s, const Proposal *list, size_t n)
{
    add_batch(s, s->w->baseline.variant.compile.batch);
    for (int64_t b = 1; b <= SPACE_BATCH_TRIED_MAX && s->open[AXIS_BATCH]; b *= 2) {
        const int64_t step[] = {b, b + b / 2};
        for (int k = 0; k < 2 && !s->batch_over; k++) {
            if (memory_bears(s, step[k]))
                add_batch(s, step[k]);
            else
                s->batch_over = step[k];
        }
        if (s->batch_over)
            break;
    }
    for (size_t i = 0; i < n && s->open[AXIS_BATCH]; i++)
        add_batches_of(s, &list[i]);
    statistics_sort_ints(s->batch, s->nbatch);
}

void space_init(Space *s, Arena *a, const WhatIf *w, const RuleBook *book, const Proposal *list,
                size_t n, SpaceLimits limits)
{
    *s = (Space){.w = w, .effort = limits.effort};
    open_axes(s, book, &limits);
    take_modes(s);
    take_batches(s, list, n);
    take_parts(s, a, list, n);
    assert(s->npe > 0 && s->nbatch > 0 && s->npart <= PARTS_MAX);
    if (limits.most_sets)
        drop_excess_parts(s, limits.most_sets);
}
