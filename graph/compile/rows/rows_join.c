/* Joins operators into rows, by the joins of the machine's table, and by a table of the vendor. */
#include "graph/compile/rows/rows_program.h"
#include "graph/base/messages.h"
#include "graph/compile/compile_state.h"
#include "graph/infer/ops.h"

static IrId producer_of(const Compile *c, ValueId v)
{
    return v == VALUE_NONE ? IR_NONE : c->value[v].producer;
}

/* ---- joins ---- */

static bool have_one_shape(const Compile *c, ValueId a, ValueId b)
{
    const Geometry *x = &c->value[a].g, *y = &c->value[b].g;
    return x->n == y->n && x->c == y->c && x->h == y->h && x->w == y->w;
}

static const char *last_word(const char *words)
{
    const char *blank = strrchr(words, ' ');
    return blank ? blank + 1 : words;
}

/* The producer of input k joins `next` where the table has a word for both. */
static const RowJoin *find_join(const Compile *c, const Ir *next, uint32_t k)
{
    IrId p = producer_of(c, next->in[k]);
    if (p == IR_NONE || !c->ir[p].on_npu || !c->ir[p].word ||
        compile_only_user(c, next->in[k]) == IR_NONE || c->ir[p].out[0] != next->in[k])
        return NULL;
    const Ir *op = &c->ir[p];
    bool two = next->nin == 2, same = op->nin && have_one_shape(c, op->out[0], op->in[0]);
    bool own = two && op->nin == 1 && op->in[0] == next->in[1 - k] && same;
    const RowJoin *j = machine_join(c->machine, last_word(op->word),
                                    next->op == OP_UNKNOWN ? "" : op_info((OpId)next->op)->name,
                                    own ? OPERAND_OWN : OPERAND_OTHER);
    bool product = j && strcmp(machine_word(c->machine, j->to).kind, "Conv2d") == 0;
    /* A constant for each channel is in the weights already. */
    bool fits = two ? product && have_one_shape(c, next->in[0], next->in[1])
                    : next->nin == 1 && !op_is((OpId)next->op, OP_Add, OP_Sub, OP_Mul, OP_Div);
    return j && fits ? j : NULL;
}

/* `next` becomes the producer of its input k with the word of both, and reads what both read. */
static void join_into(Compile *c, IrId id, uint32_t k, const RowJoin *join)
{
    Ir *next = &c->ir[id];
    IrId p = producer_of(c, next->in[k]);
    Ir both = c->ir[p];
    both.in = ARENA_ARRAY(c->scratch, ValueId, both.nin + 2);
    memcpy(both.in, c->ir[p].in, both.nin * sizeof *both.in);
    if (next->nin == 2 && !join->own)
        both.in[both.nin++] = next->in[1 - k];
    both.out = next->out;
    both.nout = next->nout;
    both.word = arena_printf(c->arena, "%.*s%s", (int)(last_word(both.word) - both.word), both.word,
                             join->to);
    compile_merge_ir(c, p, id);
    *next = both;
}

static void join_inputs(Compile *c, IrId id)
{
    const RowJoin *best = NULL;
    uint32_t at = 0;
    const Ir *next = &c->ir[id];
    for (uint32_t k = 0; k < next->nin; k++) {
        const RowJoin *j = find_join(c, next, k);
        if (j && (!best || producer_of(c, next->in[k]) > producer_of(c, next->in[at]))) {
            best = j;
            at = k;
        }
    }
    if (best)
        join_into(c, id, at, best);
}

void rows_join(Compile *c)
{
    for (size_t i = 0; i < c->nir; i++) {
        Ir *op = &c->ir[i];
        if (op->merged)
            continue;
        op->word = op->on_npu && op->row ? op->row->rows : NULL;
        join_inputs(c, (IrId)i);
    }
    compile_follow_merged(c);
}

/* ---- the vendor's table ---- */

static const char *told_words(const CompileEmit *e, IrId id)
{
    const Ir *op = &e->c->ir[id];
    const char *words = op->nin && compile_unknown_value(e->c, op) == VALUE_NONE ? "" : NULL;
    for (uint32_t k = 0; words && k < e->nnodes_of_ir[id]; k++) {
        const Node *n = &e->c->graph->node[e->nodes_of_ir[id][k]];
        const char *blank = n->told && *n->told ? " " : "";
        words = n->told && n->raw_size ? arena_printf(e->c->arena, "%s%s%s", words, blank, n->told)
                                       : NULL;
    }
    return e->nnodes_of_ir[id] ? words : NULL;
}

/* Whether its rows are still what they were made of: with what joined it, if not in pieces. */
static bool fits_told(const Compile *c, const char *const *told, IrId id)
{
    const Ir *op = &c->ir[id];
    const char *own = op->word ? op->word : "", *last = last_word(told[id]);
    if (!*told[id]) /* it joined another */
        return LIST_ANY(k, op->nin,
                        producer_of(c, op->in[k]) != IR_NONE && told[producer_of(c, op->in[k])]);
    if (op->row && op->row->form != ROW_PLAIN && !strncmp(told[id] + 1, own, strcspn(own, " ")))
        return false;
    own = last_word(own);
    IrId next = op->nout ? compile_only_user(c, op->out[0]) : IR_NONE;
    bool more = *own && strcmp(own, last) && !strncmp(own, last, strlen(own));
    return !more || (next != IR_NONE && told[next] && !*told[next]);
}

static void take_words(Compile *c, Ir *op, const char *words)
{
    SupportRow *row = ARENA_NEW(c->arena, SupportRow);
    *row = (SupportRow){.rows = words, .when = ""};
    if (op->on_npu || !machine_row_is_host(row)) {
        op->reason = REASON_UNSUPPORTED;
        op->why = MESSAGE(c->arena, MESSAGE_ID(WHY_TABLE_PLACES), arg_text(ir_node(c, op)->op));
        op->nearest = NULL;
    }
    op->row = row;
    op->word = words;
    op->told = true;
    op->on_npu = !machine_row_is_host(row);
}

void rows_take_told(const CompileEmit *e)
{
    const char **told = ARENA_ARRAY(e->c->scratch, const char *, e->c->nir + 1);
    for (size_t i = 0; i < e->c->nir; i++)
        told[i] = e->c->ir[i].merged ? NULL : told_words(e, (IrId)i);
    for (size_t i = 0; i < e->c->nir; i++)
        if (told[i] && fits_told(e->c, told, (IrId)i))
            take_words(e->c, &e->c->ir[i], told[i]);
}
