/* Writes a compiled graph with measured times: its layers on one axis, where the time is spent, the
 * graph, a table. */
#include "advisor/render/html/html_svg.h"

#include "advisor/render/html/layers.h"

enum {
    AXIS_W = 1040,
    AXIS_H = 46,
    AXIS_TOP = 22,
    BOX_W = 176,
    BOX_H = 44,
    PITCH_X = 200,
    PITCH_Y = 92,
    MARGIN = 8,
    BOXES = 160,
    ROWS = 400
};

static double time_of(const ResultStep *step)
{
    return step->measured_ns ? (double)step->measured_ns->mean.value : 0;
}

static const ResultLayer *layer_of(const ResultStep *step)
{
    static const ResultLayer unknown = {.name = "?", .kind = "other", .work = ""};
    return step->layer ? step->layer : &unknown;
}

/* Of the first tensor; "" where there is none. */
static const char *first_dtype(const ResultLayerTensorList *list)
{
    return list->count ? list->item[0].dtype : "";
}

/* What only moves is set apart from what computes; that is coloured by its widest type. */
static const char *fill_of(const ResultStep *step)
{
    const ResultLayer *layer = layer_of(step);
    const char *work = layer->work, *in = first_dtype(&layer->inputs),
               *out = first_dtype(&layer->outputs);
    if (!strcmp(work, "layout") || !strcmp(work, "copy") || !strcmp(work, "cast") ||
        !strcmp(work, "type") || !strcmp(work, "transfer"))
        return "lost";
    if (!strcmp(in, "float32") || !strcmp(out, "float32"))
        return "host";
    if (!strcmp(in, "float16") || !strcmp(out, "float16") || !strcmp(in, "bfloat16"))
        return "io";
    return !strcmp(in, "int8") || !strcmp(out, "int8") ? "npu" : "other";
}

static void write_layer_legend(Page *p)
{
    static const struct {
        const char *class;
        PhraseId text;
    } item[] = {{"host", PHRASE_FILL_FLOAT32},
                {"io", PHRASE_FILL_FLOAT16},
                {"npu", PHRASE_FILL_INT8},
                {"lost", PHRASE_FILL_MOVES},
                {"other", PHRASE_FILL_OTHER}};
    const ResultStepList *steps = &p->result->steps;
    double x = 4;
    html_svg_open(p, "timeline", AXIS_W, 30, phrase_text(p->lang, PHRASE_LAYERS_LEGEND));
    for (size_t i = 0; i < sizeof item / sizeof *item; i++) {
        if (!LIST_ANY(k, steps->count, !strcmp(fill_of(&steps->item[k]), item[i].class)))
            continue;
        html_svg_rect(p, item[i].class, (SvgBox){x, 6, 18, 18}, NULL);
        html_svg_text(p, "tick", x + 24, 20, "start", phrase_text(p->lang, item[i].text));
        x += 205;
    }
    html_svg_close(p);
}

static void draw_time_axis(Page *p, double sum)
{
    double step_ns = html_svg_tick_step(sum);
    for (double t = 0; t <= sum; t += step_ns) {
        Figure f;
        double at = MARGIN + AXIS_W * t / sum;
        html_svg_line(p, "grid", at, AXIS_TOP - 4, at, AXIS_TOP + AXIS_H + 6);
        html_svg_text(p, "tick", at, 14,
                      t <= 0           ? "start"
                      : t > 0.96 * sum ? "end"
                                       : "middle",
                      figure_time(&f, t));
    }
}

/* One layer from x on, w wide. */
static void draw_layer(Page *p, const ResultStep *s, double share, double x, double w)
{
    const ResultLayer *layer = layer_of(s);
    Figure f, of_all;
    Plain name, fit;
    char title[256];
    snprintf(title, sizeof title, "%s: %s, %s", plain(&name, layer->name, 120),
             figure_time(&f, time_of(s)), figure_share(&of_all, share));
    html_svg_rect(p, fill_of(s), (SvgBox){x, AXIS_TOP, w, AXIS_H}, title);
    html_svg_text(p, "on", x + w / 2, AXIS_TOP + 28, "middle",
                  html_svg_fit(&fit, phrase_by_key(p->lang, "LAYER_", layer->kind), w - 4));
}

/* Layers as they run, one after the other; streams beside each other would overlap, and no file
 * says where. */
void html_layer_axis(Page *p)
{
    const ResultStepList *steps = &p->result->steps;
    double sum = (double)p->result->compiled->sum_ns.value, x = 0;
    if (sum <= 0) {
        page_note(p, PHRASE_LAYERS_NO_TIMES);
        return;
    }
    page_note(p, PHRASE_LAYERS_AXIS_NOTE);
    write_layer_legend(p);
    html_svg_open(p, "timeline", AXIS_W + 2.0 * MARGIN, AXIS_TOP + AXIS_H + 30,
                  phrase_text(p->lang, PHRASE_LAYERS_AXIS));
    draw_time_axis(p, sum);
    for (size_t i = 0; i < steps->count; i++) {
        double ns = time_of(&steps->item[i]), w = AXIS_W * ns / sum;
        if (ns <= 0)
            continue;
        draw_layer(p, &steps->item[i], ns / sum, MARGIN + x, w);
        x += w;
    }
    html_svg_close(p);
}

static void share_table(Page *p, const ResultLayerGroupList *groups, PhraseId caption)
{
    static const PhraseId head[] = {PHRASE_COL_LAYER_GROUP, PHRASE_COL_LAYERS, PHRASE_COL_TIME,
                                    PHRASE_COL_SHARE, PHRASE_COUNT};
    page_table_open(p, "sortable", caption, head);
    for (size_t i = 0; i < groups->count; i++) {
        const ResultLayerGroup *g = &groups->item[i];
        Figure share;
        page_row_open(p);
        page_cell_head(p, phrase_by_key(p->lang, "LAYER_", g->name));
        page_cell_count(p, (double)g->layers);
        page_cell_value(p, (double)g->ns, "ns");
        html_open(p->h, "td", NULL);
        html_text(p->h, figure_share(&share, g->share));
        page_bar(p, "npu", 0, g->share, 1);
        html_close(p->h);
        page_row_close(p);
    }
    page_table_close(p);
}

void html_layer_shares(Page *p)
{
    share_table(p, &p->result->compiled->kinds, PHRASE_LAYERS_BY_KIND);
    share_table(p, &p->result->compiled->precisions, PHRASE_LAYERS_BY_PRECISION);
}

/* ---- the graph ---- */

static bool is_drawn(const ResultStep *step)
{
    const char *kind = layer_of(step)->kind;
    return strcmp(kind, "noop") && strcmp(kind, "constant");
}

/* The layer, itself or the one before it where it needs no copy, that makes what the n-th reads. */
static uint32_t producing_box(const ResultStep *step, uint32_t n, const uint32_t *number)
{
    for (int hop = 0; hop < 16; hop++) {
        const ResultInts *deps = &step[n].deps;
        if (number[n] != UINT32_MAX)
            return number[n];
        if (!deps->count || (size_t)deps->item[0] >= n)
            return UINT32_MAX;
        n = (uint32_t)deps->item[0];
    }
    return UINT32_MAX;
}

typedef struct {
    const ResultStep **box;
    uint32_t *number; /* of each step; UINT32_MAX: not drawn */
    bool *told;       /* of each box: its format stands at one of its edges */
    LayerEdge *edge;
    size_t nbox, nedge, cap;
} Drawing;

static void collect_edges(Page *p, Drawing *d, uint32_t i)
{
    const ResultStep *step = p->result->steps.item;
    for (size_t k = 0; k < step[i].deps.count; k++) {
        size_t dep = (size_t)step[i].deps.item[k];
        uint32_t from = dep < i ? producing_box(step, (uint32_t)dep, d->number) : UINT32_MAX;
        if (from != UINT32_MAX)
            *VEC_PUSH(p->a, d->edge, d->nedge, d->cap) = (LayerEdge){from, d->number[i]};
    }
}

static void collect_layer_graph(Page *p, Drawing *d)
{
    const ResultStepList *steps = &p->result->steps;
    for (uint32_t i = 0; i < steps->count; i++) {
        d->number[i] = UINT32_MAX;
        if (!is_drawn(&steps->item[i]) || d->nbox == BOXES)
            continue;
        d->number[i] = (uint32_t)d->nbox;
        d->box[d->nbox++] = &steps->item[i];
        collect_edges(p, d, i);
    }
}

static void box_position(const Layers *l, size_t i, double *x, double *y)
{
    *x = MARGIN + (l->place[i].column - l->left) * PITCH_X;
    *y = MARGIN + l->place[i].layer * PITCH_Y;
}

/* "int8 CHW32" of the first tensor; `none` where there is none. */
static const char *format_of(const ResultLayerTensorList *list, const char *none, char text[64])
{
    const char *layout = list->count ? list->item[0].layout : NULL;
    snprintf(text, 64, "%.20s %.20s", list->count ? list->item[0].dtype : none,
             layout ? layout : "");
    return text;
}

static void draw_edge(Page *p, const Drawing *d, const Layers *l, size_t *dummy, size_t i)
{
    double x1, y1, x2, y2;
    char text[64];
    box_position(l, d->edge[i].from, &x1, &y1);
    x1 += BOX_W / 2.0;
    y1 += BOX_H;
    format_of(&layer_of(d->box[d->edge[i].from])->outputs, "", text);
    if (!d->told[d->edge[i].from])
        html_svg_text(p, "flow", x1 + 4, y1 + 14, "start", text);
    d->told[d->edge[i].from] = true;
    for (; *dummy < l->nplace && l->place[*dummy].route == i; ++*dummy) {
        box_position(l, *dummy, &x2, &y2);
        html_svg_curve(p, x1, y1, x2 + BOX_W / 2.0, y2);
        x1 = x2 + BOX_W / 2.0;
        y1 = y2 + BOX_H;
        html_svg_line(p, "edge", x1, y2, x1, y1);
    }
    box_position(l, d->edge[i].to, &x2, &y2);
    html_svg_curve(p, x1, y1, x2 + BOX_W / 2.0, y2 - 2);
}

static void draw_box(Page *p, const Layers *l, const Drawing *d, size_t i)
{
    const ResultStep *s = d->box[i];
    double x, y;
    char title[256];
    Figure f;
    Plain name, fit;
    box_position(l, i, &x, &y);
    figure_time(&f, time_of(s));
    snprintf(title, sizeof title, "%s, %s", plain(&name, layer_of(s)->name, 120), f.text);
    html_svg_rect(p, fill_of(s), (SvgBox){x, y, BOX_W, BOX_H}, title);
    html_svg_text(p, "on", x + BOX_W / 2.0, y + 19, "middle",
                  html_svg_fit(&fit, s->op, BOX_W - 10));
    html_svg_text(p, "on", x + BOX_W / 2.0, y + 36, "middle",
                  s->measured_ns ? f.text : phrase_text(p->lang, PHRASE_UNKNOWN));
}

void html_layer_graph(Page *p)
{
    const ResultStepList *steps = &p->result->steps;
    Drawing d = {.box = ARENA_ARRAY(p->a, const ResultStep *, BOXES + 1),
                 .told = ARENA_ARRAY(p->a, bool, BOXES + 1),
                 .number = ARENA_ARRAY(p->a, uint32_t, steps->count + 1)};
    collect_layer_graph(p, &d);
    if (d.nbox == 0) {
        page_note(p, PHRASE_NO_STEPS);
        return;
    }
    page_note(p, PHRASE_LAYERS_GRAPH_NOTE);
    Layers l = layers_arrange(p->a, d.nbox, d.edge, d.nedge);
    html_svg_open(p, "graph", (l.right - l.left) * PITCH_X + BOX_W + 2 * MARGIN,
                  (l.nlayer - 1.0) * PITCH_Y + BOX_H + 2 * MARGIN,
                  phrase_text(p->lang, PHRASE_GRAPH_PICTURE));
    size_t dummy = l.nnode;
    for (size_t i = 0; i < d.nedge; i++)
        draw_edge(p, &d, &l, &dummy, i);
    for (size_t i = 0; i < d.nbox; i++)
        draw_box(p, &l, &d, i);
    html_svg_close(p);
    size_t all = LIST_SUM(size_t, i, steps->count, is_drawn(&steps->item[i]));
    if (all > d.nbox)
        html_leaf(p->h, "p", page_count(p, PHRASE_NOT_DRAWN, all - d.nbox).text, "class", "note",
                  NULL);
}

/* ---- the table ---- */

/* The first node's name and how many more there are. */
static void nodes_cell(Page *p, const ResultTexts *nodes)
{
    html_open(p->h, "td", NULL);
    if (nodes->count) {
        html_open(p->h, "code", NULL);
        html_name(p->h, nodes->item[0], 40);
        html_close(p->h);
    } else {
        html_text(p->h, "–");
    }
    if (nodes->count > 1)
        html_textf(p->h, " %s", page_count(p, PHRASE_AND_MORE, nodes->count - 1).text);
    html_close(p->h);
}

static void write_layer_row(Page *p, const ResultStep *s, double sum)
{
    const ResultLayer *layer = layer_of(s);
    char format[64];
    Figure share;
    page_row_open(p);
    page_cell_count(p, (double)s->id);
    html_open(p->h, "th", "scope", "row", NULL);
    html_name(p->h, layer->name, PAGE_NAME);
    html_close(p->h);
    page_cell_text(p, s->op);
    page_cell_text(p, format_of(&layer->inputs, "–", format));
    page_cell_text(p, format_of(&layer->outputs, "–", format));
    nodes_cell(p, &s->onnx_nodes);
    html_open(p->h, "td", "class", "number", NULL);
    if (s->measured_ns)
        page_value(p, time_of(s), "ns");
    else
        html_text(p->h, phrase_text(p->lang, PHRASE_UNKNOWN));
    html_close(p->h);
    page_cell_text(p, s->measured_ns && sum > 0 ? figure_share(&share, time_of(s) / sum) : "–");
    page_row_close(p);
}

void html_layer_table(Page *p)
{
    static const PhraseId head[] = {PHRASE_COL_NUMBER, PHRASE_COL_LAYER, PHRASE_COL_LAYER_TYPE,
                                    PHRASE_COL_READS,  PHRASE_COL_MAKES, PHRASE_COL_NODES,
                                    PHRASE_COL_TIME,   PHRASE_COL_SHARE, PHRASE_COUNT};
    const ResultStepList *steps = &p->result->steps;
    double sum = (double)p->result->compiled->sum_ns.value;
    page_fold_open(p, PHRASE_LAYERS_TABLE, steps->count);
    page_table_open(p, "sortable", PHRASE_LAYERS_TABLE, head);
    for (size_t i = 0; i < steps->count && i < ROWS; i++)
        write_layer_row(p, &steps->item[i], sum);
    page_table_close(p);
    page_and_more(p, steps->count, ROWS);
    page_fold_close(p, steps->count);
}
