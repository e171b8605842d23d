/* advisor/candidate/ tries changes, predicts their savings, ranks them, and runs them.
 *
 * comparer.h comparer.c: Measures how far the outputs of a changed model differ from the
 *     baseline, image by image.
 * cut_cost.h cut_cost.c: Predicts the work that moves to the application when the graph ends
 *     earlier.
 * effect.h effect.c: Finds the steps and operators of the baseline that a change removes or
 *     shortens.
 * ensemble.h ensemble.c: Combines the runs of a variant on all simulated chips that published
 *     measurements allow.
 * factors.h factors.c: Groups the errors of a prediction by factors that several steps share.
 * gain.c: Predicts the saving of one trial over another and the interval of that saving.
 * latency_samples.h latency_samples.c: Collects the latencies that a gate compares, and the
 *     intervals of their quantiles.
 * layout_cost.h layout_cost.c: Predicts the work of an application that feeds or reads the
 *     layout of the NPU itself.
 * load_form.h load_form.c: Bounds the error of a predicted throughput by other assumptions
 *     about shared resources.
 * proposal.h proposal.c: Defines a proposal, which is a match whose settings were tried, with
 *     the predicted saving.
 * proposal_order.h proposal_order.c: Sorts proposals into the order in which they are ranked.
 * quantize_model.h quantize_model.c: Quantizes a float model with the ranges that a runner
 *     finds on data.
 * rank.h rank.c: Ranks proposals, skips those that are not worth a recommendation, and combines
 *     the rest.
 * removal_bound.h removal_bound.c: Bounds the time of a program without some of its operators
 *     on the host.
 * runner.h runner.c: Builds the command line of a program that runs a variant.
 * sample.h sample.c: Collects the runs of two variants and compares them in pairs by the
 *     bootstrap.
 * ssim.h ssim.c: Measures how similar two images are by SSIM (Z. Wang et al., 2004).
 * verify.h verify.c: Runs the baseline and a variant, and compares their measurements in pairs.
 * whatif.h whatif.c: Applies settings to a model, compiles and predicts it again, and compares
 *     the result.
 * windows.h windows.c: Predicts pools under another assumption about how the vector engine
 *     reads their windows. */
