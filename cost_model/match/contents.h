/* cost_model/match/ tells which span of a trace is which step or operator of a program.
 *
 * span_match: Tells which span of one inference is which step or operator of the program.
 * task_order: Finds the order of a task's operators that explains a trace best. */
