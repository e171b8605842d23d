/* Searches a format's description for the words of TensorRT 8.2 to 10. Source: activations.py
 * of NVIDIA TensorRT's engine explorer. */
#include "graph/import/tensorrt_format.h"

static const struct {
    const char *word;
    DType dtype;
} type_word[] = {
    {"FP32", DT_FLOAT32},   {"Float", DT_FLOAT32},     {"FP16", DT_FLOAT16},
    {"Half", DT_FLOAT16},   {"BF16", DT_BFLOAT16},     {"BFloat16", DT_BFLOAT16},
    {"Int8", DT_INT8},      {"UInt8", DT_UINT8},       {"Int32", DT_INT32},
    {"Int64", DT_INT64},    {"Bool", DT_BOOL},         {"FP8", DT_FLOAT8E4M3FN},
    {"Int4", DT_INT4},      {"FP4", DT_FLOAT4E2M1},    {"FP4E2M1", DT_FLOAT4E2M1},
    {"Double", DT_FLOAT64}, {"E4M3", DT_FLOAT8E4M3FN},
};

static DType dtype_of_word(const char *word, size_t len)
{
    return LIST_VALUE(i, sizeof type_word / sizeof *type_word,
                      strlen(type_word[i].word) == len &&
                          !strncasecmp(type_word[i].word, word, len),
                      type_word[i].dtype, DT_UNKNOWN);
}

DType tensorrt_dtype(const char *words)
{
    for (const char *s = words ? words : ""; *s;) {
        size_t len = 0;
        while (isalnum((unsigned char)s[len]))
            len++;
        DType t = dtype_of_word(s, len);
        if (t != DT_UNKNOWN)
            return t;
        s += len + (len == 0);
    }
    return DT_UNKNOWN;
}

/* "channel % 8 == 0": the 8; 0 where there is none. */
static long padded_to(const char *words)
{
    const char *at = strstr(words, "channel %");
    return at ? strtol(at + strlen("channel %"), NULL, 10) : 0;
}

static const char *vectorised_layout(const char *words)
{
    static const struct {
        const char *number, *flat, *deep;
    } wide[] = {{"Two", "CHW2", "CDHW2"},          {"Four", "CHW4", "CDHW4"},
                {"Eight", "CHW8", "CDHW8"},        {"Sixteen", "CHW16", "CDHW16"},
                {"Thirty-two", "CHW32", "CDHW32"}, {"Thirty two", "CHW32", "CDHW32"}};
    return LIST_VALUE(i, sizeof wide / sizeof *wide,
                      !strncasecmp(words, wide[i].number, strlen(wide[i].number)),
                      strstr(words, "3 spatial") ? wide[i].deep : wide[i].flat, NULL);
}

static const char *layout_of(Arena *a, const char *words)
{
    bool strided = strstr(words, "column stride") != NULL;
    if (strstr(words, "wide channel vectorized"))
        return vectorised_layout(words);
    if (!strncasecmp(words, "Row major", 9))
        return strided ? "DLA CHW" : "CHW";
    if (strncasecmp(words, "Channel major", 13) != 0)
        return NULL;
    const char *order = strstr(words, "3 spatial") ? "DHWC" : "HWC";
    long pad = padded_to(words);
    if (strided)
        return "DLA HWC4";
    return pad > 1 ? arena_printf(a, "%s%ld", order, pad) : order;
}

TensorrtFormat tensorrt_format(Arena *a, const char *words)
{
    if (!words)
        return (TensorrtFormat){.dtype = DT_UNKNOWN};
    return (TensorrtFormat){tensorrt_dtype(words), layout_of(a, words)};
}
