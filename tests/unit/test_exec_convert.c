/* Conversions against their definitions, written the slow way. */
#include "npu_exec/convert.h"

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

/* 2 x 5 x 7 x 9 over 2 parts of the height and 4 of the channels. */
static void test_lowered(int channels_last)
{
    Lowered l = {.n = 2, .c = 5, .h = 7, .w = 9, .ho = 2, .co = 4, .hi = 4, .ci = 2, .wide = 32};
    static uint8_t x[2 * 5 * 7 * 9], y[2 * 2 * 4 * 4 * 2 * 32], back[sizeof x];
    for (size_t i = 0; i < sizeof x; i++)
        x[i] = (uint8_t)(i % 251 + 1);
    convert_lower(&l, channels_last, x, y);
    /* image 1, channel 3, line 5, column 8: part 1 of the height, 1 of the channels */
    size_t at = ((((1 * 2 + 1) * 4 + 1) * 4 + 1) * 2 + 1) * 32 + 8;
    size_t plain = channels_last ? ((1 * 7 + 5) * 9 + 8) * 5 + 3 : ((1 * 5 + 3) * 7 + 5) * 9 + 8;
    check(y[at] == x[plain], "a byte lies where its indices say");
    size_t zeros = 0;
    for (size_t i = 0; i < sizeof y; i++)
        zeros += y[i] == 0;
    check(zeros == sizeof y - sizeof x, "all padding is zero");
    convert_unlower(&l, channels_last, y, back);
    check(memcmp(back, x, sizeof x) == 0, "and comes back");
}

int main(void)
{
    test_quantize();
    test_lowered(0);
    test_lowered(1);
    uint8_t x[6] = {1, 2, 3, 4, 5, 6}, y[8], back[6];
    convert_pad(x, 2, 3, 4, y);
    check(memcmp(y, (uint8_t[]){1, 2, 3, 0, 4, 5, 6, 0}, 8) == 0, "rows are padded with zeros");
    convert_slice(y, 2, 3, 4, back);
    check(memcmp(back, x, 6) == 0, "and cut again");
    return failures != 0;
}
