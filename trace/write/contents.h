/* trace/write/ writes traces.
 *
 * emit.h emit.c: Writes JSON text into a buffered stream, fast enough for traces of gigabytes.
 * writer.h writer.c: Writes Chrome traces that nest strictly, like those of the Furiosa
 *     runtime. */
