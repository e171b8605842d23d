/* graph/edit/: changing a model: edits by name, and rewrites that are proven equal.
 *
 * edit.h edit.c: Model edits: what a lever may change in the model itself
 * edit_bind.c: Edits that write down a free dimension, or another batch; and whether the rest of
 *     the model fits a new size
 * edit_cut.c: Cutting: a tail, a head, an output
 * edit_input.c: Edits of inputs: element type, order of axes
 * edit_kind.c: What the kinds of edit are called
 * edit_messages.h: What edits say: operators that do the same as one that the NPU does not have
 * edit_output.c: Edits of outputs: element type, order of axes, padding
 * edit_replace.c: The edit that replaces an operator
 * edit_size.c: Resizing an input: which axis is the width, and whether the rest of the model fits
 * edit_tail.c: The half of a model that a cut leaves over
 * editor.h editor.c: What the files of the model editor share: a copy of a model whose graph can
 *     change
 * editor_quantize.c: What the edits of inputs and outputs ask about quantization, types and
 *     opsets
 * edits.def: The kinds of edit: EDIT(id, name, function, resizes)
 * quantize.h quantize.c: Quantizing: a float model as a model of 8-bit codes, with QuantizeLinear
 *     and DequantizeLinear around what the NPU computes
 * quantize_prepare.c: What quantizers do to a model first
 * rewrite.h rewrite.c: Rewrites: other graphs that compute the same, one table line each
 *     (graph/edit/rewrite.c)
 * rewrite_activation.c: Activations, as operators and as the sequences that exporters write for
 *     them
 * rewrite_affine.c: Rewrites that put what scales and shifts channels into the weights beside it
 * rewrite_ask.c: What the rewrites ask about a graph
 * rewrite_change.c: What the rewrites do to a graph, keeping it indexed
 * rewrite_equal.c: Nodes that compute the same from the same, and the rewrite that keeps one of
 *     them
 * rewrite_move.c: Rewrites of what only moves or renames data: Q/DQ pairs, Transposes, nodes that
 *     do nothing
 * rewrite_spell.c: Rewrite spell-out: an operator that the NPU does not have, in operators that
 *     it does
 * rewrite_window.c: Rewrites of windows: a Pad into the window behind it, a window by its axes,
 *     groups apart
 * rewriter.h: What the files of the rewrites share
 * rewrites.def: Rewrites: REWRITE(id, name, function) */
