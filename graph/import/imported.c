/* Compiled graphs made elsewhere: recognising, and what all forms have in common. */
#include "graph/import/imported.h"

#include "graph/onnx/foreign.h"
#include "graph/import/import_build.h"

#include <string.h>

static const char *const work_name[WORK_COUNT] = {
    [WORK_UNKNOWN] = "unknown",   [WORK_COMPUTE] = "compute", [WORK_HOST] = "host",
    [WORK_TRANSFER] = "transfer", [WORK_LAYOUT] = "layout",   [WORK_RENAME] = "layout without copy",
    [WORK_VIEW] = "view",         [WORK_TYPE] = "type"};

const char *import_work_name(ImportWork w)
{
    return work_name[w];
}

void import_begin(ImportBuild *b, Imported *g, Diag *diag)
{
    *b = (ImportBuild){.g = g, .diag = diag};
    strmap_init(&b->tensor, g->arena, 256);
    strmap_init(&b->op, g->arena, 256);
    strmap_init(&b->subgraph, g->arena, 16);
}

uint32_t import_tensor(ImportBuild *b, const char *name)
{
    uint32_t id = strmap_get(&b->tensor, name);
    if (id != STRMAP_NONE)
        return id;
    Imported *g = b->g;
    id = (uint32_t)g->ntensor;
    const char *copy = arena_strdup(g->arena, name);
    *VEC_PUSH(g->arena, g->tensor, g->ntensor, g->tensor_cap) =
        (ImportTensor){.name = copy, .bytes = -1, .producer = IMPORT_NONE};
    strmap_put(&b->tensor, copy, id);
    return id;
}

uint32_t import_op(ImportBuild *b, const char *name)
{
    uint32_t id = strmap_get(&b->op, name);
    if (id != STRMAP_NONE)
        return id;
    Imported *g = b->g;
    id = (uint32_t)g->nop;
    const char *copy = arena_strdup(g->arena, name);
    *VEC_PUSH(g->arena, g->op, g->nop, g->op_cap) =
        (ImportOp){.name = copy, .subgraph = IMPORT_NONE};
    strmap_put(&b->op, copy, id);
    return id;
}

uint32_t import_subgraph(ImportBuild *b, const char *name)
{
    uint32_t id = strmap_get(&b->subgraph, name);
    if (id != STRMAP_NONE)
        return id;
    Imported *g = b->g;
    id = (uint32_t)g->nsubgraph;
    const char *copy = arena_strdup(g->arena, name);
    *VEC_PUSH(g->arena, g->subgraph, g->nsubgraph, g->subgraph_cap) = copy;
    strmap_put(&b->subgraph, copy, id);
    return id;
}

void import_reads(ImportBuild *b, uint32_t op, uint32_t tensor)
{
    ImportOp *o = &b->g->op[op];
    *VEC_PUSH(b->g->arena, o->input, o->ninput, o->input_cap) = tensor;
    b->g->tensor[tensor].nconsumer++;
}

void import_makes(ImportBuild *b, uint32_t op, uint32_t tensor)
{
    ImportOp *o = &b->g->op[op];
    *VEC_PUSH(b->g->arena, o->output, o->noutput, o->output_cap) = tensor;
    b->g->tensor[tensor].producer = op;
}

/* Pairs of subgraphs, once each: what a tensor crosses is a cut. */
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
            if (strmap_get(&pair, key) == STRMAP_NONE)
                strmap_put(&pair, key, (uint32_t)g->ncut++);
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

typedef Status (*Reader)(ImportBuild *b, const char *text, size_t size);

static Reader reader_of(InFile file, ImportKind *ret_kind)
{
    switch (foreign_recognise((Bytes){file.data, file.size}, NULL)) {
    case FOREIGN_LOWERED_JSON:
        *ret_kind = IMPORT_LOWERED;
        return import_lowered;
    case FOREIGN_VENDOR_DOT:
        *ret_kind = IMPORT_DOT;
        return import_dot;
    case FOREIGN_TENSORRT_JSON:
        *ret_kind = IMPORT_TENSORRT;
        return import_tensorrt;
    default:
        return NULL;
    }
}

bool imported_recognise(InFile file)
{
    ImportKind kind;
    return reader_of(file, &kind) != NULL;
}

Status imported_read(Arena *a, InFile file, Imported **ret, Diag *diag)
{
    Imported *g = ARENA_NEW(a, Imported);
    *g = (Imported){.arena = a, .path = file.path};
    Reader read = reader_of(file, &g->kind);
    if (!read)
        return diag_set(diag, STATUS_INPUT, file.path, NULL, "is no compiled graph");
    if (file.size > (size_t)IMPORT_LIMIT_MIB << 20)
        return diag_set(diag, STATUS_INPUT, file.path, NULL, "is larger than %d MiB",
                        IMPORT_LIMIT_MIB);
    ImportBuild b;
    import_begin(&b, g, diag);
    Status st = read(&b, (const char *)file.data, file.size);
    if (st)
        return st;
    if (g->nop == 0)
        return diag_set(diag, STATUS_UNDECIDED, file.path, NULL, "holds no operators");
    import_end(&b);
    *ret = g;
    return STATUS_OK;
}
