/* Reads the data that a model is run on from folders of images or arrays.
 *
 * A folder holds image files (.png, .jpg, .jpeg, prepared by a recipe) or arrays (.npy, .npz, ONNX
 * .pb), one or many images in each, itself or in folders below it (one per class); or, for a model
 * of several inputs, folders that hold input_0.npy or .pb, input_1 … each, or .npz with an array
 * for each input; in such a folder every file may hold many, with an additional first axis that
 * counts them. They are taken in the order of their names.
 *
 * Numbers for an 8-bit input whose scale the model tells are quantized; image files become pixels,
 * unless the recipe asks for quantized values. */
#pragma once

#include "graph/model/model.h"
#include "npu_exec/data/recipe.h"
#include "npu_exec/values/execute.h"

enum { SAMPLES_MAX_FILES = 1000000, SAMPLES_MAX_DEPTH = 4 };

typedef struct Samples Samples;

/* `recipe` may be NULL: image files are refused then.  At most `most` images, evenly spread over
 * the data; 0: all.  Shapes of the inputs are known.  STATUS_INPUT names the folder or file that
 * does not fit. */
Status samples_open(Arena *a, const char *dir, const Recipe *recipe, const Graph *g, size_t most,
                    Samples **ret, Diag *diag);

/* Images, and runs of the model that they fill; the last run is filled up with the first images. */
size_t samples_images(const Samples *s);
size_t samples_runs(const Samples *s);

/* Where image `image` of run `run` lies, by its path in the folder; NULL: the run has no such
 * image. */
const char *samples_file(const Samples *s, size_t run, size_t image);

/* How that image was placed in the input, once its run has been fed; NULL: it is no image file. */
typedef struct {
    int64_t width, height; /* of the image */
    Placed at;
} Placement;
const Placement *samples_placed(const Samples *s, size_t run, size_t image);

/* What feeds run `run` (ValuesIo.take, whose user is the Samples). */
void samples_choose(Samples *s, size_t run);
Status samples_take(void *samples, size_t i, const Tensor *t, Value *v, Diag *diag);

/* The type of arrays that were converted to that of an input, and of that input; false: none. */
bool samples_converted(const Samples *s, const char **ret_from, const char **ret_to);
