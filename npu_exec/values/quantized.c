/* Computes operators on bytes, by tables of one or of two operands. */
#include "npu_exec/values/quantized.h"

enum { BYTES = 256 };

/* ---- what a value is ---- */

bool quantized_has_one_scale(const Value *v)
{
    return v && v->dtype == DT_FLOAT32 && value_is_bytes(v->source) && v->scale && v->nscale == 1;
}

static int32_t whole_byte(DType t, int b)
{
    return t == DT_INT8 ? (int8_t)(uint8_t)b : b;
}

bool quantized_function_of(Value *v, ByteFunction *ret)
{
    if (!v || (!v->table && !quantized_has_one_scale(v))) /* a table is of bytes, and of floats */
        return false;
    Value *s = v->source;
    const uint8_t *codes = s->codes; /* gone once there is data */
    for (int b = 0; b < BYTES; b++) {
        int at = codes ? codes[b] : b;
        ret->number[b] =
            v->table ? v->table[at] : (float)(whole_byte(s->dtype, at) - v->zero[0]) * v->scale[0];
    }
    ret->root = codes ? s->source : s;
    return true;
}

bool quantized_coding(const Epilogue *e, DType t, Coding *ret)
{
    int64_t zero = e->zero + (t == DT_INT8 ? 128 : 0);
    *ret = (Coding){
        .relu = e->relu, .step = e->scale, .zero = (int32_t)zero, .flip = t == DT_INT8 ? 0x80 : 0};
    return (t == DT_INT8 || t == DT_UINT8) && zero >= 0 && zero <= UINT8_MAX;
}

Decoding quantized_decoding(const Value *v)
{
    bool is_signed = v->source->dtype == DT_INT8;
    return (Decoding){.scale = v->scale[0],
                      .zero = v->zero[0] + (is_signed ? 128 : 0),
                      .flip = is_signed ? 0x80 : 0};
}

bool quantized_same_size(const Value *a, const Value *b)
{
    return a->rank == b->rank && memcmp(a->dim, b->dim, (size_t)a->rank * sizeof *a->dim) == 0;
}

/* ---- what an output becomes ---- */

static bool take_root(Value *out, Value *root, bool made)
{
    if (!made)
        return false;
    out->source = root;
    root->refs++;
    return true;
}

bool quantized_set_bytes(Value *out, Value *root, const uint8_t *codes)
{
    out->codes = malloc(BYTES);
    if (out->codes)
        memcpy(out->codes, codes, BYTES);
    return take_root(out, root, out->codes != NULL);
}

bool quantized_set_table(Value *out, Value *root, const float *table)
{
    out->table = malloc(BYTES * sizeof *table);
    if (out->table)
        memcpy(out->table, table, BYTES * sizeof *table);
    return take_root(out, root, out->table != NULL);
}

bool quantized_set_source(Value *out, const Value *like, Value *bytes)
{
    bool ok = true;
    if (like->table) {
        ok = quantized_set_table(out, bytes, like->table);
    } else {
        out->scale = malloc(sizeof *out->scale);
        out->zero = malloc(sizeof *out->zero);
        ok = out->scale && out->zero;
        if (ok) {
            out->scale[0] = like->scale[0];
            out->zero[0] = like->zero[0];
        }
        ok = take_root(out, bytes, ok);
    }
    value_release(bytes);
    return ok;
}

/* ---- element by element ---- */

/* An input of a kernel that is run on the 256 numbers: those of a function, or a scalar. */
static bool table_input(Value *v, const Value *shape, Value **root, Value **ret)
{
    ByteFunction f;
    *ret = v;
    if (!v)
        return true;
    if (!quantized_same_size(v, shape) || !quantized_function_of(v, &f))
        return v->count == 1 && shape->count > 1 && v->dtype == DT_FLOAT32;
    if (*root && *root != f.root)
        return false;
    *root = f.root;
    *ret = value_create(DT_FLOAT32, 1, (const int64_t[]){BYTES});
    if (*ret)
        memcpy((*ret)->data, f.number, sizeof f.number);
    return *ret != NULL;
}

enum { INPUTS_MAX = 4 };

/* The operator by its own kernel, on 256 numbers instead of all elements. */
static bool numbers_of(Call *c, Value **ret_root, float *ret)
{
    Value *in[INPUTS_MAX] = {NULL}, *root = NULL;
    Value *out = value_create(DT_FLOAT32, 1, (const int64_t[]){BYTES});
    bool ok = out && c->nin <= INPUTS_MAX &&
              LIST_ALL(i, c->nin, table_input(c->in[i], c->out[0], &root, &in[i]));
    Diag ignored = {{0}};
    Call few = *c;
    few.in = in;
    few.out = &out;
    few.epilogue = NULL;
    few.diag = &ignored;
    ok = ok && root && c->plain(&few) == STATUS_OK && value_convert_elements(out);
    if (ok)
        memcpy(ret, out->data, BYTES * sizeof *ret);
    for (uint32_t i = 0; i < c->nin && i < INPUTS_MAX; i++)
        if (in[i] != c->in[i])
            value_release(in[i]);
    value_release(out);
    *ret_root = root;
    return ok;
}

static bool code_numbers(const float *number, const Epilogue *e, DType t, uint8_t *ret)
{
    float v[BYTES];
    memcpy(v, number, sizeof v);
    if (e->relu)
        loop_relu(v, v, BYTES);
    return kernel_quantize_row(v, e->scale, e->zero, t, ret, BYTES);
}

static bool by_table(Call *c)
{
    float number[BYTES];
    uint8_t codes[BYTES];
    Value *root = NULL, *out = c->out[0];
    bool fits = c->nout == 1 && (c->epilogue ? value_is_bytes(out) : out->dtype == DT_FLOAT32);
    if (!fits || !numbers_of(c, &root, number))
        return false;
    if (!c->epilogue)
        return quantized_set_table(out, root, number);
    return code_numbers(number, c->epilogue, out->dtype, codes) &&
           quantized_set_bytes(out, root, codes);
}

typedef struct {
    const uint8_t *a, *b;
    uint8_t *y;
    Decoding da, db;
    Coding to;
    OpId op;
} Pair;

static void code_some(const Pair *p, size_t at, uint8_t *y, size_t n)
{
    if (p->op == OP_Add)
        loop_add_bytes(p->a + at, p->b + at, &p->da, &p->db, &p->to, y, n);
    else if (p->op == OP_Sub)
        loop_sub_bytes(p->a + at, p->b + at, &p->da, &p->db, &p->to, y, n);
    else
        loop_mul_bytes(p->a + at, p->b + at, &p->da, &p->db, &p->to, y, n);
}

/* Piece by piece, as y may be a or b. */
static void code_pair(const Pair *p, size_t end)
{
    uint8_t piece[4096];
    for (size_t at = 0, n; at < end; at += n) {
        n = end - at < sizeof piece ? end - at : sizeof piece;
        code_some(p, at, piece, n);
        memcpy(p->y + at, piece, n);
    }
}

/* Both sources with their elements, in one order. */
static bool open_alike(Value *a, Value *b)
{
    if (!value_open(a) || !value_open(b))
        return false;
    return a->last == b->last || (value_channels_last(a) && value_channels_last(b));
}

/* The bytes of input i, which no other reader needs, become the output's. */
static bool take_over(Call *c, uint32_t i, Value *out)
{
    Value *v = c->in[i], *s = v->source;
    if (!c->last[i] || v->refs > 1 || s->refs > 1 || s->borrowed || out->data)
        return false;
    out->data = s->data;
    s->data = NULL;
    return true;
}

static bool by_pair(Call *c)
{
    Value *a = call_in(c, 0), *b = call_in(c, 1), *out = c->out[0];
    OpId op = c->node->op_id;
    Pair p = {.op = op};
    if ((op != OP_Add && op != OP_Sub && op != OP_Mul) || !c->epilogue ||
        !quantized_has_one_scale(a) || !quantized_has_one_scale(b) ||
        !quantized_same_size(a, out) || !quantized_same_size(b, out) ||
        !quantized_coding(c->epilogue, out->dtype, &p.to) || !open_alike(a->source, b->source))
        return false;
    p.a = a->source->data;
    p.b = b->source->data;
    if (!take_over(c, 0, out) && !take_over(c, 1, out) && !value_allocate(out))
        return false;
    p.y = out->data;
    p.da = quantized_decoding(a);
    p.db = quantized_decoding(b);
    out->last = a->source->last;
    code_pair(&p, (size_t)out->count);
    return true;
}

bool kernel_fast_elementwise(Call *c)
{
    return by_table(c) || by_pair(c);
}

/* ---- codes and numbers ---- */

bool kernel_fast_quantize(Call *c)
{
    Value *scale = call_in(c, 1), *zero = call_in(c, 2), *out = c->out[0];
    ByteFunction f;
    uint8_t codes[BYTES];
    if (!scale || scale->count != 1 || (zero && zero->count != 1) || !value_is_bytes(out) ||
        !call_in(c, 0) || !quantized_same_size(call_in(c, 0), out) ||
        !quantized_function_of(call_in(c, 0), &f))
        return false;
    const float *step = value_floats(scale);
    const int64_t *at = zero ? value_ints(zero) : NULL;
    if (!step || (zero && !at))
        return false;
    Epilogue e = {.scale = step[0], .zero = at ? at[0] : 0};
    return code_numbers(f.number, &e, out->dtype, codes) && quantized_set_bytes(out, f.root, codes);
}

/* The bytes stay as they are. */
bool kernel_fast_dequantize(Call *c)
{
    return value_is_bytes(call_in(c, 0)) && c->out[0]->dtype == DT_FLOAT32 &&
           c->plain(c) == STATUS_OK;
}

/* The input itself, where type and shape are the same. */
bool kernel_fast_identity(Call *c)
{
    Value *v = call_in(c, 0);
    if (!v || c->nout != 1 || v->dtype != c->out[0]->dtype || !quantized_same_size(v, c->out[0]))
        return false;
    value_release(c->out[0]);
    c->out[0] = v;
    v->refs++;
    return true;
}

/* ---- side by side ---- */

typedef struct {
    const uint8_t *x, *codes; /* NULL: as they are */
    uint8_t *y;
    size_t channels, all;
} Part;

static void put_pixels(const Part *p, int64_t n)
{
    for (int64_t k = 0; k < n; k++)
        if (p->codes)
            loop_look_up(p->x + (size_t)k * p->channels, p->codes, p->y + (size_t)k * p->all,
                         p->channels);
        else
            memcpy(p->y + (size_t)k * p->all, p->x + (size_t)k * p->channels, p->channels);
}

/* Channels of dequantized bytes, quantized again. */
bool kernel_fast_concat(Call *c)
{
    Value *out = c->out[0];
    size_t at = 0;
    if (!c->epilogue || !value_is_bytes(out) || out->rank < 3 || kernel_axis(c, 1, out->rank) != 1)
        return false;
    for (uint32_t i = 0; i < c->nin; i++) {
        ByteFunction f;
        Value *v = c->in[i];
        if (!v || v->rank != out->rank || v->dim[0] != out->dim[0] ||
            !quantized_function_of(v, &f) ||
            value_extent(v, 2, v->rank) != value_extent(out, 2, out->rank))
            return false;
        at += (size_t)v->dim[1];
    }
    if (at != (size_t)out->dim[1] || !value_allocate(out))
        return false;
    at = 0;
    for (uint32_t i = 0; i < c->nin; i++) {
        ByteFunction f;
        uint8_t codes[BYTES];
        Value *v = c->in[i];
        const uint8_t *x = quantized_function_of(v, &f) ? value_channels_last(f.root) : NULL;
        if (!x || !code_numbers(f.number, c->epilogue, out->dtype, codes))
            return false;
        put_pixels(&(Part){.x = x,
                           .codes = LIST_ALL(b, BYTES, codes[b] == b) ? NULL : codes,
                           .y = (uint8_t *)out->data + at,
                           .channels = (size_t)v->dim[1],
                           .all = (size_t)out->dim[1]},
                   out->dim[0] * value_extent(out, 2, out->rank));
        at += (size_t)v->dim[1];
    }
    out->last = true;
    return true;
}

/* ---- by plain kernels ---- */

Status quantized_run_plain(Call *c, Kernel *kernel)
{
    Value *codes = c->out[0], *real = value_create(DT_FLOAT32, codes->rank, codes->dim);
    const Epilogue *e = c->epilogue;
    if (!real || !value_allocate(codes)) {
        value_release(real);
        return call_no_memory(c);
    }
    c->out[0] = real;
    c->epilogue = NULL;
    Status st = kernel(c);
    float *y = st || !value_convert_elements(real) ? NULL : real->data;
    size_t n = (size_t)codes->count;
    if (y && e->relu)
        loop_relu(y, y, n);
    if (!st && (!y || !kernel_quantize_row(y, e->scale, e->zero, codes->dtype, codes->data, n)))
        st = call_refuse(c, "its type is not handled");
    value_release(real);
    c->out[0] = codes;
    c->epilogue = e;
    return st;
}
