/* The result document: its frame. */
#include "advisor/result/result.h"

static void add_gate(cJSON *root)
{
    cJSON *gate = cJSON_AddObjectToObject(root, "gate");
    cJSON_AddStringToObject(gate, "status", "none");
    cJSON_AddArrayToObject(gate, "assertions");
    cJSON_AddNullToObject(gate, "baseline");
}

cJSON *result_build(const AdviseRun *run)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddNumberToObject(root, "schema_version", RESULT_SCHEMA_VERSION);
    cJSON *tool = cJSON_AddObjectToObject(root, "tool");
    cJSON_AddStringToObject(tool, "name", "npu-advise");
    cJSON_AddStringToObject(tool, "version", NPU_ADVISE_VERSION);
    result_add_subject(root, run);
    result_add_times(root, run);
    result_add_machine(root, run);
    result_add_timeline(root, run);
    result_add_advice(root, run);
    add_gate(root);
    return root;
}
