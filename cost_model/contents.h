/* cost_model/ predicts how long each step takes, as intervals, and compares that with traces; it
 * does not know rules.
 *
 * calibrate.h calibrate.c: Fits the figures of a target to traces of one host and card.
 * calibrate_npu.c: Scales the terms of each kind of NPU operator to the times of operators and
 *     of whole tasks.
 * calibrate_write.c: Writes the calibration file, which overrides the target's figures by name.
 * costs.h costs.c: Declares every figure of the cost model, read from <costs> in
 *     rules/targets/NAME.xml.
 * costs_load.c: Reads the <costs> part of a target file, and a calibration over it.
 * evidence_grade.h evidence_grade.c: Grades a trace from A (good) to D (unusable), with one
 *     issue for each reason.
 * fit.h fit.c: Solves non-negative linear regression with priors, so that a few outliers do no
 *     harm.
 * forms.def: Lists the forms that a term of the cost law can have, as FORM(id, word in a target
 *     file, unit of its figure, limit, part of the operator).
 * handoffs.h handoffs.c: Measures what a trace shows between the steps of one inference.
 * interval.h interval.c: Declares a figure with the ends of its 90 % range.
 * measured.c: Computes median, interval of the median, and skew of measured durations.
 * memory.h memory.c: Tells what a compiled program takes of a card's memory, and whether it
 *     fits.
 * op_model.h op_model.c: Models the time of a low-level operator as a sum of terms, each a
 *     figure times an amount of work.
 * predict.h predict.c: Predicts the time of every step and low-level operator, and the
 *     objective, as 90 % intervals.
 * predict_totals.c: Adds the times of steps up to latency, throughput and their ceilings.
 * queueing.h queueing.c: Predicts the throughput of N workers with a closed queueing network.
 * ranksum.h ranksum.c: Tests whether two samples come from the same distribution, whatever it
 *     is.
 * reconcile.h reconcile.c: Tells which span of the trace is which step of the program, and how
 *     far the prediction is off.
 * residual.h residual.c: Finds measured times that the cost model cannot explain, with the most
 *     likely cause.
 * residual_transfer.h residual_transfer.c: Applies the model's error for a measured step to
 *     steps of the same law and another size.
 * same_shape.h same_shape.c: Applies the model's error for one operator to others of its shape,
 *     whatever the batch and the number of PEs.
 * score.h score.c: Scores predictions against measured values.
 * sensitivity.h sensitivity.c: Tells by how many percent the objective improves when a step
 *     takes one percent less.
 * suspects.h suspects.c: Finds totals of a trace outside their predicted intervals, and what
 *     their pattern points to.
 * terms.h: Declares the terms whose sum is the time of a low-level operator. */
