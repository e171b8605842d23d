/* Describes tensors to oneDNN by descriptors and views, and copies between forms. */
#pragma once

#include "npu_exec/conv/conv_shape.h"
#include "npu_exec/conv/onednn_library.h"

#ifdef HAVE_ONEDNN

#if DNNL_VERSION_MAJOR >= 3
typedef const_dnnl_memory_desc_t OnednnView; /* of a descriptor */
#define ONEDNN_VIEW(d) ((OnednnView)(d))
#else
typedef const dnnl_memory_desc_t *OnednnView;
#define ONEDNN_VIEW(d) (&(d))
#endif

/* A tensor of ours: dimensions, distances in elements, type. */
typedef struct {
    int naxis;
    dnnl_dims_t dim, stride;
    dnnl_data_type_t type;
    const void *data;
} OnednnTensor;

/* Planes of channels. */
OnednnTensor onednn_planes(int64_t n, int64_t c, int64_t h, int64_t w, dnnl_data_type_t type);
/* Channels last, of one image. */
OnednnTensor onednn_pixels(int64_t c, int64_t h, int64_t w, dnnl_data_type_t type);
OnednnTensor onednn_weights(const ConvShape *s, dnnl_data_type_t type, const void *data);

typedef struct {
    dnnl_memory_desc_t desc;
    bool made;
} OnednnDesc;

/* `any`: the form is the library's to choose.  To be freed, made or not. */
OnednnDesc onednn_desc(const OnednnTensor *t, bool any);
void onednn_desc_free(OnednnDesc *d);

/* Strides, dilations and pads: [rows, columns]. */
typedef struct {
    dnnl_dims_t stride, dilation, before, after;
} OnednnWindow;

/* `padded`: the image has its pads already. */
OnednnWindow onednn_window(const ConvShape *s, bool padded);

/* A convolution without bias; false where there is none of these forms. */
bool onednn_describe_conv(const OnednnDesc *x, const OnednnDesc *w, const OnednnDesc *y,
                          const OnednnWindow *k, const_dnnl_primitive_attr_t attr,
                          dnnl_primitive_desc_t *ret);

/* Points the memory at `data`, which may be constant if it is only read. */
bool onednn_point(dnnl_memory_t memory, const void *data);

/* From one form to another. */
typedef struct {
    dnnl_primitive_desc_t desc;
    dnnl_primitive_t run; /* NULL: nothing to be done */
} OnednnReorder;

/* To be freed, made or not. */
bool onednn_reorder(OnednnView from, OnednnView to, OnednnReorder *ret);
bool onednn_reorder_run(const OnednnReorder *r, dnnl_memory_t from, dnnl_memory_t to);
void onednn_reorder_free(OnednnReorder *r);

/* A copy of the weights in the form `want`, which *ret owns. */
bool onednn_pack(const OnednnTensor *w, OnednnView want, dnnl_memory_t *ret);

#endif
