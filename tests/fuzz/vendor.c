/* Fuzzes the readers of the vendor's graphs, .dfg and DOT: whatever is read must be listed, become
 * an imported graph, and where it becomes a model, one whose shapes can be worked out and that can
 * be written.  The checksum of a .dfg is made right first: else no change would pass it. */
#include "graph/import/imported.h"
#include "graph/import/vendor_graph.h"
#include "graph/import/vendor_model.h"
#include "graph/infer/shape.h"
#include "graph/onnx/onnx.h"
#include "tests/fuzz/harness.h"

#include <zlib.h>

enum { CHECKSUM_AT = 3, BODY_AT = 10 };

static const uint8_t *with_checksum(Arena *a, const uint8_t *data, size_t size)
{
    if (!vendor_graph_is_dfg(data, size) || size < BODY_AT)
        return data;
    uint8_t *copy = arena_alloc(a, size);
    memcpy(copy, data, size);
    uint32_t sum = (uint32_t)crc32_z(0, data + BODY_AT, size - BODY_AT);
    for (int i = 0; i < 4; i++)
        copy[CHECKSUM_AT + i] = (uint8_t)(sum >> 8 * i);
    return copy;
}

static void say_tensor(Arena *a, const VendorTensor *t)
{
    harness_print("%" PRIu32 " %s %s %s %d of %d %zu %zu bytes", t->id, t->name,
                  dtype_name(t->dtype), vendor_shape_text(a, &t->shape), (int)t->source, t->axis,
                  t->nscale, t->constant_bytes);
    for (size_t i = 0; i < t->nsource; i++)
        harness_print(" %s", t->source_name[i]);
    for (size_t i = 0; i < t->nrange; i++)
        harness_print(" %g %" PRId64, vendor_tensor_scale(t, i), vendor_tensor_zero_point(t, i));
    harness_print(" %" PRId64 "\n", vendor_shape_elements(&t->shape));
}

static void say_operator(Arena *a, const VendorGraph *g, const VendorOp *op)
{
    harness_print("%s %s %s %d:", op->type, op->name, or_none(op->onnx_type),
                  vendor_op_on_host(g, op));
    for (size_t i = 0; i < op->input.count; i++)
        harness_print(" %" PRIu32, g->tensor[op->input.tensor[i]].id);
    for (size_t i = 0; i < op->output.count; i++)
        harness_print(" to %" PRIu32, g->tensor[op->output.tensor[i]].id);
    for (unsigned id = 0; id < VENDOR_ATTRIBUTES; id++)
        if (vendor_op_attributes(op->kind) >> id & 1)
            harness_print(" %s", vendor_attribute_text(a, op, (VendorAttribute)id));
    harness_print("\n");
}

static void say_model(Arena *a, InFile file)
{
    Diag diag;
    Notes notes;
    Model *m;
    notes_init(&notes, a);
    if (vendor_model_load(a, file, &notes, &m, &diag)) {
        harness_print("%s\n", diag.text);
        return;
    }
    shape_infer(m, NULL, 0, 1);
    harness_print("model of %zu nodes\n", m->graph->nnode);
    (void)onnx_write_stream(m, harness_said, &diag);
    model_close(m);
}

static void fuzz(Arena *a, const uint8_t *data, size_t size)
{
    InFile file = {.path = "fuzz", .data = with_checksum(a, data, size), .size = size};
    Diag diag;
    VendorGraph *g;
    Imported *imported;
    if (!imported_is_vendor(file))
        return;
    if (vendor_graph_read(a, file, &g, &diag)) {
        harness_print("%s\n", diag.text);
        return;
    }
    for (size_t i = 0; i < g->ntensor; i++)
        say_tensor(a, &g->tensor[i]);
    for (size_t i = 0; i < g->nop; i++)
        say_operator(a, g, &g->op[i]);
    if (imported_read(a, file, &imported, &diag))
        abort(); /* it was read a moment ago */
    if (g->file == VENDOR_FILE_DFG)
        say_model(a, file);
}
