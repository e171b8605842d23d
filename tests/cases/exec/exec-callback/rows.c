/* Every operator of two requests as a callback is told it: rows MODEL */
#include "npu_exec/session/npu_exec.h"

#include <stdio.h>

static void tell(void *user, uint64_t request, const char *name, int64_t start_ns, int64_t dur_ns)
{
    FILE *out = user;
    fprintf(out, "%lu %s %ld %ld\n", (unsigned long)request, name, (long)start_ns, (long)dur_ns);
}

int main(int argc, char **argv)
{
    char error[1024];
    const char *options[] = {"--target", "warboy-2pe", "--no-noise", NULL};
    NpuSession *s = argc == 2 ? npu_session_create(argv[1], options, error, sizeof error) : NULL;
    if (!s)
        return 2;
    npu_session_on_operator(s, tell, stdout);
    NpuCompletion c;
    for (int i = 0; i < 2 && npu_session_run(s, &c); i++)
        printf("%d is from %ld to %ld, NPU %ld\n", i, (long)c.start_ns, (long)c.end_ns,
               (long)c.npu_ns);
    return npu_session_close(s, error, sizeof error) ? 0 : 2;
}
