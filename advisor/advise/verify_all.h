/* Runs the recommendations (--verify) and measures their accuracy on images (--data). */
#ifndef ADVISOR_ADVISE_VERIFY_ALL_H
#define ADVISOR_ADVISE_VERIFY_ALL_H

#include "advisor/advise/run.h"
#include "advisor/candidate/verify.h"

/* Ranks the proposals with all measurements so far, into run->ranking. */
void verify_all_rank(AdviseRun *run);

/* The runner that the request names, on run->whatif's baseline; verifier_close. */
Status verify_all_open(AdviseRun *run, Verifier **ret, Diag *diag);

/* Measures times and accuracy in rounds, since skipped proposals may move up after each. Then the
 * combination, the bounds and the plan to deploy. run->ranking is set and updated. */
Status verify_all(AdviseRun *run, Diag *diag);

#endif
