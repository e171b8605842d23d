/* Recognises files that are given as a model but are not ONNX. */
#pragma once

#include "graph/onnx/onnx_wire.h"

typedef enum {
    FOREIGN_NONE, /* may be ONNX: to be read as such */
    /* Compiled graphs, which the importers read. */
    FOREIGN_LOWERED_JSON, /* our own `compile --emit json` */
    FOREIGN_VENDOR_DOT,
    FOREIGN_VENDOR_DFG, /* of any generation; read as a model, too */
    FOREIGN_TENSORRT_JSON,
    FOREIGN_RKNN_TABLE,
    /* Everything below is refused, most with the conversion to run. */
    FOREIGN_OTHER
} ForeignKind;

/* The format of the bytes; *ret_text (may be NULL) gets one line: the format and what to do. */
ForeignKind foreign_recognise(Bytes file, const char **ret_text);

/* STATUS_INPUT with that line unless the file may be ONNX. */
Status foreign_refuse(Bytes file, const char *path, Diag *diag);
