/* Numbers the fields of onnx.proto that are read or written one by one. Private to graph/onnx/. */
#pragma once

/* ModelProto, OperatorSetIdProto, StringStringEntryProto. */
enum { P_IR = 1, P_PRODUCER = 2, P_GRAPH = 7, P_OPSET = 8, P_METADATA = 14, P_TRAINING = 20 };
enum { P_FUNCTION = 25, O_DOMAIN = 1, O_VERSION = 2, ENTRY_KEY = 1, ENTRY_VALUE = 2 };
/* GraphProto. */
enum { G_NODE = 1, G_NAME = 2, G_INITIALIZER = 5, G_INPUT = 11, G_OUTPUT = 12, G_VALUE = 13 };
enum { G_ANNOTATION = 14, G_SPARSE = 15 };
/* NodeProto. */
enum { N_INPUT = 1, N_OUTPUT = 2, N_NAME = 3, N_OP = 4, N_ATTRIBUTE = 5, N_DOMAIN = 7 };
enum { N_DOC = 6, N_OVERLOAD = 8 };
/* AttributeProto. */
enum { A_NAME = 1, A_FLOAT = 2, A_INT = 3, A_STRING = 4, A_TENSOR = 5, A_GRAPH = 6, A_FLOATS = 7 };
enum { A_INTS = 8, A_STRINGS = 9, A_TENSORS = 10, A_GRAPHS = 11, A_TYPE = 20, A_SPARSE = 22 };
enum { A_SPARSES = 23 };
/* TensorProto. */
enum { T_DIMS = 1, T_TYPE = 2, T_FLOAT = 4, T_INT32 = 5, T_STRING = 6, T_INT64 = 7, T_NAME = 8 };
enum { T_RAW = 9, T_DOUBLE = 10, T_UINT64 = 11, T_EXTERNAL = 13, T_LOCATION = 14 };
/* FunctionProto. */
enum { F_NAME = 1, F_INPUT = 4, F_OUTPUT = 5, F_NODE = 7, F_IMPORT = 9, F_DOMAIN = 10 };
enum { F_DEFAULT = 11, F_OVERLOAD = 13 };
