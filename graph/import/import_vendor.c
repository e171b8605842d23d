/* Turns a vendor's graph into an imported graph, operator by operator. */
#include "graph/import/import_build.h"
#include "graph/import/vendor_map.h"

static ImportWork work_kind(const VendorGraph *g, const VendorOp *op)
{
    switch (op->kind) {
    case VENDOR_QUANTIZE:
    case VENDOR_DEQUANTIZE:
    case VENDOR_REQUANTIZE:
        return WORK_TYPE;
    case VENDOR_RESHAPE:
        return WORK_VIEW;
    case VENDOR_PERMUTE:
        return WORK_LAYOUT;
    case VENDOR_SLICE:
    case VENDOR_PAD:
    case VENDOR_CONCATENATION:
    case VENDOR_BROADCAST:
        return WORK_COPY;
    case VENDOR_OTHER:
        return WORK_UNKNOWN;
    default:
        return vendor_op_on_host(g, op) ? WORK_HOST : WORK_COMPUTE;
    }
}

static const char *format_text(Arena *a, const VendorTensor *t)
{
    const char *shape = vendor_shape_text(a, &t->shape);
    if (!t->quantized)
        return arena_printf(a, "%s %s", dtype_name(t->dtype), shape);
    if (t->axis >= 0)
        return arena_printf(a, "%s %s, %zu scales", dtype_name(t->dtype), shape, t->nscale);
    return arena_printf(a, "%s %s, scale %.6g, zero point %" PRId64, dtype_name(t->dtype), shape,
                        vendor_tensor_scale(t, 0), vendor_tensor_zero_point(t, 0));
}

static void add_tensor(ImportBuild *b, const VendorGraph *g, const VendorTensor *t)
{
    Arena *a = b->g->arena;
    uint32_t id = import_tensor(b, arena_printf(a, "tensor %" PRIu32, t->id));
    ImportTensor *to = &b->g->tensor[id];
    if (t->nsource)
        to->name = t->source_name[0];
    to->format = format_text(a, t);
    to->dtype = t->dtype;
    to->rank = t->shape.rank;
    /* "NCHW" from the letters; a plain shape has none. */
    if (t->shape.rank && t->shape.axis[0])
        to->layout = arena_strndup(a, t->shape.axis, (size_t)t->shape.rank);
    memcpy(to->dim, t->shape.dim, sizeof t->shape.dim);
    to->on_host = !t->quantized;
    for (size_t i = 0; i < g->input.count; i++)
        to->bound |= &g->tensor[g->input.tensor[i]] == t;
    for (size_t i = 0; i < g->output.count; i++)
        to->bound |= &g->tensor[g->output.tensor[i]] == t;
    import_count_bytes(to);
}

/* Names are not unique: an operator and the conversions around it share one. */
static const char *unique_name(Arena *a, StrMap *taken, const VendorOp *op)
{
    const char *name = *op->name ? arena_printf(a, "%s %s", op->type, op->name) : op->type;
    return vendor_map_name_in(a, taken, name);
}

static void add_operator(ImportBuild *b, StrMap *taken, const VendorGraph *g, const VendorOp *op)
{
    uint32_t id = import_op(b, unique_name(b->g->arena, taken, op));
    b->g->op[id].type = op->kind == VENDOR_ONNX_RUNTIME ? op->onnx_type : op->type;
    b->g->op[id].work = work_kind(g, op);
    for (size_t i = 0; i < op->input.count; i++)
        import_reads(b, id, op->input.tensor[i]);
    for (size_t i = 0; i < op->output.count; i++)
        import_makes(b, id, op->output.tensor[i]);
}

Status import_vendor(ImportBuild *b, const char *text, size_t size)
{
    VendorGraph *g;
    StrMap taken;
    const InFile file = {.path = b->g->path, .data = (const uint8_t *)text, .size = size};
    Status st = vendor_graph_read(b->g->arena, file, &g, b->diag);
    if (st)
        return st;
    b->g->vendor = g;
    for (size_t i = 0; i < g->ntensor; i++) /* in the same order: their indices are the same */
        add_tensor(b, g, &g->tensor[i]);
    strmap_init(&taken, b->g->arena, 256);
    for (size_t i = 0; i < g->nop; i++)
        add_operator(b, &taken, g, &g->op[i]);
    return STATUS_OK;
}
