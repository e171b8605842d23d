/* Writes sentences and versions for the parts of the result of a compiled graph. */
#include "advisor/advise/compiled/compiled_json.h"

#include "advisor/rules/rule.h"
#include "graph/import/imported.h"

cJSON *compiled_message(const CompiledRun *run, const Message *said)
{
    return said ? cJSON_CreateString(message_format(run->arena, run->request->lang, said))
                : cJSON_CreateNull();
}

const char *compiled_version(const CompiledRun *run)
{
    if (run->graph->kind == IMPORT_TENSORRT)
        return run->times.version ? rule_version_text(run->arena, "tensorrt", run->times.version)
                                  : "unknown";
    return run->graph->sdk ? run->graph->sdk : "unknown";
}
