/* Implements `npu-advise apply MODEL`, which writes the changed model and the settings of chosen
 * recommendations. */
#include "advisor/act/apply/apply.h"
#include "advisor/cli/advise_one.h"
#include "advisor/cli/output.h"
#include "advisor/cli/bundle_report.h"
#include "advisor/options/args.h"
#include "advisor/options/config.h"
#include "advisor/advise/advise.h"
#include "advisor/message/json.h"
#include "advisor/report/result_json.h"
#include "advisor/render/text/text_out.h"

static cJSON *levers_to_json(const ResultLeverList *levers)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < levers->count; i++) {
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "lever", levers->item[i].lever);
        cJSON_AddStringToObject(o, "index", levers->item[i].index);
        cJSON_AddStringToObject(o, "value", levers->item[i].value);
        cJSON_AddItemToArray(list, o);
    }
    return list;
}

static cJSON *tree_of(const Chosen *chosen, const Applied *done)
{
    cJSON *root = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(root, "applied");
    for (size_t i = 0; i < chosen->nchange; i++) {
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "rule_id", chosen->change[i].rule_id);
        cJSON_AddStringToObject(o, "fingerprint", chosen->change[i].fingerprint);
        cJSON_AddItemToObject(o, "levers", levers_to_json(&chosen->change[i].levers));
        cJSON_AddItemToArray(list, o);
    }
    json_add_texts(root, "files", done->file, done->nfile);
    cJSON_AddStringToObject(root, "model", done->model);
    json_add_texts(root, "options", done->word, done->nword);
    return root;
}

static void print_applied(Context *c, const View *view, const Chosen *chosen, const Applied *done,
                          const char *folder)
{
    TextOut t = {.out = c->out, .colour = view->colour, .lang = view->lang};
    for (size_t i = 0; i < chosen->nchange; i++) {
        text_line(&t, 0, 8);
        text_putf(&t, STYLE_BOLD, "%s ", chosen->change[i].rule_id);
        text_put(&t, STYLE_NONE, chosen->change[i].title);
        text_end(&t);
    }
    bundle_report(c, view, done, folder);
}

static Status apply_recommendations(Context *c, const Args *args, const AdviseRequest *q,
                                    const Result *r, const View *view)
{
    const char *folder = args_text(args, OPTION_OUTPUT, NULL);
    Chosen chosen;
    Applied done;
    bool taken;
    Status st = apply_choose(c->arena, r, args_text(args, OPTION_SET, NULL), &chosen, c->diag);
    if (!st)
        st = apply_write(c->arena, q, &chosen, folder, &done, c->diag);
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
    const Result *result = NULL;
    Config config;
    Status st = advise_one_request(c, args, &config, &q);
    if (!st)
        st = view_from_args(c, args, &view);
    if (!st && !args_text(args, OPTION_OUTPUT, NULL))
        st = diag_set(c->diag, STATUS_USAGE, NULL, NULL, "apply needs --output DIR");
    if (!st)
        st = apply_check(args_text(args, OPTION_OUTPUT, NULL), c->diag);
    if (st)
        return st;
    q.list_held = true;
    st = advise(c->arena, &q, &result, c->diag);
    return st ? st : apply_recommendations(c, args, &q, result, &view);
}

const Command cmd_apply = {
    .id = COMMAND_APPLY,
    .name = "apply",
    .synopsis = "apply MODEL [--trace T]… [--set LIST] --output DIR",
    .help = "write the changed model and settings of chosen recommendations",
    .examples =
        (const char *const[]){
            "npu-advise apply model.onnx --set 1 --output bundle   # the first recommendation",
            "npu-advise apply model.onnx --trace trace.json --output all   # all that are safe or "
            "to be checked",
            NULL},
    .run = run_apply,
};
