/* Finds ranges and types in a calibration. */
#include "graph/model/calibration.h"

const CalibratedTensor *calibration_find(const Calibration *c, const char *name)
{
    uint32_t i = c ? strmap_get(&c->by_name, name) : STRMAP_NONE;
    return i == STRMAP_NONE ? NULL : &c->tensor[i];
}

DType model_input_dtype(const Model *m, const Tensor *input)
{
    const CalibratedTensor *x = calibration_find(m->calibration, input->name);
    return x && x->is_fed_as_uint8 ? DT_UINT8 : input->dtype;
}

DType model_output_dtype(const Model *m, const Tensor *output)
{
    const CalibratedTensor *x = calibration_find(m->calibration, output->name);
    return x && x->output_dtype != DT_UNKNOWN ? x->output_dtype : output->dtype;
}
