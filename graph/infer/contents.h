/* graph/infer/: what follows from a model as written: types, shapes, constants, multiplications;
 * the table of operators.
 *
 * einsum.h einsum.c: Einsum equations: "bij,bjk->bik", with an ellipsis and with the implicit
 *     form
 * fold.h fold.c: Inside constant propagation: elements, values, and the fold functions of ops.def
 * fold_arith.c: Constant propagation through arithmetic
 * fold_move.c: Constant propagation through operators that move elements or describe shapes
 * fold_reduce.c: Constant propagation through Range and reductions
 * fold_select.c: Constant propagation through Clip, Where and Cast
 * fold_value.c: The values of constant propagation: how they are read, kept and written
 * infer.h infer.c: Inside type and shape inference: what shape functions and fold functions see
 *     and use
 * infer_list.c: Parameters: lists of numbers that are given as an attribute or as an input
 * infer_messages.h: What inference says: shapes that contradict each other, and what is taken for
 *     granted
 * macs.c: Multiply-accumulates of one execution of a node: what the operator's definition
 *     multiplies, biases, scalings and activations not counted
 * macs_control.c: MACs of If, Loop and Scan: those of the body, as often as it is known to run
 * ops.h ops.c ops.def: What is known about ONNX operators: one line per operator in
 *     graph/infer/ops.def
 * parameters.c: How many numbers a model has learnt: the elements of its stored constants,
 *     without scales and zero points, scalars, and the integers of shape arithmetic
 * shape.h shape.c: Types and shapes of every tensor, and constant folding through shape
 *     arithmetic
 * shape_attention.c: Shapes of operators with state or attention over a sequence axis
 * shape_control.c: If, Loop, Scan: bodies are inferred with the types that come from outside
 * shape_conv.c: Shapes of convolutions
 * shape_create.c: Shapes of operators that make a tensor out of attributes or of small inputs
 * shape_einsum.c: The shape of Einsum
 * shape_elementwise.c: Shapes of operators that work element by element, and of normalisations,
 *     which keep the shape
 * shape_gather.c: Shapes of operators that pick elements by index, or count what a condition
 *     selects
 * shape_matmul.c: Shapes of matrix products
 * shape_ml.c: Shapes of ai.onnx.ml, which works on [N, features] or on one row [features], and of
 *     the training operators
 * shape_move.c: Shapes of operators that copy elements from place to place
 * shape_pool.c: Shapes of pooling and of pooling over regions
 * shape_quantize.c: Shapes of quantization, dequantization and the quantized forms of other
 *     operators
 * shape_reduce.c: Shapes of reductions over axes: ReduceX, ArgMax, TopK, losses
 * shape_resize.c: Shapes of Resize, Upsample and of sampling at given places
 * shape_sequence.c: Types of operators on sequences and optionals: what they hold, and the
 *     tensors taken out
 * shape_view.c: Shapes of operators that move nothing: Reshape, Flatten, Squeeze, Unsqueeze,
 *     Identity
 * symbols.h symbols.c: Symbolic dimensions: names that stand for one number each, and what
 *     inference learns of them
 * window.h window.c: Windows that slide over spatial axes: convolution and pooling */
