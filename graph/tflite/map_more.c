/* Maps resizing, reductions, ArgMax, TopK, cumulative sums and quantization. */
#include "graph/tflite/map.h"

/* What a corner's pixel is the average of.  Source: LiteRT kernels/resize_bilinear.cc,
 * resize_nearest_neighbor.cc; the nearest of a half rounds up there. */
bool map_resize(Mapper *m, const TfliteOperator *op)
{
    bool linear = op->code == TFL_RESIZE_BILINEAR;
    TfliteValue *x = map_in(m, 0);
    int64_t size[TFLITE_MAX_RANK];
    bool align = tflite_option_byte(m->file, op, linear ? 2 : 0);
    bool half = tflite_option_byte(m->file, op, linear ? 3 : 1);
    if (!x || !map_out(m, 0) || x->rank != 4 || map_value_integers(map_in(m, 1), size) != 2 ||
        x->shape[0] < 0 || x->shape[3] < 0 || (align && half))
        return false;
    const int64_t to[4] = {x->shape[0], x->shape[3], size[0], size[1]};
    const char *in = map_value_real(m, x, FIRST), *sizes = map_integers(m, to, 4);
    return map_single(
        m, FIRST,
        (EmitNode){.op = "Resize",
                   .in = {in, "", "", sizes},
                   .attribute = {emit_text("mode", linear ? "linear" : "nearest"),
                                 emit_text("coordinate_transformation_mode", align ? "align_corners"
                                                                             : half ? "half_pixel"
                                                                                    : "asymmetric"),
                                 emit_text(linear ? NULL : "nearest_mode",
                                           align || half ? "round_prefer_ceil" : "floor")}});
}

bool map_blocks(Mapper *m, const TfliteOperator *op)
{
    TfliteValue *x = map_in(m, 0);
    int32_t size = tflite_option(m->file, op, 0, 0);
    if (!x || !map_out(m, 0) || x->rank != 4)
        return false;
    if (size < 1) {
        map_refuse(m, "has a block size of 0 or less");
        return true;
    }
    bool to_space = op->code == TFL_DEPTH_TO_SPACE;
    const char *in = map_value_real(m, x, FIRST);
    return map_single(m, FIRST,
                      (EmitNode){.op = to_space ? "DepthToSpace" : "SpaceToDepth",
                                 .in = {in},
                                 .attribute = {emit_int("blocksize", size),
                                               emit_text(to_space ? "mode" : NULL, "DCR")}});
}

static const char *reduce_op_name(TfliteCode code)
{
    return code == TFL_MEAN         ? "ReduceMean"
           : code == TFL_SUM        ? "ReduceSum"
           : code == TFL_REDUCE_MAX ? "ReduceMax"
           : code == TFL_REDUCE_MIN ? "ReduceMin"
                                    : "ReduceProd";
}

/* Where the axes that stay keep their order, the result of a FIRST input is PLAIN: HxW reduced. */
static TfliteLayout reduce_layout(const TfliteValue *x, const int64_t *axis, int n, bool keeps)
{
    bool image = n == 2 && axis[0] + axis[1] == 3 && axis[0] * axis[1] == 2;
    bool channels = n == 1 && axis[0] == 3;
    return x->rank == 4 && x->native == FIRST && (keeps || image || channels) ? FIRST : PLAIN;
}

bool map_reduce(Mapper *m, const TfliteOperator *op)
{
    TfliteValue *x = map_in(m, 0), *y = map_out(m, 0);
    int64_t axis[TFLITE_MAX_RANK];
    int n = map_value_integers(map_in(m, 1), axis);
    bool keeps = tflite_option_byte(m->file, op, 0);
    if (!x || !y || x->rank < 1 || n < 1)
        return false;
    for (int i = 0; i < n; i++)
        if ((axis[i] = map_wrap(axis[i], x->rank)) < 0) {
            map_refuse(m, "reduces an axis that its input does not have");
            return true;
        }
    TfliteLayout layout = reduce_layout(x, axis, n, keeps), result = keeps ? layout : PLAIN;
    bool pools =
        op->code == TFL_MEAN && keeps && layout == FIRST && n == 2 && axis[0] + axis[1] == 3;
    for (int i = 0; i < n; i++)
        axis[i] = map_axis(layout, axis[i]);
    bool listed = op->code == TFL_SUM; /* opset 13 takes the axes of this one as an input */
    const char *in = map_value_real(m, x, layout),
               *axes = listed ? map_integers(m, axis, (size_t)n) : NULL;
    EmitNode node = {.op = pools ? "GlobalAveragePool" : reduce_op_name(op->code),
                     .in = {in, axes},
                     .out = map_result(m, 0, result)};
    if (!pools) {
        node.attribute[0] = emit_int("keepdims", keeps);
        node.attribute[1] = emit_ints(listed ? NULL : "axes", axis, (size_t)n);
    }
    map_node(m, node);
    map_done(m, 0, result);
    return true;
}

static void cast_to_result(Mapper *m, const char *wide, uint32_t i)
{
    map_cast_to(m, "narrower", wide, map_out(m, i)->tensor->dtype, map_result(m, i, PLAIN));
    map_done(m, i, PLAIN);
}

bool map_arg(Mapper *m, const TfliteOperator *op)
{
    TfliteValue *x = map_in(m, 0), *y = map_out(m, 0);
    int64_t axis[TFLITE_MAX_RANK];
    if (!x || !y || map_value_integers(map_in(m, 1), axis) != 1 ||
        (axis[0] = map_wrap(axis[0], x->rank)) < 0)
        return false;
    bool first = x->rank == 4 && x->native == FIRST && axis[0] == 3;
    const char *in = map_value_real(m, x, first ? FIRST : PLAIN);
    bool wide = y->tensor->dtype == DT_INT64;
    const char *out = wide ? map_result(m, 0, PLAIN) : map_between(m, "index");
    map_node(m, (EmitNode){
                    .op = op->code == TFL_ARG_MAX ? "ArgMax" : "ArgMin",
                    .in = {in},
                    .out = out,
                    .attribute = {emit_int("axis", first ? 1 : axis[0]), emit_int("keepdims", 0)}});
    if (wide)
        map_done(m, 0, PLAIN);
    else
        cast_to_result(m, out, 0);
    return true;
}

bool map_top(Mapper *m, const TfliteOperator *op)
{
    TfliteValue *x = map_in(m, 0);
    int64_t k[TFLITE_MAX_RANK];
    if (!x || op->noutput != 2 || !map_out(m, 0) || !map_out(m, 1) ||
        map_value_integers(map_in(m, 1), k) != 1)
        return false;
    const char *in = map_value_real(m, x, PLAIN), *count = map_integers(m, k, 1);
    const char *out[] = {map_result(m, 0, PLAIN), map_between(m, "index")};
    map_node(m, (EmitNode){.op = "TopK",
                           .in = {in, count},
                           .outs = out,
                           .nouts = 2,
                           .attribute = {emit_int("axis", -1)}});
    map_done(m, 0, PLAIN);
    cast_to_result(m, out[1], 1);
    return true;
}

bool map_cumsum(Mapper *m, const TfliteOperator *op)
{
    TfliteValue *x = map_in(m, 0);
    int64_t axis[TFLITE_MAX_RANK];
    if (!x || !map_out(m, 0) || map_value_integers(map_in(m, 1), axis) != 1)
        return false;
    const char *in = map_value_real(m, x, PLAIN), *at = map_integer(m, axis[0]);
    return map_single(
        m, PLAIN,
        (EmitNode){.op = "CumSum",
                   .in = {in, at},
                   .attribute = {emit_int("exclusive", tflite_option_byte(m->file, op, 0)),
                                 emit_int("reverse", tflite_option_byte(m->file, op, 1))}});
}

/* ---- between stored and real */

bool map_quantize(Mapper *m, const TfliteOperator *op)
{
    (void)op;
    TfliteValue *x = map_in(m, 0), *y = map_out(m, 0);
    if (!x || !y || !map_value_is_quantized(y))
        return false;
    TfliteLayout layout = x->rank == 4 && x->native == FIRST ? FIRST : PLAIN;
    map_alias(m, 0, layout, map_value_real(m, x, layout));
    return true;
}

/* Of a constant of half precision, as most weights of such files are: the constant, in single. */
bool map_dequantize(Mapper *m, const TfliteOperator *op)
{
    (void)op;
    TfliteValue *x = map_in(m, 0), *y = map_out(m, 0);
    if (!x || !y)
        return false;
    if (map_value_is_constant(x) && x->tensor->dtype == DT_FLOAT16) {
        y->tensor = x->tensor;
        return true;
    }
    /* At the graph's end codes are moved rather than floats. */
    TfliteLayout layout = x->rank == 4 && x->native == FIRST && !y->is_output ? FIRST : PLAIN;
    const char *in = map_value_stored(m, x, layout);
    const char *out = map_result(m, 0, layout);
    if (map_value_is_quantized(x))
        map_convert(m, x, layout, "DequantizeLinear", in, out);
    else
        map_cast_to(m, NULL, in, DT_FLOAT32, out);
    return true;
}

/* Rounded to as many steps as 8 bits have, with 0 among them.  Source: LiteRT
 * kernels/fake_quant.cc (nudged range). */
bool map_fake_quant(Mapper *m, const TfliteOperator *op)
{
    TfliteValue *x = map_in(m, 0);
    double lo = (double)tflite_option_float(m->file, op, 0, 0);
    double hi = (double)tflite_option_float(m->file, op, 1, 0);
    if (!x || !map_out(m, 0) || tflite_option(m->file, op, 2, 8) != 8 || !(lo < hi) ||
        !isfinite(hi - lo))
        return false;
    TfliteLayout layout = map_layout(m);
    double scale = (hi - lo) / 255, zero = round(-lo / scale);
    uint8_t point = (uint8_t)(zero < 0 ? 0 : zero > 255 ? 255 : zero);
    const char *at = map_between(m, "zero_point"), *stored = map_between(m, "stored");
    uint8_t *byte = arena_alloc(m->arena, 1);
    *byte = point;
    onnx_emit_constant(&m->emit, at, DT_UINT8, NULL, 0, (Bytes){byte, 1});
    const char *step = map_float(m, scale), *in = map_value_real(m, x, layout);
    map_node(m,
             (EmitNode){
                 .name = "quantize", .op = "QuantizeLinear", .in = {in, step, at}, .out = stored});
    return map_single(m, layout, (EmitNode){.op = "DequantizeLinear", .in = {stored, step, at}});
}
