/* Names what `apply` makes right in a float model for the vendor's quantizer. */
#include "advisor/advise/result.h"

#include "graph/compile/program.h"
#include "graph/edit/opset.h"
#include "graph/infer/infer.h"

typedef struct {
    Arena *arena;
    const Language *lang;
    const char *list;
} Conversions;

static void add_conversion(Conversions *c, PhraseId id, MessageArg x, MessageArg y)
{
    c->list =
        arena_printf(c->arena, "%s%s%s", c->list, *c->list ? ", " : "",
                     message_format(c->arena, c->lang, MESSAGE(c->arena, phrase_arg(id), x, y)));
}

static bool is_undescribed(const Tensor *t)
{
    return t->producer != NODE_NONE && !t->is_initializer &&
           (t->declared_dtype == DT_UNKNOWN || t->declared_shape.rank == RANK_UNKNOWN);
}

/* Of an input, before and after it was bound. */
static void add_dimensions(Conversions *c, StrMap *seen, const Tensor *t, const Shape *bound)
{
    for (int32_t k = 0; k < t->shape.rank && k < bound->rank; k++) {
        const char *symbol = t->shape.dim[k].symbol,
                   *name = symbol ? symbol : arena_printf(c->arena, "%s:%d", t->name, k);
        if (dim_known(t->shape.dim[k]) || !strmap_add(seen, name, 1))
            continue;
        add_conversion(c, PHRASE_CONVERTS_DIM, arg_text(name), arg_count(bound->dim[k].value));
    }
}

const char *result_conversion(const AdviseRun *run)
{
    const Model *m = run->model;
    const Graph *g = m->graph, *bound = run->program->model->graph;
    Conversions c = {run->arena, run->request->lang, ""};
    StrMap seen;
    int64_t ir = program_newest_ir(run->variant.compile.sdk),
            missing = LIST_SUM(int64_t, i, g->ntensor, is_undescribed(&g->tensor[i]));
    if (!program_is_for_quantizer(run->program))
        return NULL;
    if (m->opset > OPSET_CONVERTED)
        add_conversion(&c, PHRASE_CONVERTS_OPSET, arg_count(m->opset), arg_count(OPSET_CONVERTED));
    if (m->ir_version > ir)
        add_conversion(&c, PHRASE_CONVERTS_IR, arg_count(m->ir_version), arg_count(ir));
    if (missing)
        add_conversion(&c, PHRASE_CONVERTS_VALUES, arg_count(missing), arg_count(0));
    strmap_init(&seen, c.arena, g->ninput);
    for (size_t i = 0; i < g->ninput && i < bound->ninput; i++)
        add_dimensions(&c, &seen, &g->tensor[g->input[i]], &bound->tensor[bound->input[i]].shape);
    return *c.list ? message_format(
                         c.arena, c.lang,
                         MESSAGE(c.arena, phrase_arg(PHRASE_BUNDLE_CONVERTS), arg_text(c.list)))
                   : NULL;
}
