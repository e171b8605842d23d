/* Reads traces of the Furiosa runtime, SDK 0.7 to 0.10, and of npu-exec. The span names are
 * those of the vendor's profiling guide, of a trace of 2022 in its documentation, and of its
 * exporter. */
#include "trace/readers/readers.h"

static const char *const cat[] = {"Nux", "NPU", NULL};

/* "LowLevelConv2d(41,40,42,44)", "Task($0,0,0)": the parentheses hold ids of tensors. */
static size_t strip_tensor_ids(const char *name, size_t len)
{
    if (len == 0 || name[len - 1] != ')')
        return len;
    size_t i = len - 1;
    while (i > 0 && name[i - 1] && strchr("0123456789,$ ", name[i - 1]))
        i--;
    return i > 1 && i < len - 1 && name[i - 1] == '(' ? i - 1 : len;
}

static const struct {
    const char *name;
    SpanKind kind;
} host_name[] = {
#define HOST_SPAN(name, kind) {name, SPAN_##kind},
#include "trace/readers/furiosa_spans.def"
};

static SpanKind host_kind(const char *name)
{
    for (size_t i = 0; i < sizeof host_name / sizeof *host_name; i++)
        if (strcmp(host_name[i].name, name) == 0)
            return host_name[i].kind;
    /* What the runtime does not name itself, the user has named. */
    return strncmp(name, "Inference (", 11) == 0 ? SPAN_MODEL_RUN : SPAN_LABEL;
}

/* The vendor's selection: an execution is what is no operator; Load and Store are no operators. */
static SpanKind npu_kind(const char *name)
{
    if (strcmp(name, "Task") == 0 || strcmp(name, "Execution") == 0)
        return SPAN_TASK;
    bool io = strcmp(name, "Load") == 0 || strcmp(name, "Store") == 0;
    return io ? SPAN_NPU_IO : SPAN_NPU_OPERATOR;
}

static int sdk_of_category(const char *category)
{
    return strcmp(category, "Runtime") == 0 ? 10 : strcmp(category, "Nux") == 0 ? 9 : 0;
}

static SpanKind furiosa_kind(const char *category, const char *name)
{
    bool on_npu = strcmp(category, "NPU") == 0, on_host = sdk_of_category(category) != 0;
    SpanKind kind = npu_kind(name);
    if (!on_npu && !on_host) /* the exporter gives a category to asynchronous spans alone */
        on_npu = kind != SPAN_NPU_OPERATOR || strncmp(name, "LowLevel", 8) == 0;
    return on_npu ? kind : host_kind(name);
}

/* Beginnings of names that are the vendor's in any category. */
static const char *const own_name[] = {"LowLevel",     "Inference (",   "WriteToDram",
                                       "ReadFromDram", "WaitForCommit", "SendOperandTriple"};

/* "Runtime" is a category of old PyTorch traces, too. */
static const char *furiosa_clue(const EventSample *e)
{
    for (size_t i = 0; i < sizeof own_name / sizeof *own_name; i++)
        if (!strncmp(e->name, own_name[i], strlen(own_name[i])))
            return own_name[i];
    if (!strcmp(e->name, "Inference"))
        return "Inference";
    for (size_t i = 0; cat[i]; i++)
        if (!strcmp(e->cat, cat[i]))
            return cat[i];
    for (size_t i = 0; !strcmp(e->cat, "Runtime") && i < sizeof host_name / sizeof *host_name; i++)
        if (!strcmp(host_name[i].name, e->name))
            return host_name[i].name;
    return NULL;
}

const TraceReader reader_furiosa = {
    .format = TRACE_FURIOSA,
    .name = "furiosa",
    .clue = furiosa_clue,
    .cat = cat,
    .trust_names = true,
    .strip = strip_tensor_ids,
    .kind = furiosa_kind,
    .sdk = sdk_of_category,
};
