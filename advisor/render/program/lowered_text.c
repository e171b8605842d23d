/* Prints a compiled program as a table for people. */
#include "advisor/message/figure.h"
#include "advisor/render/program/lowered.h"
#include "advisor/message/plain.h"
#include "cost_model/memory.h"
#include "graph/base/limits.h"
#include "graph/base/wrap.h"
#include "graph/compile/machine.h"
#include "graph/compile/program.h"
#include "graph/model/model.h"

enum { NAME_COLUMNS = 32, OP_COLUMNS = 18 };

/* Programs with more steps than LONG_PROGRAM are shown as groups of steps. */
enum { LONG_PROGRAM = 12, GROUPS_SHOWN = 5, SEGMENTS_SHOWN = 4 };

/* A sentence made of facts and names; names may hold anything. */
static void put_sentence(FILE *out, const char *text)
{
    Plain p;
    fputs(plain(&p, text, PLAIN_COLUMNS), out);
}

static void put_message(FILE *out, const Program *p, const Message *said)
{
    put_sentence(out, message_format(p->arena, NULL, said));
}

static void put_reason(FILE *out, const Program *p, const Step *s)
{
    if (!s->why && s->known)
        return;
    fputs(s->known ? "       " : "       cost unknown", out);
    if (s->why) {
        fputs(s->known ? "" : ": ", out);
        put_message(out, p, s->why);
    }
    if (s->nearest) {
        fputs("; would pass: ", out);
        put_message(out, p, s->nearest);
    }
    putc('\n', out);
}

static const char *label_of(const Program *p, const Step *s)
{
    return s->nnode ? node_label(p->arena, &p->model->graph->node[s->node[0]]) : "";
}

/* What a person looks for on the line: the operator's name, or the input or output. */
static const char *subject_of(const Program *p, const Step *s)
{
    const Graph *g = p->model->graph;
    if (s->host_op == HOST_OPERATOR || s->host_op == HOST_CONTROL)
        return label_of(p, s);
    const PTensorId *t = s->kind == STEP_H2D || s->host_op == HOST_QUANTIZE ? s->input : s->output;
    TensorId id = t ? p->tensor[*t].tensor : TENSOR_NONE;
    return id == TENSOR_NONE ? "" : g->tensor[id].name;
}

static void put_npu(FILE *out, const Program *p, const Step *s)
{
    Figure macs;
    fprintf(out, "npu   segment %u: %u low-level op%s of %u node%s, %s MAC\n", s->segment, s->nop,
            s->nop == 1 ? "" : "s", s->nnode, s->nnode == 1 ? "" : "s",
            figure_count(&macs, (double)s->macs));
    (void)p;
}

static void put_step(FILE *out, const Program *p, const Step *s)
{
    Figure bytes;
    if (s->kind == STEP_NPU) {
        fprintf(out, "%5u  ", s->id);
        put_npu(out, p, s);
        return;
    }
    fprintf(out, "%5u  %-4s  ", s->id, step_kind_name(s->kind));
    plain_put(out, s->kind == STEP_HOST ? s->op : "", OP_COLUMNS);
    fputs("  ", out);
    plain_put(out, subject_of(p, s), NAME_COLUMNS);
    figure_bytes(&bytes, (double)s->bytes_out);
    fprintf(out, s->at_most ? "  ≤%9s\n" : "  %10s\n", bytes.text);
    put_reason(out, p, s);
}

/* ---- long programs: host steps by operator and reason ---- */

typedef struct {
    const Step *first;
    uint32_t count;
    int64_t bytes;
} Group;

ORDER_BY(by_bytes, Group, COMPARE(b->bytes, a->bytes), COMPARE(a->first->id, b->first->id))

ORDER_BY_POINTED(by_kind, Step, strcmp(a->op, b->op), COMPARE(a->reason, b->reason),
                 COMPARE(a->id, b->id))

static size_t group_steps(const Program *p, Group *group)
{
    const Step **host = ARENA_ARRAY(p->arena, const Step *, p->nstep + 1);
    size_t n = 0, ngroup = 0;
    for (size_t i = 0; i < p->nstep; i++)
        if (p->step[i].kind == STEP_HOST)
            host[n++] = &p->step[i];
    ORDER_LIST(host, n, by_kind);
    for (size_t i = 0; i < n; i++) {
        Group *g = ngroup ? &group[ngroup - 1] : NULL;
        if (!g || strcmp(g->first->op, host[i]->op) != 0 || g->first->reason != host[i]->reason)
            *(g = &group[ngroup++]) = (Group){.first = host[i]};
        g->count++;
        g->bytes += host[i]->bytes_out;
    }
    ORDER_LIST(group, ngroup, by_bytes);
    return ngroup;
}

static void put_groups(FILE *out, const Program *p)
{
    Group *group = ARENA_ARRAY(p->arena, Group, p->nstep + 1);
    size_t n = group_steps(p, group);
    fputs("host steps by operator and reason, most bytes first (--verbose: every step)\n", out);
    for (size_t i = 0; i < n && i < GROUPS_SHOWN; i++) {
        Figure bytes;
        fprintf(out, "%6u x  ", group[i].count);
        plain_put(out, group[i].first->op, OP_COLUMNS);
        fputs("  ", out);
        plain_put(out, subject_of(p, group[i].first), NAME_COLUMNS);
        fprintf(out, "  %10s\n", figure_bytes(&bytes, (double)group[i].bytes));
        put_reason(out, p, group[i].first);
    }
    if (n > GROUPS_SHOWN)
        fprintf(out, "        %zu more kinds of host steps\n", n - GROUPS_SHOWN);
    for (size_t i = 0; i < p->nstep && p->summary.segments <= SEGMENTS_SHOWN; i++)
        if (p->step[i].kind == STEP_NPU)
            fputs("       ", out), put_npu(out, p, &p->step[i]);
}

static void put_header(FILE *out, const Program *p)
{
    fprintf(out, "%s, SDK %s, %" PRId64 " image%s per task, %s\n", p->options.target,
            sdk_text(p->options.sdk), p->images, p->images == 1 ? "" : "s",
            p->precision == PRECISION_INT8         ? "int8"
            : p->precision == PRECISION_CALIBRATED ? "quantized (SDK 0.10)"
                                                   : "assumed PTQ");
}

static void put_memory(FILE *out, const Program *p)
{
    MemoryNeed m = memory_need(p, 1, 1);
    Figure f[5];
    fprintf(
        out, "DRAM per worker %s (weights %s, activations %s, inputs and outputs %s)",
        figure_bytes(&f[0], (double)m.worker_bytes), figure_bytes(&f[1], (double)m.weight_bytes),
        figure_bytes(&f[2], (double)m.activation_bytes), figure_bytes(&f[3], (double)m.io_bytes));
    if (m.worker_bytes > 0)
        fprintf(out, "; %" PRId64 " worker%s fit %s", memory_workers_max(&m),
                memory_workers_max(&m) == 1 ? "" : "s",
                figure_bytes(&f[4], (double)m.dram_limit_bytes));
    fputc('\n', out);
    if (m.limit == MEMORY_LIMIT_OPERATOR)
        fprintf(out,
                "largest operator: inputs and outputs of %s exceed the SRAM; no published network "
                "of that size runs on one PE\n",
                figure_bytes(&f[0], (double)m.largest_op_bytes));
}

static void put_sums(FILE *out, const Program *p)
{
    const ProgramSummary *s = &p->summary;
    Figure f[5];
    fprintf(out,
            "\n%zu of %zu node%s known; %zu folded; %" PRId64 " segment%s, %" PRId64
            " host step%s, %s MAC\n",
            p->nodes_known, p->nodes, p->nodes == 1 ? "" : "s", p->nfolded, s->segments,
            s->segments == 1 ? "" : "s", s->host_steps, s->host_steps == 1 ? "" : "s",
            figure_count(&f[0], (double)s->macs));
    fprintf(out,
            "SRAM peak %s of %s, gaps between buffers included (weights %s, activations up to %s); "
            "spilled to DRAM %s\n",
            figure_bytes(&f[0], (double)s->sram_peak_bytes),
            figure_bytes(&f[1], (double)s->sram_bytes),
            figure_bytes(&f[2], (double)s->weight_bytes),
            figure_bytes(&f[3], (double)s->activation_peak_bytes),
            figure_bytes(&f[4], (double)s->dram_spill_bytes));
    put_memory(out, p);
    if (s->unknown_places)
        fprintf(out, "%" PRId64 " operator%s of unknown place, taken as on the %s (--unknown-on)\n",
                s->unknown_places, s->unknown_places == 1 ? "" : "s",
                p->options.unknown_on == UNKNOWN_ON_NPU ? "NPU" : "host");
    if (p->refused) {
        put_message(out, p, p->refused);
        putc('\n', out);
    }
    if (s->refused_ops)
        fprintf(out, "%" PRId64 " operator%s that the vendor's quantizer refuses\n", s->refused_ops,
                s->refused_ops == 1 ? "" : "s");
    fprintf(out, "PCIe per task: %s to the NPU, %s back\n",
            figure_bytes(&f[0], (double)s->h2d_bytes), figure_bytes(&f[1], (double)s->d2h_bytes));
    for (size_t i = 0; i < p->nunknown_op; i++) {
        fprintf(out, "%s", i ? ", " : "unknown operators: ");
        put_sentence(out, p->unknown_op[i]);
    }
    fputs(p->nunknown_op ? "\n" : "", out);
}

static void put_kinds(FILE *out, const Program *p)
{
    size_t count[LOWOP_KIND_COUNT] = {0}, any = 0;
    for (size_t i = 0; i < p->nop; i++)
        count[p->op[i].kind]++;
    for (int k = 0; k < LOWOP_KIND_COUNT; k++)
        if (count[k])
            fprintf(out, "%s%s %zu",
                    any++ ? ", " : "low-level ops: ", program_lowop_name((LowOpKind)k), count[k]);
    fputs(any ? "\n" : "", out);
}

static void put_placements(FILE *out, const Program *p, bool own_reading)
{
    const char *lead = own_reading ? "on the NPU by our own reading of the support table:\n    "
                                   : "on the NPU because the Korean page of the vendor's guide "
                                     "lists them (the English one does not):\n    ";
    for (size_t i = 0; i < p->nother_page; i++) {
        const OtherPage *o = &p->other_page[i];
        if (o->own_reading != own_reading)
            continue;
        fputs(lead, out);
        lead = "    ";
        fprintf(out, "%u x  ", o->ops);
        put_message(out, p, o->why);
        fputs("; first: ", out);
        put_sentence(out, node_label(p->arena, &p->model->graph->node[o->first]));
        putc('\n', out);
    }
}

static void put_all(FILE *out, const Program *p, bool verbose)
{
    put_header(out, p);
    if (p->nstep > LONG_PROGRAM && !verbose)
        put_groups(out, p);
    else
        for (size_t i = 0; i < p->nstep; i++)
            put_step(out, p, &p->step[i]);
    if (p->nstep == 0)
        fprintf(out, "nothing to do at run time\n");
    put_sums(out, p);
    put_kinds(out, p);
    for (int own_reading = 0; own_reading < 2 && verbose; own_reading++)
        put_placements(out, p, own_reading);
}

void lowered_text(FILE *out, const Program *p, bool verbose)
{
    char *text = NULL;
    size_t size;
    Wrap w = wrap_for(out);
    FILE *lines = open_memstream(&text, &size);
    if (!lines)
        limits_out_of_memory();
    put_all(lines, p, verbose);
    fclose(lines);
    wrap_lines(&w, out, text);
    free(text);
}
