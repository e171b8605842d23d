/* Declares the kernels, one function per family of operators, and what they share.
 *
 * A kernel finds its inputs and its outputs, these already of the type and shape that inference
 * told. It goes over the elements of its outputs and takes what it reads only after checking that
 * it lies within the input, so that no model can lead it astray.  It writes to the floats or ints
 * of an output (kernel_out_floats, kernel_out_ints), or to its bytes. */
#pragma once

#include "graph/infer/ops.h"
#include "npu_exec/values/value.h"

/* What a kernel keeps of a node from run to run. */
typedef struct {
    void *data; /* NULL: nothing yet */
    void (*release)(void *data);
    size_t runs; /* so far, where the kernel counts them */
    bool none;   /* nothing can be made */
} KernelCache;

/* What is done to each number of a convolution, a sum or a concatenation before anybody sees it:
 * the Relu and the QuantizeLinear after it. */
typedef struct {
    bool relu;
    float scale;
    int64_t zero;
} Epilogue;

typedef struct Call Call;
typedef Status Kernel(Call *c);

struct Call {
    const Graph *graph;
    const Node *node;
    int64_t opset;
    Value **in; /* NULL where an input is omitted */
    bool *last; /* per input: no further use, its memory may become an output's */
    uint32_t nin;
    Value **out; /* NULL where an output is omitted */
    uint32_t nout;
    Arena *scratch;    /* for the time of the call */
    KernelCache *kept; /* where something may be kept: its constants are the same in each run */
    const Epilogue *epilogue; /* then the output is in codes; NULL: none */
    Kernel *plain;            /* of its operator */
    Diag *diag;
};

/* The kernel of an operator; NULL when there is none.  It finds inputs that are plain
 * (value_plain) and outputs with room; of the epilogue only kernel_conv knows. */
Kernel *kernel_of(OpId op);

/* The same numbers, to the bit, from codes and with oneDNN: takes inputs as they are and outputs
 * without room, and says whether it did it; where not, an input may lie otherwise than before.  It
 * may put an input in an output's place.  NULL when there is none. */
typedef bool FastKernel(Call *c);
FastKernel *kernel_fast_of(OpId op);

/* "operator X, node Y: …" */
Status call_refuse(Call *c, const char *why);
/* Memory ended, which is no property of the model: STATUS_INPUT. */
Status call_no_memory(Call *c);

/* Inputs: NULL when omitted or out of range; floats and ints fail the call when they cannot be had.
 */
Value *call_in(const Call *c, uint32_t i);
Status kernel_in_floats(Call *c, uint32_t i, const float **ret);
Status kernel_in_ints(Call *c, uint32_t i, const int64_t **ret);
/* An input as it is: whole numbers or floats, for what must not lose the former's last digits. */
typedef struct {
    const float *real; /* or NULL … */
    const int64_t *whole;
} Numbers;
Status kernel_in_numbers(Call *c, uint32_t i, Numbers *ret);
static inline double kernel_number_at(const Numbers *n, int64_t i)
{
    return n->real ? (double)n->real[i] : (double)n->whole[i];
}
/* A list of integers that older opsets have as an attribute and newer ones as input i. */
Status kernel_int_list(Call *c, const char *attribute, uint32_t i, const int64_t **ret,
                       size_t *ret_count);
/* A number likewise; the fallback when neither is there. */
Status kernel_number_or(Call *c, const char *attribute, uint32_t i, double fallback, double *ret);

/* The elements of an input as its type has them. */
Status kernel_in_bytes(Call *c, uint32_t i, const uint8_t **ret);
/* Those of input 0, which has the output's type. */
Status kernel_same_bytes(Call *c, const uint8_t **ret);

/* Where to write; NULL where memory ends. */
float *kernel_out_floats(Value *v);
int64_t *kernel_out_ints(Value *v);

/* One axis of a window over images, and the padding before it: of `pads` element i, or what
 * auto_pad gives. */
typedef struct {
    int64_t in, out, kernel, stride, dilation;
} WindowAxis;
int64_t kernel_pad_before(const Node *n, size_t i, WindowAxis x);

/* Attribute `axis`, counted from the end when negative; -1 when it is none of `rank`. */
int32_t kernel_axis(const Call *c, int64_t fallback, int32_t rank);

/* Position of each dimension of `to` in the elements of `from`, broadcast from the right: 0 where
 * it is 1.  False when the shapes do not go together. */
bool kernel_broadcast_strides(const Value *from, const Value *to, int64_t *ret_stride);

/* Zero points at input i, one or `most`; where they are absent, one 0. */
Status kernel_zero_points(Call *c, uint32_t i, int64_t most, const int32_t **ret,
                          int64_t *ret_count);

/* Quantizes `x`, as many as `out` has elements, by the scale and zero point that are inputs. */
Status kernel_quantize_out(Call *c, const float *x, uint32_t scale, uint32_t zero, Value *out);

/* Quantizes a row by one scale; false where the type or the zero point is no byte. */
bool kernel_quantize_row(const float *x, float scale, int64_t zero, DType to, void *ret_y,
                         size_t n);

/* Goes over the indices of a shape, the last dimension fastest. */
bool kernel_next_index(const Value *shape, int64_t *index);
/* The element at the index. */
static inline int64_t kernel_offset(const int64_t *index, const int64_t *stride, int32_t rank)
{
    return LIST_SUM(int64_t, i, rank, index[i] * stride[i]);
}

/* The kernels of kernels.xml: kernel_conv … */
#define FAMILY(plain, quick, ...) Kernel plain;
#include "npu_exec/values/kernels.def"

FastKernel kernel_fast_conv, kernel_fast_conv_integer, kernel_fast_qlinear_conv, kernel_fast_gemm,
    kernel_fast_matmul;
FastKernel kernel_fast_elementwise, kernel_fast_quantize, kernel_fast_dequantize,
    kernel_fast_concat, kernel_fast_identity;
FastKernel kernel_fast_max_pool, kernel_fast_global_pool, kernel_fast_resize;

/* Two's complement without undefined behaviour. */
static inline int64_t kernel_wrap_int64(uint64_t x)
{
    int64_t y;
    memcpy(&y, &x, sizeof y);
    return y;
}
