/* cost_model/match/ tells which span of a trace is which step or operator of a program.
 *
 * span_match.h span_match.c: Tells which span of one inference is which step or operator of the
 *     program.
 * task_order.h task_order.c: Finds the order of a task's operators that explains a trace best. */
