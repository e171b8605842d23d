/* graph/edit/ changes models by edits, which name a place, and by rewrites, which are proven equal.
 *
 * edit: Applies the changes that a lever may make in the model itself.
 * edit_bind: Implements the edit that fixes a free dimension.
 * edit_cut: Implements the edits that cut the model's tail or head, or drop an output.
 * edit_inline: Replaces an If whose condition is constant by the nodes of the branch that it takes,
 *     and a Loop or Scan of known length by those of its iterations.
 * edit_input: Implements the edits of an input's element type or order of axes.
 * edit_kind: Maps the kinds of edit to their names and back.
 * edit_output: Implements the edits of an output's type, order of axes or padding.
 * edit_replace: Implements the edit that replaces an operator.
 * edit_size: Resizes an image input and checks whether the rest of the model fits.
 * edit_tail: Extracts the part of a model that a cut removes, as a model.
 * editor: Declares the functions that edit a copy of a model.
 * opset: Converts a model of a newer opset to opset 13, which the vendor's quantizer takes.
 * opset_activation: Writes out activations, normalizations and attention of newer opsets, and what
 *     the quantizer leaves in float.
 * opset_attribute: Converts operators that only gained an attribute, or mean an older operator.
 * opset_form: Declares what the conversions of opset_forms.xml share.
 * opset_list: Converts operators whose axes, sizes or numbers of outputs are given in another way.
 * opset_step: Adds the steps that a node of a newer opset becomes, and reads its inputs.
 * opset_window: Converts pools with dilations, and ConvTranspose with groups.
 * quantize: Quantizes a float model to int8.
 * quantize_prepare: Converts a model to opset 13 and rewrites it before it is quantized.
 * rewrite: Rewrites graphs into others that compute the same (rewrites.xml).
 * rewrite_activation: Rewrites activations and the sequences that exporters write for them.
 * rewrite_affine: Moves scales and shifts of channels into the neighbour's weights.
 * rewrite_ask: Answers the rewrites' questions about a graph.
 * rewrite_change: Changes a graph for the rewrites and keeps it indexed.
 * rewrite_choice: Moves the choice of a channel from after a nearest Resize to before it.
 * rewrite_equal: Finds nodes that compute the same from the same inputs, and merges them.
 * rewrite_filter: Chooses rows before they are worked on, and the largest score before Sigmoid.
 * rewrite_join: Joins the parallel Convs that re-parameterized networks are trained with.
 * rewrite_move: Removes Q/DQ pairs, Transposes and identities, which only move or rename data.
 * rewrite_rows: Chooses rows of a tensor before what works on each row by itself.
 * rewrite_spell: Replaces an operator that the NPU lacks by operators that it has (spell-out).
 * rewrite_window: Folds a Pad into the following window, and splits windows by axis and groups.
 * rewriter: Declares the functions that the files of the rewrites share.
 * spell: Declares the spellings of operators that the NPU lacks (rewrite_spell.c).
 * spell_attention: Spells attention, and the rotated halves of its rotary embeddings, as MatMuls.
 * spell_move: Adds the parts of spellings, and spells operators that choose, cut or join.
 * spell_window: Spells operators on windows, such as LRN, ReduceMax, SpaceToDepth, wide Convs. */
