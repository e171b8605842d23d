/* Reads traces of the PyTorch profiler and Kineto. They hold operators of the host, kernels of
 * the device, the calls that launch them, and ProfilerStep#N around each iteration. */
#include "trace/readers/readers.h"
#include "trace/readers/shapes.h"

static const Sign sign[] = {
    {"\"schemaVersion\"", "\"traceEvents\""},
    {"\"deviceProperties\"", NULL},
    {NULL, NULL},
};

/* "ProfilerStep#12" is one thing in twelve instances. */
static size_t strip_step_number(const char *name, size_t len)
{
    static const char step[] = "ProfilerStep#";
    size_t n = sizeof step - 1;
    return len > n && memcmp(name, step, n) == 0 ? n - 1 : len;
}

static const struct {
    const char *cat;
    SpanKind kind;
} meaning[] = {
#define MEANS(cat, kind) {cat, SPAN_##kind},
#include "trace/readers/pytorch_categories.def"
};

static SpanKind pytorch_kind(const char *cat, const char *name)
{
    if (strcmp(name, "ProfilerStep") == 0)
        return strncmp(cat, "gpu_", 4) == 0 ? SPAN_OTHER : SPAN_INFERENCE;
    return LIST_VALUE(i, sizeof meaning / sizeof *meaning, strcmp(meaning[i].cat, cat) == 0,
                      meaning[i].kind, SPAN_OTHER);
}

/* The profiler before Kineto has no categories, but rows for the host and for the device. */
static const char old_host[] = "CPU functions", old_device[] = "CUDA functions";

static void pytorch_refine(TraceRead *r, const Event *e, Span *s)
{
    (void)r;
    if (e->external_id > 0) /* operators are numbered as they begin: a parent before its children */
        s->order = (uint64_t)e->external_id;
    if (e->cat.n || !e->pid_name.n)
        return;
    s->kind = text_is(&e->pid_name, old_host)     ? SPAN_HOST_OPERATOR
              : text_is(&e->pid_name, old_device) ? SPAN_NPU_OPERATOR
                                                  : s->kind;
}

/* "Runtime" and "Kernel" are categories of others, too: calls of CUDA or HIP tell them apart. */
static const char *pytorch_clue(const EventSample *e)
{
    static const char *const shared[] = {"Runtime", "Kernel", "Operator", NULL};
    if (!strncmp(e->name, "aten::", 6))
        return "aten::";
    if (!strncmp(e->name, "ProfilerStep#", 13))
        return "ProfilerStep#";
    if (!*e->cat && !strcmp(e->pid, old_host))
        return old_host;
    if (!*e->cat && !strcmp(e->pid, old_device))
        return old_device;
    bool call = !strncmp(e->name, "cuda", 4) || !strncmp(e->name, "hip", 3);
    if (name_in(shared, e->cat))
        return call ? "cuda…" : NULL;
    return LIST_VALUE(i, sizeof meaning / sizeof *meaning, strcmp(meaning[i].cat, e->cat) == 0,
                      meaning[i].cat, NULL);
}

/* "Input Dims": [[1, 3, 224, 224], [64, 3, 7, 7], []] */
static OpDetail *pytorch_detail(Arena *a, const Event *e)
{
    uint64_t key = 0;
    const char *shapes = shapes_of_fact(a, &e->fact[FACT_IN_SHAPES], &key);
    OpDetail *d = shapes ? ARENA_NEW(a, OpDetail) : NULL;
    if (d)
        *d = (OpDetail){.in_shapes = shapes, .shapes_key = key};
    return d;
}

const TraceReader reader_pytorch = {
    .format = TRACE_PYTORCH,
    .name = "pytorch",
    .sign = sign,
    .clue = pytorch_clue,
    .strip = strip_step_number,
    .kind = pytorch_kind,
    .detail = pytorch_detail,
    .refine = pytorch_refine,
};
