/* Loads the model, compiles it, and plans its run on the simulated chip. */
#include "npu_exec/session/exec_prepare.h"
#include "graph/base/data.h"
#include "graph/compile/compile.h"
#include "graph/compile/machine.h"
#include "graph/edit/edit.h"
#include "graph/model/dtype.h"
#include "graph/onnx/onnx.h"
#include "graph/tflite/tflite.h"
#include "npu_exec/session/known_inputs.h"
#include "npu_exec/sim/real_host.h"
#include "npu_exec/sim/silicon.h"

/* Values go through the model as it runs: types and axes of inputs and outputs that the compiler is
 * told are written into it. */
static Status write_interface(Arena *a, const Model *m, const CompileOptions *o, Model **ret,
                              Diag *diag)
{
    const Graph *g = m->graph;
    Edit *edit = ARENA_ARRAY(a, Edit, o->ninput_dtype + o->noutput_dtype + o->npermute);
    size_t n = 0;
    for (size_t i = 0; i < o->ninput_dtype; i++)
        edit[n++] = (Edit){EDIT_INPUT_DTYPE, o->input_dtype[i].name, 0,
                           dtype_name(o->input_dtype[i].dtype)};
    for (size_t i = 0; i < o->noutput_dtype; i++)
        edit[n++] = (Edit){EDIT_OUTPUT_DTYPE, o->output_dtype[i].name,
                           compile_outputs_are_pixels(o), dtype_name(o->output_dtype[i].dtype)};
    for (size_t i = 0; i < o->npermute && i < g->ninput; i++) {
        const Permutation *p = &o->permute[i];
        const char *axes = "";
        for (int k = 0; k < p->rank; k++)
            axes = arena_printf(a, "%s%s%d", axes, k ? "," : "", p->axis[k]);
        if (p->rank)
            edit[n++] = (Edit){EDIT_PERMUTE_INPUT, g->tensor[g->input[i]].name, 0, axes};
    }
    return n ? model_edit(a, m, edit, n, ret, diag) : STATUS_OK;
}

/* What is compiled, and with which options. */
static Status model_of(Arena *a, const ExecOptions *o, Model *loaded, CompileOptions *options,
                       Model **ret, Diag *diag)
{
    *ret = loaded;
    if (!o->values)
        return STATUS_OK;
    Status st = write_interface(a, loaded, options, ret, diag);
    options->ninput_dtype = options->noutput_dtype = options->npermute = 0;
    return st;
}

Status exec_prepare(Arena *a, Arena *of_plan, const ExecOptions *o, Notes *notes,
                    const RunPlan **ret, Model **ret_model, Diag *diag)
{
    Machine *machine;
    Silicon *silicon;
    Model *model, *run;
    Program *program;
    CompileOptions options = o->compile;
    Status st = machine_load(of_plan, o->compile.target_name, &machine, diag);
    if (!st && machine->kind == MACHINE_ROWS && !o->silicon &&
        !data_has_silicon(of_plan, machine->id))
        st = diag_set(diag, STATUS_USAGE, option_flag(OPTION_TARGET), o->compile.target,
                      "npu-exec has no silicon file of this chip: measure on a board");
    st = st ? st : silicon_load(of_plan, o->silicon, machine, &silicon, diag);
    if (st)
        return st;
    if (o->member > silicon->nmember)
        return diag_set(diag, STATUS_USAGE, NULL, NULL, "--member %u: %s has %zu", o->member,
                        silicon->path, silicon->nmember);
    silicon = silicon_member(of_plan, silicon, o->member);
    if (options.ddr_mhz)
        silicon_set_clock(silicon, machine->ddr_mhz, options.ddr_mhz);
    if (o->perturb)
        silicon_perturb(silicon, o->perturb_seed);
    st = model_load(a, o->model, notes, &model, diag);
    if (st)
        return st;
    if (o->values && o->input_dir)
        known_inputs_bind(a, model, &o->compile, o->input_dir);
    compile_options_name_types(a, &options, model->graph);
    compile_options_take_sdk(&options, model, notes);
    st = model_of(a, o, model, &options, &run, diag);
    if (!st)
        st = compile_model_in_arenas((CompileArenas){of_plan, a}, run, machine, &options, notes,
                                     &program, diag);
    if (st) {
        model_close(model);
        return st;
    }
    RunPlan *plan;
    st = run_plan(of_plan, silicon, program, o->devices, notes, &plan, diag);
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
