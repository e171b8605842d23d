/* Fuzzes inference and the plain kernels: whatever loads is executed on values, or refused. */
#include "graph/base/notes.h"
#include "graph/infer/shape.h"
#include "graph/model/dtype.h"
#include "graph/onnx/onnx.h"
#include "npu_exec/values/execute.h"
#include "tests/fuzz/harness.h"

#include <math.h>

enum { SAMPLES_LISTED_MAX = 100, ELEMENTS_AT_MOST = 1 << 20 };

/* Small numbers of both signs, some of them the same and none that a table of a test would have. */
static void put(Value *v, int64_t i, size_t input)
{
    int64_t small = (i * 37 + (int64_t)input * 11) % 17 - 8;
    uint8_t *at = (uint8_t *)v->data + (size_t)i * (size_t)dtype_bytes(v->dtype, 1);
    int32_t whole = (int32_t)(small % 3);
    memset(at, 0, (size_t)dtype_bytes(v->dtype, 1));
    if (v->dtype == DT_FLOAT32)
        memcpy(at, &(float){(float)small / 4}, sizeof(float));
    else if (v->dtype == DT_FLOAT64)
        memcpy(at, &(double){(double)small / 4}, sizeof(double));
    else if (v->dtype == DT_INT64)
        memcpy(at, &(int64_t){whole}, sizeof(int64_t));
    else if (v->dtype == DT_INT32)
        memcpy(at, &whole, sizeof whole);
    else if (v->dtype == DT_BOOL)
        *at = small & 1;
    else if ((size_t)dtype_bytes(v->dtype, 1) == 1)
        *at = (uint8_t)(small * 13);
}

static Status take(void *user, size_t i, const Tensor *t, Value *v, Diag *diag)
{
    (void)user, (void)t, (void)diag;
    for (int64_t k = 0; k < v->count; k++)
        put(v, k, i);
    return STATUS_OK;
}

/* Sixteen bits of a number are the same on every processor. */
static Status give(void *user, size_t i, Value *v, Diag *diag)
{
    (void)user, (void)diag;
    harness_print("output %zu: %s of", i, dtype_name(v->dtype));
    for (int32_t k = 0; k < v->rank; k++)
        harness_print(" %" PRId64, v->dim[k]);
    const float *f = value_floats(v);
    for (int64_t k = 0; f && k < v->count && k < SAMPLES_LISTED_MAX; k++)
        harness_print(isnan(f[k]) ? " nan" : " %.4g", (double)f[k] + 0.0);
    harness_print("\n");
    return STATUS_OK;
}

static void say_tensor(Arena *a, const Tensor *t)
{
    harness_print("%s: %s %s", or_none(t->name), dtype_name(t->dtype), shape_text(a, &t->shape));
    const uint8_t *byte = t->value ? t->value->data : NULL;
    for (size_t k = 0; byte && k < t->value->nbyte && k < SAMPLES_LISTED_MAX; k++)
        harness_print("%s%02x", k ? "" : " = ", byte[k]);
    harness_print("\n");
}

/* What takes long is no finding. */
static bool is_large(const Model *m)
{
    for (size_t i = 0; i < m->graph->ntensor; i++)
        if (shape_elements(&m->graph->tensor[i].shape) > ELEMENTS_AT_MOST)
            return true;
    return false;
}

static void fuzz(Arena *a, const uint8_t *data, size_t size)
{
    const ValuesIo io = {.take = take, .give = give};
    Diag diag;
    Notes notes;
    Model *m;
    notes_init(&notes, a);
    if (onnx_load_bytes(a, "fuzz.onnx", data, size, &notes, &m, &diag)) {
        harness_print("%s\n", diag.text);
        return;
    }
    shape_infer(m, NULL, 0, 2);
    for (size_t i = 0; i < m->graph->ntensor; i++)
        say_tensor(a, &m->graph->tensor[i]);
    for (size_t i = 0; i < notes.nnote; i++)
        harness_print("%s\n", message_format(a, NULL, notes.note[i].said));
    if (is_large(m))
        harness_print("large\n");
    else if (values_run(m, &io, &diag))
        harness_print("%s\n", diag.text);
    model_close(m);
}
