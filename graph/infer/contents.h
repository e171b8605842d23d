/* graph/infer/ infers types, shapes, constants and multiplications, and holds the table of
 * operators.
 *
 * einsum.h einsum.c: Parses Einsum equations such as "bij,bjk->bik", with an ellipsis and with
 *     the implicit form.
 * fold.h fold.c: Declares the elements, values and fold functions of constant propagation.
 * fold_arith.c: Propagates constants through arithmetic operators.
 * fold_move.c: Propagates constants through operators that move elements or describe shapes.
 * fold_reduce.c: Propagates constants through Range and reductions.
 * fold_select.c: Propagates constants through Clip, Where and Cast.
 * fold_value.c: Reads, keeps and writes the values of constant propagation.
 * infer.h infer.c: Declares what shape functions and fold functions use during type and shape
 *     inference.
 * infer_list.c: Reads lists of numbers that are given as an attribute or as an input.
 * infer_messages.h: Defines the messages of inference about assumptions and shapes that
 *     contradict each other.
 * macs.h macs.c: Counts the multiply-accumulates of one execution of a node: the MAC functions of
 *     ops.def.
 * macs_control.c: Counts the MACs of If, Loop and Scan: those of the body, as often as it is
 *     known to run.
 * ops.h ops.c ops.def: Describes every ONNX operator by one line of graph/infer/ops.def.
 * parameters.c: Counts how many numbers a model has learnt.
 * shape.h shape.c: Infers types and shapes of every tensor, and folds constants through shape
 *     arithmetic.
 * shape_attention.c: Infers shapes of operators with state or attention over a sequence axis.
 * shape_control.c: Infers the bodies of If, Loop and Scan with the types that come from outside.
 * shape_conv.c: Infers shapes of convolutions, plain, transposed and quantized.
 * shape_create.c: Infers shapes of operators that make a tensor out of attributes or of small
 *     inputs.
 * shape_einsum.c: Infers the shape of Einsum from its equation.
 * shape_elementwise.c: Infers shapes of elementwise operators, and of normalisations, which keep
 *     the shape.
 * shape_gather.c: Infers shapes of operators that pick elements by index, or count what a
 *     condition selects.
 * shape_matmul.c: Infers shapes of matrix products and of Gemm.
 * shape_ml.c: Infers shapes of ai.onnx.ml and of the training operators.
 * shape_move.c: Infers shapes of operators that copy elements to other positions.
 * shape_pool.c: Infers shapes of pooling and of pooling over regions.
 * shape_quantize.c: Infers shapes of quantization, dequantization and the quantized forms of
 *     other operators.
 * shape_reduce.c: Infers shapes of reductions over axes (ReduceX, ArgMax, TopK, losses).
 * shape_resize.c: Infers shapes of Resize, Upsample and of sampling at given positions.
 * shape_sequence.c: Infers types of operators on sequences and optionals, and of the tensors that
 *     are taken out of them.
 * shape_view.c: Infers shapes of operators that move nothing (Reshape, Flatten, Squeeze,
 *     Unsqueeze, Identity).
 * symbols.h symbols.c: Tracks symbolic dimensions, names for one number each, and what inference
 *     learns about them.
 * window.h window.c: Computes the output sizes of windows that slide over spatial axes:
 *     convolution and pooling. */
