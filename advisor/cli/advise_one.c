/* Advising about one model, gate included. */
#include "advisor/cli/advise_one.h"

#include "advisor/advise/compiled/compiled.h"
#include "advisor/act/gate/gate.h"
#include "advisor/options/args.h"
#include "advisor/options/config.h"
#include "advisor/advise/advise.h"
#include "advisor/advise/request.h"
#include "advisor/message/json.h"
#include "advisor/advise/result.h"
#include "graph/base/file.h"

#include <string.h>
#include <unistd.h>

/* What claims to be a result says of itself whether it passes: no gate may take it for a model. */
static Status refuse_result(const char *path, Diag *diag)
{
    if (!json_recognise_result(path) || compiled_recognise(path))
        return STATUS_OK;
    return diag_set(diag, STATUS_INPUT, file_base_name(path), NULL,
                    "is a result, not a model; `npu-advise show` shows it again");
}

/* A gate's own notes are for the terminal and for whoever reads the result later. */
static void add_note_texts(const Context *c, size_t from, cJSON *result)
{
    cJSON *list = cJSON_GetObjectItemCaseSensitive(result, "notes");
    for (size_t i = from; list && i < c->notes->nnote; i++)
        cJSON_AddItemToArray(list, cJSON_CreateString(message_format(c->arena, c->language,
                                                                     c->notes->note[i].said)));
}

/* A terminal sees how far the images are. */
static void tell_accuracy(void *user, size_t done, size_t all)
{
    fprintf(user, done < all ? "\raccuracy: %zu of %zu images\033[K" : "\r\033[K", done, all);
    fflush(user);
}

/* Requests with what npu-advise.json says. */
static Status read_requests(Context *c, const Args *given, const char *beside, Args *args,
                            AdviseRequest *q, GateRequest *gate)
{
    Config *config = ARENA_NEW(c->arena, Config);
    Status st = args_positional(given, 1, 1, "MODEL", c->diag);
    if (st)
        return st;
    const char *model = given->positional[0];
    st = refuse_result(model, c->diag);
    if (!st)
        st = config_for_model(c->arena, given, model, CONFIG_IN_TREE, config, c->diag);
    if (!st)
        st = config_merge(c->arena, config, given, args, c->diag);
    if (!st && beside && !args_text(args, "trace", NULL))
        args_add(c->arena, args, "trace", beside);
    if (!st)
        st = request_from_args(c->arena, args, c->notes, q, c->diag);
    q->config = config;
    q->helper = c->helper;
    q->metric_helper = c->metric;
    st = st ? st : gate_request_from_args(c->arena, args, config, gate, c->diag);
    if (st)
        return st;
    gate->loss_text = q->loss_limited ? q->loss_text : NULL;
    gate->loss_limit = q->loss_limit;
    gate->loss_in_db = q->loss_in_db;
    if (!args_flag(args, "quiet") && isatty(fileno(c->err))) {
        q->tell_accuracy = tell_accuracy;
        q->tell_user = c->err;
    }
    return st;
}

Status advise_one(Context *c, const Args *given, const char *beside, cJSON **ret_result)
{
    Args args;
    AdviseRequest q;
    GateRequest gate;
    *ret_result = NULL;
    Status st = read_requests(c, given, beside, &args, &q, &gate);
    if (st)
        return st;
    q.lang = c->language;
    Status advised =
        compiled_recognise(q.model_path)
            ? compiled_advise(c->arena, &q, args_text(&args, "model", NULL), ret_result, c->diag)
            : advise(c->arena, &q, ret_result, c->diag);
    if (!*ret_result)
        return advised;
    size_t before = c->notes->nnote;
    st = gate_apply(c->arena, *ret_result, &gate, c->notes, c->diag);
    if (st)
        return st;
    add_note_texts(c, before, *ret_result);
    c->exit_code = gate_exit_code(*ret_result, gate.inconclusive);
    return advised;
}
