/* trace/write/ writes traces.
 *
 * emit: Writes JSON text into a buffered stream, fast enough for traces of gigabytes.
 * writer: Writes Chrome traces that nest strictly, like those of the Furiosa runtime. */
