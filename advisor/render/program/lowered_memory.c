/* Prints the memory report, SRAM over time, as the vendor's --analyze-memory. */
#include "advisor/render/program/lowered.h"

#include "advisor/message/figure.h"
#include "advisor/message/plain.h"
#include "graph/compile/machine.h"
#include "graph/base/xml.h"

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
    fprintf(m->out,
            "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"SRAM addresses by "
            "cycles\">\n",
            WIDTH, HEIGHT);
    for (size_t i = 0; i < m->p->nbox; i++)
        put_box(m, s, &m->p->box[i], x_scale, y_scale);
    fprintf(m->out, "</svg>\n");
}

static void put_head(const Memory *m)
{
    Figure peak, all, spill;
    const ProgramSummary *s = &m->p->summary;
    fprintf(m->out,
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
            "<title>Memory report</title><style>"
            "body{font:14px sans-serif;max-width:1040px;margin:2em auto;padding:0 1em}"
            "svg{width:100%%;border:1px solid #888;background:#fff}"
            ".w{fill:#e8a33d;stroke:#fff;stroke-width:.2}.a{fill:#4c8bd0;stroke:#fff;"
            "stroke-width:.2}.k{display:inline-block;width:1em;height:1em;vertical-align:-2px}"
            "</style></head><body>\n<h1>SRAM by time: %s, SDK %s</h1>\n"
            "<p>Peak %s of %s; %s live in DRAM for want of room. Across: cycles, as predicted. "
            "Up: addresses from 0. <svg class=\"k\" viewBox=\"0 0 1 1\"><rect class=\"w\" "
            "width=\"1\" height=\"1\"/></svg> weights "
            "<svg class=\"k\" viewBox=\"0 0 1 1\"><rect class=\"a\" width=\"1\" height=\"1\"/>"
            "</svg> activations</p>\n",
            m->p->options.target, sdk_text(m->p->options.sdk),
            figure_bytes(&peak, (double)s->sram_peak_bytes),
            figure_bytes(&all, (double)s->sram_bytes),
            figure_bytes(&spill, (double)s->dram_spill_bytes));
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
        fprintf(out, "<p>Nothing runs on the NPU.</p>\n");
    fprintf(out, "</body></html>\n");
}
