/* cost_model/replay/ replays measured steps under other settings, with workers that compete.
 *
 * replay: Predicts a variant of a program that a trace has measured.
 * skew: Computes by how much means and medians of host times differ, since these times scatter
 *     upwards. */
