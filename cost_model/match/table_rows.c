/* Finds the node of each row by the longest name, and gives its operator the words of the row. */
#include "cost_model/match/table_rows.h"
#include "cost_model/match/row_match.h"

#include "graph/compile/compile.h"
#include "graph/import/rknn_table.h"

typedef struct {
    Arena *arena;
    Graph *graph;
    StrMap node;   /* by name, by the tensors that they make, and by the inputs that they read */
    NodeRows **of; /* per node: what its operator became; NULL: it is in none */
    const char **unnamed; /* types of rows that are named after no node */
    size_t nunnamed, unnamed_cap;
} Telling;

static void index_names(Telling *t)
{
    const Graph *g = t->graph;
    strmap_init(&t->node, t->arena, g->nnode + g->ntensor);
    for (size_t i = 0; i < g->ntensor; i++) {
        const Tensor *x = &g->tensor[i];
        bool input = x->producer == NODE_NONE && x->nconsumer && !x->is_initializer;
        if (input || x->producer != NODE_NONE)
            strmap_put(&t->node, x->name, input ? x->consumer[0] : x->producer);
    }
    for (size_t i = g->nnode; i-- > 0;)
        if (*g->node[i].name)
            strmap_put(&t->node, g->node[i].name, (uint32_t)i);
}

/* A number after the name is of another node, or of a piece of one of the row's type. */
static NodeId node_of_row(const Telling *t, const char *row, const char *type)
{
    char *name = arena_strdup(t->arena, row);
    for (size_t n = strlen(name); n > 0; name[--n] = '\0') {
        uint32_t id = strchr("_-#", row[n]) ? strmap_get(&t->node, name) : STRMAP_NONE;
        if (id != STRMAP_NONE &&
            (match_row_is_called(row, name) || !strcmp(t->graph->node[id].op, type)))
            return id;
    }
    return NODE_NONE;
}

/* A program has a copy of the model: its node makes the same tensor. */
static NodeId own_node(const Telling *t, const Graph *copy, NodeId id)
{
    const Tensor *made = node_output(copy, &copy->node[id], 0);
    uint32_t own = made ? strmap_get(&t->graph->by_name, made->name) : STRMAP_NONE;
    return own == STRMAP_NONE ? NODE_NONE : t->graph->tensor[own].producer;
}

static void share_rows(Telling *t, const Graph *copy, const NodeId *node, uint32_t n)
{
    NodeRows *rows = ARENA_NEW(t->arena, NodeRows);
    *rows = (NodeRows){"", n};
    for (uint32_t k = 0; k < n; k++) {
        NodeId id = own_node(t, copy, node[k]);
        if (id != NODE_NONE && !t->of[id])
            t->of[id] = rows;
    }
}

/* Nodes of an operator share its rows; those that the program drops are alone. */
static void share_all(Telling *t, const Program *p)
{
    const Graph *copy = p->model->graph;
    for (size_t i = 0; i < p->nop; i++)
        share_rows(t, copy, p->op[i].node, p->op[i].nnode);
    for (size_t i = 0; i < p->nstep; i++) {
        const Step *s = &p->step[i];
        if (s->kind == STEP_HOST)
            share_rows(t, copy, s->node, s->nnode);
        for (uint32_t k = 0; k < s->nnode; k++)
            share_rows(t, copy, &s->node[k], 1);
    }
}

static void add_word(Telling *t, const RknnRow *row, const char *name)
{
    NodeId id = node_of_row(t, name, row->type);
    NodeRows *rows = id == NODE_NONE ? NULL : t->of[id];
    if (rows)
        rows->words = arena_printf(t->arena, "%s%s%s%s", rows->words, *rows->words ? " " : "",
                                   row->target == RKNN_NPU ? "" : ROW_HOST_MARK, row->type);
    else
        *VEC_PUSH(t->arena, t->unnamed, t->nunnamed, t->unnamed_cap) = row->type;
}

/* An operator without rows stays as it is if the table may have them under another name. */
static void release(Telling *t, const Graph *copy, const NodeId *node, const char *word,
                    bool product)
{
    NodeId id = own_node(t, copy, *node);
    if (id != NODE_NONE && t->of[id] && t->of[id]->words && !*t->of[id]->words &&
        (product || LIST_ANY(i, t->nunnamed, !strcmp(t->unnamed[i], word))))
        t->of[id]->words = NULL;
}

static void release_all(Telling *t, const Program *p)
{
    const Graph *copy = p->model->graph;
    for (size_t i = 0; i < p->nop; i++)
        if (p->op[i].nnode)
            release(t, copy, p->op[i].node, p->op[i].row, p->op[i].macs > 0);
    for (size_t i = 0; i < p->nstep; i++)
        if (p->step[i].kind == STEP_HOST && p->step[i].nnode)
            release(t, copy, p->step[i].node, p->step[i].op, false);
}

Status table_rows_tell(Model *m, const Machine *machine, const CompileOptions *o,
                       const Imported *table, RowsTold *ret, Diag *diag)
{
    Telling t = {m->arena, m->graph, .of = ARENA_ARRAY(m->arena, NodeRows *, m->graph->nnode + 1)};
    Program *p;
    Status st = compile_model(m->arena, m, machine, o, NULL, &p, diag);
    if (st)
        return st;
    index_names(&t);
    share_all(&t, p);
    *ret = (RowsTold){0};
    for (size_t i = 0; i < table->nop; i++) {
        const RknnRow *row = &table->rknn->row[i];
        if (!strcmp(row->type, machine->first_row) || !strcmp(row->type, machine->last_row))
            continue;
        add_word(&t, row, table->op[i].name);
        ret->all++;
    }
    ret->named = ret->all - t.nunnamed;
    if (2 * ret->named < ret->all)
        return diag_set(diag, STATUS_INPUT, table->path, NULL,
                        "is a table of another model: of %zu rows %zu are named after its nodes",
                        ret->all, ret->named);
    release_all(&t, p);
    for (size_t i = 0; i < m->graph->nnode; i++)
        m->graph->node[i].told = t.of[i] && t.of[i]->words ? t.of[i] : NULL;
    return STATUS_OK;
}
