/* Times of the executor's conversions, for bench/exec_convert.py: one line each, "name ours memcpy
 * xnnpack" in ns, the medians of REPEATS turns; "-" where XNNPACK is not here or has no such
 * operator.  memcpy moves as many bytes in all. */
#include "npu_exec/sim/convert.h"
#include "graph/base/compare.h"

#include <time.h>
#ifdef WITH_XNNPACK
#include <xnnpack.h>
#endif

enum { REPEATS = 41, PEERS = 3 };

typedef enum { QUANTIZE, DEQUANTIZE, TO_ROWS, TO_PIXELS, PAD, SLICE } Kind;

static const struct {
    const char *name;
    Kind kind;
    size_t c, h, w, wide;
} job[] = {
    {"quantize-640", QUANTIZE, 3, 640, 640, 640},
    {"quantize-1280", QUANTIZE, 3, 1280, 1280, 1280},
    {"dequantize-640", DEQUANTIZE, 3, 640, 640, 640},
    {"dequantize-1280", DEQUANTIZE, 3, 1280, 1280, 1280},
    {"nhwc-nchw-640", TO_ROWS, 3, 640, 640, 640},
    {"nhwc-nchw-1280", TO_ROWS, 3, 1280, 1280, 1280},
    {"nchw-nhwc-640", TO_PIXELS, 3, 640, 640, 640},
    {"nchw-nhwc-1280", TO_PIXELS, 3, 1280, 1280, 1280},
    {"pad-1280", PAD, 3, 1280, 1250, 1280},
    {"slice-1280", SLICE, 3, 1280, 1250, 1280},
    {"nhwc-nchw-255x80", TO_ROWS, 255, 80, 80, 80},
    {"nchw-nhwc-255x80", TO_PIXELS, 255, 80, 80, 80},
};

typedef struct {
    Kind kind;
    size_t c, h, w, wide, n; /* n: elements */
    void *from, *to;
    void *operator_of_xnnpack; /* or NULL */
} Work;

static void ours(const Work *k)
{
    LoweredShape l = {
        1, (int64_t)k->c, (int64_t)k->h, (int64_t)k->w, 1, (int64_t)k->c, (int64_t)k->h,
        1, (int64_t)k->w};
    switch (k->kind) {
    case QUANTIZE:
        convert_float_to_int8(k->from, 0.02f, 3, k->to, k->n);
        break;
    case DEQUANTIZE:
        convert_int8_to_float(k->from, 0.02f, 3, k->to, k->n);
        break;
    case TO_ROWS:
        convert_lower(&l, 1, k->from, k->to);
        break;
    case TO_PIXELS:
        convert_unlower(&l, 1, k->from, k->to);
        break;
    case PAD:
        convert_pad(k->from, k->c * k->h, k->w, k->wide, k->to);
        break;
    case SLICE:
        convert_slice(k->from, k->c * k->h, k->w, k->wide, k->to);
    }
}

/* Read and written together: floats on one side make it five bytes per element, half of them read.
 */
static void copied(const Work *k)
{
    memcpy(k->to, k->from, k->kind == QUANTIZE || k->kind == DEQUANTIZE ? k->n * 5 / 2 : k->n);
}

#ifdef WITH_XNNPACK
static bool prepare(Work *k)
{
    xnn_operator_t op = NULL;
    bool q = k->kind == QUANTIZE;
    if ((!q && k->kind != DEQUANTIZE) || xnn_initialize(NULL) ||
        (q ? xnn_create_convert_nc_f32_qs8(1, 1, 1, 0.02f, 3, INT8_MIN, INT8_MAX, 0, &op)
           : xnn_create_convert_nc_qs8_f32(1, 1, 1, 0.02f, 3, 0, &op)) ||
        (q ? xnn_setup_convert_nc_f32_qs8(op, k->n, k->from, k->to, NULL)
           : xnn_setup_convert_nc_qs8_f32(op, k->n, k->from, k->to, NULL)))
        return false;
    k->operator_of_xnnpack = op;
    return true;
}

static void xnnpack(const Work *k)
{
    xnn_run_operator(k->operator_of_xnnpack, NULL);
}
#else
static bool prepare(Work *k)
{
    (void)k;
    return false;
}

static void xnnpack(const Work *k)
{
    (void)k;
}
#endif

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

ORDER_BY(by_time, double, COMPARE(*a, *b))

static void measure(const char *name, Work *k)
{
    static void (*const peer[PEERS])(const Work *) = {ours, copied, xnnpack};
    double took[PEERS][REPEATS];
    int peers = prepare(k) ? PEERS : PEERS - 1;
    for (int i = -1; i < REPEATS; i++)
        for (int p = 0; p < peers; p++) {
            double start = now_ns();
            peer[p](k);
            if (i >= 0)
                took[p][i] = now_ns() - start;
        }
    printf("%s", name);
    for (int p = 0; p < PEERS; p++) {
        if (p < peers)
            qsort(took[p], REPEATS, sizeof took[p][0], by_time);
        p < peers ? printf(" %.0f", took[p][REPEATS / 2]) : printf(" -");
    }
    printf("\n");
}

int main(void)
{
    for (size_t i = 0; i < sizeof job / sizeof job[0]; i++) {
        Work k = {job[i].kind, job[i].c, job[i].h, job[i].w, job[i].wide, 0, NULL, NULL, NULL};
        k.n = k.c * k.h * k.w;
        size_t room = k.c * k.h * k.wide * sizeof(float); /* whichever side has floats */
        k.from = malloc(room);
        k.to = malloc(room);
        if (!k.from || !k.to)
            return 2;
        for (size_t at = 0; at < k.n;
             at++) { /* no zeros: pages of their own, and numbers to divide */
            ((float *)k.from)[at] = (float)(at % 997) * 0.01f - 5;
            ((float *)k.to)[at] = 1;
        }
        measure(job[i].name, &k);
        free(k.from);
        free(k.to);
    }
    return 0;
}
