/* Collects the elements from the result tree, keeps the longest of a large program, and sums up the
 * others. */
#include "advisor/render/html/elements.h"

#include "graph/base/strmap.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double element_ns(const PageElement *e)
{
    return !isnan(e->measured_ns) ? e->measured_ns : !isnan(e->predicted_ns) ? e->predicted_ns : 0;
}

const cJSON *element_item(const PageElement *e)
{
    return e->op ? e->op : e->step;
}

static ElementPlace element_place(const cJSON *step, const cJSON *op)
{
    const char *kind = json_text(step, "kind", "");
    return op || !strcmp(kind, "npu") ? ON_NPU : !strcmp(kind, "host") ? ON_HOST : ON_LINK;
}

static uint64_t form_of(const cJSON *step, const cJSON *op)
{
    const cJSON *item = op ? op : step;
    uint64_t h = strmap_hash_string(HASH_SEED, json_text(item, op ? "kind" : "op", ""));
    for (const cJSON *dim = json_first(item, "output_shape"); dim; dim = dim->next) {
        double size = cJSON_IsNumber(dim) ? dim->valuedouble : -1;
        h = strmap_hash_bytes(h, &size, sizeof size);
    }
    double macs = json_number_or(item, "macs", 0);
    return strmap_hash_bytes(h, &macs, sizeof macs);
}

static double number_or_nan(const cJSON *item, const char *path)
{
    double v;
    return json_number(item, path, &v) ? v : NAN;
}

static PageElement element_from(const cJSON *step, const cJSON *op)
{
    const cJSON *item = op ? op : step;
    return (PageElement){.place = element_place(step, op),
                         .step = step,
                         .op = op,
                         .count = 1,
                         .measured_ns = number_or_nan(item, "measured_ns.median"),
                         .predicted_ns = number_or_nan(item, "predicted_ns.mid"),
                         .lo_ns = number_or_nan(item, "predicted_ns.lo"),
                         .hi_ns = number_or_nan(item, "predicted_ns.hi"),
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

static size_t put_operators(Elements *e, PageElement *all, size_t n, const cJSON *step,
                            const cJSON **op)
{
    double id = json_number_or(step, "id", -1);
    while (*op && json_number_or(*op, "step_id", -2) == id) {
        e->of_operator[e->noperator] = (uint32_t)n;
        e->operator[e->noperator++] = * op;
        all[n++] = element_from(step, *op);
        *op = (*op)->next;
    }
    return n;
}

Elements elements_of(Arena *a, const cJSON *result)
{
    size_t nstep = json_count(result, "steps"), nop = json_count(result, "operators");
    Elements e = {.element = ARENA_ARRAY(a, PageElement, nstep + nop + 1),
                  .of = ARENA_ARRAY(a, uint32_t, nstep + nop + 1),
                  .first_of_step = ARENA_ARRAY(a, uint32_t, nstep + 1),
                  .of_operator = ARENA_ARRAY(a, uint32_t, nop + 1),
                  .operator= ARENA_ARRAY(a, const cJSON *, nop + 1)};
    PageElement *all = ARENA_ARRAY(a, PageElement, nstep + nop + 1);
    const cJSON *op = json_first(result, "operators");
    for (const cJSON *step = json_first(result, "steps"); step; step = step->next) {
        size_t before = e.all;
        e.first_of_step[e.nstep++] = (uint32_t)e.all;
        e.all = put_operators(&e, all, e.all, step, &op);
        if (e.all == before)
            all[e.all++] = element_from(step, NULL);
    }
    assert(e.nstep == nstep && e.noperator <= nop && e.all <= nstep + nop);
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
    const cJSON **step_item, **value;
    size_t nvalue;
    StrMap head; /* name: its last entry */
    Entry *entry;
    size_t nentry, entry_cap;
    int *fit;             /* of each step, for the place at hand */
    bool *step, *element; /* touched by the finding at hand */
} Search;

static void add_entry(Search *s, const char *name, uint32_t item, int how)
{
    *VEC_PUSH(s->arena, s->entry, s->nentry, s->entry_cap) =
        (Entry){item, strmap_get(&s->head, name), how};
    strmap_put(&s->head, name, (uint32_t)(s->nentry - 1));
}

static void add_nodes(Search *s, const cJSON *item, uint32_t number)
{
    for (const cJSON *name = json_first(item, "onnx_nodes"); name; name = name->next)
        if (cJSON_IsString(name))
            add_entry(s, name->valuestring, number, BY_NODE);
}

static void add_tensors(Search *s, const cJSON *step, const char *key, uint32_t number, int how)
{
    for (const cJSON *id = json_first(step, key); id; id = id->next) {
        const char *name = id->valuedouble >= 0 && id->valuedouble < (double)s->nvalue
                               ? json_text(s->value[id->valueint], "name", NULL)
                               : NULL;
        if (name)
            add_entry(s, name, number, how);
    }
}

const cJSON **element_items(Arena *a, const cJSON *result, const char *path, size_t *ret_n)
{
    size_t n = 0;
    const cJSON **item = ARENA_ARRAY(a, const cJSON *, json_count(result, path) + 1);
    for (const cJSON *x = json_first(result, path); x; x = x->next)
        item[n++] = x;
    *ret_n = n;
    return item;
}

static Search search_of(Arena *a, const cJSON *result, const Elements *e)
{
    Search s = {.arena = a, .e = e};
    size_t nstep;
    s.step_item = element_items(a, result, "steps", &nstep);
    s.value = element_items(a, result, "values", &s.nvalue);
    s.fit = ARENA_ARRAY(a, int, nstep + 1);
    s.step = ARENA_ARRAY(a, bool, nstep + 1);
    s.element = ARENA_ARRAY(a, bool, e->n + 1);
    strmap_init(&s.head, a, 2 * e->all + 16);
    for (uint32_t i = 0; i < nstep; i++) {
        if (!strcmp(json_text(s.step_item[i], "kind", ""), "npu"))
            continue;
        add_nodes(&s, s.step_item[i], i);
        add_tensors(&s, s.step_item[i], "inputs", i, BY_INPUT);
        add_tensors(&s, s.step_item[i], "outputs", i, BY_OUTPUT);
    }
    for (uint32_t i = 0; i < e->noperator; i++)
        add_nodes(&s, e->operator[i], (uint32_t)nstep + i);
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
    bool same = op && !strcmp(json_text(s->step_item[e->item], "op", ""), op);
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

static void touch_place(Search *s, const cJSON *place)
{
    const char *op = json_text(place, "op", NULL),
               *name[] = {json_text(place, "node", NULL), json_text(place, "tensor", NULL)};
    int fit[] = {best_fit(s, name[0], op), best_fit(s, name[1], op)};
    int best = fit[0] > fit[1] ? fit[0] : fit[1];
    for (int i = 0; i < 2; i++)
        touch_steps(s, name[i], op, best);
    if (best < 3)
        touch_operators(s, name[0]);
}

/* A cut takes away what uses the tensor, and all that is behind that. */
static void touch_cuts(Search *s, const cJSON *finding)
{
    bool any = false;
    for (const cJSON *lever = json_first(finding, "levers"); lever; lever = lever->next) {
        if (strcmp(json_text(lever, "lever", ""), "cut-tail") != 0)
            continue;
        any = true;
        uint32_t i = first_entry(s, json_text(lever, "index", NULL));
        for (; i != STRMAP_NONE; i = s->entry[i].next)
            if (s->entry[i].item < s->e->nstep && s->entry[i].how == BY_INPUT)
                s->step[s->entry[i].item] = true;
    }
    for (size_t i = 0; any && i < s->e->nstep; i++)
        for (const cJSON *dep = json_first(s->step_item[i], "deps"); dep; dep = dep->next)
            s->step[i] |=
                dep->valuedouble >= 0 && dep->valuedouble < (double)i && s->step[dep->valueint];
}

static void mark_step(Search *s, size_t step)
{
    const Elements *e = s->e;
    size_t end = step + 1 < e->nstep ? e->first_of_step[step + 1] : e->all;
    for (size_t k = e->first_of_step[step]; k < end; k++)
        s->element[e->of[k]] = true;
}

static Touched touched_by(Search *s, const cJSON *finding)
{
    Touched t = {ARENA_ARRAY(s->arena, uint32_t, s->e->n + 1), 0};
    memset(s->step, 0, s->e->nstep * sizeof *s->step);
    memset(s->element, 0, s->e->n * sizeof *s->element);
    for (const cJSON *place = json_first(finding, "places"); place; place = place->next)
        touch_place(s, place);
    touch_cuts(s, finding);
    for (size_t i = 0; i < s->e->nstep; i++)
        if (s->step[i])
            mark_step(s, i);
    for (size_t i = 0; i < s->e->n; i++)
        if (s->element[i])
            t.element[t.n++] = (uint32_t)i;
    return t;
}

Marks marks_of(Arena *a, const cJSON *result, const Elements *e)
{
    static const char *const list[] = {"recommendations", "observations"};
    size_t n = json_count(result, list[0]) + json_count(result, list[1]);
    Marks m = {ARENA_ARRAY(a, Touched, n + 1), 0};
    Search s = search_of(a, result, e);
    for (int i = 0; i < 2; i++)
        for (const cJSON *finding = json_first(result, list[i]); finding; finding = finding->next)
            m.finding[m.n++] = touched_by(&s, finding);
    assert(m.n == n);
    return m;
}
