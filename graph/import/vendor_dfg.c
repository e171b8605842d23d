/* Reads a .dfg: its header, and tensors and operators one by one with protobuf-c (dfg.proto). */
#include "graph/import/vendor_dfg.h"

#include <zlib.h>

enum {
    HEADER_BYTES = 10,
    CHECKSUM_AT = 3,
    VERSION_AT = 7,
    MESSAGE_LIMIT_BYTES = 1 << 20, /* one tensor without its constant, or one operator */
};
enum { GRAPH_TENSORS = 1, GRAPH_INPUTS = 2, GRAPH_OUTPUTS = 3, GRAPH_OPERATORS = 4 };
enum { ENTRIES = 1, ENTRY_ID = 1, ENTRY_NAME = 1, ENTRY_BODY = 2, TENSOR_CONSTANT = 3 };

static const uint8_t version[] = {0, 1, 1};

typedef struct {
    VendorGraph *g;
    Diag *diag;
    const char *place; /* of the part being read */
} DfgReader;

bool vendor_graph_is_dfg(const uint8_t *data, size_t size)
{
    return size >= CHECKSUM_AT && memcmp(data, "dfg", CHECKSUM_AT) == 0;
}

static Status dfg_error(const DfgReader *r, const char *place, const char *fact)
{
    return diag_set(r->diag, STATUS_INPUT, r->g->path, place, "%s", fact);
}

/* ---- header */

static uint32_t stored_checksum(Bytes file)
{
    const uint8_t *b = file.data + CHECKSUM_AT;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static Status check_header(const DfgReader *r, Bytes file)
{
    if (file.size < HEADER_BYTES)
        return dfg_error(r, NULL, "is cut off: a .dfg has a header of 10 bytes");
    if (memcmp(file.data + VERSION_AT, version, sizeof version) != 0)
        return dfg_error(r, "byte 7", "a .dfg of another version; only 00 01 01 (SDK 0.9) is read");
    uint32_t sum = (uint32_t)crc32_z(0, file.data + HEADER_BYTES, file.size - HEADER_BYTES);
    if (sum == stored_checksum(file))
        return STATUS_OK;
    return diag_set(r->diag, STATUS_INPUT, r->g->path, "byte 3",
                    "the checksum is %08" PRIx32 ", and that of the bytes is %08" PRIx32
                    ": the file is damaged or cut off; write it again with the quantizer",
                    stored_checksum(file), sum);
}

/* Up to SDK 0.4 or so, field 1 is an entry and not a list of them. */
static bool is_older_generation(Bytes graph)
{
    WireField list, first;
    return onnx_wire_next(&graph, &list) == WIRE_FIELD && list.number == GRAPH_TENSORS &&
           list.type == WIRE_BYTES && onnx_wire_next(&list.bytes, &first) == WIRE_FIELD &&
           (first.number != ENTRIES || first.type != WIRE_BYTES);
}

/* ---- tensors */

static bool is_too_large(Bytes message, size_t constant_bytes)
{
    return message.size - constant_bytes > MESSAGE_LIMIT_BYTES;
}

static Status read_named_shape(const DfgReader *r, const Dfg__NamedShape *from, VendorShape *s)
{
    static const char letter[] = {[DFG__AXIS_NAME__W] = 'W',
                                  [DFG__AXIS_NAME__H] = 'H',
                                  [DFG__AXIS_NAME__C] = 'C',
                                  [DFG__AXIS_NAME__N] = 'N'};
    const Dfg__NamedAxes *axes = from->inner ? from->inner->axes : NULL;
    s->rank = axes && axes->n_axes <= VENDOR_MAX_RANK ? (int)axes->n_axes : -1;
    for (int i = 0; i < s->rank; i++) {
        const Dfg__NamedAxis *a = axes->axes[i];
        if ((unsigned)a->axis >= sizeof letter || a->size > INT64_MAX)
            return dfg_error(r, r->place, "an axis is none of N, C, H and W");
        s->axis[i] = letter[a->axis];
        s->dim[i] = (int64_t)a->size;
    }
    return STATUS_OK;
}

static void read_plain_shape(const Dfg__PlainShape *from, VendorShape *s)
{
    const Dfg__PlainSizes *sizes = from->sizes;
    size_t rank = sizes ? sizes->n_sizes : 0;
    s->rank = rank <= VENDOR_MAX_RANK ? (int)rank : -1;
    for (int i = 0; i < s->rank; i++)
        s->dim[i] = sizes->sizes[i] > INT64_MAX ? -1 : (int64_t)sizes->sizes[i];
}

static Status read_shape(const DfgReader *r, const Dfg__Shape *from, VendorShape *s)
{
    Status st = STATUS_OK;
    s->rank = -1;
    if (from && from->kind_case == DFG__SHAPE__KIND_NAMED)
        st = read_named_shape(r, from->named, s);
    else if (from && from->kind_case == DFG__SHAPE__KIND_PLAIN)
        read_plain_shape(from->plain, s);
    if (!st && s->rank < 0)
        st = dfg_error(r, r->place, "has no shape, or one of more than 8 axes");
    return st;
}

static Status read_ranges(const DfgReader *r, const Dfg__Quantized *from, VendorTensor *t)
{
    const Dfg__Ranges *list = from->ranges;
    if (!list || !list->n_ranges || list->n_axes > 1 || (list->n_axes && list->axes[0] > INT8_MAX))
        return dfg_error(r, r->place, "has no range, or ranges along two axes");
    VendorRange *range = ARENA_ARRAY(r->g->arena, VendorRange, list->n_ranges);
    for (size_t i = 0; i < list->n_ranges; i++)
        range[i] =
            (VendorRange){list->ranges[i]->min + 0.0, list->ranges[i]->max + 0.0}; /* no -0 */
    t->quantized = true;
    t->range = range;
    t->nrange = t->nscale = list->n_ranges;
    t->axis = list->n_axes ? (int)list->axes[0] : -1;
    return STATUS_OK;
}

static Status read_element(const DfgReader *r, const Dfg__Element *e, VendorTensor *t)
{
    static const DType of_kind[] = {
        [DFG__ELEMENT__KIND_F32] = DT_FLOAT32, [DFG__ELEMENT__KIND_U8] = DT_UINT8,
        [DFG__ELEMENT__KIND_I8] = DT_INT8,     [DFG__ELEMENT__KIND_I32] = DT_INT32,
        [DFG__ELEMENT__KIND_I64] = DT_INT64,   [DFG__ELEMENT__KIND_BOOL] = DT_BOOL};
    unsigned kind = e ? (unsigned)e->kind_case : DFG__ELEMENT__KIND__NOT_SET;
    t->dtype = kind < sizeof of_kind / sizeof *of_kind ? of_kind[kind] : DT_UNKNOWN;
    if (t->dtype == DT_UNKNOWN)
        return dfg_error(r, r->place, "its element type is not known");
    bool real = t->dtype == DT_FLOAT32 || t->dtype == DT_INT64 || t->dtype == DT_BOOL;
    return real ? STATUS_OK : read_ranges(r, e->u8, t); /* u8, i8 and i32 are of one type */
}

static void read_source(const DfgReader *r, const Dfg__Source *from, VendorTensor *t)
{
    t->source = SOURCE_NONE;
    if (from && from->kind_case == DFG__SOURCE__KIND_UNKNOWN)
        t->source = SOURCE_UNKNOWN;
    if (!from || from->kind_case != DFG__SOURCE__KIND_NAMES || !from->names->list)
        return;
    const Dfg__SourceNameList *list = from->names->list;
    const char **name = ARENA_ARRAY(r->g->arena, const char *, list->n_names + 1);
    for (size_t i = 0; i < list->n_names; i++)
        name[i] = arena_strdup(r->g->arena, list->names[i]->name);
    t->source = SOURCE_NAMES;
    t->source_name = name;
    t->nsource = list->n_names;
}

static Status fill_tensor(const DfgReader *r, const Dfg__Tensor *from, VendorTensor *t)
{
    Status st = read_shape(r, from->shape, &t->shape);
    st = st ? st : read_element(r, from->element, t);
    if (st)
        return st;
    t->name = arena_strdup(r->g->arena, from->name);
    read_source(r, from->source, t);
    return STATUS_OK;
}

static Status read_tensor_body(DfgReader *r, Bytes body, VendorTensor *t)
{
    WireField constant;
    t->is_constant = onnx_wire_find(body, TENSOR_CONSTANT, WIRE_BYTES, &constant);
    if (t->is_constant) {
        t->constant = constant.bytes;
        t->constant_bytes = constant.bytes.size;
    }
    if (is_too_large(body, t->constant_bytes))
        return dfg_error(r, r->place, "is larger than 1 MiB without its constant");
    Dfg__Tensor *m = dfg__tensor__unpack(NULL, body.size, body.data);
    Status st = m ? fill_tensor(r, m, t) : dfg_error(r, r->place, "is damaged");
    if (m)
        dfg__tensor__free_unpacked(m, NULL);
    return st;
}

static Status read_tensor(DfgReader *r, Bytes entry)
{
    WireField id, body;
    VendorTensor t = {.axis = -1, .producer = VENDOR_NONE, .name = ""};
    if (onnx_wire_find(entry, ENTRY_ID, WIRE_VARINT, &id))
        t.id = id.value < VENDOR_NONE ? (uint32_t)id.value : VENDOR_NONE;
    r->place = arena_printf(r->g->arena, "tensor %" PRIu32, t.id);
    if (t.id == VENDOR_NONE || !onnx_wire_find(entry, ENTRY_BODY, WIRE_BYTES, &body))
        return dfg_error(r, r->place, "has no id or no description");
    Status st = read_tensor_body(r, body.bytes, &t);
    if (!st)
        *VEC_PUSH(r->g->arena, r->g->tensor, r->g->ntensor, r->g->tensor_cap) = t;
    return st;
}

/* ---- operators */

static const char *entry_name(const DfgReader *r, Bytes entry)
{
    WireField name;
    if (!onnx_wire_find(entry, ENTRY_NAME, WIRE_BYTES, &name))
        return "";
    return arena_strndup(r->g->arena, (const char *)name.bytes.data, name.bytes.size);
}

static Status read_operator(DfgReader *r, Bytes entry)
{
    WireField body;
    VendorOp op = {.name = entry_name(r, entry), .model = VENDOR_NONE};
    r->place = arena_printf(r->g->arena, "operator '%.200s'", op.name);
    if (!onnx_wire_find(entry, ENTRY_BODY, WIRE_BYTES, &body) || is_too_large(entry, 0))
        return dfg_error(r, r->place, "has no description, or one of more than 1 MiB");
    Dfg__Operator *m = dfg__operator__unpack(NULL, body.bytes.size, body.bytes.data);
    const char *fact = m ? vendor_dfg_operator(r->g->arena, m, &op) : "is damaged";
    if (m)
        dfg__operator__free_unpacked(m, NULL);
    Status st = fact ? dfg_error(r, r->place, fact) : STATUS_OK;
    if (!st)
        *VEC_PUSH(r->g->arena, r->g->op, r->g->nop, r->g->op_cap) = op;
    return st;
}

/* ---- graph */

typedef Status ReadEntry(DfgReader *r, Bytes entry);

static Status read_entries(DfgReader *r, Bytes list, ReadEntry *read)
{
    WireField f;
    WireResult result;
    while ((result = onnx_wire_next(&list, &f)) == WIRE_FIELD) {
        if (f.number != ENTRIES || f.type != WIRE_BYTES)
            continue;
        if (r->g->ntensor + r->g->nop >= VENDOR_MAX_ITEMS)
            return dfg_error(r, NULL, "has more than 262,144 tensors and operators");
        Status st = read(r, f.bytes);
        if (st)
            return st;
    }
    return result == WIRE_END ? STATUS_OK : dfg_error(r, NULL, "a list is damaged");
}

static Status add_end(const DfgReader *r, VendorPorts *ends, uint64_t id)
{
    if (ends->count == VENDOR_MAX_PORTS || id >= VENDOR_NONE)
        return dfg_error(r, NULL, "has an input or output without an id, or too many");
    vendor_port_add(r->g->arena, ends, (uint32_t)id);
    return STATUS_OK;
}

/* Ids, packed or one by one. */
static Status read_ends(const DfgReader *r, const WireField *f, VendorPorts *ends)
{
    Bytes rest = f->bytes;
    uint64_t id;
    if (f->type == WIRE_VARINT)
        return add_end(r, ends, f->value);
    Status st = STATUS_OK;
    while (!st && onnx_wire_varint(&rest, &id))
        st = add_end(r, ends, id);
    return st;
}

static Status read_graph_field(DfgReader *r, const WireField *f)
{
    VendorGraph *g = r->g;
    switch (f->number) {
    case GRAPH_TENSORS:
        return read_entries(r, f->bytes, read_tensor);
    case GRAPH_INPUTS:
        return read_ends(r, f, &g->input);
    case GRAPH_OUTPUTS:
        return read_ends(r, f, &g->output);
    case GRAPH_OPERATORS:
        return read_entries(r, f->bytes, read_operator);
    default:
        return STATUS_OK;
    }
}

Status vendor_read_dfg(VendorGraph *g, Bytes file, Diag *diag)
{
    DfgReader r = {.g = g, .diag = diag};
    Status st = check_header(&r, file);
    if (st)
        return st;
    Bytes rest = {file.data + HEADER_BYTES, file.size - HEADER_BYTES};
    if (is_older_generation(rest))
        return dfg_error(&r, NULL,
                         "is a .dfg of an older SDK, which is not read; quantize the ONNX "
                         "model again with the quantizer of SDK 0.9");
    WireField f;
    WireResult result;
    while (!st && (result = onnx_wire_next(&rest, &f)) != WIRE_END)
        st = result == WIRE_FIELD ? read_graph_field(&r, &f)
                                  : dfg_error(&r, NULL, "a field does not fit the graph");
    return st;
}
