/* npu_exec/conv/ computes whole convolutions as sums of products, and holds the threads they run
 * on.
 *
 * byte_sums.h byte_sums.c: Adds products of bytes, four by one instruction that is exact in 32
 *     bits (AVX-512 with VNNI).
 * conv_shape.h: Describes a convolution by its sizes and its weights of bytes, and declares who
 *     receives the sums.
 * instructions.h: Tells which instructions loops may use, by the processor and by oneDNN's
 *     variable.
 * loop_conv.h loop_conv.c: Convolves bytes with loops of this program, a tile of output rows at
 *     a time.
 * loop_weights.h loop_weights.c: Declares weights in the order in which the loops read them.
 * onednn.h: Gives oneDNN 2.x and 3.x one interface.
 * onednn_forms.h onednn_forms.c: Describes tensors to oneDNN with descriptors and views of
 *     memory, and copies between forms.
 * onednn_library.h onednn_library.c: Declares oneDNN's functions, which are found at run time;
 *     2.x and 3.x name some differently.
 * onednn_planes.h onednn_planes.c: Convolves planes of floats with oneDNN.
 * onednn_tile.h onednn_tile.c: Convolves bytes with oneDNN, a tile of output rows at a time.
 * prepared_conv.h prepared_conv.c: Prepares a convolution or matrix product once and runs it
 *     many times.
 * row_tile.h row_tile.c: Cuts a convolution into tiles of output rows whose sums stay in the
 *     second cache.
 * thread_pool.h thread_pool.c: Runs loops and convolutions on several threads.
 * word_sums.h word_sums.c: Adds products of 16-bit words. */
