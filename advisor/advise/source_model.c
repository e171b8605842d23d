/* Compares the inputs and outputs of both models, and carries types over. */
#include "advisor/advise/source_model.h"

#include "graph/compile/options.h"
#include "graph/import/vendor_graph.h"
#include "graph/infer/shape.h"
#include "graph/onnx/onnx.h"
#include "graph/model/stored_ranges.h"
#include "graph/tflite/tflite.h"

static bool shapes_agree(const Shape *x, const Shape *y)
{
    return x->rank == y->rank &&
           LIST_ALL(i, x->rank,
                    x->dim[i].value == y->dim[i].value || y->dim[i].value == DIM_UNKNOWN);
}

static bool ends_agree(const Graph *x, const TensorId *of_x, size_t nx, const Graph *y,
                       const TensorId *of_y, size_t ny)
{
    return nx == ny &&
           LIST_ALL(i, nx, shapes_agree(&x->tensor[of_x[i]].shape, &y->tensor[of_y[i]].shape));
}

static bool was_made_of(Model *dfg, Model *source)
{
    const Graph *x = dfg->graph, *y = source->graph;
    shape_infer(dfg, NULL, 0, 1);
    shape_infer(source, NULL, 0, 1);
    return ends_agree(x, x->input, x->ninput, y, y->input, y->ninput) &&
           ends_agree(x, x->output, x->noutput, y, y->output, y->noutput);
}

/* Types that the command line gives stay. */
static void take_types(Arena *a, CompileOptions *o, const Model *dfg, const Model *source)
{
    const Graph *x = dfg->graph, *y = source->graph;
    IoType *in = ARENA_ARRAY(a, IoType, y->ninput + 1),
           *out = ARENA_ARRAY(a, IoType, y->noutput + 1);
    size_t nin = 0, nout = 0;
    for (size_t i = 0; i < y->ninput; i++) {
        const Tensor *t = &y->tensor[y->input[i]];
        in[nin] =
            (IoType){arena_strdup(a, t->name), model_input_dtype(dfg, &x->tensor[x->input[i]])};
        nin += in[nin].dtype != t->dtype;
    }
    for (size_t i = 0; i < y->noutput; i++) {
        const Tensor *t = &y->tensor[y->output[i]];
        out[nout] =
            (IoType){arena_strdup(a, t->name), model_output_dtype(dfg, &x->tensor[x->output[i]])};
        nout += out[nout].dtype != t->dtype;
    }
    if (!o->ninput_dtype) {
        o->input_dtype = in;
        o->ninput_dtype = nin;
    }
    if (!o->noutput_dtype) {
        o->output_dtype = out;
        o->noutput_dtype = nout;
    }
}

Status source_model_take(Arena *a, const Args *args, AdviseRequest *q, Diag *diag)
{
    const char *path = args_text(args, OPTION_MODEL, NULL);
    Model *dfg, *source;
    Notes unsaid;
    uint8_t begin[8];
    if (!path || !vendor_graph_is_dfg(begin, file_in_peek(q->model_path, begin, sizeof begin)))
        return STATUS_OK;
    notes_init(&unsaid, a);
    Status st = model_load(a, q->model_path, &unsaid, &dfg, diag);
    if (st)
        return st;
    st = model_load(a, path, &unsaid, &source, diag);
    if (!st && !was_made_of(dfg, source))
        st = diag_set(diag, STATUS_USAGE, path, NULL,
                      "is not the model of %s: other inputs or outputs",
                      file_base_name(q->model_path));
    if (!st) {
        take_types(a, &q->baseline.compile, dfg, source);
        compile_options_take_sdk(&q->baseline.compile, dfg, q->notes);
        notes_add(q->notes, "dfg-source", phrase_arg(PHRASE_NOTE_DFG_SOURCE),
                  arg_text(file_base_name(path)), arg_text(file_base_name(q->model_path)));
        q->model_path = path;
        model_close(source);
    }
    model_close(dfg);
    return st;
}
