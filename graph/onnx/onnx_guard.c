/* Checks depth, lengths and counts of the whole file before anything is unpacked. */

#include "graph/onnx/onnx.h"
#include "graph/onnx/onnx_fields.def"

/* What a field of a message is: a message to walk into, a name, or (0) not looked at. */
enum {
    F_SKIP,
    F_NAME,
#define KIND(id, name) M_##id,
    ONNX_MESSAGES(KIND) M_COUNT
};

static const uint8_t child[M_COUNT][32] = {
#define FIELD(of, number, is) [M_##of][number] = is,
    ONNX_FIELDS(FIELD)};

static const char *const message_name[M_COUNT] = {
#define NAME(id, name) [M_##id] = name,
    ONNX_MESSAGES(NAME)};

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
    int kind = g->depth ? g->stack[g->depth - 1].kind : M_MODEL;
    size_t byte = (size_t)(at - g->file.data);
    if (limit < 0)
        return diag_set(g->diag, STATUS_INPUT, g->path, NULL, "byte %zu (%s): %s", byte,
                        message_name[kind], fact);
    return diag_set(g->diag, STATUS_INPUT, g->path, NULL, "byte %zu (%s): %s (limit %ld)", byte,
                    message_name[kind], fact, limit);
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
