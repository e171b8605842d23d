/* npu_exec/data/ reads the data that a model is run on.
 *
 * image.h image.c: Reads PNG and JPEG files as pixels.
 * npz.h npz.c: Reads the arrays of NumPy archives (numpy.savez and numpy.savez_compressed).
 * recipe.h recipe.c: Declares how an image becomes the values of an input.
 * recipes.def: This table lists how an image becomes the values of an input.
 * samples.h samples.c: Reads the data that a model is run on from folders of images or arrays. */
