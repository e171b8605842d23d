/* Advises about one model and applies the gate. */
#pragma once

#include "advisor/options/args.h"
#include "advisor/options/command.h"
#include "advisor/advise/request.h"
#include "advisor/report/result.h"

/* `given` names one model; the settings files of its tree are read.  `beside` is its trace where
 * neither `given` nor they name one; NULL: none.
 * Sets c->exit_code from the gate.  There may be a result (in c->arena) beside a Status that is not
 * OK (STATUS_UNDECIDED: no cost is known); else it is NULL. */
Status advise_one(Context *c, const Args *given, const char *beside, Result **ret);

/* The request of a command that takes one model, with the settings files of its tree, which
 * `config` holds. */
Status advise_one_request(Context *c, const Args *args, Config *config, AdviseRequest *ret);

/* 3 where there is an answer that does not hold, and no gate that passed: the trace is ignored, or
 * nothing keeps the limit or serves the rate; else 0. */
int advise_one_exit_code(const Result *r);
