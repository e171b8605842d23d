/* advisor/act/gate/ checks assertions about a result, so that a CI can trust its exit status.
 *
 * baseline: Reads, writes and compares baselines: findings, program structure and times of a model
 *     when it was accepted.
 * gate: Checks assertions about a result and gives the exit status that a CI can trust.
 * gate_accuracy: Asserts that the plans cost no more accuracy than the user allows.
 * gate_assert: Adds an assertion to the result, and tells whether it holds enough to assert.
 * gate_budget: Asserts budgets, absence of findings, and suppressions that settings files name.
 * gate_layers: Takes each metric from the stages, profile or precisions of a compiled graph.
 * gate_metrics: Holds the table of the gate's metrics, and reads the value of each from a result.
 * gate_parts: Declares the parts of the gate, each of which adds assertions, and what they share.
 * gate_regression: Asserts that no structure or time of a result is worse than in the baseline. */
