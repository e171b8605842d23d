/* Answers questions about a vendor's graph: its tables, scales and texts. */
#include "graph/import/vendor_graph.h"

#include "graph/import/vendor_read.h"

/* ---- operators */

static const VendorOpRow op_row[] = {
#define VENDOR_OP(id, number, name, map, attributes) {number, name, attributes},
#include "graph/import/vendor_ops.def"
};
static_assert(sizeof op_row / sizeof *op_row == VENDOR_OTHER, "a row for each kind");

const VendorOpRow *vendor_op_row(VendorOpKind kind)
{
    assert(kind < VENDOR_OTHER);
    return &op_row[kind];
}

VendorOpKind vendor_op_numbered(uint32_t number)
{
    unsigned kind = 0;
    while (kind < VENDOR_OTHER && op_row[kind].number != number)
        kind++;
    return (VendorOpKind)kind;
}

VendorOpKind vendor_op_named(const char *name)
{
    unsigned kind = 0;
    while (kind < VENDOR_OTHER && strcmp(op_row[kind].name, name) != 0)
        kind++;
    return (VendorOpKind)kind;
}

uint32_t vendor_op_attributes(VendorOpKind kind)
{
    return kind == VENDOR_OTHER ? 0 : vendor_op_row(kind)->attributes;
}

static bool all_quantized(const VendorGraph *g, const VendorPorts *ports)
{
    return LIST_ALL(i, ports->count, g->tensor[ports->tensor[i]].quantized);
}

bool vendor_op_on_host(const VendorGraph *g, const VendorOp *op)
{
    return op->kind == VENDOR_ONNX_RUNTIME || !all_quantized(g, &op->input) ||
           !all_quantized(g, &op->output);
}

/* ---- attributes */

/* Of VALUE_WORD, by value; NULL after the last. */
static const char *const words[VENDOR_ATTRIBUTES][VENDOR_WORDS_MAX + 1] = {
    [ATTRIBUTE_PAD_VALUE] = {"Zero", "Min"},
    [ATTRIBUTE_VALUE] = {"Zero", "Min"},
    [ATTRIBUTE_DEPTH_MODE] = {"CRD", "DCR"},
    [ATTRIBUTE_RESIZE_MODE] = {"Nearest", "Linear"},
    [ATTRIBUTE_COORDINATES] = {"HalfPixel", "PytorchHalfPixel", "AlignCorners", "Asymmetric"},
    [ATTRIBUTE_NEAREST] = {"RoundPreferFloor", "RoundPreferCeil", "Floor", "Ceil"},
};

static const VendorAttributeRow attribute_row[] = {
#define VENDOR_ATTRIBUTE(id, word, kind, member)                                                   \
    {word, #member, VALUE_##kind, offsetof(VendorAttributes, member), words[ATTRIBUTE_##id]},
#include "graph/import/vendor_attributes.def"
};
static_assert(sizeof attribute_row / sizeof *attribute_row == VENDOR_ATTRIBUTES,
              "a row for each attribute");
static_assert(VENDOR_ATTRIBUTES <= 31, "a set of attributes is 32 bits");

const VendorAttributeRow *vendor_attribute_row(VendorAttribute id)
{
    assert(id < VENDOR_ATTRIBUTES);
    return &attribute_row[id];
}

VendorAttribute vendor_attribute_named(const char *name)
{
    unsigned id = 0;
    while (id < VENDOR_ATTRIBUTES && strcmp(attribute_row[id].name, name) != 0)
        id++;
    return (VendorAttribute)id;
}

void vendor_port_add(Arena *a, VendorPorts *ports, uint32_t tensor)
{
    *VEC_PUSH(a, ports->tensor, ports->count, ports->cap) = tensor;
}

void *vendor_attribute_slot(VendorAttributes *attributes, VendorAttribute id)
{
    return (char *)attributes + vendor_attribute_row(id)->offset;
}

static const char *integers_text(Arena *a, const VendorIntegers *list)
{
    const char *text = "";
    for (size_t i = 0; i < list->count; i++)
        text = arena_printf(a, "%s%s%" PRId64, text, i ? " " : "", list->item[i]);
    return text;
}

static const char *value_text(Arena *a, const VendorAttributeRow *row, const void *value)
{
    const VendorPair *pair = value;
    const VendorPads *pads = value;
    const VendorRange *range = value;
    switch (row->kind) {
    case VALUE_INTEGER:
        return arena_printf(a, "%" PRId64, *(const int64_t *)value);
    case VALUE_REAL:
        return arena_printf(a, "%.9g", *(const double *)value);
    case VALUE_PAIR:
        return arena_printf(a, "%" PRId64 "x%" PRId64, pair->h, pair->w);
    case VALUE_PADS:
        return arena_printf(a, "%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64, pads->top,
                            pads->left, pads->bottom, pads->right);
    case VALUE_RANGE:
        return arena_printf(a, "%.17g to %.17g", range->min, range->max);
    case VALUE_INTEGERS:
        return integers_text(a, value);
    case VALUE_WORD:
        return row->words[*(const unsigned *)value];
    case VALUE_FLAG:
        return *(const bool *)value ? "true" : "false";
    }
    return "";
}

const char *vendor_attribute_text(Arena *a, const VendorOp *op, VendorAttribute id)
{
    const VendorAttributeRow *row = vendor_attribute_row(id);
    const void *value = (const char *)&op->attribute + row->offset;
    return arena_printf(a, "%s: %s", row->word, value_text(a, row, value));
}

/* ---- tensors */

double vendor_tensor_scale(const VendorTensor *t, size_t i)
{
    assert(t->quantized && i < t->nrange);
    double stored = ldexp(1, dtype_bits(t->dtype)); /* values that the type has */
    return (t->range[i].max - t->range[i].min) / (stored - 1);
}

int64_t vendor_tensor_zero_point(const VendorTensor *t, size_t i)
{
    double lowest = t->dtype == DT_UINT8 ? 0 : -ldexp(1, dtype_bits(t->dtype) - 1);
    return (int64_t)(lowest - round(t->range[i].min / vendor_tensor_scale(t, i)));
}

bool vendor_range_is_usable(const VendorTensor *t, size_t i)
{
    VendorRange r = t->range[i];
    float scale = (float)vendor_tensor_scale(t, i);
    return r.min <= 0 && r.max >= 0 && scale > 0 && isfinite(scale);
}

int64_t vendor_shape_elements(const VendorShape *s)
{
    int64_t n = 1;
    for (int i = 0; i < s->rank; i++)
        n *= s->dim[i];
    return n;
}

const char *vendor_shape_text(Arena *a, const VendorShape *s)
{
    const char *sizes = "", *axes = "";
    for (int i = 0; i < s->rank; i++) {
        sizes = arena_printf(a, "%s%s%" PRId64, sizes, i ? "x" : "", s->dim[i]);
        if (s->axis[i])
            axes = arena_printf(a, "%s%s%c", axes, i ? "x" : " ", s->axis[i]);
    }
    return arena_printf(a, "%s%s", sizes, axes);
}
