/* Builds the command line of a program that runs a variant.
 *
 * A runner is called as
 *     CMD MODEL [compile options as npu-exec spells them] --runs N --workers N --seed S --trace OUT
 * npu-exec is a runner itself, and the default. */
#pragma once

#include "advisor/candidate/whatif.h"

enum { VERIFY_LIMIT_S = 600 };

/* Requests that arrive at a rate, independent of earlier ones. */
typedef struct {
    double requests_per_s;
    bool equal_gaps; /* else exponential ones */
    double quantile; /* of latency, waiting included: 0.5, 0.9 or 0.99 */
} OpenLoop;

enum { OPEN_RUNS = 3, OPEN_REQUESTS = 3000, OPEN_WARMUP = 200 };

/* One call of the runner. */
typedef struct {
    const char *model;
    const Variant *variant;
    int runs;
    uint64_t seed;
    const char *trace;
    bool members; /* on every simulated chip of the ensemble */
    bool outline; /* of the simulator: inferences and tasks alone, no operators */
    /* Of the simulator: the application's time before each task, and whether it waits. */
    double application_ns;
    bool blocks;
    const OpenLoop *open; /* NULL: as many requests in flight as there are workers */
    const char *statistics;
} RunnerCall;

/* The words of a command that an option names, split at white space, NULL-terminated. */
Status runner_split_command(Arena *a, const char *text, OptionId option, const char *const **ret,
                            Diag *diag);

/* The words that start `runner` (NULL: npu-exec), split at white space, NULL-terminated. */
Status runner_command(Arena *a, const char *runner, const char *const **ret, Diag *diag);

/* All words of the call, NULL-terminated; `command` is runner_command's. */
const char **runner_words(Arena *a, const char *const *command, const RunnerCall *c);

/* For npu-exec: sets the work of the trial's application. */
void runner_call_application(RunnerCall *call, const Trial *t);
