/* cost_model/match/: which span of a trace is which step or op of a program.
 *
 * span_match.h span_match.c: Matching: which span of one inference is which step or op of the
 *     program
 * task_order.h task_order.c: The order of a task: in which order of its operators the program
 *     explains a trace best */
