/* Checks whether the NPU can run most of a network once all recommendations are followed. */
#ifndef ADVISOR_ADVISE_SUITABILITY_H
#define ADVISOR_ADVISE_SUITABILITY_H

#include "advisor/advise/run.h"

/* Adds the note "does-not-suit" when, with everything that is recommended and can be applied, less
 * than half of the model's multiplications run on the NPU, or there are none and nothing runs
 * there. What a cut leaves to the application does not run there; what other operators of the NPU
 * could do counts as if it did.  Nothing is said where an operator is unknown, or where what keeps
 * them off is how the model was quantized.  Needs a ranking and the what-if. */
void suitability_note(AdviseRun *run);

#endif
