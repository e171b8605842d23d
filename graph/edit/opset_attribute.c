/* Converts operators that only gained an attribute, or mean an older operator. */
#include "graph/edit/opset_form.h"

const char *opset_form_older(OpsetNode *x)
{
    (void)x;
    return NULL;
}

const char *opset_form_none(OpsetNode *x)
{
    return opset_refuse(x, "no operator of opset 13 computes it; replace it in the float model, or "
                           "cut the model before it");
}

const char *opset_form_einsum(OpsetNode *x)
{
    return opset_refuse(x, "the quantizer does not find its shape; write MatMul with Transpose and "
                           "Reshape in the float model, or cut the model before it");
}

/* The attribute says what the older version always does. */
static const char *drop_default(OpsetNode *x, const char *name)
{
    rewrite_drop_attr(x->e, x->node, name);
    return NULL;
}

const char *opset_form_cast(OpsetNode *x)
{
    return drop_default(x, "saturate");
}

const char *opset_form_cast_like(OpsetNode *x)
{
    const Tensor *like = opset_input(x, 1);
    DType to = like ? tensor_dtype(like) : DT_UNKNOWN;
    if (to == DT_UNKNOWN)
        return opset_refuse(x, "the element type that it casts to is not known");
    opset_end(x, "Cast", x->was.input[0], TENSOR_NONE);
    rewrite_set_int(x->e, x->node, "to", dtype_to_onnx(to));
    return "Cast";
}

const char *opset_form_recurrent(OpsetNode *x)
{
    if (node_attr_int(&x->was, "layout", 0))
        return opset_refuse(x, "layout is 1; export the model with the batch as second axis");
    return drop_default(x, "layout");
}

const char *opset_form_scatter(OpsetNode *x)
{
    if (strcmp(node_attr_string(&x->was, "reduction", "none"), "none") != 0)
        return opset_refuse(x, "opset 13 has no reduction for it");
    return drop_default(x, "reduction");
}

/* Before opset 16 there was one mode, which has another name now and is no longer the default. */
const char *opset_form_roi_align(OpsetNode *x)
{
    static const char mode[] = "coordinate_transformation_mode";
    if (strcmp(node_attr_string(&x->was, mode, "half_pixel"), "output_half_pixel") != 0)
        return opset_refuse(x, "opset 13 has only the mode 'output_half_pixel'");
    return drop_default(x, mode);
}

/* ---- quantization ---- */

static const char *drop_quantization(OpsetNode *x)
{
    static const char *const name[] = {"saturate", "block_size", "output_dtype"};
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++)
        drop_default(x, name[i]);
    return NULL;
}

const char *opset_form_dequantize(OpsetNode *x)
{
    if (node_attr_int(&x->was, "block_size", 0))
        return opset_refuse(x, "opset 13 has no scales for blocks");
    return drop_quantization(x);
}

/* Without a zero point opset 13 makes uint8; so another type takes a zero point of zeros. */
static const char *give_zero_point(OpsetNode *x, DType dtype)
{
    const Tensor *scale = opset_input(x, 1);
    int64_t n = scale ? shape_elements(&scale->shape) : -1;
    if (n < 0 || scale->shape.rank > 1)
        return opset_refuse(x, "the shape of its scale is not known");
    uint8_t *zero = opset_room(x, n, 1);
    if (!zero)
        return NULL;
    const TensorId input[3] = {
        x->was.input[0], x->was.input[1],
        editor_constant(x->e, x->was.output[0], "_zero_point", dtype, &n, scale->shape.rank, zero)};
    opset_set_inputs(x, x->node, input, 3);
    return "QuantizeLinear";
}

const char *opset_form_quantize(OpsetNode *x)
{
    int32_t number = (int32_t)node_attr_int(&x->was, "output_dtype", 0);
    DType dtype = number ? dtype_from_onnx(number) : DT_UINT8;
    if (node_attr_int(&x->was, "block_size", 0))
        return opset_refuse(x, "opset 13 has no scales for blocks");
    drop_quantization(x);
    if (opset_input(x, 2) || dtype == DT_UINT8)
        return NULL;
    return editor_is_8_bit(dtype) ? give_zero_point(x, dtype)
                                  : opset_refuse(x, "opset 13 makes int8 and uint8 only");
}

/* ---- Trilu ---- */

typedef struct {
    int64_t rows, columns, diagonal;
    bool upper;
} Triangle;

static bool read_triangle(OpsetNode *x, Triangle *ret)
{
    OpsetInts k = opset_ints(x, 1);
    int32_t rank = opset_rank(x);
    const Shape *shape = rank < 0 ? NULL : &opset_input(x, 0)->shape;
    if (k.given && (!k.known || k.n != 1))
        return opset_refuse(x, "its diagonal is computed at run time"), false;
    if (!shape || rank < 2 || shape->dim[rank - 2].value < 0 || shape->dim[rank - 1].value < 0)
        return opset_refuse(x, "the size of its matrix is not known; bind it with --dim"), false;
    *ret = (Triangle){shape->dim[rank - 2].value, shape->dim[rank - 1].value, k.given ? k.v[0] : 0,
                      node_attr_int(&x->was, "upper", 1) != 0};
    return true;
}

/* Ones where the matrix stays, in that type; TENSOR_NONE, and `why` is set, when it is too large.
 */
static TensorId triangle_mask(OpsetNode *x, const Triangle *t, DType dtype)
{
    const int64_t dim[2] = {t->rows, t->columns},
                  n = t->rows && t->columns ? t->rows * t->columns : 0;
    uint8_t *kept = opset_room(x, n, 1);
    float *factor = opset_room(x, dtype == DT_FLOAT32 ? n : 0, sizeof *factor);
    if (!kept || !factor)
        return TENSOR_NONE;
    for (int64_t i = 0; i < n; i++) {
        int64_t right = i % t->columns - i / t->columns; /* of the diagonal through the corner */
        kept[i] = t->upper ? right >= t->diagonal : right <= t->diagonal;
        if (dtype == DT_FLOAT32)
            factor[i] = kept[i];
    }
    return editor_constant(x->e, x->was.output[0], "_triangle", dtype, dim, 2,
                           dtype == DT_FLOAT32 ? (const void *)factor : kept);
}

/* A constant may hold infinities, of which masks for attention are made: no product then. */
const char *opset_form_trilu(OpsetNode *x)
{
    Triangle t;
    if (!opset_is_float(x) || !read_triangle(x, &t))
        return NULL;
    if (t.columns && t.rows > OPSET_MAX_CONSTANT / t.columns)
        return opset_refuse(x, "its matrix is too large");
    bool constant = tensor_is_constant(x->e->graph, x->was.input[0]);
    TensorId mask = triangle_mask(x, &t, constant ? DT_BOOL : DT_FLOAT32);
    if (mask == TENSOR_NONE)
        return NULL;
    if (!constant) {
        opset_end(x, "Mul", x->was.input[0], mask);
        return "Mul";
    }
    const TensorId input[3] = {mask, x->was.input[0], opset_scalar(x, "_zero", 0)};
    opset_end(x, "Where", mask, TENSOR_NONE);
    opset_set_inputs(x, x->node, input, 3);
    return "Where";
}

/* ---- Dropout ---- */

/* The quantizer leaves it in float, although it does nothing unless the model trains. */
const char *opset_form_dropout(OpsetNode *x)
{
    const Tensor *training = opset_input(x, 2);
    int64_t trains = 1;
    if (training && !(training->value && const_int(training->value, 0, &trains) && !trains))
        return opset_refuse(x, "it is in training mode; export the model in inference mode");
    if (opset_is_used(x, 1))
        return NULL;
    opset_end(x, "Identity", x->was.input[0], TENSOR_NONE);
    return "Identity";
}
