/* Pictures as inputs, against values worked out by hand. */
#include "npu_exec/data/recipe.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int failures;

static void check(bool ok, const char *what)
{
    printf("%s: %s\n", ok ? "ok" : "FAILED", what);
    failures += !ok;
}

static bool are(const float *x, const float *wanted, int n)
{
    bool ok = true;
    for (int i = 0; i < n; i++)
        ok &= fabsf(x[i] - wanted[i]) < 1e-4f;
    for (int i = 0; i < n && !ok; i++)
        printf("  %d: %g, wanted %g\n", i, (double)x[i], (double)wanted[i]);
    return ok;
}

static Recipe recipe(const char *text)
{
    Recipe r = {0};
    Diag diag;
    check(recipe_parse(text, &r, &diag) == STATUS_OK, text);
    return r;
}

/* 2 x 2: red 10, 20, 30, 40; green 100 more; blue 200 less red. */
static uint8_t pixels[] = {10, 110, 190, 20, 120, 180, 30, 130, 170, 40, 140, 160};
static const Image two = {2, 2, pixels};

static void test_as_it_is(void)
{
    float to[12];
    Recipe r = recipe("pixels");
    const Frame first = {3, 2, 2, false}, last = {3, 2, 2, true}, grey = {1, 2, 2, false};
    recipe_apply(&r, &two, &first, false, to);
    check(are(to, (float[]){10, 20, 30, 40, 110, 120, 130, 140, 190, 180, 170, 160}, 12),
          "planes, red first");
    recipe_apply(&r, &two, &last, false, to);
    check(are(to, (float[]){10, 110, 190, 20, 120, 180}, 6), "channels innermost");
    /* 2.99 + 64.57 + 21.66 = 89.22 … */
    recipe_apply(&r, &two, &grey, false, to);
    check(are(to, (float[]){89, 97, 105, 112}, 4), "one channel: luma");
    r = recipe("ssd,mean=100:110:190,std=10:20:5,order=bgr");
    recipe_apply(&r, &two, &first, false, to);
    check(are(to, (float[]){0, -2, -4, -6, 0, 0.5f, 1, 1.5f, -9, -8, -7, -6}, 12),
          "blue first, each with its own mean and deviation");
    recipe_apply(&r, &two, &first, true, to);
    check(are(to, (float[]){190, 180, 170, 160, 110, 120, 130, 140, 10, 20, 30, 40}, 12),
          "bytes take neither mean nor deviation");
}

/* A row 0, 40, 80, 120 of grey. */
static uint8_t ramp[] = {0, 0, 0, 40, 40, 40, 80, 80, 80, 120, 120, 120};

static void test_resize(void)
{
    float to[24];
    const Image row = {4, 1, ramp};
    Recipe r = recipe("pixels");
    /* Twice as small: weights 1/8, 3/8, 3/8, 1/8 of the pixels within two of the centre, those that
     * there are. Centre 1: (0.75 * 0 + 0.75 * 40 + 0.25 * 80) / 1.75 = 28.57; centre 3 mirrors it.
     */
    recipe_apply(&r, &row, &(Frame){1, 1, 2, false}, false, to);
    check(are(to, (float[]){29, 91}, 2), "made smaller: a triangle over what is covered");
    /* Twice as large: 1/4 and 3/4 between the centres. */
    recipe_apply(&r, &row, &(Frame){1, 1, 8, false}, false, to);
    check(are(to, (float[]){0, 10, 30, 50, 70, 90, 110, 120}, 8),
          "made larger: linear between centres");
}

static void test_place(void)
{
    float to[16];
    const Image row = {4, 1, ramp};
    Recipe r = recipe("yolo,std=1");
    recipe_apply(&r, &row, &(Frame){1, 3, 4, false}, false, to);
    check(are(to, (float[]){114, 114, 114, 114, 0, 40, 80, 120, 114, 114, 114, 114}, 12),
          "letterbox");
    r = recipe("yolox,fill=7");
    recipe_apply(&r, &row, &(Frame){1, 2, 4, false}, false, to);
    check(are(to, (float[]){0, 40, 80, 120, 7, 7, 7, 7}, 8), "corner: below it is filled");
    r = recipe("imagenet,shorter=1,mean=0,std=1");
    recipe_apply(&r, &row, &(Frame){1, 1, 2, false}, false, to);
    check(are(to, (float[]){40, 80}, 2), "crop: the middle");
}

static void test_refused(void)
{
    static const char *const bad[] = {"",
                                      "unit,",
                                      "unit,mean",
                                      "unit,mean=x",
                                      "unit,std=0",
                                      "unit,mean=1:2",
                                      "unit,order=grb",
                                      "unit,fit=zoom",
                                      "unit,fill=256",
                                      "unit,shorter=0.5",
                                      "unit,mean=1:2:3:4"};
    Recipe r;
    Diag diag;
    bool ok = true;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ok &= recipe_parse(bad[i], &r, &diag) == STATUS_USAGE;
    check(ok, "what is not a recipe is refused");
    Frame f;
    check(recipe_frame(DT_FLOAT32, 4, (int64_t[]){1, 3, 8, 9}, &f) && !f.channels_last &&
              f.width == 9 && recipe_frame(DT_UINT8, 4, (int64_t[]){1, 8, 9, 3}, &f) &&
              f.channels_last && f.height == 8 &&
              !recipe_frame(DT_FLOAT32, 4, (int64_t[]){1, 4, 8, 9}, &f) &&
              !recipe_frame(DT_INT8, 4, (int64_t[]){1, 3, 8, 9}, &f) &&
              !recipe_frame(DT_FLOAT32, 2, (int64_t[]){1, 3}, &f),
          "where the channels are");
}

int main(void)
{
    test_as_it_is();
    test_resize();
    test_place();
    test_refused();
    return failures > 0;
}
