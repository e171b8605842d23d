/* Binds the inputs' symbols, then visits every node once in topological order. Bodies are
 * visited by the control operators that own them. */
#include "graph/infer/fold.h"

/* The version that the model imports for a domain; 0 when it imports none. */
static int64_t imported_opset(const Model *m, const char *domain)
{
    if (strcmp(domain, "ai.onnx") == 0)
        domain = "";
    return LIST_VALUE(
        i, m->nimport,
        !strcmp(strcmp(m->import[i].domain, "ai.onnx") ? m->import[i].domain : "", domain),
        m->import[i].version, 0);
}

/* ---- bindings ---- */

/* "NAME:AXIS"; the name may contain colons. */
static bool names_axis(const char *text, const char *name, int32_t axis)
{
    size_t n = strlen(name);
    if (strncmp(text, name, n) != 0 || text[n] != ':' || text[n + 1] < '0' || text[n + 1] > '9')
        return false;
    char *end;
    long k = strtol(text + n + 1, &end, 10);
    return !*end && k == axis;
}

bool shape_binds(const DimBinding *b, const Tensor *t, int32_t axis)
{
    const Dim *d = &t->shape.dim[axis];
    if (dim_known(*d))
        return false;
    if (d->symbol && strcmp(b->name, d->symbol) == 0)
        return true;
    return (axis == 0 && !d->symbol && strcmp(b->name, t->name) == 0) ||
           names_axis(b->name, t->name, axis);
}

static const DimBinding *binding_of(const DimBinding *b, size_t n, const Tensor *t, int32_t axis)
{
    while (n-- > 0) /* the last one given wins */
        if (shape_binds(&b[n], t, axis))
            return &b[n];
    return NULL;
}

/* The bound dimensions of an input; `assumed` counts those that took the default batch. */
static void bind_input(InferRun *run, Tensor *t, const DimBinding *b, size_t nb, int64_t batch,
                       size_t *assumed)
{
    if (t->shape.rank <= 0 || shape_is_known(&t->shape))
        return;
    Dim *dim = ARENA_ARRAY(run->arena, Dim, (size_t)t->shape.rank);
    memcpy(dim, t->shape.dim, (size_t)t->shape.rank * sizeof *dim);
    for (int32_t i = 0; i < t->shape.rank; i++) {
        if (dim_known(dim[i]))
            continue;
        const DimBinding *given = binding_of(b, nb, t, i);
        dim[i] = symbols_resolve(&run->symbols, dim[i]);
        if (dim_known(dim[i]))
            continue;
        int64_t value = given ? given->value : i == 0 ? batch : DIM_UNKNOWN;
        *assumed += !given && i == 0;
        if (value == DIM_UNKNOWN)
            continue;
        if (dim[i].symbol)
            symbols_bind(&run->symbols, dim[i].symbol, value);
        dim[i] = dim_of(value);
    }
    t->shape.dim = dim;
}

/* Symbols first, because one dimension may bind those of other inputs; the last binding wins. */
static void bind_symbols(InferRun *run, const DimBinding *b, size_t nb)
{
    const Graph *g = run->model->graph;
    for (size_t n = nb; n-- > 0;) {
        if (b[n].value < 0)
            continue;
        symbols_bind(&run->symbols, b[n].name, b[n].value); /* it may be of an inner tensor */
        for (size_t i = 0; i < g->ninput; i++) {
            const Tensor *t = &g->tensor[g->input[i]];
            for (int32_t k = 0; k < t->shape.rank; k++)
                if (t->shape.dim[k].symbol && shape_binds(&b[n], t, k))
                    symbols_bind(&run->symbols, t->shape.dim[k].symbol, b[n].value);
        }
    }
}

static void bind_inputs(InferRun *run, const DimBinding *b, size_t nb, int64_t batch)
{
    Graph *g = run->model->graph;
    size_t assumed = 0;
    const char *first = NULL;
    bind_symbols(run, b, nb);
    for (size_t i = 0; i < g->ninput; i++) {
        size_t before = assumed;
        bind_input(run, &g->tensor[g->input[i]], b, nb, batch, &assumed);
        if (assumed > before && !first)
            first = g->tensor[g->input[i]].name;
    }
    if (first && run->model->notes)
        notes_add(run->model->notes, "default-batch",
                  arg_message_id(assumed > 1 ? &message_BATCH_TAKEN_OF_ALL : &message_BATCH_TAKEN),
                  arg_text(first), arg_count(batch));
}

bool shape_can_bind(const Model *m, const char *name)
{
    const Graph *g = m->graph;
    const DimBinding b = {.name = name};
    return LIST_ANY(i, g->ninput,
                    LIST_ANY(k, g->tensor[g->input[i]].shape.rank,
                             shape_binds(&b, &g->tensor[g->input[i]], k)));
}

static bool has_symbol(const Shape *s, const char *name)
{
    return LIST_ANY(k, s->rank, s->dim[k].symbol && !strcmp(s->dim[k].symbol, name));
}

/* Exporters name dimensions of inner tensors too; those of a body are not looked for. */
static bool knows_symbol(const Graph *g, const char *name)
{
    return LIST_ANY(i, g->ntensor,
                    has_symbol(&g->tensor[i].shape, name) ||
                        has_symbol(&g->tensor[i].declared_shape, name));
}

const char *shape_unknown_binding(const Model *m, const DimBinding *b, size_t n)
{
    return LIST_VALUE(i, n, !shape_can_bind(m, b[i].name) && !knows_symbol(m->graph, b[i].name),
                      b[i].name, NULL);
}

typedef struct {
    const char *option; /* "--dim h=VALUE --dim w=VALUE" */
    size_t count;
    StrMap seen;
} FreeDims;
enum { FREE_DIMS_LISTED = 8 };

/* A dimension without a name is called by its input and axis, as --dim takes it. */
static void add_free_dims(Arena *a, const Tensor *t, FreeDims *f)
{
    for (int32_t k = 0; k < t->shape.rank; k++) {
        const char *symbol = t->shape.dim[k].symbol,
                   *name = symbol ? symbol : arena_printf(a, "%s:%d", t->name, k);
        if (dim_known(t->shape.dim[k]) || !strmap_add(&f->seen, name, 1))
            continue;
        if (f->count++ < FREE_DIMS_LISTED)
            f->option =
                arena_printf(a, "%s%s--dim %s=VALUE", f->option, *f->option ? " " : "", name);
    }
}

const char *shape_unbound(const Model *m, Arena *a)
{
    const Graph *g = m->graph;
    const char *shapeless =
        LIST_VALUE(i, g->ninput, g->tensor[g->input[i]].shape.rank == RANK_UNKNOWN,
                   g->tensor[g->input[i]].name, NULL);
    if (shapeless)
        return arena_printf(a, "input '%s' has no shape", shapeless);
    FreeDims f = {.option = ""};
    strmap_init(&f.seen, a, FREE_DIMS_LISTED);
    for (size_t i = 0; i < g->ninput; i++)
        add_free_dims(a, &g->tensor[g->input[i]], &f);
    if (!f.count)
        return NULL;
    return f.count == 1
               ? arena_printf(a, "a dimension of the inputs is not bound; set it with %s", f.option)
               : arena_printf(a, "%zu dimensions of the inputs are not bound; set them with %s",
                              f.count, f.option);
}

/* ---- one graph ---- */

static void clear_inferred(Graph *g)
{
    for (size_t i = 0; i < g->ntensor; i++) {
        Tensor *t = &g->tensor[i];
        if (t->producer == NODE_NONE)
            continue;
        t->dtype = DT_UNKNOWN;
        t->shape = (Shape){RANK_UNKNOWN, NULL};
        t->value = NULL;
    }
}

static void note_unknown(InferRun *run, const Node *n)
{
    if (!run->model->notes)
        return;
    const char *sep = n->domain[0] ? "::" : "";
    const char *name = arena_printf(run->arena, "%s%s%s", n->domain, sep, n->op);
    notes_add(run->model->notes, arena_printf(run->arena, "unknown-operator %s", name),
              MESSAGE_ID(OPERATOR_UNKNOWN), arg_text(name));
}

/* What the file declares of outputs that nothing else is known of: unknown operators above all. */
static void take_declared(InferContext *c)
{
    for (uint32_t i = 0; i < c->node->noutput; i++) {
        const Tensor *t = node_output(c->graph, c->node, i);
        if (t && t->dtype == DT_UNKNOWN)
            infer_set_dtype(c, i, t->declared_dtype);
        if (t && t->shape.rank == RANK_UNKNOWN)
            infer_set_shape(c, i, t->declared_shape.rank, t->declared_shape.dim);
    }
}

/* `scratch_used`: scratch that the control operator of this body has in use. */
static void visit_nodes(InferContext *c, size_t scratch_used)
{
    const char *domain = NULL;
    for (size_t i = 0; i < c->graph->nnode; i++) {
        const Node *n = &c->graph->node[i];
        if (!domain || strcmp(domain, n->domain) != 0)
            c->opset = imported_opset(c->run->model, domain = n->domain);
        c->node = n;
        c->run->scratch_used = scratch_used;
        const OpInfo *op = op_info(n->op_id);
        if (op->op_class == CLASS_UNKNOWN)
            note_unknown(c->run, n);
        op->shape(c);
        take_declared(c);
        fold_node(c);
    }
}

static InferContext context_of(InferRun *run, Graph *g)
{
    return (InferContext){
        .run = run,
        .graph = g,
        .partial = ARENA_ARRAY(run->arena, const FoldValue *, g->ntensor + 1),
        .member = ARENA_ARRAY(run->arena, const MemberType *, g->ntensor + 1),
    };
}

/* ---- bodies ---- */

/* Names of the outer graphs that a body uses: found outwards, nearest first. */
static void capture_outer(InferContext *c, TensorId id)
{
    Tensor *t = &c->graph->tensor[id];
    for (const InferContext *o = c->outer; o; o = o->outer) {
        uint32_t found = strmap_get(&o->graph->by_name, t->name);
        if (found == STRMAP_NONE)
            continue;
        const Tensor *from = &o->graph->tensor[found];
        t->dtype = from->dtype;
        t->shape = from->shape;
        t->value = from->value;
        c->partial[id] = o->partial[found];
        c->member[id] = o->member[found];
        return;
    }
}

static bool infer_body(InferContext *outer, Graph *body, const MemberType *const *member,
                       InferContext *ret)
{
    if (outer->depth >= INFER_MAX_BODY_DEPTH)
        return false;
    size_t scratch_used = outer->run->scratch_used;
    InferContext c = ret->graph == body ? *ret : context_of(outer->run, body);
    memset(c.partial, 0, (body->ntensor + 1) * sizeof *c.partial);
    memset(c.member, 0, (body->ntensor + 1) * sizeof *c.member);
    c.outer = outer;
    c.depth = outer->depth + 1;
    clear_inferred(body);
    for (size_t i = 0; member && i < body->ninput; i++)
        c.member[body->input[i]] = member[i];
    for (TensorId i = 0; i < body->ntensor; i++) {
        if (tensor_is_outer(&body->tensor[i]))
            capture_outer(&c, i);
    }
    visit_nodes(&c, scratch_used);
    outer->run->scratch_used = scratch_used;
    *ret = c;
    return true;
}

/* ---- the end: symbols that were equated late ---- */

static void resolve_tensor(InferRun *run, Tensor *t)
{
    if (t->shape.rank <= 0 || shape_is_known(&t->shape))
        return;
    Dim *dim = ARENA_ARRAY(run->arena, Dim, (size_t)t->shape.rank);
    for (int32_t i = 0; i < t->shape.rank; i++)
        dim[i] = symbols_resolve(&run->symbols, t->shape.dim[i]);
    t->shape.dim = dim;
}

static void resolve_tensors(InferRun *run, Graph *g, int depth)
{
    for (size_t i = 0; i < g->ntensor; i++)
        resolve_tensor(run, &g->tensor[i]);
    for (size_t i = 0; i < g->nnode && depth < INFER_MAX_BODY_DEPTH; i++)
        for (uint32_t k = 0; k < g->node[i].nattr; k++)
            if (g->node[i].attr[k].graph)
                resolve_tensors(run, (Graph *)g->node[i].attr[k].graph, depth + 1);
}

void shape_infer(Model *m, const DimBinding *binding, size_t nbinding, int64_t default_batch)
{
    InferRun run = {.model = m,
                    .body = infer_body,
                    .arena = m->arena,
                    .fold_max = m->folds_large ? FOLD_LARGE_ELEMENTS : FOLD_MAX_ELEMENTS,
                    .fold_budget =
                        m->folds_large ? FOLD_LARGE_BUDGET_ELEMENTS : FOLD_BUDGET_ELEMENTS};
    symbols_init(&run.symbols, run.arena);
    bind_inputs(&run, binding, nbinding, default_batch);
    clear_inferred(m->graph);
    InferContext c = context_of(&run, m->graph);
    visit_nodes(&c, 0);
    if (run.symbols.changed)
        resolve_tensors(&run, m->graph, 0);
    free(run.scratch);
}

bool tensor_is_constant(const Graph *g, TensorId t)
{
    return t < g->ntensor && (g->tensor[t].value || g->tensor[t].is_initializer);
}
