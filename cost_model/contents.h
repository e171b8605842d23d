/* cost_model/: how long each step takes, as intervals; what a trace says about that. Knows nothing
 * of rules.
 *
 * calibrate.h calibrate.c: Calibration: the figures of a target fitted to traces of one host and
 *     card
 * calibrate_npu.c: Calibration of the NPU: how the terms of ops of one kind are to be scaled,
 *     from the times of ops and of whole tasks
 * calibrate_write.c: Calibration: the file, overrides by name over the target's figures
 * costs.h costs.c: Costs: every figure of the cost model, the <costs> part of
 *     rules/targets/NAME.xml, with unit, range, kind and source
 * costs_load.c: Costs: reading the <costs> part of a target file, and a calibration over it
 * evidence_grade.c: Evidence: what a trace can prove, from how much it measured and how well it
 * fit.h fit.c: Fit: non-negative linear regression that a few wild points cannot wreck, with
 *     priors
 * fit_distance.h fit_distance.c: Likeness: how far a program is from the networks that were
 *     fitted
 * handoffs.h handoffs.c: Hand-offs: what lies between the steps of one inference, as a trace
 *     shows it
 * interval.h interval.c: Interval: a figure with the ends of its 90 % range
 * measured.c: What measured durations amount to
 * op_model.h op_model.c: OpModel: the time of one low-level op as a sum of terms, each a figure
 *     of COSTS times an amount of work
 * predict.h predict.c: Prediction: the time of every step and low-level op, and the objective, as
 *     90 % intervals
 * predict_totals.c: Prediction: from the times of the steps to latency, throughput and their
 *     ceilings
 * queueing.h queueing.c: Throughput of N workers: a closed queueing network of three stations
 *     (NPU queues, host cores, I/O threads) and a delay Z for hand-offs and unexplained time,
 *     which nobody queues for
 * ranksum.h ranksum.c: Rank sum: do two samples come from the same distribution, whatever it is?
 * reconcile.h reconcile.c: Reconciliation: which span of the trace is which step of the program,
 *     and how far the prediction is off
 * replay.c: Replay: what is measured stays measured, what changes is predicted
 * residual.h residual.c: Residuals: measured times that the cost model cannot explain, and what
 *     most likely did it
 * residual_transfer.h residual_transfer.c: Carrying measurements over: how far the model is off
 *     for one step, seen in a trace, says how far it is off for a step of the same law and
 *     another size
 * same_shape.h same_shape.c: Operators of one shape, whatever the batch and the number of PEs:
 *     how far the model is off for one of them says how far it is off for the others, more
 *     closely than all of its kind do
 * score.h score.c: Score: how good predictions are against measured values
 * sensitivity.h sensitivity.c: Sensitivity: by how many percent the objective gets better when a
 *     step takes one percent less
 * skew.h skew.c: Skew: times of host operators scatter upwards, so the mean of one exceeds its
 *     median, and the median of a sum of several exceeds the sum of their medians
 * suspects.h suspects.c: Suspects: totals of a trace that lie outside what the model says of
 *     them, and the mechanism that their pattern points to
 * terms.h: Terms: what the time of a low-level op is the sum of */
