/* Loads the rules of a run, and lists what was not done to the end. */
#include "advisor/advise/run_rules.h"

Status run_rules_load(RunRules *ret, Arena *a, const AdviseRequest *q, const char *kind, Diag *diag)
{
    Status st = STATUS_OK;
    if (q->book)
        ret->book = *q->book;
    else
        st = rules_load(a, q->rules_dir, q->nrules_dir, &ret->book, diag);
    st = st ? st : config_resolve_rules(a, q->config, &ret->book, &ret->settings, diag);
    if (!st)
        ret->book = rules_of(a, &ret->book, kind);
    return st;
}

void run_rules_settle(RunRules *x, Arena *a)
{
    for (size_t i = 0; i < x->matches.nmatch; i++) {
        Match *m = &x->matches.match[i];
        m->level = config_level(&x->settings, m->rule->id, m->level);
    }
    for (size_t i = 0; i < x->matches.noutcome; i++) {
        RuleOutcome *o = &x->matches.outcome[i];
        bool off = config_is_off(&x->settings, o->rule->id);
        if (o->stopped && !off)
            run_rules_incomplete(x, a, RESULT_INCOMPLETE_KIND_RULE, o->reason);
        if (off && o->outcome == OUTCOME_PASSED)
            *o = (RuleOutcome){o->rule, OUTCOME_NOT_APPLICABLE,
                               MESSAGE(a, phrase_arg(PHRASE_CONFIGURED_OFF)), false};
    }
}

void run_rules_incomplete(RunRules *x, Arena *a, ResultIncompleteKind kind, const Message *said)
{
    *VEC_PUSH(a, x->incomplete, x->nincomplete, x->incomplete_cap) = (Incomplete){kind, said};
}

void run_rules_broken_traces(RunRules *x, Arena *a, const TraceStats *stats)
{
    for (size_t i = 0; stats && i < stats->nfile; i++)
        if (stats->file[i].repairs.unterminated)
            run_rules_incomplete(x, a, RESULT_INCOMPLETE_KIND_TRACE,
                                 MESSAGE(a, phrase_arg(PHRASE_TRACE_BREAKS_OFF),
                                         arg_text(file_base_name(stats->file[i].path))));
}

void run_rules_refused_settings(RunRules *x, Arena *a, const Config *c)
{
    for (size_t i = 0; c && i < c->nfile; i++)
        if (c->file[i]->refused)
            run_rules_incomplete(x, a, RESULT_INCOMPLETE_KIND_SETTINGS,
                                 MESSAGE(a, phrase_arg(PHRASE_SETTINGS_BAD),
                                         arg_text(c->file[i]->file),
                                         arg_text(c->file[i]->refused)));
}
