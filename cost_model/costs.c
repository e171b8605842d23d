/* Looks up figures by place or name, and the law that covers a host step. */
#include "cost_model/costs.h"

const CostName cost_names[COST_COUNT] = {
#define X(field, name, unit) {name, unit, offsetof(Costs, field)},
    COSTS(X)
#undef X
};

int costs_figure_count(const Costs *c)
{
    return COST_COUNT + c->nterm;
}

const FormInfo term_forms[TERM_FORM_COUNT] = {
#define FORM(id, word, unit, limit, part) {word, unit, LIMIT_##limit, PART_##part},
#include "cost_model/forms.def"
};

#define X(id, word) word,
ENUM_WORDS(limit_key, Limit, LIMIT_COUNT, LIMITS(X))

ENUM_WORDS(fused_word, FusedShare, FUSED_COUNT, FUSED_SHARES(X))
ENUM_WORDS(costs_host_unit_text, HostUnit, UNIT_COUNT, HOST_UNITS(X))
ENUM_WORDS(costs_figure_kind_text, FigureKind, KIND_COUNT, FIGURE_KINDS(X))
#undef X

Interval costs_figure(const Costs *c, int index)
{
    assert(index >= 0 && index < costs_figure_count(c));
    if (index >= COST_COUNT)
        return c->term[index - COST_COUNT].figure;
    Interval v;
    memcpy(&v, (const char *)c + cost_names[index].offset, sizeof v);
    return v;
}

void costs_set_figure(Costs *c, int index, Interval value)
{
    assert(index >= 0 && index < costs_figure_count(c));
    if (index >= COST_COUNT)
        c->term[index - COST_COUNT].figure = value;
    else
        memcpy((char *)c + cost_names[index].offset, &value, sizeof value);
}

const FigureInfo *costs_figure_info(const Costs *c, int index)
{
    assert(index >= 0 && index < costs_figure_count(c));
    return index < COST_COUNT ? &c->info[index] : &c->term_info[index - COST_COUNT];
}

int costs_figure_index(const Costs *c, const char *name)
{
    for (int i = 0; i < COST_COUNT; i++)
        if (strcmp(cost_names[i].name, name) == 0)
            return i;
    int term = costs_term(c, name);
    return term < 0 ? -1 : COST_COUNT + term;
}

int costs_term(const Costs *c, const char *name)
{
    return LIST_VALUE(t, c->nterm, strcmp(c->term[t].name, name) == 0, t, -1);
}

int costs_term_of_form(const Costs *c, TermForm form)
{
    return LIST_VALUE(t, c->nterm, c->term[t].form == form, t, -1);
}

Interval costs_form_figure(const Costs *c, TermForm form)
{
    int t = costs_term_of_form(c, form);
    return t < 0 ? interval_exact(0) : c->term[t].figure;
}

double costs_term_ns(const Costs *c, int term, double work)
{
    assert(term >= 0 && term < c->nterm);
    return c->term[term].figure.mid * work;
}

double costs_host_units(HostUnit unit, const Step *s)
{
    const double n[] = {
        [UNIT_ELEMENT] = (double)s->elements,
        [UNIT_BYTE_IN] = (double)s->bytes_in,
        [UNIT_BYTE_OUT] = (double)s->bytes_out,
        [UNIT_BYTE] = (double)s->bytes_in + (double)s->bytes_out,
        [UNIT_MAC] = (double)s->macs,
        [UNIT_WEIGHT_BYTE] = (double)s->weight_bytes,
        [UNIT_GATHERED_BYTE] = (double)s->gathered_bytes,
        [UNIT_ROW] = (double)s->rows,
        [UNIT_UNCACHED_BYTE] = (double)i64_max(s->bytes_out - HOST_CACHE_BYTES, 0),
    };
    static_assert(sizeof n / sizeof *n == UNIT_COUNT, "a count for each unit");
    assert(unit < UNIT_COUNT);
    return n[unit] > 0 ? n[unit] : 0;
}

bool costs_host_counts_uncached(const HostCost *h)
{
    return LIST_ANY(i, h->nalso, h->also[i].unit == UNIT_UNCACHED_BYTE);
}

Interval costs_host_uncached_ns(const HostCost *h, const Step *s)
{
    Interval sum = interval_exact(0);
    for (int i = 0; i < h->nalso; i++)
        if (h->also[i].unit == UNIT_UNCACHED_BYTE)
            sum = interval_add(sum, interval_scale(h->also[i].per_unit_ns,
                                                   costs_host_units(UNIT_UNCACHED_BYTE, s)));
    return sum;
}

Interval costs_host_ns(const HostCost *h, const Step *s)
{
    Interval work = interval_scale(h->per_unit_ns, costs_host_units(h->unit, s));
    for (int i = 0; i < h->nalso; i++)
        work = interval_add(
            work, interval_scale(h->also[i].per_unit_ns, costs_host_units(h->also[i].unit, s)));
    /* Sizes that are upper bounds: anything between none of the work and all of it. */
    if (s->at_most)
        work = (Interval){0, work.mid / 2, work.hi};
    assert(!(work.lo > work.mid) && !(work.mid > work.hi));
    return interval_add(interval_scale(h->fixed_ns, 1.0 + s->more_calls), work);
}

static bool same_word(const char *a, const char *b)
{
    return *a == *b && strcmp(a, b) == 0;
}

/* -1: does not cover the step; else the higher, the more it says about it. */
static int score_host_cost(const HostCost *h, Sdk sdk, const Step *s)
{
    bool any_operator = s->host_op == HOST_OPERATOR && same_word(h->op, "operator");
    bool finer = s->finer && same_word(h->op, s->finer);
    bool named = finer || same_word(h->op, s->op);
    if (!(any_operator || named) || (h->of_operator && s->host_op != HOST_OPERATOR))
        return -1;
    if ((h->since && sdk < h->since) || (h->until && sdk >= h->until))
        return -1;
    if ((h->from && h->from != s->from) || (h->to && h->to != s->to))
        return -1;
    return (any_operator ? 0
            : finer      ? 8
                         : 4) +
           (h->of_operator ? 3 : 0) + (h->from ? 1 : 0) + (h->to ? 1 : 0);
}

const HostCost *costs_for_host(const Costs *c, Sdk sdk, const Step *s)
{
    const HostCost *best = NULL;
    int best_close = -1;
    double best_ns = 0;
    for (size_t i = 0; i < c->nhost; i++) {
        int close = score_host_cost(&c->host[i], sdk, s);
        if (close < 0 || close < best_close)
            continue;
        double ns = costs_host_ns(&c->host[i], s).mid;
        if (best && close == best_close && ns <= best_ns)
            continue;
        best = &c->host[i];
        best_close = close;
        best_ns = ns;
    }
    return best;
}

void costs_scale_kinds(Costs *c, const double by[LOWOP_KIND_COUNT][TERM_MAX],
                       const char *calibration)
{
    for (int k = 0; k < LOWOP_KIND_COUNT; k++)
        for (int t = 0; t < TERM_MAX; t++)
            c->kind_factor[k][t] = (c->calibration ? c->kind_factor[k][t] : 1) * by[k][t];
    c->calibration = calibration;
}
