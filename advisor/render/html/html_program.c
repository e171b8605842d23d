/* Writes the program block by block, as a map that the script draws and as a table. */
#include "advisor/render/html/html.h"

/* What one block takes, by place, and how often it crosses between host and NPU. */
typedef struct {
    double ns[3];
    int borders;
} Weight;

static Weight weigh_block(const Page *p, const GraphBlock *b)
{
    Weight w = {{0}, 0};
    for (uint32_t i = b->from; i < b->to; i++) {
        const PageElement *e = &p->elements.element[i];
        w.ns[e->place] += element_ns(e);
        if (i > b->from)
            w.borders += (e->place == ON_HOST) != (e[-1].place == ON_HOST);
    }
    return w;
}

static void cell_ns(Page *p, double ns)
{
    Figure f;
    html_leaf(p->h, "td", ns > 0 ? figure_time(&f, ns) : "–", "class", "number", NULL);
}

static void write_group_row(Page *p, const Group *g)
{
    static const ElementPlace order[] = {ON_HOST, ON_NPU, ON_LINK};
    const GraphBlock *first = &p->blocks.block[g->first],
                     *last = first + g->repeats * g->period - 1;
    Weight w = {{0}, 0};
    for (const GraphBlock *b = first; b <= last; b++) {
        Weight one = weigh_block(p, b);
        for (int i = 0; i < 3; i++)
            w.ns[i] += one.ns[i];
        w.borders += one.borders;
    }
    page_row_open(p);
    html_open(p->h, "th", "scope", "row", NULL);
    html_name(p->h, span_name(p, first->name), 48);
    if (last > first) {
        html_text(p->h, " … ");
        html_name(p->h, span_name(p, last->name), 48);
    }
    html_close(p->h);
    html_open(p->h, "td", "class", "number", NULL);
    html_textf(p->h, "%u", g->repeats);
    html_close(p->h);
    html_open(p->h, "td", "class", "number", NULL);
    html_textf(p->h, "%u", first[g->period - 1].to - first->from);
    html_close(p->h);
    for (int i = 0; i < 3; i++)
        cell_ns(p, w.ns[order[i]]);
    html_open(p->h, "td", "class", "number", NULL);
    html_textf(p->h, "%d", w.borders);
    html_close(p->h);
    page_row_close(p);
}

static void write_block_table(Page *p)
{
    static const PhraseId head[] = {PHRASE_COL_BLOCK,   PHRASE_COL_COPIES, PHRASE_COL_STEPS,
                                    PHRASE_PART_HOST,   PHRASE_PART_NPU,   PHRASE_PART_IO,
                                    PHRASE_COL_BORDERS, PHRASE_COUNT};
    html_open(p->h, "details", "class", "blocks", NULL);
    html_leaf(p->h, "summary", page_count(p, PHRASE_BLOCKS_COUNT, p->blocks.ngroup).text, NULL);
    page_table_open(p, "", PHRASE_BLOCKS_TABLE, head);
    for (size_t i = 0; i < p->blocks.ngroup; i++)
        write_group_row(p, &p->blocks.group[i]);
    page_table_close(p);
    html_close(p->h);
}

void html_program(Page *p)
{
    if (p->elements.n == 0) {
        page_note(p, PHRASE_NO_STEPS);
        return;
    }
    html_leaf(p->h, "p", phrase_text(p->lang, PHRASE_PROGRAM_NOTE), "class", "sub", NULL);
    html_open(p->h, "div", "class", "tools js", NULL);
    page_tool(p, "program-in", "+", PHRASE_ZOOM_IN);
    page_tool(p, "program-out", "−", PHRASE_ZOOM_OUT);
    page_tool(p, "program-fit", phrase_text(p->lang, PHRASE_FIT), PHRASE_COUNT);
    html_open(p->h, "button", "type", "button", "id", "program-all", "aria-pressed", "false", NULL);
    html_text(p->h, phrase_text(p->lang, PHRASE_JS_UNFOLD));
    html_close(p->h);
    page_advice_select(p, "program-advice", PHRASE_NONE_CHOSEN);
    page_hints(p, PHRASE_PROGRAM_KEYS, PHRASE_PROGRAM_TOUCH);
    html_close(p->h);
    page_canvas(p, "program-canvas", PHRASE_PROGRAM_CANVAS, "program-detail");
    html_leaf(p->h, "p", phrase_text(p->lang, PHRASE_PROGRAM_CHOOSE), "id", "program-detail",
              "class", "detail js", "aria-live", "polite", NULL);
    write_block_table(p);
}
