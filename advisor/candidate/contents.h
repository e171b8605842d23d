/* advisor/candidate/: what a change would bring: tried, ranked, verified.
 *
 * comparer.h comparer.c: Comparing: how far the outputs of a changed model lie from those of the
 *     model as it is, image by image
 * cut_cost.h cut_cost.c: Behind a cut: what the application does itself once the graph ends
 *     earlier
 * ensemble.h ensemble.c: Ensemble: the silicons that npu-exec runs a variant on, and what they
 *     say together
 * factors.h factors.c: Factors: what is off together
 * gain.c: Gain: what a trial brings over another, and how far that is known
 * latency_samples.h latency_samples.c: Samples: the latencies that a gate judges by, and how sure
 *     their middle is
 * layout_cost.h layout_cost.c: Lowered: what the application does itself where it feeds or reads
 *     the NPU's own layout (compiler keys remove_lower and remove_unlower)
 * load_form.h load_form.c: Load forms: how the stations of a loaded run may work other than the
 *     middle of a prediction has it, and how far a gain in throughput is off then
 * proposal.h proposal.c: Proposals: matches whose levers were tried, with what that gains
 * proposal_order.h proposal_order.c: Order: in which order proposals are weighed, before anything
 *     is held back
 * quantize_model.h quantize_model.c: Quantizing a model on data: the runner finds the ranges, the
 *     model is written with them
 * rank.h rank.c: Ranking: what is recommended in which order, what is held back, and what all of
 *     it gains together
 * removal_bound.h removal_bound.c: Absence: a program's times if some of its operators on the
 *     host were not there
 * runner.h runner.c: Runner: the words of one call of a program that runs a variant
 * sample.h sample.c: Samples of two variants, compared in pairs by the bootstrap
 * ssim.h ssim.c: SSIM: how alike two pictures look
 * verify.h verify.c: Verification: the baseline and a variant are run, and compared in pairs
 * whatif.h whatif.c: What-if: apply levers, compile again, predict (with a trace: replay) again,
 *     and compare
 * windows.h windows.c: Windows: how else the vector engine may take the windows of pools */
