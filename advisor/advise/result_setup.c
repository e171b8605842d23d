/* Writes how the run was set up, and the source of each item. */
#include "advisor/advise/result.h"

#include "graph/model/dtype.h"

#include <stdlib.h>
#include <string.h>

/* Counts are numbers, all else is spelled as the option spells it. */
static cJSON *json_value(SetupItemId i, const char *text)
{
    bool is_count = i == SETUP_BATCH || i == SETUP_WORKERS || i == SETUP_DEVICES;
    return is_count && text ? result_ns((double)strtoll(text, NULL, 10)) : result_text(text);
}

static cJSON *json_item(SetupItemId i, const SetupItem *x)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddItemToObject(o, "value", x->undecided ? cJSON_CreateNull() : json_value(i, x->value));
    cJSON *list = cJSON_AddArrayToObject(o, "candidates");
    for (size_t k = 0; x->undecided && k < x->ncandidate; k++)
        cJSON_AddItemToArray(list, json_value(i, x->candidate[k]));
    cJSON_AddStringToObject(o, "source", setup_source_name(x->source));
    cJSON_AddItemToObject(o, "seen", json_value(i, x->seen));
    return o;
}

/* The compiler finds the type of outputs without one in the file. */
static SetupItem with_types(const Setup *setup, const Program *p, SetupItemId i)
{
    SetupItem x = setup->item[i];
    const Graph *g = p->model->graph;
    if (i == SETUP_OUTPUT && g->noutput && !strcmp(x.value, dtype_name(DT_UNKNOWN)))
        x.value = dtype_name(g->tensor[g->output[0]].dtype);
    return x;
}

void result_add_setup(cJSON *root, const Setup *setup, const Program *p)
{
    cJSON *o = cJSON_AddObjectToObject(root, "setup");
    for (int i = 0; i < SETUP_COUNT; i++) {
        SetupItem x = with_types(setup, p, (SetupItemId)i);
        cJSON_AddItemToObject(o, setup_key((SetupItemId)i), json_item((SetupItemId)i, &x));
    }
}
