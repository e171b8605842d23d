/* Around a recommendation: the step or NPU operator that it names and what feeds and uses it, two
 * hops away, with type, layout and shape of what is handed over. */
#include "advisor/html/html_svg.h"

#include "advisor/html/layers.h"
#include "advisor/say/json.h"

#include <stdlib.h>
#include <string.h>

enum {
    BOX_W = 190,
    BOX_H = 44,
    PITCH_X = 226,
    PITCH_Y = 92,
    MARGIN = 8,
    LABEL_W = 290, /* the letters of labels are small */
    BOXES = 12,
    HOPS = 2,
    INPUTS = 4, /* of the model, drawn as boxes of their own */
};

typedef struct {
    const cJSON *item;  /* step or operator; NULL: an input of the model */
    const cJSON *value; /* that input */
    size_t index;       /* of the item in its list */
} Near;

typedef struct {
    size_t from, to;    /* places in `near` */
    const cJSON *value; /* what is handed over; NULL between operators */
} Flow;

/* Items of one list (steps or operators) and those of them that are drawn. */
typedef struct {
    const cJSON *const *item;
    size_t nitem, focus;
    bool steps;
    size_t chosen[BOXES];
    size_t nchosen, left_out;
    Near near[BOXES + INPUTS];
    size_t nnear;
    Flow *flow;
    size_t nflow, flow_cap;
} Sketch;

static bool is_chosen(const Sketch *s, size_t index)
{
    for (size_t i = 0; i < s->nchosen; i++)
        if (s->chosen[i] == index)
            return true;
    return false;
}

static void choose(Sketch *s, size_t index)
{
    if (is_chosen(s, index))
        return;
    if (s->nchosen < BOXES)
        s->chosen[s->nchosen++] = index;
    else
        s->left_out++;
}

/* True when `d` names an item before item i: what deps must do. */
static bool dep_index(const cJSON *d, size_t i, size_t *ret)
{
    if (!cJSON_IsNumber(d) || d->valuedouble < 0 || d->valuedouble >= (double)i)
        return false;
    *ret = (size_t)d->valuedouble;
    return true;
}

static bool depends_on(const Sketch *s, size_t user, size_t index)
{
    const cJSON *d;
    size_t k;
    cJSON_ArrayForEach(d, json_at(s->item[user], "deps"))
    {
        if (dep_index(d, user, &k) && k == index)
            return true;
    }
    return false;
}

static void choose_feeders(Sketch *s, size_t index)
{
    const cJSON *d;
    size_t k;
    cJSON_ArrayForEach(d, json_at(s->item[index], "deps"))
    {
        if (dep_index(d, index, &k))
            choose(s, k);
    }
}

static void choose_users(Sketch *s, size_t index)
{
    for (size_t i = index + 1; i < s->nitem; i++)
        if (depends_on(s, i, index))
            choose(s, i);
}

static int by_index(const void *pa, const void *pb)
{
    const size_t *a = pa, *b = pb;
    return (*a > *b) - (*a < *b);
}

/* Feeders first: where a thing comes from explains more than where it goes. */
static void choose_all(Sketch *s)
{
    choose(s, s->focus);
    for (int hop = 0; hop < HOPS; hop++) {
        size_t reached = s->nchosen;
        for (size_t i = 0; i < reached; i++)
            if (s->chosen[i] <= s->focus)
                choose_feeders(s, s->chosen[i]);
        for (size_t i = 0; i < reached; i++)
            if (s->chosen[i] >= s->focus)
                choose_users(s, s->chosen[i]);
    }
    qsort(s->chosen, s->nchosen, sizeof *s->chosen, by_index);
}

static size_t near_of(const Sketch *s, size_t index)
{
    for (size_t i = 0; i < s->nnear; i++)
        if (s->near[i].item && s->near[i].index == index)
            return i;
    return SIZE_MAX;
}

static const cJSON *value_of(const Page *p, const cJSON *id)
{
    bool inside = cJSON_IsNumber(id) && id->valuedouble >= 0 && id->valuedouble < (double)p->nvalue;
    return inside ? p->value[(size_t)id->valuedouble] : NULL;
}

/* Inputs of the model that a drawn step takes come first: layers want a topological order. */
static void add_inputs(const Page *p, Sketch *s)
{
    for (size_t i = 0; i < s->nchosen && s->steps; i++) {
        const cJSON *id;
        cJSON_ArrayForEach(id, json_at(s->item[s->chosen[i]], "inputs"))
        {
            const cJSON *v = value_of(p, id);
            bool known = !v || !cJSON_IsNull(json_at(v, "from"));
            for (size_t k = 0; k < s->nnear; k++)
                known |= s->near[k].value == v;
            if (!known && s->nnear < INPUTS)
                s->near[s->nnear++] = (Near){.value = v};
        }
    }
}

static void add_flow(Page *p, Sketch *s, size_t from, size_t to, const cJSON *value)
{
    for (size_t i = 0; i < s->nflow; i++)
        if (s->flow[i].from == from && s->flow[i].to == to)
            return;
    *VEC_PUSH(p->a, s->flow, s->nflow, s->flow_cap) = (Flow){from, to, value};
}

/* The value of step `from` that step `to` takes; NULL if nobody says. */
static const cJSON *handed_over(const Page *p, const Sketch *s, size_t from, size_t to)
{
    const cJSON *id;
    double producer;
    cJSON_ArrayForEach(id, json_at(s->item[to], "inputs"))
    {
        const cJSON *v = value_of(p, id);
        if (json_number(v, "from", &producer) && producer == (double)from)
            return v;
    }
    return NULL;
}

static void add_flows(Page *p, Sketch *s)
{
    for (size_t to = 0; to < s->nnear; to++) {
        const cJSON *item = s->near[to].item, *d;
        size_t k;
        if (!item)
            continue;
        cJSON_ArrayForEach(d, json_at(item, "inputs"))
        {
            for (size_t i = 0; i < s->nnear && s->near[i].value; i++)
                if (s->near[i].value == value_of(p, d))
                    add_flow(p, s, i, to, s->near[i].value);
        }
        cJSON_ArrayForEach(d, json_at(item, "deps"))
        {
            size_t index = s->near[to].index;
            if (dep_index(d, index, &k) && near_of(s, k) != SIZE_MAX)
                add_flow(p, s, near_of(s, k), to, s->steps ? handed_over(p, s, k, index) : NULL);
        }
    }
}

static void sizes_text(const cJSON *shape, char *text, size_t size)
{
    const cJSON *d;
    size_t used = 0;
    text[0] = '\0';
    cJSON_ArrayForEach(d, shape)
    {
        char dim[32] = "?";
        if (cJSON_IsNumber(d))
            snprintf(dim, sizeof dim, "%.0f", d->valuedouble);
        int n = snprintf(text + used, size - used, "%s%s", used ? "×" : "", dim);
        if (n < 0 || used + (size_t)n >= size)
            return;
        used += (size_t)n;
    }
}

/* "int8 lowered 1×64×80×80" of a value; of an operator the shape of what it makes. */
static void flow_text(const Page *p, const Sketch *s, const Flow *f, char *text, size_t size)
{
    char shape[100];
    if (!f->value) {
        sizes_text(json_at(s->near[f->from].item, "output_shape"), text, size);
        return;
    }
    sizes_text(json_at(f->value, "shape"), shape, sizeof shape);
    snprintf(text, size, "%.20s %.40s %s", json_text(f->value, "dtype", "?"),
             say_key(p->lang, "LAYOUT_", json_text(f->value, "layout", "?")), shape);
}

static void near_name(const Page *p, const Sketch *s, const Near *n, char text[128])
{
    if (!n->item)
        snprintf(text, 128, "%s: %.90s", say(p->lang, SAY_MODEL_INPUT),
                 json_text(n->value, "name", "?"));
    else if (s->steps)
        snprintf(text, 128, "%zu %.100s", n->index, step_title(p, n->item));
    else
        snprintf(text, 128, "%zu %.100s", n->index, operator_title(p, n->item));
}

static void place(const Layers *l, size_t i, double *x, double *y)
{
    *x = MARGIN + (l->place[i].column - l->left) * PITCH_X;
    *y = MARGIN + l->place[i].layer * PITCH_Y;
}

static void draw_box(Page *p, const Sketch *s, const Layers *l, size_t i)
{
    const Near *n = &s->near[i];
    char name[128];
    double x, y, ns;
    Figure f;
    Plain fit;
    bool focus = n->item && n->index == s->focus;
    const char *class = !n->item ? "input" : s->steps ? step_class(n->item) : "npu";
    char both[32];
    snprintf(both, sizeof both, "%s%s", class, focus ? " focus" : "");
    place(l, i, &x, &y);
    near_name(p, s, n, name);
    svg_rect(p, both, (Box){x, y, BOX_W, BOX_H}, name);
    const char *ink = n->item ? "on" : "ink";
    svg_text(p, ink, x + BOX_W / 2.0, y + (n->item ? 19 : 27), "middle",
             svg_fit(&fit, name, BOX_W - 12));
    if (n->item)
        svg_text(p, ink, x + BOX_W / 2.0, y + 36, "middle",
                 work_time_ns(n->item, &ns) ? figure_time(&f, ns) : say(p->lang, SAY_UNKNOWN));
}

static size_t incoming(const Sketch *s, size_t to)
{
    size_t n = 0;
    for (size_t i = 0; i < s->nflow; i++)
        n += s->flow[i].to == to;
    return n;
}

static bool first_from(const Sketch *s, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (s->flow[k].from == s->flow[i].from && incoming(s, s->flow[k].to) != 1)
            return false;
    return true;
}

/* Above the box that has one feeder, else below the feeder, once: so labels never meet. */
static void draw_label(Page *p, const Sketch *s, const Layers *l, size_t i)
{
    char text[200];
    double x, y;
    Plain fit;
    bool at_head = incoming(s, s->flow[i].to) == 1;
    if (!at_head && !first_from(s, i))
        return;
    place(l, at_head ? s->flow[i].to : s->flow[i].from, &x, &y);
    flow_text(p, s, &s->flow[i], text, sizeof text);
    svg_text(p, "flow", x + BOX_W / 2.0 + 6, at_head ? y - 8 : y + BOX_H + 15, "start",
             svg_fit(&fit, text, LABEL_W));
}

static void draw_flow(Page *p, const Sketch *s, const Layers *l, size_t i, size_t *dummy)
{
    double x1, y1, x2, y2;
    place(l, s->flow[i].from, &x1, &y1);
    x1 += BOX_W / 2.0;
    y1 += BOX_H;
    for (; *dummy < l->nplace && l->place[*dummy].route == i; ++*dummy) {
        place(l, *dummy, &x2, &y2);
        svg_curve(p, x1, y1, x2 + BOX_W / 2.0, y2);
        x1 = x2 + BOX_W / 2.0;
        y1 = y2 + BOX_H;
        svg_line(p, "edge", x1, y2, x1, y1);
    }
    place(l, s->flow[i].to, &x2, &y2);
    svg_curve(p, x1, y1, x2 + BOX_W / 2.0, y2 - 2);
}

static void picture(Page *p, const Sketch *s)
{
    LayerEdge *edge = ARENA_ARRAY(p->a, LayerEdge, s->nflow + 1);
    for (size_t i = 0; i < s->nflow; i++)
        edge[i] = (LayerEdge){(uint32_t)s->flow[i].from, (uint32_t)s->flow[i].to};
    Layers l = layers_place(p->a, s->nnear, edge, s->nflow);
    svg_open(p, "graph", (l.right - l.left) * PITCH_X + BOX_W + 2 * MARGIN + 110,
             (l.nlayer - 1.0) * PITCH_Y + BOX_H + 2 * MARGIN, say(p->lang, SAY_NEIGHBOURHOOD));
    size_t dummy = l.nnode;
    for (size_t i = 0; i < s->nflow; i++)
        draw_flow(p, s, &l, i, &dummy);
    for (size_t i = 0; i < s->nnear; i++)
        draw_box(p, s, &l, i);
    for (size_t i = 0; i < s->nflow; i++)
        draw_label(p, s, &l, i);
    svg_close(p);
}

static void table(Page *p, const Sketch *s)
{
    static const PhraseId head[] = {SAY_COL_FROM, SAY_COL_TO, SAY_COL_HANDED_OVER, SAY_COL_BYTES,
                                    SAY_COUNT};
    page_table_open(p, "", SAY_FLOWS_TABLE, head);
    for (size_t i = 0; i < s->nflow; i++) {
        char from[128], to[128], text[200];
        double bytes;
        near_name(p, s, &s->near[s->flow[i].from], from);
        near_name(p, s, &s->near[s->flow[i].to], to);
        flow_text(p, s, &s->flow[i], text, sizeof text);
        page_row_open(p);
        html_open(p->h, "th", "scope", "row", NULL);
        html_name(p->h, from, 60);
        html_close(p->h);
        html_open(p->h, "td", NULL);
        html_name(p->h, to, 60);
        html_close(p->h);
        page_cell_text(p, text);
        Figure f;
        html_open(p->h, "td", "class", "number", NULL);
        if (json_number(s->flow[i].value, "bytes", &bytes))
            html_leaf(p->h, "data", figure_bytes(&f, bytes), "value",
                      json_number_text((char[40]){0}, bytes), NULL);
        else
            html_text(p->h, "–");
        html_close(p->h);
        page_row_close(p);
    }
    page_table_close(p);
}

/* The operator that stands for the node inside an NPU step: the one that takes longest. */
static size_t operator_of(const Page *p, const char *node)
{
    size_t best = SIZE_MAX;
    double most = -1, ns;
    for (size_t i = 0; node && i < p->nop; i++) {
        if (!holds_node(p->op[i], node) || !work_time_ns(p->op[i], &ns) || ns <= most)
            continue;
        most = ns;
        best = i;
    }
    return best;
}

static bool find_focus(const Page *p, const cJSON *where, Sketch *s)
{
    size_t step = page_step_of(p, where);
    size_t op = operator_of(p, json_text(where, "node", NULL));
    bool inside = op != SIZE_MAX && (step == SIZE_MAX || step_class(p->step[step])[0] == 'n');
    *s = inside ? (Sketch){.item = p->op, .nitem = p->nop, .focus = op}
                : (Sketch){.item = p->step, .nitem = p->nstep, .focus = step, .steps = true};
    return s->focus != SIZE_MAX;
}

void html_neighbourhood(Page *p, const cJSON *rec)
{
    Sketch s;
    char count[32];
    Phrase buf;
    if (!find_focus(p, json_at(rec, "where"), &s))
        return;
    choose_all(&s);
    add_inputs(p, &s);
    for (size_t i = 0; i < s.nchosen; i++)
        s.near[s.nnear++] = (Near){s.item[s.chosen[i]], NULL, s.chosen[i]};
    add_flows(p, &s);
    if (s.nflow == 0)
        return;
    html_open(p->h, "details", NULL);
    html_leaf(p->h, "summary", say(p->lang, SAY_NEIGHBOURHOOD), NULL);
    page_note(p, s.steps ? SAY_NEIGHBOURHOOD_STEPS : SAY_NEIGHBOURHOOD_OPS);
    picture(p, &s);
    if (s.left_out) {
        snprintf(count, sizeof count, "%zu", s.left_out);
        html_leaf(p->h, "p", say_with(&buf, p->lang, SAY_NOT_DRAWN, count, NULL), "class", "note",
                  NULL);
    }
    table(p, &s);
    html_close(p->h);
}
