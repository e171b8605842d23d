/* Defines the compiler's messages, such as why a step runs on the host. */
#pragma once

#include "graph/base/language.h"

/* Notes. */
DEFINE_MESSAGE(PERMUTE_SDK,
               "permute_input exists since SDK 0.9; with {0} it is part of without_quantize");
DEFINE_MESSAGE(DIM_UNKNOWN_HERE, "--dim {0} is of no dimension of this model");
DEFINE_MESSAGE(BATCH_UNBOUND,
               "the first dimension of input '{0}' is not bound: the program is for --batch {1} "
               "(--dim {2}=VALUE binds it)");
DEFINE_MESSAGE(OPSET_TOO_NEW,
               "opset {0}: the vendor's compiler takes up to {1}, so the model must be exported "
               "again for it");
DEFINE_MESSAGE(OPTIMIZER_REFUSES,
               "the vendor's optimizer cannot convert opset {0} to {1}: {2} changed in between");
DEFINE_MESSAGE(ASSUMED_PTQ,
               "the model is not quantized: every operator that the NPU supports is taken as "
               "quantized by the vendor's tool (assumed PTQ)");
DEFINE_MESSAGE(
    PRODUCTS_NOT_QUANTIZED,
    "{0} product{0||s} at the end ha{0|s|ve} no QuantizeLinear: computed in int8, with the "
    "result scaled to float");
DEFINE_MESSAGE(
    FOREIGN_CODES,
    "{0} tensor{0| is|s are} quantized to {1}, which the NPU does not have: what makes or "
    "reads {0|it|them} stays on the host until the float model is quantized to int8");
DEFINE_MESSAGE(
    NARROW_CODES,
    "{0} conversion{0| is|s are} of fewer than 8 bits: the NPU holds such codes in 8, so they "
    "are timed as int8");
DEFINE_MESSAGE(WIDE_WEIGHTS, "{0} constant{0| is|s are} of 16-bit codes: timed as int8");
DEFINE_MESSAGE(
    MIXED_TYPES,
    "{0} product{0||s} ha{0|s|ve} inputs of different types ({1} and {2}), which ONNX does not "
    "allow: no runtime opens the file. It is timed as if it were quantized to int8; export it "
    "again");
DEFINE_MESSAGE(KEY_WITHOUT_EFFECT,
               "compiler key '{0}' has no effect: {1} (SDK {2} accepts it silently)");
DEFINE_MESSAGE(KEY_WITHOUT_EFFECT_ON_SDK, "compiler key '{0}' has no effect on SDK {1}: {2}");
DEFINE_MESSAGE(KEY_UNKNOWN_NEAR, "unknown key; did you mean '{0}'?");
DEFINE_MESSAGE(KEY_UNKNOWN, "unknown key");
DEFINE_MESSAGE(KEY_REMOVED, "it was removed in SDK {0}");
DEFINE_MESSAGE(KEY_BOOL, "its value is true or false");
DEFINE_MESSAGE(KEY_SINCE, "it exists since SDK {0}");
/* Why an operator runs on the host. */
DEFINE_MESSAGE(WHY_CONTROL,
               "{0} chooses or repeats its body ({1}) at run time: one step on the host, whose "
               "cost depends on the data");
DEFINE_MESSAGE(BODY, "{0} node{0||s}{1}");
DEFINE_MESSAGE(WHY_UNKNOWN_OPERATOR, "nothing is known of operator {0}");
DEFINE_MESSAGE(WHY_DYNAMIC,
               "the shape of '{0}' ({1}) depends on the data; the NPU needs static shapes");
DEFINE_MESSAGE(WHY_CONFLICT,
               "the shapes at {0} contradict each other ({1}), so that of '{2}' is not known");
DEFINE_MESSAGE(NEAREST_NO_CONFLICT, "mend the model there");
DEFINE_MESSAGE(WHY_WORKS_ON_TYPE, "{0} works on {1} values, which the NPU does not have");
DEFINE_MESSAGE(WHY_MAKES_TYPE, "{0} makes {1} values, which the NPU does not have");
DEFINE_MESSAGE(WHY_COMPUTED_PARAMETER,
               "a parameter of {0} (weights, axes or sizes) is computed at run time; "
               "the NPU's takes constants");
DEFINE_MESSAGE(WHY_SPATIAL_AXES, "{0} works on {1} spatial axes; the NPU's on two");
DEFINE_MESSAGE(WHY_GIVES_PLACES, "{0} gives the places of its maxima too; the NPU's does not");
DEFINE_MESSAGE(WHY_NO_ACTIVATION, "{0} reads no activation: the host makes its values");
DEFINE_MESSAGE(
    WHY_FLOAT_ISLAND,
    "{0} computes in float inside a quantized model: its {1} '{2}' has no QuantizeLinear");
DEFINE_MESSAGE(WHY_FOREIGN_CODES,
               "{0} reads or makes '{1}', which is quantized to {2}; the NPU takes int8");
DEFINE_MESSAGE(WHY_FILE_PLACES, "{0} is in float in the vendor's graph, so the CPU runs it");
DEFINE_MESSAGE(SIDE_INPUT, "input");
DEFINE_MESSAGE(SIDE_OUTPUT, "output");
DEFINE_MESSAGE(SIDE_VALUE, "a value");
DEFINE_MESSAGE(WHY_TOO_LARGE,
               "the smallest tile of {0} takes {1} MiB; half of the SRAM is {2} MiB");
DEFINE_MESSAGE(WHY_NO_NPU_WORK,
               "{0} only moves data and no work of the NPU is beside it: going there and back "
               "would cost more");
DEFINE_MESSAGE(WHY_HOST_WHEN, "the NPU has no {0} with {1} ({2})");
DEFINE_MESSAGE(WHY_NO_ROW, "the NPU has no {0} ({1})");
DEFINE_MESSAGE(WHY_QUANTIZER_FLOAT, "the vendor's quantizer leaves {0} in float");
DEFINE_MESSAGE(WHY_QUANTIZER_CONDITION, "{0} {1}, so the vendor's quantizer leaves it in float");
DEFINE_MESSAGE(WHY_QUANTIZER_REFUSES, "the vendor's quantizer ends with an error at this {0}");
DEFINE_MESSAGE(WHY_INFERRED, "{0} (tried with SDK 0.9): place not known");
DEFINE_MESSAGE(WHY_PLACE_UNKNOWN,
               "{0}; the vendor's quantizer makes it int8: place not known, taken as the host");
DEFINE_MESSAGE(WHY_SINCE_SDK, "{0} runs on the NPU since SDK {1}, not with {2}");
DEFINE_MESSAGE(WHY_CONDITION, "{0} {1}; the NPU takes {2} ({3})");
DEFINE_MESSAGE(FOUND_KEY, "has {0} {1}");
DEFINE_MESSAGE(FOUND_NONE, "has no {0}");
DEFINE_MESSAGE(FOUND_AXIS, "works along axis {0}");
DEFINE_MESSAGE(FOUND_NO_AXIS, "works along no axis");
DEFINE_MESSAGE(TAKES_UP_TO, "at most {0}");
DEFINE_MESSAGE(TAKES_KEY, "{0} {1}");
DEFINE_MESSAGE(TAKES_AXIS, "axis {0}");
DEFINE_MESSAGE(OWN_READING, "{0} is not a row of the support table: taken as {1}");
DEFINE_MESSAGE(PAGE_TABLE, "support table of SDK {0}");
DEFINE_MESSAGE(PAGE_ENGLISH, "the guide's English page");
/* Why a conversion runs on the host. */
DEFINE_MESSAGE(WHY_LAST_AXIS,
               "{0} of '{1}' runs on the host because its last axis is {2}, not width");
DEFINE_MESSAGE(AXIS_CHANNELS, "channels");
DEFINE_MESSAGE(AXIS_HEIGHT, "height");
DEFINE_MESSAGE(AXIS_BATCH, "batch");
DEFINE_MESSAGE(AXIS_WIDTH, "width");
DEFINE_MESSAGE(WHY_SINCE_SDK_ONLY, "{0} runs on the NPU since SDK {1} only, not with {2}");
DEFINE_MESSAGE(WHY_WIDTH, "{0} of '{1}' is needed because its width {2} is not a multiple of {3}");
DEFINE_MESSAGE(WHY_NEIGHBOUR, "{0} of '{1}' because {2} runs on the host");
DEFINE_MESSAGE(NEIGHBOUR, "{0} ({1})");
DEFINE_MESSAGE(NEIGHBOUR_UNKNOWN, "an operator beside it");
DEFINE_MESSAGE(WHY_TAKES_OUTPUT, "the application takes output '{0}' as {1}");
DEFINE_MESSAGE(WHY_FEEDS_INPUT, "the application feeds input '{0}' as {1}");
/* The nearest that would run on the NPU. */
DEFINE_MESSAGE(NEAREST_TAKEN_BRANCH, "unroll or export the branch that is taken");
DEFINE_MESSAGE(NEAREST_AI_ONNX, "replace it by operators of ai.onnx");
DEFINE_MESSAGE(NEAREST_STATIC, "fix the shapes at export, or cut the model before it");
DEFINE_MESSAGE(NEAREST_AT_EXPORT, "compute it at export, so that it is a constant");
DEFINE_MESSAGE(NEAREST_CONSTANTS, "constant parameters");
DEFINE_MESSAGE(NEAREST_TWO_AXES, "two spatial axes");
DEFINE_MESSAGE(NEAREST_ONE_OUTPUT, "drop the second output");
DEFINE_MESSAGE(NEAREST_CONSTANT, "make it a constant at export");
DEFINE_MESSAGE(NEAREST_QUANTIZE, "quantize that tensor too");
DEFINE_MESSAGE(NEAREST_INT8_FORM,
               "an operator in the ONNX model that the vendor's quantizer makes int8");
DEFINE_MESSAGE(NEAREST_TENSOR_INT8, "quantize that tensor to int8");
DEFINE_MESSAGE(NEAREST_SMALLER, "a smaller image");
DEFINE_MESSAGE(NEAREST_SDK, "SDK {0}");
DEFINE_MESSAGE(NEAREST_LAST_AXIS, "last axis width, a multiple of 32");
DEFINE_MESSAGE(NEAREST_WIDTHS, "width {0} or {1}");
DEFINE_MESSAGE(NEAREST_WIDTH, "width {0}");
DEFINE_MESSAGE(NEAREST_INT8, "int8 output");
DEFINE_MESSAGE(NEAREST_UINT8, "uint8 input");
/* What a user can write instead of an operator that the table does not have. */
DEFINE_MESSAGE(INSTEAD_ADD, "Add, two by two");
DEFINE_MESSAGE(INSTEAD_RELU, "Relu");
DEFINE_MESSAGE(INSTEAD_ELU, "Elu");
DEFINE_MESSAGE(INSTEAD_TANH, "Tanh");
DEFINE_MESSAGE(INSTEAD_EXPAND, "Expand or Concat");
DEFINE_MESSAGE(INSTEAD_SOFTMAX, "Softmax, with the Log on the host");
DEFINE_MESSAGE(INSTEAD_APPLICATION, "leave it to the application");
DEFINE_MESSAGE(INSTEAD_CUT, "leave it to the application: cut the model before it");
DEFINE_MESSAGE(INSTEAD_MATMUL, "MatMul with Transpose and Reshape");
DEFINE_MESSAGE(INSTEAD_ATTENTION, "MatMul, Softmax and MatMul");
DEFINE_MESSAGE(INSTEAD_SLICE, "Slice");
DEFINE_MESSAGE(INSTEAD_SCALE, "Mul and Add with a factor and an offset for each channel");
