/* Draws SRAM over time as SVG. */
#include "npu_exec/sim/memory_flow.h"

enum { LEFT = 70, TOP = 40, WIDTH = 1100, HEIGHT = 520, TICKS = 8, HUNDRED = 100, MIB = 1 << 20 };

typedef struct {
    FILE *out;
    const Program *program;
    Ps *begin, *end; /* per low-level op */
    Ps first, last;  /* of the drawing */
    int64_t bytes;
} Drawing;

/* When each op ran; ops of one task follow each other. */
static void take_times(Arena *a, const RunPlan *plan, const Job *job, Drawing *d)
{
    size_t n = plan->program->nop;
    d->begin = ARENA_ARRAY(a, Ps, n);
    d->end = ARENA_ARRAY(a, Ps, n);
    d->first = INT64_MAX;
    for (uint32_t t = 0; t < plan->ntask; t++) {
        const TaskPlan *p = plan->task[t];
        const Ps *at = job->task[t].retired_at;
        for (uint32_t k = 1; k + 1 < p->nentry; k++) {
            d->begin[p->entry[k].op] = at[k - 1];
            d->end[p->entry[k].op] = at[k];
        }
        d->first = i64_min(d->first, at[0]);
        d->last = i64_max(d->last, at[p->nentry - 1]);
    }
}

/* Hundredths of a pixel. */
static int64_t x_of(const Drawing *d, Ps at)
{
    return LEFT * HUNDRED +
           i64_mul_div(i64_max(at - d->first, 0), WIDTH * HUNDRED, i64_max(d->last - d->first, 1));
}

static int64_t height_of(const Drawing *d, int64_t bytes)
{
    return i64_mul_div(bytes, HEIGHT * HUNDRED, i64_max(d->bytes, 1));
}

static void put_number(FILE *out, const char *key, int64_t hundredths)
{
    fprintf(out, " %s=\"%" PRId64 ".%02" PRId64 "\"", key, hundredths / HUNDRED,
            hundredths % HUNDRED);
}

/* Text of a model is anything: what markup or the encoding could stumble over becomes a dot. */
static void put_name(FILE *out, const char *name)
{
    for (; *name; name++)
        fputc(*name < ' ' || *name > '~' || strchr("<>&\"'", *name) ? '.' : *name, out);
}

static void put_box(const Drawing *d, const SramBox *b)
{
    static const char *const colour[] = {"#4e79a7", "#f28e2b", "#59a14f", "#e15759",
                                         "#76b7b2", "#b07aa1", "#edc948", "#9c755f"};
    int64_t x = x_of(d, d->begin[b->first]), end = x_of(d, d->end[b->last]);
    fputs("<rect", d->out);
    put_number(d->out, "x", x);
    put_number(d->out, "y", (TOP + HEIGHT) * HUNDRED - height_of(d, b->address + b->bytes));
    put_number(d->out, "width", i64_max(end - x, 0));
    put_number(d->out, "height", height_of(d, b->bytes));
    fprintf(d->out, " fill=\"%s\"><title>",
            b->weight ? "#bab0ac" : colour[b->first % (sizeof colour / sizeof *colour)]);
    if (b->weight)
        fputs("weights", d->out);
    else if (b->tensor != TENSOR_NONE)
        put_name(d->out, d->program->model->graph->tensor[b->tensor].name);
    else
        fputs("intermediate", d->out);
    fprintf(d->out, ", %" PRId64 " bytes at 0x%" PRIx64 ", ops %u to %u</title></rect>\n", b->bytes,
            (uint64_t)b->address, b->first, b->last);
}

static void put_axes(const Drawing *d)
{
    for (int i = 0; i <= TICKS; i++) {
        Ps at = i64_mul_div(d->last - d->first, i, TICKS);
        int64_t mib = i64_mul_div(d->bytes, i * HUNDRED, (int64_t)TICKS * MIB);
        fprintf(d->out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%" PRId64 "</text>\n",
                LEFT + WIDTH * i / TICKS, TOP + HEIGHT + 18, at / PS_PER_US);
        fprintf(d->out,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%" PRId64 ".%02" PRId64 "</text>\n",
                LEFT - 6, TOP + HEIGHT - HEIGHT * i / TICKS + 4, mib / HUNDRED, mib % HUNDRED);
    }
    fprintf(d->out, "<text x=\"%d\" y=\"%d\">SRAM of the program: MiB over us</text>\n", LEFT,
            TOP - 14);
    fprintf(d->out,
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#333\"/>\n",
            LEFT, TOP, WIDTH, HEIGHT);
}

Status memory_flow_write(Arena *a, const RunPlan *plan, const Job *job, const char *path,
                         Diag *diag)
{
    const Program *p = plan->program;
    if (plan->ntask == 0)
        return diag_set(diag, STATUS_UNDECIDED, path, NULL,
                        "nothing runs on the NPU: no SRAM to draw");
    OutFile f;
    Status st = file_out_open(&f, path, diag);
    if (st)
        return st;
    Drawing d = {.out = f.stream, .program = p, .bytes = p->summary.sram_bytes};
    take_times(a, plan, job, &d);
    fprintf(d.out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "font-family=\"sans-serif\" font-size=\"11\">\n"
            "<g stroke=\"#fff\" stroke-width=\"0.3\">\n",
            LEFT + WIDTH + 30, TOP + HEIGHT + 30);
    for (size_t i = 0; i < p->nbox; i++)
        put_box(&d, &p->box[i]);
    fputs("</g>\n", d.out);
    put_axes(&d);
    fputs("</svg>\n", d.out);
    return file_out_commit(&f, diag);
}
