/* Maps a vendor's graph to an ONNX model with QuantizeLinear and DequantizeLinear.
 *
 * A quantized tensor holds its stored values; operators that compute with it read them through a
 * DequantizeLinear, and their results pass a QuantizeLinear.  Types, scales and constants are the
 * file's; operators of ONNX Runtime are the nodes of the models that they hold. */
#pragma once

#include "graph/import/vendor_graph.h"
#include "graph/model/model.h"

/* Reads a .dfg as a model.  Large constants stay views of the file, whose bytes must outlive the
 * model.  What the file runs on the host is marked so (Node.on_host).  STATUS_INPUT names an
 * operator that cannot be computed: one without a known kind, or a damaged ONNX model. */
Status vendor_model_load(Arena *a, InFile file, Notes *notes, Model **ret, Diag *diag);
