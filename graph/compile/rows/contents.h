/* graph/compile/rows/ compiles for machines that run operator by operator, each a row of a table.
 *
 * rows_emit: Emits the low-level operators that an op of a machine of rows becomes, with their
 *     work.
 * rows_join: Joins operators into rows, by the joins of the machine's table.
 * rows_patterns: Recognises what the compiler of a machine of rows takes as one operator: gates,
 *     normalizations, attention, chunks and channel shuffles that are written as several.
 * rows_program: Emits the rows of a machine of rows. */
