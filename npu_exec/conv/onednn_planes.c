/* Runs a whole image at once, in forms that the library chooses. */
#include "npu_exec/conv/onednn_planes.h"

#ifdef HAVE_ONEDNN

enum { IMAGE, SUMS };

void onednn_planes_free(OnednnPlanes *m)
{
    for (int i = 0; i < 2; i++) {
        if (m->wanted[i] && m->wanted[i] != m->given[i])
            onednn()->dnnl_memory_destroy(m->wanted[i]);
        if (m->given[i])
            onednn()->dnnl_memory_destroy(m->given[i]);
        onednn_reorder_free(&m->reorder[i]);
        onednn_desc_free(&m->ours[i]);
    }
    if (m->weights)
        onednn()->dnnl_memory_destroy(m->weights);
    if (m->run)
        onednn()->dnnl_primitive_destroy(m->run);
    if (m->desc)
        onednn()->dnnl_primitive_desc_destroy(m->desc);
    *m = (OnednnPlanes){0};
}

static bool make_memory(OnednnPlanes *m, int i, OnednnView want)
{
    OnednnView ours = ONEDNN_VIEW(m->ours[i].desc);
    if (onednn()->dnnl_memory_create(&m->given[i], ours, onednn()->engine, DNNL_MEMORY_NONE) !=
        dnnl_success)
        return false;
    if (onednn()->dnnl_memory_desc_equal(ours, want)) {
        m->wanted[i] = m->given[i];
        return true;
    }
    return onednn()->dnnl_memory_create(&m->wanted[i], want, onednn()->engine,
                                        DNNL_MEMORY_ALLOCATE) == dnnl_success &&
           (i == IMAGE ? onednn_reorder(ours, want, &m->reorder[i])
                       : onednn_reorder(want, ours, &m->reorder[i]));
}

static OnednnView wanted_view(const OnednnPlanes *m, dnnl_query_t what)
{
    return onednn()->dnnl_primitive_desc_query_md(m->desc, what, 0);
}

static bool describe_planes(OnednnPlanes *m, const OnednnTensor t[2], const OnednnTensor *w,
                            const OnednnWindow *k)
{
    OnednnDesc any[3] = {onednn_desc(&t[IMAGE], true), onednn_desc(w, true),
                         onednn_desc(&t[SUMS], true)};
    bool ok = LIST_ALL(i, 3, any[i].made);
    for (int i = 0; i < 2; i++) {
        m->ours[i] = onednn_desc(&t[i], false);
        ok &= m->ours[i].made;
    }
    ok = ok && onednn_describe_conv(&any[0], &any[1], &any[2], k, NULL, &m->desc) &&
         onednn()->dnnl_primitive_create(&m->run, m->desc) == dnnl_success;
    for (int i = 0; i < 3; i++)
        onednn_desc_free(&any[i]);
    return ok;
}

bool onednn_planes_make(const ConvShape *s, const float *w, OnednnPlanes *ret)
{
    OnednnTensor t[2] = {onednn_planes(s->n, s->c, s->h, s->w, dnnl_f32),
                         onednn_planes(s->n, s->m, s->oh, s->ow, dnnl_f32)};
    OnednnTensor weights = onednn_weights(s, dnnl_f32, w);
    OnednnWindow k = onednn_window(s, false);
    *ret = (OnednnPlanes){0};
    return describe_planes(ret, t, &weights, &k) &&
           make_memory(ret, IMAGE, wanted_view(ret, dnnl_query_src_md)) &&
           make_memory(ret, SUMS, wanted_view(ret, dnnl_query_dst_md)) &&
           onednn_pack(&weights, wanted_view(ret, dnnl_query_weights_md), &ret->weights);
}

bool onednn_planes_run(const OnednnPlanes *m, const float *x, float *sum)
{
    const dnnl_exec_arg_t arg[] = {{DNNL_ARG_SRC, m->wanted[IMAGE]},
                                   {DNNL_ARG_WEIGHTS, m->weights},
                                   {DNNL_ARG_DST, m->wanted[SUMS]}};
    bool ok = onednn_point(m->given[IMAGE], x) && onednn_point(m->given[SUMS], sum) &&
              onednn_reorder_run(&m->reorder[IMAGE], m->given[IMAGE], m->wanted[IMAGE]) &&
              onednn()->dnnl_primitive_execute(m->run, onednn()->stream, 3, arg) == dnnl_success &&
              onednn_reorder_run(&m->reorder[SUMS], m->wanted[SUMS], m->given[SUMS]);
    return onednn()->dnnl_stream_wait(onednn()->stream) == dnnl_success && ok;
}

#endif
