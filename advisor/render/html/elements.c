/* Collects the elements from the result, keeps the longest of a large program, and sums up the
 * others. */
#include "advisor/render/html/elements.h"

#include "advisor/report/finding.h"
#include "advisor/rules/lever.h"
#include "graph/base/strmap.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double element_ns(const PageElement *e)
{
    return !isnan(e->measured_ns) ? e->measured_ns : !isnan(e->predicted_ns) ? e->predicted_ns : 0;
}

const char *element_node(const PageElement *e)
{
    const ResultTexts *nodes = e->op ? &e->op->onnx_nodes : &e->step->onnx_nodes;
    return nodes->count ? nodes->item[0] : NULL;
}

static ElementPlace element_place(const ResultStep *step, const ResultOperator *op)
{
    return op || step->kind == RESULT_STEP_KIND_NPU ? ON_NPU
           : step->kind == RESULT_STEP_KIND_HOST    ? ON_HOST
                                                    : ON_LINK;
}

static uint64_t form_of(const ResultStep *step, const ResultOperator *op)
{
    uint64_t h = strmap_hash_string(HASH_SEED, op ? op->kind : step->op);
    for (size_t i = 0; op && i < op->output_shape.count; i++) {
        const ResultInt *dim = &op->output_shape.item[i];
        int64_t size = dim->known ? dim->value : -1;
        h = strmap_hash_bytes(h, &size, sizeof size);
    }
    return op ? strmap_hash_bytes(h, &op->macs, sizeof op->macs) : h;
}

static PageElement element_from(const ResultStep *step, const ResultOperator *op)
{
    const ResultMeasuredNs *measured = op ? op->measured_ns : step->measured_ns;
    const ResultIntervalNs *predicted = op ? &op->predicted_ns : step->predicted_ns;
    return (PageElement){.place = element_place(step, op),
                         .step = step,
                         .op = op,
                         .count = 1,
                         .measured_ns = measured ? (double)measured->median : NAN,
                         .predicted_ns = predicted ? (double)predicted->mid : NAN,
                         .lo_ns = predicted ? (double)predicted->lo : NAN,
                         .hi_ns = predicted ? (double)predicted->hi : NAN,
                         .form = form_of(step, op)};
}

static int longest_first(const void *pa, const void *pb)
{
    const double *a = pa, *b = pb;
    return (*a < *b) - (*a > *b);
}

/* The least time of an element of its own. */
static double min_separate_ns(Arena *a, const PageElement *all, size_t n)
{
    if (n <= ELEMENTS_FULL)
        return -1;
    double *ns = ARENA_ARRAY(a, double, n);
    for (size_t i = 0; i < n; i++)
        ns[i] = element_ns(&all[i]);
    qsort(ns, n, sizeof *ns, longest_first);
    static_assert(ELEMENTS_LONGEST < ELEMENTS_FULL, "a long list has one more");
    return ns[ELEMENTS_LONGEST];
}

static void add_up(double *sum, double more)
{
    *sum = isnan(*sum) ? more : isnan(more) ? *sum : *sum + more;
}

static void merge_element(PageElement *to, const PageElement *e)
{
    to->count += e->count;
    add_up(&to->measured_ns, e->measured_ns);
    add_up(&to->predicted_ns, e->predicted_ns);
    add_up(&to->lo_ns, e->lo_ns);
    add_up(&to->hi_ns, e->hi_ns);
    to->form = strmap_hash_bytes(to->form, &e->form, sizeof e->form);
}

/* Neighbours in one place that are short are one. */
static void sum_up(Arena *a, Elements *e, const PageElement *all)
{
    double least = min_separate_ns(a, all, e->all);
    bool open = false;
    for (size_t i = 0; i < e->all; i++) {
        bool alone = element_ns(&all[i]) > least;
        PageElement *last = e->n ? &e->element[e->n - 1] : NULL;
        if (!alone && open && last->place == all[i].place)
            merge_element(last, &all[i]);
        else
            e->element[e->n++] = all[i];
        open = !alone;
        assert(e->n > 0 && e->n <= i + 1);
        e->of[i] = (uint32_t)(e->n - 1);
    }
}

static void put_operators(Elements *e, PageElement *all, const ResultStep *step,
                          const ResultOperatorList *list)
{
    while (e->noperator < list->count && list->item[e->noperator].step_id == step->id) {
        e->of_operator[e->noperator] = (uint32_t)e->all;
        all[e->all++] = element_from(step, &list->item[e->noperator++]);
    }
}

Elements elements_of(Arena *a, const Result *r)
{
    size_t nstep = r->steps.count, nop = r->operators.count;
    Elements e = {.element = ARENA_ARRAY(a, PageElement, nstep + nop + 1),
                  .of = ARENA_ARRAY(a, uint32_t, nstep + nop + 1),
                  .first_of_step = ARENA_ARRAY(a, uint32_t, nstep + 1),
                  .of_operator = ARENA_ARRAY(a, uint32_t, nop + 1),
                  .nstep = nstep};
    PageElement *all = ARENA_ARRAY(a, PageElement, nstep + nop + 1);
    for (size_t i = 0; i < nstep; i++) {
        e.first_of_step[i] = (uint32_t)e.all;
        put_operators(&e, all, &r->steps.item[i], &r->operators);
        if (e.all == e.first_of_step[i])
            all[e.all++] = element_from(&r->steps.item[i], NULL);
    }
    assert(e.noperator <= nop && e.all <= nstep + nop);
    sum_up(a, &e, all);
    for (size_t i = 0; i < e.noperator; i++)
        e.of_operator[i] = e.of[e.of_operator[i]];
    return e;
}

/* ---- what findings speak of ---- */

/* Steps and operators by the names that places have. */
enum { BY_NODE = 1, BY_INPUT = 2, BY_OUTPUT = 4 };
typedef struct {
    uint32_t item; /* step, or operator behind the steps */
    uint32_t next; /* entry of the same name; STRMAP_NONE ends */
    int how;
} Entry;

typedef struct {
    Arena *arena;
    const Elements *e;
    const Result *r;
    StrMap head; /* name: its last entry */
    Entry *entry;
    size_t nentry, entry_cap;
    bool *step, *element; /* touched by the finding at hand */
} Search;

static void add_entry(Search *s, const char *name, uint32_t item, int how)
{
    *VEC_PUSH(s->arena, s->entry, s->nentry, s->entry_cap) =
        (Entry){item, strmap_get(&s->head, name), how};
    strmap_put(&s->head, name, (uint32_t)(s->nentry - 1));
}

static void add_nodes(Search *s, const ResultTexts *nodes, uint32_t number)
{
    for (size_t i = 0; i < nodes->count; i++)
        add_entry(s, nodes->item[i], number, BY_NODE);
}

static void add_tensors(Search *s, const ResultInts *ids, uint32_t number, int how)
{
    for (size_t i = 0; i < ids->count; i++) {
        size_t id = (size_t)ids->item[i];
        if (id < s->r->values.count && s->r->values.item[id].name)
            add_entry(s, s->r->values.item[id].name, number, how);
    }
}

static Search search_of(Arena *a, const Result *r, const Elements *e)
{
    Search s = {.arena = a, .e = e, .r = r};
    size_t nstep = e->nstep;
    s.step = ARENA_ARRAY(a, bool, nstep + 1);
    s.element = ARENA_ARRAY(a, bool, e->n + 1);
    strmap_init(&s.head, a, 2 * e->all + 16);
    for (uint32_t i = 0; i < nstep; i++) {
        const ResultStep *step = &r->steps.item[i];
        if (step->kind == RESULT_STEP_KIND_NPU)
            continue;
        add_nodes(&s, &step->onnx_nodes, i);
        add_tensors(&s, &step->inputs, i, BY_INPUT);
        add_tensors(&s, &step->outputs, i, BY_OUTPUT);
    }
    for (uint32_t i = 0; i < e->noperator; i++)
        add_nodes(&s, &r->operators.item[i].onnx_nodes, (uint32_t)nstep + i);
    return s;
}

static uint32_t first_entry(const Search *s, const char *name)
{
    return name ? strmap_get(&s->head, name) : STRMAP_NONE;
}

/* A conversion beside the node, of the operator that the place names, is meant rather than the
 * node's own step, and that rather than what the NPU makes of the node. */
static int fit_of(const Search *s, const Entry *e, const char *op)
{
    bool same = op && !strcmp(s->r->steps.item[e->item].op, op);
    return same ? 3 : e->how == BY_NODE ? 2 : 0;
}

static int best_fit(Search *s, const char *name, const char *op)
{
    int best = 0;
    for (uint32_t i = first_entry(s, name); i != STRMAP_NONE; i = s->entry[i].next) {
        int fit = s->entry[i].item < s->e->nstep ? fit_of(s, &s->entry[i], op) : 0;
        best = fit > best ? fit : best;
    }
    return best;
}

static void touch_steps(Search *s, const char *name, const char *op, int fit)
{
    for (uint32_t i = first_entry(s, name); i != STRMAP_NONE; i = s->entry[i].next) {
        const Entry *e = &s->entry[i];
        if (fit && e->item < s->e->nstep && fit_of(s, e, op) == fit)
            s->step[e->item] = true;
    }
}

static void touch_operators(Search *s, const char *name)
{
    for (uint32_t i = first_entry(s, name); i != STRMAP_NONE; i = s->entry[i].next) {
        uint32_t item = s->entry[i].item;
        if (item >= s->e->nstep)
            s->element[s->e->of_operator[item - s->e->nstep]] = true;
    }
}

static void touch_place(Search *s, const ResultPlace *place)
{
    const char *op = place->op, *name[] = {place->node, place->tensor};
    int fit[] = {best_fit(s, name[0], op), best_fit(s, name[1], op)};
    int best = fit[0] > fit[1] ? fit[0] : fit[1];
    for (int i = 0; i < 2; i++)
        touch_steps(s, name[i], op, best);
    if (best < 3)
        touch_operators(s, name[0]);
}

/* A cut takes away what uses the tensor, and all that is behind that. */
static void touch_cuts(Search *s, const ResultLeverList *levers)
{
    bool any = false;
    for (size_t k = 0; k < levers->count; k++) {
        if (lever_find(levers->item[k].lever) != LEVER_CUT_TAIL)
            continue;
        any = true;
        uint32_t i = first_entry(s, levers->item[k].index);
        for (; i != STRMAP_NONE; i = s->entry[i].next)
            if (s->entry[i].item < s->e->nstep && s->entry[i].how == BY_INPUT)
                s->step[s->entry[i].item] = true;
    }
    for (size_t i = 0; any && i < s->e->nstep; i++) {
        const ResultInts *deps = &s->r->steps.item[i].deps;
        for (size_t k = 0; k < deps->count; k++)
            s->step[i] |= (size_t)deps->item[k] < i && s->step[deps->item[k]];
    }
}

static void mark_step(Search *s, size_t step)
{
    const Elements *e = s->e;
    size_t end = step + 1 < e->nstep ? e->first_of_step[step + 1] : e->all;
    for (size_t k = e->first_of_step[step]; k < end; k++)
        s->element[e->of[k]] = true;
}

static Touched touched_by(Search *s, const ReportedFinding *finding)
{
    Touched t = {ARENA_ARRAY(s->arena, uint32_t, s->e->n + 1), 0};
    memset(s->step, 0, s->e->nstep * sizeof *s->step);
    memset(s->element, 0, s->e->n * sizeof *s->element);
    for (size_t i = 0; i < finding->places->count; i++)
        touch_place(s, &finding->places->item[i]);
    if (finding->recommendation)
        touch_cuts(s, &finding->recommendation->levers);
    for (size_t i = 0; i < s->e->nstep; i++)
        if (s->step[i])
            mark_step(s, i);
    for (size_t i = 0; i < s->e->n; i++)
        if (s->element[i])
            t.element[t.n++] = (uint32_t)i;
    return t;
}

Marks marks_of(Arena *a, const Result *r, const Elements *e)
{
    size_t n = finding_count(r);
    Marks m = {ARENA_ARRAY(a, Touched, n + 1), n};
    Search s = search_of(a, r, e);
    for (size_t i = 0; i < n; i++) {
        ReportedFinding finding = finding_at(r, i);
        m.finding[i] = touched_by(&s, &finding);
    }
    return m;
}
