/* Opens a model file, which is ONNX, TensorFlow Lite or the vendor's .dfg. */
#include "graph/tflite/tflite.h"
#include "graph/import/vendor_graph.h"
#include "graph/import/vendor_model.h"
#include "graph/onnx/onnx.h"

enum { STREAM_LIMIT_MIB = 2048 };

static const SourceValue *source_values(Arena *a, const TfliteGraph *g, const int32_t *list,
                                        uint32_t n)
{
    SourceValue *v = ARENA_ARRAY(a, SourceValue, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        const TfliteTensor *t = &g->tensor[list[i]];
        Dim *dim = ARENA_ARRAY(a, Dim, TFLITE_MAX_RANK);
        for (int k = 0; k < t->rank; k++)
            dim[k].value = t->shape[k];
        v[i] = (SourceValue){t->name, t->dtype, {t->rank, dim}, 0, 0};
        if (t->quant.count == 1) {
            v[i].scale = (double)t->quant.scale[0];
            v[i].zero_point = t->quant.zero_point[0];
        }
    }
    return v;
}

/* Describes the file in its own terms. */
static const ModelSource *tflite_source(Arena *a, const TfliteFile *f)
{
    const TfliteGraph *g = &f->graph[0];
    ModelSource *s = ARENA_NEW(a, ModelSource);
    *s = (ModelSource){.format = "tflite",
                       .version = 3,
                       .ngraph = f->ngraph,
                       .ntensor = g->ntensor,
                       .constant_bytes = f->constant_bytes,
                       .ninput = g->ninput,
                       .noutput = g->noutput};
    for (uint32_t i = 0; i < g->ntensor; i++)
        s->nconstant += g->tensor[i].has_buffer;
    SourceOperator *op = ARENA_ARRAY(a, SourceOperator, g->nop + 1);
    for (uint32_t i = 0; i < g->nop; i++)
        op[i] = (SourceOperator){g->op[i].name, 1};
    source_list_operators(s, op, g->nop);
    s->input = source_values(a, g, g->input, g->ninput);
    s->output = source_values(a, g, g->output, g->noutput);
    return s;
}

Status model_load_bytes(Arena *a, const char *path, const uint8_t *bytes, size_t size, Notes *notes,
                        Model **ret_model, Diag *diag)
{
    TfliteFile f;
    Bytes made;
    if (vendor_graph_is_dfg(bytes, size))
        return vendor_model_load(a, (InFile){.path = path, .data = bytes, .size = size}, notes,
                                 ret_model, diag);
    if (!tflite_recognise(bytes, size))
        return onnx_load_bytes(a, path, bytes, size, notes, ret_model, diag);
    Status st = tflite_read(a, path, bytes, size, &f, diag);
    st = st ? st : tflite_map(a, &f, ONNX_OWN_FILE, &made, diag);
    st = st ? st : onnx_load_made(a, path, made, (Bytes){bytes, size}, notes, ret_model, diag);
    if (!st)
        (*ret_model)->source = tflite_source(a, &f);
    return st;
}

/* Only a regular file can be looked at before it is read. */
Status model_load(Arena *a, const char *path, Notes *notes, Model **ret_model, Diag *diag)
{
    uint8_t begin[8];
    InFile file;
    size_t n = file_in_peek(path, begin, sizeof begin);
    if (n && !tflite_recognise(begin, n) && !vendor_graph_is_dfg(begin, n))
        return onnx_load(a, path, notes, ret_model, diag);
    Status st = file_in_open(&file, path, (size_t)STREAM_LIMIT_MIB << 20, diag);
    if (st)
        return st;
    st = model_load_bytes(a, file.path, file.data, file.size, notes, ret_model, diag);
    if (st)
        file_in_close(&file);
    else
        (*ret_model)->file = file;
    return st;
}
