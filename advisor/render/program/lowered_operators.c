/* Lists the steps and operators of a compiled program with predicted times. */
#include "advisor/message/figure.h"
#include "advisor/message/plain.h"
#include "advisor/render/program/lowered.h"
#include "cost_model/op_model.h"
#include "cost_model/terms.h"
#include "graph/compile/machine.h"
#include "graph/compile/program.h"
#include "graph/infer/ops.h"
#include "graph/model/model.h"

/* One row: a step, or an operator of an NPU task; what lies between the steps is one more. */
typedef struct {
    const char *name, *where, *node;
    Interval ns;
    bool known;
    const char *limit;
    double peak;
    int64_t macs, bytes, cycles;
    const char *shape; /* of the output */
} OperatorRow;

typedef struct OperatorTable {
    FILE *out;
    const Language *lang;
    const Program *p;
    const Prediction *t;
    size_t number;
    void (*put)(struct OperatorTable *o, const OperatorRow *row);
} OperatorTable;

const char *lowered_first_node(const Program *p, const NodeId *node, uint32_t n)
{
    return n ? node_label(p->arena, &p->model->graph->node[node[0]]) : "";
}

static const char *op_name(const LowOp *op)
{
    static const char vendor[] = "LowLevel";
    return op->row ? op->row : program_lowop_name(op->kind) + sizeof vendor - 1;
}

static const char *limit_word(Limit l)
{
    return l == LIMIT_UNKNOWN ? "unknown" : limit_key(l);
}

/* Those that the model has: an average is no product of it. */
static int64_t macs_of(const Program *p, const LowOp *op)
{
    bool any =
        LIST_ANY(k, op->nnode, node_macs(p->model->graph, &p->model->graph->node[op->node[k]]) > 0);
    return any ? op->macs : 0;
}

static void put_op(OperatorTable *o, const LowOp *op)
{
    const OpPrediction *t = &o->t->op[op->id];
    o->put(o, &(OperatorRow){
                  op_name(op), "npu", lowered_first_node(o->p, op->node, op->nnode), t->total_ns,
                  true, limit_word(t->limit), t->utilisation, macs_of(o->p, op),
                  op->bytes_in + op->bytes_out + op->weight_bytes, op_row_cycles(o->p->machine, op),
                  arena_printf(o->p->arena, "%" PRId64 "x%" PRId64 "x%" PRId64 "x%" PRId64, op->n,
                               op->c_out, op->h_out, op->w_out)});
}

static void put_step(OperatorTable *o, const Step *s)
{
    const StepPrediction *t = &o->t->step[s->id];
    bool host = s->kind == STEP_HOST;
    const PTensorId *io = s->kind == STEP_H2D || s->io == IO_INPUT ? s->input : s->output;
    TensorId tensor = io && (s->ninput || s->noutput) ? o->p->tensor[*io].tensor : TENSOR_NONE;
    const char *node = s->nnode                ? lowered_first_node(o->p, s->node, s->nnode)
                       : tensor != TENSOR_NONE ? o->p->model->graph->tensor[tensor].name
                                               : "";
    o->put(o, &(OperatorRow){s->op, host ? "host" : "bus", node, t->total_ns, t->known,
                             t->known ? limit_word(t->limit) : "unknown", 0, s->macs,
                             s->bytes_in + s->bytes_out + s->weight_bytes, 0, NULL});
}

static void put_all(OperatorTable *o)
{
    for (size_t i = 0; i < o->p->nstep; i++) {
        const Step *s = &o->p->step[i];
        if (s->kind != STEP_NPU)
            put_step(o, s);
        for (LowOpId k = s->first_op; s->kind == STEP_NPU && k < s->first_op + s->nop; k++)
            put_op(o, &o->p->op[k]);
    }
    o->put(o, &(OperatorRow){"between steps", "host", "", o->t->gap_ns, true, "launch", 0, 0, 0, 0,
                             NULL});
}

enum { NODE = 11 }; /* columns */

/* "…2/cv1/conv": the end of a path says which node it is, its last part only the type. */
static const char *node_end(char ret[32], const char *name)
{
    const char *slash = strrchr(name, '/');
    size_t n = slash && slash > name ? (size_t)(slash - name) : strlen(name),
           from = n < NODE ? 0 : n - NODE + 1;
    while (((unsigned char)name[from] & 0xc0) == 0x80)
        from++;
    snprintf(ret, 32, "%s%.*s", from ? "…" : "", (int)(n - from), name + from);
    return ret;
}

static void put_line(OperatorTable *o, const OperatorRow *r)
{
    char end[32];
    Figure f;
    Plain p;
    size_t places = plain_width(phrase_text(o->lang, PHRASE_PLACE_HOST));
    const char *time =
        r->known ? figure_time(&f, r->ns.mid) : phrase_text(o->lang, PHRASE_LIMITED_UNKNOWN);
    fprintf(o->out, "%4zu  ", o->number++);
    plain_put(o->out, phrase_by_key(o->lang, "ROW_", r->name), 20 - places);
    putc(' ', o->out);
    plain_put(o->out, phrase_by_key(o->lang, "PLACE_", r->where), places);
    putc(' ', o->out);
    plain_put_right(o->out, time, 8);
    fputs("  ", o->out);
    plain_put(o->out, phrase_by_key(o->lang, "LIMITED_", r->limit), 7);
    putc(' ', o->out);
    plain_put_right(o->out, r->peak > 0 ? figure_share(&f, r->peak) : "-", 6);
    plain_put_right(o->out, r->macs > 0 ? figure_count(&f, (double)r->macs) : "-", 7);
    plain_put_right(o->out, r->bytes > 0 ? figure_bytes(&f, (double)r->bytes) : "-", 9);
    fprintf(o->out, *r->node ? " %s\n" : "%s\n", plain(&p, node_end(end, r->node), NODE));
}

void lowered_operators(const PhraseOut *o, const Program *p, const Prediction *t)
{
    Figure f;
    const Interval *ns = &t->latency_ns;
    OperatorTable table = {o->out, o->lang, p, t, 0, put_line};
    PHRASE_LINE(o, phrase_arg(PHRASE_OPERATORS_HEAD), arg_text(p->options.target),
                arg_text(sdk_text(p->options.sdk)),
                arg_text(figure_interval(&f, ns->lo, ns->mid, ns->hi, "ns")));
    PHRASE_LINE(o, phrase_arg(PHRASE_OPERATORS_COLUMNS));
    put_all(&table);
}

static void put_record(OperatorTable *o, const OperatorRow *r)
{
    fprintf(o->out, "%zu,", o->number++);
    plain_put_quoted(o->out, "", r->name);
    fprintf(o->out, ",%s,", r->where);
    if (!r->known)
        fputs(",,,", o->out);
    else
        fprintf(o->out, "%.0f,%.0f,%.0f,", r->ns.mid, r->ns.lo, r->ns.hi);
    fprintf(o->out, "%s,%.4f,%" PRId64 ",%" PRId64 ",%" PRId64 ",%s,", r->limit, r->peak, r->macs,
            r->bytes, r->cycles, r->shape ? r->shape : "");
    plain_put_quoted(o->out, "", r->node);
    fputs("\r\n", o->out);
}

void lowered_operators_csv(FILE *out, const Program *p, const Prediction *t)
{
    OperatorTable o = {out, NULL, p, t, 0, put_record};
    fputs("row,operator,runs_on,time_ns,time_lo_ns,time_hi_ns,limit,peak_share,macs,bytes,cycles,"
          "output,"
          "node\r\n",
          out);
    put_all(&o);
}
