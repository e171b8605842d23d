/* Parts: what each change and setting of a point brings. */
#ifndef ADVISOR_TUNE_PARTS_H
#define ADVISOR_TUNE_PARTS_H

#include "advisor/tune/tune.h"

/* Fills part … sum_alone of `t`, whose point is set.  Builds that the search has not compiled are
 * compiled now. */
void parts_of(TunedPoint *t, Arena *a, Builds *b, const Goal *g);

#endif
