/* Searches the operator support table and checks the conditions of its rows. */
#include "graph/base/messages.h"
#include "graph/compile/compile_state.h"
#include "graph/edit/rewrite.h"

/* Operators that are another one, or several, before the table is asked: no source lists them as
 * supported, but each is by its definition what the table has.  What they decompose into must all
 * be in the table. */
static const struct {
    OpIndex op;
    const char *name;
} table_alias[] = {
    {OP_GlobalAveragePool, "AveragePool"}, {OP_Squeeze, "Reshape"},
    {OP_BatchNormalization, "Mul+Add"},    {OP_Swish, "Sigmoid+Mul"},
    {OP_MsQuickGelu, "Sigmoid+Mul"},       {OP_Mish, "Softplus+Tanh+Mul"},
};

/* What a user can do about an operator that the table does not have, where no rewrite of ours does;
 * `same`: by its definition that is the same. */
static const struct {
    OpIndex op;
    const MessageId *instead;
    bool same;
} substitute[] = {
#define SUBSTITUTE(op, says, same) {OP_##op, &message_INSTEAD_##says, same},
#include "graph/compile/substitutes.def"
};

bool compile_is_depthwise(const Compile *c, const Ir *op)
{
    return op->op == OP_Conv && op->nin && compile_node_is_depthwise(c->graph, ir_node(c, op));
}

/* A mean over exactly the axes H and W is an average pool. */
static bool is_image_mean(const Compile *c, const Ir *op)
{
    int64_t axis[8];
    const CompileValue *v = &c->value[op->in[0]];
    int rank = c->graph->tensor[v->tensor].shape.rank;
    if (op->op != OP_ReduceMean || rank != 4 ||
        compile_reduce_axes(c->graph, ir_node(c, op), axis) != 2)
        return false;
    bool h = false, w = false;
    for (int i = 0; i < 2; i++) {
        int64_t a = axis[i] < 0 ? axis[i] + rank : axis[i];
        if (a < 0 || a >= rank)
            return false;
        h |= v->letter[a] == 'H';
        w |= v->letter[a] == 'W';
    }
    return h && w;
}

const char *compile_op_own_name(const Compile *c, const Ir *op)
{
    bool made = compile_is_pattern(c, op) && op->op == OP_SpaceToDepth;
    if (made && c->machine->kind != MACHINE_ROWS)
        return "Slice+Concat";
    return op->op == OP_UNKNOWN ? ir_node(c, op)->op : op_info((OpId)op->op)->name;
}

static bool divides_by_constant(const Compile *c, const Ir *op)
{
    const Node *n = ir_node(c, op);
    return n->ninput == 2 && op->nin == 1 && tensor_is_constant(c->graph, n->input[1]);
}

const char *compile_op_table_name(const Compile *c, const Ir *op)
{
    for (size_t i = 0; i < sizeof table_alias / sizeof *table_alias; i++)
        if (table_alias[i].op == op->op)
            return table_alias[i].name;
    if (compile_is_depthwise(c, op))
        return "DepthwiseConv";
    if (op->op == OP_Div && divides_by_constant(c, op))
        return "Mul";
    if (op->op == OP_Sum && op->nin <= 2) /* the optimizer's convert_2d_sum_to_add */
        return "Add";
    if (compile_is_parts(c, op))
        return "Slice";
    if (op->nin && c->value[op->in[0]].letter && is_image_mean(c, op))
        return "AveragePool";
    return op->op == OP_UNKNOWN ? ir_node(c, op)->op : op_info((OpId)op->op)->name;
}

/* ---- the question ---- */

const MessageId *support_spelled_as(const Compile *c, const Ir *op)
{
    const Scene scene = {.graph = c->graph, .opset = c->model->opset};
    bool stays = op->op == OP_Slice && c->quantizer && !c->quantizer->inferred;
    return stays || compile_is_pattern(c, op) ? NULL : rewrite_decomposed(&scene, op->node);
}

/* The operators to use instead, or NULL; *ret_same: they compute the same. */
static const MessageId *instead_of(const Compile *c, const Ir *op, bool *ret_same)
{
    *ret_same = support_spelled_as(c, op) != NULL;
    if (*ret_same)
        return support_spelled_as(c, op);
    for (size_t i = 0; i < sizeof substitute / sizeof *substitute; i++)
        if (substitute[i].op == op->op) {
            *ret_same = substitute[i].same;
            return substitute[i].instead;
        }
    return NULL;
}

static const Message *page_message(Compile *c, SupportPage page)
{
    return page == PAGE_OTHER
               ? MESSAGE(c->arena, MESSAGE_ID(PAGE_ENGLISH))
               : MESSAGE(c->arena, MESSAGE_ID(PAGE_TABLE), arg_text(sdk_text(c->options->sdk)));
}

static Support missing_support(Compile *c, const Ir *op, SupportPage page, const SupportRow *row,
                               size_t nrow)
{
    Support s = {.reason = REASON_UNSUPPORTED};
    const char *sdk = sdk_text(c->options->sdk), *name = ir_node(c, op)->op;
    if (nrow) {
        s.why = MESSAGE(c->arena, MESSAGE_ID(WHY_SINCE_SDK), arg_text(name),
                        arg_text(sdk_text(row->since)), arg_text(sdk));
        s.nearest = MESSAGE(c->arena, MESSAGE_ID(NEAREST_SDK), arg_text(sdk_text(row->since)));
        return s;
    }
    s.why = MESSAGE(c->arena, MESSAGE_ID(WHY_NO_ROW), arg_text(name),
                    arg_message(page_message(c, page)));
    const MessageId *instead = instead_of(c, op, &s.as_others);
    s.nearest = instead ? MESSAGE(c->arena, arg_message_id(instead)) : NULL;
    return s;
}

static Support host_support(Compile *c, const Ir *op, const SupportRow *row)
{
    const Message *page = page_message(c, PAGE_DECIDES);
    const Message *why =
        *row->when ? MESSAGE(c->arena, MESSAGE_ID(WHY_HOST_WHEN), arg_text(ir_node(c, op)->op),
                             arg_text(row->when), arg_message(page))
                   : MESSAGE(c->arena, MESSAGE_ID(WHY_NO_ROW), arg_text(ir_node(c, op)->op),
                             arg_message(page));
    return (Support){.reason = REASON_CONDITION_FAILED, .why = why, .row = row};
}

static const Condition *first_miss(const Compile *c, const Ir *op, const Condition *want, size_t n)
{
    return LIST_FIND(i, want, n, !condition_holds(c, op, &want[i]));
}

static Support missed_support(Compile *c, const Ir *op, SupportPage page, const Condition *want)
{
    ConditionMiss miss = condition_miss(c, op, want);
    const MessageId *spelled = support_spelled_as(c, op);
    const Message *takes =
        want->is_limit ? MESSAGE(c->arena, MESSAGE_ID(TAKES_UP_TO), arg_message(miss.nearest))
                       : miss.nearest;
    return (Support){.reason = REASON_CONDITION_FAILED,
                     .as_others = spelled != NULL,
                     .nearest = spelled ? MESSAGE(c->arena, arg_message_id(spelled)) : miss.nearest,
                     .why = MESSAGE(c->arena, MESSAGE_ID(WHY_CONDITION),
                                    arg_text(ir_node(c, op)->op), arg_message(miss.found),
                                    arg_message(takes), arg_message(page_message(c, page)))};
}

/* The row nearest to holding: the newest of those that the SDK has. */
static Support ask_rows(Compile *c, const Ir *op, SupportPage page, const SupportRow *row, size_t n)
{
    const Condition *miss = NULL;
    for (size_t i = 0; i < n; i++) {
        if (row[i].since > c->options->sdk)
            continue;
        miss = first_miss(c, op, row[i].condition, row[i].ncondition);
        if (!miss)
            return (Support){.allowed = !machine_row_is_host(&row[i]), .row = &row[i]};
    }
    return miss ? missed_support(c, op, page, miss) : missing_support(c, op, page, row, n);
}

/* Calls for each part of "Add+Clip+Mul" until one is not allowed. */
static Support ask_parts(Compile *c, const Ir *op, SupportPage page, const char *name)
{
    Support s = {.allowed = true};
    while (s.allowed && *name) {
        size_t len = strcspn(name, "+"), nrow;
        const SupportRow *row =
            machine_rows(c->machine, page, arena_strndup(c->scratch, name, len), &nrow);
        s = ask_rows(c, op, page, row, nrow);
        name += len + (name[len] == '+');
    }
    return s;
}

Support support_find(Compile *c, const Ir *op, SupportPage page)
{
    if (page == PAGE_OTHER && !c->machine->nother_row)
        return (Support){.allowed = true};
    bool rows = c->machine->kind == MACHINE_ROWS;
    Support s =
        ask_parts(c, op, page, rows ? compile_op_own_name(c, op) : compile_op_table_name(c, op));
    if (!s.allowed && !s.why)
        s = host_support(c, op, s.row);
    return s;
}

const SupportRow *support_row(Compile *c, const Ir *op, const char *name)
{
    size_t n;
    const SupportRow *row = machine_rows(c->machine, PAGE_DECIDES, name, &n);
    return ask_rows(c, op, PAGE_DECIDES, row, n).row;
}

const char *support_alias(const char *op)
{
    return LIST_VALUE(i, sizeof table_alias / sizeof *table_alias,
                      strcmp(op_info((OpId)table_alias[i].op)->name, op) == 0, table_alias[i].name,
                      NULL);
}

const QuantizerRow *support_quantized(const Compile *c, const Quantizer *q, const Ir *op,
                                      const Condition **ret_miss)
{
    size_t n;
    const char *name = op->op == OP_UNKNOWN ? ir_node(c, op)->op : op_info((OpId)op->op)->name;
    const QuantizerRow *row = quantizer_rows(q, name, &n);
    *ret_miss = NULL;
    for (size_t i = 0; i < n; i++) {
        const Condition *miss = first_miss(c, op, row[i].condition, row[i].ncondition);
        if (!miss)
            return &row[i];
        if (row[i].type == QUANTIZED_INT8)
            *ret_miss = miss;
    }
    return NULL;
}

bool support_has(const Compile *c, const char *name)
{
    while (*name) {
        size_t len = strcspn(name, "+"), nrow;
        const SupportRow *row =
            machine_rows(c->machine, PAGE_DECIDES, arena_strndup(c->scratch, name, len), &nrow);
        if (!LIST_ANY(i, nrow, row[i].since <= c->options->sdk))
            return false;
        name += len + (name[len] == '+');
    }
    return true;
}
