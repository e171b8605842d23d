/* advisor/act/gate/: assertions about a result that a CI can trust.
 *
 * baseline.h baseline.c: Baseline: what was known of a model when it was accepted; findings by
 *     fingerprint, the structure of the compiled program, its times
 * gate.h gate.c: The gate: assertions about a result, and the exit status that a CI can trust
 * gate_accuracy.c: What the advice costs in accuracy: one assertion, over all that is recommended
 * gate_assert.c: Assertions, and what may be asserted
 * gate_budget.c: Assertions: budgets, findings, suppressions
 * gate_layers.h gate_layers.c: Metrics of a compiled graph with its measured times
 * gate_metrics.c: The metrics of a gate: what each is called, and how a result answers it
 * gate_parts.h: Parts of the gate: each adds assertions
 * gate_regression.c: Assertions: nothing is worse than the baseline */
