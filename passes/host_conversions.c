/* Lists conversions, Lower, Unlower, Pad and Slice on the host, with the reason. */
#include "passes/pass.h"
#include "graph/compile/program.h"

static void add_conversion(const PassInput *in, FindingList *out, const Step *s)
{
    Finding *f = finding_add(out, "conversion");
    f->step = s->id;
    finding_text(out, f, "op", s->op);
    finding_text(out, f, "reason", reason_key(s->reason));
    finding_text(out, f, "io", pass_io_name(s->io));
    finding_int(out, f, "io-index", s->io == IO_NONE ? -1 : (int64_t)s->io_index);
    finding_text(out, f, "from", dtype_name(s->from));
    finding_text(out, f, "to", dtype_name(s->to));
    finding_int(out, f, "elements", s->elements);
    finding_int(out, f, "time-ns", (int64_t)in->time->step[s->id].total_ns.mid);
}

/* What the host does for one input or output. */
typedef struct {
    const char *first, *last, *layout_reason;
    bool there[HOST_SLICE + 1];
    double ns[HOST_SLICE + 1], total_ns;
} Border;

static void border_note(Border *b, const Step *s, double ns)
{
    assert(s->host_op <= HOST_SLICE);
    b->first = b->first ? b->first : s->op;
    b->last = s->op;
    b->there[s->host_op] = true;
    b->ns[s->host_op] += ns;
    b->total_ns += ns;
    if (s->host_op >= HOST_LOWER)
        b->layout_reason = reason_key(s->reason);
}

static const char *or_none(const char *text)
{
    return text ? text : "none";
}

/* The attributes join those of the boundary. */
static void add_border(FindingList *out, IoKind io, uint32_t index, const Border *b)
{
    static const char *const attr[][2] = {
        [HOST_QUANTIZE] = {"quantize", "quantize-ns"},
        [HOST_DEQUANTIZE] = {"dequantize", "dequantize-ns"},
        [HOST_LOWER] = {"lower", "lower-ns"},
        [HOST_UNLOWER] = {"unlower", "unlower-ns"},
        [HOST_PAD] = {"pad", "pad-ns"},
        [HOST_SLICE] = {"slice", "slice-ns"},
    };
    static_assert(sizeof attr / sizeof *attr == HOST_SLICE + 1, "attributes of each conversion");
    Finding *f = finding_add(out, pass_io_name(io));
    finding_int(out, f, "index", index);
    finding_text(out, f, "first-host-op", or_none(b->first));
    finding_text(out, f, "last-host-op", or_none(b->last));
    finding_text(out, f, "layout-reason", or_none(b->layout_reason));
    for (int op = HOST_QUANTIZE; op <= HOST_SLICE; op++) {
        finding_text(out, f, attr[op][0], b->there[op] ? "host" : "none");
        finding_int(out, f, attr[op][1], (int64_t)b->ns[op]);
    }
    finding_int(out, f, "host-ns", (int64_t)b->total_ns);
}

void pass_host_conversions(const PassInput *in, FindingList *out)
{
    const Program *p = in->program;
    const size_t count[] = {
        [IO_INPUT] = p->model->graph->ninput, [IO_OUTPUT] = p->model->graph->noutput};
    Border *border[] = {[IO_INPUT] = ARENA_ARRAY(out->arena, Border, count[IO_INPUT]),
                        [IO_OUTPUT] = ARENA_ARRAY(out->arena, Border, count[IO_OUTPUT])};
    for (size_t i = 0; i < p->nstep; i++) {
        const Step *s = &p->step[i];
        if (!(s->kind == STEP_HOST && s->host_op >= HOST_QUANTIZE && s->host_op <= HOST_SLICE))
            continue;
        add_conversion(in, out, s);
        if (s->io != IO_NONE && s->io_index < count[s->io])
            border_note(&border[s->io][s->io_index], s, in->time->step[i].total_ns.mid);
    }
    for (int io = IO_INPUT; io <= IO_OUTPUT; io++)
        for (uint32_t i = 0; i < count[io]; i++)
            add_border(out, (IoKind)io, i, &border[io][i]);
}
