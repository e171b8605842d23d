/* npu-advise inspect: what a model consists of: types and shapes of every tensor, MACs of every
 * node, totals, and what is unknown. */
#include "advisor/command.h"
#include "advisor/inspect.h"

#include "graph/onnx.h"

static Status run(Context *c, const Args *args)
{
    Model *m;
    Status st = args_positional(args, 1, 1, "a model", c->diag);
    if (!st)
        st = onnx_load(c->arena, args->positional[0], c->notes, &m, c->diag);
    if (st)
        return st;
    const CompileOptions *o = &args->compile;
    shape_infer(m, o->dim, o->ndim, o->batch);
    const char *json = args_text(args, "json", NULL);
    cJSON *tree = inspect_json(c->arena, m);
    if (json)
        st = json_save(tree, json, c->out, c->diag);
    if (!st && !(json && json[0] == '-' && json[1] == '\0'))
        inspect_text(c->out, tree, args_flag(args, "verbose"));
    cJSON_Delete(tree);
    model_close(m);
    return st;
}

const Command cmd_inspect = {
    .name = "inspect",
    .synopsis = "inspect MODEL [--json FILE]",
    .help = "show types and shapes of all tensors, MACs of all nodes, and what is unknown",
    .options = (const char *const[]){"json", "verbose", "compile", NULL},
    .run = run,
};
