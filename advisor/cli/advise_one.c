/* Reads the requests from the command line, advises, measures accuracy if data are given, and runs
 * the gate. */
#include "advisor/cli/advise_one.h"

#include "advisor/advise/compiled/compiled.h"
#include "advisor/advise/compiled/table_advice.h"
#include "advisor/act/gate/gate.h"
#include "advisor/options/config.h"
#include "advisor/advise/advise.h"
#include "advisor/message/json.h"
#include "advisor/message/phrase.h"
#include "advisor/report/summary.h"
#include "graph/options/option.h"

/* What claims to be a result says of itself whether it passes: no gate may take it for a model. */
static Status refuse_result(const char *path, Diag *diag)
{
    if (!json_recognise_result(path) || compiled_recognise(path))
        return STATUS_OK;
    return diag_set(diag, STATUS_INPUT, file_base_name(path), NULL,
                    "is a result, not a model; `npu-advise show` shows it again");
}

/* A gate's own notes are for the terminal and for later readers of the result. */
static ResultTexts with_gate_notes(const Context *c, const ResultTexts *said, size_t from)
{
    const char **item = ARENA_ARRAY(c->arena, const char *, said->count + c->notes->nnote + 1);
    size_t n = 0;
    for (; n < said->count; n++)
        item[n] = said->item[n];
    for (size_t i = from; i < c->notes->nnote; i++)
        item[n++] = message_format(c->arena, c->language, c->notes->note[i].said);
    return (ResultTexts){item, n};
}

/* `merged` is what the command line and the settings say together. */
static Status read_request(Context *c, const Args *given, const char *beside, Config *config,
                           Args *merged, AdviseRequest *q)
{
    Status st = args_positional(given, 1, 1, "MODEL", c->diag);
    if (!st)
        st = config_for_model(c->arena, given, given->positional[0], CONFIG_IN_TREE, config,
                              c->diag);
    st = st ? st : config_merge(c->arena, config, given, merged, c->diag);
    if (!st && beside && !args_text(merged, OPTION_TRACE, NULL))
        args_add(c->arena, merged, OPTION_TRACE, beside);
    st = st ? st : request_from_args(c->arena, merged, c->notes, q, c->diag);
    st = st ? st : compiled_take_table(c->arena, q, c->diag);
    q->config = config;
    q->lang = c->language;
    q->helper = c->helper;
    q->metric_helper = c->metric;
    return st;
}

Status advise_one_request(Context *c, const Args *args, Config *config, AdviseRequest *ret)
{
    Args merged;
    return read_request(c, args, NULL, config, &merged, ret);
}

/* A terminal sees how far the images are. */
static void tell_accuracy(void *user, size_t done, size_t all)
{
    Phrase p;
    phrase_format(&p, language_spoken(), PHRASE_PROGRESS_IMAGES, COUNTED(done), COUNTED(all), NULL);
    fprintf(user, "\r%s\033[K", done < all ? p.text : "");
    fflush(user);
}

/* Requests with what npu-advise.json says. */
static Status read_requests(Context *c, const Args *given, const char *beside, Args *args,
                            AdviseRequest *q, GateRequest *gate)
{
    Config *config = ARENA_NEW(c->arena, Config);
    Status st = given->npositional == 1 ? refuse_result(given->positional[0], c->diag) : STATUS_OK;
    st = st ? st : read_request(c, given, beside, config, args, q);
    st = st ? st : gate_request_from_args(c->arena, args, config, gate, c->diag);
    if (st)
        return st;
    gate->loss_text = q->loss_limited ? q->loss_text : NULL;
    gate->loss_limit = q->loss_limit;
    gate->loss_in_db = q->loss_in_db;
    if (!args_flag(args, OPTION_QUIET) && isatty(fileno(c->err))) {
        q->tell_accuracy = tell_accuracy;
        q->tell_user = c->err;
    }
    return st;
}

/* The result before its gate; NULL: there is none. */
static Status make_result(Context *c, const Args *args, const AdviseRequest *q, const Result **ret)
{
    *ret = NULL;
    if (compiled_recognise(q->model_path))
        return compiled_advise(c->arena, q, args_text(args, OPTION_MODEL, NULL), ret, c->diag);
    if (!q->table && LIST_ANY(s, STAGE_COUNT, q->stage_ns[s]))
        return diag_set(c->diag, STATUS_USAGE, option_flag(OPTION_APP), NULL,
                        "is about a table of RKNN: give it as the model or as --trace");
    Status st = advise(c->arena, q, ret, c->diag);
    AdviseRequest table = *q;
    const Result *own = NULL;
    Diag unsaid = {0}; /* without times the table tells no gain, but the model does */
    table.model_path = q->table;
    table.ntrace = 0;
    table.verify = false;
    if (*ret && q->table)
        compiled_advise(c->arena, &table, q->model_path, &own, &unsaid);
    if (own)
        *ret = table_advice_join(c->arena, *ret, own);
    return st;
}

int advise_one_exit_code(const Result *r)
{
    Summary d = summary_of(r);
    bool holds = d.headline != HEADLINE_REFUTED && d.headline != HEADLINE_LIMIT;
    return holds || r->gate.status == RESULT_STATUS_PASSED ? 0 : status_exit_code(STATUS_UNDECIDED);
}

Status advise_one(Context *c, const Args *given, const char *beside, Result **ret)
{
    Args args;
    AdviseRequest q;
    GateRequest gate;
    const Result *made;
    *ret = NULL;
    Status st = read_requests(c, given, beside, &args, &q, &gate);
    if (st)
        return st;
    Status advised = make_result(c, &args, &q, &made);
    if (!made)
        return advised;
    Result *r = *ret = ARENA_NEW(c->arena, Result);
    size_t before = c->notes->nnote;
    st = gate_judge(c->arena, made, &gate, c->notes, r, c->diag);
    if (st)
        return st;
    r->notes = with_gate_notes(c, &r->notes, before);
    c->exit_code = gate_exit_code(&r->gate, gate.inconclusive);
    if (!c->exit_code)
        c->exit_code = advise_one_exit_code(r);
    return advised;
}
