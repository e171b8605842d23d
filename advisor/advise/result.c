/* Builds the frame of the result, and the gate before it is evaluated. */
#include "advisor/advise/result.h"

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

ResultGate result_gate(Arena *a, const Config *settings)
{
    return (ResultGate){.status = RESULT_STATUS_NONE,
                        .settings = {settings_files(a, settings), settings->nfile}};
}

static ResultIncompleteList incomplete_list(const AdviseRun *run)
{
    ResultIncomplete *list = ARENA_ARRAY(run->arena, ResultIncomplete, run->nincomplete);
    for (size_t i = 0; i < run->nincomplete; i++)
        list[i] = (ResultIncomplete){run->incomplete[i].kind,
                                     result_message(run, run->incomplete[i].said)};
    return (ResultIncompleteList){list, run->nincomplete};
}

const Result *result_build(const AdviseRun *run)
{
    Result *r = ARENA_NEW(run->arena, Result);
    result_set_subject(r, run);
    result_set_times(r, run);
    result_set_machine(r, run);
    result_set_timeline(r, run);
    result_set_advice(r, run);
    r->incomplete = incomplete_list(run);
    r->gate = result_gate(run->arena, &run->settings);
    return r;
}
