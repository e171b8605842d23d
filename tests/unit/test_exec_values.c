/* Values in memory: sizes, forms, orders and types of their elements, and values as functions of
 * bytes, by hand. */
#include "npu_exec/values/quantized.h"
#include "npu_exec/values/npy.h"
#include "tests/unit/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SHAPE(...)                                                                                 \
    (int32_t)(sizeof((const int64_t[]){__VA_ARGS__}) / 8), (const int64_t[])                       \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

/* ---- sizes ---- */

static void size_checks(void)
{
    Value *v = value_shape(DT_FLOAT32, SHAPE(2, 3, 4));
    CHECK(v && v->count == 24 && value_bytes(v) == 96 && !v->data && v->refs == 1);
    CHECK(value_extent(v, 0, 3) == 24 && value_extent(v, 1, 2) == 3 && value_extent(v, 2, 9) == 4 &&
          value_extent(v, 3, 9) == 1 && value_extent(v, 1, 1) == 1);
    CHECK(value_allocate(v) && v->data);
    void *data = v->data;
    CHECK(value_allocate(v) && v->data == data); /* what has room keeps it */
    value_release(v);
    v = value_create(DT_INT64, SHAPE(5, 0));
    CHECK(v && v->count == 0 && value_bytes(v) == 0 && v->data);
    value_release(v);
    v = value_shape(DT_UINT8, 0, NULL);
    CHECK(v && v->count == 1);
    value_release(v);
    CHECK(!value_shape(DT_UINT8, SHAPE(2, -1)));
    CHECK(!value_shape(DT_INT4, SHAPE(2)) && !value_shape(DT_UNKNOWN, SHAPE(2)));
    CHECK(!value_shape(DT_UINT8, SHAPE(1, 1, 1, 1, 1, 1, 1, 1, 1)));
    v = value_shape(DT_UINT8, SHAPE(1, 1, 1, 1, 1, 1, 1, 2));
    CHECK(v && v->rank == 8 && v->count == 2);
    value_release(v);
    /* 2^33 bits' worth: 2^30 bytes, 2^28 floats; one more is too much. */
    v = value_shape(DT_UINT8, SHAPE(1 << 30));
    CHECK(v && value_bytes(v) == 1 << 30);
    value_release(v);
    v = value_shape(DT_FLOAT32, SHAPE(1 << 28));
    CHECK(v != NULL);
    value_release(v);
    CHECK(!value_shape(DT_UINT8, SHAPE((1 << 30) + 1)) &&
          !value_shape(DT_FLOAT32, SHAPE((1 << 28) + 1)));
    CHECK(!value_shape(DT_UINT8, SHAPE(INT64_C(1) << 40, INT64_C(1) << 40)));
    Value i8 = {.dtype = DT_INT8}, u8 = {.dtype = DT_UINT8}, b = {.dtype = DT_BOOL};
    CHECK(value_is_bytes(&i8) && value_is_bytes(&u8) && !value_is_bytes(&b) &&
          !value_is_bytes(NULL));
    value_release(NULL);
}

/* ---- types ---- */

static double through(DType t, double x)
{
    Value *v = value_create(t, SHAPE(1));
    v->floats = malloc(sizeof *v->floats);
    v->floats[0] = (float)x;
    double ret = value_convert_elements(v) && !v->floats && value_floats(v)
                     ? (double)value_floats(v)[0]
                     : 1e9;
    value_release(v);
    return ret;
}

static int64_t through_ints(DType t, int64_t x)
{
    Value *v = value_create(t, SHAPE(1));
    v->ints = malloc(sizeof *v->ints);
    v->ints[0] = x;
    int64_t ret =
        value_convert_elements(v) && !v->ints && value_ints(v) ? value_ints(v)[0] : 1000000000;
    value_release(v);
    return ret;
}

static void type_checks(void)
{
    CHECK(value_round_to_int64(2.9) == 2 && value_round_to_int64(-2.9) == -2 &&
          value_round_to_int64(NAN) == 0);
    CHECK(value_round_to_int64(9.2e18) == INT64_MAX && value_round_to_int64(-9.2e18) == INT64_MIN);
    CHECK(value_round_to_int64(9.1e18) == INT64_C(9100000000000000000) &&
          value_round_to_int64(-9.1e18) == INT64_C(-9100000000000000000));
    /* Halves: the largest, what is rounded to it and beyond it, ties to even, the smallest ones. */
    CHECK(through(DT_FLOAT16, 65504) == 65504 && through(DT_FLOAT16, 65519) == 65504);
    CHECK(isinf(through(DT_FLOAT16, 65520)) && through(DT_FLOAT16, -65520) == -INFINITY);
    CHECK(isnan(through(DT_FLOAT16, NAN)) && isinf(through(DT_FLOAT16, INFINITY)));
    CHECK(through(DT_FLOAT16, 2049) == 2048 && through(DT_FLOAT16, 2051) == 2052);
    CHECK(through(DT_FLOAT16, 1.0 / 3) == 1365.0 / 4096);
    CHECK(through(DT_FLOAT16, ldexp(1, -24)) == ldexp(1, -24));
    CHECK(through(DT_FLOAT16, ldexp(1, -25)) == 0 &&
          through(DT_FLOAT16, ldexp(1.01, -25)) == ldexp(1, -24));
    CHECK(through(DT_FLOAT16, ldexp(1, -14)) == ldexp(1, -14) &&
          through(DT_FLOAT16, ldexp(1023.6, -24)) == ldexp(1, -14));
    CHECK(through(DT_FLOAT16, -1.5) == -1.5 && signbit(through(DT_FLOAT16, -0.0)));
    CHECK(through(DT_FLOAT16, 1 + ldexp(1, -11)) == 1 &&
          through(DT_FLOAT16, 2 - ldexp(1, -11)) == 2);
    /* bfloat16 has eight digits of two: ties to even. */
    CHECK(through(DT_BFLOAT16, 257) == 256 && through(DT_BFLOAT16, 259) == 260);
    CHECK(through(DT_BFLOAT16, -1.5) == -1.5 && isnan(through(DT_BFLOAT16, NAN)));
    CHECK(through(DT_BFLOAT16, 257.01) == 258);
    /* Whole numbers: towards zero, and the low bits of what is too large. */
    CHECK(through(DT_INT8, -3.7) == -3 && through(DT_UINT8, 255.9) == 255 &&
          through(DT_INT8, 130) == -126);
    CHECK(through(DT_INT16, 32769) == -32767 && through(DT_UINT16, 65537) == 1);
    CHECK(through(DT_INT32, -7.5) == -7 && through(DT_INT64, 1e12) == 999999995904.0);
    CHECK(through(DT_BOOL, 1) == 1 && through(DT_BOOL, 0) == 0);
    CHECK(through(DT_FLOAT64, 0.5) == 0.5 && through(DT_FLOAT32, 0.1) == (double)0.1F);
    CHECK(through_ints(DT_FLOAT64, 9007199254740991) ==
          9007199254740991); /* more than a float has */
    CHECK(through_ints(DT_FLOAT32, 16777217) == 16777216 &&
          through_ints(DT_INT64, INT64_MIN) == INT64_MIN);
    CHECK(through_ints(DT_INT8, 130) == -126 && through_ints(DT_UINT8, -1) == 255 &&
          through_ints(DT_FLOAT16, 3) == 3);
    Value text = {.dtype = DT_STRING}, number = {.dtype = DT_BFLOAT16};
    CHECK(!value_has_numbers(&text) && value_has_numbers(&number));
}

/* ---- codes ---- */

static Value *bytes_of(DType t, int32_t rank, const int64_t *dim, const void *data)
{
    Value *v = value_create(t, rank, dim);
    memcpy(v->data, data, (size_t)value_bytes(v));
    return v;
}

/* What dequantizes `source`, whose reference it takes. */
static Value *coded(Value *source, int64_t n, const float *scale, int64_t nz, const int32_t *zero,
                    int32_t axis)
{
    Value *v = value_shape(DT_FLOAT32, source->rank, source->dim);
    v->source = source;
    v->scale = malloc((size_t)n * sizeof *scale);
    v->zero = malloc((size_t)nz * sizeof *zero);
    memcpy(v->scale, scale, (size_t)n * sizeof *scale);
    memcpy(v->zero, zero, (size_t)nz * sizeof *zero);
    v->nscale = n;
    v->nzero = nz;
    v->axis = axis;
    return v;
}

static const float half = 0.5F, two_three[] = {2, 3};
static const int32_t three = 3, zeros[] = {1, -1};

static void codes_with_a_scale(void)
{
    /* Signed bytes: (x - 3) / 2; the byte 128 is -128, 255 is -1. */
    Value *v = coded(bytes_of(DT_INT8, SHAPE(2, 2), "\x80\xff\x03\x7f"), 1, &half, 1, &three, 0);
    ByteFunction f;
    CHECK(quantized_has_one_scale(v) && quantized_function_of(v, &f) && f.root == v->source);
    CHECK(f.number[128] == -65.5F && f.number[255] == -2 && f.number[3] == 0 &&
          f.number[127] == 62 && f.number[0] == -1.5F);
    Decoding d = quantized_decoding(v);
    CHECK(d.scale == 0.5F && d.zero == 131 && d.flip == 0x80);
    float some[2];
    CHECK(value_float_range(v, 1, 2, some) && some[0] == -2 && some[1] == 0 && !v->floats);
    const float *all = value_floats(v);
    CHECK(all && all[0] == -65.5F && all[1] == -2 && all[2] == 0 && all[3] == 62);
    CHECK(!value_float_range(v, 0, 1, some)); /* it has elements now */
    value_release(v);
    v = coded(bytes_of(DT_UINT8, SHAPE(4), "\x80\xff\x03\x7f"), 1, &half, 1, &three, 0);
    d = quantized_decoding(v);
    CHECK(d.zero == 3 && d.flip == 0 && quantized_function_of(v, &f) && f.number[255] == 126 &&
          f.number[128] == 62.5F);
    CHECK(value_ints(v) && value_ints(v)[0] == 62 && value_ints(v)[2] == 0);
    value_release(v);
}

/* A scale for each place along an axis is no function of the byte alone; one zero point may do
 * for all. */
static void codes_with_scales(void)
{
    ByteFunction f;
    for (int32_t axis = 0; axis < 2; axis++) {
        for (int64_t nz = 1; nz <= 2; nz++) {
            Value *v = coded(bytes_of(DT_UINT8, SHAPE(2, 2, 2), "\1\2\3\4\5\6\7\10"), 2, two_three,
                             nz, zeros, axis);
            CHECK(!quantized_has_one_scale(v) && !quantized_function_of(v, &f));
            size_t wrong = 0;
            float part[5];
            CHECK(value_float_range(v, 1, 5, part));
            const float *all = value_floats(v);
            for (int i = 0; i < 8; i++) {
                int k = axis ? i / 2 % 2 : i / 4;
                float expected = (float)(i + 1 - zeros[nz > 1 ? k : 0]) * two_three[k];
                wrong += all[i] != expected || (i >= 1 && i < 6 && part[i - 1] != expected);
            }
            CHECK(wrong == 0);
            value_release(v);
        }
    }
}

/* By a table; and a table of codes that themselves are a table of others. */
static void codes_by_tables(void)
{
    ByteFunction f;
    float table[256];
    uint8_t codes[256];
    for (int i = 0; i < 256; i++) {
        table[i] = (float)(i * i);
        codes[i] = (uint8_t)(255 - i);
    }
    Value *root = bytes_of(DT_UINT8, SHAPE(3), "\0\1\xff"),
          *middle = value_shape(DT_UINT8, SHAPE(3));
    CHECK(quantized_set_bytes(middle, root, codes) && root->refs == 2 && middle->source == root &&
          !middle->data);
    Value *v = value_shape(DT_FLOAT32, SHAPE(3));
    CHECK(quantized_set_table(v, middle, table) && middle->refs == 2 &&
          !quantized_has_one_scale(v));
    CHECK(quantized_function_of(v, &f) && f.root == root && f.number[0] == 65025 &&
          f.number[255] == 0 && f.number[254] == 1);
    Value *again = coded(middle, 1, &half, 1, &three, 0);
    middle->refs++;
    CHECK(quantized_has_one_scale(again) && quantized_function_of(again, &f) && f.root == root &&
          f.number[0] == 126 && f.number[255] == -1.5F);
    /* Once the codes have elements of their own, they are the root. */
    CHECK(value_open(middle) && middle->data && !middle->codes && !middle->source &&
          root->refs == 1);
    CHECK(!memcmp(middle->data, "\xff\xfe\0", 3));
    CHECK(quantized_function_of(v, &f) && f.root == middle && f.number[255] == 65025 &&
          f.number[0] == 0);
    CHECK(quantized_function_of(again, &f) && f.root == middle && f.number[255] == 126);
    const float *all = value_floats(v);
    CHECK(all[0] == 65025 && all[1] == 64516 && all[2] == 0);
    /* The same of other bytes: by a table, and by a scale. */
    Value *like = value_shape(DT_FLOAT32, SHAPE(2)), *other = bytes_of(DT_UINT8, SHAPE(2), "\5\6");
    CHECK(quantized_set_source(like, v, other) && other->refs == 1 && like->source == other);
    CHECK(value_floats(like)[0] == 25 && value_floats(like)[1] == 36);
    value_release(like);
    like = value_shape(DT_FLOAT32, SHAPE(2));
    CHECK(quantized_set_source(like, again, bytes_of(DT_UINT8, SHAPE(2), "\5\6")) &&
          quantized_has_one_scale(like));
    CHECK(value_floats(like)[0] == 1 && value_floats(like)[1] == 1.5F);
    value_release(like);
    value_release(again);
    value_release(v);
    value_release(middle);
    value_release(root);
}

/* What is none. */
static void no_codes(void)
{
    ByteFunction f;
    Value *plain = value_create(DT_FLOAT32, SHAPE(1));
    CHECK(!quantized_function_of(NULL, &f) && !quantized_function_of(plain, &f) &&
          !quantized_has_one_scale(plain) && !quantized_has_one_scale(NULL));
    value_release(plain);
    Value *v = coded(value_create(DT_INT32, SHAPE(1)), 1, &half, 1, &three, 0);
    CHECK(!quantized_has_one_scale(v) && !quantized_function_of(v, &f));
    v->dtype = DT_FLOAT16;
    CHECK(!quantized_has_one_scale(v) && !quantized_function_of(v, &f));
    value_release(v);
}

/* To codes: zero points within a byte of the type. */
static void codings(void)
{
    Coding c;
    CHECK(quantized_coding(&(Epilogue){true, 0.25F, 0}, DT_UINT8, &c) && c.relu &&
          c.step == 0.25F && c.zero == 0 && c.flip == 0);
    CHECK(quantized_coding(&(Epilogue){false, 0.25F, -128}, DT_INT8, &c) && !c.relu &&
          c.zero == 0 && c.flip == 0x80);
    CHECK(quantized_coding(&(Epilogue){false, 1, 127}, DT_INT8, &c) && c.zero == 255);
    CHECK(quantized_coding(&(Epilogue){false, 1, 255}, DT_UINT8, &c) && c.zero == 255);
    CHECK(!quantized_coding(&(Epilogue){false, 1, 256}, DT_UINT8, &c) &&
          !quantized_coding(&(Epilogue){false, 1, -1}, DT_UINT8, &c));
    CHECK(!quantized_coding(&(Epilogue){false, 1, 128}, DT_INT8, &c) &&
          !quantized_coding(&(Epilogue){false, 1, -129}, DT_INT8, &c));
    CHECK(!quantized_coding(&(Epilogue){false, 1, 5}, DT_INT32, &c));
    Value a = {.rank = 2, .dim = {2, 3}}, b = {.rank = 2, .dim = {2, 3, 9}},
          e = {.rank = 2, .dim = {2, 4}}, g = {.rank = 1, .dim = {2, 3}};
    CHECK(quantized_same_size(&a, &b) && !quantized_same_size(&a, &e) &&
          !quantized_same_size(&a, &g));
}

/* ---- channels last ---- */

static void order_checks(void)
{
    size_t wrong = 0;
    static const int64_t channels[] = {1, 2, 3, 15, 16, 17, 33},
                         pixels[] = {1, 2, 31, 1023, 1024, 1025};
    for (size_t i = 0; i < sizeof channels / sizeof *channels; i++)
        for (size_t j = 0; j < sizeof pixels / sizeof *pixels; j++)
            for (int borrowed = 0; borrowed < 2; borrowed++) {
                int64_t c = channels[i], p = pixels[j], n = 2 * c * p;
                Value *v = value_create(DT_UINT8, SHAPE(2, c, p, 1));
                uint8_t *x = v->data, *own = x;
                for (int64_t k = 0; k < n; k++)
                    x[k] = (uint8_t)(k * 7 + k / 256);
                v->borrowed = borrowed;
                const uint8_t *y = value_channels_last(v);
                for (int64_t m = 0; m < 2 && y; m++)
                    for (int64_t k = 0; k < c; k++)
                        for (int64_t q = 0; q < p; q++) {
                            int64_t at = (m * c + k) * p + q;
                            wrong += y[(m * p + q) * c + k] != (uint8_t)(at * 7 + at / 256);
                        }
                wrong += !y || !v->last || v->borrowed || value_channels_last(v) != y;
                wrong += !value_plain(v) || v->last;
                x = v->data;
                for (int64_t k = 0; k < n; k++)
                    wrong += x[k] != (uint8_t)(k * 7 + k / 256);
                if (borrowed)
                    free(own);
                value_release(v);
            }
    CHECK(wrong == 0);
    Value *row = value_create(DT_UINT8, SHAPE(4)), *numbers = value_create(DT_INT16, SHAPE(1, 2));
    CHECK(!value_channels_last(row) && !value_channels_last(numbers) && !value_channels_last(NULL));
    value_release(row);
    value_release(numbers);
    /* What dequantizes bytes with the channels last has its numbers in the order of the dimensions.
     */
    Value *v = coded(bytes_of(DT_UINT8, SHAPE(1, 2, 3), "\1\2\3\4\5\6"), 1, &half, 1, &three, 0);
    CHECK(!memcmp(value_channels_last(v->source), "\1\4\2\5\3\6", 6));
    CHECK(value_floats(v)[1] == -0.5F && value_floats(v)[3] == 0.5F && value_floats(v)[5] == 1.5F);
    value_release(v);
}

/* ---- files ---- */

static char path[] = "/tmp/exec-values.npy.XXXXXX";
static uint8_t file[1 << 16];

/* What the file has behind its header of `n` bytes, if that is `shape` and `descr`; NULL. */
static const uint8_t *data_of(const char *descr, const char *shape, size_t nbyte)
{
    char header[256];
    FILE *f = fopen(path, "rb");
    size_t n = f ? fread(file, 1, sizeof file, f) : 0;
    if (f)
        fclose(f);
    int len = snprintf(header, sizeof header,
                       "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr, shape);
    size_t all = ((size_t)len + 1 + 10 + 63) / 64 * 64;
    bool good = n == all + nbyte && !memcmp(file, "\x93NUMPY\1\0", 8) && file[8] == all - 10 &&
                file[9] == 0 && !memcmp(file + 10, header, (size_t)len) && file[all - 1] == '\n';
    for (size_t i = 10 + (size_t)len; good && i < all - 1; i++)
        good = file[i] == ' ';
    return good ? file + all : NULL;
}

static void npy_types(void)
{
    static const struct {
        DType t;
        const char *descr;
        size_t size;
    } type[] = {{DT_FLOAT32, "<f4", 4}, {DT_FLOAT64, "<f8", 8}, {DT_FLOAT16, "<f2", 2},
                {DT_UINT8, "|u1", 1},   {DT_INT8, "|i1", 1},    {DT_UINT16, "<u2", 2},
                {DT_INT16, "<i2", 2},   {DT_UINT32, "<u4", 4},  {DT_INT32, "<i4", 4},
                {DT_UINT64, "<u8", 8},  {DT_INT64, "<i8", 8},   {DT_BOOL, "|b1", 1}};
    Diag diag;
    close(mkstemp(path));
    for (size_t k = 0; k < sizeof type / sizeof *type; k++) {
        Value *v = value_create(type[k].t, SHAPE(2, 3));
        for (size_t i = 0; i < 6 * type[k].size; i++)
            ((uint8_t *)v->data)[i] = (uint8_t)(i + 1);
        CHECK(!npy_write(v, path, &diag));
        const uint8_t *data = data_of(type[k].descr, "2, 3,", 6 * type[k].size);
        CHECK(data && !memcmp(data, v->data, 6 * type[k].size));
        value_release(v);
    }
}

/* A bfloat16 as the float that it is. */
static void npy_halves(void)
{
    Diag diag;
    Value *v = value_create(DT_BFLOAT16, SHAPE(2));
    memcpy(v->data, (const uint16_t[]){0x3f80, 0xc020}, 4);
    CHECK(!npy_write(v, path, &diag));
    const uint8_t *data = data_of("<f4", "2,", 8);
    CHECK(data && !memcmp(data, (const float[]){1, -2.5F}, 8));
    value_release(v);
}

/* One number; nothing; several with an axis for them. */
static void npy_stacks(void)
{
    Diag diag;
    const uint8_t *data;
    Value *v = bytes_of(DT_UINT8, 0, NULL, "\7");
    CHECK(!npy_write(v, path, &diag) && (data = data_of("|u1", "", 1)) && *data == 7);
    NpyStack s;
    CHECK(!npy_begin(&s, v, 3, path, &diag) && !npy_add(&s, v, &diag) && !npy_add(&s, v, &diag));
    *(uint8_t *)v->data = 9;
    CHECK(!npy_add(&s, v, &diag) && !npy_end(&s, &diag) && !s.begun);
    CHECK((data = data_of("|u1", "3,", 3)) && !memcmp(data, "\7\7\11", 3));
    CHECK(!npy_begin(&s, v, 3, path, &diag) && s.begun);
    npy_abort(&s); /* what was there stays */
    CHECK(!s.begun && data_of("|u1", "3,", 3));
    npy_abort(&s);
    value_release(v);
    v = value_create(DT_FLOAT32, SHAPE(2, 0));
    CHECK(!npy_write(v, path, &diag) && data_of("<f4", "2, 0,", 0));
    value_release(v);
}

/* Codes as what they stand for, a thousand at a time. */
static void npy_codes(void)
{
    Diag diag;
    static const int64_t count[] = {1, 1023, 1024, 1025, 2048, 2049};
    for (size_t k = 0; k < sizeof count / sizeof *count; k++) {
        int64_t n = count[k];
        Value *bytes = value_create(DT_UINT8, 1, &n);
        for (int64_t i = 0; i < n; i++)
            ((uint8_t *)bytes->data)[i] = (uint8_t)(i * 5);
        Value *v = coded(bytes, 1, &half, 1, &three, 0);
        char shape[32];
        snprintf(shape, sizeof shape, "%lld,", (long long)n);
        CHECK(!npy_write(v, path, &diag) && !v->data && !v->floats);
        const uint8_t *data = data_of("<f4", shape, (size_t)n * 4);
        size_t wrong = !data;
        for (int64_t i = 0; i < n && data; i++) {
            float f;
            memcpy(&f, data + 4 * i, 4);
            wrong += f != (float)((uint8_t)(i * 5) - 3) / 2;
        }
        CHECK(wrong == 0);
        value_release(v);
    }
}

/* What is refused; the file goes. */
static void npy_refusals(void)
{
    Diag diag;
    NpyStack s;
    Value text = {.dtype = DT_STRING, .count = 1};
    CHECK(npy_write(&text, path, &diag) == STATUS_UNDECIDED &&
          strstr(diag.text, "cannot be written"));
    CHECK(npy_begin(&s, &text, 1, path, &diag) == STATUS_UNDECIDED && !s.begun);
    unlink(path);
    CHECK(npy_folder("/tmp", &diag) == STATUS_OK); /* that is there already */
    CHECK(npy_folder("/nonexistent/folder", &diag) == STATUS_INPUT &&
          strstr(diag.text, "cannot be made"));
}

int main(void)
{
    npy_types();
    npy_halves();
    npy_stacks();
    npy_codes();
    npy_refusals();
    size_checks();
    type_checks();
    codes_with_a_scale();
    codes_with_scales();
    codes_by_tables();
    no_codes();
    codings();
    order_checks();
    return check_failures() != 0;
}
