/* cost_model/replay/ replays measured steps under other settings, with workers that compete.
 *
 * replay.h replay.c: Predicts a variant of a program that a trace has measured.
 * skew.h skew.c: Computes by how much means and medians of host times differ, since these times
 *     scatter upwards. */
