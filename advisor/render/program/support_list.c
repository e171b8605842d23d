/* Joins the quantizer's table with the support page to one list of operators. */
#include "advisor/render/program/support_show.h"

#include "graph/compile/compile.h"

typedef struct {
    Arena *arena;
    const Machine *machine;
    Sdk sdk;
    SupportLine *line;
    size_t n, cap;
} Listing;

static void add_line(Listing *l, SupportLine line)
{
    *VEC_PUSH(l->arena, l->line, l->n, l->cap) = line;
}

/* The newest row that the SDK has; NULL for none. */
static const SupportRow *page_row(const Listing *l, const char *op)
{
    size_t n;
    const SupportRow *row = machine_rows(l->machine, PAGE_DECIDES, op, &n), *newest = NULL;
    for (size_t i = 0; i < n; i++)
        if (row[i].since <= l->sdk)
            newest = &row[i];
    return newest;
}

/* Operators that the compiler takes for one of the page under a condition that it finds itself. */
static const struct {
    const char *op, *when, *as;
} partial_alias[] = {
    {"Div", "divisor=constant", "Mul"},
    {"ReduceMean", "axes=H,W", "AveragePool"},
    {"Sum", "inputs=2", "Add"},
    {"Conv", "group=channels", "DepthwiseConv"},
};

static const char *joined(Arena *a, const char *x, const char *y)
{
    return *x && *y ? arena_printf(a, "%s and %s", x, y) : *x ? x : y;
}

/* Every word of the one set is in the other; both are "|A|B|". */
static bool set_holds(const char *set, const char *words)
{
    for (const char *w = words; w[1]; w += strcspn(w + 1, "|") + 1) {
        size_t len = strcspn(w + 1, "|") + 2;
        const char *at = set;
        while (*at && strncmp(at, w, len) != 0)
            at++;
        if (!*at)
            return false;
    }
    return true;
}

static bool is_implied(const QuantizerRow *q, const Condition *want)
{
    for (size_t i = 0; i < q->ncondition; i++) {
        const Condition *has = &q->condition[i];
        if (has->key != want->key || has->is_limit != want->is_limit)
            continue;
        if (want->is_limit ? has->limit <= want->limit : set_holds(want->set, has->set))
            return true;
    }
    return false;
}

/* What the page asks beyond the quantizer's own conditions; "" for nothing. */
static const char *beyond(Arena *a, const QuantizerRow *q, const SupportRow *page)
{
    const char *text = "";
    for (size_t i = 0; i < page->ncondition; i++)
        if (!is_implied(q, &page->condition[i]))
            text = joined(a, text, page->condition[i].text);
    return text;
}

/* The line of a quantizer's row where the page has the operator, `extra` holds too. */
static void add_on_page(Listing *l, const QuantizerRow *q, const char *extra)
{
    const char *when = joined(l->arena, q->when, extra);
    SupportPlace place = q->type == QUANTIZED_INT8 ? PLACE_NPU : PLACE_NOT_KNOWN;
    add_line(l, (SupportLine){q->op, when, q->type, place, SOURCE_BOTH});
}

static void add_partial(Listing *l, const QuantizerRow *q)
{
    for (size_t i = 0; i < sizeof partial_alias / sizeof *partial_alias; i++) {
        const SupportRow *as =
            strcmp(partial_alias[i].op, q->op) == 0 ? page_row(l, partial_alias[i].as) : NULL;
        if (as)
            add_on_page(l, q, joined(l->arena, partial_alias[i].when, beyond(l->arena, q, as)));
    }
}

/* Splits a row at the conditions of the page, unless the page says nothing of the operator. */
static void add_split(Listing *l, const QuantizerRow *q, SupportPlace else_place)
{
    const char *name = support_alias(q->op), *extra = "";
    bool parts = name && strchr(name, '+'); /* elementwise operators, which every SDK has */
    const SupportRow *page = parts ? NULL : page_row(l, name ? name : q->op);
    add_partial(l, q);
    if (page)
        extra = beyond(l->arena, q, page);
    if (page || parts)
        add_on_page(l, q, extra);
    if (!parts && (!page || *extra))
        add_line(l, (SupportLine){q->op, q->when, q->type, else_place, SOURCE_TOOL});
}

static void add_row(Listing *l, const Quantizer *of, const QuantizerRow *q)
{
    if (q->type == QUANTIZED_INT8)
        add_split(l, q, PLACE_NOT_KNOWN);
    else if (q->type == QUANTIZED_FLOAT && of->inferred)
        add_split(l, q, PLACE_HOST);
    else
        add_line(l,
                 (SupportLine){q->op, q->when, q->type,
                               q->type == QUANTIZED_FLOAT ? PLACE_HOST : PLACE_NONE, SOURCE_TOOL});
}

/* Operators of the page that the quantizer was not tried with. */
static void add_page(Listing *l, const Quantizer *q)
{
    const Machine *m = l->machine;
    for (size_t i = 0; i < m->nrow; i++) {
        size_t n = 0;
        if (&m->row[i] != page_row(l, m->row[i].op) || strcmp(m->row[i].op, "DepthwiseConv") == 0)
            continue;
        if (q)
            quantizer_rows(q, m->row[i].op, &n);
        if (n == 0)
            add_line(l, (SupportLine){m->row[i].op, m->row[i].when, QUANTIZED_UNKNOWN, PLACE_NPU,
                                      SOURCE_PAGE});
    }
}

/* Of a machine of rows every row counts: the first that holds decides. */
static void add_rows(Listing *l)
{
    for (size_t i = 0; i < l->machine->nrow; i++) {
        const SupportRow *row = &l->machine->row[i];
        SupportPlace place = machine_row_is_host(row) ? PLACE_HOST : PLACE_NPU;
        if (row->since <= l->sdk)
            add_line(l, (SupportLine){row->op, row->when, QUANTIZED_UNKNOWN, place, SOURCE_TOOL});
    }
}

/* Sorts by operator; the lines of one keep their order. */
static void sort_lines(SupportLine *line, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        SupportLine one = line[i];
        size_t k = i;
        for (; k > 0 && strcmp(line[k - 1].op, one.op) > 0; k--)
            line[k] = line[k - 1];
        line[k] = one;
    }
}

const SupportLine *support_list(Arena *a, const Machine *m, Sdk sdk, size_t *ret_n)
{
    Listing l = {.arena = a, .machine = m, .sdk = sdk};
    const Quantizer *q = machine_quantizer(m, sdk);
    for (size_t i = 0; q && i < q->nrow; i++)
        add_row(&l, q, &q->row[i]);
    if (m->kind == MACHINE_ROWS)
        add_rows(&l);
    else
        add_page(&l, q);
    sort_lines(l.line, l.n);
    *ret_n = l.n;
    return l.line;
}
