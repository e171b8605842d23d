/* Reads profiles of ONNX Runtime in all known forms. SessionOptions.enable_profiling writes
 * them. A node's time is an X event NAME_kernel_time of category Node with op_name in args;
 * older versions add NAME_fence_before and NAME_fence_after. */
#include "trace/readers/readers.h"
#include "trace/readers/shapes.h"

#include <stdlib.h>
#include <string.h>

static const Sign sign[] = {
    {"_kernel_time\"", "\"Node\""},
    {"\"model_loading_", "\"Session\""},
    {"\"session_initialization\"", "\"Session\""},
    {"\"model_run\"", "\"Session\""},
    {NULL, NULL},
};

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
    if (strcmp(cat, "Node") == 0)
        return ends_with(name, "_fence_before") || ends_with(name, "_fence_after")
                   ? SPAN_SUBMIT
                   : SPAN_HOST_OPERATOR;
    if (strcmp(name, "model_run") == 0)
        return SPAN_INFERENCE;
    return name_in(compile, name) ? SPAN_COMPILE : SPAN_OTHER;
}

/* "input_type_shape": [{"float": [1, 3, 8, 8]}, {"int8": []}] */
static const cJSON *type_shapes(const cJSON *args, const char *key)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(args, key);
    return cJSON_IsArray(list) ? list : NULL;
}

/* Sizes are numbers in quotes. */
static double quoted_size(const cJSON *args, const char *key)
{
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(args, key);
    double bytes = cJSON_IsString(v) ? strtod(v->valuestring, NULL) : 0;
    return bytes > 0 && bytes < 1e18 ? bytes : 0;
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
static double flop_of(const cJSON *args)
{
    enum { KERNEL_RANK = 3 }; /* of a weight: O x I x length at least */
    const cJSON *op = cJSON_GetObjectItemCaseSensitive(args, "op_name");
    const cJSON *in = type_shapes(args, "input_type_shape");
    const cJSON *out = cJSON_GetArrayItem(type_shapes(args, "output_type_shape"), 0);
    for (size_t i = 0; cJSON_IsString(op) && i < sizeof multiplies / sizeof *multiplies; i++) {
        if (strcmp(multiplies[i].op, op->valuestring) != 0)
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

static const OpDetail *onnxruntime_detail(Arena *a, const char *event, size_t len)
{
    cJSON *root = cJSON_ParseWithLength(event, len);
    const cJSON *args = cJSON_GetObjectItemCaseSensitive(root, "args");
    OpDetail *d = NULL;
    if (type_shapes(args, "output_type_shape")) {
        d = ARENA_NEW(a, OpDetail);
        d->in_shapes = shapes_text(a, type_shapes(args, "input_type_shape"));
        d->out_shapes = shapes_text(a, type_shapes(args, "output_type_shape"));
        d->flop = flop_of(args);
        d->memory_bytes = quoted_size(args, "activation_size") +
                          quoted_size(args, "parameter_size") + quoted_size(args, "output_size");
    }
    cJSON_Delete(root);
    return d;
}

const TraceReader reader_onnxruntime = {
    .format = TRACE_ONNXRUNTIME,
    .name = "onnxruntime",
    .sign = sign,
    .strip = strip_kernel_suffix,
    .kind = onnxruntime_kind,
    .detail = onnxruntime_detail,
};
