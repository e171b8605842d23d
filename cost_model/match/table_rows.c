/* Finds the node of each row by the longest name. */
#include "cost_model/match/table_rows.h"
#include "cost_model/match/row_match.h"

#include "graph/base/messages.h"
#include "graph/import/rknn_table.h"

/* A number after the name is of another node, or of a piece of one of the row's type. */
static Node *node_of_row(Arena *a, const Graph *g, const StrMap *named, const char *row,
                         const char *type)
{
    char *name = arena_strdup(a, row);
    for (size_t n = strlen(name); n > 0; name[--n] = '\0') {
        uint32_t id = strchr("_-#", row[n]) ? strmap_get(named, name) : STRMAP_NONE;
        if (id != STRMAP_NONE && (match_row_is_called(row, name) || !strcmp(g->node[id].op, type)))
            return &g->node[id];
    }
    return NULL;
}

Status table_rows_tell(Model *m, const Machine *machine, const Imported *table, Notes *notes,
                       Diag *diag)
{
    Graph *g = m->graph;
    StrMap named;
    size_t all = 0, found = 0;
    graph_index_names(m->arena, g, &named);
    for (size_t i = 0; i < g->ninput; i++) /* what is named after an input is for who reads it */
        if (g->tensor[g->input[i]].nconsumer)
            strmap_put(&named, g->tensor[g->input[i]].name, g->tensor[g->input[i]].consumer[0]);
    for (size_t i = 0; i < table->nop; i++) {
        const RknnRow *row = &table->rknn->row[i];
        Node *n = node_of_row(m->arena, g, &named, table->op[i].name, row->type);
        if (!*table->op[i].name || !strcmp(row->type, machine->first_row) ||
            !strcmp(row->type, machine->last_row))
            continue;
        all++;
        found += n != NULL;
        if (n)
            n->told = arena_printf(m->arena, "%s%s%s%s", n->told ? n->told : "", n->told ? " " : "",
                                   row->target == RKNN_NPU ? "" : ROW_HOST_MARK, row->type);
    }
    if (2 * found < all)
        return diag_set(diag, STATUS_INPUT, table->path, NULL,
                        "is a table of another model: of %zu rows %zu are named after its nodes",
                        all, found);
    for (size_t i = 0; found == all && i < g->nnode; i++) /* else they may have other names */
        g->node[i].told = g->node[i].told ? g->node[i].told : "";
    notes_add(notes, "compiler-rows", MESSAGE_ID(ROWS_TOLD), arg_size(found), arg_size(all));
    return STATUS_OK;
}
