/* Matches the steps and operators of two programs by kind, tensors and nodes, and compares their
 * times. */
#include "advisor/candidate/effect.h"
#include "graph/compile/program.h"

#include "advisor/candidate/proposal.h"
#include "graph/compile/program.h"

#define SHORTER_SHARE 0.05
#define SHORTER_NS    5000

/* The work of one trial; the numbers of operators follow those of steps. */
typedef struct {
    const Trial *trial;
    StrMap item;      /* key: number */
    const char **key; /* of each; NULL: a task, which is what its operators are */
} Work;

static const char *tensor_name(const Program *p, PTensorId id)
{
    TensorId tensor = p->tensor[id].tensor;
    const Graph *g = p->model->graph;
    return tensor < g->ntensor ? g->tensor[tensor].name : "";
}

static uint64_t hash_tensors(uint64_t seed, const Program *p, const PTensorId *list, uint32_t n)
{
    seed = strmap_hash_bytes(seed, &n, sizeof n);
    for (uint32_t i = 0; i < n; i++)
        seed = strmap_hash_string(seed, tensor_name(p, list[i]));
    return seed;
}

static const char *step_text(Arena *a, const Program *p, const Step *s)
{
    if (s->nop)
        return NULL;
    uint64_t h = hash_tensors(HASH_SEED, p, s->input, s->ninput);
    h = hash_tensors(h, p, s->output, s->noutput);
    return arena_printf(a, "%s %s %016" PRIx64, step_kind_name(s->kind), s->op, h);
}

/* A node is known by its first result, which an edit of the model leaves as it is. */
static const char *op_text(Arena *a, const Program *p, const LowOp *op)
{
    const Graph *g = p->model->graph;
    const Node *n = op->nnode ? &g->node[op->node[0]] : NULL;
    bool named = n && n->noutput && n->output[0] < g->ntensor;
    return arena_printf(a, "op %s\n%s", program_lowop_name(op->kind),
                        named ? g->tensor[n->output[0]].name : "");
}

/* Of equal ones, the first is matched with the first, the second with the second, and so on. */
static const char *nth_key(Arena *a, StrMap *seen, const char *text)
{
    uint32_t before = strmap_get(seen, text), nth = before == STRMAP_NONE ? 0 : before + 1;
    strmap_put(seen, text, nth);
    return arena_printf(a, "%s\n%u", text, (unsigned)nth);
}

static Work work_of(Arena *a, const Trial *t)
{
    const Program *p = t->program;
    size_t n = p->nstep + p->nop;
    Work w = {.trial = t, .key = ARENA_ARRAY(a, const char *, n + 1)};
    StrMap seen;
    strmap_init(&w.item, a, n);
    strmap_init(&seen, a, n);
    for (size_t i = 0; i < n; i++) {
        const char *text =
            i < p->nstep ? step_text(a, p, &p->step[i]) : op_text(a, p, &p->op[i - p->nstep]);
        if (!text)
            continue;
        w.key[i] = nth_key(a, &seen, text);
        strmap_put(&w.item, w.key[i], (uint32_t)i);
    }
    return w;
}

/* For one image; NAN if not known. */
static double image_ns(const Work *w, uint32_t item)
{
    const Program *p = w->trial->program;
    const Prediction *t = w->trial->time;
    if (item >= p->nstep)
        return t->op[item - p->nstep].total_ns.mid / (double)p->images;
    return t->step[item].known ? t->step[item].total_ns.mid / (double)p->images : NAN;
}

/* Whether the work of this key is removed or shortened; `images`: of a task of the baseline. */
static bool is_less(const Work *before, const Work *after, const char *key, double images)
{
    uint32_t from = strmap_get(&before->item, key), to = strmap_get(&after->item, key);
    if (from == STRMAP_NONE || to == STRMAP_NONE)
        return from != STRMAP_NONE;
    double was = image_ns(before, from) * images, is = image_ns(after, to) * images;
    if (is == 0 && was != 0) /* NAN too: a bound knows that nothing is left of it */
        return true;
    return was - is > SHORTER_NS && was - is > was * SHORTER_SHARE;
}

static Effect compare_work(Arena *a, const Work *base, const Work *before, const Work *after)
{
    const Program *p = base->trial->program;
    Effect e = {.step = ARENA_ARRAY(a, StepId, p->nstep + 1),
                .op = ARENA_ARRAY(a, LowOpId, p->nop + 1)};
    for (size_t i = 0; i < p->nstep + p->nop; i++) {
        if (!base->key[i] || !is_less(before, after, base->key[i], (double)p->images))
            continue;
        if (i < p->nstep)
            e.step[e.nstep++] = (StepId)i;
        else
            e.op[e.nop++] = (LowOpId)(i - p->nstep);
    }
    return e;
}

Effect effect_of(Arena *a, const WhatIf *w, const Attempt *change)
{
    Arena *scratch = arena_new(0);
    Attempt given = attempt_user_set(scratch, change);
    Trial before = {0}, after = {0};
    Diag ignored = {0};
    Effect e = {0};
    if (!whatif_try(w, given.set, given.nset, &before, &ignored) &&
        !whatif_try(w, change->set, change->nset, &after, &ignored)) {
        Work base = work_of(scratch, &w->baseline), from = work_of(scratch, &before),
             to = work_of(scratch, &after);
        e = compare_work(a, &base, &from, &to);
    }
    trial_free(&before);
    trial_free(&after);
    arena_free(scratch);
    return e;
}
