/* Which step a recommendation speaks of. */
#include "advisor/html/html.h"

#include "advisor/say/json.h"

#include <string.h>

bool holds_node(const cJSON *step, const char *node)
{
    const cJSON *name;
    cJSON_ArrayForEach(name, json_at(step, "onnx_nodes"))
    {
        if (node && cJSON_IsString(name) && !strcmp(name->valuestring, node))
            return true;
    }
    return false;
}

int page_step_fits(const cJSON *step, const cJSON *where)
{
    const char *op = json_text(where, "op", NULL);
    bool same_op = op && !strcmp(json_text(step, "op", ""), op);
    return 2 * same_op + holds_node(step, json_text(where, "node", NULL));
}

size_t page_step_of(const Page *p, const cJSON *where)
{
    const cJSON *s;
    size_t i = 0, best = SIZE_MAX;
    int most = 0;
    cJSON_ArrayForEach(s, json_at(p->r, "steps"))
    {
        int fit = page_step_fits(s, where);
        if (fit > most) {
            most = fit;
            best = i;
        }
        i++;
    }
    return best;
}
