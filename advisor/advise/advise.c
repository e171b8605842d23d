/* Calls the stages of the chain in order, from reading the traces to building the result. */
#include "advisor/advise/advise.h"

#include "advisor/rules/facts.h"
#include "advisor/advise/measure_advice.h"
#include "advisor/advise/find_plans.h"
#include "advisor/advise/run_notes.h"
#include "advisor/advise/result.h"
#include "advisor/advise/suitability.h"
#include "advisor/advise/traces.h"
#include "advisor/candidate/proposal.h"
#include "cost_model/costs.h"
#include "cost_model/match/table_rows.h"
#include "cost_model/predict.h"
#include "cost_model/reconcile.h"
#include "cost_model/replay/replay.h"
#include "cost_model/setup/places.h"
#include "cost_model/suspects.h"
#include "graph/base/data.h"
#include "graph/compile/compile.h"
#include "graph/compile/machine.h"
#include "graph/compile/options.h"
#include "graph/edit/opset.h"
#include "graph/import/vendor_graph.h"
#include "graph/onnx/onnx.h"
#include "graph/tflite/tflite.h"
#include "graph/options/option.h"
#include "passes/pipeline.h"

void advise_request_init(AdviseRequest *q)
{
    *q = (AdviseRequest){.seed = 1,
                         .min_share = 0.01,
                         .min_gain_ns = 20000,
                         .needs = NEED_ALL & ~(NeedSet)NEED_RETRAIN};
    compile_options_init(&q->baseline.compile);
    q->baseline.run = (RunOptions){.workers = 1, .devices = 1};
}

/* Workers that the trace shows no requests for have none: the application hands over fewer. */
static void take_depth(AdviseRun *run)
{
    RunOptions *o = &run->variant.run;
    unsigned long long seen = run->stats->lanes;
    if (o->queue_depth || run->stats->ninference < 2 || seen == 0 || seen >= (uint64_t)o->workers)
        return;
    o->queue_depth = (int)seen;
    notes_add(run->notes, "queue-depth", phrase_arg(PHRASE_NOTE_DEPTH), arg_size(seen),
              arg_count(o->workers));
}

static Status read_traces(AdviseRun *run, Diag *diag)
{
    const AdviseRequest *q = run->request;
    run->variant = q->baseline;
    if (q->ntrace == 0)
        return STATUS_OK;
    Status st = traces_read(run->arena, q->trace, q->ntrace, &q->trace_options, run->notes,
                            &run->stats, diag);
    st = st ? st : traces_need_spans(run->stats, diag);
    if (st)
        return st;
    return latency_samples_read(run->arena, q->trace, q->ntrace, &q->trace_options, run->stats,
                                &run->samples, diag);
}

static Status load_inputs(AdviseRun *run, Diag *diag)
{
    const AdviseRequest *q = run->request;
    const char *target = run->variant.compile.target_name;
    Costs *costs = NULL;
    Status st = model_load(run->arena, q->model_path, run->notes, &run->model, diag);
    st = st ? st : machine_load(run->arena, target, &run->machine, diag);
    if (!st && run->machine->kind == MACHINE_TASKS)
        st = model_widen(run->arena, &run->model, &run->widened, diag);
    st = st ? st : costs_load(run->arena, target, q->calibration, &costs, diag);
    st = st ? st : costs_at_ddr(costs, run->machine, run->variant.compile.ddr_mhz, diag);
    run->costs = costs;
    if (!st && run->stats && run->stats->format == TRACE_RKNN && run->machine->kind != MACHINE_ROWS)
        st = diag_set(diag, STATUS_USAGE, q->trace[0], NULL,
                      "is a table of RKNN: give its chip with --target");
    if (!st && q->verify && !q->runner && run->machine->kind == MACHINE_ROWS &&
        !data_has_silicon(run->arena, run->machine->id))
        st = diag_set(diag, STATUS_USAGE, option_flag(OPTION_VERIFY), NULL,
                      "npu-exec has no simulated %s: name what runs a board with --runner CMD",
                      target);
    return st;
}

/* Options that were not given come from the trace. */
static Status find_setup(AdviseRun *run, Diag *diag)
{
    const AdviseRequest *q = run->request;
    SetupRequest of = {run->model, run->machine, run->costs, &q->baseline.compile,
                       &q->baseline.run};
    Status st = STATUS_OK;
    if (run->stats)
        st = traces_match(run->arena, run->stats, &q->trace_options, &of, diag);
    if (st)
        return st;
    setup_find(run->arena, &of, run->stats, &run->setup);
    run->variant = (Variant){.compile = run->setup.compile, .run = run->setup.run};
    if (run->stats)
        take_depth(run);
    return st;
}

/* The clock of a board's memory is not known: how much it may matter. */
static void note_clock(AdviseRun *run)
{
    const Machine *m = run->machine;
    Costs slow = *run->costs;
    Diag unsaid = {0};
    if (m->ddr_mhz == 1 || run->variant.compile.ddr_mhz)
        return;
    costs_at_ddr(&slow, m, m->ddr_low_mhz, &unsaid);
    const Prediction *t = predict(run->arena, run->program, &slow, &run->variant.run);
    notes_add(run->notes, "ddr-clock", phrase_arg(PHRASE_NOTE_DDR), arg_count(m->ddr_mhz),
              arg_count(m->ddr_low_mhz), arg_time(t->latency_ns.mid));
}

/* Without a trace nothing tells where operators of unknown place run. */
static Status compile_slower(AdviseRun *run, Diag *diag)
{
    PlacesRequest q = {run->model, run->machine, run->costs, &run->variant.run,
                       run->request->objective};
    PlacedProgram placed;
    Status st = places_compile(run->arena, &q, &run->variant.compile, run->notes, &placed, diag);
    if (st)
        return st;
    run->program = placed.program;
    run->prediction = placed.time;
    if (placed.other_ns > 0)
        notes_add(run->notes, "unknown-places",
                  phrase_arg(run->variant.compile.unknown_on == UNKNOWN_ON_HOST
                                 ? PHRASE_NOTE_PLACES_HOST
                                 : PHRASE_NOTE_PLACES_NPU),
                  arg_count(placed.unknown), arg_text(placed.largest), arg_time(placed.other_ns));
    note_clock(run);
    return STATUS_OK;
}

static Status compile_baseline(AdviseRun *run, Diag *diag)
{
    if (vendor_graph_is_dfg(run->model->file.data, run->model->file.size))
        notes_add(run->notes, "dfg-edits", phrase_arg(PHRASE_NOTE_DFG_EDITS));
    if (!run->stats)
        return compile_slower(run, diag);
    Status st = compile_model(run->arena, run->model, run->machine, &run->variant.compile,
                              run->notes, &run->program, diag);
    if (!st)
        run->prediction = predict(run->arena, run->program, run->costs, &run->variant.run);
    return st;
}

static void time_program(AdviseRun *run)
{
    Arena *a = run->arena;
    run->time = run->prediction;
    if (!run->stats || run->stats->ninference == 0)
        return;
    run->rec = reconcile(a, run->program, run->costs, run->prediction, run->stats);
    run->costs = run->rec->costs;
    setup_use(a, run->program, &run->setup, run->rec);
    if (run->setup.item[SETUP_INPUT].source == SETUP_TRACE)
        suspect_types(a, run->model, run->program, run->costs, run->rec);
    run->time = replay(a, run->program, run->rec, run->program, run->costs, &run->variant.run);
    run_notes_evidence(run);
}

static void build_facts(AdviseRun *run)
{
    PassInput in = {run->program, run->costs, &run->variant.run,
                    run->time,    run->rec,   run->request->goal_per_s};
    FindingList findings = passes_run(run->arena, &in);
    const AdviseRequest *q = run->request;
    double small_ns = fmax((double)q->min_gain_ns, q->min_share * run->time->latency_ns.mid);
    run->facts = facts_build(run->program, run->time, run->rec, &run->variant.run, q->objective,
                             small_ns, &findings);
}

static Status prepare_run(AdviseRun *run, Diag *diag)
{
    Status st = read_traces(run, diag);
    st = st ? st : load_inputs(run, diag);
    st = st ? st : find_setup(run, diag);
    if (!st && run->request->rows)
        st = table_rows_tell(run->model, run->machine, run->request->rows, run->notes, diag);
    st = st ? st : compile_baseline(run, diag);
    if (st)
        return st;
    time_program(run);
    build_facts(run);
    return STATUS_OK;
}

static Status match_and_try(AdviseRun *run, Diag *diag)
{
    const AdviseRequest *q = run->request;
    Arena *a = run->arena;
    RunRules *rules = &run->rules;
    const char *kind = run->machine->kind == MACHINE_ROWS ? "rows" : "onnx";
    Status st = run_rules_load(rules, a, q, kind, diag);
    if (st)
        return st;
    RuleScope made = {.sdk = run->variant.compile.sdk, .family = run->machine->family};
    rules->matches = match_rules(a, &rules->book, run->facts, made, q->lang);
    run_rules_settle(rules, a);
    run->whatif = (WhatIf){.model = run->model,
                           .machine = run->machine,
                           .costs = run->costs,
                           .rec = run->rec,
                           .objective = q->objective,
                           .latency_limit_ns = q->latency_limit_ns};
    whatif_open(&run->whatif, &run->variant, run->program, run->time);
    run->whatif_is_open = true;
    run->proposal = proposal_try_all(a, &run->whatif, &rules->matches, &run->nproposal);
    for (size_t i = 0; i < run->nproposal; i++)
        run->proposal[i].off = config_is_off(&rules->settings, run->proposal[i].match->rule->id);
    return STATUS_OK;
}

static Status finish_run(const AdviseRun *run, const Result **ret_result, Diag *diag)
{
    *ret_result = result_build(run);
    if (!LIST_ANY(i, run->program->nstep, run->prediction->step[i].known) && !run->rec)
        return diag_set(diag, STATUS_UNDECIDED, file_base_name(run->request->model_path), NULL,
                        run->program->nstep
                            ? "no step of this model has a known cost; give a trace"
                            : "nothing to run: every output is an input or a constant");
    return STATUS_OK;
}

static void release_run(AdviseRun *run)
{
    if (run->watched.arena)
        trial_free(&run->watched);
    if (run->whatif_is_open)
        whatif_close(&run->whatif);
    if (run->facts)
        xmlFreeDoc(run->facts);
    if (run->model)
        model_close(run->model);
}

/* The chain to a result. */
static Status run_chain(AdviseRun *run, const PlanSearch *search, const Result **ret_result,
                        Diag *diag)
{
    Status st = prepare_run(run, diag);
    st = st ? st : match_and_try(run, diag);
    st = st ? st : find_plans(run, search, diag);
    if (st)
        return st;
    run_notes_advice(run);
    suitability_find(run);
    return finish_run(run, ret_result, diag);
}

Status advise(Arena *a, const AdviseRequest *q, const Result **ret_result, Diag *diag)
{
    AdviseRun run = {.arena = a, .request = q, .notes = q->notes};
    PlanSearch search = {.work = SEARCH_WORK_PLAN};
    Status st = run_chain(&run, &search, ret_result, diag);
    release_run(&run);
    return st;
}

Status advise_tune(Arena *a, const AdviseRequest *q, const TuneQuestion *asked,
                   const Result **ret_result, Diag *diag)
{
    AdviseRun run = {.arena = a, .request = q, .notes = q->notes};
    double limit = q->latency_limit_ns > 0 ? (double)q->latency_limit_ns : INFINITY;
    PlanSearch search = {
        .work = SEARCH_WORK_ALL,
        .rate = {asked->images_per_s, asked->equal_gaps, asked->quantile, limit, q->needs},
        .watch = {asked->tell, asked->user}};
    Status st = run_chain(&run, &search, ret_result, diag);
    if (!st && q->loss_limited && measure_failed(&run))
        st = diag_set(diag, STATUS_UNDECIDED, file_base_name(q->model_path),
                      option_flag(OPTION_MAX_ACCURACY_LOSS),
                      "accuracy could not be measured, so what loses more may be in it");
    release_run(&run);
    return st;
}

Status advise_facts(Arena *a, const AdviseRequest *q, xmlDoc **ret_doc, Diag *diag)
{
    AdviseRun run = {.arena = a, .request = q, .notes = q->notes};
    Status st = prepare_run(&run, diag);
    if (!st) {
        *ret_doc = run.facts;
        run.facts = NULL;
    }
    release_run(&run);
    return st;
}
