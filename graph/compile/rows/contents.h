/* graph/compile/rows/ compiles for machines that run operator by operator, each a row of a table.
 *
 * rows_emit: Emits the low-level operators that an op of a machine of rows becomes and their work.
 * rows_join: Joins operators into rows, by the joins of the machine's table.
 * rows_patterns: Recognises what the compiler of a machine of rows takes as one operator: gates,
 *     normalizations, attention, chunks and channel shuffles that are written as several.
 * rows_program: Emits the rows of a machine of rows.
 * rows_views: Finds values whose last axis lies as channels, and joins runs of Reshape and
 *     Transpose beside them: the compiler of a machine of rows moves such a value once, or not
 *     at all. */
