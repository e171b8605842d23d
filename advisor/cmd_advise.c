/* npu-advise MODEL: what to change, and what it gains. */
#include "advisor/gate.h"
#include "advisor/output.h"
#include "advisor/request.h"

#include <string.h>

/* The result knows its notes; the terminal shows them on stderr. */
static void pass_on_notes(Context *c, const cJSON *result)
{
    const cJSON *n;
    cJSON_ArrayForEach(n, json_at(result, "notes"))
    {
        bool known = !cJSON_IsString(n);
        for (size_t i = 0; i < c->notes->nnote && !known; i++)
            known = !strcmp(c->notes->note[i].text, n->valuestring);
        if (!known)
            notes_add(c->notes, n->valuestring, "%s", n->valuestring);
    }
}

/* A result that was written before is shown again, with whatever gate is asked for now. */
static Status get_result(Context *c, const AdviseRequest *q, cJSON **ret)
{
    if (result_recognise(q->model_path))
        return result_load(q->model_path, ret, c->diag);
    return advise(c->arena, q, ret, c->diag);
}

static Status run(Context *c, const Args *args)
{
    AdviseRequest q;
    View view;
    cJSON *result = NULL;
    Status st = request_from_args(c->arena, args, c->notes, &q, c->diag);
    if (!st)
        st = view_from_args(c, args, &view);
    if (st)
        return st;
    if (result_recognise(q.model_path))
        view.again = NULL;
    Status advised = get_result(c, &q, &result);
    if (!result)
        return advised;
    st = gate_apply(result, &q, c->diag);
    if (!st) {
        c->exit_code = gate_exit_code(result, args_text(args, "inconclusive", NULL));
        pass_on_notes(c, result);
        st = output_result(c, args, result, &view);
    }
    cJSON_Delete(result);
    return st ? st : advised;
}

const Command cmd_advise = {
    .name = "advise",
    .synopsis = "MODEL [--trace T]… [--verify] [--html FILE]",
    .help = "say what to change in a model, and what it will gain on the NPU",
    .options =
        (const char *const[]){
            "trace",        "trace-format", "workers",  "objective", "latency-limit",
            "calibration",  "rules",        "verify",   "runner",    "runs",
            "seed",         "min-share",    "min-gain", "budget",    "fail-on",
            "inconclusive", "lang",         "format",   "json",      "html",
            "top",          "verbose",      "color",    "compile",   NULL},
    .run = run,
};
