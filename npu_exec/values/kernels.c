/* Lists which kernel computes which operators. */
#include "npu_exec/values/kernels.h"

enum { FAMILY_MAX = 32 };

static const struct Family {
    Kernel *plain;
    FastKernel *quick;   /* or NULL */
    OpId op[FAMILY_MAX]; /* the rest is OP_UNKNOWN */
} family[] = {
    {kernel_conv, kernel_fast_conv, {OP_Conv}},
    {kernel_conv_transpose, NULL, {OP_ConvTranspose}},
    {kernel_conv_integer, kernel_fast_conv_integer, {OP_ConvInteger}},
    {kernel_qlinear_conv, kernel_fast_qlinear_conv, {OP_QLinearConv}},
    {kernel_matmul, kernel_fast_matmul, {OP_MatMul}},
    {kernel_gemm, kernel_fast_gemm, {OP_Gemm}},
    {kernel_matmul_integer, NULL, {OP_MatMulInteger}},
    {kernel_qlinear_matmul, NULL, {OP_QLinearMatMul}},
    {kernel_quantize, kernel_fast_quantize, {OP_QuantizeLinear, OP_MsQuantizeLinear}},
    {kernel_dequantize, kernel_fast_dequantize, {OP_DequantizeLinear, OP_MsDequantizeLinear}},
    {kernel_dynamic_quantize, NULL, {OP_DynamicQuantizeLinear}},
    {kernel_qlinear_binary, NULL, {OP_MsQLinearAdd, OP_MsQLinearMul}},
    {kernel_unary,
     kernel_fast_elementwise,
     {OP_Relu, OP_LeakyRelu, OP_Sigmoid, OP_Tanh, OP_Exp, OP_Sqrt, OP_Abs, OP_Neg, OP_Erf, OP_Elu,
      OP_Softplus, OP_HardSigmoid, OP_HardSwish, OP_Gelu, OP_MsGelu, OP_Mish}},
    {kernel_unary, NULL, {OP_Log,        OP_Floor, OP_Ceil,  OP_Round,
                          OP_Reciprocal, OP_Selu,  OP_Celu,  OP_ThresholdedRelu,
                          OP_Softsign,   OP_Sign,  OP_Sin,   OP_Cos,
                          OP_Not,        OP_Tan,   OP_Asin,  OP_Acos,
                          OP_Atan,       OP_Sinh,  OP_Cosh,  OP_Asinh,
                          OP_Acosh,      OP_Atanh, OP_Shrink}},
    {kernel_binary,
     NULL,
     {OP_BitShift, OP_Mod, OP_Equal, OP_Less, OP_Greater, OP_LessOrEqual, OP_GreaterOrEqual, OP_And,
      OP_Or, OP_Xor}},
    {kernel_cast, NULL, {OP_CastLike}},
    {kernel_gather_elements, NULL, {OP_GatherElements}},
    {kernel_trilu, NULL, {OP_Trilu}},
    {kernel_cum_sum, NULL, {OP_CumSum}},
    {kernel_hardmax, NULL, {OP_Hardmax}},
    {kernel_one_hot, NULL, {OP_OneHot}},
    {kernel_is_special, NULL, {OP_IsNaN, OP_IsInf}},
    {kernel_binary, kernel_fast_elementwise, {OP_Add, OP_Sub, OP_Mul, OP_Div, OP_Pow}},
    {kernel_variadic, NULL, {OP_Max, OP_Min, OP_Sum, OP_Mean}},
    {kernel_prelu, kernel_fast_elementwise, {OP_PRelu}},
    {kernel_clip, kernel_fast_elementwise, {OP_Clip}},
    {kernel_where, NULL, {OP_Where}},
    {kernel_cast, kernel_fast_identity, {OP_Cast}},
    {kernel_view, kernel_fast_identity, {OP_Identity}},
    {kernel_dropout, NULL, {OP_Dropout}},
    {kernel_view, NULL, {OP_Reshape, OP_Flatten, OP_Squeeze, OP_Unsqueeze}},
    {kernel_transpose, NULL, {OP_Transpose}},
    {kernel_concat, kernel_fast_concat, {OP_Concat}},
    {kernel_split, NULL, {OP_Split}},
    {kernel_slice, NULL, {OP_Slice}},
    {kernel_pad, NULL, {OP_Pad}},
    {kernel_expand, NULL, {OP_Expand}},
    {kernel_tile, NULL, {OP_Tile}},
    {kernel_gather, NULL, {OP_Gather}},
    {kernel_space_depth, NULL, {OP_DepthToSpace, OP_SpaceToDepth}},
    {kernel_shape, NULL, {OP_Shape, OP_Size}},
    {kernel_fill, NULL, {OP_ConstantOfShape}},
    {kernel_max_pool, kernel_fast_max_pool, {OP_MaxPool}},
    {kernel_average_pool, NULL, {OP_AveragePool}},
    {kernel_global_pool, kernel_fast_global_pool, {OP_GlobalAveragePool}},
    {kernel_global_pool, NULL, {OP_GlobalMaxPool}},
    {kernel_resize, kernel_fast_resize, {OP_Resize, OP_Upsample}},
    {kernel_reduce,
     NULL,
     {OP_ReduceSum, OP_ReduceMean, OP_ReduceMax, OP_ReduceMin, OP_ReduceProd, OP_ReduceL1,
      OP_ReduceL2, OP_ReduceSumSquare, OP_ReduceLogSum, OP_ReduceLogSumExp}},
    {kernel_arg, NULL, {OP_ArgMax, OP_ArgMin}},
    {kernel_softmax, NULL, {OP_Softmax, OP_LogSoftmax}},
    {kernel_batch_norm, NULL, {OP_BatchNormalization}},
    {kernel_instance_norm, NULL, {OP_InstanceNormalization}},
    {kernel_layer_norm, NULL, {OP_LayerNormalization}},
    {kernel_lrn, NULL, {OP_LRN}},
};

static const struct Family *family_of(OpId op)
{
    for (size_t i = 0; i < sizeof family / sizeof *family; i++)
        for (size_t k = 0; k < FAMILY_MAX && family[i].op[k] != OP_UNKNOWN; k++)
            if (family[i].op[k] == op)
                return &family[i];
    return NULL;
}

Kernel *kernel_of(OpId op)
{
    const struct Family *f = family_of(op);
    return f ? f->plain : NULL;
}

FastKernel *kernel_fast_of(OpId op)
{
    const struct Family *f = family_of(op);
    return f ? f->quick : NULL;
}
