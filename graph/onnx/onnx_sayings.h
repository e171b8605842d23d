/* What reading an ONNX file says. */
#ifndef GRAPH_ONNX_ONNX_SAYINGS_H
#define GRAPH_ONNX_ONNX_SAYINGS_H

#include "graph/base/language.h"

SAYING(NO_OPSET, "the model imports no opset of ai.onnx; its operators are read as the newest");
SAYING(NEWER_IR, "IR version {0} is newer than {1}; what it adds is skipped");
SAYING(NEWER_OPSET, "opset {0} is newer than {1}; operators are read as in {1}");
SAYING(OVER_2_GIB,
       "the file is larger than 2 GiB, which protobuf readers refuse; save its weights as "
       "external data");
SAYING(WEIGHTS_MISSING,
       "weights of {0} {0|tensor|tensors} ({1} bytes) are missing, their values are unknown: {2}");
SAYING(NOT_THERE, "'{0}' is not there");
SAYING(TOO_SHORT, "'{0}' is too short");
SAYING(WITHOUT_DATA, "'{0}' is without data");
SAYING(DATA_TYPE_UNKNOWN,
       "tensor '{0}' has data type {1}, which is not in onnx.proto; its size is unknown");
SAYING(SPARSE_LARGE, "sparse tensor '{0}' is not expanded: its values are taken as unknown");
SAYING(FUNCTION_OPSET,
       "function '{0}' is written for opset {1}, the model for {2}; it is read as the "
       "model's");

#endif
