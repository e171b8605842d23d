/* Implements `npu-advise apply MODEL`, which writes a plan's model and settings. */
#include "graph/options/option.h"
#include "advisor/act/apply/apply_opset.h"
#include "advisor/cli/command_words.def"
#include "advisor/cli/advise_one.h"
#include "advisor/cli/output.h"
#include "advisor/cli/bundle_report.h"
#include "advisor/options/config.h"
#include "advisor/advise/advise.h"
#include "advisor/report/summary.h"
#include "advisor/report/verdict.h"
#include "advisor/message/text_out.h"

static cJSON *levers_to_json(const ResultLeverList *levers)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < levers->count; i++) {
        cJSON *o = json_add_row(list);
        cJSON_AddStringToObject(o, "lever", levers->item[i].lever);
        cJSON_AddStringToObject(o, "index", levers->item[i].index);
        cJSON_AddStringToObject(o, "value", levers->item[i].value);
    }
    return list;
}

static cJSON *tree_of(const Chosen *chosen, const Applied *done)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "plan", chosen->plan->id);
    cJSON *list = cJSON_AddArrayToObject(root, "applied");
    for (size_t i = 0; i < chosen->plan->changes.count; i++) {
        const ResultChange *x = summary_change(chosen->result, chosen->plan->changes.item[i].id);
        cJSON *o = json_add_row(list);
        cJSON_AddStringToObject(o, "rule_id", x->rule_id);
        cJSON_AddStringToObject(o, "fingerprint", x->fingerprint);
        cJSON_AddItemToObject(o, "levers", levers_to_json(&x->levers));
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
    Summary d = summary_of(chosen->result);
    Phrase p, plan;
    text_paragraph(&t, (TextPlace){0, 2}, STYLE_BOLD,
                   phrase_format(&p, t.lang, PHRASE_APPLIED, chosen->plan->id,
                                 verdict_plan(&plan, chosen->result, &d, chosen->plan, t.lang),
                                 NULL));
    for (size_t i = 0; i < chosen->plan->changes.count; i++) {
        const ResultChange *x = summary_change(chosen->result, chosen->plan->changes.item[i].id);
        text_line(&t, 2, 9);
        text_putf(&t, STYLE_BOLD, "%s ", x->rule_id);
        text_put(&t, STYLE_NONE, x->title);
        text_end(&t);
    }
    bundle_report(c, view, done, folder);
}

static Status apply_plan(Context *c, const Args *args, const AdviseRequest *q, const Result *r,
                         const View *view)
{
    const char *folder = args_text(args, OPTION_OUTPUT, NULL);
    Chosen chosen;
    Applied done;
    bool taken;
    Status st = apply_choose(c->arena, r, args_text(args, OPTION_PLAN, NULL), &chosen, c->diag);
    st = st ? st : apply_write(c->arena, q, &chosen, folder, &done, c->diag);
    if (st)
        return st;
    cJSON *tree = tree_of(&chosen, &done);
    st = output_json(c, args, tree, &taken);
    cJSON_Delete(tree);
    if (!st && !taken)
        print_applied(c, view, &chosen, &done, folder);
    return st;
}

static bool has_plan(const Result *r, const char *id)
{
    return !id || LIST_ANY(i, r->plans.count, !strcmp(r->plans.item[i].id, id));
}

/* The result of --result, which has to be of this model; else one of advising again, searching as
 * `tune` does where a rate is given or the plan is one of tune's. */
static Status result_to_apply(Context *c, const Args *args, const AdviseRequest *q,
                              const Result **ret)
{
    const char *file = args_text(args, OPTION_RESULT, NULL);
    TuneQuestion asked;
    if (file)
        return result_load(c->arena, file, ret, c->diag);
    Status st = tune_question_from_args(args, &asked, c->diag);
    if (!st && !(asked.images_per_s > 0))
        st = advise(c->arena, q, ret, c->diag);
    if (st || (*ret && has_plan(*ret, args_text(args, OPTION_PLAN, NULL))))
        return st;
    return advise_tune(c->arena, q, &asked, ret, c->diag);
}

/* ---- --opset ---- */

static bool is_without_effect(OptionId option)
{
#define IGNORED(id) option == OPTION_##id ||
    return OPSET_IGNORES(IGNORED) false;
}

static Status check_opset_options(const Args *args, Diag *diag)
{
    for (size_t i = 0; i < args->ngiven; i++)
        if (is_without_effect(args->given[i].id))
            return diag_set(diag, STATUS_USAGE, NULL, NULL,
                            "%s has no effect with --opset, which only converts the model; leave "
                            "it out, or --opset",
                            option_flag(args->given[i].id));
    return STATUS_OK;
}

static cJSON *opset_tree(const OpsetReport *r, const Applied *done)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddArrayToObject(root, "applied");
    json_add_texts(root, "files", done->file, done->nfile);
    cJSON_AddStringToObject(root, "model", done->model);
    json_add_texts(root, "options", done->word, done->nword);
    cJSON *opset = cJSON_AddObjectToObject(root, "opset");
    cJSON_AddNumberToObject(opset, "before", (double)r->opset);
    cJSON_AddNumberToObject(opset, "after", OPSET_CONVERTED);
    cJSON *list = cJSON_AddArrayToObject(opset, "changes");
    for (size_t i = 0; i < r->nchange; i++) {
        cJSON *o = json_add_row(list);
        cJSON_AddStringToObject(o, "op", r->change[i].op);
        cJSON_AddNumberToObject(o, "nodes", r->change[i].count);
        cJSON_AddStringToObject(o, "becomes", r->change[i].form);
    }
    return root;
}

static void print_converted(Context *c, const View *view, const OpsetReport *r)
{
    TextOut t = {.out = c->out, .colour = view->colour, .lang = view->lang};
    bool kept = r->opset == OPSET_CONVERTED;
    uint64_t changed = LIST_SUM(uint64_t, i, r->nchange, r->change[i].count);
    Phrase text;
    text_paragraph(&t, (TextPlace){0, 8}, STYLE_BOLD,
                   kept ? phrase_format(&text, view->lang, PHRASE_OPSET_KEPT, COUNTED(r->opset),
                                        COUNTED(changed), NULL)
                        : phrase_format(&text, view->lang, PHRASE_OPSET_DONE, COUNTED(r->opset),
                                        COUNTED(OPSET_CONVERTED), COUNTED(changed),
                                        COUNTED(r->nolder), NULL));
}

/* `apply MODEL --opset 13`: converts the model and applies nothing else. */
static Status apply_opset(Context *c, const Args *args, const AdviseRequest *q, const View *view)
{
    const char *folder = args_text(args, OPTION_OUTPUT, NULL);
    OpsetReport report;
    Applied done;
    bool taken;
    Status st = check_opset_options(args, c->diag);
    st = st ? st : apply_opset_write(c->arena, q, folder, &done, &report, c->diag);
    if (st)
        return st;
    cJSON *tree = opset_tree(&report, &done);
    st = output_json(c, args, tree, &taken);
    cJSON_Delete(tree);
    if (!st && !taken) {
        print_converted(c, view, &report);
        bundle_report(c, view, &done, folder);
    }
    return st;
}

Status cmd_apply(Context *c, const Args *args)
{
    AdviseRequest q;
    const Result *result = NULL;
    Config config;
    Status st = advise_one_request(c, args, &config, &q);
    if (!st && !args_text(args, OPTION_OUTPUT, NULL))
        st = diag_set(c->diag, STATUS_USAGE, NULL, NULL, "apply needs --output DIR");
    st = st ? st : apply_check(c->arena, args_text(args, OPTION_OUTPUT, NULL), c->diag);
    if (st)
        return st;
    View view = view_from_args(c, args);
    if (args_last(args, OPTION_OPSET))
        return apply_opset(c, args, &q, &view);
    st = result_to_apply(c, args, &q, &result);
    return st ? st : apply_plan(c, args, &q, result, &view);
}
