/* npu_exec/conv/ computes whole convolutions as sums of products, and holds the threads they run
 * on.
 *
 * conv_shape: Describes a convolution by sizes and weights, and declares who gets the sums.
 * onednn: Gives oneDNN 2.x and 3.x one interface.
 * onednn_forms: Describes tensors to oneDNN by descriptors and views, and copies between forms.
 * onednn_library: Declares oneDNN's functions, found at run time; 2.x and 3.x name some otherwise.
 * onednn_planes: Convolves planes of floats with oneDNN.
 * onednn_tile: Convolves bytes with oneDNN, a tile of output rows at a time, exactly everywhere.
 * prepared_conv: Prepares a convolution or matrix product once and runs it many times.
 * row_tile: Cuts a convolution into tiles of output rows, so that sums take bounded memory. */
