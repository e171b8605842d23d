/* Prints the gate of a result as text. */
#pragma once

#include "advisor/render/text/text_out.h"
#include "advisor/report/result.h"

/* The status, how many assertions hold, each one that does not with expected, found and all values,
 * and the states of findings against a baseline.  Nothing where no gate was asked for. */
void text_gate(TextOut *t, const ResultGate *gate);
