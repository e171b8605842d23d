/* Prints the memory report, SRAM over time, as the vendor's --analyze-memory. */
#include "advisor/render/program/lowered.h"

#include "advisor/message/figure.h"
#include "advisor/message/plain.h"
#include "graph/compile/machine.h"
#include "graph/base/xml.h"

#define PAGE_PART(id, text) static const char id##_part[] = text;
#include "advisor/render/program/memory_page.def"

enum { WIDTH = 1000, HEIGHT = 320 };

typedef struct {
    FILE *out;
    const Program *p;
    const Prediction *time;
    double cycles_per_ns;
    double *end; /* per low-level op: cycles since the start of its segment */
} Memory;

static void put_escaped(FILE *out, const char *text)
{
    Plain p;
    xml_put(out, plain(&p, text, 80));
}

static void set_ends(Memory *m)
{
    m->end = ARENA_ARRAY(m->p->arena, double, m->p->nop + 1);
    for (size_t i = 0; i < m->p->nstep; i++) {
        const Step *s = &m->p->step[i];
        double at = 0;
        for (uint32_t k = 0; k < s->nop; k++) {
            at += m->time->op[s->first_op + k].total_ns.mid * m->cycles_per_ns;
            m->end[s->first_op + k] = at;
        }
    }
}

static void put_box(const Memory *m, const Step *s, const SramBox *b, double x_scale,
                    double y_scale)
{
    LowOpId end = s->first_op + s->nop - 1;
    if (b->last < s->first_op || b->first > end)
        return;
    double from = b->first <= s->first_op ? 0 : m->end[b->first - 1],
           to = m->end[b->last < end ? b->last : end];
    const char *name =
        b->tensor == TENSOR_NONE ? "weights" : m->p->model->graph->tensor[b->tensor].name;
    fprintf(m->out,
            "<rect class=\"%s\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\">"
            "<title>",
            b->weight ? "w" : "a", from * x_scale,
            HEIGHT - ((double)b->address + (double)b->bytes) * y_scale,
            fmax((to - from) * x_scale, 0.3), (double)b->bytes * y_scale);
    put_escaped(m->out, name);
    fprintf(m->out, "] [%.0f, %.0f) [%lld, %lld)</title></rect>\n", from, to, (long long)b->address,
            (long long)(b->address + b->bytes));
}

static void put_segment(const Memory *m, const Step *s)
{
    double total = s->nop ? m->end[s->first_op + s->nop - 1] : 0, compute = 0;
    for (uint32_t k = 0; k < s->nop; k++)
        compute += m->time->op[s->first_op + k].compute_ns * m->cycles_per_ns;
    double x_scale = total > 0 ? WIDTH / total : 1;
    double y_scale = HEIGHT / (double)m->p->summary.sram_bytes;
    fprintf(m->out, "<h2>pe#0:exe#%u</h2>\n<p>computation/total: %.0f/%.0f(=%.4f)</p>\n",
            s->segment, compute, total, total > 0 ? compute / total : 0);
    fprintf(m->out, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n", WIDTH, HEIGHT,
            wording_of("SRAM addresses by cycles"));
    for (size_t i = 0; i < m->p->nbox; i++)
        put_box(m, s, &m->p->box[i], x_scale, y_scale);
    fprintf(m->out, "</svg>\n");
}

static void put_head(const Memory *m)
{
    Figure peak, all, spill;
    const ProgramSummary *s = &m->p->summary;
    fprintf(m->out,
            "<!DOCTYPE html>\n<html lang=\"%s\"><head><meta charset=\"utf-8\"><title>%s</title>",
            language_tag(language_spoken()), wording_of("Memory report"));
    fprintf(m->out, "%s\n<h1>%s</h1>\n<p>", style_part,
            arena_printf(m->p->arena, "SRAM by time: %s, SDK %s", m->p->options.target,
                         sdk_text(m->p->options.sdk)));
    fprintf(m->out, "%s %s</p>\n",
            arena_printf(m->p->arena,
                         "Peak %s of %s; %s live in DRAM for want of room. Across: cycles, as "
                         "predicted. Up: addresses from 0.",
                         figure_bytes(&peak, (double)s->sram_peak_bytes),
                         figure_bytes(&all, (double)s->sram_bytes),
                         figure_bytes(&spill, (double)s->dram_spill_bytes)),
            arena_printf(m->p->arena, "%s weights %s activations", weights_part, activations_part));
}

void lowered_memory(FILE *out, const Program *p, const Prediction *time, double clock_hz)
{
    Memory m = {.out = out, .p = p, .time = time, .cycles_per_ns = clock_hz / 1e9};
    set_ends(&m);
    put_head(&m);
    for (size_t i = 0; i < p->nstep; i++)
        if (p->step[i].kind == STEP_NPU)
            put_segment(&m, &p->step[i]);
    if (p->summary.segments == 0)
        fprintf(out, "<p>%s</p>\n", wording_of("Nothing runs on the NPU."));
    fprintf(out, "</body></html>\n");
}
