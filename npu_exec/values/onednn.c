/* Descriptors, reorders, and a path without instructions that saturate. */
#include "npu_exec/values/onednn.h"

#if defined __has_include
#if __has_include(<oneapi/dnnl/dnnl.h>)
#define HAVE_ONEDNN
#endif
#endif

#ifndef HAVE_ONEDNN

const char *onednn_load(OnednnUse use)
{
    (void)use;
    return NULL;
}

bool onednn_conv_float(const ConvShape *s, const float *x, const float *w, float *ret_sum)
{
    (void)s, (void)x, (void)w, (void)ret_sum;
    return false;
}

bool onednn_conv_int(const ConvShape *s, const Value *x, int32_t zero_x, const Value *w,
                     const int32_t *zero_w, int64_t nzero, int32_t *ret_sum)
{
    (void)s, (void)x, (void)zero_x, (void)w, (void)zero_w, (void)nzero, (void)ret_sum;
    return false;
}

#else

#include <dlfcn.h>
#include <oneapi/dnnl/dnnl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the library ---- */

#if DNNL_VERSION_MAJOR >= 3
#define OWN(X)                                                                                     \
    X(dnnl_memory_desc_create_with_strides)                                                        \
    X(dnnl_memory_desc_create_with_tag)                                                            \
    X(dnnl_memory_desc_destroy) X(dnnl_convolution_forward_primitive_desc_create)
typedef const_dnnl_memory_desc_t View; /* of a descriptor */
#define VIEW(d) ((View)(d))
#else
#define OWN(X)                                                                                     \
    X(dnnl_memory_desc_init_by_strides)                                                            \
    X(dnnl_memory_desc_init_by_tag)                                                                \
    X(dnnl_dilated_convolution_forward_desc_init) X(dnnl_primitive_desc_create)
typedef const dnnl_memory_desc_t *View;
#define VIEW(d) (&(d))
#endif
#define SHARED(X)                                                                                  \
    X(dnnl_engine_create)                                                                          \
    X(dnnl_stream_create)                                                                          \
    X(dnnl_stream_wait)                                                                            \
    X(dnnl_memory_create)                                                                          \
    X(dnnl_memory_destroy)                                                                         \
    X(dnnl_memory_desc_equal)                                                                      \
    X(dnnl_primitive_create)                                                                       \
    X(dnnl_primitive_destroy)                                                                      \
    X(dnnl_primitive_execute)                                                                      \
    X(dnnl_primitive_desc_destroy)                                                                 \
    X(dnnl_primitive_desc_query_md)                                                                \
    X(dnnl_reorder_primitive_desc_create)                                                          \
    X(dnnl_get_effective_cpu_isa)                                                                  \
    X(dnnl_version)

/* Making a primitive takes a millisecond or so, in which the plain kernels do this much. */
static const int64_t LEAST_MACS = 1 << 24;

/* One library in a process, and nothing else of it: what is loaded once stays. */
static struct {
    bool ready;
    dnnl_engine_t engine;
    dnnl_stream_t stream;
    char name[40];
    int64_t least_macs;
#define X(f) __typeof__(&f) f;
    SHARED(X) OWN(X)
#undef X
} lib;

static bool find_functions(void *handle)
{
    bool ok = true;
#define X(f)                                                                                       \
    {                                                                                              \
        void *at = dlsym(handle, #f);                                                              \
        memcpy(&lib.f, &at, sizeof at);                                                            \
        ok &= at != NULL;                                                                          \
    }
    SHARED(X)
    OWN(X)
#undef X
    return ok;
}

/* "libdnnl.so.3"; distributions also count within: Debian 13 calls 3.7 "libdnnl.so.3.6". */
static void *open_library(void)
{
    char name[40];
    snprintf(name, sizeof name, "libdnnl.so.%d", DNNL_VERSION_MAJOR);
    void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    for (int minor = DNNL_VERSION_MINOR; !handle && minor >= 0; minor--) {
        snprintf(name, sizeof name, "libdnnl.so.%d.%d", DNNL_VERSION_MAJOR, minor);
        handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    }
    return handle;
}

static bool start(void)
{
    void *handle = open_library();
    return handle && find_functions(handle) && lib.dnnl_version()->major == DNNL_VERSION_MAJOR &&
           lib.dnnl_engine_create(&lib.engine, dnnl_cpu, 0) == dnnl_success &&
           lib.dnnl_stream_create(&lib.stream, lib.engine, dnnl_stream_default_flags) ==
               dnnl_success;
}

const char *onednn_load(OnednnUse use)
{
    setenv("OMP_WAIT_POLICY", "passive", 0); /* threads that spin are in the way of others */
    if (!lib.ready && !start())
        return NULL;
    const dnnl_version_t *v = lib.dnnl_version();
    snprintf(lib.name, sizeof lib.name, "oneDNN %d.%d.%d", v->major, v->minor, v->patch);
    lib.ready = true;
    lib.least_macs = use == ONEDNN_ALWAYS ? 0 : LEAST_MACS;
    return lib.name;
}

/* Whether products of bytes are added up in 32 bits; older instructions saturate sums of two in 16.
 */
static bool adds_bytes_exactly(void)
{
    switch ((int)lib.dnnl_get_effective_cpu_isa()) {
    case dnnl_cpu_isa_avx2_vnni:
    case dnnl_cpu_isa_avx512_core_vnni:
    case dnnl_cpu_isa_avx512_core_bf16:
    case dnnl_cpu_isa_avx512_core_amx:
        return true;
    default:
        return false;
    }
}

/* ---- descriptors ---- */

enum { AXES = 5 };

/* A tensor of ours: dimensions, distances in elements, type. */
typedef struct {
    int naxis;
    dnnl_dims_t dim, stride;
    dnnl_data_type_t type;
    const void *data;
} Ours;

typedef struct {
    dnnl_memory_desc_t desc;
    bool made;
} Desc;

static Desc desc_of(const Ours *t, bool any)
{
    Desc d = {.made = true};
#if DNNL_VERSION_MAJOR >= 3
    dnnl_status_t st = any ? lib.dnnl_memory_desc_create_with_tag(&d.desc, t->naxis, t->dim,
                                                                  t->type, dnnl_format_tag_any)
                           : lib.dnnl_memory_desc_create_with_strides(&d.desc, t->naxis, t->dim,
                                                                      t->type, t->stride);
#else
    dnnl_status_t st =
        any ? lib.dnnl_memory_desc_init_by_tag(&d.desc, t->naxis, t->dim, t->type,
                                               dnnl_format_tag_any)
            : lib.dnnl_memory_desc_init_by_strides(&d.desc, t->naxis, t->dim, t->type, t->stride);
#endif
    d.made = st == dnnl_success;
    return d;
}

static void desc_free(Desc *d)
{
#if DNNL_VERSION_MAJOR >= 3
    if (d->made)
        lib.dnnl_memory_desc_destroy(d->desc);
#endif
    d->made = false;
}

/* Strides, dilations and pads: [rows, columns]. */
typedef struct {
    dnnl_dims_t stride, dilation, before, after;
} Window;

static bool create_conv(const Desc *x, const Desc *w, const Desc *y, const Window *k,
                        dnnl_primitive_desc_t *ret)
{
#if DNNL_VERSION_MAJOR >= 3
    return lib.dnnl_convolution_forward_primitive_desc_create(
               ret, lib.engine, dnnl_forward_inference, dnnl_convolution_direct, x->desc, w->desc,
               NULL, y->desc, k->stride, k->dilation, k->before, k->after, NULL) == dnnl_success;
#else
    dnnl_convolution_desc_t op;
    return lib.dnnl_dilated_convolution_forward_desc_init(
               &op, dnnl_forward_inference, dnnl_convolution_direct, &x->desc, &w->desc, NULL,
               &y->desc, k->stride, k->dilation, k->before, k->after) == dnnl_success &&
           lib.dnnl_primitive_desc_create(ret, &op, NULL, lib.engine, NULL) == dnnl_success;
#endif
}

/* ---- running ---- */

static bool run_reorder(View from, dnnl_memory_t a, View to, dnnl_memory_t b)
{
    dnnl_primitive_desc_t pd = NULL;
    dnnl_primitive_t p = NULL;
    const dnnl_exec_arg_t arg[] = {{DNNL_ARG_FROM, a}, {DNNL_ARG_TO, b}};
    bool ok = lib.dnnl_reorder_primitive_desc_create(&pd, from, lib.engine, to, lib.engine, NULL) ==
                  dnnl_success &&
              lib.dnnl_primitive_create(&p, pd) == dnnl_success &&
              lib.dnnl_primitive_execute(p, lib.stream, 2, arg) == dnnl_success;
    if (p)
        lib.dnnl_primitive_destroy(p);
    if (pd)
        lib.dnnl_primitive_desc_destroy(pd);
    return ok;
}

/* A tensor of ours in the form that the convolution wants. */
typedef struct {
    dnnl_memory_t ours, theirs; /* the same where the forms are */
    View want;
} Held;

static bool hold(const Desc *d, const void *data, View want, Held *ret)
{
    void *at;
    memcpy(&at, &data, sizeof at);
    *ret = (Held){NULL, NULL, want};
    if (lib.dnnl_memory_create(&ret->ours, VIEW(d->desc), lib.engine, at) != dnnl_success)
        return false;
    if (lib.dnnl_memory_desc_equal(VIEW(d->desc), want)) {
        ret->theirs = ret->ours;
        return true;
    }
    return lib.dnnl_memory_create(&ret->theirs, want, lib.engine, DNNL_MEMORY_ALLOCATE) ==
           dnnl_success;
}

static void let_go(Held *h)
{
    if (h->theirs && h->theirs != h->ours)
        lib.dnnl_memory_destroy(h->theirs);
    if (h->ours)
        lib.dnnl_memory_destroy(h->ours);
}

static bool run_conv(dnnl_primitive_desc_t pd, const Desc ours[3], Held held[3])
{
    dnnl_primitive_t p = NULL;
    bool ok = true;
    for (int i = 0; i < 2; i++)
        ok = ok && (held[i].theirs == held[i].ours ||
                    run_reorder(VIEW(ours[i].desc), held[i].ours, held[i].want, held[i].theirs));
    const dnnl_exec_arg_t arg[] = {{DNNL_ARG_SRC, held[0].theirs},
                                   {DNNL_ARG_WEIGHTS, held[1].theirs},
                                   {DNNL_ARG_DST, held[2].theirs}};
    ok = ok && lib.dnnl_primitive_create(&p, pd) == dnnl_success &&
         lib.dnnl_primitive_execute(p, lib.stream, 3, arg) == dnnl_success;
    ok = ok && (held[2].theirs == held[2].ours ||
                run_reorder(held[2].want, held[2].theirs, VIEW(ours[2].desc), held[2].ours));
    ok &= lib.dnnl_stream_wait(lib.stream) == dnnl_success;
    if (p)
        lib.dnnl_primitive_destroy(p);
    return ok;
}

/* Image, weights, sums. */
static bool convolve(const Ours t[3], const Window *k)
{
    static const dnnl_query_t query[] = {dnnl_query_src_md, dnnl_query_weights_md,
                                         dnnl_query_dst_md};
    Desc ours[3], any[3];
    Held held[3] = {{0}};
    dnnl_primitive_desc_t pd = NULL;
    bool ok = true;
    for (int i = 0; i < 3; i++) {
        ours[i] = desc_of(&t[i], false);
        any[i] = desc_of(&t[i], true);
        ok &= ours[i].made && any[i].made;
    }
    ok = ok && create_conv(&any[0], &any[1], &any[2], k, &pd);
    for (int i = 0; i < 3 && ok; i++)
        ok = hold(&ours[i], t[i].data, lib.dnnl_primitive_desc_query_md(pd, query[i], 0), &held[i]);
    ok = ok && run_conv(pd, ours, held);
    for (int i = 0; i < 3; i++) {
        let_go(&held[i]);
        desc_free(&ours[i]);
        desc_free(&any[i]);
    }
    if (pd)
        lib.dnnl_primitive_desc_destroy(pd);
    return ok;
}

/* ---- as convolutions are here ---- */

static Ours tensor4(int64_t a, int64_t b, int64_t c, int64_t d, dnnl_data_type_t type,
                    const void *data)
{
    return (Ours){4, {a, b, c, d}, {b * c * d, c * d, d, 1}, type, data};
}

/* Channels [from, from + count) of a group of the weights, all groups. */
static Ours weights_of(const ConvShape *s, dnnl_data_type_t type, const void *data, int64_t count)
{
    int64_t taps = s->kh * s->kw, channels = s->c / s->group, m = s->m / s->group;
    if (s->group == 1)
        return (Ours){
            4, {s->m, count, s->kh, s->kw}, {channels * taps, taps, s->kw, 1}, type, data};
    return (Ours){5,
                  {s->group, m, channels, s->kh, s->kw},
                  {m * channels * taps, channels * taps, taps, s->kw, 1},
                  type,
                  data};
}

/* Rows or columns that the windows reach over, pads included. */
static int64_t reach(int64_t out, int64_t stride, int64_t kernel, int64_t dilation)
{
    return (out - 1) * stride + (kernel - 1) * dilation + 1;
}

static Window window_of(const ConvShape *s, bool padded)
{
    Window k = {{s->sh, s->sw}, {s->dh - 1, s->dw - 1}, {0}, {0}};
    if (padded)
        return k;
    int64_t below = reach(s->oh, s->sh, s->kh, s->dh) - s->h - s->ph;
    int64_t right = reach(s->ow, s->sw, s->kw, s->dw) - s->w - s->pw;
    k.before[0] = s->ph;
    k.before[1] = s->pw;
    k.after[0] = below > 0 ? below : 0;
    k.after[1] = right > 0 ? right : 0;
    return k;
}

static bool can_do(const ConvShape *s)
{
    return lib.ready && s->n > 0 && s->c > 0 && s->m > 0 && s->h > 0 && s->w > 0 && s->oh > 0 &&
           s->ow > 0 && s->kh > 0 && s->kw > 0 && s->ph >= 0 && s->pw >= 0 &&
           (double)(s->n * s->m * s->oh * s->ow) * (double)(s->c / s->group * s->kh * s->kw) >=
               (double)lib.least_macs;
}

/* `count` channels of the image from x on; all of them where there are groups. */
static bool conv_part(const ConvShape *s, const float *x, const float *w, int64_t count,
                      float *ret_sum)
{
    Ours t[3] = {tensor4(s->n, count, s->h, s->w, dnnl_f32, x), weights_of(s, dnnl_f32, w, count),
                 tensor4(s->n, s->m, s->oh, s->ow, dnnl_f32, ret_sum)};
    t[0].stride[0] = s->c * s->h * s->w;
    Window k = window_of(s, false);
    return convolve(t, &k);
}

bool onednn_conv_float(const ConvShape *s, const float *x, const float *w, float *ret_sum)
{
    return can_do(s) && conv_part(s, x, w, s->c, ret_sum);
}

/* ---- bytes ---- */

/* Weights less their zero points, in the order of the weights; their largest magnitude. */
static int32_t *whole_weights(const ConvShape *s, const Value *w, const int32_t *zero,
                              int64_t nzero, int32_t *ret_most)
{
    int64_t depth = s->c / s->group * s->kh * s->kw;
    int32_t *whole = malloc(((size_t)w->count + 1) * sizeof *whole), most = 0;
    for (int64_t i = 0; whole && i < w->count; i++) {
        whole[i] = value_byte(w, i) - zero[nzero > 1 ? i / depth : 0];
        int32_t magnitude = whole[i] < 0 ? -whole[i] : whole[i];
        most = magnitude > most ? magnitude : most;
    }
    *ret_most = most;
    return whole;
}

/* The image with what the windows reach beyond it, which is its zero point. */
static uint8_t *pad_image(const ConvShape *s, const Value *x, int32_t zero, int64_t rows,
                          int64_t columns)
{
    size_t size = (size_t)(s->n * s->c * rows * columns);
    uint8_t *to = malloc(size + 1);
    if (!to)
        return NULL;
    memset(to, (uint8_t)zero, size);
    int64_t width = columns - s->pw < s->w ? columns - s->pw : s->w;
    for (int64_t plane = 0; plane < s->n * s->c && width > 0; plane++)
        for (int64_t r = 0; r < s->h && r + s->ph < rows; r++)
            memcpy(to + (plane * rows + r + s->ph) * columns + s->pw,
                   (const uint8_t *)x->data + (plane * s->h + r) * s->w, (size_t)width);
    return to;
}

/* Takes what the zero point of the image adds to each sum away again. */
static void take_zero_away(const ConvShape *s, const int32_t *whole, int32_t zero, int32_t *sum)
{
    int64_t depth = s->c / s->group * s->kh * s->kw, pixels = s->oh * s->ow;
    for (int64_t m = 0; m < s->m; m++) {
        int32_t all = 0;
        for (int64_t k = 0; k < depth; k++)
            all += whole[m * depth + k];
        for (int64_t n = 0; n < s->n; n++)
            for (int64_t i = 0; i < pixels; i++)
                sum[(n * s->m + m) * pixels + i] -= zero * all;
    }
}

static bool conv_bytes(const ConvShape *s, const Value *x, int32_t zero, const int32_t *whole,
                       int64_t count, int32_t *ret_sum)
{
    int64_t rows = reach(s->oh, s->sh, s->kh, s->dh), columns = reach(s->ow, s->sw, s->kw, s->dw);
    int8_t *w = malloc((size_t)count + 1);
    uint8_t *image = pad_image(s, x, zero, rows, columns);
    bool ok = w && image;
    for (int64_t i = 0; ok && i < count; i++)
        w[i] = (int8_t)whole[i];
    if (ok) {
        const Ours t[3] = {
            tensor4(s->n, s->c, rows, columns, x->dtype == DT_INT8 ? dnnl_s8 : dnnl_u8, image),
            weights_of(s, dnnl_s8, w, s->c / s->group),
            tensor4(s->n, s->m, s->oh, s->ow, dnnl_s32, ret_sum)};
        Window k = window_of(s, true);
        ok = convolve(t, &k);
    }
    if (ok)
        take_zero_away(s, whole, zero, ret_sum);
    free(w);
    free(image);
    return ok;
}

/* In floats, as many channels at a time as add up below 2^24: there floats are whole numbers, in
 * whatever order they are added. */
static bool conv_floats_exactly(const ConvShape *s, const Value *x, int32_t zero,
                                const int32_t *whole, int32_t most, int64_t nweight,
                                int32_t *ret_sum)
{
    int64_t taps = s->kh * s->kw, channels = s->c / s->group;
    int64_t nsum = s->n * s->m * s->oh * s->ow;
    int64_t at_once = (INT64_C(1) << 24) / (INT64_C(383) * (most ? most : 1) * taps);
    at_once = at_once > channels ? channels : at_once;
    if (at_once < 1 || (s->group > 1 && at_once < channels))
        return false;
    float *image = malloc(((size_t)x->count + 1) * sizeof *image);
    float *w = malloc(((size_t)nweight + 1) * sizeof *w);
    float *part = malloc(((size_t)nsum + 1) * sizeof *part);
    bool ok = image && w && part;
    for (int64_t i = 0; ok && i < x->count; i++)
        image[i] = (float)(value_byte(x, i) - zero);
    for (int64_t i = 0; ok && i < nweight; i++)
        w[i] = (float)whole[i];
    memset(ret_sum, 0, (size_t)nsum * sizeof *ret_sum);
    for (int64_t c = 0; ok && c < channels; c += at_once) {
        int64_t count = channels - c < at_once ? channels - c : at_once;
        ok = conv_part(s, image + c * s->h * s->w, w + c * taps, s->group > 1 ? s->c : count, part);
        for (int64_t i = 0; ok && i < nsum; i++)
            ret_sum[i] += (int32_t)part[i];
    }
    free(image);
    free(w);
    free(part);
    return ok;
}

bool onednn_conv_int(const ConvShape *s, const Value *x, int32_t zero_x, const Value *w,
                     const int32_t *zero_w, int64_t nzero, int32_t *ret_sum)
{
    int32_t most = 0;
    int32_t *whole = can_do(s) ? whole_weights(s, w, zero_w, nzero, &most) : NULL;
    bool fits = true, in_type = x->dtype == DT_INT8 ? zero_x >= -128 && zero_x <= 127
                                                    : zero_x >= 0 && zero_x <= 255;
    if (!whole)
        return false;
    for (int64_t i = 0; i < w->count; i++)
        fits &= whole[i] >= -128 && whole[i] <= 127;
    bool ok = adds_bytes_exactly() && fits && in_type
                  ? conv_bytes(s, x, zero_x, whole, w->count, ret_sum)
                  : conv_floats_exactly(s, x, zero_x, whole, most, w->count, ret_sum);
    free(whole);
    return ok;
}

#endif
