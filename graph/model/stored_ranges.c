/* Finds ranges and types in a calibration. */
#include "graph/model/stored_ranges.h"

const CalibratedTensor *stored_ranges_find(const StoredRanges *c, const char *name)
{
    uint32_t i = c ? strmap_get(&c->by_name, name) : STRMAP_NONE;
    return i == STRMAP_NONE ? NULL : &c->tensor[i];
}

const StoredRanges *stored_ranges_with(Arena *a, const StoredRanges *c, CalibratedTensor entry)
{
    StoredRanges *copy = ARENA_NEW(a, StoredRanges);
    *copy = (StoredRanges){.tensor = ARENA_ARRAY(a, CalibratedTensor, c->ntensor + 1),
                           .ntensor = c->ntensor};
    strmap_init(&copy->by_name, a, c->ntensor + 1);
    for (size_t i = 0; i < c->ntensor; i++) {
        copy->tensor[i] = c->tensor[i];
        strmap_put(&copy->by_name, c->tensor[i].name, (uint32_t)i);
    }
    uint32_t at = strmap_number(&copy->by_name, entry.name, c->ntensor);
    copy->ntensor += at == c->ntensor;
    copy->tensor[at] = entry;
    return copy;
}

bool stored_ranges_scale(const CalibratedTensor *x, DType dtype, double *ret_scale,
                         int64_t *ret_zero)
{
    CalibratedRange r = x->output_range.known ? x->output_range : x->range;
    double min = fmin(r.min, 0), max = fmax(r.max, 0), scale = (max - min) / 255;
    if (!r.known || scale <= 0)
        return false;
    *ret_scale = scale;
    *ret_zero = (dtype == DT_INT8 ? -128 : 0) - llround(min / scale);
    return true;
}

const Tensor *stored_ranges_first_without_range(const Model *m, const Model *before)
{
    const Graph *g = m->graph;
    for (size_t i = 0; m->stored_ranges && i < g->ntensor; i++) {
        const Tensor *t = &g->tensor[i];
        bool is_new = t->producer != NODE_NONE && !t->value &&
                      strmap_get(&before->graph->by_name, t->name) == STRMAP_NONE;
        const CalibratedTensor *x = is_new ? stored_ranges_find(m->stored_ranges, t->name) : NULL;
        if (is_new && !(x && x->range.known))
            return t;
    }
    return NULL;
}

DType model_input_dtype(const Model *m, const Tensor *input)
{
    const CalibratedTensor *x = stored_ranges_find(m->stored_ranges, input->name);
    return x && x->is_fed_as_uint8 ? DT_UINT8 : input->dtype;
}

DType model_output_dtype(const Model *m, const Tensor *output)
{
    const CalibratedTensor *x = stored_ranges_find(m->stored_ranges, output->name);
    return x && x->output_dtype != DT_UNKNOWN ? x->output_dtype : output->dtype;
}
