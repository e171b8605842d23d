/* A labelled, traced run through the library:  traced_run MODEL TRACE
 * Build: cc -I. docs/traced_run.c build/libnpu_exec.a build/libtrace.a build/libgraph.a
 * build/libonnxpb.a \
 *           $(pkg-config --libs libxml-2.0 libprotobuf-c libcjson zlib nettle) -lm */
#include "npu_exec/session/npu_exec.h"

#include <stdio.h>

static void run_labelled(NpuSession *s, const char *label, int times)
{
    NpuCompletion c;
    npu_profiler_record_start(s, label);
    for (int i = 0; i < times && npu_session_run(s, &c); i++)
        printf("%s: %.1f us, NPU %.1f us\n", label, (double)c.latency_ns / 1e3,
               (double)c.npu_ns / 1e3);
    npu_profiler_record_end(s);
}

int main(int argc, char **argv)
{
    char error[1024];
    const char *options[] = {"--target", "warboy-2pe", "--no-noise", NULL};
    NpuSession *s = argc == 3 ? npu_session_create(argv[1], options, error, sizeof error) : NULL;
    if (!s || !npu_profiler_enable(s, argv[2]))
        return fprintf(stderr, "traced_run: %s\n",
                       s           ? npu_session_error(s)
                       : argc == 3 ? error
                                   : "MODEL TRACE"),
               2;
    run_labelled(s, "warm up", 2);
    run_labelled(s, "trace", 3);
    return npu_session_close(s, error, sizeof error) ? 0 : 2;
}
