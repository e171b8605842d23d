/* Counts where the multiplications of the changed program run; prices the model without the NPU. */
#include "advisor/advise/suitability.h"

#include "advisor/candidate/search/plan.h"
#include "advisor/candidate/application_share.h"
#include "cost_model/predict.h"
#include "graph/compile/compile.h"
#include "graph/compile/options.h"

#define SUITS_FROM 0.5

/* Where the multiplications of a program run. */
typedef struct {
    bool any_npu, unsure; /* a step runs on the NPU; a host step is of unknown kind */
    double all, npu, worst;
    double possible;  /* on the host, but other operators would not be, or the place is not known */
    const Step *step; /* on the host, with the most of them */
    bool as_quantized; /* some are on the host only because of how the model was quantized */
} Products;

static Products products_of(const Program *p)
{
    Products x = {.step = NULL};
    for (size_t i = 0; i < p->nstep; i++) {
        const Step *s = &p->step[i];
        double macs = (double)s->macs;
        x.all += macs;
        x.npu += s->kind == STEP_NPU ? macs : 0;
        x.any_npu |= s->kind == STEP_NPU;
        x.unsure |= !s->known;
        if (s->kind != STEP_HOST || !(macs > 0))
            continue;
        x.as_quantized |= s->reason == REASON_FLOAT_ISLAND || s->reason == REASON_FOREIGN_CODES;
        x.possible += s->as_others || s->place_unknown ? macs : 0;
        if (macs > x.worst) {
            x.worst = macs;
            x.step = s;
        }
    }
    return x;
}

/* A copy of the text, as the program of a trial is freed. */
static const Message *why_of(const AdviseRun *run, const Step *s)
{
    return message_verbatim(run->arena,
                            s->why ? message_format(run->arena, run->request->lang, s->why) : "");
}

/* `tail` counts the multiplications downstream of cuts, which run in the application. */
static void find_unsuitable(AdviseRun *run, const Program *p, double tail)
{
    Products x = products_of(p), before = products_of(run->program);
    x.all += tail;
    if (tail > x.worst)
        x.step = before.step;
    if (run->program->nunknown_op || x.as_quantized || before.as_quantized)
        return;
    if (!x.any_npu && !x.unsure && !(x.all > 0) && p->nstep)
        run->unsuitable = MESSAGE(run->arena, phrase_arg(PHRASE_NOTHING_SUITS));
    if (!x.step || x.npu + x.possible >= SUITS_FROM * x.all)
        return;
    run->unsuitable =
        MESSAGE(run->arena, phrase_arg(PHRASE_DOES_NOT_SUIT), arg_fixed(100 * x.npu / x.all, 0),
                arg_text(x.step->op), arg_message(why_of(run, x.step)));
}

/* ---- without the NPU ---- */

static void find_cpu_alone(AdviseRun *run, const Plan *p)
{
    Arena *scratch = arena_new(0);
    CompileOptions alone = compile_options_copy(scratch, &run->variant.compile);
    Program *program;
    Diag why;
    alone.on_host = true;
    alone.ninput_dtype = alone.noutput_dtype = alone.npermute = alone.nconfig = 0;
    Status st = compile_model(scratch, run->model, run->machine, &alone, NULL, &program, &why);
    Interval ns = st ? (Interval){0} : predict_host_alone(program, run->costs);
    double images = st ? 1 : (double)program->images;
    arena_free(scratch);
    const PlanNow *now = &run->plans.now;
    bool latency = run->request->objective == OBJECTIVE_LATENCY;
    double best = p ? plan_value(&run->plans, p) : latency ? now->latency_ns : now->per_s;
    run->cpu_ns = latency ? ns : run->cpu_ns;
    if (latency && ns.mid > 0 && ns.mid < best)
        notes_add(run->notes, "cpu-alone", phrase_arg(PHRASE_NOTE_CPU_ALONE));
    if (!latency && alone.host_cores * images * 1e9 > best * ns.mid && ns.mid > 0)
        notes_add(run->notes, "cpu-copies", phrase_arg(PHRASE_NOTE_CPU_COPIES),
                  arg_count(alone.host_cores));
}

void suitability_find(AdviseRun *run)
{
    const Plan *p = plan_recommended(&run->plans);
    if (run->machine->kind == MACHINE_TASKS)
        find_cpu_alone(run, p);
    Trial trial;
    Diag why;
    if (!p || whatif_try(&run->whatif, p->settings.set, p->settings.nset, &trial, &why)) {
        find_unsuitable(run, run->program, 0);
        return;
    }
    find_unsuitable(run, trial.program,
                    application_macs(run->arena, run->program->model, &trial.variant.compile));
    trial_free(&trial);
}
