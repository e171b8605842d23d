/* Host conversions: every Quantize, Dequantize, Lower, Unlower, Pad and Slice that runs on the CPU,
 * and why. */
#include "passes/pass.h"

static const char *const io_text[] = {
    [IO_NONE] = "none", [IO_INPUT] = "input", [IO_OUTPUT] = "output"};

static bool is_conversion(const Step *s)
{
    return s->kind == STEP_HOST && s->host_op >= HOST_QUANTIZE && s->host_op <= HOST_SLICE;
}

const Pass pass_host_conversions;

static void add_conversion(const PassInput *in, FindingList *out, const Step *s)
{
    Finding *f = finding_add(out, &pass_host_conversions, "conversion");
    f->step = s->id;
    finding_text(out, f, "op", s->op);
    finding_text(out, f, "reason", reason_key(s->reason));
    finding_text(out, f, "io", io_text[s->io]);
    finding_int(out, f, "io-index", s->io == IO_NONE ? -1 : (int64_t)s->io_index);
    finding_text(out, f, "from", dtype_name(s->from));
    finding_text(out, f, "to", dtype_name(s->to));
    finding_int(out, f, "elements", s->elements);
    finding_int(out, f, "time-ns", (int64_t)in->time->step[s->id].total_ns.mid);
}

/* What the host does for one input or output; attributes join those of the boundary. */
static void add_border(const PassInput *in, FindingList *out, IoKind io, uint32_t index)
{
    static const char *const attr[][2] = {
        [HOST_QUANTIZE] = {"quantize", "quantize-ns"}, [HOST_DEQUANTIZE] = {"dequantize", "dequantize-ns"},
        [HOST_LOWER] = {"lower", "lower-ns"},          [HOST_UNLOWER] = {"unlower", "unlower-ns"},
        [HOST_PAD] = {"pad", "pad-ns"},                [HOST_SLICE] = {"slice", "slice-ns"},
    };
    const Program *p = in->program;
    const char *first = "none", *last = "none", *layout_reason = "none";
    double ns[HOST_SLICE + 1] = {0}, total = 0;
    bool there[HOST_SLICE + 1] = {false};
    for (size_t i = 0; i < p->nstep; i++) {
        const Step *s = &p->step[i];
        if (!is_conversion(s) || s->io != io || s->io_index != index)
            continue;
        first = first[0] == 'n' ? s->op : first;
        last = s->op;
        there[s->host_op] = true;
        ns[s->host_op] += in->time->step[i].total_ns.mid;
        total += in->time->step[i].total_ns.mid;
        if (s->host_op >= HOST_LOWER)
            layout_reason = reason_key(s->reason);
    }
    Finding *f = finding_add(out, &pass_host_conversions, io_text[io]);
    finding_int(out, f, "index", index);
    finding_text(out, f, "first-host-op", first);
    finding_text(out, f, "last-host-op", last);
    finding_text(out, f, "layout-reason", layout_reason);
    for (int op = HOST_QUANTIZE; op <= HOST_SLICE; op++) {
        finding_text(out, f, attr[op][0], there[op] ? "host" : "none");
        finding_int(out, f, attr[op][1], (int64_t)ns[op]);
    }
    finding_int(out, f, "host-ns", (int64_t)total);
}

static void run(const PassInput *in, FindingList *out)
{
    const Program *p = in->program;
    for (size_t i = 0; i < p->nstep; i++)
        if (is_conversion(&p->step[i]))
            add_conversion(in, out, &p->step[i]);
    for (uint32_t i = 0; i < p->model->graph->ninput; i++)
        add_border(in, out, IO_INPUT, i);
    for (uint32_t i = 0; i < p->model->graph->noutput; i++)
        add_border(in, out, IO_OUTPUT, i);
}

const Pass pass_host_conversions = {
    .name = "host-conversions",
    .asks = "which conversions run on the host, and why?",
    .run = run,
};
