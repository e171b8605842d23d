/* Writes the frame of the result document, and the gate before it is evaluated. */
#include "advisor/advise/result.h"

#include "advisor/message/json.h"

/* Every settings file that was found, and its effect on the checks. */
static void add_settings(cJSON *gate, const Config *c)
{
    cJSON *list = cJSON_AddArrayToObject(gate, "settings");
    for (size_t i = 0; i < c->nfile; i++) {
        const SettingsFile *f = c->file[i];
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "file", f->file);
        cJSON_AddStringToObject(o, "role",
                                f->refused   ? "refused"
                                : f->decides ? "decides"
                                             : "adds");
        json_add_texts(o, "took_away", f->took_away, f->ntook_away);
        json_add_texts(o, "ignored", f->ignored, f->nignored);
        cJSON_AddItemToArray(list, o);
    }
}

static void add_incomplete(cJSON *root, const AdviseRun *run)
{
    cJSON *list = cJSON_AddArrayToObject(root, "incomplete");
    for (size_t i = 0; i < run->nincomplete; i++)
        result_add_entry(list, "kind", run->incomplete[i].kind,
                         result_message(run, run->incomplete[i].said));
}

void result_add_gate(cJSON *root, const Config *settings)
{
    cJSON *gate = cJSON_AddObjectToObject(root, "gate");
    cJSON_AddStringToObject(gate, "status", "none");
    cJSON_AddArrayToObject(gate, "assertions");
    cJSON_AddNullToObject(gate, "baseline");
    add_settings(gate, settings);
}

cJSON *result_build(const AdviseRun *run)
{
    cJSON *root = cJSON_CreateObject();
    result_add_head(root, run->request->lang);
    result_add_subject(root, run);
    result_add_times(root, run);
    result_add_machine(root, run);
    result_add_timeline(root, run);
    result_add_advice(root, run);
    add_incomplete(root, run);
    result_add_gate(root, &run->settings);
    return root;
}
