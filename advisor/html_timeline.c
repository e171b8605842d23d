/* Section 4: one inference, step after step: a lane each for host, PCIe, NPU and the time that
 * nobody explains.  A step takes its measured median, or what is predicted where it was not
 * measured; steps of one inference do not overlap. */
#include "advisor/html_svg.h"

#include <string.h>

enum { WIDTH = 960, GUTTER = 104, RIGHT = 20, LANE = 40, BLOCK = 30, TOP = 8, ROWS_SHOWN = 200 };

typedef struct {
    double scale;       /* units per ns */
    double at;          /* ns */
    double drawn_to[3]; /* x up to which each lane is filled, so that slivers are not drawn twice */
    size_t slivers;
} Time;

static int lane_of(const cJSON *step)
{
    const char *class = step_class(step);
    return !strcmp(class, "host") ? 0 : !strcmp(class, "io") ? 1 : 2;
}

static double total_ns(const Page *p)
{
    const cJSON *s;
    double sum = json_number_or(p->r, "measured.unattributed_ns", 0), ns;
    cJSON_ArrayForEach(s, json_at(p->r, "steps")) sum += work_time_ns(s, &ns) ? ns : 0;
    return sum;
}

static void draw_lanes(Page *p, int lanes)
{
    static const PhraseId name[] = {SAY_LANE_HOST, SAY_LANE_PCIE, SAY_LANE_NPU,
                                    SAY_LANE_UNEXPLAINED};
    for (int i = 0; i < lanes; i++) {
        double y = TOP + i * LANE;
        svg_text(p, "label", GUTTER - 8, y + BLOCK - 9, "end", say(p->lang, name[i]));
        svg_line(p, "grid", GUTTER, y + BLOCK, WIDTH - RIGHT, y + BLOCK);
    }
}

static void draw_axis(Page *p, double total, double scale, int lanes)
{
    double step = svg_tick_step(total), bottom = TOP + lanes * LANE;
    for (int i = 0; i * step <= total * 1.0001; i++) {
        Figure f;
        double x = GUTTER + i * step * scale;
        svg_line(p, "grid", x, TOP, x, bottom);
        svg_text(p, "tick", x, bottom + 16, "middle", figure_time(&f, i * step));
    }
}

static void block_title(Page *p, char *text, size_t size, const cJSON *step, double ns)
{
    Figure f;
    bool measured = cJSON_IsObject(json_at(step, "measured_ns"));
    snprintf(text, size, "%.60s, %s (%s)", step_title(p, step), figure_time(&f, ns),
             say(p->lang, measured ? SAY_LABEL_MEASURED : SAY_LABEL_PREDICTED));
}

static void draw_step(Page *p, Time *t, const cJSON *step, double ns)
{
    int lane = lane_of(step);
    double x = GUTTER + t->at * t->scale, w = ns * t->scale;
    t->at += ns;
    if (w < 0.6 && x < t->drawn_to[lane]) {
        t->slivers++;
        return;
    }
    char title[160];
    Plain fit;
    Box b = {x, TOP + lane * LANE, w < 0.6 ? 0.6 : w, BLOCK};
    block_title(p, title, sizeof title, step, ns);
    svg_rect(p, step_class(step), b, title);
    svg_text(p, "on", x + w / 2, b.y + BLOCK - 10, "middle",
             svg_fit(&fit, step_title(p, step), w - 8));
    t->drawn_to[lane] = x + b.w;
}

static void draw_unexplained(Page *p, Time *t)
{
    double ns;
    Figure f;
    if (!json_number(p->r, "measured.unattributed_ns", &ns))
        return;
    Box b = {GUTTER + t->at * t->scale, TOP + 3 * LANE, ns * t->scale, BLOCK};
    svg_rect(p, "lost", b, figure_time(&f, ns));
}

static void picture(Page *p)
{
    const cJSON *s;
    double total = total_ns(p), ns;
    int lanes = cJSON_IsObject(json_at(p->r, "measured")) ? 4 : 3;
    Time t = {.scale = total > 0 ? (WIDTH - GUTTER - RIGHT) / total : 0};
    svg_open(p, "timeline", WIDTH, TOP + lanes * LANE + 24, say(p->lang, SAY_TIMELINE));
    draw_axis(p, total, t.scale, lanes);
    draw_lanes(p, lanes);
    cJSON_ArrayForEach(s, json_at(p->r, "steps"))
    {
        if (work_time_ns(s, &ns))
            draw_step(p, &t, s, ns);
    }
    draw_unexplained(p, &t);
    svg_close(p);
}

static void row(Page *p, const cJSON *step)
{
    const char *reason = json_text(step, "reason", "none");
    page_row_open(p);
    html_open(p->h, "td", "class", "number", NULL);
    html_textf(p->h, "%.0f", json_number_or(step, "id", 0));
    html_close(p->h);
    html_open(p->h, "th", "scope", "row", NULL);
    html_leaf(p->h, "span", "", "class", "key", "aria-hidden", "true", NULL);
    html_name(p->h, step_title(p, step), 40);
    html_close(p->h);
    page_cell_text(p, say_key(p->lang, "KIND_", json_text(step, "kind", "?")));
    page_cell_text(p, strcmp(reason, "none") ? reason : "–");
    html_open(p->h, "td", NULL);
    page_nodes(p, json_at(step, "onnx_nodes"));
    html_close(p->h);
    page_cell_interval(p, json_at(step, "predicted_ns"), "ns");
    page_cell_interval(p, json_at(step, "measured_ns"), "ns");
    page_cell_text(p, json_text(step, "limited_by", "?"));
    page_row_close(p);
}

static void table(Page *p)
{
    static const PhraseId head[] = {SAY_COL_NUMBER,   SAY_COL_STEP,    SAY_COL_WHERE,
                                    SAY_COL_REASON,   SAY_COL_NODES,   SAY_COL_PREDICTED,
                                    SAY_COL_MEASURED, SAY_COL_LIMITED, SAY_COUNT};
    const cJSON *s;
    size_t n = 0, all = json_count(p->r, "steps");
    page_fold_open(p, SAY_STEPS_TABLE, all);
    page_table_open(p, "sortable steps", SAY_STEPS_TABLE, head);
    cJSON_ArrayForEach(s, json_at(p->r, "steps"))
    {
        if (n++ == ROWS_SHOWN)
            break;
        row(p, s);
    }
    page_table_close(p);
    if (all > ROWS_SHOWN) {
        char more[32];
        Phrase buf;
        snprintf(more, sizeof more, "%zu", all - ROWS_SHOWN);
        html_leaf(p->h, "p", say_with(&buf, p->lang, SAY_AND_MORE, more, NULL), "class", "note",
                  NULL);
    }
    page_fold_close(p, all);
}

void html_timeline(Page *p)
{
    page_note(p, cJSON_IsObject(json_at(p->r, "measured")) ? SAY_TIMELINE_NOTE_MEASURED
                                                           : SAY_TIMELINE_NOTE_PREDICTED);
    picture(p);
    table(p);
}
