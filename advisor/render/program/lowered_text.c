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

enum { NAME_COLUMNS = 32, OP_COLUMNS = 18, GROUP_NAME_COLUMNS = 24 };

/* Programs with more steps than LONG_PROGRAM are shown as groups of steps. */
enum { LONG_PROGRAM = 12, GROUPS_SHOWN = 5, SEGMENTS_SHOWN = 4 };

/* A sentence made of facts and names; names may hold anything. */
static void put_sentence(FILE *out, const char *text)
{
    Plain p;
    fputs(plain(&p, text, PLAIN_COLUMNS), out);
}

static void put_message(const PhraseOut *o, const Message *said)
{
    put_sentence(o->out, message_format(o->arena, o->lang, said));
}

static void put_reason(const PhraseOut *o, const Step *s)
{
    if (!s->why && s->known)
        return;
    fprintf(o->out, "       %s", s->known ? "" : phrase_text(o->lang, PHRASE_STEP_COST_UNKNOWN));
    if (s->why) {
        fputs(s->known ? "" : ": ", o->out);
        put_message(o, s->why);
    }
    if (s->nearest)
        PHRASE_PUT(o, phrase_arg(PHRASE_WOULD_PASS), arg_message(s->nearest));
    putc('\n', o->out);
}

/* What a person looks for on the line: the operator's name, or the input or output. */
static const char *subject_of(const Program *p, const Step *s)
{
    const Graph *g = p->model->graph;
    if (s->host_op == HOST_OPERATOR || s->host_op == HOST_CONTROL)
        return s->nnode ? node_label(p->arena, &p->model->graph->node[s->node[0]]) : "";
    const PTensorId *t = s->kind == STEP_H2D || s->host_op == HOST_QUANTIZE ? s->input : s->output;
    TensorId id = t ? p->tensor[*t].tensor : TENSOR_NONE;
    return id == TENSOR_NONE ? "" : g->tensor[id].name;
}

static void put_lane(const PhraseOut *o, const Step *s)
{
    const char *host = phrase_text(o->lang, PHRASE_LANE_HOST);
    plain_put(o->out, s->kind == STEP_HOST ? host : step_kind_name(s->kind), plain_width(host));
    fputs("  ", o->out);
}

static void put_npu(const PhraseOut *o, const Step *s)
{
    Figure macs;
    put_lane(o, s);
    PHRASE_LINE(o, phrase_arg(PHRASE_SEGMENT_IS), arg_count(s->segment), arg_count(s->nop),
                arg_count(s->nnode), arg_text(figure_count(&macs, (double)s->macs)));
}

static void put_step(const PhraseOut *o, const Program *p, const Step *s)
{
    Figure bytes;
    fprintf(o->out, "%5u  ", s->id);
    if (s->kind == STEP_NPU) {
        put_npu(o, s);
        return;
    }
    put_lane(o, s);
    plain_put(o->out, s->kind == STEP_HOST ? s->op : "", OP_COLUMNS);
    fputs("  ", o->out);
    plain_put(o->out, subject_of(p, s), NAME_COLUMNS);
    figure_bytes(&bytes, (double)s->bytes_out);
    fprintf(o->out, s->at_most ? "  ≤%9s\n" : "  %10s\n", bytes.text);
    put_reason(o, s);
}

/* ---- long programs: host steps by operator and reason ---- */

typedef struct {
    const Step *first;
    uint32_t count;
    int64_t bytes;
    double ns; /* predicted */
} Group;

ORDER_BY(by_time, Group, COMPARE(b->ns, a->ns), COMPARE(b->bytes, a->bytes),
         COMPARE(a->first->id, b->first->id))

ORDER_BY_POINTED(by_kind, Step, strcmp(a->op, b->op), COMPARE(a->reason, b->reason),
                 COMPARE(a->id, b->id))

static size_t group_steps(const Program *p, const Prediction *t, Group *group)
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
        g->ns += t->step[host[i]->id].total_ns.mid;
    }
    ORDER_LIST(group, ngroup, by_time);
    return ngroup;
}

static void put_groups(const PhraseOut *o, const Program *p, const Prediction *t)
{
    Group *group = ARENA_ARRAY(p->arena, Group, p->nstep + 1);
    size_t n = group_steps(p, t, group);
    PHRASE_LINE(o, phrase_arg(PHRASE_HOST_GROUPS));
    for (size_t i = 0; i < n && i < GROUPS_SHOWN; i++) {
        Figure bytes, time;
        fprintf(o->out, "%6u x  ", group[i].count);
        plain_put(o->out, group[i].first->op, OP_COLUMNS);
        fputs("  ", o->out);
        plain_put(o->out, subject_of(p, group[i].first), GROUP_NAME_COLUMNS);
        plain_put_right(o->out, figure_time(&time, group[i].ns), 11);
        fprintf(o->out, "  %10s\n", figure_bytes(&bytes, (double)group[i].bytes));
        put_reason(o, group[i].first);
    }
    if (n > GROUPS_SHOWN)
        PHRASE_LINE(o, phrase_arg(PHRASE_HOST_GROUPS_MORE), arg_size(n - GROUPS_SHOWN));
    for (size_t i = 0; i < p->nstep && p->summary.segments <= SEGMENTS_SHOWN; i++)
        if (p->step[i].kind == STEP_NPU)
            fputs("       ", o->out), put_npu(o, &p->step[i]);
}

static void put_header(const PhraseOut *o, const Program *p)
{
    PhraseId precision = p->precision == PRECISION_INT8         ? PHRASE_PRECISION_INT8
                         : p->precision == PRECISION_CALIBRATED ? PHRASE_PRECISION_SDK_0_10
                                                                : PHRASE_PRECISION_ASSUMED;
    PHRASE_LINE(o, phrase_arg(PHRASE_COMPILE_HEAD), arg_text(p->options.target),
                arg_text(sdk_text(p->options.sdk)), arg_count(p->images), phrase_arg(precision));
}

/* Bytes as an argument of a phrase. */
static MessageArg bytes_arg(Figure *f, int64_t bytes)
{
    return arg_text(figure_bytes(f, (double)bytes));
}

static void put_memory(const PhraseOut *o, const Program *p)
{
    MemoryNeed m = memory_need(p, 1, 1);
    Figure f[4];
    PHRASE_PUT(o, phrase_arg(PHRASE_DRAM_NEED), bytes_arg(&f[0], m.worker_bytes),
               bytes_arg(&f[1], m.weight_bytes), bytes_arg(&f[2], m.activation_bytes),
               bytes_arg(&f[3], m.io_bytes));
    if (m.worker_bytes > 0)
        PHRASE_PUT(o, phrase_arg(PHRASE_WORKERS_FIT), arg_count(memory_workers_max(&m)),
                   bytes_arg(&f[0], m.dram_limit_bytes));
    fputc('\n', o->out);
    if (m.limit == MEMORY_LIMIT_OPERATOR)
        PHRASE_LINE(o, phrase_arg(PHRASE_OVER_SRAM), bytes_arg(&f[0], m.largest_op_bytes));
}

static void put_sums(const PhraseOut *o, const Program *p)
{
    const ProgramSummary *s = &p->summary;
    Figure f[5];
    fputc('\n', o->out);
    PHRASE_LINE(o, phrase_arg(PHRASE_COMPILE_SUM), arg_size(p->nodes_known), arg_size(p->nodes),
                arg_size(p->nfolded), arg_count(s->segments), arg_count(s->host_steps),
                arg_text(figure_count(&f[0], (double)s->macs)));
    PHRASE_LINE(o, phrase_arg(PHRASE_SRAM_NEED), bytes_arg(&f[0], s->sram_peak_bytes),
                bytes_arg(&f[1], s->sram_bytes), bytes_arg(&f[2], s->weight_bytes),
                bytes_arg(&f[3], s->activation_peak_bytes), bytes_arg(&f[4], s->dram_spill_bytes));
    put_memory(o, p);
    if (s->unknown_places)
        PHRASE_LINE(o, phrase_arg(PHRASE_UNKNOWN_PLACES), arg_count(s->unknown_places),
                    phrase_arg(p->options.unknown_on == UNKNOWN_ON_NPU ? PHRASE_KIND_NPU
                                                                       : PHRASE_LANE_HOST));
    if (p->refused) {
        put_message(o, p->refused);
        putc('\n', o->out);
    }
    if (s->refused_ops)
        PHRASE_LINE(o, phrase_arg(PHRASE_OPERATORS_REFUSED), arg_count(s->refused_ops));
    PHRASE_LINE(o, phrase_arg(PHRASE_PCIE_BYTES), bytes_arg(&f[0], s->h2d_bytes),
                bytes_arg(&f[1], s->d2h_bytes));
    for (size_t i = 0; i < p->nunknown_op; i++) {
        fputs(i ? ", " : phrase_text(o->lang, PHRASE_UNKNOWN_OPERATORS), o->out);
        put_sentence(o->out, p->unknown_op[i]);
    }
    fputs(p->nunknown_op ? "\n" : "", o->out);
}

static void put_kinds(const PhraseOut *o, const Program *p)
{
    size_t count[LOWOP_KIND_COUNT] = {0}, any = 0;
    for (size_t i = 0; i < p->nop; i++)
        count[p->op[i].kind]++;
    for (int k = 0; k < LOWOP_KIND_COUNT; k++)
        if (count[k])
            fprintf(o->out, "%s%s %zu", any++ ? ", " : phrase_text(o->lang, PHRASE_LOW_LEVEL_OPS),
                    program_lowop_name((LowOpKind)k), count[k]);
    fputs(any ? "\n" : "", o->out);
}

static void put_placements(const PhraseOut *o, const Program *p, bool own_reading)
{
    bool any = false;
    for (size_t i = 0; i < p->nother_page; i++) {
        const OtherPage *page = &p->other_page[i];
        if (page->own_reading != own_reading)
            continue;
        if (!any)
            PHRASE_LINE(o, phrase_arg(own_reading ? PHRASE_BY_OWN_READING : PHRASE_BY_KOREAN_PAGE));
        any = true;
        fprintf(o->out, "    %u x  ", page->ops);
        put_message(o, page->why);
        fputs(phrase_text(o->lang, PHRASE_FIRST_IS), o->out);
        put_sentence(o->out, node_label(p->arena, &p->model->graph->node[page->first]));
        putc('\n', o->out);
    }
}

static void put_all(const PhraseOut *o, const Program *p, const Prediction *t, bool verbose)
{
    put_header(o, p);
    if (p->nstep > LONG_PROGRAM && !verbose)
        put_groups(o, p, t);
    else
        for (size_t i = 0; i < p->nstep; i++)
            put_step(o, p, &p->step[i]);
    if (p->nstep == 0)
        PHRASE_LINE(o, phrase_arg(PHRASE_NOTHING_AT_RUN_TIME));
    put_sums(o, p);
    put_kinds(o, p);
    for (int own_reading = 0; own_reading < 2 && verbose; own_reading++)
        put_placements(o, p, own_reading);
}

void lowered_text(const PhraseOut *o, const Program *p, const Prediction *t, bool verbose)
{
    char *text = NULL;
    size_t size;
    Wrap w = wrap_for(o->out);
    FILE *lines = open_memstream(&text, &size);
    if (!lines)
        limits_out_of_memory();
    put_all(&(PhraseOut){lines, o->lang, o->arena}, p, t, verbose);
    fclose(lines);
    wrap_lines(&w, o->out, text);
    free(text);
}
