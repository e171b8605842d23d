/* Describes one complete piece of time in a trace, whatever file it came from. */
#pragma once

#include "graph/base/libc.h"

typedef enum {
    TRACE_UNKNOWN = 0,
#define FORMAT(id, reader) TRACE_##id,
#define VARIANT(id, reader)
#include "trace/readers/trace_formats.def"
    TRACE_FORMAT_COUNT
} TraceFormat;

/* What a span says about the inference; decided once, by the reader, from category and name. */
typedef enum {
    SPAN_OTHER = 0,
    SPAN_INFERENCE,     /* one request, seen from the host */
    SPAN_LABEL,         /* user label around inferences ("warm up", "trace") */
    SPAN_HOST_OPERATOR, /* Quantize, Lower, Pad, Unlower, Slice, Dequantize, ONNX ops on the CPU */
    SPAN_TASK,          /* one NPU execution: Task, Execution */
    SPAN_NPU_OPERATOR,  /* LowLevel… inside a task */
    SPAN_NPU_IO,        /* Load, Store inside a task */
    SPAN_TRANSFER,      /* WriteToDram, ReadFromDram */
    SPAN_SUBMIT,        /* SendOperandTriple, RunTask, WaitForCommit … */
    SPAN_MODEL_RUN,     /* "Inference (Model-0000)": an inference where no other span is one */
    SPAN_COMPILE,       /* Compile, ProgramBinary, Register, AllocateDram */
} SpanKind;

#define INDEX_NONE (-1)

/* Category of spans that we have added to a trace: predictions and findings, no measurement. */
#define TRACE_OWN_CATEGORY "npu-advise"

const char *span_kind_name(SpanKind k); /* "host_operator" "npu_io" … */

/* What a file says about the run of an operator beside its time. */
typedef struct {
    const char *op; /* type, where the file tells it apart from the name, or NULL */
    const char *in_shapes, *out_shapes; /* "1x3x224x224 64x3x7x7", or NULL */
    uint64_t shapes_key;                /* of the whole lists, which the texts cut short */
    double flop, memory_bytes;          /* computed and moved by one run; 0: unknown */
    bool is_mean; /* the span is the mean of so many runs (0: unknown), the file has no more … */
    uint64_t runs;
    double mean_ns;
    int64_t median_ns; /* … but their median; -1: unknown */
} OpDetail;

typedef struct {
    const char *name; /* interned for the reader's life; the vendor's (tensor ids) stripped off */
    const char *cat;  /* "" when the file has none; the writer takes NULL for its own default */
    const char *op;   /* operator type where the file tells it apart from the name, or NULL */
    SpanKind kind;
    int64_t start_ns; /* relative to nothing in particular; only differences count */
    int64_t dur_ns;   /* >= 0 */
    int64_t pid, tid;
    uint64_t trace_id_high, trace_id, span_id, parent_id; /* 0 when the file has none */
    int32_t pe_index, execution_index, instruction_index, operator_index; /* or INDEX_NONE */
    int64_t run_ns;         /* of a task whose file sums its operators itself; 0: it does not */
    const OpDetail *detail; /* NULL: the file says nothing */
    bool nominal;   /* from a simulator that does not know the cost: the time means nothing */
    uint64_t order; /* position of its beginning in the file(s) */
} Span;

/* A span with nothing set but "none" where 0 means something. */
Span span_empty(void);
