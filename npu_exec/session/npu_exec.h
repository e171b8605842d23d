/* Offers the simulated NPU as a C library, with calls like the vendor's runtime.
 *
 * A session compiles one model and runs it; the profiler writes a trace with labels; a callback
 * sees every operator.  Time is simulated: a call returns as soon as the simulation knows the
 * answer. One session is for one thread.  Functions that can fail return false and leave one line
 * that says why in npu_session_error. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct NpuSession NpuSession;

/* What became of one request. */
typedef struct {
    uint64_t request;         /* as npu_session_submit numbered it, from 0 */
    int64_t latency_ns;       /* from submission to completion */
    int64_t npu_ns;           /* in NPU tasks, launch and commit included */
    int64_t start_ns, end_ns; /* on the session's clock, which starts at 0 */
} NpuCompletion;

/* Loads and compiles `model`.  `options` are words of the command line of npu-exec ("--target",
 * "warboy", "--workers", "4", …), NULL at the end, or NULL for none; options that the calls below
 * replace (--rate, --duration, --record, --pause, --values, --json) are refused, --runs and
 * --warmup have no effect.  NULL on failure, with the reason in `error` (which may be NULL). */
NpuSession *npu_session_create(const char *model, const char *const *options, char *error,
                               size_t error_size);

/* Finishes the trace, if any, and frees everything.  Accepts NULL.  False when the trace could not
 * be written; the reason goes to `error`. */
bool npu_session_close(NpuSession *s, char *error, size_t error_size);

/* The last failure, one line; "" when there was none. */
const char *npu_session_error(const NpuSession *s);

/* Runs one request to its end, alone among those not yet received. */
bool npu_session_run(NpuSession *s, NpuCompletion *ret);

/* Hands a request over.  Bounded: as many as workers and input queue together may be out and not
 * received; one more fails, so that a program cannot forget to receive. */
bool npu_session_submit(NpuSession *s, uint64_t *ret_request);

/* The next completion, in order of completion; false when none is outstanding. */
bool npu_session_receive(NpuSession *s, NpuCompletion *ret);

/* The simulated clock. */
int64_t npu_session_now_ns(const NpuSession *s);

/* Called once per operator of every completed request, host operators and NPU operators alike. */
typedef void (*NpuOperatorCallback)(void *user, uint64_t request, const char *name,
                                    int64_t start_ns, int64_t dur_ns);
void npu_session_on_operator(NpuSession *s, NpuOperatorCallback callback, void *user);

/* ---- the profiler ---- */

/* Records from now on; once per session, before the first request.  `path` gets a Chrome trace;
 * NULL where the options of the session name the files: "--trace", "--csv" (the rows of the SDK's
 * DataFrame), "--memory-flow" (a drawing of the SRAM during the first request).  What is recorded
 * is the options' as well: "--profile" cpu or npu, "--verbosity" none, layer or detailed,
 * "--sample" K (operators of every K-th request), "--trace-limit" MB, "--trace-overhead" percent.
 */
bool npu_profiler_enable(NpuSession *s, const char *path);

/* A label around the requests that are run between the two calls.  Labels do not nest. */
void npu_profiler_record_start(NpuSession *s, const char *label);
void npu_profiler_record_end(NpuSession *s);

/* Requests that complete while paused leave no spans; the clock goes on. */
void npu_profiler_pause(NpuSession *s);
void npu_profiler_resume(NpuSession *s);

/* Requests that "--trace-limit" has kept out so far. */
uint64_t npu_profiler_left_out(const NpuSession *s);

/* ---- values ---- */

enum { NPU_MAX_RANK = 8 };

/* An input or output of the model. */
typedef struct {
    const char *name;
    const char *type; /* as NumPy spells it: "float32", "uint8" …, and "bfloat16" */
    int32_t rank;
    int64_t dim[NPU_MAX_RANK];
    size_t bytes; /* of all elements */
} NpuTensor;

/* Input or output `i` of the graph; false where there is none, or its size is not known. */
bool npu_session_input(const NpuSession *s, size_t i, NpuTensor *ret);
bool npu_session_output(const NpuSession *s, size_t i, NpuTensor *ret);

/* Executes the model once on the host, int8 as the NPU does, which takes no simulated time: reads
 * input[i] and writes ret_output[i], as many bytes as the tensors above have; an output whose
 * buffer is NULL is left out.  Fails, and names the operator, where one has no kernel. */
bool npu_session_execute(NpuSession *s, const void *const *input, void *const *ret_output);
