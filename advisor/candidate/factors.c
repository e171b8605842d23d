/* Numbers the factors of a program and moves one of them at a time to the end of its interval. */
#include "advisor/candidate/factors.h"
#include "cost_model/costs.h"

/* Keys of everything but host steps, whose keys are hashes with the highest bit set. */
enum { KEY_GAP, KEY_UNATTRIBUTED = REST_COUNT, KEY_IO, KEY_LOWOP };

/* These are added first, hence their numbers. */
enum { FACTOR_GAP, FACTOR_UNATTRIBUTED = REST_COUNT };
static_assert((int)FACTOR_GAP == (int)KEY_GAP && (int)FACTOR_UNATTRIBUTED == (int)KEY_UNATTRIBUTED,
              "numbers of the first factors");
static_assert((int)KEY_LOWOP + (int)LOWOP_KIND_COUNT < (int)FACTORS_MAX, "room for host steps");

/* The last number is shared by all keys that do not fit. */
static uint16_t factor_number(FactorList *l, uint64_t key)
{
    for (size_t i = 0; i < l->count; i++)
        if (l->key[i] == key)
            return (uint16_t)i;
    if (l->count == FACTORS_MAX)
        return FACTORS_MAX - 1;
    l->key[l->count] = key;
    return (uint16_t)l->count++;
}

/* Host steps share an error when one law covers them: operator and types. */
static uint64_t host_key(const Step *s, Sdk alone)
{
    uint64_t h = strmap_hash_string(HASH_SEED, s->op);
    int32_t types[3] = {(int32_t)s->from, (int32_t)s->to, (int32_t)alone};
    return strmap_hash_bytes(h, types, sizeof types) | (UINT64_C(1) << 63);
}

/* The SDK whose law the step alone has; 0 when both have it. */
static Sdk alone_in(const Costs *c, Sdk own, Sdk other, const Step *s)
{
    bool shared = own == other || costs_for_host(c, own, s) == costs_for_host(c, other, s);
    return shared ? 0 : own;
}

Factored factors_of(Arena *a, FactorList *list, const Program *p, const Prediction *t,
                    const Costs *c, Sdk other)
{
    Factored f = {p, t, ARENA_ARRAY(a, uint16_t, p->nstep), ARENA_ARRAY(a, uint16_t, p->nop)};
    for (uint64_t key = KEY_GAP; key <= KEY_UNATTRIBUTED; key++)
        factor_number(list, key);
    for (size_t i = 0; i < p->nstep; i++) {
        const Step *s = &p->step[i];
        f.step[i] =
            s->kind == STEP_NPU
                ? FACTORS_MAX
                : factor_number(list, s->kind == STEP_HOST
                                          ? host_key(s, alone_in(c, p->options.sdk, other, s))
                                          : KEY_IO);
    }
    assert(list->count > FACTOR_UNATTRIBUTED);
    for (size_t i = 0; i < p->nop; i++)
        f.op[i] = factor_number(list, KEY_LOWOP + (uint64_t)p->op[i].kind);
    return f;
}

static double end_shift(Interval v, FactorEnd end)
{
    return end == FACTOR_UPPER ? v.hi - v.mid : v.lo - v.mid;
}

static double op_shifts(const Factored *f, const Step *s, size_t which, FactorEnd end)
{
    double sum = 0;
    for (LowOpId i = s->first_op; i < s->first_op + s->nop; i++)
        if (f->op[i] == which)
            sum += end_shift(f->time->op[i].total_ns, end);
    return sum;
}

double factors_objective(const Factored *f, const Costs *c, const RunOptions *run, Objective o,
                         size_t which, FactorEnd end, StepPrediction *scratch)
{
    const Program *p = f->program;
    Prediction moved = *f->time;
    moved.step = scratch;
    for (size_t i = 0; i < p->nstep; i++) {
        const Step *s = &p->step[i];
        scratch[i] = f->time->step[i];
        Interval *total = &scratch[i].total_ns;
        if (s->kind == STEP_NPU)
            total->mid += op_shifts(f, s, which, end);
        else if (f->step[i] == which)
            total->mid += end_shift(*total, end);
        if (total->mid < 0)
            total->mid = 0;
    }
    if (which < REST_COUNT)
        moved.gap_ns.mid += end_shift(moved.gap_part[which], end);
    if (which == FACTOR_UNATTRIBUTED)
        moved.unattributed_ns.mid += end_shift(moved.unattributed_ns, end);
    predict_totals(p, c, run, &moved);
    return prediction_objective(&moved, o).mid;
}
