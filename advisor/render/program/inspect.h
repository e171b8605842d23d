/* Shows a model as one JSON tree (docs/schema/inspect.json), and as a text made from that tree. */
#pragma once

#include "advisor/message/json.h"
#include "graph/model/model.h"

/* Needs types and shapes (shape_infer).  The caller frees with cJSON_Delete. */
cJSON *inspect_json(Arena *a, const Model *m);

/* `nodes`: one line per node as well. */
void inspect_text(FILE *out, const cJSON *tree, bool nodes);
