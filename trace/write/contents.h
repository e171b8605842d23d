/* trace/write/: writing traces.
 *
 * emit.h emit.c: Emit: JSON text into a buffered stream, fast enough for traces of gigabytes
 * writer.h writer.c: Writing Chrome traces that nest strictly, as the Furiosa runtime writes them
 */
