/* Defines the messages about reading an ONNX file. */
#pragma once

#include "graph/base/language.h"

DEFINE_MESSAGE(NO_OPSET,
               "the model imports no opset of ai.onnx; its operators are read as the newest");
DEFINE_MESSAGE(NEWER_IR, "IR version {0} is newer than {1}; its additions are skipped");
DEFINE_MESSAGE(NEWER_OPSET, "opset {0} is newer than {1}; operators are read as in {1}");
DEFINE_MESSAGE(OVER_2_GIB,
               "the file is larger than 2 GiB, which protobuf readers refuse; save its weights as "
               "external data");
DEFINE_MESSAGE(
    WEIGHTS_MISSING,
    "weights of {0} {0|tensor|tensors} ({1} bytes) are missing, their values are unknown: {2}");
DEFINE_MESSAGE(CALIBRATION_NAMES,
               "{0} {0|name|names} in FurisoaAI.CalibrationResult {0|is|are} not in the graph, the "
               "first is '{1}'; the ranges are not used");
DEFINE_MESSAGE(CALIBRATION_KEY, "the key {0} is not known and not used");
DEFINE_MESSAGE(CALIBRATION_RANGES,
               "FurisoaAI.CalibrationResult is missing: the quantized values are not known");
DEFINE_MESSAGE(NOT_THERE, "'{0}' is not there");
DEFINE_MESSAGE(TOO_SHORT, "'{0}' is too short");
DEFINE_MESSAGE(WITHOUT_DATA, "'{0}' is without data");
DEFINE_MESSAGE(DATA_TYPE_UNKNOWN,
               "tensor '{0}' has data type {1}, which is not in onnx.proto; its size is unknown");
DEFINE_MESSAGE(SPARSE_LARGE,
               "sparse tensor '{0}' is not expanded: its values are taken as unknown");
DEFINE_MESSAGE(FUNCTION_OPSET,
               "function '{0}' is written for opset {1}, the model for {2}; it is read as the "
               "model's");
