/* Reads filters and grouping from the options, and compiles the model that the trace shows if they
 * need it. */
#include "advisor/cli/trace_query.h"

#include "advisor/options/args.h"
#include "advisor/advise/traced.h"
#include "advisor/message/phrase.h"
#include "cost_model/costs.h"
#include "cost_model/evidence_grade.h"
#include "cost_model/setup/setup.h"
#include "graph/compile/machine.h"
#include "graph/infer/shape.h"
#include "graph/tflite/tflite.h"

static void aggregate_from_args(const Args *args, OperatorQuery *q)
{
    q->by_type = args_word(args, OPTION_AGGREGATE_BY, 0) == 1;
    if (args_flag(args, OPTION_AGGREGATE) || q->by_type)
        q->aggregate = (Aggregate)(AGGREGATE_SUM + args_word(args, OPTION_AGGREGATE, 0));
}

static Status filters_from_args(Context *c, const Args *args, OperatorQuery *q)
{
    const char *name = args_text(args, OPTION_FILTER, NULL);
    q->type = args_all(c->arena, args, OPTION_TYPE, &q->ntype);
    q->order = args_text(args, OPTION_ORDER_BY, "time");
    if (!trace_operator_order_known(q->order))
        return diag_set(c->diag, STATUS_USAGE, NULL, NULL,
                        "--order-by '%s' is not one of time, count, computation, flops, memory, "
                        "bandwidth, name, nor '+' and one of them",
                        q->order);
    q->min_ns = (double)args_time_ns(args, OPTION_MIN_TIME, 0);
    q->max_ns = (double)args_time_ns(args, OPTION_MAX_TIME, 0);
    if (!name)
        return STATUS_OK;
    regex_t *compiled = ARENA_NEW(c->arena, regex_t);
    int error = regcomp(compiled, name, REG_EXTENDED | REG_NOSUB);
    char why[128];
    if (error) {
        regerror(error, compiled, why, sizeof why);
        return diag_set(c->diag, STATUS_USAGE, NULL, NULL, "--filter '%s': %s", name, why);
    }
    q->name = compiled;
    return STATUS_OK;
}

Status trace_query_from_args(Context *c, const Args *args, OperatorQuery *q)
{
    const char *path = args_text(args, OPTION_MODEL, NULL);
    aggregate_from_args(args, q);
    Status st = filters_from_args(c, args, q);
    if (st || !path)
        return st;
    if ((st = model_load(c->arena, path, c->notes, &q->loaded, c->diag)))
        return st;
    q->model = q->loaded;
    return STATUS_OK;
}

/* ---- the program ----------------------------------------------------------------------------- */

/* Kinds for names: which operator of the model one is, only a program can tell. */
static bool needs_program(const TraceStats *s)
{
    bool typed = LIST_ANY(i, s->nhost_name, s->host_name[i].op != NULL);
    return s->ninference > 0 && s->nnpu_name > 0 && s->nexecution > 0 && !typed;
}

static Status find_traced_program(Context *c, const Args *args, const TraceStats *s, const Model *m,
                                  Traced *ret, Diag *diag)
{
    Machine *machine = NULL;
    Costs *costs = NULL;
    const char *target = args->compile.target_name;
    Status st = machine_load(c->arena, target, &machine, diag);
    st = st ? st : costs_load(c->arena, target, NULL, &costs, diag);
    return st ? st
              : traced_find(c->arena, &(TracedInput){m, machine, costs, s, &args->compile},
                            c->notes, ret, diag);
}

/* What the program is, or why the rows are names as the trace has them. */
static void note_program(Context *c, const Traced *t, bool fits)
{
    const char *against = traced_contradiction(c->arena, t);
    if (against)
        notes_add(c->notes, "setup", phrase_arg(PHRASE_NOTE_TRACE_SHOWS), arg_text(against));
    else if (!fits)
        notes_add(c->notes, "other-model", phrase_arg(PHRASE_NOTE_OTHER_MODEL));
    else
        notes_add(c->notes, "setup", phrase_arg(PHRASE_NOTE_COMPILED_AS),
                  arg_text(traced_setup_text(c->arena, t, c->language)));
    if (!against && fits && setup_is_undecided(&t->setup))
        notes_add(c->notes, "undecided", phrase_arg(PHRASE_NOTE_FIRST_TAKEN));
}

void trace_query_compile(Context *c, const Args *args, const TraceStats *s, OperatorQuery *q)
{
    Traced t = {0};
    Diag why;
    if (needs_program(s)) {
        Status st = find_traced_program(c, args, s, q->model, &t, &why);
        bool fits = !st && !evidence_is_foreign(t.rec);
        if (st)
            notes_add(c->notes, "not-compiled", phrase_arg(PHRASE_NOTE_NOT_COMPILED),
                      arg_text(arena_strdup(c->arena, why.text)));
        else
            note_program(c, &t, fits);
        if (fits) {
            q->program = t.program;
            q->rec = t.rec;
        }
    }
    shape_infer(q->loaded, args->compile.dim, args->compile.ndim,
                t.program ? t.setup.compile.batch : args->compile.batch);
}
