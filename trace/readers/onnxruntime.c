/* Reads profiles of ONNX Runtime in all known forms. SessionOptions.enable_profiling writes
 * them. A node's time is an X event NAME_kernel_time of category Node with op_name in args;
 * older versions add NAME_fence_before and NAME_fence_after. With a provider for GPUs it is the
 * time of the launch, and events of category Kernel, right after it, are what the device took. */
#include "trace/readers/readers.h"
#include "trace/readers/shapes.h"

static const char kernel_suffix[] = "_kernel_time";

static size_t strip_kernel_suffix(const char *name, size_t len)
{
    size_t suffix = sizeof kernel_suffix - 1;
    bool has = len > suffix && memcmp(name + len - suffix, kernel_suffix, suffix) == 0;
    return has ? len - suffix : len;
}

static bool ends_with(const char *name, const char *end)
{
    size_t n = strlen(name), m = strlen(end);
    return n >= m && strcmp(name + n - m, end) == 0;
}

static SpanKind onnxruntime_kind(const char *cat, const char *name)
{
    static const char *const compile[] = {"model_loading_uri", "model_loading_array",
                                          "model_loading_from_saved_proto",
                                          "session_initialization", NULL};
    if (strcmp(cat, "Kernel") == 0)
        return SPAN_NPU_OPERATOR;
    if (strcmp(cat, "Node") == 0)
        return ends_with(name, "_fence_before") || ends_with(name, "_fence_after")
                   ? SPAN_SUBMIT
                   : SPAN_HOST_OPERATOR;
    if (strcmp(name, "model_run") == 0)
        return SPAN_INFERENCE;
    return name_in(compile, name) ? SPAN_COMPILE : SPAN_OTHER;
}

static const char *onnxruntime_clue(const EventSample *e)
{
    if (!strcmp(e->cat, "Node") && ends_with(e->name, kernel_suffix))
        return kernel_suffix;
    if (strcmp(e->cat, "Session") != 0)
        return NULL;
    return strncmp(e->name, "model_loading_", 14) && strcmp(e->name, "session_initialization") &&
                   strcmp(e->name, "model_run")
               ? NULL
               : "Session";
}

/* A kernel is a run of the node that launched it: its parent, else the latest of its type.  A node
 * that the model does not name is called as its type.  Nodes are written when they end: an outer
 * one after those within it. */
static void onnxruntime_refine(TraceRead *r, const Event *e, Span *s)
{
    const Name *node = r->last_node;
    bool is_new, is_kernel = s->kind == SPAN_NPU_OPERATOR;
    if (is_kernel && e->parent_name.n)
        s->name = reader_name(r, e->parent_name.p, e->parent_name.n);
    else if (is_kernel && node && s->op && node->op == s->op)
        s->name = node->group;
    if (s->kind != SPAN_HOST_OPERATOR || !e->name.n)
        return;
    s->order = UINT64_MAX - s->order;
    if (s->name && s->op && !strcmp(s->name, kernel_suffix))
        s->name = s->op;
    Name *now = names_intern(&r->names, &e->name, &is_new);
    now->op = s->op;
    r->last_node = s->name == s->op ? NULL : now;
}

/* Sizes are numbers in quotes. */
static double quoted_size(const Text *fact)
{
    const int64_t MAX_BYTES = INT64_C(1000000000000000000);
    int64_t bytes = 0;
    bool wrapped = false;
    bool known = fact->n > 2 && scan_decimal(fact->p + 1, fact->n - 2, 0, &bytes, &wrapped);
    return known && bytes > 0 && bytes < MAX_BYTES ? (double)bytes : 0;
}

/* Operators that multiply matrices: where their weight (Conv) or left matrix stands. */
static const struct {
    const char *op;
    int weight; /* input whose shape but the first dimension is summed over; -1: none */
    int matrix; /* input whose last dimension is summed over */
} multiplies[] = {
    {"Conv", 1, -1},        {"FusedConv", 1, -1},     {"NhwcFusedConv", 1, -1},
    {"QLinearConv", 3, -1}, {"ConvInteger", 1, -1},   {"MatMul", -1, 0},
    {"FusedMatMul", -1, 0}, {"MatMulInteger", -1, 0}, {"QLinearMatMul", -1, 0},
    {"Gemm", -1, 0},        {"FusedGemm", -1, 0},     {"QGemm", -1, 0},
};

/* Product of the dimensions from the `from`-th on; 0 where there are fewer than `from`. */
static double dims_product(const cJSON *type_shape, int from)
{
    const cJSON *shape = type_shape ? type_shape->child : NULL, *dim;
    double n = 1;
    int i = 0;
    if (!cJSON_IsArray(shape) || cJSON_GetArraySize(shape) < from)
        return 0;
    cJSON_ArrayForEach(dim, shape)
    {
        if (i++ >= from)
            n *= cJSON_IsNumber(dim) && dim->valuedouble > 0 ? dim->valuedouble : 0;
    }
    return n;
}

/* A multiplication and an addition are two; 0 where the shapes do not tell (the weights of a
 * kernel that packs them are not among its inputs). */
static double flop_of(const Text *op, const cJSON *in, const cJSON *out)
{
    enum { KERNEL_RANK = 3 }; /* of a weight: O x I x length at least */
    for (size_t i = 0; i < sizeof multiplies / sizeof *multiplies; i++) {
        if (!text_is(op, multiplies[i].op))
            continue;
        const cJSON *weight = cJSON_GetArrayItem(in, multiplies[i].weight);
        const cJSON *left = cJSON_GetArrayItem(in, multiplies[i].matrix);
        int rank = cJSON_GetArraySize(left ? left->child : NULL);
        if (multiplies[i].weight >= 0)
            return dims_product(weight, KERNEL_RANK) > 0
                       ? 2 * dims_product(out, 0) * dims_product(weight, 1)
                       : 0;
        return rank > 0 ? 2 * dims_product(out, 0) * dims_product(left, rank - 1) : 0;
    }
    return 0;
}

static cJSON *parse_fact(const Text *fact)
{
    return fact->n ? cJSON_ParseWithLength(fact->p, fact->n) : NULL;
}

/* "input_type_shape": [{"float": [1, 3, 8, 8]}, {"int8": []}] */
static OpDetail *onnxruntime_detail(Arena *a, const Event *e)
{
    cJSON *in = parse_fact(&e->fact[FACT_IN_SHAPES]), *out = parse_fact(&e->fact[FACT_OUT_SHAPES]);
    OpDetail *d = NULL;
    if (cJSON_IsArray(out)) {
        d = ARENA_NEW(a, OpDetail);
        d->in_shapes = shapes_text(a, in, &d->shapes_key);
        d->out_shapes = shapes_text(a, out, &d->shapes_key);
        d->flop = flop_of(&e->op, in, cJSON_GetArrayItem(out, 0));
        d->memory_bytes = quoted_size(&e->fact[FACT_ACTIVATION_SIZE]) +
                          quoted_size(&e->fact[FACT_PARAMETER_SIZE]) +
                          quoted_size(&e->fact[FACT_OUTPUT_SIZE]);
    }
    cJSON_Delete(in);
    cJSON_Delete(out);
    return d;
}

const TraceReader reader_onnxruntime = {
    .format = TRACE_ONNXRUNTIME,
    .name = "onnxruntime",
    .clue = onnxruntime_clue,
    .strip = strip_kernel_suffix,
    .kind = onnxruntime_kind,
    .detail = onnxruntime_detail,
    .refine = onnxruntime_refine,
};
