/* Writes a compiled graph with measured times: its layers on one axis, where the time is spent, the
 * graph, a table. */
#include "advisor/render/html/html_svg.h"

#include "advisor/render/html/layers.h"
#include "advisor/message/json.h"

#include <string.h>

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

static double time_of(const cJSON *step)
{
    return json_number_or(step, "measured_ns.mean", 0);
}

static const char *step_layer_kind(const cJSON *step)
{
    return json_text(step, "layer.kind", "other");
}

/* What only moves is set apart from what computes; that is coloured by its widest type. */
static const char *fill_of(const cJSON *step)
{
    const char *work = json_text(step, "layer.work", "");
    if (!strcmp(work, "layout") || !strcmp(work, "copy") || !strcmp(work, "cast") ||
        !strcmp(work, "type") || !strcmp(work, "transfer"))
        return "lost";
    const char *in = "", *out = "";
    const cJSON *i = json_at(step, "layer.inputs"), *o = json_at(step, "layer.outputs");
    if (json_count(i, ""))
        in = json_text(i->child, "dtype", "");
    if (json_count(o, ""))
        out = json_text(o->child, "dtype", "");
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
    html_svg_open(p, "timeline", AXIS_W, 30, phrase_text(p->lang, PHRASE_LAYERS_LEGEND));
    for (size_t i = 0; i < sizeof item / sizeof *item; i++) {
        html_svg_rect(p, item[i].class, (SvgBox){4 + (double)i * 205, 6, 18, 18}, NULL);
        html_svg_text(p, "tick", 28 + (double)i * 205, 20, "start",
                      phrase_text(p->lang, item[i].text));
    }
    html_svg_close(p);
}

/* Layers as they run, one behind the other; streams beside each other would overlap, and no file
 * says where. */
void html_layer_axis(Page *p)
{
    double sum = json_number_or(p->r, "compiled.sum_ns", 0), x = 0;
    if (sum <= 0) {
        page_note(p, PHRASE_LAYERS_NO_TIMES);
        return;
    }
    page_note(p, PHRASE_LAYERS_AXIS_NOTE);
    write_layer_legend(p);
    html_svg_open(p, "timeline", AXIS_W + 2.0 * MARGIN, AXIS_TOP + AXIS_H + 30,
                  phrase_text(p->lang, PHRASE_LAYERS_AXIS));
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
    for (const cJSON *s = json_first(p->r, "steps"); s; s = s->next) {
        double ns = time_of(s), w = AXIS_W * ns / sum;
        Figure f, share;
        Plain name, fit;
        char title[256];
        if (ns <= 0)
            continue;
        snprintf(title, sizeof title, "%s: %s, %s",
                 plain(&name, json_text(s, "layer.name", "?"), 120), figure_time(&f, ns),
                 figure_share(&share, ns / sum));
        html_svg_rect(p, fill_of(s), (SvgBox){MARGIN + x, AXIS_TOP, w, AXIS_H}, title);
        html_svg_text(
            p, "on", MARGIN + x + w / 2, AXIS_TOP + 28, "middle",
            html_svg_fit(&fit, phrase_by_key(p->lang, "LAYER_", step_layer_kind(s)), w - 4));
        x += w;
    }
    html_svg_close(p);
}

static void share_table(Page *p, const char *path, PhraseId caption)
{
    static const PhraseId head[] = {PHRASE_COL_LAYER_GROUP, PHRASE_COL_LAYERS, PHRASE_COL_TIME,
                                    PHRASE_COL_SHARE, PHRASE_COUNT};
    page_table_open(p, "sortable", caption, head);
    for (const cJSON *o = json_first(p->r, path); o; o = o->next) {
        Figure share;
        double part = json_number_or(o, "share", 0);
        page_row_open(p);
        page_cell_head(p, phrase_by_key(p->lang, "LAYER_", json_text(o, "name", "?")));
        html_open(p->h, "td", "class", "number", NULL);
        page_number(p, json_number_or(o, "layers", 0));
        html_close(p->h);
        page_cell_value(p, json_number_or(o, "ns", 0), "ns");
        html_open(p->h, "td", NULL);
        html_text(p->h, figure_share(&share, part));
        page_bar(p, "npu", 0, part, 1);
        html_close(p->h);
        page_row_close(p);
    }
    page_table_close(p);
}

void html_layer_shares(Page *p)
{
    share_table(p, "compiled.kinds", PHRASE_LAYERS_BY_KIND);
    share_table(p, "compiled.precisions", PHRASE_LAYERS_BY_PRECISION);
}

/* ---- the graph ---- */

static bool is_drawn(const cJSON *step)
{
    const char *kind = step_layer_kind(step);
    return strcmp(kind, "noop") && strcmp(kind, "constant");
}

/* The layer, itself or the one before it where it needs no copy, that makes what the n-th reads. */
static uint32_t producing_box(const Page *p, uint32_t n, const uint32_t *number)
{
    for (int hop = 0; hop < 16; hop++) {
        const cJSON *dep = json_at(p->step[n], "deps");
        if (number[n] != UINT32_MAX)
            return number[n];
        if (!cJSON_IsArray(dep) || !dep->child || !cJSON_IsNumber(dep->child) ||
            dep->child->valuedouble < 0 || dep->child->valuedouble >= n)
            return UINT32_MAX;
        n = (uint32_t)dep->child->valuedouble;
    }
    return UINT32_MAX;
}

typedef struct {
    const cJSON **box;
    uint32_t *number; /* of each step; UINT32_MAX: not drawn */
    bool *told;       /* of each box: its format stands at one of its edges */
    LayerEdge *edge;
    size_t nbox, nedge, cap;
} Drawing;

static void collect_layer_graph(Page *p, Drawing *d)
{
    for (uint32_t i = 0; i < p->nstep; i++) {
        d->number[i] = UINT32_MAX;
        if (!is_drawn(p->step[i]) || d->nbox == BOXES)
            continue;
        d->number[i] = (uint32_t)d->nbox;
        d->box[d->nbox++] = p->step[i];
        for (const cJSON *dep = json_first(p->step[i], "deps"); dep; dep = dep->next) {
            if (!cJSON_IsNumber(dep) || dep->valuedouble < 0 || dep->valuedouble >= i)
                continue;
            uint32_t from = producing_box(p, (uint32_t)dep->valuedouble, d->number);
            if (from != UINT32_MAX)
                *VEC_PUSH(p->a, d->edge, d->nedge, d->cap) = (LayerEdge){from, d->number[i]};
        }
    }
}

static void box_position(const Layers *l, size_t i, double *x, double *y)
{
    *x = MARGIN + (l->place[i].column - l->left) * PITCH_X;
    *y = MARGIN + l->place[i].layer * PITCH_Y;
}

/* "int8 CHW32" of what the layer makes. */
static void format_of(const cJSON *step, char text[64])
{
    const cJSON *t = json_first(step, "layer.outputs");
    snprintf(text, 64, "%.20s %.20s", json_text(t, "dtype", ""), json_text(t, "layout", ""));
}

static void draw_edge(Page *p, const Drawing *d, const Layers *l, size_t *dummy, size_t i)
{
    double x1, y1, x2, y2;
    char text[64];
    box_position(l, d->edge[i].from, &x1, &y1);
    x1 += BOX_W / 2.0;
    y1 += BOX_H;
    format_of(d->box[d->edge[i].from], text);
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
    const cJSON *s = d->box[i];
    double x, y;
    char title[256];
    Figure f;
    Plain name, fit;
    box_position(l, i, &x, &y);
    figure_time(&f, time_of(s));
    snprintf(title, sizeof title, "%s, %s", plain(&name, json_text(s, "layer.name", "?"), 120),
             f.text);
    html_svg_rect(p, fill_of(s), (SvgBox){x, y, BOX_W, BOX_H}, title);
    html_svg_text(p, "on", x + BOX_W / 2.0, y + 19, "middle",
                  html_svg_fit(&fit, json_text(s, "op", "?"), BOX_W - 10));
    html_svg_text(p, "on", x + BOX_W / 2.0, y + 36, "middle",
                  cJSON_IsObject(json_at(s, "measured_ns")) ? f.text
                                                            : phrase_text(p->lang, PHRASE_UNKNOWN));
}

void html_layer_graph(Page *p)
{
    Drawing d = {.box = ARENA_ARRAY(p->a, const cJSON *, BOXES + 1),
                 .told = ARENA_ARRAY(p->a, bool, BOXES + 1),
                 .number = ARENA_ARRAY(p->a, uint32_t, p->nstep + 1)};
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
    size_t all = 0;
    for (size_t i = 0; i < p->nstep; i++)
        all += is_drawn(p->step[i]);
    if (all > d.nbox)
        html_leaf(p->h, "p", page_count(p, PHRASE_NOT_DRAWN, all - d.nbox).text, "class", "note",
                  NULL);
}

/* ---- the table ---- */

static void tensor_cell(Page *p, const cJSON *list)
{
    const cJSON *t = json_first(list, "");
    char text[64];
    snprintf(text, sizeof text, "%.20s %.20s", json_text(t, "dtype", "–"),
             json_text(t, "layout", ""));
    page_cell_text(p, text);
}

static void write_layer_row(Page *p, const cJSON *s, double sum)
{
    Figure share;
    bool timed = cJSON_IsObject(json_at(s, "measured_ns"));
    page_row_open(p);
    html_open(p->h, "td", "class", "number", NULL);
    page_number(p, json_number_or(s, "id", 0));
    html_close(p->h);
    html_open(p->h, "th", "scope", "row", NULL);
    html_name(p->h, json_text(s, "layer.name", "?"), PAGE_NAME);
    html_close(p->h);
    page_cell_text(p, json_text(s, "op", "?"));
    tensor_cell(p, json_at(s, "layer.inputs"));
    tensor_cell(p, json_at(s, "layer.outputs"));
    html_open(p->h, "td", NULL);
    page_nodes(p, json_at(s, "onnx_nodes"));
    html_close(p->h);
    html_open(p->h, "td", "class", "number", NULL);
    if (timed)
        page_value(p, time_of(s), "ns");
    else
        html_text(p->h, phrase_text(p->lang, PHRASE_UNKNOWN));
    html_close(p->h);
    page_cell_text(p, timed && sum > 0 ? figure_share(&share, time_of(s) / sum) : "–");
    page_row_close(p);
}

void html_layer_table(Page *p)
{
    static const PhraseId head[] = {PHRASE_COL_NUMBER, PHRASE_COL_LAYER, PHRASE_COL_LAYER_TYPE,
                                    PHRASE_COL_READS,  PHRASE_COL_MAKES, PHRASE_COL_NODES,
                                    PHRASE_COL_TIME,   PHRASE_COL_SHARE, PHRASE_COUNT};
    double sum = json_number_or(p->r, "compiled.sum_ns", 0);
    page_fold_open(p, PHRASE_LAYERS_TABLE, p->nstep);
    page_table_open(p, "sortable", PHRASE_LAYERS_TABLE, head);
    for (size_t i = 0; i < p->nstep && i < ROWS; i++)
        write_layer_row(p, p->step[i], sum);
    page_table_close(p);
    page_and_more(p, p->nstep, ROWS);
    page_fold_close(p, p->nstep);
}
