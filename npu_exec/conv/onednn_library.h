/* Declares oneDNN's functions, found at run time; 2.x and 3.x name some otherwise. */
#pragma once

#include "npu_exec/conv/onednn.h"

#if defined __has_include
#if __has_include(<oneapi/dnnl/dnnl.h>)
#define HAVE_ONEDNN
#endif
#endif

#ifdef HAVE_ONEDNN

#include <oneapi/dnnl/dnnl.h>

#if DNNL_VERSION_MAJOR >= 3
#define ONEDNN_OWN(X)                                                                              \
    X(dnnl_memory_desc_create_with_strides)                                                        \
    X(dnnl_memory_desc_create_with_tag)                                                            \
    X(dnnl_memory_desc_destroy) X(dnnl_convolution_forward_primitive_desc_create)
#else
#define ONEDNN_OWN(X)                                                                              \
    X(dnnl_memory_desc_init_by_strides)                                                            \
    X(dnnl_memory_desc_init_by_tag)                                                                \
    X(dnnl_dilated_convolution_forward_desc_init) X(dnnl_primitive_desc_create)
#endif
#define ONEDNN_SHARED(X)                                                                           \
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
    X(dnnl_primitive_get_primitive_desc)                                                           \
    X(dnnl_get_primitive_cache_capacity)                                                           \
    X(dnnl_set_primitive_cache_capacity)                                                           \
    X(dnnl_primitive_desc_destroy)                                                                 \
    X(dnnl_primitive_desc_query_md)                                                                \
    X(dnnl_reorder_primitive_desc_create)                                                          \
    X(dnnl_get_effective_cpu_isa)                                                                  \
    X(dnnl_version)

typedef struct {
    bool ready;
    dnnl_engine_t engine;
    dnnl_stream_t stream;
    char name[40];
    int64_t least_macs; /* that a convolution has which it is for */
#define X(f) __typeof__(&f) f;
    ONEDNN_SHARED(X) ONEDNN_OWN(X)
#undef X
} OnednnLibrary;

/* What onednn_load() has loaded. */
const OnednnLibrary *onednn(void);

/* Whether products of bytes are added up in 32 bits; older instructions saturate sums of two in 16.
 */
bool onednn_adds_bytes(void);

#endif
