/* Loading, compiling, planning. */
#include "npu_exec/session/prepare.h"

#include "graph/base/notes.h"
#include "graph/compile/compile.h"
#include "graph/compile/machine.h"
#include "graph/onnx/onnx.h"
#include "graph/tflite/tflite.h"
#include "npu_exec/session/known_inputs.h"
#include "npu_exec/sim/real_host.h"
#include "npu_exec/sim/silicon.h"

Status exec_prepare(Arena *a, const ExecOptions *o, Notes *notes, const RunPlan **ret,
                    Model **ret_model, Diag *diag)
{
    Machine *machine;
    Silicon *silicon;
    Model *model;
    Program *program;
    Status st = machine_load(a, o->compile.target_name, &machine, diag);
    if (!st)
        st = silicon_load(a, o->silicon, machine, &silicon, diag);
    if (st)
        return st;
    if (o->member > silicon->nmember)
        return diag_set(diag, STATUS_USAGE, NULL, NULL, "--member %u: %s has %zu", o->member,
                        silicon->path, silicon->nmember);
    silicon = silicon_member(a, silicon, o->member);
    if (o->perturb)
        silicon_perturb(silicon, o->perturb_seed);
    st = model_load(a, o->model, notes, &model, diag);
    if (st)
        return st;
    if (o->values && o->input_dir)
        bind_known_inputs(a, model, &o->compile, o->input_dir);
    st = compile_model(a, model, machine, &o->compile, notes, &program, diag);
    if (st) {
        model_close(model);
        return st;
    }
    RunPlan *plan;
    st = run_plan(a, silicon, program, o->devices, notes, &plan, diag);
    if (!st && o->host_real)
        st = real_host_measure(plan, notes, diag);
    if (st) {
        model_close(model);
        return st;
    }
    *ret = plan;
    *ret_model = model;
    return STATUS_OK;
}
