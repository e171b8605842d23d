/* Reads the options of `validate --advice`, runs the validation, prints it, and reports runs that
 * failed. */
#include "advisor/cli/validate_advice_command.h"

#include "advisor/validation/validate_advice.h"
#include "advisor/cli/progress.h"
#include "advisor/options/args.h"
#include "advisor/advise/advise.h"
#include "advisor/message/json.h"
#include "advisor/message/phrase.h"
#include "advisor/message/process.h"

#include <assert.h>
#include <string.h>

enum { VALIDATE_ADVICE_RUNS = 100 };

static Status read_validation_request(Context *c, const Args *args, AdviceValidationRequest *ret)
{
    AdviceValidationRequest q = {.jobs = (int)args_int(args, OPTION_JOBS, process_count())};
    advise_request_init(&q.advise);
    q.models_dir = args_all(c->arena, args, OPTION_MODELS, &q.nmodels_dir);
    q.advise.baseline.compile = args->compile;
    q.advise.calibration = args_text(args, OPTION_CALIBRATION, NULL);
    q.advise.rules_dir = args_all(c->arena, args, OPTION_RULES, &q.advise.nrules_dir);
    q.advise.runner = args_text(args, OPTION_RUNNER, NULL);
    q.advise.runs = (int)args_int(args, OPTION_RUNS, VALIDATE_ADVICE_RUNS);
    q.advise.seed = (uint64_t)args_int(args, OPTION_SEED, 1);
    *ret = q;
    return q.nmodels_dir ? STATUS_OK
                         : diag_set(c->diag, STATUS_USAGE, NULL, NULL,
                                    "validate --advice needs --models DIR");
}

static const AdviceValidationRun *first_failed(const AdviceValidation *card)
{
    size_t i = 0;
    assert(card->nfailed > 0);
    while (!card->run[i].error)
        i++;
    return &card->run[i];
}

/* A card of some of the runs would be a better one than the advice deserves. */
Status validate_advice_command(Context *c, const Args *args)
{
    AdviceValidationRequest q;
    AdviceValidation card;
    Progress progress = progress_of(c, args, "runs");
    Status st = read_validation_request(c, args, &q);
    q.progress = progress_show;
    q.user = &progress;
    if (!st)
        st = validate_advice(c->arena, &q, &card, c->diag);
    if (st)
        return st;
    const char *json = args_text(args, OPTION_JSON, NULL);
    if (!json || strcmp(json, "-") != 0)
        validate_advice_print(c->out, &card);
    if (json) {
        cJSON *root = validate_advice_json(&card);
        st = json_save(root, json, c->out, c->diag);
        cJSON_Delete(root);
    }
    if (card.nfailed)
        notes_add(c->notes, "runs-failed", phrase_arg(PHRASE_NOTE_RUNS_FAILED),
                  arg_count((int64_t)card.nfailed), arg_count((int64_t)card.nrun),
                  arg_text(first_failed(&card)->model), arg_text(first_failed(&card)->error));
    if (!card.ngain || card.nfailed)
        c->exit_code = 3;
    return st;
}
