/* Builds the frame of the result, the outcome of its rules, and the gate before it is evaluated. */
#include "advisor/advise/result.h"

#include "advisor/rules/rules_doc.h"

static const ResultSetting *settings_files(Arena *a, const Config *c)
{
    ResultSetting *list = ARENA_ARRAY(a, ResultSetting, c->nfile);
    for (size_t i = 0; i < c->nfile; i++) {
        const SettingsFile *f = c->file[i];
        list[i] = (ResultSetting){f->file,
                                  f->refused   ? RESULT_ROLE_REFUSED
                                  : f->decides ? RESULT_ROLE_DECIDES
                                               : RESULT_ROLE_ADDS,
                                  {f->took_away, f->ntook_away},
                                  {f->ignored, f->nignored}};
    }
    return list;
}

static ResultIncompleteList incomplete_list(Arena *a, const RunRules *x, const Language *lang)
{
    ResultIncomplete *list = ARENA_ARRAY(a, ResultIncomplete, x->nincomplete);
    for (size_t i = 0; i < x->nincomplete; i++)
        list[i] = (ResultIncomplete){x->incomplete[i].kind,
                                     message_format(a, lang, x->incomplete[i].said)};
    return (ResultIncompleteList){list, x->nincomplete};
}

static void set_outcomes(Result *ret, Arena *a, const RunRules *x, const Language *lang)
{
    size_t npassed = 0, nother = 0, all = x->matches.noutcome;
    const char **passed = ARENA_ARRAY(a, const char *, all);
    ResultNotApplicable *other = ARENA_ARRAY(a, ResultNotApplicable, all);
    for (size_t i = 0; i < all; i++) {
        const RuleOutcome *o = &x->matches.outcome[i];
        if (o->outcome == OUTCOME_PASSED)
            passed[npassed++] = o->rule->id;
        if (o->outcome == OUTCOME_NOT_APPLICABLE)
            other[nother++] =
                (ResultNotApplicable){o->rule->id, message_format(a, lang, o->reason)};
    }
    ret->passed = (ResultTexts){passed, npassed};
    ret->not_applicable = (ResultNotApplicableList){other, nother};
}

/* Id, group and title of every rule, so that a list of ids can be read. */
static ResultRuleList rule_list(Arena *a, const RuleBook *book, const Language *lang)
{
    ResultRule *list = ARENA_ARRAY(a, ResultRule, book->nrule);
    for (size_t i = 0; i < book->nrule; i++) {
        const Rule *r = &book->rule[i];
        list[i] = (ResultRule){r->id, r->group, rules_template_text(a, rule_text(&r->title, lang))};
    }
    return (ResultRuleList){list, book->nrule};
}

void result_set_rules(Result *ret, Arena *a, const RunRules *x, const Language *lang)
{
    set_outcomes(ret, a, x, lang);
    ret->rules = rule_list(a, &x->book, lang);
    ret->incomplete = incomplete_list(a, x, lang);
    ret->gate = (ResultGate){.status = RESULT_STATUS_NONE,
                             .settings = {settings_files(a, &x->settings), x->settings.nfile}};
}

const Result *result_build(const AdviseRun *run)
{
    Result *r = ARENA_NEW(run->arena, Result);
    result_set_subject(r, run);
    result_set_times(r, run);
    result_set_machine(r, run);
    result_set_timeline(r, run);
    result_set_plans(r, run);
    result_set_breakdown(r, run);
    result_set_findings(r, run);
    result_set_rules(r, run->arena, &run->rules, run->request->lang);
    return r;
}
