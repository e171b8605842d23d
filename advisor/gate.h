/* The gate: assertions about a result, and the exit status that a CI can trust. */
#ifndef ADVISOR_GATE_H
#define ADVISOR_GATE_H

#include "advisor/advise.h"

/* Evaluates --budget METRIC=VALUE and --fail-on LEVEL against a result and puts `gate` in it.
 * METRIC is latency_ns, npu_ns, host_ns, io_ns (at most VALUE) or throughput_per_s (at least); a
 * time takes ns, us, ms or s.  The measured figure counts where there is one; a prediction passes
 * only with its worse end and fails only with its better end, else it is undecided. STATUS_USAGE
 * for a budget that cannot be read. */
Status gate_apply(cJSON *result, const AdviseRequest *q, Diag *diag);

/* Exit status of a result: 0 passed or no gate, 1 failed, 3 inconclusive.  `inconclusive` is
 * "pass", "fail" or NULL. */
int gate_exit_code(const cJSON *result, const char *inconclusive);

/* "4ms", "250us", "20000" (ns). */
bool gate_parse_time(const char *text, double *ret_ns);

#endif
