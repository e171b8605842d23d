/* advisor/advise/ takes a request to one result document.
 *
 * advise.h advise.c: Runs the chain from a model and its traces to one result document.
 * best.h best.c: Searches settings and changes for the plan to deploy, within the allowed
 *     accuracy loss.
 * measure_advice.h measure_advice.c: Measures the accuracy of recommendations on images and
 *     blocks those that lose too much.
 * request.h request.c: Converts the command line to an AdviseRequest, for `advise` and `facts`
 *     alike.
 * result.h result.c: Builds the result from a finished run, part by part
 *     (advisor/report/result.h).
 * result_advice.c: Builds recommendations, observations and the outcome of every other rule.
 * result_charts.h result_charts.c: Lists the spans of single inferences as columns of numbers,
 *     for the charts of the page.
 * result_machine.c: Builds the limits of the machine, and the objective at other workers and
 *     batches.
 * result_marks.c: Lists the steps and operators that each finding marks in the pictures of the
 *     page.
 * result_program.c: Builds the inputs of a run, its program, and the predicted and measured
 *     times.
 * result_setup.c: Builds how the run was set up, and the source of each item.
 * result_timeline.c: Builds the timeline of one inference now, and as predicted after the
 *     recommended changes.
 * result_tune.c: Builds the plan to deploy for the result, and the document of `npu-advise
 *     tune`, with the searched space, the front and the chosen point.
 * result_value.c: Rounds numbers and intervals, and converts settings, places and accuracy to
 *     their result types.
 * run.h: Defines AdviseRun, which holds everything between a request and its result, stage by
 *     stage.
 * run_notes.h run_notes.c: Adds notes about a run to its result, beside the recommendations.
 * run_rules.h run_rules.c: Matches the rules of a run of a model or of a compiled graph, as the
 *     settings files have them.
 * suitability.h suitability.c: Checks whether the NPU can run most of a network once all
 *     recommendations are followed.
 * timeline.h timeline.c: Lays out one inference block by block, as measured or as predicted,
 *     with causes of gaps.
 * timeline_measured.c: Lays out the spans of one inference and finds the critical chain among
 *     them.
 * timeline_predicted.c: Lays out the steps of a program one after the other, with the predicted
 *     gaps between them.
 * traced.h traced.c: Finds the program that a trace shows, compiled as its run was set up,
 *     timed and reconciled.
 * traces.h traces.c: Reads the traces of one model into one set of statistics.
 * verify_all.h verify_all.c: Runs the recommendations (--verify) and measures their accuracy on
 *     images (--data). */
