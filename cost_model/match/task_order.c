/* Searches the orders that the dependences of a task allow, with a beam. */
#include "cost_model/match/task_order.h"
#include "graph/base/random.h"

/* Beside its law an operator is off by this, in the logarithm (resemblance.c: 0.2 to 0.6). */
#define DEVIATION_SIGMA 0.4
/* Cost of a switch to another branch: an arbitrary choice among a few. */
#define JUMP_COST 1.5

enum {
    BEAM = 24,      /* sets of operators that are done, kept per operator seen */
    SKIPPED = 24,   /* more of them, by leaving out operators */
    READY_MAX = 48, /* that could run next */
    CHOICES = (BEAM + SKIPPED) * (READY_MAX + 1),
};
#define NONE UINT32_MAX

void task_order_fit_scale(TracedTask *t)
{
    double seen[LOWOP_KIND_COUNT + 1] = {0}, predicted[LOWOP_KIND_COUNT + 1] = {0};
    for (uint32_t k = 0; k < t->nseen; k++)
        seen[t->seen[k].kind] += t->seen[k].ns;
    for (uint32_t i = 0; i < t->nop; i++)
        predicted[t->op[i].kind] += t->op_ns[i];
    for (int k = 0; k < LOWOP_KIND_COUNT; k++)
        t->off[k] = seen[k] > 0 && predicted[k] > 0 ? log(seen[k] / predicted[k]) : 0;
}

static double log_deviation(double seen_ns, double predicted_ns, double off)
{
    if (!(seen_ns > 0) || !(predicted_ns > 0))
        return 0;
    double far = (log(seen_ns / predicted_ns) - off) / DEVIATION_SIGMA;
    return fmin(far * far / 2, ORDER_SKIP);
}

double task_order_deviation(const TracedTask *t, uint32_t i, uint32_t k)
{
    return log_deviation(t->seen[k].ns, t->op_ns[i], t->off[t->op[i].kind]);
}

ORDER_BY(by_size, double, COMPARE(*a, *b))

/* Of one kind: as many as both have, the smallest with the smallest. */
static double min_kind_deviation(const TracedTask *t, LowOpKind kind, double *seen,
                                 double *predicted)
{
    size_t s = 0, p = 0;
    for (uint32_t k = 0; k < t->nseen; k++)
        if (t->seen[k].kind == kind && !t->seen[k].free)
            seen[s++] = t->seen[k].ns;
    for (uint32_t i = 0; i < t->nop; i++)
        if (t->op[i].kind == kind && !t->op[i].zero_cost)
            predicted[p++] = t->op_ns[i];
    if (s != p)
        return ORDER_SKIP * fabs((double)s - (double)p);
    ORDER_LIST(seen, s, by_size);
    ORDER_LIST(predicted, p, by_size);
    return LIST_SUM(double, i, s, log_deviation(seen[i], predicted[i], t->off[kind]));
}

double task_order_min_cost(Arena *a, const TracedTask *t)
{
    double *seen = ARENA_ARRAY(a, double, t->nseen + 1), sum = 0;
    double *predicted = ARENA_ARRAY(a, double, t->nop + 1);
    for (int k = 0; k < LOWOP_KIND_COUNT; k++)
        sum += min_kind_deviation(t, (LowOpKind)k, seen, predicted);
    return sum;
}

/* ---- the search ---- */

/* A set of operators that are done.  Views are done as soon as they can be. */
typedef struct {
    uint64_t *done;
    uint64_t key; /* of those that cost: equal sets have equal keys */
    double cost, jumps;
    uint32_t last; /* that ran, NONE at the start */
    uint32_t way;  /* how it was come to */
    uint32_t ready[READY_MAX], nready;
} State;

typedef struct {
    uint32_t before, op; /* way before it, NONE: the start */
} Way;

/* A candidate for the next operator: op runs (NONE: the traced operator is skipped). */
typedef struct {
    const State *from;
    uint64_t key;
    uint32_t op;
    double cost, jump;
} Choice;

typedef struct {
    Arena *arena;
    const TracedTask *t;
    size_t words;
    uint32_t *user, *first_user; /* of op i: user[first_user[i]] up to first_user[i + 1] */
    uint32_t *stack;
    Way *way;
    size_t nway, way_cap;
    State *state; /* of this layer, and those that leave out operators */
    State *next;
    uint32_t nstate, nnext;
    Choice *choice;
    size_t nchoice;
    bool overflow;
} Search;

static bool is_done(const State *s, uint32_t op)
{
    return s->done[op / 64] >> op % 64 & 1;
}

static bool may_run(const TracedTask *t, const State *s, uint32_t op)
{
    return LIST_ALL(d, t->op[op].ndep, is_done(s, t->op[op].dep[d] - t->first));
}

static bool is_ready(const State *s, uint32_t op)
{
    return LIST_ANY(r, s->nready, s->ready[r] == op);
}

/* Puts what can run after `op` among the ready, or, of views, on the stack. */
static void release_users(Search *q, State *s, uint32_t op, uint32_t *nstack)
{
    for (uint32_t u = q->first_user[op]; u < q->first_user[op + 1]; u++) {
        uint32_t user = q->user[u];
        if (is_done(s, user) || is_ready(s, user) || !may_run(q->t, s, user))
            continue;
        if (q->t->op[user].zero_cost) {
            s->done[user / 64] |= (uint64_t)1 << user % 64;
            q->stack[(*nstack)++] = user;
        } else if (s->nready < READY_MAX) {
            s->ready[s->nready++] = user;
        } else {
            q->overflow = true;
        }
    }
}

/* Runs an op that is ready, and the views after it; ret[0..) of them, in order, where given. */
static uint32_t run_ready_op(Search *q, State *s, uint32_t op, uint32_t *ret)
{
    uint32_t nstack = 0, n = 0;
    s->done[op / 64] |= (uint64_t)1 << op % 64;
    q->stack[nstack++] = op;
    while (nstack) {
        uint32_t at = q->stack[--nstack];
        if (ret)
            ret[n] = at;
        n++;
        release_users(q, s, at, &nstack);
    }
    return n;
}

static void copy_state(const Search *q, State *to, const State *from)
{
    uint64_t *done = to->done;
    *to = *from;
    to->done = done;
    memcpy(done, from->done, q->words * sizeof *done);
}

static void take_choice(Search *q, const Choice *c, State *to)
{
    copy_state(q, to, c->from);
    to->key = c->key;
    to->cost = c->cost;
    if (c->op == NONE)
        return;
    to->jumps += c->jump;
    to->last = c->op;
    assert(c->op < q->t->nop);
    Way *w = VEC_PUSH(q->arena, q->way, q->nway, q->way_cap);
    *w = (Way){to->way, c->op};
    to->way = (uint32_t)(q->nway - 1);
    for (uint32_t r = 0; r < to->nready; r++)
        if (to->ready[r] == c->op)
            to->ready[r] = to->ready[--to->nready];
    run_ready_op(q, to, c->op, NULL);
}

/* Where the program goes on from the last one: the next of those that are ready, or the first. */
static uint32_t next_in_program(const State *s)
{
    uint32_t next = NONE, first = NONE;
    for (uint32_t r = 0; r < s->nready; r++) {
        uint32_t op = s->ready[r];
        first = op < first ? op : first;
        if ((s->last == NONE || op > s->last) && op < next)
            next = op;
    }
    return next == NONE ? first : next;
}

static void add_choice(Search *q, const State *s, uint32_t op, double cost)
{
    assert(q->nchoice < CHOICES);
    double jump = op != NONE && op != next_in_program(s) ? JUMP_COST : 0;
    uint64_t key = op == NONE ? s->key : s->key ^ random_mix(op);
    q->choice[q->nchoice++] = (Choice){s, key, op, s->cost + cost + jump, jump};
}

/* Operators that the trace lacks are left out where nothing else goes on. */
static void skip_missing_ops(Search *q, const State *s)
{
    for (uint32_t r = 0; r < s->nready && q->nstate < BEAM + SKIPPED; r++) {
        Choice c = {s, s->key ^ random_mix(s->ready[r]), s->ready[r], s->cost + ORDER_SKIP, 0};
        take_choice(q, &c, &q->state[q->nstate++]);
    }
}

static void choose_from(Search *q, uint32_t at, uint32_t seen)
{
    const State *s = &q->state[at];
    const TracedOp *x = &q->t->seen[seen];
    bool any = false;
    for (uint32_t r = 0; r < s->nready; r++) {
        if (q->t->op[s->ready[r]].kind != x->kind)
            continue;
        add_choice(q, s, s->ready[r], task_order_deviation(q->t, s->ready[r], seen));
        any = true;
    }
    if (!any) {
        add_choice(q, s, NONE, ORDER_SKIP);
        skip_missing_ops(q, s);
    }
}

ORDER_BY(by_cost, Choice, COMPARE(a->cost, b->cost), COMPARE(a->key, b->key), COMPARE(a->op, b->op))

static bool is_new(const Search *q, uint64_t key)
{
    return LIST_ALL(i, q->nnext, q->next[i].key != key);
}

static void take_best(Search *q)
{
    ORDER_LIST(q->choice, q->nchoice, by_cost);
    q->nnext = 0;
    for (size_t i = 0; i < q->nchoice && q->nnext < BEAM; i++)
        if (is_new(q, q->choice[i].key)) {
            take_choice(q, &q->choice[i], &q->next[q->nnext]);
            q->nnext++;
        }
    State *swap = q->state;
    q->state = q->next;
    q->next = swap;
    q->nstate = q->nnext;
}

static void list_users(Search *q)
{
    const TracedTask *t = q->t;
    size_t n = 0;
    q->first_user = ARENA_ARRAY(q->arena, uint32_t, t->nop + 2);
    for (uint32_t i = 0; i < t->nop; i++)
        for (uint32_t d = 0; d < t->op[i].ndep; d++, n++) {
            assert(t->op[i].dep[d] - t->first < t->nop);
            q->first_user[t->op[i].dep[d] - t->first + 1]++;
        }
    for (uint32_t i = 0; i < t->nop; i++)
        q->first_user[i + 1] += q->first_user[i];
    q->user = ARENA_ARRAY(q->arena, uint32_t, n + 1);
    uint32_t *at = ARENA_ARRAY(q->arena, uint32_t, t->nop + 1);
    memcpy(at, q->first_user, t->nop * sizeof *at);
    for (uint32_t i = 0; i < t->nop; i++)
        for (uint32_t d = 0; d < t->op[i].ndep; d++)
            q->user[at[t->op[i].dep[d] - t->first]++] = i;
}

static State *new_states(const Search *q)
{
    State *s = ARENA_ARRAY(q->arena, State, BEAM + SKIPPED);
    for (int i = 0; i < BEAM + SKIPPED; i++)
        s[i] =
            (State){.done = ARENA_ARRAY(q->arena, uint64_t, q->words), .last = NONE, .way = NONE};
    return s;
}

/* What depends on nothing; ret as of run(). */
static uint32_t release_sources(Search *q, State *s, uint32_t *ret)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < q->t->nop; i++) {
        if (q->t->op[i].ndep)
            continue;
        if (q->t->op[i].zero_cost)
            n += run_ready_op(q, s, i, ret ? ret + n : NULL);
        else if (s->nready < READY_MAX)
            s->ready[s->nready++] = i;
        else
            q->overflow = true;
    }
    return n;
}

/* What was seen ends: the rest as in the program. */
static void read_order(Search *q, const State *best, uint32_t *ret)
{
    uint32_t nway = 0, n;
    for (uint32_t w = best->way; w != NONE; w = q->way[w].before)
        nway++;
    uint32_t *op = ARENA_ARRAY(q->arena, uint32_t, nway + 1), k = nway;
    for (uint32_t w = best->way; w != NONE; w = q->way[w].before)
        op[--k] = q->way[w].op;
    State *s = new_states(q);
    n = release_sources(q, s, ret);
    for (uint32_t i = 0; i < nway; i++)
        n += run_ready_op(q, s, op[i], ret + n);
    for (uint32_t i = 0; i < q->t->nop; i++)
        if (!is_done(s, i))
            ret[n++] = i;
    assert(n == q->t->nop); /* each once */
}

double task_order(Arena *a, const TracedTask *t, uint32_t *ret)
{
    Search q = {.arena = a, .t = t, .words = t->nop / 64 + 1};
    list_users(&q);
    q.stack = ARENA_ARRAY(a, uint32_t, t->nop + 1);
    q.choice = ARENA_ARRAY(a, Choice, CHOICES);
    q.state = new_states(&q);
    q.next = new_states(&q);
    release_sources(&q, &q.state[0], NULL);
    q.nstate = 1;
    for (uint32_t k = 0; k < t->nseen && !q.overflow; k++) {
        if (t->seen[k].free)
            continue;
        q.nchoice = 0;
        for (uint32_t i = 0; i < q.nstate; i++)
            choose_from(&q, i, k);
        take_best(&q);
    }
    if (q.overflow)
        return INFINITY;
    read_order(&q, &q.state[0], ret);
    return q.state[0].jumps;
}
