/* Searches the keys of a FlexBuffers map and decodes one number. */
#include "graph/tflite/flex.h"

enum { TYPE_INT = 1, TYPE_UINT = 2, TYPE_MAP = 9 };

/* A place in the bytes from which a vector's elements follow, each of that many bytes. */
typedef struct {
    size_t at, width;
    uint64_t count;
} Vector;

static bool read_flex_uint(Bytes b, size_t at, size_t width, uint64_t *ret)
{
    *ret = 0;
    if (at > b.size || width > b.size - at)
        return false;
    for (size_t i = width; i-- > 0;)
        *ret = *ret << 8 | b.data[at + i];
    return true;
}

/* Where an offset at `at` leads: backwards. */
static bool follow_backwards(Bytes b, size_t at, size_t width, size_t *ret)
{
    uint64_t offset;
    if (!read_flex_uint(b, at, width, &offset) || offset > at)
        return false;
    *ret = at - (size_t)offset;
    return true;
}

static bool open_vector(Bytes b, size_t at, size_t width, Vector *ret)
{
    *ret = (Vector){at, width, 0};
    return at >= width && read_flex_uint(b, at - width, width, &ret->count) &&
           ret->count <= FLEX_MAX_KEYS && ret->count * (width + 1) <= b.size - at;
}

static bool open_map(Bytes b, Vector *ret_keys, Vector *ret_values)
{
    if (b.size < 3)
        return false;
    size_t root_width = b.data[b.size - 1], at, keys;
    uint8_t type = b.data[b.size - 2];
    uint64_t key_width;
    size_t width = (size_t)1 << (type & 3);
    if (type >> 2 != TYPE_MAP || !root_width || root_width > 8 || b.size < 2 + root_width ||
        !follow_backwards(b, b.size - 2 - root_width, root_width, &at) ||
        !open_vector(b, at, width, ret_values) || at < 3 * width ||
        !follow_backwards(b, at - 3 * width, width, &keys) ||
        !read_flex_uint(b, at - 2 * width, width, &key_width) || !key_width || key_width > 8)
        return false;
    return open_vector(b, keys, (size_t)key_width, ret_keys) &&
           ret_keys->count == ret_values->count;
}

static bool is_key(Bytes b, const Vector *keys, size_t i, const char *wanted)
{
    size_t at, n = strlen(wanted) + 1;
    return follow_backwards(b, keys->at + i * keys->width, keys->width, &at) && n <= b.size - at &&
           memcmp(b.data + at, wanted, n) == 0;
}

int64_t flex_number(Bytes b, const char *key, int64_t fallback)
{
    Vector keys, values;
    uint64_t v;
    if (!open_map(b, &keys, &values))
        return fallback;
    for (size_t i = 0; i < values.count; i++) {
        int type = b.data[values.at + values.count * values.width + i] >> 2;
        if (is_key(b, &keys, i, key) && (type == TYPE_INT || type == TYPE_UINT) &&
            read_flex_uint(b, values.at + i * values.width, values.width, &v) && v <= INT32_MAX)
            return (int64_t)v;
    }
    return fallback;
}
