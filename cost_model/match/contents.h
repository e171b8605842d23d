/* cost_model/match/ tells which span of a trace is which step or operator of a program.
 *
 * row_match: Tells which row of a table is which operator or host step of a program, on machines of
 *     rows.
 * span_match: Tells which span of one inference is which step or operator of the program.
 * task_order: Finds the order of a task's operators that explains a trace best. */
