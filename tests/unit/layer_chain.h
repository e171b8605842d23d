/* A compiled graph of a few layers, one behind the other, with its times. */
#pragma once

#include "advisor/advise/compiled/layer_times.h"

enum { LAYERS = 8, TENSORS = 12 };

typedef struct {
    Imported graph;
    ImportOp op[LAYERS];
    ImportTensor tensor[TENSORS];
    uint32_t in[LAYERS], out[LAYERS];
    double ns[LAYERS];
    EngineTimes times;
    LayerTimes of;
} Made;

/* Layers of one input and one output, one behind the other: tensor i is what layer i reads. */
static inline Made *chain(Arena *a, size_t n, DType dtype)
{
    Made *m = ARENA_NEW(a, Made);
    for (size_t i = 0; i <= n; i++)
        m->tensor[i] = (ImportTensor){.name = arena_printf(a, "t%zu", i),
                                      .dtype = dtype,
                                      .rank = 2,
                                      .dim = {1, 16},
                                      .bound = i == 0 || i == n,
                                      .producer = i ? (uint32_t)i - 1 : IMPORT_NONE};
    for (size_t i = 0; i < n; i++) {
        m->in[i] = (uint32_t)i;
        m->out[i] = (uint32_t)i + 1;
        m->op[i] = (ImportOp){.name = arena_printf(a, "layer%zu", i),
                              .type = "Convolution",
                              .layer = {.out_maps = 16, .groups = -1},
                              .work = WORK_COMPUTE,
                              .input = &m->in[i],
                              .output = &m->out[i],
                              .ninput = 1,
                              .noutput = 1};
    }
    m->graph = (Imported){
        .kind = IMPORT_TENSORRT, .op = m->op, .nop = n, .tensor = m->tensor, .ntensor = n + 1};
    for (int i = 0; i < ENGINE_STAGE_COUNT; i++)
        m->times.stage[i].cv = -1;
    m->of = (LayerTimes){.graph = &m->graph, .times = &m->times, .ns = m->ns, .gains = true};
    return m;
}
