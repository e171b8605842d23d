/* Converts the command line to an AdviseRequest, for `advise` and `facts` alike. */
#pragma once

#include "advisor/advise/advise.h"
#include "advisor/options/args.h"

/* Needs one positional argument, the model. Options that are not taken keep defaults. */
Status request_from_args(Arena *a, const Args *g, Notes *notes, AdviseRequest *ret, Diag *diag);

/* --rate and --aggregation. */
Status tune_question_from_args(const Args *g, TuneQuestion *ret, Diag *diag);

/* --trace-format; leaves *ret alone without it. */
Status trace_format_from_args(const Args *g, TraceFormat *ret, Diag *diag);

/* STATUS_USAGE when one of the files that are given as traces is a model. */
Status request_check_traces(const char *const *path, size_t n, Diag *diag);
