/* advisor/try/: what a change would bring: tried, ranked, verified.
 *
 * absence.h absence.c: Absence: a program's times if some of its operators on the host were not
 *     there
 * accuracy_say.h accuracy_say.c: Accuracy as JSON, and as people read it
 * behind.h behind.c: Behind a cut: what the application does itself once the graph ends earlier
 * compare.h compare.c: Comparing: how far the outputs of a changed model lie from those of the
 *     model as it is, image by image
 * ensemble.h ensemble.c: Ensemble: the silicons that npu-exec runs a variant on, and what they say
 *     together
 * factors.h factors.c: Factors: what is off together
 * gain.c: Gain: what a trial brings over another, and how far that is known
 * load_form.h load_form.c: Load forms: how the stations of a loaded run may work other than the
 *     middle of a prediction has it, and how far a gain in throughput is off then
 * lowered.h lowered.c: Lowered: what the application does itself where it feeds or reads the
 *     NPU's own layout (compiler keys remove_lower and remove_unlower)
 * order.h order.c: Order: in which order proposals are weighed, before anything is held back
 * proposal.h proposal.c: Proposals: matches whose levers were tried, with what that gains
 * quantize_model.h quantize_model.c: Quantizing a model on data: the runner finds the ranges, the
 *     model is written with them
 * rank.h rank.c: Ranking: what is recommended in which order, what is held back, and what all
 *     of it gains together
 * runner.h runner.c: Runner: the words of one call of a program that runs a variant
 * sample.h sample.c: Samples of two variants, compared in pairs by the bootstrap
 * samples.h samples.c: Samples: the latencies that a gate judges by, and how sure their middle
 *     is
 * ssim.h ssim.c: SSIM: how alike two pictures look
 * verify.h verify.c: Verification: the baseline and a variant are run, and compared in pairs
 * whatif.h whatif.c: What-if: apply levers, compile again, predict (with a trace: replay)
 *     again, and compare
 * windows.h windows.c: Windows: how else the vector engine may take the windows of pools */
