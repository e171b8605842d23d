/* Fuzzes what reads data to run a model on: pictures and recipes on what they hold, archives of
 * arrays. */
#include "npu_exec/data/image.h"
#include "npu_exec/data/npz.h"
#include "npu_exec/data/recipe.h"
#include "tests/fuzz/harness.h"

static void fuzz(Arena *a, const uint8_t *data, size_t size)
{
    Image m;
    Diag diag;
    ValueFile v;
    if (!npz_read(a, "archive", data, size, "x", &v, &diag))
        return;
    if (image_read("picture", data, size, &m, &diag))
        return;
    float *to = ARENA_ARRAY(a, float, 3 * 24 * 32);
    for (size_t k = 0; k < nrecipe && m.width * m.height < 1 << 20; k++)
        recipe_apply(&recipe_table[k], &m, &(Frame){3, 24, 32, k % 2}, k % 3, to);
    harness_print("%d x %d\n", (int)m.width, (int)m.height);
    for (size_t k = 0; k < 3 * 24 * 32; k++)
        harness_print("%.5g\n", (double)to[k]);
    image_free(&m);
}
