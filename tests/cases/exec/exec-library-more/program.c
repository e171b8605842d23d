/* What the 30 lines of docs/traced_run.c leave out: values, requests in flight, operators, a
 * bounded trace in several files. */
#include "npu_exec/session/npu_exec.h"

#include <stdio.h>
#include <string.h>

static void show(const char *what, const NpuTensor *t)
{
    printf("%s %s: %s %dD, %zu bytes\n", what, t->name, t->type, (int)t->rank, t->bytes);
}

static int values(const char *model)
{
    char error[256];
    NpuSession *s = npu_session_create(model, NULL, error, sizeof error);
    NpuTensor in, out, none;
    if (!s || !npu_session_input(s, 0, &in) || !npu_session_output(s, 0, &out) ||
        npu_session_input(s, 1, &none))
        return puts(error), 2;
    show("input", &in);
    show("output", &out);
    unsigned char x[4] = {130, 128, 120, 255};
    float y[4] = {-1, -1, -1, -1};
    if (npu_session_execute(s, (const void *[]){x}, (void *[]){y}))
        printf("%g %g %g %g at %lld ns\n", y[0], y[1], y[2], y[3],
               (long long)npu_session_now_ns(s));
    printf("%d: %s\n", npu_session_execute(s, (const void *[]){NULL}, (void *[]){y}),
           npu_session_error(s));
    return !npu_session_close(s, NULL, 0);
}

static void count(void *user, uint64_t request, const char *name, int64_t start_ns, int64_t dur_ns)
{
    int *n = user;
    n[0]++;
    n[1] += strcmp(name, "LowLevelConv2d") == 0 && request < 40 && start_ns >= 0 && dur_ns > 0;
}

static int recorded(const char *model)
{
    char error[256];
    const char *options[] = {"--workers",     "2",       "--csv",  "t.csv",    "--memory-flow",
                             "m.svg",         "--trace", "t.json", "--sample", "4",
                             "--trace-limit", "1",       NULL};
    NpuSession *s = npu_session_create(model, options, error, sizeof error);
    NpuCompletion c;
    uint64_t request;
    int out = 0, operators[2] = {0, 0};
    if (!s || !npu_profiler_enable(s, NULL))
        return puts(s ? npu_session_error(s) : error), 2;
    npu_session_on_operator(s, count, operators);
    while (out < 40 && npu_session_submit(s, &request))
        out++;
    printf("%d submitted: %s\n", out, npu_session_error(s));
    while (npu_session_receive(s, &c))
        out--;
    printf("%d out, %d convolutions of %s\n", out, operators[1],
           operators[0] > 0 ? "some operators" : "none");
    npu_session_on_operator(s, NULL, NULL);
    npu_profiler_record_end(s); /* of no label: nothing */
    for (int i = 0; i < 2000 && npu_session_run(s, &c); i++)
        if (i == 1000)
            npu_profiler_pause(s);
    printf("left out: %s\n", npu_profiler_left_out(s) > 0 ? "some" : "none");
    bool ok = npu_session_close(s, error, sizeof error);
    return ok ? 0 : (puts(error), 2);
}

static bool run(NpuSession *s, int n)
{
    NpuCompletion c;
    bool good = true;
    for (int i = 0; i < n; i++)
        good = good && npu_session_run(s, &c);
    return good;
}

static int paused(const char *model)
{
    char error[256] = "as it was";
    NpuSession *s =
        npu_session_create(model, (const char *[]){"--trace", "p.json", NULL}, error, sizeof error);
    printf("made: '%s'\n", error);
    if (!s || !npu_profiler_enable(s, NULL))
        return puts(s ? npu_session_error(s) : error), 2;
    bool good = run(s, 3);
    npu_profiler_pause(s);
    good = good && run(s, 4);
    npu_profiler_resume(s);
    good = good && run(s, 2);
    snprintf(error, sizeof error, "as it was");
    bool closed = npu_session_close(s, error, sizeof error);
    printf("closed: '%s'\n", error);
    return closed && good ? 0 : 2;
}

static void refused(const char *model, const char *option, const char *value)
{
    char error[256];
    NpuSession *s =
        npu_session_create(model, (const char *[]){option, value, NULL}, error, sizeof error);
    puts(s && !npu_profiler_enable(s, NULL) ? npu_session_error(s) : error);
    npu_session_close(s, NULL, 0);
}

int main(int argc, char **argv)
{
    if (argc != 3 || values(argv[1]) || recorded(argv[2]) || paused(argv[2]))
        return 2;
    refused(argv[2], "--rate", "5");
    refused(argv[2], "--record", "a:1");
    refused(argv[2], "--duration", "1");
    refused(argv[2], "--json", "f");
    refused(argv[2], "--seed", "1");
    refused("nowhere.onnx", "--seed", "1");
    return 0;
}
