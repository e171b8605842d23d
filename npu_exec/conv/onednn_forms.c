/* Builds descriptors and memory views for either version of oneDNN. */
#include "npu_exec/conv/onednn_forms.h"

#ifdef HAVE_ONEDNN

#include "npu_exec/conv/row_tile.h"

OnednnDesc onednn_desc(const OnednnTensor *t, bool any)
{
    OnednnDesc d = {.made = true};
#if DNNL_VERSION_MAJOR >= 3
    dnnl_status_t st = any ? onednn()->dnnl_memory_desc_create_with_tag(
                                 &d.desc, t->naxis, t->dim, t->type, dnnl_format_tag_any)
                           : onednn()->dnnl_memory_desc_create_with_strides(
                                 &d.desc, t->naxis, t->dim, t->type, t->stride);
#else
    dnnl_status_t st = any ? onednn()->dnnl_memory_desc_init_by_tag(&d.desc, t->naxis, t->dim,
                                                                    t->type, dnnl_format_tag_any)
                           : onednn()->dnnl_memory_desc_init_by_strides(&d.desc, t->naxis, t->dim,
                                                                        t->type, t->stride);
#endif
    d.made = st == dnnl_success;
    return d;
}

void onednn_desc_free(OnednnDesc *d)
{
#if DNNL_VERSION_MAJOR >= 3
    if (d->made)
        onednn()->dnnl_memory_desc_destroy(d->desc);
#endif
    d->made = false;
}

bool onednn_describe_conv(const OnednnDesc *x, const OnednnDesc *w, const OnednnDesc *y,
                          const OnednnWindow *k, const_dnnl_primitive_attr_t attr,
                          dnnl_primitive_desc_t *ret)
{
#if DNNL_VERSION_MAJOR >= 3
    return onednn()->dnnl_convolution_forward_primitive_desc_create(
               ret, onednn()->engine, dnnl_forward_inference, dnnl_convolution_direct, x->desc,
               w->desc, NULL, y->desc, k->stride, k->dilation, k->before, k->after,
               attr) == dnnl_success;
#else
    dnnl_convolution_desc_t op;
    return onednn()->dnnl_dilated_convolution_forward_desc_init(
               &op, dnnl_forward_inference, dnnl_convolution_direct, &x->desc, &w->desc, NULL,
               &y->desc, k->stride, k->dilation, k->before, k->after) == dnnl_success &&
           onednn()->dnnl_primitive_desc_create(ret, &op, attr, onednn()->engine, NULL) ==
               dnnl_success;
#endif
}

bool onednn_point(dnnl_memory_t memory, const void *data)
{
    void *at;
    memcpy(&at, &data, sizeof at);
    return onednn()->dnnl_memory_set_data_handle(memory, at) == dnnl_success;
}

OnednnTensor onednn_planes(int64_t n, int64_t c, int64_t h, int64_t w, dnnl_data_type_t type)
{
    return (OnednnTensor){4, {n, c, h, w}, {c * h * w, h * w, w, 1}, type, NULL};
}

OnednnTensor onednn_pixels(int64_t c, int64_t h, int64_t w, dnnl_data_type_t type)
{
    return (OnednnTensor){4, {1, c, h, w}, {h * w * c, 1, w * c, c}, type, NULL};
}

OnednnTensor onednn_weights(const ConvShape *s, dnnl_data_type_t type, const void *data)
{
    int64_t taps = s->kh * s->kw, channels = s->c / s->group, m = s->m / s->group;
    if (s->group == 1)
        return (OnednnTensor){
            4, {s->m, channels, s->kh, s->kw}, {channels * taps, taps, s->kw, 1}, type, data};
    return (OnednnTensor){5,
                          {s->group, m, channels, s->kh, s->kw},
                          {m * channels * taps, channels * taps, taps, s->kw, 1},
                          type,
                          data};
}

OnednnWindow onednn_window(const ConvShape *s, bool padded)
{
    OnednnWindow k = {{s->sh, s->sw}, {s->dh - 1, s->dw - 1}, {0}, {0}};
    if (padded)
        return k;
    int64_t below = row_tile_input_extent(s->oh, s->sh, s->kh, s->dh) - s->h - s->ph;
    int64_t right = row_tile_input_extent(s->ow, s->sw, s->kw, s->dw) - s->w - s->pw;
    k.before[0] = s->ph;
    k.before[1] = s->pw;
    k.after[0] = below > 0 ? below : 0;
    k.after[1] = right > 0 ? right : 0;
    return k;
}

bool onednn_reorder(OnednnView from, OnednnView to, OnednnReorder *ret)
{
    return onednn()->dnnl_reorder_primitive_desc_create(&ret->desc, from, onednn()->engine, to,
                                                        onednn()->engine, NULL) == dnnl_success &&
           onednn()->dnnl_primitive_create(&ret->run, ret->desc) == dnnl_success;
}

bool onednn_reorder_run(const OnednnReorder *r, dnnl_memory_t from, dnnl_memory_t to)
{
    const dnnl_exec_arg_t arg[] = {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}};
    return !r->run ||
           onednn()->dnnl_primitive_execute(r->run, onednn()->stream, 2, arg) == dnnl_success;
}

void onednn_reorder_free(OnednnReorder *r)
{
    if (r->run)
        onednn()->dnnl_primitive_destroy(r->run);
    if (r->desc)
        onednn()->dnnl_primitive_desc_destroy(r->desc);
}

bool onednn_pack(const OnednnTensor *w, OnednnView want, dnnl_memory_t *ret)
{
    OnednnDesc ours = onednn_desc(w, false);
    OnednnReorder copy = {0};
    dnnl_memory_t from = NULL;
    bool ok = ours.made &&
              onednn()->dnnl_memory_create(&from, ONEDNN_VIEW(ours.desc), onednn()->engine,
                                           DNNL_MEMORY_NONE) == dnnl_success &&
              onednn_point(from, w->data) &&
              onednn()->dnnl_memory_create(ret, want, onednn()->engine, DNNL_MEMORY_ALLOCATE) ==
                  dnnl_success &&
              onednn_reorder(ONEDNN_VIEW(ours.desc), want, &copy) &&
              onednn_reorder_run(&copy, from, *ret) &&
              onednn()->dnnl_stream_wait(onednn()->stream) == dnnl_success;
    if (from)
        onednn()->dnnl_memory_destroy(from);
    onednn_reorder_free(&copy);
    onednn_desc_free(&ours);
    return ok;
}

#endif
