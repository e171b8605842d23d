/* Refuses options without effect, converts the model, and prints what became of its operators. */
#include "advisor/cli/opset_command.h"

#include "advisor/act/apply/apply_opset.h"
#include "advisor/cli/bundle_report.h"
#include "advisor/cli/output.h"
#include "advisor/message/json.h"
#include "advisor/message/phrase.h"
#include "advisor/render/text/text_out.h"

#include <string.h>

static bool is_without_effect(const char *option)
{
    static const char *const none[] = {
        "trace",        "trace-format",  "objective",       "latency-limit", "calibration",
        "rules",        "set",           "min-share",       "min-gain",      "workers",
        "queue-depth",  "devices",       "batch",           "input-dtype",   "effort",
        "output-dtype", "permute-input", "compiler-config", "host-cores"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        if (strcmp(option, none[i]) == 0)
            return true;
    return false;
}

static Status check_opset_options(const Args *args, Diag *diag)
{
    for (size_t i = 0; i < args->ngiven; i++)
        if (is_without_effect(args->given[i].name))
            return diag_set(diag, STATUS_USAGE, NULL, NULL,
                            "--%s has no effect with --opset, which only converts the model; leave "
                            "it out, or --opset",
                            args->given[i].name);
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
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "op", r->change[i].op);
        cJSON_AddNumberToObject(o, "nodes", r->change[i].count);
        cJSON_AddStringToObject(o, "becomes", r->change[i].form);
        cJSON_AddItemToArray(list, o);
    }
    return root;
}

static void print_converted(Context *c, const View *view, const OpsetReport *r)
{
    TextOut t = {.out = c->out, .colour = view->colour, .lang = view->lang};
    uint64_t changed = 0;
    for (size_t i = 0; i < r->nchange; i++)
        changed += r->change[i].count;
    Phrase text;
    text_line(&t, 0, 8);
    text_put(&t, STYLE_BOLD,
             phrase_format(&text, view->lang, PHRASE_OPSET_DONE,
                           arena_printf(c->arena, "%lld", (long long)r->opset),
                           arena_printf(c->arena, "%d", OPSET_CONVERTED),
                           arena_printf(c->arena, "%llu", (unsigned long long)changed),
                           arena_printf(c->arena, "%u", r->nolder), NULL));
    text_end(&t);
}

Status opset_command(Context *c, const Args *args, const AdviseRequest *q, const View *view)
{
    const char *folder = args_text(args, "output", NULL);
    OpsetReport report;
    Applied done;
    bool taken;
    Status st = check_opset_options(args, c->diag);
    if (!st)
        st = apply_opset_write(c->arena, q, folder, &done, &report, c->diag);
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
