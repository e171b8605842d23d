/* Draws the SRAM use over the cycles of the NPU, part of the section of html_curves.c. */
#include "advisor/render/html/html_svg.h"

enum { WIDTH = 1080, HEIGHT = 230, LEFT = 84, RIGHT = 24, TOP = 30, BOTTOM = 42, COLUMNS = 500 };

typedef struct {
    double clock_hz, capacity, full;
    double cycles;       /* of all operators */
    double use[COLUMNS]; /* the most within each part of them */
} Sram;

static double cycles_of(const Sram *m, const ResultOperator *op)
{
    double ns;
    return summary_operator_time_ns(op, &ns) && ns > 0 ? ns * m->clock_hz / 1e9 : 0;
}

/* Operators one after the other; an operator counts in every column that it touches. */
static void fill_sram_columns(const Page *p, Sram *m)
{
    const ResultOperatorList *ops = &p->result->operators;
    double at = 0;
    for (size_t i = 0; i < ops->count; i++)
        m->cycles += cycles_of(m, &ops->item[i]);
    for (size_t i = 0; i < ops->count && m->cycles > 0; i++) {
        const ResultOperator *op = &ops->item[i];
        double end = at + cycles_of(m, op), bytes = (double)op->sram_bytes;
        int first = (int)(at / m->cycles * COLUMNS), last = (int)ceil(end / m->cycles * COLUMNS);
        for (int k = first; k < last && k < COLUMNS; k++)
            m->use[k] = fmax(m->use[k], bytes);
        m->full = fmax(m->full, bytes);
        at = end;
    }
}

static double height_of(const Sram *m, double bytes)
{
    double h = m->full > 0 ? bytes / m->full * (HEIGHT - TOP - BOTTOM) : 0;
    return h > 0 ? fmin(h, HEIGHT - TOP - BOTTOM) : 0;
}

static void draw_sram_axes(Page *p, const Sram *m)
{
    Figure f;
    Phrase buf;
    double step = html_svg_tick_step(m->cycles), base = HEIGHT - BOTTOM;
    for (int i = 0; i <= 4; i++) {
        double y = base - height_of(m, m->full * i / 4);
        html_svg_line(p, "grid", LEFT, y, WIDTH - RIGHT, y);
        html_svg_text(p, "tick", LEFT - 6, y + 4, "end", figure_bytes(&f, m->full * i / 4));
    }
    for (int i = 0; i * step <= m->cycles * 1.0001; i++)
        html_svg_text(p, "tick", LEFT + i * step / m->cycles * (WIDTH - LEFT - RIGHT), base + 16,
                      i == 0 ? "start" : "middle", figure_count(&f, i * step));
    double y = base - height_of(m, m->capacity);
    html_svg_line(p, "equal", LEFT, y, WIDTH - RIGHT, y);
    html_svg_text(
        p, "label", WIDTH - RIGHT, TOP - 14, "end",
        phrase_format(&buf, p->lang, PHRASE_SRAM_CAPACITY, figure_bytes(&f, m->capacity), NULL));
    html_svg_text(p, "label", 4, TOP - 14, "start", phrase_text(p->lang, PHRASE_AXIS_SRAM));
    html_svg_text(p, "label", (LEFT + WIDTH) / 2.0, HEIGHT - 6, "middle",
                  phrase_text(p->lang, PHRASE_AXIS_CYCLES));
}

void html_sram(Page *p)
{
    const ResultMachine *machine = p->result->machine;
    Sram *m = ARENA_NEW(p->a, Sram);
    if (!machine || machine->sram_bytes <= 0 || machine->clock_hz <= 0)
        return;
    m->clock_hz = machine->clock_hz;
    m->capacity = (double)machine->sram_bytes;
    fill_sram_columns(p, m);
    if (m->cycles <= 0 || m->full < m->capacity / (HEIGHT - TOP - BOTTOM)) /* nothing to see */
        return;
    m->full = fmax(m->full, m->capacity);
    page_heading(p, "h3", PHRASE_SRAM_PICTURE);
    html_svg_open(p, "timeline", WIDTH, HEIGHT, phrase_text(p->lang, PHRASE_SRAM_PICTURE));
    draw_sram_axes(p, m);
    double width = (double)(WIDTH - LEFT - RIGHT) / COLUMNS;
    for (int from = 0, to; from < COLUMNS; from = to) { /* equal neighbours are one bar */
        for (to = from + 1; to < COLUMNS && m->use[to] == m->use[from]; to++) {
        }
        double h = height_of(m, m->use[from]);
        html_svg_rect(p, "npu",
                      (SvgBox){LEFT + from * width, HEIGHT - BOTTOM - h, (to - from) * width, h},
                      NULL);
    }
    html_svg_close(p);
    page_note(p, PHRASE_SRAM_NOTE);
}
