/* Appends operators, tensors and subgraphs to an imported graph and links them. */
#include "graph/import/import_build.h"

void import_begin(ImportBuild *b, Imported *g, Diag *diag)
{
    *b = (ImportBuild){.g = g, .diag = diag};
    strmap_init(&b->tensor, g->arena, 256);
    strmap_init(&b->op, g->arena, 256);
    strmap_init(&b->subgraph, g->arena, 16);
}

/* Defines a function that finds what has a name, or appends it: its `copy` lasts as the graph. */
#define NAMED(function, list, count, capacity, ...)                                                \
    uint32_t function(ImportBuild *b, const char *name)                                            \
    {                                                                                              \
        uint32_t id = strmap_get(&b->list, name);                                                  \
        if (id != STRMAP_NONE)                                                                     \
            return id;                                                                             \
        Imported *g = b->g;                                                                        \
        id = (uint32_t)g->count;                                                                   \
        const char *copy = arena_strdup(g->arena, name);                                           \
        *VEC_PUSH(g->arena, g->list, g->count, g->capacity) = __VA_ARGS__;                         \
        strmap_put(&b->list, copy, id);                                                            \
        return id;                                                                                 \
    }

NAMED(import_tensor, tensor, ntensor, tensor_cap,
      (ImportTensor){.name = copy, .bytes = -1, .rank = -1, .producer = IMPORT_NONE})
NAMED(import_op, op, nop, op_cap,
      (ImportOp){.name = copy, .subgraph = IMPORT_NONE, .layer = {.out_maps = -1, .groups = -1}})
NAMED(import_subgraph, subgraph, nsubgraph, subgraph_cap, copy)

void import_reads(ImportBuild *b, uint32_t op, uint32_t tensor)
{
    assert(op < b->g->nop && tensor < b->g->ntensor);
    ImportOp *o = &b->g->op[op];
    *VEC_PUSH(b->g->arena, o->input, o->ninput, o->input_cap) = tensor;
    b->g->tensor[tensor].nconsumer++;
}

void import_makes(ImportBuild *b, uint32_t op, uint32_t tensor)
{
    assert(op < b->g->nop && tensor < b->g->ntensor);
    ImportOp *o = &b->g->op[op];
    *VEC_PUSH(b->g->arena, o->output, o->noutput, o->output_cap) = tensor;
    b->g->tensor[tensor].producer = op;
}

/* Counts the cuts: pairs of subgraphs that a tensor crosses, once each. */
static void count_cuts(ImportBuild *b)
{
    Imported *g = b->g;
    StrMap pair;
    strmap_init(&pair, g->arena, 64);
    for (size_t i = 0; i < g->nop; i++) {
        const ImportOp *o = &g->op[i];
        for (size_t k = 0; o->subgraph != IMPORT_NONE && k < o->ninput; k++) {
            uint32_t maker = g->tensor[o->input[k]].producer;
            uint32_t from = maker == IMPORT_NONE ? IMPORT_NONE : g->op[maker].subgraph;
            if (from == IMPORT_NONE || from == o->subgraph)
                continue;
            const char *key = arena_printf(g->arena, "%u %u", from, o->subgraph);
            g->ncut += strmap_add(&pair, key, 0);
        }
    }
}

void import_end(ImportBuild *b)
{
    Imported *g = b->g;
    count_cuts(b);
    uint32_t *seen = ARENA_ARRAY(g->arena, uint32_t, g->ntensor + 1); /* subgraph + 1 */
    for (size_t i = 0; i < g->nop; i++) {
        const ImportOp *o = &g->op[i];
        for (size_t k = 0; o->subgraph != IMPORT_NONE && k < o->ninput + o->noutput; k++) {
            uint32_t t = k < o->ninput ? o->input[k] : o->output[k - o->ninput];
            if (seen[t] && seen[t] != o->subgraph + 1)
                g->tensor[t].crosses = true;
            seen[t] = o->subgraph + 1;
        }
    }
    for (size_t t = 0; t < g->ntensor; t++)
        g->ncrossing += g->tensor[t].crosses;
}

const char *import_text(const cJSON *o, const char *key)
{
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(o, key);
    return cJSON_IsString(v) ? v->valuestring : NULL;
}
