/* Conversions against their definitions, written the slow way. */
#include "npu_exec/sim/convert.h"

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

static int32_t slow(float x, float scale, int32_t zero, int32_t lo, int32_t hi)
{
    double q = (double)rintf(x / scale) + zero;
    return q < lo ? lo : q > hi ? hi : (int32_t)q;
}

static void test_quantize(void)
{
    enum { N = 4099 };
    static float x[N], back[N];
    static int8_t y[N];
    static uint8_t u[N];
    bool ok = true, ok_u = true, ok_back = true;
    for (int i = 0; i < N; i++)
        x[i] = (float)(i - N / 2) * 0.125f; /* halves of 0.25 among them */
    x[0] = -1e30f;
    x[1] = 1e30f;
    x[2] = INFINITY;
    convert_float_to_int8(x, 0.25f, 3, y, N);
    convert_float_to_uint8(x, 0.25f, 128, u, N);
    convert_int8_to_float(y, 0.25f, 3, back, N);
    for (int i = 0; i < N; i++) {
        ok &= y[i] == slow(x[i], 0.25f, 3, -128, 127);
        ok_u &= u[i] == slow(x[i], 0.25f, 128, 0, 255);
        ok_back &= back[i] == (float)(y[i] - 3) * 0.25f;
    }
    check(ok && ok_u, "quantization rounds half to even and saturates");
    check(y[N / 2 + 1] == 3 && y[N / 2 + 3] == 5, "0.5 goes to 0, 1.5 to 2");
    check(ok_back, "and back");
    convert_sign(u, (uint8_t *)y, N);
    check(y[1] == 127 && y[0] == -128, "255 is 127, 0 is -128");
}

enum { ROOM = 1 << 17 };

/* Every byte at the place that its indices name, by the definition of both layouts. */
static size_t misplaced(const LoweredShape *l, int channels_last, const uint8_t *x,
                        const uint8_t *y)
{
    size_t wrong = 0;
    for (int64_t i = 0; i < l->n * l->c * l->h * l->w; i++) {
        int64_t w = i % l->w, h = i / l->w % l->h, c = i / l->w / l->h % l->c;
        int64_t n = i / l->w / l->h / l->c, part = (n * l->ho + h / l->hi) * l->co + c / l->ci;
        int64_t at = ((part * l->hi + h % l->hi) * l->ci + c % l->ci) * l->wide + w;
        int64_t plain = channels_last ? ((n * l->h + h) * l->w + w) * l->c + c : i;
        wrong += y[at] != x[plain];
    }
    return wrong;
}

static void test_lowered(const LoweredShape *l, int channels_last)
{
    static uint8_t x[ROOM], y[ROOM], back[ROOM];
    size_t n = (size_t)(l->n * l->c * l->h * l->w);
    size_t all = (size_t)(l->n * l->ho * l->co * l->hi * l->ci * l->wide), zeros = 0;
    for (size_t i = 0; i < n; i++)
        x[i] = (uint8_t)(i % 251 + 1);
    memset(y, 255, sizeof y);
    memset(back, 0, sizeof back);
    convert_lower(l, channels_last, x, y);
    check(misplaced(l, channels_last, x, y) == 0, "bytes lie where their indices say");
    for (size_t i = 0; i < all; i++)
        zeros += y[i] == 0;
    check(zeros == all - n && y[all] == 255, "all padding is zero, and nothing behind it");
    convert_unlower(l, channels_last, y, back);
    check(memcmp(back, x, n) == 0 && back[n] == 0, "and comes back");
}

int main(void)
{
    test_quantize();
    static const LoweredShape shape[] = {
        {.n = 2, .c = 5, .h = 7, .w = 9, .ho = 2, .co = 4, .hi = 4, .ci = 2, .wide = 32},
        {.n = 1, .c = 3, .h = 4, .w = 67, .ho = 1, .co = 1, .hi = 4, .ci = 3, .wide = 96}, /* RGB */
        {.n = 1, .c = 35, .h = 3, .w = 50, .ho = 1, .co = 5, .hi = 3, .ci = 7, .wide = 50},
        {.n = 2, .c = 16, .h = 2, .w = 16, .ho = 1, .co = 16, .hi = 2, .ci = 1, .wide = 32},
    };
    for (size_t i = 0; i < 2 * (sizeof shape / sizeof shape[0]); i++)
        test_lowered(&shape[i / 2], i % 2 == 1);
    uint8_t x[6] = {1, 2, 3, 4, 5, 6}, y[8], back[6];
    convert_pad(x, 2, 3, 4, y);
    check(memcmp(y, (uint8_t[]){1, 2, 3, 0, 4, 5, 6, 0}, 8) == 0, "rows are padded with zeros");
    convert_slice(y, 2, 3, 4, back);
    check(memcmp(back, x, 6) == 0, "and cut again");
    return failures != 0;
}
