/* advisor/advise/: from a request to advice, and advice as one document.
 *
 * advise.h advise.c: Advice: rules matched against the facts, levers tried, gains predicted,
 *     verified, ranked
 * best.h best.c: The best set: what a search of settings and changes together finds to deploy,
 *     within what may be lost of the accuracy
 * measure_advice.h measure_advice.c: Measured: which of the recommendations are measured on
 *     images, and what becomes of them
 * request.h request.c: From the command line to an AdviseRequest; the same for `advise` and
 *     `facts`
 * result.h result.c: The result document: from a finished run to one cJSON tree, keys in the
 *     order of the schema
 * result_advice.c: The result document: what is advised, what passed, what was held back
 * result_charts.h result_charts.c: Pictures: what the page draws of one inference, every block of
 *     it, as columns of numbers
 * result_machine.c: The result document: the machine's limits, and the objective at other numbers
 *     of workers and other batches
 * result_program.c: The result document: what was read, compiled and timed
 * result_setup.c: The result document: how the run was set up, and who says so
 * result_timeline.c: The result document: one inference now, and as predicted after what is
 *     recommended
 * result_tune.c: The document of `npu-advise tune`: what was searched, the front, and the point
 *     that is recommended; and the same at the end of the list of advice
 * result_value.c: Values of the result document: numbers, texts and intervals as JSON
 * run.h: AdviseRun: everything between a request and its result, stage by stage
 * run_notes.h run_notes.c: Remarks: what is to be said of a run beside its advice, as notes of
 *     the result
 * suitability.h suitability.c: Suitability: does the NPU do what a network is made of, once all
 *     advice is followed?
 * timeline.h timeline.c: Timeline: one inference from its beginning to its end, block by block,
 *     with what holds it up in between: as the trace shows it, or as predicted
 * timeline_measured.c: The measured timeline: the spans of one inference, and the chain of them
 *     that makes it as long as it is
 * timeline_predicted.c: The predicted timeline: the sum that the latency is, laid out
 * traced.h traced.c: Traced: the program that a trace shows, compiled as its run was set up,
 *     timed and set against it
 * traces.h traces.c: Traces: the traces of one model as one set of statistics
 * verify_all.h verify_all.c: Proving: what is recommended is run (--verify) and measured on
 *     images (--data) */
