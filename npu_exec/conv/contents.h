/* npu_exec/conv/: sums of products of whole convolutions, and the threads that they run on.
 *
 * byte_sums.h byte_sums.c: Sums of products of bytes, four of them by one instruction
 * conv_shape.h: What is convolved: sizes, weights of bytes, and who takes the sums
 * instructions.h: Which instructions the loops of values may use
 * loop_conv.h loop_conv.c: A convolution of bytes by loops of our own, a slab of output rows at a
 *     time
 * loop_weights.h loop_weights.c: Weights as the loops of our own read them
 * onednn.h: The library oneDNN, 2.x and 3.x behind one interface
 * onednn_forms.h onednn_forms.c: How tensors lie, in oneDNN's words: descriptors, views of
 *     memory, and copies from form to form
 * onednn_library.h onednn_library.c: oneDNN's functions, found at run time
 * onednn_planes.h onednn_planes.c: A convolution of planes of floats by oneDNN
 * onednn_tile.h onednn_tile.c: A convolution of bytes by oneDNN, a slab of output rows at a time
 * prepared_conv.h prepared_conv.c: Convolutions (and matrix products as such) as a whole
 * row_tile.h row_tile.c: How a convolution of pixels with their channels side by side is cut
 * thread_pool.h thread_pool.c: Threads for loops and convolutions
 * word_sums.h word_sums.c: Sums of products of 16-bit words */
