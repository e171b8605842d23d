/* Prints the Pareto front of the configurations that were looked at. */
#pragma once

#include "advisor/render/text/text_out.h"
#include "advisor/report/result.h"

void text_front(TextOut *t, const Result *r);
