/* advisor/candidate/ tries changes, predicts their savings, ranks them, and runs them.
 *
 * application_share: Predicts the work that a change moves from the runtime to the application.
 * comparer: Measures how far outputs of a changed model differ from the baseline, image by image.
 * effect: Finds the steps and operators of the baseline that a change removes or shortens.
 * ensemble: Combines runs of a variant on all simulated chips that published measurements allow.
 * factors: Groups the errors of a prediction by factors that several steps share.
 * gain: Predicts the saving of one trial over another and the interval of that saving.
 * latency_samples: Collects the latencies that a gate compares, with intervals of their quantiles.
 * load_form: Bounds the error of a predicted throughput by other assumptions on shared resources.
 * proposal: Defines a proposal, a match whose settings were tried, with the predicted saving.
 * quantize_model: Quantizes a float model with the ranges that a runner finds on data.
 * removal_bound: Bounds the time of a program without some of its operators on the host.
 * runner: Builds the command line of a program that runs a variant.
 * sample: Collects the runs of two variants and compares them in pairs by the bootstrap.
 * ssim: Measures how similar two images are by SSIM (Z. Wang et al., 2004).
 * verify: Runs the baseline and a variant, and compares their measurements in pairs.
 * whatif: Applies settings to a model, compiles and predicts it again, and compares the result.
 * windows: Predicts pools under another assumption of how the vector engine reads windows. */
