/* npu_exec/values/ runs a model on values, in int8 and float.
 *
 * byte_loops.c: Loops over bytes one element at a time, with the arithmetic of the plain
 *     kernels.
 * call.c: Gives kernels their inputs, attributes and indices.
 * conv.h conv.c: Reads what a convolution needs before it is computed, whatever computes it.
 * elementwise.c: Computes operators on one element of each input, with broadcasting.
 * execute.h execute.c: Executes a model on values, in int8 where it is quantized, in float32
 *     elsewhere.
 * kernel_quantize.c: Converts between real numbers and 8-bit steps.
 * kernels.h kernels.c: Declares the kernels, one function per family of operators, and what
 *     they share.
 * loops.h loops.c: Declares vectorised loops over rows of numbers.
 * matmul.c: Multiplies matrices (MatMul, Gemm and their integer forms), panel by panel.
 * move.c: Copies elements to other positions, for operators that compute nothing.
 * npy.h npy.c: Writes NumPy arrays to files.
 * numbers.c: Reads and writes values as floats and as whole numbers.
 * pick.c: Computes operators that pick elements by index, compare them or count positions.
 * pool.c: Computes pooling operators and Resize over images.
 * product.h product.c: Adds products for a panel of columns at a time.
 * quantized.h quantized.c: Replaces operators on bytes by tables of 256 entries.
 * quantized_conv.c: Convolves and multiplies bytes as a whole and quantizes the sums at once.
 * reduce.c: Computes sums, means and norms over axes.
 * unary.c: Computes functions of one number.
 * value.h value.c: Holds a tensor with its numbers while a model is executed.
 * value_layout.c: Makes the elements of values that are tables, and moves channels last or
 *     first.
 * value_ranges.h value_ranges.c: Finds the range of each tensor on data and how much of it
 *     eight bits should hold.
 * values_io.c: Reads inputs from folders and writes outputs to them. */
