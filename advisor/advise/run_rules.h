/* Matches the rules of a run of a model or compiled graph, as settings files have them. */
#pragma once

#include "advisor/advise/advise.h"
#include "advisor/rules/match.h"

/* Something that was asked for and not done to the end. */
typedef struct {
    ResultIncompleteKind kind;
    const Message *said;
} Incomplete;

typedef struct {
    RuleBook book;   /* those for the kind of the model */
    Config settings; /* the request's, settled against the book */
    MatchList matches;
    Incomplete *incomplete; /* no gate may pass over these */
    size_t nincomplete, incomplete_cap;
} RunRules;

/* Loads the rules of the request for graphs of `kind`, and settles the settings. */
Status run_rules_load(RunRules *ret, Arena *a, const AdviseRequest *q, const char *kind,
                      Diag *diag);

/* Gives matches their level; a rule that is off has neither passed nor a finding, and one that was
 * stopped is incomplete. */
void run_rules_settle(RunRules *x, Arena *a);

/* Lists what was not done to the end: one thing; traces that break off (stats may be NULL); the
 * settings files that are refused. */
void run_rules_incomplete(RunRules *x, Arena *a, ResultIncompleteKind kind, const Message *said);
void run_rules_broken_traces(RunRules *x, Arena *a, const TraceStats *stats);
void run_rules_refused_settings(RunRules *x, Arena *a, const Config *c);
