/* Measures what quantization takes from each tensor on data. */
#pragma once

#include "graph/model/model.h"
#include "npu_exec/values/value.h"

typedef struct ValueLosses ValueLosses;

/* Lives in `a`, but must be closed: it may hold resources of a run that broke off. */
ValueLosses *value_losses_new(Arena *a, const Graph *g);
void value_losses_close(ValueLosses *l);

/* ValuesIo.see, whose user is the Losses. */
Status value_losses_add(void *losses, TensorId id, Value *v, Diag *diag);

/* JSON: {"images", "tensors": [{"tensor", "sqnr_db", "clipped"}, …]}, the greatest loss first:
 * signal to noise, at most 200, and the share of the values that lie beyond what codes reach, by
 * more than half a step. */
Status value_losses_write(ValueLosses *l, size_t images, const char *path, Diag *diag);
