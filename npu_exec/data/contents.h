/* npu_exec/data/: data to run a model on, as people have them.
 *
 * image.h image.c: Images: PNG and JPEG files as pixels
 * npz.h npz.c: NumPy archives (.npz): the arrays of numpy.savez and numpy.savez_compressed
 * recipe.h recipe.c: Recipes: how a picture becomes the values of an input (recipes.def)
 * recipes.def: How a picture becomes the values of an input
 * samples.h samples.c: Samples: data to run a model on, as people have them */
