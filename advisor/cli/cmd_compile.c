/* Implements `npu-advise compile`, which shows the model as compiled, and why. */
#include "advisor/options/command.h"
#include "advisor/render/program/imported_show.h"
#include "advisor/options/args.h"
#include "advisor/message/json.h"
#include "advisor/render/program/lowered.h"
#include "advisor/render/program/support_show.h"

#include "cost_model/costs.h"
#include "cost_model/predict.h"
#include "graph/compile/compile.h"
#include "graph/compile/options.h"
#include "graph/compile/machine.h"
#include "graph/import/imported.h"
#include "graph/onnx/onnx.h"
#include "graph/tflite/tflite.h"

enum { PIPE_LIMIT_MIB = 1024 };

typedef enum { EMIT_TABLE, EMIT_JSON, EMIT_DOT, EMIT_MEMORY } Emit;

static Status save_operators(Context *c, const char *csv, const Program *p, const Prediction *t)
{
    OutFile file;
    if (!strcmp(csv, "-")) {
        lowered_operators_csv(c->out, p, t);
        return STATUS_OK;
    }
    Status st = file_out_open(&file, csv, c->diag);
    if (st)
        return st;
    lowered_operators_csv(file.stream, p, t);
    return file_out_commit(&file, c->diag);
}

/* What has predicted times, is sorted by them, or drawn to their scale. */
static Status emit_timed(Context *c, const Args *args, const Program *p, Emit form)
{
    const PhraseOut o = {c->out, c->language, c->arena};
    const char *csv = args_text(args, OPTION_CSV, NULL);
    Costs *costs;
    Status st = costs_load(c->arena, args->compile.target_name, NULL, &costs, c->diag);
    st = st ? st : costs_at_ddr(costs, p->machine, args->compile.ddr_mhz, c->diag);
    if (st)
        return st;
    const Prediction *t = predict(c->arena, p, costs, &(RunOptions){.workers = 1, .devices = 1});
    if (csv)
        return save_operators(c, csv, p, t);
    if (args_flag(args, OPTION_OPERATORS))
        lowered_operators(&o, p, t);
    else if (form == EMIT_MEMORY)
        lowered_memory(c->out, p, t, costs->clock_hz.mid);
    else
        lowered_text(&o, p, t, args_flag(args, OPTION_VERBOSE));
    return STATUS_OK;
}

static Status emit_program(Context *c, const Args *args, const Program *p, Emit form)
{
    const char *json = args_text(args, OPTION_JSON, NULL);
    Status st = STATUS_OK;
    if (json || form == EMIT_JSON) {
        cJSON *tree = lowered_json(p);
        st = json_save(tree, json ? json : "-", c->out, c->diag);
        cJSON_Delete(tree);
    }
    if (st || form == EMIT_JSON || (json && strcmp(json, "-") == 0))
        return st;
    if (form != EMIT_DOT || args_flag(args, OPTION_OPERATORS) || args_text(args, OPTION_CSV, NULL))
        return emit_timed(c, args, p, form);
    lowered_dot(c->out, p);
    return STATUS_OK;
}

static Status compile_loaded(Context *c, const Args *args, const Model *m, Emit form)
{
    Machine *machine;
    Program *p;
    CompileOptions o = args->compile;
    compile_options_take_sdk(&o, m, c->notes);
    Status st = machine_load(c->arena, o.target_name, &machine, c->diag);
    st = st ? st : compile_model(c->arena, m, machine, &o, c->notes, &p, c->diag);
    return st ? st : emit_program(c, args, p, form);
}

/* A graph that was compiled elsewhere is shown as it is. */
static Status show_imported(Context *c, const Args *args, InFile file, Emit form)
{
    Imported *g;
    const char *json = args_text(args, OPTION_JSON, NULL);
    Status st = imported_read(c->arena, file, &g, c->diag);
    if (!st && (form == EMIT_DOT || form == EMIT_MEMORY))
        st = diag_set(c->diag, STATUS_USAGE, file.path, NULL,
                      "is compiled already: --emit table or json shows it");
    if (!st && (json || form == EMIT_JSON)) {
        cJSON *tree = imported_json(g);
        st = json_save(tree, json ? json : "-", c->out, c->diag);
        cJSON_Delete(tree);
    }
    if (!st && form == EMIT_TABLE && !(json && strcmp(json, "-") == 0))
        imported_text(&(PhraseOut){c->out, c->language, c->arena}, g,
                      args_flag(args, OPTION_VERBOSE));
    return st;
}

static Status compile_file(Context *c, const Args *args, InFile file, Emit form)
{
    Model *m;
    if (imported_recognise(file))
        return show_imported(c, args, file, form);
    /* What stdin held is gone from there; a file is read again, with what lies beside it. */
    Status st = file.mapped ? model_load(c->arena, file.path, c->notes, &m, c->diag)
                            : model_load_bytes(c->arena, file.path, file.data, file.size, c->notes,
                                               &m, c->diag);
    if (st)
        return st;
    st = compile_loaded(c, args, m, form);
    model_close(m);
    return st;
}

static Status show_support(Context *c, const Args *args)
{
    Machine *machine;
    Status st = args_positional(args, 0, 0, "no model", c->diag);
    st = st ? st : machine_load(c->arena, args->compile.target_name, &machine, c->diag);
    if (!st)
        support_text(&(PhraseOut){c->out, c->language, c->arena}, machine, args->compile.sdk);
    return st;
}

Status cmd_compile(Context *c, const Args *args)
{
    InFile file;
    if (args_flag(args, OPTION_SUPPORT))
        return show_support(c, args);
    Status st = args_positional(args, 1, 1, "a model", c->diag);
    st = st ? st : file_in_open(&file, args->positional[0], (size_t)PIPE_LIMIT_MIB << 20, c->diag);
    if (st)
        return st;
    st = compile_file(c, args, file, (Emit)args_word(args, OPTION_EMIT, EMIT_TABLE));
    file_in_close(&file);
    return st;
}
