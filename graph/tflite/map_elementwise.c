/* Maps operators that work element by element, and others that keep the shape. */
#include "graph/tflite/map.h"

static const char *real_in(Mapper *m, uint32_t i, TfliteLayout layout)
{
    TfliteValue *v = map_in(m, i);
    return v ? map_value_real(m, v, v->rank == 4 || map_value_is_constant(v) ? layout : PLAIN) : "";
}

static void unary_node(Mapper *m, const char *word, const char *op, const char *in, const char *out)
{
    map_node(m, (EmitNode){.name = word, .op = op, .in = {in}, .out = out});
}

static void binary_op_node(Mapper *m, const char *word, const char *op, const char *a,
                           const char *b, const char *out)
{
    map_node(m, (EmitNode){.name = word, .op = op, .in = {a, b}, .out = out});
}

/* ---- two inputs */

static const struct {
    TfliteCode code;
    const char *op;
    bool is_fused; /* field 0 of its options is an activation */
} binary[] = {
#define BINARY(code, op, fused) {TFL_##code, op, fused},
#include "graph/tflite/tflite_binary.def"
};

/* What ONNX says with a second node: after `op`, `then`. */
static const struct {
    TfliteCode code;
    const char *op, *then;
    bool twice; /* the second takes the first's result as both inputs */
} two_step[] = {
    {TFL_SQUARED_DIFFERENCE, "Sub", "Mul", true},
    {TFL_FLOOR_DIV, "Div", "Floor", false},
    {TFL_NOT_EQUAL, "Equal", "Not", false},
};

static bool map_two_step(Mapper *m, const TfliteOperator *op, TfliteLayout layout)
{
    for (size_t i = 0; i < sizeof two_step / sizeof *two_step; i++) {
        if (two_step[i].code != op->code)
            continue;
        const char *a = real_in(m, 0, layout), *b = real_in(m, 1, layout);
        const char *first = map_between(m, "first"), *out = map_result(m, 0, layout);
        binary_op_node(m, "first", two_step[i].op, a, b, first);
        binary_op_node(m, NULL, two_step[i].then, first, two_step[i].twice ? first : NULL, out);
        map_done(m, 0, layout);
        return true;
    }
    return false;
}

bool map_binary(Mapper *m, const TfliteOperator *op)
{
    TfliteLayout layout = map_layout(m);
    if (!map_in(m, 0) || !map_in(m, 1) || !map_out(m, 0))
        return false;
    for (size_t i = 0; i < sizeof binary / sizeof *binary; i++) {
        if (binary[i].code != op->code)
            continue;
        int32_t activation = binary[i].is_fused ? tflite_option_byte(m->file, op, 0) : 0;
        const char *a = real_in(m, 0, layout), *b = real_in(m, 1, layout);
        return map_fused(m, activation, layout, (EmitNode){.op = binary[i].op, .in = {a, b}});
    }
    return map_two_step(m, op, layout);
}

/* ---- one input */

static const struct {
    TfliteCode code;
    const char *op;
} unary[] = {
    {TFL_RELU, "Relu"},   {TFL_LOGISTIC, "Sigmoid"}, {TFL_TANH, "Tanh"},       {TFL_EXP, "Exp"},
    {TFL_LOG, "Log"},     {TFL_SQRT, "Sqrt"},        {TFL_ABS, "Abs"},         {TFL_NEG, "Neg"},
    {TFL_FLOOR, "Floor"}, {TFL_CEIL, "Ceil"},        {TFL_ROUND, "Round"},     {TFL_SIN, "Sin"},
    {TFL_COS, "Cos"},     {TFL_ELU, "Elu"},          {TFL_LOGICAL_NOT, "Not"}, {TFL_SIGN, "Sign"},
};

static const struct {
    TfliteCode code;
    double lo, hi;
} clip[] = {{TFL_RELU6, 0, 6}, {TFL_RELU_N1_TO_1, -1, 1}, {TFL_RELU_0_TO_1, 0, 1}};

static void hard_swish(Mapper *m, const char *x, const char *out)
{
    const char *gate = map_between(m, "gate");
    map_node(m, (EmitNode){.name = "gate",
                           .op = "HardSigmoid",
                           .in = {x},
                           .out = gate,
                           .attribute = {emit_float("alpha", 1.0 / 6), emit_float("beta", 0.5)}});
    binary_op_node(m, NULL, "Mul", x, gate, out);
}

/* x/2 (1 + erf(x / sqrt 2)), as exporters write it. */
static void gelu(Mapper *m, const char *x, const char *out)
{
    const char *part[4];
    for (int i = 0; i < 4; i++)
        part[i] = map_between(m, "part");
    binary_op_node(m, "scaled", "Div", x, map_float(m, 1.4142135623730951), part[0]);
    unary_node(m, "erf", "Erf", part[0], part[1]);
    binary_op_node(m, "plus", "Add", part[1], map_float(m, 1), part[2]);
    binary_op_node(m, "gate", "Mul", x, part[2], part[3]);
    binary_op_node(m, NULL, "Mul", part[3], map_float(m, 0.5), out);
}

/* x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))). */
static void gelu_tanh(Mapper *m, const char *x, const char *out)
{
    const char *part[7];
    for (int i = 0; i < 7; i++)
        part[i] = map_between(m, "part");
    binary_op_node(m, "cube", "Pow", x, map_float(m, 3), part[0]);
    binary_op_node(m, "weighted", "Mul", part[0], map_float(m, 0.044715), part[1]);
    binary_op_node(m, "sum", "Add", x, part[1], part[2]);
    binary_op_node(m, "scaled", "Mul", part[2], map_float(m, 0.7978845608028654), part[3]);
    unary_node(m, "tanh", "Tanh", part[3], part[4]);
    binary_op_node(m, "plus", "Add", part[4], map_float(m, 1), part[5]);
    binary_op_node(m, "gate", "Mul", x, part[5], part[6]);
    binary_op_node(m, NULL, "Mul", part[6], map_float(m, 0.5), out);
}

static bool emit_unary(Mapper *m, const TfliteOperator *op, TfliteLayout layout, const char *x,
                       const char *out)
{
    const char *between;
    switch (op->code) {
    case TFL_HARD_SWISH:
        hard_swish(m, x, out);
        return true;
    case TFL_GELU:
        (tflite_option_byte(m->file, op, 0) ? gelu_tanh : gelu)(m, x, out);
        return true;
    case TFL_SQUARE:
        binary_op_node(m, NULL, "Mul", x, x, out);
        return true;
    case TFL_RSQRT:
        between = map_between(m, "root");
        unary_node(m, "root", "Sqrt", x, between);
        unary_node(m, NULL, "Reciprocal", between, out);
        return true;
    case TFL_PRELU:
        binary_op_node(m, NULL, "PRelu", x, real_in(m, 1, layout), out);
        return true;
    case TFL_LEAKY_RELU:
        map_node(m, (EmitNode){.op = "LeakyRelu",
                               .in = {x},
                               .out = out,
                               .attribute = {
                                   emit_float("alpha", tflite_option_float(m->file, op, 0, 0))}});
        return true;
    default:
        return false;
    }
}

bool map_unary(Mapper *m, const TfliteOperator *op)
{
    if (!map_in(m, 0) || !map_out(m, 0))
        return false;
    TfliteLayout layout = map_layout(m);
    const char *x = real_in(m, 0, layout), *out = map_result(m, 0, layout);
    bool done = emit_unary(m, op, layout, x, out);
    for (size_t i = 0; !done && i < sizeof unary / sizeof *unary; i++) {
        if (unary[i].code == op->code)
            unary_node(m, NULL, unary[i].op, x, out);
        done = unary[i].code == op->code;
    }
    for (size_t i = 0; !done && i < sizeof clip / sizeof *clip; i++)
        if (clip[i].code == op->code)
            map_node(m, (EmitNode){.op = "Clip",
                                   .in = {x, map_float(m, clip[i].lo), map_float(m, clip[i].hi)},
                                   .out = out});
    map_done(m, 0, layout);
    return true;
}

bool map_select(Mapper *m, const TfliteOperator *op)
{
    TfliteLayout layout = map_layout(m);
    const TfliteValue *c = map_in(m, 0);
    /* The condition of SELECT may be of one dimension, and then chooses rows. */
    if (!c || !map_in(m, 1) || !map_in(m, 2) || !map_out(m, 0) ||
        (op->code == TFL_SELECT && c->rank == 1 && map_out(m, 0)->rank > 1))
        return false;
    const char *in[] = {real_in(m, 0, layout), real_in(m, 1, layout), real_in(m, 2, layout)};
    return map_single(m, layout, (EmitNode){.op = "Where", .in = {in[0], in[1], in[2]}});
}

bool map_cast(Mapper *m, const TfliteOperator *op)
{
    (void)op;
    if (!map_in(m, 0) || !map_out(m, 0) || map_out(m, 0)->tensor->dtype == DT_UNKNOWN)
        return false;
    TfliteLayout layout = map_layout(m);
    const char *in = map_value_stored(m, map_in(m, 0), layout);
    return map_single(
        m, layout,
        (EmitNode){.op = "Cast",
                   .in = {in},
                   .attribute = {emit_int("to", dtype_to_onnx(map_out(m, 0)->tensor->dtype))}});
}

/* Over the last axis, which is that of the channels where there are four. */
static Attr last_axis(const TfliteValue *v, TfliteLayout layout)
{
    return emit_int("axis", layout == FIRST ? 1 : v->rank > 0 ? v->rank - 1 : -1);
}

bool map_softmax(Mapper *m, const TfliteOperator *op)
{
    TfliteValue *x = map_in(m, 0);
    if (!x || !map_out(m, 0))
        return false;
    TfliteLayout layout = map_layout(m);
    float beta = op->code == TFL_SOFTMAX ? tflite_option_float(m->file, op, 0, 1) : 1;
    const char *in = map_value_real(m, x, layout);
    if (beta != 1 && beta != 0) {
        const char *scaled = map_between(m, "beta");
        binary_op_node(m, "beta", "Mul", in, map_float(m, (double)beta), scaled);
        in = scaled;
    }
    return map_single(m, layout,
                      (EmitNode){.op = op->code == TFL_SOFTMAX ? "Softmax" : "LogSoftmax",
                                 .in = {in},
                                 .attribute = {last_axis(x, layout)}});
}

static void local_response(Mapper *m, const TfliteOperator *op, TfliteValue *x)
{
    int64_t size = 2 * (int64_t)tflite_option(m->file, op, 0, 0) + 1;
    double alpha = (double)tflite_option_float(m->file, op, 2, 0) * (double)size;
    const char *in = map_value_real(m, x, FIRST);
    map_node(
        m, (EmitNode){
               .op = "LRN",
               .in = {in},
               .out = map_result(m, 0, FIRST),
               .attribute = {emit_int("size", size), emit_float("alpha", alpha),
                             emit_float("beta", (double)tflite_option_float(m->file, op, 3, 0)),
                             emit_float("bias", (double)tflite_option_float(m->file, op, 1, 0))}});
    map_done(m, 0, FIRST);
}

bool map_norm(Mapper *m, const TfliteOperator *op)
{
    TfliteValue *x = map_in(m, 0);
    if (!x || !map_out(m, 0) || (op->code == TFL_LOCAL_RESPONSE_NORMALIZATION && x->rank != 4))
        return false;
    if (op->code == TFL_LOCAL_RESPONSE_NORMALIZATION) {
        local_response(m, op, x);
        return true;
    }
    TfliteLayout layout = map_layout(m);
    const char *in = map_value_real(m, x, layout);
    return map_fused(m, tflite_option_byte(m->file, op, 0), layout,
                     (EmitNode){.op = "LpNormalization",
                                .in = {in},
                                .attribute = {last_axis(x, layout), emit_int("p", 2)}});
}
