/* Section: throughput against workers as a table with bars; SRAM over the operators. */
#include "advisor/html_svg.h"

#include <math.h>

enum { WIDTH = 960, HEIGHT = 220, LEFT = 84, RIGHT = 16, TOP = 26, BOTTOM = 28, COLUMNS = 400 };

static double most_throughput(const cJSON *list)
{
    const cJSON *w;
    double most = 0, v;
    cJSON_ArrayForEach(w, list)
    {
        if (json_number(w, "throughput_per_s.mid", &v))
            most = fmax(most, v);
    }
    return most;
}

static void workers(Page *p)
{
    static const PhraseId head[] = {SAY_COL_WORKERS, SAY_COL_THROUGHPUT, SAY_COUNT};
    const cJSON *list = json_at(p->r, "curves.workers"), *w;
    double most = most_throughput(list), mid;
    double now = json_number_or(p->r, "options.workers", 0);
    if (json_count(list, "") == 0)
        return;
    page_table_open(p, "sweep", SAY_WORKERS_TABLE, head);
    cJSON_ArrayForEach(w, list)
    {
        double n = json_number_or(w, "workers", 0);
        page_row_open(p);
        html_open(p->h, "th", "scope", "row", NULL);
        html_textf(p->h, "%.0f", n);
        if (json_number(w, "throughput_per_s.mid", &mid))
            page_bar(p, n == now ? "now" : "gain", 0, mid, most);
        html_close(p->h);
        page_cell_interval(p, json_at(w, "throughput_per_s"), "per_s");
        page_row_close(p);
    }
    page_table_close(p);
}

/* Largest use within each of at most COLUMNS runs of operators; returns how many there are. */
static size_t gather(const cJSON *operators, size_t n, double *use)
{
    const cJSON *op;
    size_t columns = n < COLUMNS ? n : COLUMNS, i = 0;
    cJSON_ArrayForEach(op, operators)
    {
        size_t column = i++ * columns / n;
        use[column] = fmax(use[column], json_number_or(op, "sram_bytes", 0));
    }
    return columns;
}

static double height_of(double bytes, double full)
{
    double h = full > 0 ? bytes / full * (HEIGHT - TOP - BOTTOM) : 0;
    return h > 0 ? fmin(h, HEIGHT - TOP - BOTTOM) : 0;
}

static void axis(Page *p, double full, double capacity)
{
    Figure f;
    Phrase buf;
    for (int i = 0; i <= 4; i++) {
        double y = HEIGHT - BOTTOM - height_of(full * i / 4, full);
        svg_line(p, "grid", LEFT, y, WIDTH - RIGHT, y);
        svg_text(p, "tick", LEFT - 6, y + 4, "end", figure_bytes(&f, full * i / 4));
    }
    double y = HEIGHT - BOTTOM - height_of(capacity, full);
    svg_line(p, "equal", LEFT, y, WIDTH - RIGHT, y);
    svg_text(p, "label", WIDTH - RIGHT, TOP - 10, "end",
             say_with(&buf, p->lang, SAY_SRAM_CAPACITY, figure_bytes(&f, capacity), NULL));
    svg_text(p, "label", 4, TOP - 12, "start", say(p->lang, SAY_AXIS_SRAM));
    svg_text(p, "label", WIDTH / 2.0, HEIGHT - 6, "middle", say(p->lang, SAY_SECTION_OPERATORS));
}

static void sram(Page *p)
{
    const cJSON *operators = json_at(p->r, "operators");
    size_t n = json_count(operators, "");
    double capacity, full;
    if (n == 0 || !json_number(p->r, "machine.sram_bytes", &capacity) || capacity <= 0)
        return;
    double *use = ARENA_ARRAY(p->a, double, COLUMNS);
    size_t columns = gather(operators, n, use);
    full = capacity;
    for (size_t i = 0; i < columns; i++)
        full = fmax(full, use[i]);
    svg_open(p, "timeline", WIDTH, HEIGHT, say(p->lang, SAY_SRAM_PICTURE));
    axis(p, full, capacity);
    double step = (double)(WIDTH - LEFT - RIGHT) / (double)columns;
    for (size_t i = 0; i < columns; i++) {
        double h = height_of(use[i], full);
        svg_rect(p, "npu", (Box){LEFT + (double)i * step, HEIGHT - BOTTOM - h, step, h}, NULL);
    }
    svg_close(p);
    page_note(p, SAY_SRAM_NOTE);
}

void html_curves(Page *p)
{
    workers(p);
    sram(p);
}
