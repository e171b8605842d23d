/* npu-advise apply MODEL: writes the changed model and settings of chosen recommendations. */
#include "advisor/act/apply/apply.h"
#include "advisor/cli/output.h"
#include "advisor/cli/bundle_report.h"
#include "advisor/options/args.h"
#include "advisor/options/config.h"
#include "advisor/advise/advise.h"
#include "advisor/message/json.h"
#include "advisor/message/phrase.h"
#include "advisor/advise/request.h"
#include "advisor/render/text/text_out.h"

static cJSON *tree_of(const Chosen *chosen, const Applied *done)
{
    cJSON *root = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(root, "applied");
    for (size_t i = 0; i < chosen->nrec; i++) {
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "rule_id", json_text(chosen->rec[i], "rule_id", "?"));
        cJSON_AddStringToObject(o, "fingerprint", json_text(chosen->rec[i], "fingerprint", "?"));
        cJSON_AddItemToObject(o, "levers",
                              cJSON_Duplicate(json_at(chosen->rec[i], "levers"), true));
        cJSON_AddItemToArray(list, o);
    }
    list = cJSON_AddArrayToObject(root, "files");
    for (size_t i = 0; i < done->nfile; i++)
        cJSON_AddItemToArray(list, cJSON_CreateString(done->file[i]));
    cJSON_AddStringToObject(root, "model", done->model);
    list = cJSON_AddArrayToObject(root, "options");
    for (size_t i = 0; i < done->nword; i++)
        cJSON_AddItemToArray(list, cJSON_CreateString(done->word[i]));
    return root;
}

static void print_applied(Context *c, const View *view, const Chosen *chosen, const Applied *done,
                          const char *folder)
{
    TextOut t = {.out = c->out, .colour = view->colour, .lang = view->lang};
    for (size_t i = 0; i < chosen->nrec; i++) {
        text_line(&t, 0, 8);
        text_putf(&t, STYLE_BOLD, "%s ", json_text(chosen->rec[i], "rule_id", "?"));
        text_put(&t, STYLE_NONE, json_text(chosen->rec[i], "title", "?"));
        text_end(&t);
    }
    bundle_report(c, view, done, folder);
}

static Status apply_recommendations(Context *c, const Args *args, const AdviseRequest *q,
                                    const cJSON *result, const View *view)
{
    const char *folder = args_text(args, "output", NULL);
    Chosen chosen;
    Applied done;
    bool taken;
    Status st = apply_choose(c->arena, result, args_text(args, "set", NULL), &chosen, c->diag);
    if (!st)
        st = apply_write(c->arena, q, result, &chosen, folder, &done, c->diag);
    if (st)
        return st;
    cJSON *tree = tree_of(&chosen, &done);
    st = output_json(c, args, tree, &taken);
    cJSON_Delete(tree);
    if (!st && !taken)
        print_applied(c, view, &chosen, &done, folder);
    return st;
}

static Status run_apply(Context *c, const Args *args)
{
    AdviseRequest q;
    View view;
    cJSON *result = NULL;
    Args merged;
    Config config;
    Status st = args_positional(args, 1, 1, "MODEL", c->diag);
    if (!st)
        st =
            config_for_model(c->arena, args, args->positional[0], CONFIG_IN_TREE, &config, c->diag);
    if (!st)
        st = config_merge(c->arena, &config, args, &merged, c->diag);
    if (!st)
        st = request_from_args(c->arena, &merged, c->notes, &q, c->diag);
    q.config = &config;
    q.lang = c->language;
    if (!st)
        st = view_from_args(c, args, &view);
    if (!st && !args_text(args, "output", NULL))
        st = diag_set(c->diag, STATUS_USAGE, NULL, NULL, "apply needs --output DIR");
    if (!st)
        st = apply_check(args_text(args, "output", NULL), c->diag);
    if (st)
        return st;
    q.list_held = true;
    st = advise(c->arena, &q, &result, c->diag);
    if (!st)
        st = apply_recommendations(c, args, &q, result, &view);
    cJSON_Delete(result);
    return st;
}

const Command cmd_apply = {
    .name = "apply",
    .synopsis = "apply MODEL [--trace T]… [--set LIST] --output DIR",
    .help = "write the changed model and settings of chosen recommendations",
    .examples =
        (const char *const[]){
            "npu-advise apply model.onnx --set 1 --output bundle   # the first recommendation",
            "npu-advise apply model.onnx --trace trace.json --output all   # all that are safe or "
            "to be checked",
            NULL},
    .options =
        (const char *const[]){"trace",       "trace-format", "run",   "objective", "latency-limit",
                              "calibration", "rules",        "set",   "output",    "min-share",
                              "min-gain",    "config",       "root",  "isolated",  "lang",
                              "format",      "json",         "color", "compile",   NULL},
    .run = run_apply,
};
