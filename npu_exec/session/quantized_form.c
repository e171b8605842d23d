/* Hands the ranges of a calibration to the quantizer of graph/edit. */
#include "npu_exec/session/quantized_form.h"

#include "graph/compile/compile.h"
#include "graph/edit/edit.h"
#include "graph/edit/quantize.h"
#include "graph/model/dtype.h"
#include "graph/model/stored_ranges.h"

/* Per tensor; [0] > [1]: not known. */
static const double (*ranges_of(Arena *a, const Model *m))[2]
{
    const Graph *g = m->graph;
    double(*range)[2] = arena_calloc(a, g->ntensor + 1, sizeof *range);
    for (size_t i = 0; i < g->ntensor; i++) {
        const CalibratedTensor *x = stored_ranges_find(m->stored_ranges, g->tensor[i].name);
        CalibratedRange r = x && x->output_range.known ? x->output_range
                            : x                        ? x->range
                                                       : (CalibratedRange){.known = false};
        range[i][0] = r.known ? r.min : INFINITY;
        range[i][1] = r.known ? r.max : -INFINITY;
    }
    return (const double(*)[2])range;
}

static void add_type(Edit *edit, size_t *n, EditKind kind, const Tensor *t, DType type)
{
    if (type != t->dtype)
        edit[(*n)++] = (Edit){.kind = kind, .where = t->name, .text = dtype_name(type)};
}

/* Gives inputs and outputs the types that the calibration says. */
static Status set_boundary_types(Arena *a, const Model *m, Model **ret, Diag *diag)
{
    const Graph *g = m->graph;
    Model plain = *m; /* its nodes quantize now */
    plain.stored_ranges = NULL;
    Edit *edit = ARENA_ARRAY(a, Edit, g->ninput + g->noutput + 1);
    size_t n = 0;
    for (size_t i = 0; i < g->ninput; i++) {
        const Tensor *t = &g->tensor[g->input[i]];
        add_type(edit, &n, EDIT_INPUT_DTYPE, t, model_input_dtype(m, t));
    }
    for (size_t i = 0; i < g->noutput; i++) {
        const Tensor *t = &g->tensor[g->output[i]];
        add_type(edit, &n, EDIT_OUTPUT_DTYPE, t, model_output_dtype(m, t));
    }
    return model_edit(a, &plain, edit, n, ret, diag);
}

Status program_quantized_form(Arena *a, const Program *p, Model **ret, Diag *diag)
{
    CompileOptions o = p->options;
    Model *prepared, *quantized;
    Program *plain;
    Quantized done;
    assert(p->precision == PRECISION_CALIBRATED);
    o.nedit = 0; /* done in the model of `p` */
    Status st = model_prepare(a, p->model, &prepared, diag);
    st = st ? st : compile_model(a, prepared, p->machine, &o, NULL, &plain, diag);
    if (st)
        return st;
    const Quantizing how = {program_nodes_on_npu(a, plain), ranges_of(a, plain->model), false, true,
                            false};
    st = model_quantize(a, plain->model, &how, &quantized, &done, diag);
    return st ? st : set_boundary_types(a, quantized, ret, diag);
}
