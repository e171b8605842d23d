/* Measures how well a compiled program explains the typical inference of a trace. */
#pragma once

#include "cost_model/predict.h"
#include "cost_model/setup/typical.h"

/* What is off together: the steps under one host law, transfers of one direction, what tasks take
 * beside their operators, the NPU's operators of one kind. */
typedef struct {
    double measured_ns;
    Interval predicted_ns;
    size_t items;
    bool beyond; /* a result beyond the caches, of which the law knows nothing */
} ResemblanceClass;

/* ln(measured / predicted); and that less the logarithm for the time of tasks beside their
 * operators. */
typedef struct {
    double over_law, over_io;
    size_t items;
} Excess;

enum { RESEMBLANCE_CLASSES = HOST_COSTS_MAX + 3 + LOWOP_KIND_COUNT + 2 };

typedef struct {
    /* -2 ln of the likelihood up to a constant: smaller fits better; each 1 is half a standard
     * deviation squared. */
    double cost;
    size_t host_apart; /* host operators, transfers and tasks that only one of the two has */
    double times;      /* measured over predicted, of all that both have */
    double npu_apart;  /* operators in NPU tasks that only one of the two has, as a share of both */
    double spread;     /* of ln(measured / predicted) over the NPU's operators, about their mean */
    /* Of convolutions that multiply, and of all of Conv2d; of those that have their weights in
     * SRAM. */
    Excess products, convolutions;
    double beyond;    /* cost of times below those of the data sheet */
    size_t operators; /* that both have: what spread is of */
} Resemblance;

/* `pred` is the pure prediction of `p`; `tasks_at_once` are those that run on one card together and
 * share its DRAM. */
Resemblance resemblance_of(Arena *a, const Typical *t, const Program *p, const Costs *c,
                           const Prediction *pred, int tasks_at_once);
