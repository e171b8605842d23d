/* Checks whether the NPU can run most of a network once all recommendations are followed. */
#ifndef ADVISOR_ADVISE_SUITABILITY_H
#define ADVISOR_ADVISE_SUITABILITY_H

#include "advisor/advise/run.h"

/* Adds the note "does-not-suit" when, with all recommendations applied, less than half of the
 * model's multiplications run on the NPU, or there are none and nothing runs there. Those of a cut
 * tail do not run there; those possible with other operators count. No note for unknown operators,
 * or where only the quantization keeps them on the host. Needs a ranking and the what-if. */
void suitability_note(AdviseRun *run);

#endif
