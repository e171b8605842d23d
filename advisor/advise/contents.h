/* advisor/advise/ takes a request to one result document.
 *
 * advise: Runs the chain from a model and its traces to one result.
 * find_plans: Finds the plans of a run, measures their accuracy on images (--data) and runs them
 *     (--verify).
 * measure_advice: Measures the accuracy of plans on images and blocks changes that lose too much.
 * rematch: Matches rules with the program of a plan, for changes that only the plan makes possible.
 * request: Converts the command line to an AdviseRequest, for `advise` and `facts` alike.
 * result: Builds the result from a finished run, part by part (advisor/report/result.h).
 * result_breakdown: Divides now by kind of step and operator, and names the cause of most of it.
 * result_charts: Lists the spans of single inferences as columns of numbers, for the page's charts.
 * result_conversion: Names what `apply` makes right in a float model for the vendor's quantizer.
 * result_findings: Builds what is done by hand, observations, and changes that are in no plan.
 * result_machine: Builds the limits of the machine, and the objective at other workers and batches.
 * result_plans: Builds now, the plans, their changes, and the configurations that were looked at.
 * result_program: Builds the inputs of a run, its program, and the predicted and measured times.
 * result_rate: Builds the part of the result about images that come at a rate (--rate).
 * result_setup: Builds how the run was set up, and the source of each item.
 * result_timeline: Builds the timeline of one inference now, and as predicted after the changes.
 * result_value: Rounds figures, and converts settings, places and accuracy to result types.
 * run: Defines AdviseRun, which holds everything between a request and its result, stage by stage.
 * run_notes: Adds notes about a run to its result, beside the recommendations.
 * run_rules: Matches the rules of a run of a model or compiled graph, as settings files have them.
 * source_model: Takes the ONNX model that a .dfg was made from in its place, because a .dfg is not
 *     edited.
 * suitability: Checks whether the NPU can run most of a network after the recommended plan, and
 *     whether one core of the host is faster without it.
 * timeline: Lays out one inference block by block, as measured or predicted, with causes of gaps.
 * timeline_measured: Lays out the spans of one inference and finds the critical chain among them.
 * timeline_predicted: Lays out the steps of a program one after the other, with predicted gaps.
 * traced: Finds the program that a trace shows, compiled as its run was, timed and reconciled.
 * traces: Reads the traces of one model into one set of statistics. */
