/* Runs the recommendations (--verify) and measures their accuracy on images (--data). */
#ifndef ADVISOR_ADVISE_VERIFY_ALL_H
#define ADVISOR_ADVISE_VERIFY_ALL_H

#include "advisor/advise/run.h"
#include "advisor/candidate/verify.h"

/* Ranks the proposals by what is known of them by now, into run->ranking. */
void verify_all_rank(AdviseRun *run);

/* The runner that the request names, on run->whatif's baseline; verifier_close. */
Status verify_all_open(AdviseRun *run, Verifier **ret, Diag *diag);

/* Times and accuracy, in rounds: what was held back may be advice once what stood above it gained
 * less than was expected, or costs too much accuracy.  Then all of it together, the bounds, and the
 * best set.  run->ranking is set; it is what is advised afterwards. */
Status verify_all(AdviseRun *run, Diag *diag);

#endif
