/* Adds notes about a run to its result, beside the recommendations. */
#pragma once

#include "advisor/advise/run.h"

/* Notes about the reconciled trace: an idle NPU, a run on a CPU. run->rec is set. */
void run_notes_evidence(AdviseRun *run);

/* Notes about measured changes: their basis and limits. */
void run_notes_verified(AdviseRun *run);

/* Notes about the ranking, and about incomplete inputs (run_rules.h). */
void run_notes_advice(AdviseRun *run);
