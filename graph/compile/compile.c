/* Runs the stages of the compiler, one after the other. */
#include "graph/compile/compile.h"

#include "graph/base/messages.h"
#include "graph/compile/compile_state.h"
#include "graph/compile/compiler_config.h"
#include "graph/edit/opset.h"
#include "graph/model/stored_ranges.h"

enum { SCRATCH_LIMIT_MIB = 1024 };

/* One side of the graph, the types that the options ask of it, and the words for both. */
typedef struct {
    const char *what, *used;
    const TensorId *id;
    size_t n;
    const IoType *asked;
    size_t nasked;
} IoSide;

static Status no_such(const Compile *c, const IoSide *s, const char *name)
{
    const char *have = s->n ? c->graph->tensor[s->id[0]].name : "none";
    return diag_set(c->diag, STATUS_USAGE, c->model->path, NULL, "no %s '%s'; the model has '%s'%s",
                    s->what, name, have, s->n > 1 ? " and others" : "");
}

static Status none_converts(const Compile *c, const char *what, DType to)
{
    return diag_set(c->diag, STATUS_USAGE, c->model->path, NULL,
                    "the model has no %s of a type that becomes %s: float32, uint8 or int8", what,
                    dtype_name(to));
}

static Status apply_types(const Compile *c, const IoSide *s, DType *dtype)
{
    const Tensor *tensor = c->graph->tensor;
    for (size_t k = 0; k < s->nasked; k++) {
        const IoType *asked = &s->asked[k];
        if (!*asked->name)
            return none_converts(c, s->what, asked->dtype);
        size_t i = LIST_INDEX(j, s->n, strcmp(tensor[s->id[j]].name, asked->name) == 0);
        if (i == s->n)
            return no_such(c, s, asked->name);
        DType t = tensor[s->id[i]].dtype;
        if (!compile_type_converts(t))
            return diag_set(c->diag, STATUS_USAGE, c->model->path, asked->name,
                            "an %s of type %s cannot be %s as %s", s->what, dtype_name(t), s->used,
                            dtype_name(asked->dtype));
        dtype[i] = asked->dtype;
    }
    return STATUS_OK;
}

static Status set_types(Compile *c)
{
    const Graph *g = c->graph;
    const CompileOptions *o = c->options;
    const IoSide in = {"input", "fed", g->input, g->ninput, o->input_dtype, o->ninput_dtype},
                 out = {"output",   "taken",         g->output,
                        g->noutput, o->output_dtype, o->noutput_dtype};
    bool pixels = o->sdk < 9 && compiler_config_get(o, "without_quantize");
    c->input_dtype = ARENA_ARRAY(c->scratch, DType, g->ninput + 1);
    c->output_dtype = ARENA_ARRAY(c->scratch, DType, g->noutput + 1);
    for (size_t i = 0; i < g->ninput; i++) {
        DType t = model_input_dtype(c->model, &g->tensor[g->input[i]]);
        c->input_dtype[i] = pixels && dtype_is_float(t) ? DT_UINT8 : t;
    }
    for (size_t i = 0; i < g->noutput; i++)
        c->output_dtype[i] = model_output_dtype(c->model, &g->tensor[g->output[i]]);
    Status st = apply_types(c, &in, c->input_dtype);
    return st ? st : apply_types(c, &out, c->output_dtype);
}

static Status check_permutations(Compile *c)
{
    const Graph *g = c->graph;
    const CompileOptions *o = c->options;
    if (o->npermute > g->ninput)
        return diag_set(c->diag, STATUS_USAGE, c->model->path, NULL,
                        "--permute-input has %zu lists, the model %zu inputs", o->npermute,
                        g->ninput);
    for (size_t i = 0; i < o->npermute; i++) {
        const Tensor *t = &g->tensor[g->input[i]];
        if (o->permute[i].rank && o->permute[i].rank != t->shape.rank)
            return diag_set(c->diag, STATUS_USAGE, c->model->path, t->name,
                            "--permute-input has %d axes, the input %s", o->permute[i].rank,
                            shape_text(c->scratch, &t->shape));
    }
    if (o->npermute && o->sdk < 9)
        notes_add(c->notes, "permute-input-sdk", MESSAGE_ID(PERMUTE_SDK),
                  arg_text(sdk_text(o->sdk)));
    return STATUS_OK;
}

/* Says of the first input whose first dimension nothing binds that it holds one image, which
 * --batch multiplies later (a Reshape in the model may say 1). */
static void note_default_batch(Compile *c, const Graph *g)
{
    const CompileOptions *o = c->options;
    for (size_t i = 0; i < g->ninput; i++) {
        const Tensor *t = &g->tensor[g->input[i]];
        if (t->shape.rank < 1 || t->shape.dim[0].value != DIM_UNKNOWN ||
            LIST_ANY(k, o->ndim, shape_binds(&o->dim[k], t, 0)))
            continue;
        const char *name = t->shape.dim[0].symbol ? t->shape.dim[0].symbol : t->name;
        notes_add(c->notes, "default-batch", MESSAGE_ID(BATCH_UNBOUND), arg_text(t->name),
                  arg_count(o->batch), arg_text(name));
        return;
    }
}

static void note_dims_of_others(Compile *c, const Model *m)
{
    const CompileOptions *o = c->options;
    for (size_t i = 0; i < o->ndim; i++)
        if (shape_unknown_binding(m, &o->dim[i], 1))
            notes_add(c->notes, arena_printf(c->arena, DIM_OF_OTHERS "%s", o->dim[i].name),
                      MESSAGE_ID(DIM_UNKNOWN_HERE), arg_text(o->dim[i].name));
}

/* A model of the compiler's own: options edit it and bind its dimensions. */
static Status prepare_model(Compile *c, const Model *m)
{
    const CompileOptions *o = c->options;
    Model *bound = (Model *)m, *own;
    const char *unknown = shape_unknown_binding(m, o->dim, o->ndim);
    Status st = model_bind_dims(c->of_model, &bound, o->dim, o->ndim, c->diag);
    st = st ? st : model_edit(c->of_model, bound, o->edit, o->nedit, &own, c->diag);
    if (st)
        return st;
    if (unknown && o->dims_of_others)
        note_dims_of_others(c, m);
    else if (unknown)
        return diag_set(c->diag, STATUS_USAGE, m->path, NULL,
                        "--dim %s: no dimension of the model has that name; `npu-advise inspect` "
                        "lists them",
                        unknown);
    note_default_batch(c, own->graph);
    own->notes = c->notes; /* users see no notes about edits of a trial */
    shape_infer(own, o->dim, o->ndim, 1);
    const char *unbound = shape_unbound(own, c->scratch);
    if (unbound)
        return diag_set(c->diag, STATUS_UNDECIDED, m->path, NULL, "%s", unbound);
    c->model = own;
    c->graph = own->graph;
    if (own->opset > c->machine->max_opset)
        notes_add(c->notes, "opset-too-new", MESSAGE_ID(OPSET_TOO_NEW), arg_count(own->opset),
                  arg_count(c->machine->max_opset));
    return STATUS_OK;
}

void compile_outputs(Compile *c)
{
    const Graph *g = c->graph;
    c->first_output = ARENA_ARRAY(c->scratch, uint32_t, c->nvalue + 1);
    c->next_output = ARENA_ARRAY(c->scratch, uint32_t, g->noutput + 1);
    for (size_t v = 0; v < c->nvalue; v++)
        c->first_output[v] = INDEX_NOT;
    for (size_t i = g->noutput; i-- > 0;) {
        ValueId v = c->value_of[g->output[i]];
        if (v == VALUE_NONE)
            continue;
        c->next_output[i] = c->first_output[v];
        c->first_output[v] = (uint32_t)i;
    }
}

/* ---- what the program says of itself ---- */

/* An output of the graph that has as many of something as the input. */
static bool counts_outputs_too(const Graph *g, int64_t n)
{
    return LIST_ANY(i, g->noutput,
                    g->tensor[g->output[i]].shape.rank >= 1 &&
                        g->tensor[g->output[i]].shape.dim[0].value == n);
}

/* The model's own batch: the first dimension of the first input that has more than one.  With
 * three, 3xHxW is as usual as a batch, so an output must count the same. */
void compile_images(Compile *c)
{
    const Graph *g = c->graph;
    bool found = false;
    c->images = 1;
    for (size_t i = 0; i < g->ninput && !found; i++) {
        const Shape *s = &g->tensor[g->input[i]].shape;
        found = s->rank >= 2 && s->dim[0].value > 0;
        if (found && (s->rank != 3 || counts_outputs_too(g, s->dim[0].value)))
            c->images = s->dim[0].value;
    }
}

ORDER_BY_POINTED(by_text, char, strcmp(a, b))

static void list_unknown(Compile *c, const Step *s, const char ***list, size_t *n, size_t *cap)
{
    for (uint32_t k = 0; k < s->nnode; k++) {
        const Node *node = &c->graph->node[s->node[k]];
        *VEC_PUSH(c->arena, *list, *n, *cap) =
            *node->domain ? arena_printf(c->arena, "%s::%s", node->domain, node->op) : node->op;
    }
}

static void set_coverage(Compile *c)
{
    Program *p = c->program;
    const char **list = NULL;
    size_t n = 0, cap = 0, unknown = 0, unique = 0;
    for (size_t i = 0; i < p->nstep; i++) {
        const Step *s = &p->step[i];
        if (s->known)
            continue;
        unknown += s->nnode;
        if (s->reason == REASON_UNKNOWN_OPERATOR)
            list_unknown(c, s, &list, &n, &cap);
    }
    ORDER_LIST(list, n, by_text);
    for (size_t i = 0; i < n; i++)
        if (unique == 0 || strcmp(list[unique - 1], list[i]) != 0)
            list[unique++] = list[i];
    p->unknown_op = list;
    p->nunknown_op = unique;
    p->nodes = c->graph->nnode;
    p->nodes_known = p->nodes - unknown;
}

/* Wherever they were put. */
static int64_t unknown_places(const Compile *c)
{
    return LIST_SUM(int64_t, i, c->nir, !c->ir[i].merged && c->ir[i].place_unknown);
}

static void set_summary(Compile *c)
{
    Program *p = c->program;
    ProgramSummary *sum = &p->summary;
    sum->unknown_places = unknown_places(c);
    for (size_t i = 0; i < p->nstep; i++) {
        const Step *s = &p->step[i];
        sum->segments += s->kind == STEP_NPU;
        sum->host_steps += s->kind == STEP_HOST;
        sum->refused_ops += s->type == QUANTIZED_REFUSED && !c->quantizer->inferred;
        sum->h2d_bytes = layout_size_add(sum->h2d_bytes, s->kind == STEP_H2D ? s->bytes_in : 0);
        sum->d2h_bytes = layout_size_add(sum->d2h_bytes, s->kind == STEP_D2H ? s->bytes_in : 0);
        sum->macs = layout_size_add(sum->macs, s->macs);
    }
    for (size_t i = 0; i < p->nop; i++)
        sum->weight_bytes = layout_size_add(sum->weight_bytes, p->op[i].weight_bytes);
}

/* The optimizer converts every model to the newest opset of the compiler; of newer ones it cannot
 * where an operator's version changed in between. */
static void set_refused(Compile *c)
{
    for (size_t i = 0; c->quantizer && i < c->graph->nnode && !c->program->refused; i++)
        if (c->model->opset > c->machine->max_opset &&
            opset_is_newer(&c->graph->node[i], c->model->opset))
            c->program->refused =
                MESSAGE(c->arena, MESSAGE_ID(OPTIMIZER_REFUSES), arg_count(c->model->opset),
                        arg_count(c->machine->max_opset), arg_text(c->graph->node[i].op));
}

void compile_summary(Compile *c)
{
    set_refused(c);
    c->program->precision = c->quantized_model        ? PRECISION_INT8
                            : c->model->stored_ranges ? PRECISION_CALIBRATED
                                                      : PRECISION_ASSUMED_PTQ;
    c->program->images = layout_size_mul(c->images, c->options->batch);
    set_coverage(c);
    set_summary(c);
}

static void run_stages(Compile *c)
{
#define STAGE(name) name(c);
#include "graph/compile/stages.def"
}

static Status check_target(const Compile *c)
{
    bool parts = c->options->sdk > SDK_NEWEST; /* of three parts */
    if (parts != (c->machine->newest > SDK_NEWEST))
        return diag_set(c->diag, STATUS_USAGE, option_flag(OPTION_SDK), sdk_text(c->options->sdk),
                        "is no version for %s, whose newest is %s", c->options->target,
                        sdk_text(c->machine->newest));
    int has = c->machine->pe_count, pes = compile_options_pes(c->options, c->machine);
    if (c->options->pes > has)
        return diag_set(c->diag, STATUS_USAGE, option_flag(OPTION_PES),
                        arena_printf(c->arena, "%d", c->options->pes),
                        "is more PEs than the card has: %d", has);
    if (c->options->pe > has)
        return diag_set(c->diag, STATUS_USAGE, option_flag(OPTION_TARGET), c->options->target,
                        "fuses more PEs than the card has: it has %d", has);
    return c->options->pe <= pes
               ? STATUS_OK
               : diag_set(c->diag, STATUS_USAGE, option_flag(OPTION_TARGET), c->options->target,
                          "fuses more PEs than --pes leaves in use: %d", pes);
}

static Status compile_program(Compile *c, const Model *m, Program **ret)
{
    Status st = check_target(c);
    st = st ? st : compiler_config_check(c->options, c->notes, c->diag);
    st = st ? st : prepare_model(c, m);
    if (st)
        return st;
    CompileOptions named = *c->options;
    compile_options_name_types(c->scratch, &named, c->graph);
    c->options = &named;
    st = check_permutations(c);
    st = st ? st : set_types(c);
    if (st)
        return st;
    Program *p = c->program = ARENA_NEW(c->arena, Program);
    *p = (Program){.arena = c->arena,
                   .model = c->model,
                   .machine = c->machine,
                   .options = compile_options_copy(c->arena, c->options),
                   .notes = c->notes};
    run_stages(c);
#ifdef ARENA_DEBUG
    st = program_verify(p, c->diag);
    assert(st == STATUS_OK);
#endif
    *ret = p;
    return st;
}

Status compile_model(Arena *a, const Model *m, const Machine *machine, const CompileOptions *o,
                     Notes *notes, Program **ret, Diag *diag)
{
    if (!notes)
        notes_init(notes = ARENA_NEW(a, Notes), a);
    return compile_model_in_arenas((CompileArenas){a, a}, m, machine, o, notes, ret, diag);
}

Status compile_model_in_arenas(CompileArenas arenas, const Model *m, const Machine *machine,
                               const CompileOptions *o, Notes *notes, Program **ret, Diag *diag)
{
    Arena *scratch = arena_new((size_t)SCRATCH_LIMIT_MIB << 20);
    Compile c = {.arena = arenas.program,
                 .of_model = arenas.model,
                 .scratch = scratch,
                 .model = m,
                 .graph = m->graph,
                 .machine = machine,
                 .options = o,
                 .notes = notes,
                 .diag = diag};
    Status st = compile_program(&c, m, ret);
    arena_free(scratch);
    return st;
}

/* The first operator of the converted model that the table has as refused; NULL. */
static const char *refused_operator(Arena *a, const Program *p, const Model *m)
{
    CompileOptions o = p->options;
    Program *converted;
    Diag diag;
    o.nedit = 0;
    if (!p->summary.refused_ops || compile_model(a, m, p->machine, &o, NULL, &converted, &diag))
        return NULL;
    const Step *s = LIST_FIND(i, converted->step, converted->nstep,
                              converted->step[i].type == QUANTIZED_REFUSED);
    return s ? node_label(a, &converted->model->graph->node[s->node[0]]) : NULL;
}

const char *program_refusal(Arena *a, const Program *p)
{
    if (!program_is_for_quantizer(p))
        return NULL;
    Arena *scratch = arena_new(0);
    Model *m;
    OpsetReport report;
    Diag diag;
    int64_t ir = program_newest_ir(p->options.sdk);
    Status st = model_convert_opset(scratch, p->model, ir, &m, &report, &diag);
    const char *why = NULL, *path = p->model->path;
    const char *node = st ? NULL : report.refused;
    node = st || node ? node : refused_operator(scratch, p, m);
    if (st == STATUS_INPUT)
        why = arena_strdup(
            a,
            diag.text + (strncmp(diag.text, path, strlen(path)) ? 0 : strlen(path) + strlen(": ")));
    else if (node)
        why = arena_printf(a,
                           "%s: it is refused in any opset, and no other form is known; replace it "
                           "in the float model, or cut the model before it",
                           node);
    arena_free(scratch);
    return why;
}
