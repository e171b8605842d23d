/* Checks depth, lengths and counts of the whole file before anything is unpacked. */

#include "graph/onnx/onnx.h"

/* What a field of a message is: a message to walk into, a name, or (0) not looked at. */
enum {
    F_SKIP,
    F_NAME,
    M_MODEL,
    M_GRAPH,
    M_NODE,
    M_ATTRIBUTE,
    M_TENSOR,
    M_SPARSE,
    M_VALUE,
    M_TYPE,
    M_TENSOR_TYPE,
    M_NEST_TYPE,
    M_MAP_TYPE,
    M_SHAPE,
    M_DIM,
    M_FUNCTION,
    M_OPSET,
    M_ENTRY,
    M_COUNT
};

/* By field number of onnx.proto, IR 13 (Debian's onnx.proto stops at IR 8).  Fields that are not
 * here are skipped by their length.  Training (field 20) is never unpacked. */
static const uint8_t child[M_COUNT][32] = {
    [M_MODEL] = {[2] = F_NAME, [7] = M_GRAPH, M_OPSET, [14] = M_ENTRY, [25] = M_FUNCTION},
    [M_GRAPH] = {0, M_NODE, F_NAME, [5] = M_TENSOR, [11] = M_VALUE, M_VALUE, M_VALUE, 0, M_SPARSE},
    [M_NODE] = {0, F_NAME, F_NAME, F_NAME, F_NAME, M_ATTRIBUTE, 0, F_NAME, F_NAME},
    [M_ATTRIBUTE] = {[1] = F_NAME,
                     [5] = M_TENSOR,
                     [6] = M_GRAPH,
                     [10] = M_TENSOR,
                     [11] = M_GRAPH,
                     [14] = M_TYPE,
                     [15] = M_TYPE,
                     [21] = F_NAME,
                     [22] = M_SPARSE,
                     [23] = M_SPARSE},
    [M_TENSOR] = {[8] = F_NAME, [13] = M_ENTRY},
    [M_SPARSE] = {0, M_TENSOR, M_TENSOR},
    [M_VALUE] = {0, F_NAME, M_TYPE},
    [M_TYPE] = {0, M_TENSOR_TYPE, 0, 0, M_NEST_TYPE, M_MAP_TYPE, 0, 0, M_TENSOR_TYPE, M_NEST_TYPE},
    [M_TENSOR_TYPE] = {[2] = M_SHAPE},
    [M_NEST_TYPE] = {[1] = M_TYPE},
    [M_MAP_TYPE] = {[2] = M_TYPE},
    [M_SHAPE] = {[1] = M_DIM},
    [M_DIM] = {[2] = F_NAME},
    [M_FUNCTION] = {0, F_NAME, 0, 0, F_NAME, F_NAME, F_NAME, M_NODE, 0, M_OPSET, F_NAME,
                    M_ATTRIBUTE, M_VALUE, F_NAME},
    [M_OPSET] = {[1] = F_NAME},
};

static const char *const message_name[] = {
    [M_MODEL] = "model",           [M_GRAPH] = "graph",       [M_NODE] = "node",
    [M_ATTRIBUTE] = "attribute",   [M_TENSOR] = "tensor",     [M_SPARSE] = "sparse tensor",
    [M_VALUE] = "value",           [M_TYPE] = "type",         [M_TENSOR_TYPE] = "tensor type",
    [M_NEST_TYPE] = "nested type", [M_MAP_TYPE] = "map type", [M_SHAPE] = "shape",
    [M_DIM] = "dimension",         [M_FUNCTION] = "function", [M_OPSET] = "opset import",
    [M_ENTRY] = "entry",
};
static_assert(sizeof message_name / sizeof *message_name == M_COUNT, "a name for each message");

typedef struct {
    Bytes file;
    const char *path;
    Diag *diag;
    WireCounts counts;
    struct {
        Bytes rest;
        uint8_t kind;
        uint32_t nattribute;
    } stack[ONNX_MAX_DEPTH];
    size_t depth;
} Guard;

static Status refuse_at(Guard *g, const uint8_t *at, const char *fact, long limit)
{
    char place[64];
    int kind = g->depth ? g->stack[g->depth - 1].kind : M_MODEL;
    snprintf(place, sizeof place, "byte %zu (%s)", (size_t)(at - g->file.data), message_name[kind]);
    if (limit < 0)
        return diag_set(g->diag, STATUS_INPUT, g->path, place, "%s", fact);
    return diag_set(g->diag, STATUS_INPUT, g->path, place, "%s (limit %ld)", fact, limit);
}

static Status check_name(Guard *g, const WireField *f)
{
    if (f->bytes.size > ONNX_MAX_NAME_BYTES)
        return refuse_at(g, f->whole.data, "a name is too long", ONNX_MAX_NAME_BYTES);
    if (f->bytes.size && memchr(f->bytes.data, 0, f->bytes.size))
        return refuse_at(g, f->whole.data, "a name contains a NUL byte", -1);
    return STATUS_OK;
}

static Status enter_message(Guard *g, const WireField *f, uint8_t kind)
{
    if (g->depth == ONNX_MAX_DEPTH)
        return refuse_at(g, f->whole.data, "messages are nested too deeply", ONNX_MAX_DEPTH);
    if (kind == M_NODE && ++g->counts.nodes > ONNX_MAX_NODES)
        return refuse_at(g, f->whole.data, "too many nodes", ONNX_MAX_NODES);
    if (kind == M_ATTRIBUTE && ++g->stack[g->depth - 1].nattribute > ONNX_MAX_ATTRIBUTES)
        return refuse_at(g, f->whole.data, "too many attributes", ONNX_MAX_ATTRIBUTES);
    if ((kind == M_TENSOR || kind == M_VALUE) && ++g->counts.tensors > ONNX_MAX_TENSORS)
        return refuse_at(g, f->whole.data, "too many tensors", ONNX_MAX_TENSORS);
    g->stack[g->depth].rest = f->bytes;
    g->stack[g->depth].kind = kind;
    g->stack[g->depth].nattribute = 0;
    g->depth++;
    if (g->depth > g->counts.depth)
        g->counts.depth = g->depth;
    return STATUS_OK;
}

static Status check_field(Guard *g, const WireField *f)
{
    uint8_t kind = g->stack[g->depth - 1].kind;
    uint8_t what = f->number < 32 ? child[kind][f->number] : (uint8_t)F_SKIP;
    if (what == F_SKIP)
        return STATUS_OK;
    if (f->type != WIRE_BYTES)
        return refuse_at(g, f->whole.data, "a field has the wrong wire type: damaged, or not ONNX",
                         -1);
    return what == F_NAME ? check_name(g, f) : enter_message(g, f, what);
}

Status onnx_guard(Bytes file, const char *path, WireCounts *ret, Diag *diag)
{
    Guard g = {.file = file, .path = path, .diag = diag};
    Status st = enter_message(&g, &(WireField){.bytes = file, .whole = file}, M_MODEL);
    while (!st && g.depth) {
        WireField f;
        Bytes *rest = &g.stack[g.depth - 1].rest;
        switch (onnx_wire_next(rest, &f)) {
        case WIRE_END:
            g.depth--;
            break;
        case WIRE_FIELD:
            st = check_field(&g, &f);
            break;
        case WIRE_DAMAGED:
            st = refuse_at(&g, rest->data,
                           "damaged, cut off or not ONNX: a field does not fit its message", -1);
            break;
        }
    }
    if (!st)
        *ret = g.counts;
    return st;
}
