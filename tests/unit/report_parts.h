/* Writes results of a few fields, for tests of the report. */
#pragma once

#include "advisor/report/result.h"

#define LIST(type, ...)                                                                            \
    {                                                                                              \
        (const type[]){__VA_ARGS__}, sizeof((const type[]){__VA_ARGS__}) / sizeof(type)            \
    }
#define TEXTS(...) LIST(char *const, __VA_ARGS__)

/* The objective, and a step of known cost. */
#define TIMED   .steps = LIST(ResultStep, {.predicted_ns = &(const ResultIntervalNs){.mid = 1}})
#define LATENCY .objective = RESULT_OBJECTIVE_LATENCY, TIMED
#define RATE    .objective = RESULT_OBJECTIVE_THROUGHPUT, TIMED

/* Now: latency of a request, and images per second. */
#define NOW(from, ns, per_s)                                                                       \
    .now = &(const ResultNow)                                                                      \
    {                                                                                              \
        {ns, true}, {per_s, true}, RESULT_SOURCE_##from                                            \
    }

/* A plan of the route that takes so long, or serves so many. */
#define PLAN(to, ns, per_s_, ...)                                                                  \
    {                                                                                              \
        .route = RESULT_ROUTE_##to,                                                                \
        .after = {.latency_ns = {ns, ns, ns},                                                      \
                  .throughput_per_s = {per_s_, per_s_, per_s_},                                    \
                  .source = RESULT_SOURCE_SIMULATED},                                              \
        __VA_ARGS__                                                                                \
    }
#define PLANS(...)  .plans = LIST(ResultPlan, __VA_ARGS__)
#define RECOMMENDED .recommended = true
