/* Loops over bytes against the arithmetic of the plain kernels, number by number. */
#include "npu_exec/values/loops.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t state = 7;

static uint32_t draw(uint32_t n)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % n;
}

static float share(void)
{
    return (float)draw(1u << 16) / 65536;
}

enum { CHANNELS = 1300, FEW = 300, ROWS = 9 };

typedef struct {
    int32_t sum[ROWS * CHANNELS], less[CHANNELS];
    float scale[CHANNELS], bias[CHANNELS];
    uint8_t y[ROWS * CHANNELS], a[ROWS * CHANNELS], b[ROWS * CHANNELS];
    Coding to;
} Form;

/* Step by step, as QuantizeLinear has it. */
static uint8_t code(float x, const Coding *c)
{
    volatile float v = (c->relu && x < 0 ? 0 : x) / c->step;
    float lo = (float)-c->zero, hi = (float)(255 - c->zero);
    float q = v > lo ? v : lo;
    q = q < hi ? q : hi;
    return (uint8_t)((int32_t)rintf(q) + c->zero) ^ c->flip;
}

/* Every third has scales that make sums lie on halves. */
static void draw_form(Form *f, size_t m, uint32_t kind)
{
    float size = powf(10, share() * 6), step = powf(10, share() * 8 - 5);
    uint32_t fine = draw(4);
    f->to = (Coding){draw(2) != 0, step, (int32_t)draw(256), draw(2) ? 0x80 : 0};
    for (size_t i = 0; i < m; i++) {
        f->scale[i] = kind ? step * powf(10, -share() * 5)
                           : step * 0.5f * (float)(1 + draw(4)) / (float)(1 << (fine + draw(6)));
        f->bias[i] = kind ? step * (share() - 0.5f) * powf(10, share() * 4)
                          : step * 0.5f * (float)((int)draw(64) - 32);
        f->less[i] = draw(3) ? 0 : (int32_t)((share() - 0.5f) * size);
    }
    for (size_t i = 0; i < ROWS * m; i++) {
        f->sum[i] = (int32_t)((share() - 0.5f) * size) + f->less[i % m];
        f->a[i] = (uint8_t)draw(256);
        f->b[i] = (uint8_t)draw(256);
    }
    if (kind == 2 && draw(20) == 0)
        f->bias[draw((uint32_t)m)] = draw(2) ? NAN : INFINITY;
}

static long sums_wrong(Form *f, size_t m)
{
    long wrong = 0;
    QuantizeTerms t = {f->to, f->less, f->scale, f->bias, m};
    loop_quantize_sums(&t, f->sum, f->y, 1);
    loop_quantize_sums(&t, f->sum + m, f->y + m, ROWS - 1);
    for (size_t i = 0; i < ROWS * m; i++) {
        volatile float scaled = (float)(f->sum[i] - f->less[i % m]) * f->scale[i % m];
        volatile float x = scaled + f->bias[i % m];
        wrong += f->y[i] != code(x, &f->to);
    }
    return wrong;
}

static float number(uint8_t x, const Decoding *d)
{
    volatile float v = (float)((uint8_t)(x ^ d->flip) - d->zero) * d->scale;
    return v;
}

static long pairs_wrong(Form *f, size_t n)
{
    Decoding a = {f->to.step * (draw(2) ? 0.5f : 0.1f + share()), (int32_t)draw(256),
                  draw(2) ? 0x80 : 0};
    Decoding b = {f->to.step * (draw(2) ? 1 : share()), (int32_t)draw(256), draw(2) ? 0x80 : 0};
    long wrong = 0;
    for (int op = 0; op < 3; op++) {
        (op == 0   ? loop_add_bytes
         : op == 1 ? loop_sub_bytes
                   : loop_mul_bytes)(f->a, f->b, &a, &b, &f->to, f->y, n);
        for (size_t i = 0; i < n; i++) {
            float x = number(f->a[i], &a), z = number(f->b[i], &b);
            volatile float r = op == 0 ? x + z : op == 1 ? x - z : x * z;
            wrong += f->y[i] != code(r, &f->to);
        }
    }
    return wrong;
}

static long bytes_wrong(Form *f, size_t n)
{
    uint8_t table[256], flip = draw(2) ? 0x80 : 0;
    long wrong = 0;
    for (int i = 0; i < 256; i++)
        table[i] = (uint8_t)draw(256);
    loop_look_up(f->a, table, f->y, n);
    for (size_t i = 0; i < n; i++)
        wrong += f->y[i] != table[f->a[i]];
    for (size_t i = 0; i < n; i++)
        f->y[i] = f->b[i];
    loop_max_bytes(f->a, flip, f->y, n);
    for (size_t i = 0; i < n; i++)
        wrong += f->y[i] != ((f->a[i] ^ flip) > (f->b[i] ^ flip) ? f->a[i] : f->b[i]);
    return wrong;
}

int main(void)
{
    static const char *const what[3] = {"sums", "pairs", "bytes"};
    Form *f = calloc(1, sizeof *f);
    long wrong[3] = {0};
    for (uint32_t i = 0; f && i < 1500; i++) {
        size_t m = 1 + draw(i % 5 ? FEW : CHANNELS);
        draw_form(f, m, i % 3);
        wrong[0] += sums_wrong(f, m);
        wrong[1] += pairs_wrong(f, ROWS * m);
        wrong[2] += bytes_wrong(f, ROWS * m);
    }
    for (int k = 0; k < 3; k++)
        printf("%s: %s, %ld wrong\n", wrong[k] ? "FAILED" : "ok", what[k], wrong[k]);
    bool ok = f && !wrong[0] && !wrong[1] && !wrong[2];
    free(f);
    return !ok;
}
