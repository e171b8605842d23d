/* graph/infer/ infers types, shapes, constants and multiplications, and holds the table of
 * operators.
 *
 * einsum.h einsum.c: Parses Einsum equations such as "bij,bjk->bik", also with an ellipsis.
 * fold.h fold.c: Declares the values and functions of constant propagation.
 * fold_arith.c: Propagates constants through arithmetic operators.
 * fold_move.c: Propagates constants through operators that move elements or describe shapes.
 * fold_reduce.c: Propagates constants through Range and reductions.
 * fold_select.c: Propagates constants through Clip, Where and Cast.
 * fold_value.c: Reads, keeps and writes the values of constant propagation.
 * infer.h infer.c: Declares what shape functions and fold functions use during inference.
 * infer_list.c: Reads lists of numbers that are given as an attribute or as an input.
 * infer_messages.h: Defines the messages of inference, such as contradicting shapes.
 * macs.h macs.c: Counts the multiply-accumulates of one execution of a node.
 * macs_control.c: Counts the MACs of If, Loop and Scan from their bodies and trip counts.
 * ops.h ops.c ops.def: Describes every ONNX operator by one line of graph/infer/ops.def.
 * parameters.c: Counts how many numbers a model has learnt.
 * shape.h shape.c: Infers types and shapes of every tensor, and folds constants for them.
 * shape_attention.c: Infers shapes of operators with state or attention over a sequence axis.
 * shape_control.c: Infers the bodies of If, Loop and Scan with the types that come from
 *     outside.
 * shape_conv.c: Infers shapes of convolutions, plain, transposed and quantized.
 * shape_create.c: Infers shapes of operators that make a tensor of attributes or small inputs.
 * shape_einsum.c: Infers the shape of Einsum from its equation.
 * shape_elementwise.c: Infers shapes of elementwise operators and of normalisations.
 * shape_gather.c: Infers shapes of operators that pick elements by index or condition.
 * shape_matmul.c: Infers shapes of matrix products and of Gemm.
 * shape_ml.c: Infers shapes of ai.onnx.ml and of the training operators.
 * shape_move.c: Infers shapes of operators that copy elements to other positions.
 * shape_pool.c: Infers shapes of pooling and of pooling over regions.
 * shape_quantize.c: Infers shapes of quantization and of quantized operators.
 * shape_reduce.c: Infers shapes of reductions over axes (ReduceX, ArgMax, TopK, losses).
 * shape_resize.c: Infers shapes of Resize, Upsample and of sampling at given positions.
 * shape_sequence.c: Infers types of operators on sequences and optionals.
 * shape_view.c: Infers shapes of operators that move nothing (Reshape, Squeeze, Identity …).
 * symbols.h symbols.c: Tracks which symbolic dimensions are equal or have a known number.
 * window.h window.c: Computes the output sizes of convolution and pooling windows. */
