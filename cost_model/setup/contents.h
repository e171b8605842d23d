/* cost_model/setup/: how the run that a trace shows was set up, where nobody said so.
 *
 * resemblance.h resemblance.c: Resemblance: how well a program explains the typical inference of
 *     a trace
 * setup.h setup.c: Set-up: how the run that a trace shows was compiled and run
 * setup_evidence.c: What a set-up says about the evidence
 * setup_search.h setup_search.c: The candidates of a set-up: which are compiled, and how well
 *     each fits
 * typical.h typical.c: The typical inference of a trace */
