/* npu-advise MODEL: what to change, and what it gains. */
#include "advisor/gate/baseline.h"
#include "advisor/gate/gate.h"
#include "advisor/compiled/compiled.h"
#include "advisor/cli/output.h"
#include "advisor/options/args.h"
#include "advisor/options/config.h"
#include "advisor/result/advise.h"
#include "advisor/result/request.h"
#include "advisor/say/json.h"
#include "advisor/result/result.h"
#include "advisor/say/spoken.h"

#include <string.h>

/* What claims to be a result says of itself whether it passes: no gate may take it for a model. */
static Status refuse_result(const char *path, Diag *diag)
{
    if (!result_recognise(path) || compiled_recognise(path))
        return STATUS_OK;
    return diag_set(diag, STATUS_INPUT, path_base(path), NULL,
                    "is a result, not a model; `npu-advise show` shows it again");
}

/* A gate's own notes are for the terminal and for whoever reads the result later. */
static void add_note_texts(const Context *c, Spoken *spoken, size_t from, cJSON *result)
{
    cJSON *list = cJSON_GetObjectItemCaseSensitive(result, "notes");
    for (size_t i = from; list && i < c->notes->nnote; i++)
        cJSON_AddItemToArray(list, spoken_item(spoken, c->arena, c->notes->note[i].said));
}

static Status gate_and_show(Context *c, const Args *args, const GateRequest *gate, cJSON *result,
                            const View *view)
{
    size_t before = c->notes->nnote;
    Status st = gate_apply(c->arena, result, gate, c->notes, c->diag);
    if (st)
        return st;
    add_note_texts(c, view->spoken, before, result);
    c->exit_code = gate_exit_code(result, gate->inconclusive);
    const char *baseline = args_text(args, "write-baseline", NULL);
    if (baseline)
        st = baseline_save(c->arena, result, baseline, c->out, c->diag);
    return st ? st : output_result(c, args, result, view);
}

/* Requests with what npu-advise.json says. */
static Status read_requests(Context *c, const Args *given, Args *args, AdviseRequest *q,
                            GateRequest *gate)
{
    Config *config = ARENA_NEW(c->arena, Config);
    Status st = args_positional(given, 1, 1, "MODEL", c->diag);
    if (st)
        return st;
    const char *model = given->positional[0];
    st = refuse_result(model, c->diag);
    if (!st)
        st = config_for_model(c->arena, given, model, true, config, c->diag);
    if (!st)
        st = config_merge(c->arena, config, given, args, c->diag);
    if (!st)
        st = request_from_args(c->arena, args, c->notes, q, c->diag);
    q->config = config;
    q->helper = c->helper;
    return st ? st : gate_request_from_args(c->arena, args, config, gate, c->diag);
}

static Status run(Context *c, const Args *given)
{
    Args args;
    AdviseRequest q;
    GateRequest gate;
    View view;
    cJSON *result = NULL;
    Status st = read_requests(c, given, &args, &q, &gate);
    if (!st)
        st = view_from_args(c, given, &view);
    if (st)
        return st;
    Spoken spoken = {.arena = c->arena};
    q.lang = c->language;
    q.spoken = view.spoken = &spoken;
    Status advised =
        compiled_recognise(q.model_path)
            ? compiled_advise(c->arena, &q, args_text(&args, "model", NULL), &result, c->diag)
            : advise(c->arena, &q, &result, c->diag);
    if (!result)
        return advised;
    st = gate_and_show(c, &args, &gate, result, &view);
    cJSON_Delete(result);
    return st ? st : advised;
}

const Command cmd_advise = {
    .name = "advise",
    .synopsis = "MODEL [--trace T]… [--verify] [--html FILE]",
    .help = "say what to change in a model, and what it will gain on the NPU",
    .options = (const char *const[]){"trace",
                                     "trace-format",
                                     "model",
                                     "workers",
                                     "devices",
                                     "queue-depth",
                                     "io-threads",
                                     "fill",
                                     "objective",
                                     "latency-limit",
                                     "calibration",
                                     "rules",
                                     "verify",
                                     "runner",
                                     "runs",
                                     "seed",
                                     "min-share",
                                     "min-gain",
                                     "budget",
                                     "fail-on",
                                     "baseline",
                                     "write-baseline",
                                     "strict-baseline",
                                     "regression-percent",
                                     "regression-floor",
                                     "aggregation",
                                     "config",
                                     "root",
                                     "isolated",
                                     "today",
                                     "inconclusive",
                                     "lang",
                                     "format",
                                     "json",
                                     "sarif",
                                     "junit",
                                     "markdown",
                                     "ndjson",
                                     "csv",
                                     "anchor",
                                     "html",
                                     "top",
                                     "verbose",
                                     "color",
                                     "compile",
                                     NULL},
    .run = run,
};
