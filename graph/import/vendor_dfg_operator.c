/* Reads one operator of a .dfg: kind, inputs, outputs, attributes. */
#include "graph/import/vendor_dfg.h"

#define VENDOR_OP(id, number, name, map, attributes)                                               \
    static_assert(DFG__OPERATOR__KIND_##id == (number), "the number that dfg.proto has");
#include "graph/import/vendor_ops.def"
#undef VENDOR_OP

/* One operator at work. */
typedef struct {
    Arena *arena;
    VendorOp *op;
    bool refused; /* a number that is not read; the others went on as 0 */
} OperatorReader;

/* ---- values */

static int64_t whole_number(OperatorReader *o, uint64_t value)
{
    o->refused |= value > INT32_MAX; /* no size or axis is larger */
    return value > INT32_MAX ? 0 : (int64_t)value;
}

static VendorPair read_pair(OperatorReader *o, const Dfg__Pair *from)
{
    return from ? (VendorPair){whole_number(o, from->h), whole_number(o, from->w)}
                : (VendorPair){1, 1};
}

static VendorPads read_pads(OperatorReader *o, const Dfg__Padding *from)
{
    if (!from)
        return (VendorPads){0};
    return (VendorPads){whole_number(o, from->top), whole_number(o, from->left),
                        whole_number(o, from->bottom), whole_number(o, from->right)};
}

static VendorRange read_clipping(OperatorReader *o, const Dfg__Range *from)
{
    if (!from)
        return (VendorRange){-__builtin_inf(), __builtin_inf()};
    o->refused |= !(from->min <= from->max);
    return (VendorRange){from->min, from->max};
}

/* A list of sizes, of numbers with a sign, or of pads before and after each axis. */
static VendorIntegers read_integers(OperatorReader *o, ProtobufCType type, const void *from,
                                    size_t n)
{
    VendorIntegers list = {ARENA_ARRAY(o->arena, int64_t, 2 * n + 1), 0};
    o->refused |= n > VENDOR_MAX_RANK;
    for (size_t i = 0; i < n; i++) {
        int64_t number = type == PROTOBUF_C_TYPE_INT64 ? ((const int64_t *)from)[i] : 0;
        o->refused |= number > INT32_MAX || number < INT32_MIN;
        if (type == PROTOBUF_C_TYPE_MESSAGE) {
            const Dfg__PadAxis *pads = ((Dfg__PadAxis *const *)from)[i];
            list.item[list.count++] = whole_number(o, pads->before);
            number = whole_number(o, pads->after);
        } else if (type == PROTOBUF_C_TYPE_UINT64) {
            number = whole_number(o, ((const uint64_t *)from)[i]);
        }
        list.item[list.count++] = number;
    }
    return list;
}

/* One of the known words. */
static unsigned word_number(OperatorReader *o, int value, const char *const *words)
{
    bool known = value >= 0 && value < VENDOR_WORDS_MAX && words[value];
    o->refused |= !known;
    return known ? (unsigned)value : 0;
}

/* ---- fields of the operator's message, by their names */

typedef struct {
    const ProtobufCFieldDescriptor *row;
    const void *at;
    size_t n; /* of a repeated one */
} MessageField;

static MessageField message_field(const ProtobufCMessage *m, unsigned i)
{
    const ProtobufCFieldDescriptor *row = &m->descriptor->fields[i];
    const char *base = (const char *)m;
    bool repeated = row->label == PROTOBUF_C_LABEL_REPEATED;
    size_t n = repeated ? *(const size_t *)(const void *)(base + row->quantifier_offset) : 1;
    const void *at = base + row->offset;
    return (MessageField){row, repeated ? *(const void *const *)at : at, n};
}

/* Ids of tensors that are read or written. */
static void read_ports(OperatorReader *o, const MessageField *f)
{
    const uint32_t *id = f->at;
    VendorPorts *ports = strncmp(f->row->name, "output", 6) == 0 ? &o->op->output : &o->op->input;
    o->refused |= f->n > VENDOR_MAX_PORTS;
    for (size_t i = 0; i < f->n && f->n <= VENDOR_MAX_PORTS; i++)
        vendor_port_add(o->arena, ports, id[i]);
}

static void read_attribute(OperatorReader *o, const MessageField *f, VendorAttribute id)
{
    const VendorAttributeRow *row = vendor_attribute_row(id);
    const void *message = f->row->type == PROTOBUF_C_TYPE_MESSAGE ? *(void *const *)f->at : NULL;
    void *slot = vendor_attribute_slot(&o->op->attribute, id);
    switch (row->kind) {
    case VALUE_INTEGER:
        *(int64_t *)slot = whole_number(o, *(const uint64_t *)f->at);
        break;
    case VALUE_REAL:
        *(double *)slot = f->row->type == PROTOBUF_C_TYPE_FLOAT ? (double)*(const float *)f->at
                                                                : *(const double *)f->at;
        break;
    case VALUE_PAIR:
        *(VendorPair *)slot = read_pair(o, message);
        break;
    case VALUE_PADS:
        *(VendorPads *)slot = read_pads(o, message);
        break;
    case VALUE_RANGE:
        *(VendorRange *)slot = read_clipping(o, message);
        break;
    case VALUE_INTEGERS:
        *(VendorIntegers *)slot = read_integers(o, f->row->type, f->at, f->n);
        break;
    case VALUE_WORD:
        *(unsigned *)slot = word_number(o,
                                        f->row->type == PROTOBUF_C_TYPE_ENUM ? *(const int *)f->at
                                        : message ? (int)((const Dfg__PadValue *)message)->kind
                                                  : 0,
                                        row->words);
        break;
    case VALUE_FLAG:
        *(bool *)slot = *(const protobuf_c_boolean *)f->at;
    }
}

static void read_fields(OperatorReader *o, const ProtobufCMessage *m)
{
    for (unsigned i = 0; i < m->descriptor->n_fields; i++) {
        const MessageField f = message_field(m, i);
        VendorAttribute id = vendor_attribute_named(f.row->name);
        if (id != VENDOR_ATTRIBUTES)
            read_attribute(o, &f, id);
        else if (f.row->type == PROTOBUF_C_TYPE_UINT32 && strcmp(f.row->name, "model") != 0)
            read_ports(o, &f);
    }
}

/* An operator that dfg.proto lacks is kept as an unknown field. */
static const char *numbered_type(Arena *a, const Dfg__Operator *from)
{
    if (!from->base.n_unknown_fields)
        return "operator without a number";
    return arena_printf(a, "operator %" PRIu32, from->base.unknown_fields[0].tag);
}

const char *vendor_dfg_operator(Arena *a, const Dfg__Operator *from, VendorOp *op)
{
    OperatorReader o = {.arena = a, .op = op};
    op->kind = from->kind_case == DFG__OPERATOR__KIND__NOT_SET
                   ? VENDOR_OTHER
                   : vendor_op_numbered((uint32_t)from->kind_case);
    if (op->kind == VENDOR_OTHER) {
        op->type = numbered_type(a, from);
        return NULL;
    }
    const VendorOpRow *row = vendor_op_row(op->kind);
    op->type = row->name;
    /* All members of the union are pointers to a message. */
    read_fields(&o, &from->reshape->base);
    if (op->kind == VENDOR_ONNX_RUNTIME) {
        op->model = from->onnx_runtime->model;
        op->onnx_type = arena_strdup(a, from->onnx_runtime->type);
    }
    return o.refused ? arena_printf(a, "%s has an attribute that is out of range", row->name)
                     : NULL;
}
