/* Maps the rows of a table of RKNN to the nodes of the ONNX model: the model is compiled for the
 * chip, and the rows of both are matched. */
#include "advisor/advise/compiled/compiled_tie.h"

#include "advisor/advise/compiled/table_traits.h"
#include "cost_model/match/row_match.h"
#include "cost_model/match/span_match.h"
#include "graph/compile/compile.h"
#include "graph/compile/machine.h"
#include "graph/compile/options.h"
#include "trace/readers/rknn.h"

Program *compiled_tie_program(Arena *a, const Model *m, const char *target, const char *sdk)
{
    Program *p = NULL;
    Machine *machine;
    CompileOptions o;
    Diag unread = {0}; /* without a program nothing is known of the model's own placement */
    compile_options_init(&o);
    if ((target && compile_option_set(&o, a, OPTION_TARGET, target, &unread)) ||
        (sdk && compile_option_set(&o, a, OPTION_SDK, sdk, &unread)) ||
        machine_load(a, o.target_name, &machine, &unread) ||
        compile_model(a, m, machine, &o, NULL, &p, &unread))
        return NULL;
    return p;
}

static void add_node(Arena *a, const Graph *g, ImportLayer *l, NodeId id)
{
    const char **list = ARENA_ARRAY(a, const char *, l->nnode + 1);
    if (l->nnode)
        memcpy(list, l->node, l->nnode * sizeof *list);
    if (!strstr(g->node[id].op, "uantizeLinear"))
        list[l->nnode++] = arena_strdup(a, node_label(a, &g->node[id]));
    l->node = list;
}

static bool same_sizes(const Imported *table, size_t row, const Tensor *made)
{
    const ImportOp *op = &table->op[row];
    int64_t all = 1, elements = shape_elements(tensor_shape(made));
    const ImportTensor *t = op->noutput ? &table->tensor[op->output[0]] : NULL;
    for (int i = 0; t && i < t->rank; i++)
        if (__builtin_mul_overflow(all, t->dim[i], &all))
            return false;
    return !t || elements < 0 || elements == all;
}

/* The node that first reads the input, or makes the output. */
static NodeId node_at_end(const Program *p, const Step *s)
{
    PTensorId id = s->io == IO_INPUT && s->ninput     ? s->input[0]
                   : s->io == IO_OUTPUT && s->noutput ? s->output[0]
                                                      : PTENSOR_NONE;
    const Tensor *t = id == PTENSOR_NONE ? NULL : &p->model->graph->tensor[p->tensor[id].tensor];
    return !t                   ? NODE_NONE
           : s->io == IO_OUTPUT ? t->producer
           : t->nconsumer       ? t->consumer[0]
                                : NODE_NONE;
}

static void take_nodes(Arena *a, const Program *p, const NodeId *node, uint32_t n, ImportLayer *l)
{
    for (uint32_t i = 0; i < n; i++)
        add_node(a, p->model->graph, l, node[i]);
}

static void take_matches(Imported *table, const Program *p, RowsOf of, const uint32_t *match)
{
    for (size_t i = 0; i < table->nop; i++) {
        ImportLayer *l = &table->op[i].layer;
        if (match[i] == MATCH_NONE || l->nnode)
            continue;
        if (of == ROWS_OF_NPU) {
            take_nodes(table->arena, p, p->op[match[i]].node, p->op[match[i]].nnode, l);
            continue;
        }
        const Step *s = &p->step[match[i]];
        NodeId end = node_at_end(p, s);
        take_nodes(table->arena, p, s->node, s->nnode, l);
        if (end != NODE_NONE)
            add_node(table->arena, p->model->graph, l, end);
    }
}

static bool same_text(const char *x, const char *y)
{
    return x && y && !strcmp(x, y);
}

/* An equal row of one large window, or a stem that the exporter split: the next goes on with it. */
static bool is_part_of(const OpDetail *row, const OpDetail *other, bool next)
{
    bool equal = same_text(row->in_shapes, other->in_shapes) &&
                 same_text(row->out_shapes, other->out_shapes);
    bool read = next && row->out_shapes && other->in_shapes &&
                !strncmp(other->in_shapes, row->out_shapes, strlen(row->out_shapes));
    return !strncmp(row->op, other->op, 4) && (equal || read);
}

static void tie_to(Imported *table, const OpSpan *row, size_t i, size_t other)
{
    ImportLayer *l = &table->op[i].layer;
    if (!l->nnode && is_part_of(row[i].detail, row[other].detail, other > i))
        l->node = table->op[other].layer.node, l->nnode = table->op[other].layer.nnode;
}

/* Made of another number of nodes than we think. */
static void tie_by_name(Imported *table, const Program *p, const OpSpan *row)
{
    const Graph *g = p->model->graph;
    for (size_t i = 0; i < table->nop; i++)
        for (NodeId k = 0; k < g->nnode && !table->op[i].layer.nnode; k++) {
            const Tensor *made = node_output(g, &g->node[k], 0);
            if (made &&
                (match_row_is_called(row[i].name, g->node[k].name) ||
                 match_row_is_called(row[i].name, made->name)) &&
                same_sizes(table, i, made))
                add_node(table->arena, g, &table->op[i].layer, k);
        }
}

size_t compiled_tie_rows(Imported *table, const Model *m)
{
    Arena *a = table->arena;
    const char *chip = table_traits(a, table)->chip;
    const Program *p = compiled_tie_program(a, m, chip ? chip : machine_with_cores(a, 1), NULL);
    OpSpan *row = ARENA_ARRAY(a, OpSpan, table->nop + 1);
    uint32_t *match = ARENA_ARRAY(a, uint32_t, table->nop + 1);
    for (size_t i = 0; i < table->nop; i++)
        row[i] = (OpSpan){.name = table->op[i].name, .detail = rknn_row_detail(a, table, i)};
    for (RowsOf of = ROWS_OF_NPU; p && of <= ROWS_OF_HOST; of++) {
        match_rows(a, p, of, row, (uint32_t)table->nop, match);
        take_matches(table, p, of, match);
    }
    if (p)
        tie_by_name(table, p, row);
    for (size_t i = 1; i < table->nop; i++)
        tie_to(table, row, i, i - 1);
    for (size_t i = table->nop; i-- > 1;)
        tie_to(table, row, i - 1, i);
    return LIST_SUM(size_t, i, table->nop, table->op[i].layer.nnode > 0);
}
