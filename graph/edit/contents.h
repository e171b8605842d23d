/* graph/edit/ changes models by edits, which name a place, and by rewrites, which are proven equal.
 *
 * edit.h edit.c: Applies the changes that a lever may make in the model itself.
 * edit_bind.c: Implements the edits that fix a free dimension or change the batch.
 * edit_cut.c: Implements the edits that cut the model's tail or head, or drop an output.
 * edit_inline.c: Replaces an If whose condition is constant by the nodes of the branch that it
 *     takes.
 * edit_input.c: Implements the edits of an input's element type or order of axes.
 * edit_kind.c: Maps the kinds of edit to their names and back.
 * edit_messages.h: Defines the messages about edits, such as operators that replace another.
 * edit_output.c: Implements the edits of an output's type, order of axes or padding.
 * edit_replace.c: Implements the edit that replaces an operator.
 * edit_size.c: Resizes an image input and checks whether the rest of the model fits.
 * edit_tail.c: Extracts the part of a model that a cut removes, as a model.
 * editor.h editor.c: Declares the functions that edit a copy of a model.
 * edits.def: Lists the kinds of edit as EDIT(id, name, function, resizes).
 * opset.h opset.c: Converts a model of a newer opset to opset 13, which the vendor's quantizer
 *     takes.
 * opset_activation.c: Writes out activations, normalizations and attention of newer opsets, and
 *     what the quantizer leaves in float.
 * opset_attribute.c: Converts operators that only gained an attribute, or mean what an older
 *     operator says.
 * opset_form.h: Declares what the conversions of opset_forms.def share.
 * opset_forms.def: Lists the operators of ai.onnx whose version changed from opset 14 to 23, as
 *     OPSET(operator, versions, types, function).
 * opset_list.c: Converts operators whose axes, sizes or numbers of outputs are given in another
 *     way.
 * opset_step.c: Adds the steps that a node of a newer opset becomes, and reads its inputs.
 * opset_window.c: Converts pools with dilations, and ConvTranspose with groups.
 * quantize.h quantize.c: Quantizes a float model to int8.
 * quantize_prepare.c: Converts a model to opset 13 and rewrites it before it is quantized.
 * rewrite.h rewrite.c: Rewrites graphs into others that compute the same (rewrites.def).
 * rewrite_activation.c: Rewrites activations and the sequences that exporters write for them.
 * rewrite_affine.c: Moves scales and shifts of channels into the neighbour's weights.
 * rewrite_ask.c: Answers the rewrites' questions about a graph.
 * rewrite_change.c: Changes a graph for the rewrites and keeps it indexed.
 * rewrite_equal.c: Finds nodes that compute the same from the same inputs, and merges them.
 * rewrite_join.c: Joins the parallel Convs that re-parameterized networks are trained with.
 * rewrite_move.c: Removes Q/DQ pairs, Transposes and identities, which only move or rename
 *     data.
 * rewrite_spell.c: Replaces an operator that the NPU lacks by operators that it has
 *     (spell-out).
 * rewrite_window.c: Folds a Pad into the following window, and splits windows by axis and
 *     groups.
 * rewriter.h: Declares the functions that the files of the rewrites share.
 * rewrites.def: Lists the rewrites as REWRITE(id, name, function).
 * spell.h: Declares the spellings of operators that the NPU lacks (rewrite_spell.c).
 * spell_attention.c: Spells attention, and the rotated halves of its rotary embeddings, as
 *     MatMuls.
 * spell_move.c: Adds the parts of spellings, and spells operators that choose, cut or join.
 * spell_window.c: Spells operators that look at windows, such as LRN, ReduceMax, SpaceToDepth
 *     and wide Convs. */
