/* Writes the first screen of a compiled graph, with one sentence, its layers and what may remain of
 * them, and the gate. */
#include "advisor/render/html/html_bars.h"

#include <math.h>

/* Layers that compute, and those that only bring data into another form. */
static Bar bar_now(const Page *p)
{
    const ResultCompiled *c = p->result->compiled;
    double all = (double)c->sum_ns.value, moved = fmin(all, (double)c->reformats.ns);
    Bar b = {.name = PHRASE_TOGGLE_NOW, .nparts = 2, .total = all};
    b.part[0] = (BarPart){"npu", PHRASE_PART_LAYERS, all - moved};
    b.part[1] = (BarPart){"host", PHRASE_PART_REFORMATS, moved};
    return b;
}

/* What all bounds together leave: what would vanish is gone for sure, the rest at best. */
static Bar bar_best(double all, double vanishes, double most)
{
    Bar b = {.name = PHRASE_TOGGLE_AT_BEST, .nparts = 2, .total = all - most};
    b.part[0] = (BarPart){"npu", PHRASE_PART_LEFT, all - most};
    b.part[1] = (BarPart){"guess", PHRASE_PART_PERHAPS, most - vanishes};
    return b;
}

void html_verdict(Page *p)
{
    const ResultCombined *all = p->result->combined;
    const ResultRecommendation *first = p->summary.first;
    const ResultInterval *gain = all ? &all->predicted : first ? first->gain.predicted : NULL;
    bool bounded = gain && gain->hi > 0;
    Bar b[2] = {bar_now(p), {0}};
    Figure f[3];
    Phrase buf;
    page_context(p);
    page_sentence(p);
    if (bounded) {
        b[1] = bar_best(b[0].total, gain->mid, fmin(gain->hi, b[0].total));
        html_leaf(p->h, "p",
                  phrase_format(&buf, p->lang, PHRASE_LAYERS_LEDE, figure_time(&f[0], b[0].total),
                                figure_time(&f[1], b[1].total), figure_time(&f[2], gain->mid),
                                NULL),
                  "class", "lede", NULL);
    }
    if (b[0].total > 0) {
        page_bars(p, b, bounded ? 2 : 1, "ns");
        page_bars_legend(p, &b[0], NULL, "ns");
    }
    html_gate(p);
}
