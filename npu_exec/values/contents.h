/* npu_exec/values/: running a model on values, in int8 and float.
 *
 * byte_loops.h byte_loops.c: Loops over bytes in the widest instructions that there are
 * byte_loops_avx2.c: Loops over bytes in AVX2
 * byte_loops_avx512.c: Loops over bytes in AVX-512
 * byte_loops_plain.c: Loops over bytes: each element by itself, with the arithmetic of the plain
 *     kernels
 * call.c: What kernels share: inputs, attributes, indices
 * conv.h conv.c: Convolutions: columns of the image are packed panel by panel, then multiplied
 * elementwise.c: Element by element, with broadcasting
 * execute.h execute.c: Executing a model on values: int8 where it is quantized, float32 elsewhere
 * kernel_quantize.c: Between real numbers and 8-bit steps
 * kernels.h kernels.c: Kernels: what the operators compute, one function per family
 * loops.h loops.c: Loops over whole rows of numbers, vectorised
 * matmul.c: Matrix products: MatMul, Gemm and their integer forms, panel by panel
 * move.c: Copying elements from place to place
 * npy.h npy.c: Writing NumPy arrays
 * numbers.c: Values as floats and whole numbers
 * pick.c: Operators that pick elements by index, and those that compare or count positions
 * pool.c: Pooling, and Resize
 * product.h product.c: Products: sums of products for a panel of columns at a time
 * quantized.h quantized.c: Values as functions of bytes
 * quantized_conv.c: Convolutions and matrix products of bytes by oneDNN, whose sums become codes
 *     at once
 * reduce.c: Sums, means and norms over axes
 * unary.c: Functions of one number
 * value.h value.c: Value: a tensor with its numbers, while a model is executed
 * value_layout.c: Values without elements, and elements with the channels last
 * value_ranges.h value_ranges.c: Ranges: what values the tensors of a model take on data, and
 *     which of them eight bits are to hold
 * values_io.c: Inputs and outputs in folders */
