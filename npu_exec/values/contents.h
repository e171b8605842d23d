/* npu_exec/values/ runs a model on values, in int8 and float.
 *
 * byte_loops: Loops over bytes one element at a time, with the arithmetic of the plain kernels.
 * call: Gives kernels their inputs, attributes and indices.
 * conv: Reads what a convolution needs before it is computed, whatever computes it.
 * elementwise: Computes operators on one element of each input, with broadcasting.
 * execute: Executes a model on values, in int8 where it is quantized, in float32 elsewhere.
 * kernel_quantize: Converts between real numbers and 8-bit steps.
 * kernels: Declares the kernels, one function per family of operators, and what they share.
 * loops: Declares vectorised loops over rows of numbers.
 * matmul: Multiplies matrices (MatMul, Gemm and their integer forms), panel by panel.
 * move: Copies elements to other positions, for operators that compute nothing.
 * npy: Writes NumPy arrays to files.
 * numbers: Reads and writes values as floats and as whole numbers.
 * pick: Computes operators that pick elements by index, compare them or count positions.
 * pool: Computes pooling operators and Resize over images.
 * product: Adds products for a panel of columns at a time.
 * quantized: Replaces operators on bytes by tables of 256 entries.
 * quantized_conv: Convolves and multiplies bytes as a whole and quantizes the sums at once.
 * reduce: Computes sums, means and norms over axes.
 * unary: Computes functions of one number.
 * value: Holds a tensor with its numbers while a model is executed.
 * value_layout: Makes the elements of values that are tables, and moves channels last or first.
 * value_ranges: Finds the range of each tensor on data and how much of it eight bits should hold.
 * values_io: Reads inputs from folders and writes outputs to them. */
