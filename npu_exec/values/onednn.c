/* Descriptors, reorders, and a path without instructions that saturate. */
#include "npu_exec/values/onednn.h"

#include "npu_exec/values/team.h"

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

const char *onednn_about(Arena *a, bool *ret_fast)
{
    (void)a;
    *ret_fast = false;
    return "this program was built without it (libdnnl-dev): values run through plain kernels, "
           "slower";
}

OnednnConv *onednn_conv_floats(const ConvShape *s, const float *w)
{
    (void)s, (void)w;
    return NULL;
}

OnednnConv *onednn_conv_ints(const ConvShape *s, DType x, const Value *w, const int32_t *zero_w,
                             int64_t nzero, bool small)
{
    (void)s, (void)x, (void)w, (void)zero_w, (void)nzero, (void)small;
    return NULL;
}

bool onednn_conv_run_floats(OnednnConv *c, const float *x, float *ret_sum)
{
    (void)c, (void)x, (void)ret_sum;
    return false;
}

bool onednn_conv_run_ints(OnednnConv *c, const void *x, int32_t zero_x, OnednnTake *take,
                          void *user)
{
    (void)c, (void)x, (void)zero_x, (void)take, (void)user;
    return false;
}

void onednn_conv_free(void *conv)
{
    (void)conv;
}

bool onednn_is_ready(void)
{
    return false;
}

#else

#include "graph/base/leave.h"
#include "graph/base/limits.h"

#include <dlfcn.h>
#include <oneapi/dnnl/dnnl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    X(dnnl_memory_set_data_handle)                                                                 \
    X(dnnl_primitive_create)                                                                       \
    X(dnnl_primitive_attr_create)                                                                  \
    X(dnnl_primitive_attr_destroy)                                                                 \
    X(dnnl_primitive_attr_set_scratchpad_mode)                                                     \
    X(dnnl_memory_desc_get_size)                                                                   \
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
    dnnl_stream_t stream, streams[TEAM_MOST]; /* one for all threads together, one for each */
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

/* libgomp has said that there is no memory, and calls exit. */
#ifdef __GLIBC__
static void end_as_limits_do(int status, void *unused)
{
    (void)unused;
    if (status == EXIT_FAILURE)
        _exit(2);
}
#endif

/* A library in C++ throws when there is no memory, here where nobody can catch it. */
static void end_without_memory(void)
{
    typedef void (*Handler)(void);
    Handler (*set_terminate)(Handler);
    void *handle = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL),
         *at = handle ? dlsym(handle, "_ZSt13set_terminatePFvvE") : NULL;
    memcpy(&set_terminate, &at, sizeof at);
    if (set_terminate)
        set_terminate(memory_exhausted);
#ifdef __GLIBC__
    on_exit(end_as_limits_do, NULL);
#endif
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

/* Where there is no memory 2.x also writes to where an object was not made. */
static void crashed(int signal_number)
{
    (void)signal_number;
    leave_now(2, "oneDNN broke off while it was loaded: --kernels plain does without it, --memory "
                 "gives it more");
}

static bool start_library(void)
{
    void *handle = open_library();
    bool ok =
        handle && find_functions(handle) && lib.dnnl_version()->major == DNNL_VERSION_MAJOR &&
        lib.dnnl_engine_create(&lib.engine, dnnl_cpu, 0) == dnnl_success &&
        lib.dnnl_stream_create(&lib.stream, lib.engine, dnnl_stream_default_flags) == dnnl_success;
    if (ok)
        team_use(handle);
    for (int i = 0; ok && i < team_size(); i++)
        ok = lib.dnnl_stream_create(&lib.streams[i], lib.engine, dnnl_stream_default_flags) ==
             dnnl_success;
    return ok;
}

static bool start(void)
{
    struct sigaction guard = {.sa_handler = crashed}, before;
    end_without_memory();
    sigaction(SIGSEGV, &guard, &before);
    bool ok = start_library();
    sigaction(SIGSEGV, &before, NULL);
    return ok;
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

bool onednn_is_ready(void)
{
    return lib.ready;
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

static const char *instructions(void)
{
    static const struct {
        dnnl_cpu_isa_t isa;
        const char *name;
    } known[] = {
        {dnnl_cpu_isa_avx512_core_amx, "AMX"},
        {dnnl_cpu_isa_avx512_core_bf16, "AVX-512 with VNNI and bfloat16"},
        {dnnl_cpu_isa_avx512_core_vnni, "AVX-512 with VNNI"},
        {dnnl_cpu_isa_avx2_vnni, "AVX2 with VNNI"},
        {dnnl_cpu_isa_avx512_core, "AVX-512"},
        {dnnl_cpu_isa_avx2, "AVX2"},
    };
    int isa = (int)lib.dnnl_get_effective_cpu_isa();
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (isa == (int)known[i].isa)
            return known[i].name;
    return "instructions of another set";
}

const char *onednn_about(Arena *a, bool *ret_fast)
{
    const char *name = onednn_load(ONEDNN_LARGE);
    *ret_fast = name != NULL;
    if (!name)
        return arena_printf(a,
                            "libdnnl.so.%d is not there: values run through plain kernels, slower; "
                            "install libdnnl%d, or the package of another name that has it",
                            DNNL_VERSION_MAJOR, DNNL_VERSION_MAJOR);
    return arena_printf(a, "%s, %s: values run through it, bytes %s", name, instructions(),
                        adds_bytes_exactly() ? "as bytes" : "as floats, for want of VNNI");
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
                        const_dnnl_primitive_attr_t attr, dnnl_primitive_desc_t *ret)
{
#if DNNL_VERSION_MAJOR >= 3
    return lib.dnnl_convolution_forward_primitive_desc_create(
               ret, lib.engine, dnnl_forward_inference, dnnl_convolution_direct, x->desc, w->desc,
               NULL, y->desc, k->stride, k->dilation, k->before, k->after, attr) == dnnl_success;
#else
    dnnl_convolution_desc_t op;
    return lib.dnnl_dilated_convolution_forward_desc_init(
               &op, dnnl_forward_inference, dnnl_convolution_direct, &x->desc, &w->desc, NULL,
               &y->desc, k->stride, k->dilation, k->before, k->after) == dnnl_success &&
           lib.dnnl_primitive_desc_create(ret, &op, attr, lib.engine, NULL) == dnnl_success;
#endif
}

/* ---- made once ---- */

/* From one form to another. */
typedef struct {
    dnnl_primitive_desc_t desc;
    dnnl_primitive_t run; /* NULL: the forms are the same */
} Reorder;

static bool reorder_make(View from, View to, Reorder *ret)
{
    if (lib.dnnl_memory_desc_equal(from, to))
        return true;
    return lib.dnnl_reorder_primitive_desc_create(&ret->desc, from, lib.engine, to, lib.engine,
                                                  NULL) == dnnl_success &&
           lib.dnnl_primitive_create(&ret->run, ret->desc) == dnnl_success;
}

static bool reorder_run(const Reorder *r, dnnl_memory_t from, dnnl_memory_t to)
{
    const dnnl_exec_arg_t arg[] = {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}};
    return !r->run || lib.dnnl_primitive_execute(r->run, lib.stream, 2, arg) == dnnl_success;
}

static void reorder_free(Reorder *r)
{
    if (r->run)
        lib.dnnl_primitive_destroy(r->run);
    if (r->desc)
        lib.dnnl_primitive_desc_destroy(r->desc);
}

/* Image, weights and sums, each in our form and in that which the convolution wants (the same
 * memory where the forms are, but for the weights, of which it has its own). */
typedef struct {
    Desc ours[3];
    dnnl_memory_t given[3], wanted[3];
    Reorder reorder[3];
    dnnl_primitive_desc_t desc;
    dnnl_primitive_t run;
} Made;

enum { IMAGE, WEIGHTS, SUMS };

static void made_free(Made *m)
{
    for (int i = 0; i < 3; i++) {
        if (m->wanted[i] && m->wanted[i] != m->given[i])
            lib.dnnl_memory_destroy(m->wanted[i]);
        if (m->given[i])
            lib.dnnl_memory_destroy(m->given[i]);
        reorder_free(&m->reorder[i]);
        desc_free(&m->ours[i]);
    }
    if (m->run)
        lib.dnnl_primitive_destroy(m->run);
    if (m->desc)
        lib.dnnl_primitive_desc_destroy(m->desc);
    *m = (Made){0};
}

/* Both forms of a tensor; `own`: never the same memory. */
static bool make_memory(Made *m, int i, View want, bool own)
{
    bool from_ours = i != SUMS, same = lib.dnnl_memory_desc_equal(VIEW(m->ours[i].desc), want);
    if (lib.dnnl_memory_create(&m->given[i], VIEW(m->ours[i].desc), lib.engine, DNNL_MEMORY_NONE) !=
        dnnl_success)
        return false;
    if (same && !own) {
        m->wanted[i] = m->given[i];
        return true;
    }
    return lib.dnnl_memory_create(&m->wanted[i], want, lib.engine, DNNL_MEMORY_ALLOCATE) ==
               dnnl_success &&
           (same || (from_ours ? reorder_make(VIEW(m->ours[i].desc), want, &m->reorder[i])
                               : reorder_make(want, VIEW(m->ours[i].desc), &m->reorder[i])));
}

static bool set_data(dnnl_memory_t memory, const void *data)
{
    void *at;
    memcpy(&at, &data, sizeof at);
    return lib.dnnl_memory_set_data_handle(memory, at) == dnnl_success;
}

/* The weights are read once, here. */
static bool take_weights(Made *m, const Ours *w, View want)
{
    Reorder copy = m->reorder[WEIGHTS];
    bool ok = set_data(m->given[WEIGHTS], w->data);
    if (!copy.run) /* of one form: a copy all the same */
        ok = ok &&
             lib.dnnl_reorder_primitive_desc_create(&copy.desc, VIEW(m->ours[WEIGHTS].desc),
                                                    lib.engine, want, lib.engine,
                                                    NULL) == dnnl_success &&
             lib.dnnl_primitive_create(&copy.run, copy.desc) == dnnl_success;
    m->reorder[WEIGHTS] = copy;
    ok = ok && reorder_run(&copy, m->given[WEIGHTS], m->wanted[WEIGHTS]);
    return lib.dnnl_stream_wait(lib.stream) == dnnl_success && ok;
}

static bool make(const Ours t[3], const Window *k, Made *ret)
{
    static const dnnl_query_t query[] = {dnnl_query_src_md, dnnl_query_weights_md,
                                         dnnl_query_dst_md};
    Desc any[3];
    bool ok = true;
    *ret = (Made){0};
    for (int i = 0; i < 3; i++) {
        ret->ours[i] = desc_of(&t[i], false);
        any[i] = desc_of(&t[i], true);
        ok &= ret->ours[i].made && any[i].made;
    }
    ok = ok && create_conv(&any[0], &any[1], &any[2], k, NULL, &ret->desc) &&
         lib.dnnl_primitive_create(&ret->run, ret->desc) == dnnl_success;
    for (int i = 0; i < 3 && ok; i++)
        ok = make_memory(ret, i, lib.dnnl_primitive_desc_query_md(ret->desc, query[i], 0),
                         i == WEIGHTS);
    ok = ok && take_weights(ret, &t[WEIGHTS],
                            lib.dnnl_primitive_desc_query_md(ret->desc, dnnl_query_weights_md, 0));
    for (int i = 0; i < 3; i++)
        desc_free(&any[i]);
    if (!ok)
        made_free(ret);
    return ok;
}

static bool convolve(const Made *m, const void *x, void *sum)
{
    const dnnl_exec_arg_t arg[] = {{DNNL_ARG_SRC, m->wanted[IMAGE]},
                                   {DNNL_ARG_WEIGHTS, m->wanted[WEIGHTS]},
                                   {DNNL_ARG_DST, m->wanted[SUMS]}};
    bool ok = set_data(m->given[IMAGE], x) && set_data(m->given[SUMS], sum) &&
              reorder_run(&m->reorder[IMAGE], m->given[IMAGE], m->wanted[IMAGE]) &&
              lib.dnnl_primitive_execute(m->run, lib.stream, 3, arg) == dnnl_success &&
              reorder_run(&m->reorder[SUMS], m->wanted[SUMS], m->given[SUMS]);
    return lib.dnnl_stream_wait(lib.stream) == dnnl_success && ok;
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
           s->ow > 0 && s->kh > 0 && s->kw > 0 && s->ph >= 0 && s->pw >= 0;
}

static bool is_large(const ConvShape *s)
{
    return (double)(s->n * s->m * s->oh * s->ow) * (double)(s->c / s->group * s->kh * s->kw) >=
           (double)lib.least_macs;
}

/* ---- conv, of floats or bytes ---- */

enum { PARTS_MOST = 64 };

/* A convolution of bytes is done a slab of output rows at a time, so that the sums of a slab are
 * taken while they are near, and the image around a slab is padded while it is copied. */
typedef struct {
    int64_t images, rows, in_all; /* output rows of a slab, and of an image */
    int64_t width;                /* pixels of an output row */
    int64_t lines, columns;       /* of the image that a slab sees */
    bool direct;                  /* where they lie in the image as it is */
    bool pixels;                  /* windows of one pixel: all images are one row of them */
    dnnl_primitive_desc_t desc;
    dnnl_primitive_t run;
    Desc image, sums, packed; /* … and the weights */
    dnnl_memory_t weights;
    dnnl_memory_t given[TEAM_MOST], sum[TEAM_MOST], scratch[TEAM_MOST]; /* per thread */
    size_t image_bytes, sum_bytes, scratch_bytes;
} Slab;

struct OnednnConv {
    ConvShape s;
    enum { OF_FLOATS, OF_BYTES, OF_BYTES_IN_FLOATS } kind;
    DType x;
    int32_t *sum_w;  /* of each output channel, for the zero point of the image */
    int32_t *less;   /* what the zero point of this run adds to each */
    int64_t at_once; /* channels in a part */
    Made part[PARTS_MOST];
    int64_t nparts;
    Slab slab;
};

static void slab_free(Slab *s)
{
    for (int i = 0; i < TEAM_MOST; i++) {
        if (s->given[i])
            lib.dnnl_memory_destroy(s->given[i]);
        if (s->sum[i])
            lib.dnnl_memory_destroy(s->sum[i]);
        if (s->scratch[i])
            lib.dnnl_memory_destroy(s->scratch[i]);
    }
    if (s->weights)
        lib.dnnl_memory_destroy(s->weights);
    if (s->run)
        lib.dnnl_primitive_destroy(s->run);
    if (s->desc)
        lib.dnnl_primitive_desc_destroy(s->desc);
    desc_free(&s->image);
    desc_free(&s->sums);
    desc_free(&s->packed);
    *s = (Slab){0};
}

void onednn_conv_free(void *conv)
{
    OnednnConv *c = conv;
    if (!c)
        return;
    for (int64_t i = 0; i < c->nparts; i++)
        made_free(&c->part[i]);
    slab_free(&c->slab);
    free(c->sum_w);
    free(c->less);
    free(c);
}

/* `count` channels of the image, and of the weights from w on; all of them where there are groups.
 */
static bool make_part(const ConvShape *s, const float *w, int64_t count, Made *ret)
{
    Ours t[3] = {tensor4(s->n, count, s->h, s->w, dnnl_f32, NULL),
                 weights_of(s, dnnl_f32, w, count),
                 tensor4(s->n, s->m, s->oh, s->ow, dnnl_f32, NULL)};
    t[0].stride[0] = s->c * s->h * s->w;
    Window k = window_of(s, false);
    return make(t, &k, ret);
}

static OnednnConv *conv_new(const ConvShape *s, bool small)
{
    OnednnConv *c = can_do(s) && (small || is_large(s)) ? calloc(1, sizeof *c) : NULL;
    if (c)
        c->s = *s;
    return c;
}

static OnednnConv *conv_or_none(OnednnConv *c, bool ok)
{
    if (ok)
        return c;
    onednn_conv_free(c);
    return NULL;
}

OnednnConv *onednn_conv_floats(const ConvShape *s, const float *w)
{
    OnednnConv *c = conv_new(s, false);
    bool ok = c && make_part(s, w, s->c, &c->part[0]);
    if (ok)
        c->nparts = 1;
    return conv_or_none(c, ok);
}

bool onednn_conv_run_floats(OnednnConv *c, const float *x, float *ret_sum)
{
    return convolve(&c->part[0], x, ret_sum);
}

/* ---- bytes ---- */

/* Weights less their zero points, output channels outermost, and the sums of each. */
static int16_t *whole_weights(OnednnConv *c, const Value *w, const int32_t *zero, int64_t nzero,
                              int32_t *ret_least, int32_t *ret_most)
{
    int64_t depth = c->s.c / c->s.group * c->s.kh * c->s.kw;
    int16_t *whole = malloc(((size_t)w->count + 1) * sizeof *whole);
    int32_t least = 0, most = 0;
    for (int64_t m = 0, i = 0; whole && m < c->s.m; m++) {
        int32_t less = zero[nzero > 1 ? m : 0];
        for (int64_t k = 0; k < depth; k++, i++) {
            int32_t v = value_byte(w, c->s.turned ? k * c->s.m + m : i) - less;
            whole[i] = (int16_t)v;
            c->sum_w[m] += v;
            most = v > most ? v : most;
            least = v < least ? v : least;
        }
    }
    *ret_most = most;
    *ret_least = least;
    return whole;
}

/* Whether the weights can be read where they lie: most can. */
static bool are_as_wanted(const ConvShape *s, const Value *w, const int32_t *zero, int64_t nzero)
{
    bool as_wanted = w->dtype == DT_INT8 && !s->turned;
    for (int64_t i = 0; as_wanted && i < nzero; i++)
        as_wanted = zero[i] == 0;
    return as_wanted;
}

static void sum_weights(OnednnConv *c, const int8_t *w)
{
    int64_t depth = c->s.c / c->s.group * c->s.kh * c->s.kw;
    for (int64_t m = 0; m < c->s.m; m++, w += depth) {
        int32_t sum = 0;
        for (int64_t k = 0; k < depth; k++)
            sum += w[k];
        c->sum_w[m] = sum;
    }
}

/* Rows or columns of the image, pads before it included, that all windows see; those that are
 * there where windows of that number fit as well. */
static int64_t seen(int64_t there, int64_t before, int64_t out, int64_t stride, int64_t kernel,
                    int64_t dilation)
{
    int64_t reached = reach(out, stride, kernel, dilation), whole = there + before;
    bool fits = whole >= reached && (whole - (kernel - 1) * dilation - 1) / stride + 1 == out;
    return fits ? whole : reached;
}

/* How many rows a slab has, and what it sees. */
static void cut_slab(const ConvShape *s, Slab *b)
{
    bool pixels = s->kh == 1 && s->kw == 1 && s->sh == 1 && s->sw == 1 && s->ph == 0 &&
                  s->pw == 0 && s->oh == s->h && s->ow == s->w;
    const int64_t near = 1 << 18; /* bytes that stay in the second cache with what is around */
    b->pixels = pixels;
    b->images = pixels ? 1 : s->n;
    b->in_all = pixels ? s->n * s->oh * s->ow : s->oh;
    b->width = pixels ? 1 : s->ow;
    int64_t row = b->width * s->m * (int64_t)sizeof(int32_t), slabs = b->in_all * row / near + 1;
    int64_t least = (team_size() + b->images - 1) / b->images;
    slabs = slabs < least ? least : slabs > b->in_all ? b->in_all : slabs;
    b->rows = slabs > b->in_all ? 1 : (b->in_all + slabs - 1) / slabs;
    b->columns = pixels ? b->rows : seen(s->w, s->pw, s->ow, s->sw, s->kw, s->dw);
    b->lines = pixels ? 1 : reach(b->rows, s->sh, s->kh, s->dh);
    b->direct = pixels || (s->ph == 0 && s->pw == 0 && b->columns == s->w &&
                           reach(s->oh, s->sh, s->kh, s->dh) <= s->h);
}

/* Channels last. */
static Ours pixels4(int64_t c, int64_t h, int64_t w, dnnl_data_type_t type)
{
    return (Ours){4, {1, c, h, w}, {h * w * c, 1, w * c, c}, type, NULL};
}

static bool describe_slab(const OnednnConv *c, const ConvShape *s, Slab *b)
{
    Ours image = pixels4(s->c, b->lines, b->columns, c->x == DT_INT8 ? dnnl_s8 : dnnl_u8);
    Ours sums = b->pixels ? pixels4(s->m, 1, b->rows, dnnl_s32)
                          : pixels4(s->m, b->rows, b->width, dnnl_s32);
    Ours w = weights_of(s, dnnl_s8, NULL, s->c / s->group);
    Window k = window_of(s, true);
    dnnl_primitive_attr_t attr = NULL;
    b->image = desc_of(&image, false);
    b->sums = desc_of(&sums, false);
    Desc any = desc_of(&w, true);
    bool ok = b->image.made && b->sums.made && any.made &&
              lib.dnnl_primitive_attr_create(&attr) == dnnl_success &&
              lib.dnnl_primitive_attr_set_scratchpad_mode(attr, dnnl_scratchpad_mode_user) ==
                  dnnl_success &&
              create_conv(&b->image, &any, &b->sums, &k, attr, &b->desc) &&
              lib.dnnl_primitive_create(&b->run, b->desc) == dnnl_success;
    if (attr)
        lib.dnnl_primitive_attr_destroy(attr);
    desc_free(&any);
    b->image_bytes = (size_t)(b->lines * b->columns * s->c);
    b->sum_bytes = (size_t)(b->rows * b->width * s->m) * sizeof(int32_t);
    return ok;
}

/* The weights in the form that it wants, of its own. */
static bool pack(const ConvShape *s, const int8_t *w, Slab *b)
{
    Ours ours = weights_of(s, dnnl_s8, w, s->c / s->group);
    View want = lib.dnnl_primitive_desc_query_md(b->desc, dnnl_query_weights_md, 0);
    dnnl_memory_t from = NULL;
    dnnl_primitive_desc_t desc = NULL;
    dnnl_primitive_t copy = NULL;
    b->packed = desc_of(&ours, false);
    bool ok = b->packed.made &&
              lib.dnnl_memory_create(&from, VIEW(b->packed.desc), lib.engine, DNNL_MEMORY_NONE) ==
                  dnnl_success &&
              set_data(from, w) &&
              lib.dnnl_memory_create(&b->weights, want, lib.engine, DNNL_MEMORY_ALLOCATE) ==
                  dnnl_success &&
              lib.dnnl_reorder_primitive_desc_create(&desc, VIEW(b->packed.desc), lib.engine, want,
                                                     lib.engine, NULL) == dnnl_success &&
              lib.dnnl_primitive_create(&copy, desc) == dnnl_success;
    const dnnl_exec_arg_t arg[] = {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, b->weights}};
    ok = ok && lib.dnnl_primitive_execute(copy, lib.stream, 2, arg) == dnnl_success &&
         lib.dnnl_stream_wait(lib.stream) == dnnl_success;
    if (copy)
        lib.dnnl_primitive_destroy(copy);
    if (desc)
        lib.dnnl_primitive_desc_destroy(desc);
    if (from)
        lib.dnnl_memory_destroy(from);
    return ok;
}

static bool make_hands(Slab *b)
{
    View scratch = lib.dnnl_primitive_desc_query_md(b->desc, dnnl_query_scratchpad_md, 0);
    b->scratch_bytes = scratch ? lib.dnnl_memory_desc_get_size(scratch) : 0;
    bool ok = true;
    for (int i = 0; ok && i < team_size(); i++)
        ok = lib.dnnl_memory_create(&b->given[i], VIEW(b->image.desc), lib.engine,
                                    DNNL_MEMORY_NONE) == dnnl_success &&
             lib.dnnl_memory_create(&b->sum[i], VIEW(b->sums.desc), lib.engine, DNNL_MEMORY_NONE) ==
                 dnnl_success &&
             lib.dnnl_memory_create(&b->scratch[i], scratch, lib.engine, DNNL_MEMORY_NONE) ==
                 dnnl_success;
    return ok;
}

static bool make_bytes(OnednnConv *c, const int8_t *w)
{
    c->kind = OF_BYTES;
    cut_slab(&c->s, &c->slab);
    team_alone(1); /* each slab is one thread's */
    bool ok =
        w && describe_slab(c, &c->s, &c->slab) && pack(&c->s, w, &c->slab) && make_hands(&c->slab);
    team_alone(0);
    return ok;
}

static bool make_narrow(OnednnConv *c, const int16_t *whole, int64_t count)
{
    int8_t *w = malloc((size_t)count + 1);
    for (int64_t i = 0; w && i < count; i++)
        w[i] = (int8_t)whole[i];
    bool ok = make_bytes(c, w);
    free(w);
    return ok;
}

/* In floats, as many channels at a time as add up below 2^24: there floats are whole numbers, in
 * whatever order they are added. */
static bool make_exact_floats(OnednnConv *c, const int16_t *whole, int32_t most, int64_t nweight)
{
    const ConvShape *s = &c->s;
    int64_t taps = s->kh * s->kw, channels = s->c / s->group;
    int64_t at_once = (INT64_C(1) << 24) / (INT64_C(383) * (most ? most : 1) * taps);
    at_once = at_once > channels ? channels : at_once;
    if (at_once < 1 || (s->group > 1 && at_once < channels) ||
        (channels + at_once - 1) / at_once > PARTS_MOST)
        return false;
    float *w = malloc(((size_t)nweight + 1) * sizeof *w);
    bool ok = w != NULL;
    for (int64_t i = 0; ok && i < nweight; i++)
        w[i] = (float)whole[i];
    c->kind = OF_BYTES_IN_FLOATS;
    c->at_once = at_once;
    for (int64_t k = 0; ok && k < channels; k += at_once) {
        int64_t count = channels - k < at_once ? channels - k : at_once;
        ok = make_part(s, w + k * taps, s->group > 1 ? s->c : count, &c->part[c->nparts]);
        c->nparts += ok;
    }
    free(w);
    return ok;
}

OnednnConv *onednn_conv_ints(const ConvShape *s, DType x, const Value *w, const int32_t *zero_w,
                             int64_t nzero, bool small)
{
    int32_t least = 0, most = 0;
    OnednnConv *c = conv_new(s, small);
    if (!c)
        return NULL;
    c->x = x;
    c->sum_w = calloc((size_t)s->m + 1, sizeof *c->sum_w);
    c->less = calloc((size_t)s->m + 1, sizeof *c->less);
    if (!c->sum_w || !c->less)
        return conv_or_none(c, false);
    if (adds_bytes_exactly() && are_as_wanted(s, w, zero_w, nzero)) {
        sum_weights(c, w->data);
        return conv_or_none(c, make_bytes(c, w->data));
    }
    int16_t *whole = whole_weights(c, w, zero_w, nzero, &least, &most);
    bool narrow = adds_bytes_exactly() && least >= -128 && most <= 127;
    int32_t largest = most > -least ? most : -least;
    bool ok = whole && (narrow ? make_narrow(c, whole, w->count)
                               : make_exact_floats(c, whole, largest, w->count));
    free(whole);
    return conv_or_none(c, ok);
}

/* ---- running slabs ---- */

/* What a thread works in; kept from convolution to convolution. */
typedef struct {
    uint8_t *image, *scratch;
    int32_t *sum;
    size_t image_bytes, sum_bytes, scratch_bytes;
} Bench;

static Bench bench[TEAM_MOST];

static bool grow(void *buffer, size_t *have, size_t want)
{
    void *now;
    memcpy(&now, buffer, sizeof now);
    if (want <= *have && now)
        return true;
    const size_t line = 64;
    free(now);
    now = aligned_alloc(line, (want / line + 1) * line);
    memcpy(buffer, &now, sizeof now);
    *have = now ? want : 0;
    return now != NULL;
}

static bool clear_benches(const Slab *b)
{
    bool ok = true;
    for (int i = 0; ok && i < team_size(); i++)
        ok = grow(&bench[i].image, &bench[i].image_bytes, b->direct ? 1 : b->image_bytes) &&
             grow(&bench[i].sum, &bench[i].sum_bytes, b->sum_bytes) &&
             grow(&bench[i].scratch, &bench[i].scratch_bytes, b->scratch_bytes);
    return ok;
}

typedef struct {
    OnednnConv *c;
    const uint8_t *x;
    uint8_t zero;
    OnednnTake *take;
    void *user;
    int64_t slabs; /* of an image */
    bool failed[TEAM_MOST];
} SlabRun;

/* What a slab sees from line `top` on: the image, and around it its zero point. */
static void copy_lines(const SlabRun *r, int64_t image, int64_t top, uint8_t *to)
{
    const ConvShape *s = &r->c->s;
    const Slab *b = &r->c->slab;
    size_t line = (size_t)(b->columns * s->c), before = (size_t)(s->pw * s->c);
    int64_t columns = b->columns - s->pw < s->w ? b->columns - s->pw : s->w;
    size_t inside = (size_t)(columns > 0 ? columns * s->c : 0);
    for (int64_t i = 0; i < b->lines; i++, to += line) {
        int64_t h = top + i;
        if (h < 0 || h >= s->h || !inside) {
            memset(to, r->zero, line);
            continue;
        }
        memset(to, r->zero, before);
        memcpy(to + before, r->x + (image * s->h + h) * s->w * s->c, inside);
        memset(to + before + inside, r->zero, line - before - inside);
    }
}

static void run_slab(void *user, int64_t i, int thread)
{
    SlabRun *r = user;
    const ConvShape *s = &r->c->s;
    Slab *b = &r->c->slab;
    Bench *w = &bench[thread];
    int64_t image = i / r->slabs, wanted = i % r->slabs * b->rows;
    /* All slabs are alike: the last one begins among the rows of the one before. */
    int64_t first = wanted + b->rows > b->in_all ? b->in_all - b->rows : wanted;
    int64_t again = wanted - first;
    const uint8_t *x =
        b->pixels ? r->x + first * s->c : r->x + (image * s->h + first * s->sh) * s->w * s->c;
    if (!b->direct) {
        copy_lines(r, image, first * s->sh - s->ph, w->image);
        x = w->image;
    }
    const dnnl_exec_arg_t arg[] = {{DNNL_ARG_SRC, b->given[thread]},
                                   {DNNL_ARG_WEIGHTS, b->weights},
                                   {DNNL_ARG_DST, b->sum[thread]},
                                   {DNNL_ARG_SCRATCHPAD, b->scratch[thread]}};
    bool ok = set_data(b->given[thread], x) && set_data(b->sum[thread], w->sum) &&
              set_data(b->scratch[thread], w->scratch) &&
              lib.dnnl_primitive_execute(b->run, lib.streams[thread], 4, arg) == dnnl_success;
    if (ok)
        r->take(r->user, (image * b->in_all + wanted) * b->width, (b->rows - again) * b->width,
                w->sum + again * b->width * s->m, r->c->less);
    else
        r->failed[thread] = true;
}

static bool run_bytes(OnednnConv *c, const uint8_t *x, int32_t zero, OnednnTake *take, void *user)
{
    const Slab *b = &c->slab;
    SlabRun r = {.c = c, .x = x, .zero = (uint8_t)zero, .take = take, .user = user};
    bool in_type = c->x == DT_INT8 ? zero >= -128 && zero <= 127 : zero >= 0 && zero <= 255;
    if (!in_type || !clear_benches(b))
        return false;
    r.slabs = (b->in_all + b->rows - 1) / b->rows;
    for (int64_t m = 0; m < c->s.m; m++) /* what the zero point adds goes away again */
        c->less[m] = zero * c->sum_w[m];
    team_run(b->images * r.slabs, run_slab, &r);
    for (int i = 0; i < team_size(); i++)
        if (r.failed[i])
            return false;
    return true;
}

/* ---- the same in floats ---- */

static void add_parts(OnednnConv *c, const float *part, int64_t nsum, int32_t *sum)
{
    const ConvShape *s = &c->s;
    int64_t pixels = s->oh * s->ow;
    for (int64_t i = 0; i < nsum; i++) {
        int64_t n = i / (s->m * pixels), m = i / pixels % s->m, p = i % pixels;
        sum[(n * pixels + p) * s->m + m] += (int32_t)part[i];
    }
}

static bool run_exact_floats(OnednnConv *c, const uint8_t *x, int32_t zero, OnednnTake *take,
                             void *user)
{
    const ConvShape *s = &c->s;
    size_t nsum = (size_t)(s->n * s->m * s->oh * s->ow), nx = (size_t)(s->n * s->c * s->h * s->w);
    size_t plane = (size_t)(s->h * s->w), channels = (size_t)s->c;
    float *image = malloc((nx + 1) * sizeof *image), *part = malloc((nsum + 1) * sizeof *part);
    int32_t *sum = calloc(nsum + 1, sizeof *sum);
    bool ok = image && part && sum;
    for (size_t i = 0; ok && i < nx; i++) {
        size_t n = i / (plane * channels), k = i / plane % channels, p = i % plane;
        size_t at = (n * plane + p) * channels + k;
        image[i] = (float)((c->x == DT_INT8 ? (int8_t)x[at] : x[at]) - zero);
    }
    for (int64_t k = 0; ok && k < c->nparts; k++) {
        ok = convolve(&c->part[k], image + k * c->at_once * s->h * s->w, part);
        if (ok)
            add_parts(c, part, (int64_t)nsum, sum);
    }
    memset(c->less, 0, (size_t)s->m * sizeof *c->less); /* the zero point is away already */
    if (ok)
        take(user, 0, s->n * s->oh * s->ow, sum, c->less);
    free(image);
    free(part);
    free(sum);
    return ok;
}

bool onednn_conv_run_ints(OnednnConv *c, const void *x, int32_t zero_x, OnednnTake *take,
                          void *user)
{
    return c->kind == OF_BYTES ? run_bytes(c, x, zero_x, take, user)
                               : run_exact_floats(c, x, zero_x, take, user);
}

#endif
