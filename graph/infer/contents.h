/* graph/infer/ infers types, shapes, constants and multiplications, and holds the table of
 * operators.
 *
 * einsum: Parses Einsum equations such as "bij,bjk->bik", also with an ellipsis.
 * fold: Declares the values and functions of constant propagation.
 * fold_arith: Propagates constants through arithmetic operators.
 * fold_move: Propagates constants through operators that move elements or describe shapes.
 * fold_reduce: Propagates constants through Range and reductions.
 * fold_select: Propagates constants through Clip, Where and Cast.
 * fold_value: Reads, keeps and writes the values of constant propagation.
 * infer: Declares what shape functions and fold functions use during inference.
 * infer_list: Reads lists of numbers that are given as an attribute or as an input.
 * macs: Counts the multiply-accumulates of one execution of a node.
 * macs_control: Counts the MACs of If, Loop and Scan from their bodies and trip counts.
 * ops: Describes every ONNX operator by one line of graph/infer/ops.xml.
 * parameters: Counts how many numbers a model has learnt.
 * shape: Infers types and shapes of every tensor, and folds constants for them.
 * shape_attention: Infers shapes of operators with state or attention over a sequence axis.
 * shape_control: Infers the bodies of If, Loop and Scan with the types that come from outside.
 * shape_conv: Infers shapes of convolutions, plain, transposed and quantized.
 * shape_create: Infers shapes of operators that make a tensor of attributes or small inputs.
 * shape_einsum: Infers the shape of Einsum from its equation.
 * shape_elementwise: Infers shapes of elementwise operators and of normalisations.
 * shape_gather: Infers shapes of operators that pick elements by index or condition.
 * shape_matmul: Infers shapes of matrix products and of Gemm.
 * shape_ml: Infers shapes of ai.onnx.ml and of the training operators.
 * shape_move: Infers shapes of operators that copy elements to other positions.
 * shape_pool: Infers shapes of pooling and of pooling over regions.
 * shape_quantize: Infers shapes of quantization and of quantized operators.
 * shape_reduce: Infers shapes of reductions over axes (ReduceX, ArgMax, TopK, losses).
 * shape_resize: Infers shapes of Resize, Upsample and of sampling at given positions.
 * shape_sequence: Infers types of operators on sequences and optionals.
 * shape_view: Infers shapes of operators that move nothing (Reshape, Squeeze, Identity …).
 * symbols: Tracks which symbolic dimensions are equal or have a known number.
 * window: Computes the output sizes of convolution and pooling windows. */
