/* npu_exec/conv/: sums of products of whole convolutions, and the threads that they run on.
 *
 * byte_sums.h byte_sums.c: Sums of products of bytes, four of them by one instruction
 * conv_shape.h: What is convolved: sizes, weights of bytes, and who takes the sums
 * instructions.h: Which instructions the loops of values may use
 * loop_conv.h loop_conv.c: A convolution of bytes by loops of our own, a slab of output rows at a
 *     time
 * loop_weights.h loop_weights.c: Weights as the loops of our own read them
 * onednn.h: The library oneDNN, 2.x and 3.x behind one interface
 * onednn_forms.h onednn_forms.c: How tensors lie, in oneDNN's words: descriptors, views of memory,
 *     and copies from form to form
 * onednn_library.h onednn_library.c: oneDNN's functions, found at run time
 * onednn_planes.h onednn_planes.c: A convolution of planes of floats by oneDNN
 * onednn_slab.h onednn_slab.c: A convolution of bytes by oneDNN, a slab of output rows at a time
 * slab.h slab.c: How a convolution of pixels with their channels side by side is cut
 * team.h team.c: Threads for loops and convolutions
 * whole_conv.h whole_conv.c: Convolutions (and matrix products as such) as a whole
 * word_sums.h word_sums.c: Sums of products of 16-bit words */
