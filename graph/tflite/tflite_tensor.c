/* Counts the elements of a tensor and reads the integers of a constant. */
#include "graph/tflite/tflite_file.h"
#include "graph/model/model.h"

int64_t tflite_elements(const TfliteTensor *t)
{
    int64_t n = 1;
    for (int32_t i = 0; i < t->rank; i++) {
        if (t->shape[i] < 0)
            return -1;
        if (t->shape[i] && n > (INT64_MAX >> 8) / t->shape[i])
            return -1;
        n *= t->shape[i];
    }
    return t->rank == RANK_UNKNOWN ? -1 : n;
}

bool tflite_integer(const TfliteTensor *t, int64_t i, int64_t *ret)
{
    size_t width = t->dtype == DT_INT64 ? 8 : 4;
    uint64_t v = 0;
    if ((t->dtype != DT_INT32 && t->dtype != DT_INT64) || !t->bytes.data || i < 0 ||
        (uint64_t)i >= t->bytes.size / width)
        return false;
    memcpy(&v, t->bytes.data + (size_t)i * width, width);
    *ret = width == 8 ? (int64_t)v : (int32_t)(uint32_t)v;
    return true;
}
