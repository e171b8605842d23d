/* Compares the two places by their predicted objective. */
#include "cost_model/setup/places.h"

#include "graph/model/model.h"

UnknownOn places_other(UnknownOn place)
{
    return place == UNKNOWN_ON_HOST ? UNKNOWN_ON_NPU : UNKNOWN_ON_HOST;
}

static void reach_interval(Interval *x, double to)
{
    x->lo = fmin(x->lo, to);
    x->hi = fmax(x->hi, to);
}

static Status compile_place(Arena *a, const PlacesRequest *q, const CompileOptions *o, Notes *notes,
                            PlacedProgram *ret, Diag *diag)
{
    *ret = (PlacedProgram){.program = NULL};
    Status st = compile_model(a, q->model, q->machine, o, notes, &ret->program, diag);
    if (st)
        return st;
    ret->time = predict(a, ret->program, q->costs, q->run);
    ret->unknown = ret->program->summary.unknown_places;
    return STATUS_OK;
}

static const char *largest_unknown(Arena *a, const PlacedProgram *host)
{
    const Step *largest = NULL;
    double most = -1;
    for (size_t i = 0; i < host->program->nstep; i++) {
        const Step *s = &host->program->step[i];
        double ns = host->time->step[i].total_ns.mid;
        if (s->place_unknown && s->nnode && ns > most) {
            largest = s;
            most = ns;
        }
    }
    const Graph *g = host->program->model->graph;
    return largest ? node_label(a, &g->node[largest->node[largest->nnode - 1]]) : "";
}

static bool is_slower(const PlacesRequest *q, const PlacedProgram *x, const PlacedProgram *than)
{
    double a = prediction_objective(x->time, q->objective).mid;
    double b = prediction_objective(than->time, q->objective).mid;
    return q->objective == OBJECTIVE_LATENCY ? a > b : a < b;
}

Status places_compile(Arena *a, const PlacesRequest *q, CompileOptions *o, Notes *notes,
                      PlacedProgram *ret, Diag *diag)
{
    Status st = compile_place(a, q, o, notes, ret, diag);
    if (st || !ret->unknown || o->unknown_on_given)
        return st;
    Arena *scratch = arena_new(0);
    Diag why;
    PlacedProgram host = *ret, other;
    CompileOptions there = *o;
    there.unknown_on = places_other(o->unknown_on);
    if (!compile_place(scratch, q, &there, NULL, &other, &why)) {
        bool slower = is_slower(q, &other, ret);
        if (slower && !(st = compile_place(a, q, &there, NULL, ret, diag))) {
            *o = there;
            other = host;
        }
        if (!st) {
            ret->other_ns = other.time->latency_ns.mid;
            ret->largest = largest_unknown(a, &host);
            reach_interval(&ret->time->latency_ns, other.time->latency_ns.mid);
            reach_interval(&ret->time->throughput_per_s, other.time->throughput_per_s.mid);
        }
    }
    arena_free(scratch);
    return st;
}
