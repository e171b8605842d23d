/* Convolutions by oneDNN against their definition, on each set of instructions that it can be held
 * to. */
#include "npu_exec/conv/onednn.h"
#include "npu_exec/conv/prepared_conv.h"
#include "npu_exec/values/kernels.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int failures;

static void check(bool ok, const char *isa, const char *what)
{
    printf("%s: %s: %s\n", ok ? "ok" : "FAILED", isa, what);
    failures += !ok;
}

/* As wide as bytes go: sums of two products reach 2 * 255 * 128, which 16 bits do not hold. */
static const struct {
    const char *what;
    ConvShape s;
    DType type[2];   /* of the image and the weights */
    int32_t zero[2]; /* likewise */
} form[] = {
    {"3x3, uint8",
     {1, 19, 9, 11, 21, 9, 11, 3, 3, 1, 1, 1, 1, 1, 1, 1, false},
     {DT_UINT8, DT_INT8},
     {0, 0}},
    {"3x3, int8, zero point -128",
     {2, 8, 7, 7, 16, 7, 7, 3, 3, 1, 1, 1, 1, 1, 1, 1, false},
     {DT_INT8, DT_INT8},
     {-128, 0}},
    {"1x1, 600 channels",
     {1, 600, 4, 5, 12, 4, 5, 1, 1, 1, 1, 1, 1, 1, 0, 0, false},
     {DT_UINT8, DT_INT8},
     {255, 0}},
    {"strides, more before than behind",
     {1, 3, 10, 12, 8, 5, 6, 5, 3, 1, 2, 2, 1, 1, 2, 1, false},
     {DT_UINT8, DT_INT8},
     {114, 0}},
    {"dilations",
     {1, 4, 12, 12, 4, 8, 8, 3, 3, 1, 1, 1, 2, 2, 0, 0, false},
     {DT_INT8, DT_INT8},
     {3, 0}},
    {"depthwise",
     {1, 24, 9, 9, 24, 5, 5, 3, 3, 24, 2, 2, 1, 1, 1, 1, false},
     {DT_UINT8, DT_INT8},
     {128, 0}},
    {"two groups",
     {1, 16, 6, 6, 10, 6, 6, 3, 3, 2, 1, 1, 1, 1, 1, 1, false},
     {DT_INT8, DT_INT8},
     {5, 0}},
    {"weights in uint8",
     {1, 16, 6, 6, 8, 6, 6, 3, 3, 1, 1, 1, 1, 1, 1, 1, false},
     {DT_UINT8, DT_UINT8},
     {7, 128}},
    {"weights beyond int8",
     {1, 16, 6, 6, 8, 6, 6, 3, 3, 1, 1, 1, 1, 1, 1, 1, false},
     {DT_UINT8, DT_UINT8},
     {7, 0}},
    {"pixels, of two images, in slabs",
     {2, 40, 41, 40, 130, 41, 40, 1, 1, 1, 1, 1, 1, 1, 0, 0, false},
     {DT_UINT8, DT_INT8},
     {3, 0}},
    {"rows in slabs that overlap",
     {2, 5, 67, 66, 40, 67, 66, 3, 3, 1, 1, 1, 1, 1, 1, 1, false},
     {DT_INT8, DT_INT8},
     {9, 0}},
    {"single pixels, far apart",
     {1, 7, 9, 9, 6, 5, 5, 1, 1, 1, 2, 2, 1, 1, 0, 0, false},
     {DT_UINT8, DT_INT8},
     {11, 0}},
    {"the pad before the image, and less than all of it",
     {1, 3, 2, 1, 4, 2, 1, 1, 1, 1, 1, 1, 1, 1, 0, 5, false},
     {DT_INT8, DT_INT8},
     {7, 0}},
    {"a pixel of the pad and one of the image, far apart",
     {1, 3, 2, 10, 4, 2, 2, 1, 1, 1, 1, 10, 1, 1, 0, 1, false},
     {DT_UINT8, DT_INT8},
     {7, 0}},
    {"depthwise, 5x5, 130 channels, more before than behind",
     {2, 130, 9, 13, 130, 9, 12, 5, 5, 130, 1, 1, 1, 1, 2, 2, false},
     {DT_INT8, DT_INT8},
     {-7, 0}},
    {"depthwise, dilated, strides, weights in uint8",
     {1, 70, 14, 15, 70, 6, 6, 3, 3, 70, 2, 2, 2, 2, 1, 0, false},
     {DT_UINT8, DT_UINT8},
     {9, 131}},
    {"depthwise, weights beyond int8",
     {1, 20, 7, 9, 20, 7, 9, 3, 3, 20, 1, 1, 1, 1, 1, 1, false},
     {DT_UINT8, DT_UINT8},
     {7, 3}},
    {"depthwise pixels, in slabs that overlap",
     {3, 200, 17, 19, 200, 17, 19, 1, 1, 200, 1, 1, 1, 1, 0, 0, false},
     {DT_INT8, DT_INT8},
     {7, 0}},
    {"depthwise, rows in slabs that overlap",
     {1, 100, 67, 66, 100, 67, 66, 3, 3, 100, 1, 1, 1, 1, 1, 1, false},
     {DT_UINT8, DT_INT8},
     {5, 0}},
    {"depthwise, a long row, more before than behind",
     {1, 70, 2, 700, 70, 2, 700, 1, 5, 70, 1, 1, 1, 1, 0, 3, false},
     {DT_INT8, DT_INT8},
     {5, 0}},
    {"depthwise, a long row, strides, dilated, pads wider than a stretch",
     {1, 5, 5, 400, 5, 1, 348, 5, 3, 5, 1, 2, 1, 2, 0, 300, false},
     {DT_UINT8, DT_INT8},
     {9, 0}},
    {"depthwise, all of a stretch behind the image",
     {1, 3, 1, 20, 3, 1, 500, 1, 3, 3, 1, 1, 1, 1, 0, 1, false},
     {DT_UINT8, DT_INT8},
     {200, 0}},
    {"one pixel, rows as they lie",
     {3, 600, 1, 1, 140, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, false},
     {DT_INT8, DT_INT8},
     {5, 0}},
    {"groups of four, pixels",
     {1, 64, 6, 7, 96, 6, 7, 1, 1, 2, 1, 1, 1, 1, 0, 0, false},
     {DT_UINT8, DT_INT8},
     {5, 0}},
    {"one axis",
     {1, 6, 1, 40, 7, 1, 20, 1, 5, 1, 1, 2, 1, 1, 0, 2, false},
     {DT_INT8, DT_INT8},
     {-3, 0}},
};

static uint32_t state;

static uint8_t byte(void)
{
    state = state * 1664525u + 1013904223u;
    return state >> 29 == 0   ? 255
           : state >> 29 == 1 ? 0
           : state >> 29 == 2 ? 127
           : state >> 29 == 3 ? 128
                              : (uint8_t)(state >> 20);
}

static Value *fill(DType t, int64_t count)
{
    Value *v = calloc(1, sizeof *v);
    uint8_t *data = malloc((size_t)count);
    if (!v || !data)
        abort();
    for (int64_t i = 0; i < count; i++)
        data[i] = byte();
    *v = (Value){.dtype = t, .count = count, .data = data};
    return v;
}

/* By the definition: sum over channels and taps, what lies outside is nothing. */
static double sum_at(const ConvShape *s, int64_t n, int64_t m, int64_t y, int64_t x,
                     const double *image, const double *w)
{
    int64_t channels = s->c / s->group, first = m / (s->m / s->group) * channels;
    double sum = 0;
    for (int64_t c = 0; c < channels; c++)
        for (int64_t i = 0; i < s->kh; i++)
            for (int64_t k = 0; k < s->kw; k++) {
                int64_t h = y * s->sh + i * s->dh - s->ph, v = x * s->sw + k * s->dw - s->pw;
                if (h >= 0 && h < s->h && v >= 0 && v < s->w)
                    sum += image[((n * s->c + first + c) * s->h + h) * s->w + v] *
                           w[((m * channels + c) * s->kh + i) * s->kw + k];
            }
    return sum;
}

static double *numbers(const Value *v, int32_t zero)
{
    double *x = malloc((size_t)v->count * sizeof *x);
    for (int64_t i = 0; x && i < v->count; i++)
        x[i] = value_byte(v, i) - zero;
    return x ? x : (abort(), NULL);
}

/* With the channels last. */
static uint8_t *turned(const ConvShape *s, const Value *x)
{
    uint8_t *to = malloc((size_t)x->count);
    int64_t plane = s->h * s->w;
    for (int64_t i = 0; to && i < x->count; i++)
        to[(i / (s->c * plane) * plane + i % plane) * s->c + i / plane % s->c] =
            ((const uint8_t *)x->data)[i];
    return to ? to : (abort(), NULL);
}

typedef struct {
    const ConvShape *s;
    int32_t *less, *sum; /* the latter in planes */
} Taken;

static void take(void *user, const ConvSums *k)
{
    const Taken *t = user;
    int64_t pixels = t->s->oh * t->s->ow;
    for (int64_t i = 0, at = k->first; i < k->count; i++, at++)
        for (int64_t m = 0; m < t->s->m; m++)
            t->sum[(at / pixels * t->s->m + m) * pixels + at % pixels] +=
                k->sum[i * t->s->m + m] - t->less[m];
}

/* Adds to what is 0, so that what comes twice is wrong. */
static bool run(PreparedConv *c, const uint8_t *x, int32_t zero, Taken *t)
{
    for (int64_t i = 0; i < t->s->n * t->s->m * t->s->oh * t->s->ow; i++)
        t->sum[i] = 0;
    return c && prepared_conv_zero_offsets(c, zero, t->less) &&
           prepared_conv_run_bytes(c, x, zero, take, t);
}

static void try_form(size_t f, const char *isa)
{
    const ConvShape *s = &form[f].s;
    int64_t nsum = s->n * s->m * s->oh * s->ow, nw = s->m * (s->c / s->group) * s->kh * s->kw;
    Value *x = fill(form[f].type[0], s->n * s->c * s->h * s->w), *w = fill(form[f].type[1], nw);
    double *image = numbers(x, form[f].zero[0]), *weights = numbers(w, form[f].zero[1]);
    int32_t *sum = calloc((size_t)nsum, sizeof *sum), *less = calloc((size_t)s->m, sizeof *less);
    float *real = calloc((size_t)nsum, sizeof *real), *fx = malloc((size_t)x->count * sizeof *fx),
          *fw = malloc((size_t)nw * sizeof *fw);
    if (!sum || !less || !real || !fx || !fw)
        abort();
    for (int64_t i = 0; i < x->count; i++)
        fx[i] = (float)image[i] * 0.01f;
    for (int64_t i = 0; i < nw; i++)
        fw[i] = (float)weights[i] * 0.01f;
    ConvWeights bytes = {w->dtype, w->data, &form[f].zero[1], 1};
    /* Made once, and run again after another zero point: nothing of a run is left. */
    PreparedConv *ints = prepared_conv_of_bytes(s, form[f].type[0], &bytes, CONV_RUN_ONCE);
    uint8_t *pixels = turned(s, x);
    Taken to = {s, less, sum};
    bool done = run(ints, pixels, 0, &to) && run(ints, pixels, form[f].zero[0], &to);
    PreparedConv *reals = prepared_conv_of_floats(s, fw);
    /* Of floats it is oneDNN's, which says no where nothing but the pad is seen. */
    bool pads = (s->ow - 1) * s->sw + (s->kw - 1) * s->dw < s->pw;
    bool floats = reals && prepared_conv_run_floats(reals, fx, real);
    bool equal = done, near = floats;
    prepared_conv_free(ints);
    prepared_conv_free(reals);
    for (int64_t i = 0; i < nsum; i++) {
        double wanted = sum_at(s, i / (s->m * s->oh * s->ow), i / (s->oh * s->ow) % s->m,
                               i / s->ow % s->oh, i % s->ow, image, weights);
        equal &= sum[i] == (int32_t)wanted;
        near &= fabs((double)real[i] - wanted * 1e-4) <= 1e-3 * (1 + fabs(wanted * 1e-4));
    }
    check(equal || !done, isa, form[f].what);
    check(done, isa, "which it does");
    check(near || (pads && !floats), isa, "in floats");
    free(image), free(weights), free(pixels), free(sum), free(less), free(real), free(fx), free(fw);
    free(x->data), free(w->data), free(x), free(w);
}

static Value *made(DType type, int32_t rank, const int64_t *dim)
{
    Value *v = value_create(type, rank, dim);
    for (int64_t i = 0; v && i < v->count; i++)
        ((uint8_t *)v->data)[i] = byte();
    return v ? v : (abort(), NULL);
}

/* Weights of three pages that are no file's stay what they were, whatever is made of them. */
static void try_weights(const char *isa)
{
    const int64_t size[] = {1, 64, 16, 16}, weights[] = {192, 64, 1, 1},
                  out_size[] = {1, 192, 16, 16};
    Value *x = made(DT_UINT8, 4, size), *w = made(DT_INT8, 4, weights),
          *step = value_create(DT_FLOAT32, 0, NULL), *zero = made(DT_UINT8, 0, NULL),
          *zero_w = value_create(DT_INT8, 0, NULL), *out = value_shape(DT_UINT8, 4, out_size);
    size_t n = (size_t)w->count;
    uint8_t *before = malloc(n);
    if (!before)
        abort();
    memcpy(before, w->data, n);
    *(float *)step->data = 0.25F;
    *(int8_t *)zero_w->data = 0;
    Arena *a = arena_new(0);
    KernelCache kept = {0};
    Diag diag = {0};
    Node node = {.name = "it", .op = "QLinearConv", .op_id = OP_QLinearConv};
    Value *in[] = {x, step, zero, w, step, zero_w, step, zero};
    bool last[8] = {false};
    Call c = {.node = &node,
              .opset = 13,
              .in = in,
              .last = last,
              .nin = 8,
              .out = &out,
              .nout = 1,
              .scratch = a,
              .kept = &kept,
              .plain = kernel_of(OP_QLinearConv),
              .diag = &diag};
    bool taken = kernel_fast_of(OP_QLinearConv)(&c) && kernel_fast_of(OP_QLinearConv)(&c);
    check(taken && kept.data, isa, "weights that are no file's");
    check(!memcmp(w->data, before, n), isa, "which stay");
    if (kept.data)
        kept.release(kept.data);
    value_release(x), value_release(w), value_release(step), value_release(zero);
    value_release(zero_w), value_release(out);
    arena_free(a);
    free(before);
}

static int try_isa(const char *isa)
{
    if (*isa)
        setenv("DNNL_MAX_CPU_ISA", isa, 1);
    const char *name = onednn_load(ONEDNN_ALWAYS);
    if (!name)
        printf("ok: oneDNN is not here\n");
    for (size_t f = 0; name && f < sizeof form / sizeof *form; f++)
        try_form(f, *isa ? isa : name);
    if (name)
        try_weights(*isa ? isa : name);
    return failures > 0;
}

int main(void)
{
    static const char *const isa[] = {"", "SSE41", "AVX2", "AVX512_CORE"};
    int failed = 0;
    for (size_t i = 0; i < sizeof isa / sizeof *isa; i++) {
        fflush(stdout);
        pid_t child = fork(); /* it is read once in a process */
        int status = 1;
        if (child == 0)
            exit(try_isa(isa[i]));
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
            failed = 1;
    }
    return failed;
}
