/* Resolves names of tensors while a graph is read, also inside inlined functions. */
#include "graph/onnx/onnx_read.h"

TensorId onnx_intern(Builder *b, const char *name)
{
    Graph *g = b->graph;
    if (!*name)
        return TENSOR_NONE;
    uint32_t id = strmap_get(&g->by_name, name);
    if (id != STRMAP_NONE)
        return id;
    id = (uint32_t)g->ntensor;
    Tensor *t = VEC_PUSH(b->loader->arena, g->tensor, g->ntensor, b->tensor_cap);
    *t = (Tensor){.name = arena_strdup(b->loader->arena, name),
                  .shape.rank = RANK_UNKNOWN,
                  .declared_shape.rank = RANK_UNKNOWN,
                  .producer = NODE_NONE};
    strmap_put(&g->by_name, t->name, id);
    return id;
}

const char *onnx_scoped(Builder *b, const OnnxScope *scope, const char *name)
{
    if (!scope || !*name)
        return arena_strdup(b->loader->arena, name);
    uint32_t i = strmap_get(&scope->actual, name);
    if (i != STRMAP_NONE)
        return scope->value[i];
    return arena_printf(b->loader->arena, "%s%s", scope->prefix, name);
}

const char *onnx_function_key(Arena *a, const char *domain, const char *name, const char *overload)
{
    return arena_printf(a, "%s\n%s\n%s", domain, name, overload);
}

const Function *onnx_function_find(const Loader *l, const char *domain, const char *name,
                                   const char *overload)
{
    uint32_t i =
        strmap_get(&l->function_index, onnx_function_key(l->arena, domain, name, overload));
    return i == STRMAP_NONE ? NULL : &l->function[i];
}
