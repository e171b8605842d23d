/* cost_model/setup/ finds how the run that a trace shows was set up, as far as no option tells.
 *
 * places: Compiles a model for both places of operators of unknown place, and takes the slower.
 * resemblance: Measures how well a compiled program explains the typical inference of a trace.
 * setup: Finds how the run that a trace shows was compiled and run.
 * setup_evidence: Refutes or weakens a trace by what its set-up contradicts or leaves open.
 * setup_search: Searches the candidate that is most like a trace; private to setup.c.
 * typical: Summarises a trace as one typical inference, with its spans in the most frequent
 *     order. */
