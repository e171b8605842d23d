/* Collects the elements from the result, keeps the longest of a large program, and sums up the
 * others. */
#include "advisor/render/html/elements.h"

#include "advisor/report/finding.h"

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

ORDER_BY(longest_first, double, COMPARE(*b, *a))

/* Elements that take longer than this stay separate. */
static double min_separate_ns(Arena *a, const PageElement *all, size_t n)
{
    if (n <= ELEMENTS_FULL)
        return -1;
    double *ns = ARENA_ARRAY(a, double, n);
    for (size_t i = 0; i < n; i++)
        ns[i] = element_ns(&all[i]);
    ORDER_LIST(ns, n, longest_first);
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

/* ---- what findings mark ---- */

static void mark_step(const Elements *e, size_t step, bool *marked)
{
    size_t end = step + 1 < e->nstep ? e->first_of_step[step + 1] : e->all;
    for (size_t k = e->first_of_step[step]; k < end; k++)
        marked[e->of[k]] = true;
}

static Touched elements_marked(Arena *a, const Elements *e, const Result *r,
                               const ReportedFinding *x)
{
    bool *marked = ARENA_ARRAY(a, bool, e->n + 1);
    Touched t = {x->id, ARENA_ARRAY(a, uint32_t, e->n + 1), 0};
    const ResultInts *steps, *operators;
    finding_marks(r, x, &steps, &operators);
    for (size_t i = 0; i < steps->count; i++)
        if ((size_t)steps->item[i] < e->nstep)
            mark_step(e, (size_t)steps->item[i], marked);
    for (size_t i = 0; i < operators->count; i++)
        if ((size_t)operators->item[i] < e->noperator)
            marked[e->of_operator[operators->item[i]]] = true;
    for (size_t i = 0; i < e->n; i++)
        if (marked[i])
            t.element[t.n++] = (uint32_t)i;
    return t;
}

Marks marks_of(Arena *a, const Result *r, const Elements *e)
{
    size_t n = r->changes.count + r->by_hand.count;
    Marks m = {ARENA_ARRAY(a, Touched, n + 1), n};
    for (size_t i = 0; i < n; i++) {
        ReportedFinding x = finding_at(r, i);
        m.finding[i] = elements_marked(a, e, r, &x);
    }
    return m;
}
