/* advisor/result/: from a request to advice, and advice as one document.
 *
 * advise.h advise.c: Advice: rules matched against the facts, levers tried, gains predicted,
 *     verified, ranked
 * digest.h digest.c: Digest: what every renderer derives from the result tree, derived in one
 *     place, so that terminal and page never disagree
 * finding.h finding.c: Findings of a result tree: recommendations and observations, as
 *     renderers and gates go through them
 * measured.c: Which of the recommendations are measured, and what becomes of them
 * outlook.h outlook.c: Outlook: what all that is recommended brings, now against then, as every
 *     output says it first
 * render.h: Renderers: a result tree as text for a terminal, or as one HTML page
 * request.h request.c: From the command line to an AdviseRequest; the same for `advise` and
 *     `facts`
 * result.h result.c: The result document: from a finished run to one cJSON tree, keys in the
 *     order of the schema
 * result_advice.c: The result document: what is advised, what passed, what was held back
 * result_machine.c: The result document: the machine's limits, and the objective at other
 *     numbers of workers and other batches
 * result_pictures.h result_pictures.c: Pictures: what the page draws of one inference, every
 *     block of it, as columns of numbers
 * result_program.c: The result document: what was read, compiled and timed
 * result_timeline.c: The result document: one inference now, and as predicted after what is
 *     recommended
 * result_tune.c: The document of `npu-advise tune`: what was searched, the front, and the point
 *     that is recommended; and the same at the end of the list of advice
 * result_value.c: Values of the result document: numbers, texts and intervals as JSON
 * run.h: AdviseRun: everything between a request and its result, stage by stage
 * settings_line.h settings_line.c: What one settings file did to the checks, in one line
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
 * verdict.h verdict.c: The verdict in one sentence, the same in every output
 * result_setup.c: The result document: how the run was set up, and who says so
 * setup_say.h setup_say.c: Words of the set-up that every renderer shares
 * result_set.h result_set.c: The results that an output is made of, one or many */
