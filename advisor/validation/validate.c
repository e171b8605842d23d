/* Compiles the network of every published point as the point says, predicts it, and sums up the
 * errors. */
#include "advisor/validation/validate_layers.h"
#include "advisor/validation/validate.h"

#include "cost_model/costs.h"
#include "cost_model/interval.h"
#include "graph/compile/compile.h"
#include "graph/compile/machine.h"
#include "graph/compile/program.h"
#include "graph/import/imported.h"
#include "graph/tflite/tflite.h"

/* A target that points name. */
typedef struct {
    const char *name;
    int ddr_mhz; /* of a table; 0: as the target has it */
    Machine *machine;
    Costs *costs;
} Subject;

/* One network compiled in one way. */
typedef struct {
    const char *path;
    const Subject *subject;
    int pe;
    Sdk sdk;
    bool bare;
    const Program *program;
} Compiled;

typedef struct {
    Arena *arena;
    const ValidateRequest *request;
    Subject *subject; /* room for two for each point */
    size_t nsubject;
    PointOutcome *outcome;
    size_t noutcome, outcome_cap, ndisturbed;
    Compiled *compiled;
    size_t ncompiled, cap;
    Diag *diag;
} Bench;

/* ---- compiling ---- */

static const IoType *int8_for(Arena *a, const Graph *g, const TensorId *id, size_t n)
{
    IoType *t = ARENA_ARRAY(a, IoType, n + 1);
    for (size_t i = 0; i < n; i++)
        t[i] = (IoType){g->tensor[id[i]].name, DT_INT8};
    return t;
}

/* Input given and output taken as the NPU has them: no host operator is left. */
static void remove_conversions(Arena *a, const Model *m, CompileOptions *o)
{
    static const KeyValue bare[] = {{"remove_lower", "true"}, {"remove_unlower", "true"}};
    const Graph *g = m->graph;
    o->input_dtype = (IoType *)int8_for(a, g, g->input, g->ninput);
    o->ninput_dtype = g->ninput;
    o->output_dtype = (IoType *)int8_for(a, g, g->output, g->noutput);
    o->noutput_dtype = g->noutput;
    o->compiler_config = ARENA_ARRAY(a, KeyValue, 2);
    memcpy(o->compiler_config, bare, sizeof bare);
    o->nconfig = 2;
}

static Status compile_one(Bench *b, const Compiled *key, const Program **ret)
{
    Notes notes;
    notes_init(&notes, b->arena);
    Model *m = NULL;
    Program *p = NULL;
    CompileOptions o;
    compile_options_init(&o);
    o.target_name = key->subject->name;
    o.pe = key->pe;
    o.sdk = key->sdk ? key->sdk : key->subject->machine->newest;
    Status st = model_load(b->arena, key->path, &notes, &m, b->diag);
    if (st)
        return st;
    if (key->bare)
        remove_conversions(b->arena, m, &o);
    if ((st = compile_model(b->arena, m, key->subject->machine, &o, &notes, &p, b->diag)))
        return st;
    *ret = p;
    return STATUS_OK;
}

static Status subject_of(Bench *b, const char *target, int ddr_mhz, const Subject **ret)
{
    size_t i = LIST_INDEX(k, b->nsubject,
                          !strcmp(b->subject[k].name, target) && b->subject[k].ddr_mhz == ddr_mhz);
    *ret = &b->subject[i];
    if (i < b->nsubject)
        return STATUS_OK;
    Subject *s = &b->subject[b->nsubject++];
    s->name = target;
    s->ddr_mhz = ddr_mhz;
    Status st = machine_load(b->arena, target, &s->machine, b->diag);
    st = st ? st : costs_load(b->arena, target, b->request->calibration, &s->costs, b->diag);
    return st ? st : costs_at_ddr(s->costs, s->machine, ddr_mhz, b->diag);
}

static Status compiled_for(Bench *b, const PublishedPoint *p, const Subject *s, const char *path,
                           int pe, const Program **ret)
{
    Compiled key = {path, s, pe, p->sdk, p->bare, NULL};
    for (size_t i = 0; i < b->ncompiled; i++) {
        const Compiled *c = &b->compiled[i];
        if (strcmp(c->path, path) == 0 && c->subject == s && c->pe == pe && c->sdk == key.sdk &&
            c->bare == key.bare) {
            *ret = c->program;
            return STATUS_OK;
        }
    }
    Status st = compile_one(b, &key, &key.program);
    if (st)
        return st;
    *VEC_PUSH(b->arena, b->compiled, b->ncompiled, b->cap) = key;
    *ret = key.program;
    return STATUS_OK;
}

/* ---- metrics ---- */

typedef struct {
    const Program *program;
    const Costs *costs;
    const Prediction *time;
    const PublishedPoint *point;
} Asked;

static Interval npu_of(const Asked *q)
{
    return q->time->npu_ns;
}

static Interval npu_total_of(const Asked *q)
{
    Interval part[2] = {q->time->npu_ns, predict_launches(q->program, q->costs)};
    return interval_sum_independent(part, 2);
}

static Interval latency_of(const Asked *q)
{
    return q->time->latency_ns;
}

static Interval period_of(const Asked *q)
{
    Interval x = q->time->throughput_per_s;
    if (!(x.lo > 0))
        return (Interval){0};
    return (Interval){1e9 / x.hi, 1e9 / x.mid, 1e9 / x.lo};
}

static Interval query_of(const Asked *q)
{
    return interval_scale(period_of(q), (double)q->point->images_per_query);
}

static Interval npu_op_of(const Asked *q)
{
    Interval sum = {0};
    for (size_t i = 0; q->point->op && i < q->program->nop; i++)
        if (strcmp(program_lowop_name(q->program->op[i].kind), q->point->op) == 0)
            sum = interval_add(sum, q->time->op[i].total_ns);
    return sum;
}

static Interval host_op_of(const Asked *q)
{
    Interval sum = {0};
    for (size_t i = 0; q->point->op && i < q->program->nstep; i++)
        if (q->program->step[i].kind == STEP_HOST &&
            strcmp(q->program->step[i].op, q->point->op) == 0)
            sum = interval_add(sum, q->time->step[i].total_ns);
    return sum;
}

static Interval predict_metric(const Asked *q)
{
    static const struct {
        const char *metric;
        Interval (*value)(const Asked *q);
    } table[] = {
#define MEASURE(metric, value) {metric, value},
#include "advisor/validation/measures.def"
    };
    return LIST_VALUE(i, sizeof table / sizeof *table,
                      strcmp(q->point->metric, table[i].metric) == 0, table[i].value(q),
                      (Interval){0});
}

static Interval predict_at_point(Bench *b, const Program *p, const Costs *c,
                                 const PublishedPoint *point)
{
    RunOptions run = {.workers = point->workers, .workers_given = true, .devices = 1};
    Prediction *t = predict(b->arena, p, c, &run);
    return predict_metric(&(Asked){p, c, t, point});
}

/* ---- points ---- */

/* NPU times, and of MLPerf v2.0 the throughputs and multi-image queries, whose NPU never rests:
 * the NPU time of a task is what the card takes per image, times images, times programs that run
 * at once, less the launch. */
static void take_part(const Costs *costs, const Program *p, PointOutcome *o)
{
    const PublishedPoint *pt = o->point;
    assert(pt->pe > 0);
    bool busy = pt->round && strncmp(pt->round, "MLPerf v2.0", 11) == 0;
    double tasks = (double)(p->machine->pe_count / pt->pe) * (double)p->images;
    if (strcmp(pt->metric, "npu_ms") == 0)
        o->fit_scale = 1;
    else if (busy && strcmp(pt->metric, "period_ms") == 0)
        o->fit_scale = 1 / tasks;
    else if (busy && strcmp(pt->metric, "query_mean_ms") == 0)
        o->fit_scale = (double)pt->images_per_query / tasks;
    else
        return;
    double launch = o->fit_scale == 1 ? 0 : predict_launches(p, costs).mid;
    o->fit.measured_ns = pt->measured_ns / o->fit_scale - launch;
    crossvalidate_work(p, costs, o->fit.work);
    o->fitted = o->fit.measured_ns > 0;
}

static PointOutcome *new_outcome(Bench *b, const PublishedPoint *point)
{
    PointOutcome *o = VEC_PUSH(b->arena, b->outcome, b->noutcome, b->outcome_cap);
    *o = (PointOutcome){.point = point};
    return o;
}

/* Each row of the table is a point. */
static Status try_layers(Bench *b, const PublishedPoint *point, const char *path)
{
    Imported *table;
    const Subject *s;
    const Program *p = NULL;
    Status st = validate_layers_read(b->arena, point->table, &table, b->diag);
    st = st ? st : subject_of(b, point->target, validate_layers_ddr_mhz(b->arena, table), &s);
    st = st ? st : compiled_for(b, point, s, path, point->pe, &p);
    if (st)
        return st;
    RunOptions run = {.workers = 1, .workers_given = true, .devices = 1};
    LayerRows r = validate_layers_predict(b->arena, table, p, predict(b->arena, p, s->costs, &run));
    b->ndisturbed += r.disturbed;
    for (size_t i = 0; i < r.n; i++) {
        PublishedPoint *of = ARENA_NEW(b->arena, PublishedPoint);
        *of = *point;
        of->op = r.row[i].kind;
        of->measured_ns = r.row[i].measured_ns;
        PointOutcome *o = new_outcome(b, of);
        o->program = p;
        o->predicted_ns = r.row[i].predicted_ns;
        o->known = true;
    }
    return STATUS_OK;
}

static Status try_network(Bench *b, const PublishedPoint *point, const char *path)
{
    const Program *p = NULL;
    const Subject *s;
    PointOutcome *o = new_outcome(b, point);
    Status st = subject_of(b, point->target, 0, &s);
    st = st ? st : compiled_for(b, point, s, path, point->pe, &p);
    if (st)
        return st;
    o->program = p;
    o->predicted_ns = predict_at_point(b, p, s->costs, point);
    o->known = o->predicted_ns.mid > 0;
    if (s->costs->physical)
        o->physical_ns = predict_at_point(b, p, s->costs->physical, point).mid;
    if (s == b->subject)
        take_part(s->costs, p, o);
    if (point->target_stated)
        return STATUS_OK;
    if ((st = compiled_for(b, point, s, path, 3 - point->pe, &p)))
        return st;
    o->other_ns = predict_at_point(b, p, s->costs, point);
    o->has_other = true;
    return STATUS_OK;
}

static Status try_point(Bench *b, const PublishedPoint *point)
{
    const char *name = NULL;
    const char *path = point_model_path(b->arena, b->request->models_dir, point, &name);
    if (path)
        return point->table ? try_layers(b, point, path) : try_network(b, point, path);
    new_outcome(b, point)->missing = name ? name : point->model;
    return STATUS_OK;
}

static bool is_one_of(const char *text, const char *const *list)
{
    while (*list && strcmp(text, *list) != 0)
        list++;
    return *list != NULL;
}

/* Points of one metric are a group; of rows of tables, too, those of one kind, and of one network.
 */
enum { GROUPS_OF_A_POINT = 3 };

static const char *group_of(const PointOutcome *o, int k)
{
    const char *const group[GROUPS_OF_A_POINT] = {o->point->metric, o->point->op, o->point->model};
    return o->known && (!k || o->point->table) ? group[k] : NULL;
}

static bool is_in_group(const PointOutcome *o, const char *const *list)
{
    for (int k = 0; k < GROUPS_OF_A_POINT; k++)
        if (group_of(o, k) && is_one_of(group_of(o, k), list))
            return true;
    return false;
}

Score validate_score(Arena *a, const Validation *v, const char *const *group, ScoreSource source)
{
    double *measured = ARENA_ARRAY(a, double, v->noutcome + 1);
    Interval *predicted = ARENA_ARRAY(a, Interval, v->noutcome + 1);
    size_t n = 0;
    for (size_t i = 0; i < v->noutcome; i++) {
        const PointOutcome *o = &v->outcome[i];
        if (!is_in_group(o, group) || (source == SCORE_PHYSICAL && !(o->physical_ns > 0)))
            continue;
        measured[n] = o->point->measured_ns;
        predicted[n++] =
            source == SCORE_PHYSICAL ? interval_exact(o->physical_ns) : o->predicted_ns;
    }
    return score(a, measured, predicted, n);
}

static void gather_groups(Arena *a, Validation *v, int k)
{
    for (size_t i = 0; i < v->noutcome; i++) {
        const char *const group[] = {group_of(&v->outcome[i], k), NULL};
        if (*group && !LIST_ANY(j, v->ngroup, strcmp(v->group[j].name, *group) == 0))
            *VEC_PUSH(a, v->group, v->ngroup, v->group_cap) =
                (PointGroup){*group, validate_score(a, v, group, SCORE_PREDICTED),
                             validate_score(a, v, group, SCORE_PHYSICAL)};
    }
}

static Status try_next(Bench *b, const PublishedPoint *point, size_t n, size_t i)
{
    Status st = try_point(b, &point[i]);
    if (!st && b->request->progress)
        b->request->progress(b->request->user, i + 1, n);
    return st;
}

Status validate(Arena *a, const ValidateRequest *q, Validation *ret, Diag *diag)
{
    PublishedPoint *point = NULL;
    size_t n = 0;
    const Subject *first;
    Status st = points_load(a, q->points_path, &q->targets, &point, &n, diag);
    if (st)
        return st;
    Bench b = {
        .arena = a, .request = q, .diag = diag, .subject = ARENA_ARRAY(a, Subject, 2 * n + 1)};
    if ((st = subject_of(&b, n ? point->target : TARGET_DEFAULT, 0, &first)))
        return st;
    for (size_t i = 0; i < n; i++)
        if ((st = try_next(&b, point, n, i)))
            return st;
    Validation v = {.outcome = b.outcome, .noutcome = b.noutcome, .ndisturbed = b.ndisturbed};
    for (int k = 0; k < GROUPS_OF_A_POINT; k++)
        gather_groups(a, &v, k);
    validate_fit(a, first->costs, q, &v); /* one target has one set of figures: the first named */
    *ret = v;
    return STATUS_OK;
}
