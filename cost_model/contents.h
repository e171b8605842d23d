/* cost_model/ predicts how long each step takes, as intervals, and compares that with traces; it
 * does not know rules.
 *
 * calibrate: Fits the figures of a target to traces of one host and card.
 * calibrate_npu: Scales the terms of each kind of NPU operator to times of operators and tasks.
 * calibrate_write: Writes the calibration file, which overrides the target's figures by name.
 * costs: Declares every figure of the cost model, read from <costs> in rules/targets/NAME.xml.
 * costs_load: Reads the <costs> part of a target file, and a calibration over it.
 * evidence_grade: Grades a trace from A (good) to D (unusable), with one issue for each reason.
 * fit: Solves non-negative linear regression with priors, so that a few outliers do no harm.
 * handoffs: Measures what a trace shows between the steps of one inference.
 * interval: Declares a figure with the ends of its 90 % range.
 * measured: Computes median, interval of the median, and skew of measured durations.
 * memory: Tells what a compiled program takes of a card's memory, and whether it fits.
 * op_model: Models the time of a low-level operator as a sum of terms, each a figure times work.
 * predict: Predicts the times of steps and low-level operators, and the objective, as intervals.
 * predict_totals: Adds the times of steps up to latency, throughput and their ceilings.
 * queueing: Predicts the throughput of N workers with a closed queueing network.
 * ranksum: Tests whether two samples come from the same distribution, whatever it is.
 * reconcile: Matches spans of the trace to steps and measures the error of the prediction.
 * residual: Finds measured times that the cost model cannot explain, with the most likely cause.
 * residual_transfer: Applies the model's error for a measured step to steps of the same law and
 *     another size.
 * same_shape: Applies the model's error for one operator to others of its shape, whatever the batch
 *     and the number of PEs.
 * score: Scores predictions against measured values.
 * sensitivity: Tells by how many percent the objective improves when a step takes one percent less.
 * suspects: Finds totals of a trace outside predicted intervals, and what their pattern points to.
 * terms: Declares the terms whose sum is the time of a low-level operator. */
