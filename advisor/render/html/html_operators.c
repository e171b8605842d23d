/* Writes the places of the script's roofline and scatter plot, and one row per operator, longest
 * first.  The rows are for a page without scripts, which makes them itself. */
#include "advisor/render/html/html.h"

static const PhraseId columns[] = {PHRASE_COL_NODE,    PHRASE_COL_TYPE,    PHRASE_COL_WHERE,
                                   PHRASE_COL_US_MEAS, PHRASE_COL_US_PRED, PHRASE_COL_MMAC,
                                   PHRASE_COL_KB,      PHRASE_COL_LIMITED, PHRASE_COL_ADVICE_NUMBER,
                                   PHRASE_COUNT};

typedef struct {
    double ns;
    uint32_t element;
} Ranked;

ORDER_BY(longest_first, Ranked, COMPARE(b->ns, a->ns), COMPARE(a->element, b->element))

uint32_t *rows_of(Arena *a, const Elements *e)
{
    Ranked *list = ARENA_ARRAY(a, Ranked, e->n + 1);
    uint32_t *row = ARENA_ARRAY(a, uint32_t, e->n + 1);
    for (uint32_t i = 0; i < e->n; i++)
        list[i] = (Ranked){element_ns(&e->element[i]), i};
    ORDER_LIST(list, e->n, longest_first);
    for (size_t i = 0; i < e->n; i++)
        row[i] = list[i].element;
    return row;
}

/* An end tag more for each of nine cells would be a quarter of a large page: HTML needs none. */
static void write_text_cell(Page *p, const char *text)
{
    html_void(p->h, "td", NULL);
    html_text(p->h, text);
}

static void cell_number(Page *p, double v, int places)
{
    html_void(p->h, "td", NULL);
    if (!isnan(v))
        html_textf(p->h, "%.*f", places, v);
}

static void cell_name(Page *p, const PageElement *e)
{
    const char *node = element_node(e);
    html_void(p->h, "td", NULL);
    if (node)
        html_name(p->h, node, PAGE_NAME);
    if (e->count < 2)
        return;
    html_text(p->h, " ");
    html_text(p->h, page_count(p, PHRASE_AND_MORE, e->count - 1).text);
}

/* "convolution": an NPU operator in words; "Quantize", or "transfer to the NPU" …: a step. */
static const char *title_of(const Page *p, const PageElement *e)
{
    ResultStepKind kind = e->step->kind;
    return e->op                           ? phrase_by_key(p->lang, "OP_", e->op->kind)
           : kind == RESULT_STEP_KIND_HOST ? e->step->op
                                           : span_name(p, result_step_kind_words[kind]);
}

/* Of a sum of several operators none is said. */
static double known_amount(const PageElement *e, int64_t amount, double unit)
{
    return e->count == 1 && amount > 0 ? (double)amount / unit : NAN;
}

static void cell_advice(Page *p, uint32_t element)
{
    const char *before = "";
    html_void(p->h, "td", NULL);
    for (size_t k = 0; k < p->marks.n; k++) {
        const Touched *t = &p->marks.finding[k];
        size_t at = LIST_BOUND(i, t->n, t->element[i] < element);
        if (at < t->n && t->element[at] == element) {
            html_textf(p->h, "%s%lld", before, (long long)t->id);
            before = " ";
        }
    }
}

static void write_operator_row(Page *p, uint32_t element)
{
    static const struct {
        const char *class;
        PhraseId name;
    } place[] = {{"h", PHRASE_PART_HOST}, {"p", PHRASE_PART_IO}, {"n", PHRASE_PART_NPU}};
    const PageElement *e = &p->elements.element[element];
    html_void(p->h, "tr", "class", place[e->place].class, NULL);
    cell_name(p, e);
    write_text_cell(p, title_of(p, e));
    write_text_cell(p, phrase_text(p->lang, place[e->place].name));
    cell_number(p, e->measured_ns / 1e3, 2);
    cell_number(p, e->predicted_ns / 1e3, 2);
    cell_number(p, known_amount(e, e->op ? e->op->macs : 0, 1e6), 1);
    cell_number(p, known_amount(e, e->op ? e->op->bytes : 0, 1e3), 0);
    ResultLimit limit = e->op ? e->op->limited_by : e->step->limited_by;
    write_text_cell(p, phrase_by_key(p->lang, "LIMIT_", result_limit_words[limit]));
    cell_advice(p, element);
}

static void table_open(Page *p, const char *id)
{
    static const char *const width[] = {"c1", "c2", "c3", "c4", "c4", "c5", "c5", "c6", "c7"};
    html_open(p->h, "table", "class", "grid-table operators", NULL);
    if (id)
        html_attr(p->h, "id", "%s", id);
    html_open(p->h, "colgroup", NULL);
    for (size_t i = 0; i < sizeof width / sizeof *width; i++)
        html_void(p->h, "col", "class", width[i], NULL);
    html_close(p->h);
    html_open(p->h, "thead", NULL);
    html_open(p->h, "tr", NULL);
    for (const PhraseId *c = columns; *c != PHRASE_COUNT; c++)
        html_leaf(p->h, "th", phrase_text(p->lang, *c), "scope", "col", NULL);
    html_close(p->h);
    html_close(p->h);
    html_open(p->h, "tbody", NULL);
}

static void table_close(Page *p)
{
    html_close(p->h);
    html_close(p->h);
}

static void write_operator_rows(Page *p)
{
    html_open(p->h, "noscript", NULL);
    html_open(p->h, "div", "class", "scroll tall", "tabindex", "0", "role", "group", "aria-label",
              phrase_text(p->lang, PHRASE_OPERATORS_TABLE), NULL);
    table_open(p, NULL);
    for (size_t i = 0; i < p->elements.n; i++)
        write_operator_row(p, p->row[i]);
    table_close(p);
    html_close(p->h);
    html_close(p->h);
}

static void write_plot(Page *p, const char *id, PhraseId caption, PhraseId hint, PhraseId name)
{
    html_open(p->h, "figure", NULL);
    html_open(p->h, "figcaption", NULL);
    html_textf(p->h, "%s ", phrase_text(p->lang, caption));
    html_leaf(p->h, "small", phrase_text(p->lang, hint), NULL);
    html_close(p->h);
    html_leaf(p->h, "canvas", "", "id", id, "role", "img", "tabindex", "0", "aria-label",
              phrase_text(p->lang, name), NULL);
    html_close(p->h);
}

static void write_place_filter(Page *p)
{
    static const struct {
        const char *value, *class;
        PhraseId name;
        ElementPlace at;
    } place[] = {{"h", "host", PHRASE_PART_HOST, ON_HOST},
                 {"p", "io", PHRASE_PART_IO, ON_LINK},
                 {"n", "npu", PHRASE_PART_NPU, ON_NPU}};
    const PageElement *e = p->elements.element;
    html_open(p->h, "fieldset", NULL);
    html_leaf(p->h, "legend", phrase_text(p->lang, PHRASE_COL_WHERE), "class", "hidden", NULL);
    for (size_t i = 0; i < sizeof place / sizeof *place; i++) {
        if (!LIST_ANY(k, p->elements.n, e[k].place == place[i].at))
            continue;
        html_open(p->h, "label", NULL);
        html_void(p->h, "input", "type", "checkbox", "class", "operators-place", "value",
                  place[i].value, "checked", "", NULL);
        page_key(p, place[i].class);
        html_text(p->h, phrase_text(p->lang, place[i].name));
        html_close(p->h);
    }
    html_close(p->h);
}

static void write_operator_tools(Page *p)
{
    html_open(p->h, "div", "class", "tools js", NULL);
    html_open(p->h, "label", NULL);
    html_textf(p->h, "%s ", phrase_text(p->lang, PHRASE_FILTER));
    html_void(p->h, "input", "type", "search", "id", "operators-filter", "autocomplete", "off",
              NULL);
    html_close(p->h);
    write_place_filter(p);
    page_advice_select(p, "operators-advice", PHRASE_ANY_ADVICE);
    page_tool(p, "operators-clear", phrase_text(p->lang, PHRASE_CLEAR), PHRASE_COUNT);
    html_leaf(p->h, "span", "", "id", "operators-count", "class", "hint", "aria-live", "polite",
              NULL);
    html_close(p->h);
}

/* How much of an inference the NPU works. */
static double busy_share(const Result *r)
{
    if (r->measured)
        return r->measured->npu_utilisation;
    return r->prediction && r->prediction->latency_ns.mid > 0
               ? (double)r->prediction->npu_ns.mid / (double)r->prediction->latency_ns.mid
               : 0;
}

/* That, and the MACs of the peak in the time that the NPU's operators take. */
static void use_note(Page *p)
{
    const ResultMachine *machine = p->result->machine;
    double macs = 0, ns = 0;
    Figure f, g;
    Phrase buf;
    for (size_t i = 0; i < p->elements.noperator; i++) {
        const ResultOperator *op = &p->result->operators.item[i];
        double one;
        macs += (double)op->macs;
        ns += summary_operator_time_ns(op, &one) ? one : 0;
    }
    if (!machine || !(machine->peak_macs_per_s > 0) || !(macs > 0) || !(ns > 0))
        return;
    html_leaf(p->h, "p",
              phrase_format(&buf, p->lang, PHRASE_USE_NOTE, COUNTED(machine->pe_count),
                            figure_share(&f, macs / ns * 1e9 / machine->peak_macs_per_s),
                            figure_share(&g, busy_share(p->result)), NULL),
              "class", "note", NULL);
}

static void summed_up(Page *p)
{
    Phrase buf;
    if (p->elements.all == p->elements.n)
        return;
    html_leaf(p->h, "p",
              phrase_format(&buf, p->lang, PHRASE_SUMMED_UP, COUNTED(p->elements.all),
                            COUNTED(ELEMENTS_LONGEST), NULL),
              "class", "note", NULL);
}

void html_operators(Page *p)
{
    if (p->elements.n == 0) {
        page_note(p, PHRASE_NO_STEPS);
        return;
    }
    html_open(p->h, "div", "class", "plots js", NULL);
    write_plot(p, "roofline", PHRASE_ROOFLINE, PHRASE_DRAG_TO_CHOOSE, PHRASE_ROOFLINE_CANVAS);
    write_plot(p, "scatter", PHRASE_SCATTER, PHRASE_ON_THE_LINE, PHRASE_SCATTER_CANVAS);
    html_close(p->h);
    use_note(p);
    summed_up(p);
    write_operator_tools(p);
    html_open(p->h, "div", "class", "scroll tall js", "tabindex", "0", "role", "group",
              "aria-label", phrase_text(p->lang, PHRASE_OPERATORS_TABLE), NULL);
    table_open(p, "operators-table");
    table_close(p);
    html_close(p->h);
    write_operator_rows(p);
}
