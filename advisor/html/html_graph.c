/* Section 7: the compiled program from input to output.  Runs of steps of one kind are one box;
 * recommendations name their box in the table beside the picture. */
#include "advisor/html/html_svg.h"

#include "advisor/html/layers.h"
#include "advisor/say/json.h"

#include <string.h>

enum { BOX_W = 158, BOX_H = 44, PITCH_X = 176, PITCH_Y = 72, MARGIN = 8, BOXES = 300 };

typedef struct {
    const cJSON *first;
    const char *class;
    double ns;
    size_t nstep, nunknown, nnode;
    uint32_t number;
} DrawnBox;

typedef struct {
    DrawnBox *box;
    size_t nbox, nstep;
    uint32_t *box_of; /* per step */
    LayerEdge *edge;
    size_t nedge, cap_edge;
} Overview;

/* The steps that step i waits for; a result without `deps` is a chain. */
static size_t deps_of(const cJSON *step, size_t i, size_t nstep, uint32_t *dep, size_t cap)
{
    const cJSON *list = json_at(step, "deps"), *d;
    size_t n = 0;
    if (!cJSON_IsArray(list) && i > 0)
        dep[n++] = (uint32_t)i - 1;
    cJSON_ArrayForEach(d, list)
    {
        if (n < cap && cJSON_IsNumber(d) && d->valuedouble >= 0 && d->valuedouble < (double)i &&
            d->valuedouble < (double)nstep)
            dep[n++] = (uint32_t)d->valuedouble;
    }
    return n;
}

enum { DEPS = 256 };

static void count_users(const cJSON *steps, size_t nstep, uint32_t *users)
{
    const cJSON *s;
    size_t i = 0;
    uint32_t dep[DEPS];
    cJSON_ArrayForEach(s, steps)
    {
        size_t n = deps_of(s, i++, nstep, dep, DEPS);
        for (size_t k = 0; k < n; k++)
            users[dep[k]]++;
    }
}

static uint32_t new_box(Overview *o, const cJSON *step)
{
    DrawnBox *b = &o->box[o->nbox];
    *b = (DrawnBox){.first = step, .class = step_class(step), .number = (uint32_t)o->nbox};
    return (uint32_t)o->nbox++;
}

static void into_box(DrawnBox *b, const cJSON *step)
{
    double ns;
    bool known = work_time_ns(step, &ns);
    b->ns += known ? ns : 0;
    b->nunknown += !known;
    b->nstep++;
    b->nnode += json_count(step, "onnx_nodes");
}

/* A step joins the box of the only step it waits for when nothing else waits for that one and
 * both are of one kind. */
static void gather(Page *p, Overview *o)
{
    const cJSON *steps = json_at(p->r, "steps"), *s;
    uint32_t *users = ARENA_ARRAY(p->a, uint32_t, o->nstep + 1), dep[DEPS];
    size_t i = 0;
    count_users(steps, o->nstep, users);
    cJSON_ArrayForEach(s, steps)
    {
        size_t n = deps_of(s, i, o->nstep, dep, DEPS);
        bool joins =
            n == 1 && users[dep[0]] == 1 && !strcmp(o->box[o->box_of[dep[0]]].class, step_class(s));
        o->box_of[i] = joins ? o->box_of[dep[0]] : new_box(o, s);
        into_box(&o->box[o->box_of[i]], s);
        for (size_t k = 0; k < n && !joins; k++)
            *VEC_PUSH(p->a, o->edge, o->nedge, o->cap_edge) =
                (LayerEdge){o->box_of[dep[k]], o->box_of[i]};
        i++;
    }
}

static void box_name(const Page *p, const DrawnBox *b, char *text, size_t size)
{
    char more[32];
    Phrase buf;
    if (b->nstep == 1) {
        snprintf(text, size, "%.60s", step_title(p, b->first));
        return;
    }
    snprintf(more, sizeof more, "%zu", b->nstep - 1);
    snprintf(text, size, "%.40s %.60s", step_title(p, b->first),
             say_with(&buf, p->lang, SAY_AND_MORE, more, NULL));
}

static const char *box_time(const Page *p, const DrawnBox *b, Figure *f)
{
    return b->nunknown ? say(p->lang, SAY_UNKNOWN) : figure_time(f, b->ns);
}

static void place_of(const Layers *l, size_t i, double *x, double *y)
{
    *x = MARGIN + (l->place[i].column - l->left) * PITCH_X;
    *y = MARGIN + l->place[i].layer * PITCH_Y;
}

/* An edge runs through its dummies, from the foot of a box to the head of another. */
static void draw_edge(Page *p, const Layers *l, const LayerEdge *e, size_t *dummy, uint32_t number)
{
    double x1, y1, x2, y2;
    place_of(l, e->from, &x1, &y1);
    x1 += BOX_W / 2.0;
    y1 += BOX_H;
    for (; *dummy < l->nplace && l->place[*dummy].route == number; ++*dummy) {
        place_of(l, *dummy, &x2, &y2);
        svg_curve(p, x1, y1, x2 + BOX_W / 2.0, y2);
        x1 = x2 + BOX_W / 2.0;
        y1 = y2 + BOX_H;
        svg_line(p, "edge", x1, y2, x1, y1);
    }
    place_of(l, e->to, &x2, &y2);
    svg_curve(p, x1, y1, x2 + BOX_W / 2.0, y2 - 2);
}

static void draw_box(Page *p, const Layers *l, const DrawnBox *b)
{
    char name[128], title[220];
    Figure f;
    Plain fit;
    double x, y;
    place_of(l, b->number, &x, &y);
    box_name(p, b, name, sizeof name);
    snprintf(title, sizeof title, "%s, %s", name, box_time(p, b, &f));
    svg_rect(p, b->class, (Box){x, y, BOX_W, BOX_H}, title);
    char label[160];
    if (b->nstep == 1)
        snprintf(label, sizeof label, "%u %.120s", b->number + 1, name);
    else
        snprintf(label, sizeof label, "%u %.60s +%zu", b->number + 1, step_title(p, b->first),
                 b->nstep - 1);
    svg_text(p, "on", x + BOX_W / 2.0, y + 19, "middle", svg_fit(&fit, label, BOX_W - 10));
    svg_text(p, "on", x + BOX_W / 2.0, y + 36, "middle", box_time(p, b, &f));
}

static void picture(Page *p, const Overview *o, size_t nbox)
{
    LayerEdge *edge = ARENA_ARRAY(p->a, LayerEdge, o->nedge + 1);
    size_t nedge = 0;
    for (size_t i = 0; i < o->nedge; i++)
        if (o->edge[i].from < nbox && o->edge[i].to < nbox)
            edge[nedge++] = o->edge[i];
    Layers l = layers_place(p->a, nbox, edge, nedge);
    svg_open(p, "graph", (l.right - l.left) * PITCH_X + BOX_W + 2 * MARGIN,
             (l.nlayer - 1.0) * PITCH_Y + BOX_H + 2 * MARGIN, say(p->lang, SAY_GRAPH_PICTURE));
    size_t dummy = l.nnode;
    for (size_t i = 0; i < nedge; i++)
        draw_edge(p, &l, &edge[i], &dummy, (uint32_t)i);
    for (size_t i = 0; i < nbox; i++)
        draw_box(p, &l, &o->box[i]);
    svg_close(p);
}

/* With several places, every box that holds such an operator is meant: what stands inside an NPU
 * task is known by its node alone. */
static bool concerns(const Page *p, const Overview *o, const cJSON *rec, uint32_t box)
{
    const cJSON *where = json_at(rec, "where"), *s;
    size_t best = page_step_of(p, where), i = 0;
    if (json_count(rec, "places") < 2 || best == SIZE_MAX ||
        page_step_fits(p->step[best], where) < 2)
        return best != SIZE_MAX && o->box_of[best] == box;
    cJSON_ArrayForEach(s, json_at(p->r, "steps"))
    {
        if (o->box_of[i++] == box && page_step_fits(s, where) >= 2)
            return true;
    }
    return false;
}

static void link_recommendations(Page *p, const Overview *o, uint32_t box)
{
    const cJSON *rec;
    bool any = false;
    cJSON_ArrayForEach(rec, json_at(p->r, "recommendations"))
    {
        if (!concerns(p, o, rec, box))
            continue;
        html_text(p->h, any ? ", " : "");
        html_open(p->h, "a", NULL);
        html_attr(p->h, "href", "#%s", json_text(rec, "fingerprint", ""));
        html_text(p->h, json_text(rec, "rule_id", "?"));
        html_close(p->h);
        any = true;
    }
    if (!any)
        html_text(p->h, "–");
}

static void table(Page *p, const Overview *o, size_t nbox)
{
    static const PhraseId head[] = {SAY_COL_NUMBER, SAY_COL_STEP,   SAY_COL_STEPS, SAY_COL_NODES,
                                    SAY_COL_TIME,   SAY_COL_ADVICE, SAY_COUNT};
    page_fold_open(p, SAY_GRAPH_TABLE, nbox);
    page_table_open(p, "boxes", SAY_GRAPH_TABLE, head);
    for (uint32_t i = 0; i < nbox; i++) {
        const DrawnBox *b = &o->box[i];
        char name[128];
        Figure f;
        box_name(p, b, name, sizeof name);
        page_row_open(p);
        html_open(p->h, "td", "class", "number", NULL);
        html_textf(p->h, "%u", i + 1);
        html_close(p->h);
        page_cell_head(p, name);
        html_open(p->h, "td", "class", "number", NULL);
        html_textf(p->h, "%zu", b->nstep);
        html_close(p->h);
        html_open(p->h, "td", "class", "number", NULL);
        html_textf(p->h, "%zu", b->nnode);
        html_close(p->h);
        html_leaf(p->h, "td", box_time(p, b, &f), "class", "number", NULL);
        html_open(p->h, "td", NULL);
        link_recommendations(p, o, i);
        html_close(p->h);
        page_row_close(p);
    }
    page_table_close(p);
    page_fold_close(p, nbox);
}

void html_graph(Page *p)
{
    size_t n = json_count(p->r, "steps");
    Overview o = {.nstep = n,
                  .box = ARENA_ARRAY(p->a, DrawnBox, n + 1),
                  .box_of = ARENA_ARRAY(p->a, uint32_t, n + 1)};
    if (n == 0) {
        page_note(p, SAY_NO_STEPS);
        return;
    }
    gather(p, &o);
    size_t shown = o.nbox < BOXES ? o.nbox : BOXES;
    page_note(p, SAY_GRAPH_NOTE);
    picture(p, &o, shown);
    if (shown < o.nbox) {
        char more[32];
        Phrase buf;
        snprintf(more, sizeof more, "%zu", o.nbox - shown);
        html_leaf(p->h, "p", say_with(&buf, p->lang, SAY_NOT_DRAWN, more, NULL), "class", "note",
                  NULL);
    }
    table(p, &o, shown);
}
