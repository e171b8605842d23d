/* Operators on codes: which calls are taken, and what their outputs are then, by hand.  What is not
 * taken goes the long way to the same numbers, so that nothing but time would tell. */
#include "npu_exec/values/quantized.h"
#include "tests/unit/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_IN = 5 };
#define SHAPE(...)                                                                                 \
    (int32_t)(sizeof((const int64_t[]){__VA_ARGS__}) / 8), (const int64_t[])                       \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

static Value *bytes(DType t, int32_t rank, const int64_t *dim)
{
    Value *v = value_create(t, rank, dim);
    for (int64_t i = 0; i < v->count; i++)
        ((uint8_t *)v->data)[i] = (uint8_t)(10 * i);
    return v;
}

/* What dequantizes `source`, whose reference it takes: (x - zero) / 2. */
static Value *coded(Value *source, int32_t zero)
{
    Value *v = value_shape(DT_FLOAT32, source->rank, source->dim);
    v->source = source;
    v->scale = malloc(sizeof *v->scale);
    v->zero = malloc(sizeof *v->zero);
    v->scale[0] = 0.5F;
    v->zero[0] = zero;
    v->nscale = v->nzero = 1;
    return v;
}

static Value *floats(int32_t rank, const int64_t *dim, float x)
{
    Value *v = value_create(DT_FLOAT32, rank, dim);
    for (int64_t i = 0; i < v->count; i++)
        ((float *)v->data)[i] = x;
    return v;
}

/* A call, as the executor makes one; all inputs are read later again unless told. */
typedef struct {
    Node node;
    Value *in[MOST_IN], *out[2];
    bool last[MOST_IN];
    uint32_t nin, nout;
    const Epilogue *epilogue;
} Try;

static bool is_taken(Try *t, const char *op, OpIndex id)
{
    Arena *a = arena_new(0);
    Diag diag = {0};
    t->node.name = "it";
    t->node.op = op;
    t->node.op_id = (OpId)id;
    Call c = {.node = &t->node,
              .opset = 13,
              .in = t->in,
              .last = t->last,
              .nin = t->nin,
              .out = t->out,
              .nout = t->nout ? t->nout : 1,
              .scratch = a,
              .epilogue = t->epilogue,
              .plain = kernel_of((OpId)id),
              .diag = &diag};
    bool ret = kernel_fast_of((OpId)id)(&c);
    arena_free(a);
    return ret;
}
#define TAKEN(t, op) is_taken(t, #op, OP_##op)

/* Whether the call is taken; its output goes. */
static bool taken_once(Try *t, const char *op, OpIndex id, Value *out)
{
    t->out[0] = out;
    bool ret = is_taken(t, op, id);
    value_release(t->out[0]);
    return ret;
}
#define ONCE(t, op, out) taken_once(t, #op, OP_##op, out)

static const Epilogue plain = {false, 0.25F, 100}, relu = {true, 0.25F, 100},
                      no_byte = {false, 0.25F, 300};

static Value *out_floats_of(void)
{
    return value_shape(DT_FLOAT32, SHAPE(2, 3));
}
static Value *out_bytes_of(void)
{
    return value_shape(DT_UINT8, SHAPE(2, 3));
}

/* ---- tables ---- */

static void of_one_checks(void)
{
    Value *root = bytes(DT_UINT8, SHAPE(2, 3)), *v = coded(root, 20);
    Try t = {.in = {v}, .nin = 1};
    t.out[0] = out_floats_of();
    CHECK(TAKEN(&t, Neg) && t.out[0]->table && t.out[0]->source == root && root->refs == 2 &&
          !t.out[0]->data);
    CHECK(t.out[0]->table[0] == 10 && t.out[0]->table[255] == -117.5F);
    value_release(t.out[0]);
    CHECK(root->refs == 1);
    t.epilogue = &plain; /* -(x - 20) / 2 in steps of a quarter: 100 - 2 (x - 20) */
    t.out[0] = out_bytes_of();
    CHECK(TAKEN(&t, Neg) && t.out[0]->codes && t.out[0]->source == root);
    CHECK(t.out[0]->codes[0] == 140 && t.out[0]->codes[20] == 100 && t.out[0]->codes[30] == 80 &&
          t.out[0]->codes[255] == 0);
    value_release(t.out[0]);
    t.epilogue = &relu;
    t.out[0] = out_bytes_of();
    CHECK(TAKEN(&t, Neg) && t.out[0]->codes[0] == 140 && t.out[0]->codes[30] == 100);
    value_release(t.out[0]);
    CHECK(!ONCE(&t, Neg, out_floats_of()));
    t.epilogue = &no_byte;
    CHECK(!ONCE(&t, Neg, out_bytes_of()));
    t.epilogue = NULL;
    CHECK(!ONCE(&t, Neg, out_bytes_of()));
    t.nout = 2;
    CHECK(!ONCE(&t, Neg, out_floats_of()));
    t.nout = 1;
    value_release(v);
}

/* With a number; with itself; not with several numbers, or a whole one. */
static void of_two_checks(void)
{
    Value *root = bytes(DT_UINT8, SHAPE(2, 3)), *v = coded(root, 20);
    Value *scalar = floats(0, NULL, 3), *whole = value_create(DT_INT64, 0, NULL),
          *row = floats(SHAPE(2, 3), 3), *wide = floats(SHAPE(1, 2, 3), 0),
          *pair = floats(SHAPE(2), 3), *other = coded(bytes(DT_UINT8, SHAPE(2, 3)), 0);
    Try t = {.in = {v}, .nin = 2};
    t.in[1] = scalar;
    t.out[0] = out_floats_of();
    CHECK(TAKEN(&t, Sub) && t.out[0]->table[0] == -13 && t.out[0]->table[26] == 0);
    value_release(t.out[0]);
    t.in[1] = v;
    CHECK(ONCE(&t, Sub, out_floats_of()) && root->refs == 1);
    t.in[1] = pair;
    CHECK(!ONCE(&t, Sub, out_floats_of()));
    t.in[1] = row;
    CHECK(!ONCE(&t, Sub, out_floats_of()));
    t.in[1] = whole;
    CHECK(!ONCE(&t, Sub, out_floats_of()));
    t.in[0] = scalar; /* no function of anything */
    t.in[1] = scalar;
    CHECK(!ONCE(&t, Sub, out_floats_of()));
    t.in[0] = v; /* its numbers are not those of the output */
    t.in[1] = wide;
    CHECK(!ONCE(&t, Sub, value_shape(DT_FLOAT32, SHAPE(1, 2, 3))));
    /* Another root, and no epilogue: nothing to be done. */
    t.in[0] = v;
    t.in[1] = other;
    CHECK(!ONCE(&t, Sub, out_floats_of()));
    value_release(v), value_release(scalar), value_release(whole), value_release(row);
    value_release(wide), value_release(pair), value_release(other);
}

/* An omitted input, and what the kernel itself refuses. */
static void omitted_checks(void)
{
    Value *v = coded(bytes(DT_UINT8, SHAPE(2, 3)), 20);
    Value *scalar = floats(0, NULL, 3);
    Try t = {.in = {v}};
    t.nin = 3;
    t.in[1] = NULL;
    t.in[2] = scalar;
    t.out[0] = out_floats_of();
    CHECK(TAKEN(&t, Clip) && t.out[0]->table[0] == -10 && t.out[0]->table[255] == 3);
    value_release(t.out[0]);
    t.nin = 1;
    CHECK(!ONCE(&t, Sub, out_floats_of()));
    value_release(v), value_release(scalar);
}

/* One element is no more than a number: both are looked up in one. */
static void element_checks(void)
{
    Value *scalar = floats(0, NULL, 3);
    Value *one = coded(bytes(DT_UINT8, SHAPE(1)), 0), *single = floats(SHAPE(1), 2);
    Try t = {.in = {one, single}, .nin = 2};
    CHECK(!ONCE(&t, Sub, value_shape(DT_FLOAT32, SHAPE(1))));
    value_release(one), value_release(single);
    one = coded(bytes(DT_UINT8, SHAPE(2)), 0); /* two are more */
    t.in[0] = one;
    t.in[1] = scalar;
    CHECK(ONCE(&t, Sub, value_shape(DT_FLOAT32, SHAPE(2))));
    value_release(one);
    value_release(scalar);
}

/* ---- pairs ---- */

static Value *pair_part(int32_t zero)
{
    return coded(bytes(DT_UINT8, SHAPE(1, 2, 3)), zero);
}
static Value *pair_out(void)
{
    return value_shape(DT_UINT8, SHAPE(1, 2, 3));
}

static void pair_checks(void)
{
    Value *a = pair_part(0), *b = pair_part(20);
    Try t = {.in = {a, b}, .nin = 2, .epilogue = &plain};
    t.out[0] = pair_out();
    CHECK(TAKEN(&t, Sub) && t.out[0]->data && t.out[0]->data != a->source->data && !t.out[0]->last);
    for (int i = 0; i < 6; i++) /* each 10 more, in quarters */
        CHECK(((uint8_t *)t.out[0]->data)[i] == 140);
    value_release(t.out[0]);
    t.out[0] = pair_out(); /* (10 i + 10 i - 20) / 2 = 10 i - 10 */
    CHECK(TAKEN(&t, Add) && ((uint8_t *)t.out[0]->data)[0] == 60 &&
          ((uint8_t *)t.out[0]->data)[2] == 140);
    value_release(t.out[0]);
    t.out[0] = pair_out(); /* 5 x -5 = -25 of the second, 10 x 0 of the third */
    CHECK(TAKEN(&t, Mul) && ((uint8_t *)t.out[0]->data)[1] == 0 &&
          ((uint8_t *)t.out[0]->data)[2] == 100);
    value_release(t.out[0]);
    CHECK(!ONCE(&t, Div, pair_out()) && !ONCE(&t, Sub, value_shape(DT_UINT8, SHAPE(2, 3))));
    CHECK(!ONCE(&t, Sub, value_shape(DT_INT32, SHAPE(1, 2, 3))));
    t.epilogue = &no_byte;
    CHECK(!ONCE(&t, Sub, pair_out()));
    t.epilogue = &plain;
    t.nin = 1;
    CHECK(!ONCE(&t, Sub, pair_out()));
    t.nin = 2;
    Value *few = coded(bytes(DT_UINT8, SHAPE(2, 1, 3)), 0);
    t.in[1] = few;
    CHECK(!ONCE(&t, Sub, pair_out()));
    t.in[0] = few;
    t.in[1] = b;
    CHECK(!ONCE(&t, Sub, pair_out()));
    value_release(few);
    t.in[0] = a;
    /* One with the channels last: both are. */
    CHECK(value_channels_last(a->source) != NULL);
    t.out[0] = pair_out();
    CHECK(TAKEN(&t, Sub) && t.out[0]->last && b->source->last);
    value_release(t.out[0]);
    value_release(a), value_release(b);
}

/* More than a piece of 4096 at a time. */
static void long_checks(void)
{
    Value *a = coded(bytes(DT_UINT8, SHAPE(1, 1, 9001)), 0),
          *b = coded(bytes(DT_UINT8, SHAPE(1, 1, 9001)), 0);
    for (int64_t i = 0; i < 9001; i++) {
        ((uint8_t *)a->source->data)[i] = (uint8_t)(i / 100);
        ((uint8_t *)b->source->data)[i] = (uint8_t)(i % 7);
    }
    const struct {
        const char *name;
        OpIndex op;
    } op[] = {{"Add", OP_Add}, {"Sub", OP_Sub}, {"Mul", OP_Mul}};
    for (size_t k = 0; k < 3; k++) {
        const Epilogue half = {false, 0.5F, 20};
        Try t = {.in = {a, b}, .nin = 2, .epilogue = &half};
        t.out[0] = value_shape(DT_UINT8, SHAPE(1, 1, 9001));
        CHECK(is_taken(&t, op[k].name, op[k].op));
        size_t wrong = 0;
        for (int64_t i = 0; i < 9001; i++) {
            float x = (float)(i / 100) / 2, y = (float)(i % 7) / 2;
            float z = k == 0 ? x + y : k == 1 ? x - y : x * y, q = rintf(z * 2) + 20;
            uint8_t wanted = (uint8_t)(q > 255 ? 255 : q);
            wrong += ((const uint8_t *)t.out[0]->data)[i] != wanted;
        }
        CHECK(wrong == 0);
        value_release(t.out[0]);
    }
    value_release(a), value_release(b);
}

/* The bytes of an input become the output's where nobody else has a use for them. */
static void take_over_checks(void)
{
    for (int i = 0; i < 6; i++) {
        Value *a = pair_part(0), *b = pair_part(20), *held = NULL;
        Try t = {.in = {a, b}, .nin = 2, .epilogue = &plain};
        const void *bytes_of_a = a->source->data, *bytes_of_b = b->source->data;
        void *own = NULL;
        t.last[0] = i >= 1;
        t.last[1] = i == 1 || i == 2;
        if (i == 2) /* the first is read by another, so that the second is taken */
            held = a;
        if (i == 3)
            held = a->source;
        if (i == 4) {
            a->source->borrowed = true;
            own = a->source->data;
        }
        if (held)
            held->refs++;
        t.out[0] = pair_out();
        CHECK(TAKEN(&t, Sub));
        const void *data = t.out[0]->data;
        CHECK((data == bytes_of_a) == (i == 1 || i == 5) && (data == bytes_of_b) == (i == 2));
        CHECK(((const uint8_t *)data)[5] == 140);
        value_release(t.out[0]), value_release(held);
        value_release(a), value_release(b);
        free(own);
    }
}

/* ---- quantized, dequantized, the same ---- */

/* Whether it is taken; asked twice where not, as the executor asks the plain kernel then. */
static bool dequantizes(Value *root, Value *scale, int32_t zero)
{
    Value *at = value_create(DT_INT32, 0, NULL), *out = out_floats_of();
    *(int32_t *)at->data = zero;
    Try t = {.in = {root, scale, at}, .nin = 3, .out = {out}};
    bool ret = TAKEN(&t, DequantizeLinear) || TAKEN(&t, DequantizeLinear);
    CHECK(!ret || (quantized_has_one_scale(out) && out->source == root && out->zero[0] == zero));
    value_release(out), value_release(at);
    return ret;
}

static void quantize_checks(void)
{
    Value *v = coded(bytes(DT_UINT8, SHAPE(2, 3)), 20), *root = v->source;
    Value *scale = floats(0, NULL, 0.25F), *two = floats(SHAPE(2), 0.25F),
          *zero = bytes(DT_UINT8, 0, NULL), *zeros = bytes(DT_UINT8, SHAPE(2)),
          *row = floats(SHAPE(2, 3), 1), *text = value_create(DT_UINT8, 0, NULL);
    *(uint8_t *)zero->data = 100;
    text->dtype = DT_STRING;
    Try t = {.in = {v, scale, zero}, .nin = 3};
    t.out[0] = out_bytes_of();
    CHECK(TAKEN(&t, QuantizeLinear) && t.out[0]->codes && t.out[0]->source == root);
    CHECK(t.out[0]->codes[0] == 60 && t.out[0]->codes[20] == 100 && t.out[0]->codes[30] == 120);
    value_release(t.out[0]);
    t.in[2] = NULL;
    t.out[0] = out_bytes_of();
    CHECK(TAKEN(&t, QuantizeLinear) && t.out[0]->codes[0] == 0 && t.out[0]->codes[30] == 20);
    value_release(t.out[0]);
    CHECK(!ONCE(&t, QuantizeLinear, value_shape(DT_INT16, SHAPE(2, 3))));
    CHECK(!ONCE(&t, QuantizeLinear, value_shape(DT_UINT8, SHAPE(3, 2))));
    t.in[2] = zeros;
    CHECK(!ONCE(&t, QuantizeLinear, out_bytes_of()));
    t.in[2] = text;
    CHECK(!ONCE(&t, QuantizeLinear, out_bytes_of()));
    t.in[2] = zero;
    t.in[1] = two;
    CHECK(!ONCE(&t, QuantizeLinear, out_bytes_of()));
    t.in[1] = text;
    CHECK(!ONCE(&t, QuantizeLinear, out_bytes_of()));
    t.in[1] = NULL;
    CHECK(!ONCE(&t, QuantizeLinear, out_bytes_of()));
    t.in[1] = scale;
    t.in[0] = row;
    CHECK(!ONCE(&t, QuantizeLinear, out_bytes_of()));
    t.in[0] = NULL;
    CHECK(!ONCE(&t, QuantizeLinear, out_bytes_of()));
    /* A zero point that is no byte is refused, and leaves nothing behind. */
    CHECK(dequantizes(root, scale, 255) && dequantizes(root, scale, -128));
    CHECK(!dequantizes(root, scale, 256) && !dequantizes(root, scale, -129));
    t = (Try){.in = {root, scale}, .nin = 2};
    CHECK(!ONCE(&t, DequantizeLinear, value_shape(DT_FLOAT16, SHAPE(2, 3))));
    t.in[0] = row;
    CHECK(!ONCE(&t, DequantizeLinear, out_floats_of()));
    value_release(text), value_release(zeros), value_release(two);
    value_release(row), value_release(zero), value_release(scale), value_release(v);
}

static void same_checks(void)
{
    Value *v = bytes(DT_UINT8, SHAPE(2, 3));
    Try t = {.in = {v}, .nin = 1};
    t.out[0] = out_bytes_of();
    CHECK(TAKEN(&t, Identity) && t.out[0] == v && v->refs == 2);
    value_release(v);
    CHECK(!ONCE(&t, Identity, out_floats_of()));
    CHECK(!ONCE(&t, Identity, value_shape(DT_UINT8, SHAPE(3, 2))));
    t.nout = 2;
    CHECK(!ONCE(&t, Identity, out_bytes_of()));
    t.nout = 1;
    t.nin = 0;
    CHECK(!ONCE(&t, Identity, out_bytes_of()));
    value_release(v);
}

/* ---- side by side ---- */

static Value *concat_out(void)
{
    return value_shape(DT_UINT8, SHAPE(2, 3, 1, 2));
}

/* Of two images of two pixels: two channels of (x - 20) / 2, and one of x / 2. */
/* Codes that are as they were but for one, and codes of which none is. */
static void concat_tables(void)
{
    static const int64_t dim[] = {1, 1, 1, 2};
    Value *root = bytes(DT_UINT8, 4, dim), *but_one = value_shape(DT_FLOAT32, 4, dim),
          *none = value_shape(DT_FLOAT32, 4, dim);
    float table[256];
    for (int b = 0; b < 256; b++)
        table[b] = (float)(b ? b : 5);
    CHECK(quantized_set_table(but_one, root, table));
    for (int b = 0; b < 256; b++)
        table[b] = (float)((b + 1) % 256);
    CHECK(quantized_set_table(none, root, table));
    const Epilogue ones = {false, 1, 0};
    Try t = {.in = {but_one, none}, .nin = 2, .epilogue = &ones};
    t.out[0] = value_shape(DT_UINT8, SHAPE(1, 2, 1, 2));
    CHECK(TAKEN(&t, Concat) && !memcmp(t.out[0]->data, "\5\1\12\13", 4)); /* of 0 and 10 */
    value_release(t.out[0]), value_release(none), value_release(but_one), value_release(root);
}

static void concat_checks(void)
{
    Value *a = coded(bytes(DT_UINT8, SHAPE(2, 2, 1, 2)), 20),
          *b = coded(bytes(DT_UINT8, SHAPE(2, 1, 1, 2)), 0);
    const Epilogue as_it_was = {false, 0.5F, 20};
    Try t = {.in = {a, b}, .nin = 2, .epilogue = &plain};
    t.out[0] = concat_out();
    CHECK(TAKEN(&t, Concat) && t.out[0]->last);
    /* In quarters 2 x + 60 of 0 20, 10 30, 40 60, 50 70, and 2 x + 100 of 0, 10, 20, 30. */
    const uint8_t quarters[] = {60, 100, 100, 80, 120, 120, 140, 180, 140, 160, 200, 160};
    CHECK(!memcmp(t.out[0]->data, quarters, sizeof quarters));
    value_release(t.out[0]);
    t.epilogue = &as_it_was; /* the first two as they are, the other 20 more */
    t.out[0] = concat_out();
    CHECK(TAKEN(&t, Concat));
    const uint8_t halves[] = {0, 20, 20, 10, 30, 30, 40, 60, 40, 50, 70, 50};
    CHECK(!memcmp(t.out[0]->data, halves, sizeof halves));
    value_release(t.out[0]);
    t.epilogue = &no_byte;
    CHECK(!ONCE(&t, Concat, concat_out()));
    t.epilogue = NULL;
    CHECK(!ONCE(&t, Concat, concat_out()));
    t.epilogue = &plain;
    CHECK(!ONCE(&t, Concat, value_shape(DT_INT16, SHAPE(2, 3, 1, 2))));
    CHECK(!ONCE(&t, Concat, value_shape(DT_UINT8, SHAPE(2, 4, 1, 2))));
    CHECK(!ONCE(&t, Concat, value_shape(DT_UINT8, SHAPE(1, 3, 1, 2))));
    CHECK(!ONCE(&t, Concat, value_shape(DT_UINT8, SHAPE(2, 3, 1, 3))));
    CHECK(!ONCE(&t, Concat, value_shape(DT_UINT8, SHAPE(2, 3, 2))));
    const Attr axis = {.name = "axis", .type = ATTR_INT, .i = 2};
    t.node.attr = &axis;
    t.node.nattr = 1;
    CHECK(!ONCE(&t, Concat, concat_out()));
    t.node.nattr = 0;
    t.in[1] = NULL;
    CHECK(!ONCE(&t, Concat, concat_out()));
    Value *real = floats(SHAPE(2, 1, 1, 2), 1), *row = coded(bytes(DT_UINT8, SHAPE(2, 1)), 0),
          *line = coded(bytes(DT_UINT8, SHAPE(2, 3, 2)), 0);
    t.in[1] = real;
    CHECK(!ONCE(&t, Concat, concat_out()));
    t.in[1] = b;
    t.in[0] = real;
    CHECK(!ONCE(&t, Concat, concat_out()));
    t.nin = 1;
    t.in[0] = line; /* three dimensions do, two do not */
    CHECK(ONCE(&t, Concat, value_shape(DT_UINT8, SHAPE(2, 3, 2))));
    t.in[0] = row;
    CHECK(!ONCE(&t, Concat, value_shape(DT_UINT8, SHAPE(2, 1))));
    value_release(a), value_release(b), value_release(real), value_release(row);
    value_release(line);
}

int main(void)
{
    of_one_checks();
    of_two_checks();
    omitted_checks();
    element_checks();
    pair_checks();
    long_checks();
    take_over_checks();
    quantize_checks();
    same_checks();
    concat_checks();
    concat_tables();
    return check_failures() != 0;
}
