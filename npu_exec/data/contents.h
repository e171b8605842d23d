/* npu_exec/data/ reads the data that a model is run on.
 *
 * image: Reads PNG and JPEG files as pixels.
 * npz: Reads the arrays of NumPy archives (numpy.savez and numpy.savez_compressed).
 * recipe: Declares how an image becomes the values of an input.
 * samples: Reads the data that a model is run on from folders of images or arrays. */
