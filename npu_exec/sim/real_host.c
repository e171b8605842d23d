/* Runs each conversion several times on this machine and takes the median. */
#include "npu_exec/sim/real_host.h"
#include "graph/model/dtype.h"
#include "npu_exec/sim/convert.h"
#include "npu_exec/sim/messages.h"
#include "graph/base/statistics.h"

#include <time.h>

/* FILL: bytes of a small float.  Pages that were never written share one physical page, and reading
 * them would take no time. */
enum { REPEATS = 9, FILL = 0x3c };
static const int64_t buffer_limit_bytes = INT64_C(4) << 30;

/* One conversion and its buffers. */
typedef struct {
    const Step *step;
    const PTensor *in, *out; /* by layout and place, not by type */
    uint8_t *from, *to;
    size_t elements;
} Conversion;

static LoweredShape lowered_of(const PTensor *t)
{
    return (LoweredShape){t->n, t->c, t->h, t->w, t->ho, t->co, t->hi, t->ci, t->w_padded};
}

static int channels_last(const Conversion *c)
{
    return c->step->reason == REASON_LAST_AXIS_NOT_WIDTH;
}

static void do_quantize(const Conversion *c)
{
    if (c->step->from == DT_FLOAT32)
        convert_float_to_int8((const float *)(const void *)c->from, 0.02f, 0, (int8_t *)c->to,
                              c->elements);
    else
        convert_sign(c->from, c->to, c->elements);
}

static void do_dequantize(const Conversion *c)
{
    if (c->step->to == DT_FLOAT32)
        convert_int8_to_float((const int8_t *)c->from, 0.02f, 0, (float *)(void *)c->to,
                              c->elements);
    else
        convert_sign(c->from, c->to, c->elements);
}

static void do_lower(const Conversion *c)
{
    LoweredShape l = lowered_of(c->out);
    convert_lower(&l, channels_last(c), c->from, c->to);
}

static void do_unlower(const Conversion *c)
{
    LoweredShape l = lowered_of(c->in);
    convert_unlower(&l, channels_last(c), c->from, c->to);
}

static size_t rows_of(const PTensor *t)
{
    return (size_t)(t->n * t->c * t->h);
}

static void do_pad(const Conversion *c)
{
    convert_pad(c->from, rows_of(c->in), (size_t)c->in->w, (size_t)c->out->w_padded, c->to);
}

static void do_slice(const Conversion *c)
{
    convert_slice(c->from, rows_of(c->out), (size_t)c->out->w, (size_t)c->in->w_padded, c->to);
}

static void (*const conversion[HOST_OP_COUNT])(const Conversion *) = {
    [HOST_QUANTIZE] = do_quantize, [HOST_DEQUANTIZE] = do_dequantize,
    [HOST_LOWER] = do_lower,       [HOST_UNLOWER] = do_unlower,
    [HOST_PAD] = do_pad,           [HOST_SLICE] = do_slice,
};

static bool is_partition(const PTensor *t)
{
    return t->ho > 0 && t->co > 0 && t->hi > 0 && t->ci > 0 && t->w_padded >= t->w &&
           t->ho * t->hi >= t->h && t->co * t->ci >= t->c;
}

/* Whether types and sizes are those that the conversions above can do. */
static bool can_do(const Step *s, const PTensor *in, const PTensor *out)
{
    int64_t real = i64_mul(i64_mul(in->n, in->c), i64_mul(in->h, in->w));
    bool bytes = dtype_bits(s->from) == 8 && dtype_bits(s->to) == 8;
    if (s->host_op == HOST_QUANTIZE)
        return (s->from == DT_FLOAT32 || dtype_bits(s->from) == 8) && dtype_bits(s->to) == 8;
    if (s->host_op == HOST_DEQUANTIZE)
        return (s->to == DT_FLOAT32 || dtype_bits(s->to) == 8) && dtype_bits(s->from) == 8;
    return bytes && real == in->elements && in->n > 0 && in->c > 0 && in->h > 0 && in->w > 0 &&
           out->n == in->n && out->c == in->c && out->h == in->h && out->w == in->w &&
           is_partition(in) && is_partition(out);
}

/* Bytes of a tensor in whichever layout it has, and at least of its real elements. */
static int64_t room_of(const PTensor *t, DType type, int64_t elements)
{
    return i64_max(t->bytes, i64_max(dtype_bytes(type, elements), 0));
}

static Ps now_ps(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (Ps)t.tv_sec * PS_PER_S + (Ps)t.tv_nsec * PS_PER_NS;
}

/* Median of the repetitions; one more before them touches the pages. */
static Ps median_time(const Conversion *c)
{
    Ps took[REPEATS];
    conversion[c->step->host_op](c);
    for (int i = 0; i < REPEATS; i++) {
        Ps start = now_ps();
        conversion[c->step->host_op](c);
        took[i] = now_ps() - start;
    }
    statistics_sort_ints(took, REPEATS);
    return i64_max(took[REPEATS / 2], PS_PER_NS);
}

static Status measure_conversion(Conversion *c, Ps *ret, Diag *diag)
{
    int64_t in = room_of(c->in, c->step->from, c->step->elements),
            out = room_of(c->out, c->step->to, c->step->elements);
    bool fits = in <= buffer_limit_bytes && out <= buffer_limit_bytes;
    c->from = fits ? malloc((size_t)in + 1) : NULL;
    c->to = fits ? malloc((size_t)out + 1) : NULL;
    c->elements = (size_t)i64_max(c->step->elements, 0);
    bool ok = c->from && c->to;
    if (ok) {
        memset(c->from, FILL, (size_t)in + 1);
        *ret = median_time(c);
    }
    free(c->from);
    free(c->to);
    return ok ? STATUS_OK
              : diag_set(diag, STATUS_INPUT, NULL, c->step->op,
                         "buffers of %lld and %lld bytes are more than --host real can have",
                         (long long)in, (long long)out);
}

Status real_host_measure(RunPlan *plan, Notes *notes, Diag *diag)
{
    uint32_t modelled = 0;
    plan->host_measured = true;
    for (uint32_t i = 0; i < plan->nstage; i++) {
        Stage *g = &plan->stage[i];
        const Step *s = &plan->program->step[g->step];
        if (g->kind != STAGE_HOST)
            continue;
        if (!conversion[s->host_op] || !g->known || s->ninput != 1 || s->noutput != 1 ||
            !can_do(s, &plan->program->tensor[s->input[0]], &plan->program->tensor[s->output[0]])) {
            modelled++;
            continue;
        }
        Conversion c = {.step = s,
                        .in = &plan->program->tensor[s->input[0]],
                        .out = &plan->program->tensor[s->output[0]]};
        Status st = measure_conversion(&c, &g->service, diag);
        if (st)
            return st;
        g->measured = true;
    }
    if (modelled > 0)
        notes_add(notes, "host-modelled", MESSAGE_ID(HOST_MODELLED), arg_count(modelled));
    return STATUS_OK;
}
