/* Compares two results by figure, kind of work, and fingerprints of findings. */
#include "advisor/act/diff/diff_layers.h"

#include "advisor/report/finding.h"

static const DiffValue none;

static DiffValue exact_value(int64_t ns)
{
    double v = (double)ns;
    return (DiffValue){.known = true, .lo = v, .mid = v, .hi = v};
}

static DiffValue interval_value(double lo, double mid, double hi)
{
    return (DiffValue){.known = true, .interval = true, .lo = lo, .mid = mid, .hi = hi};
}

static DiffValue figure_value_of(ResultFigure x)
{
    DiffValue v = interval_value(x.lo, x.mid, x.hi);
    v.predicted = true;
    return v;
}

static DiffValue figure_ns_value(ResultFigureNs x)
{
    return figure_value_of(
        (ResultFigure){.lo = (double)x.lo, .mid = (double)x.mid, .hi = (double)x.hi});
}

static DiffValue mean_value(const ResultStage *stage)
{
    return stage ? exact_value(stage->mean) : none;
}

static DiffValue optional_value(ResultInt x)
{
    return x.known ? exact_value(x.value) : none;
}

static void add_metric(cJSON *list, const char *name, const char *unit, DiffValue old,
                       DiffValue new)
{
    if (old.known || new.known)
        diff_add(list, NULL, name, unit, old, new);
}

/* A member of both sides. */
#define BOTH(member, value) old ? value(old->member) : none, new ? value(new->member) : none

/* Of fewer, the slowest one or two decide (NPU508). */
static bool has_tail(const ResultMeasured *m)
{
    return m && m->inferences >= 100;
}

static void add_measured_diffs(cJSON *list, const ResultMeasured *old, const ResultMeasured *new)
{
    add_metric(list, "measured.latency_ns.median", "ns", BOTH(latency_ns.median, exact_value));
    if (has_tail(old) && has_tail(new))
        add_metric(list, "measured.latency_ns.p99", "ns", BOTH(latency_ns.p99, exact_value));
    add_metric(list, "measured.npu_ns", "ns", BOTH(npu_ns, exact_value));
    add_metric(list, "measured.host_ns", "ns", BOTH(host_ns, exact_value));
    add_metric(list, "measured.io_ns", "ns", BOTH(io_ns, exact_value));
    add_metric(list, "measured.unattributed_ns", "ns", BOTH(unattributed_ns, exact_value));
}

static void add_prediction_diffs(cJSON *list, const ResultPrediction *old,
                                 const ResultPrediction *new)
{
    add_metric(list, "prediction.latency_ns", "ns", BOTH(latency_ns, figure_ns_value));
    add_metric(list, "prediction.npu_ns", "ns", BOTH(npu_ns, figure_ns_value));
    add_metric(list, "prediction.host_ns", "ns", BOTH(host_ns, figure_ns_value));
    add_metric(list, "prediction.io_ns", "ns", BOTH(io_ns, figure_ns_value));
    add_metric(list, "prediction.throughput_per_s", "per_s",
               BOTH(throughput_per_s, figure_value_of));
}

static void add_compiled_diffs(cJSON *list, const ResultCompiled *old, const ResultCompiled *new)
{
    add_metric(list, "compiled.stages.compute.mean", "ns", BOTH(stages.compute, mean_value));
    add_metric(list, "compiled.stages.latency.mean", "ns", BOTH(stages.latency, mean_value));
    add_metric(list, "compiled.sum_ns", "ns", BOTH(sum_ns, optional_value));
    add_metric(list, "compiled.reformats.ns", "ns", BOTH(reformats.ns, exact_value));
}

/* Time by kind of work: all steps of one kind and operator together. */
typedef struct {
    const char *kind, *op;
    DiffValue side[2];
} Part;

typedef struct {
    Arena *a;
    StrMap map;
    Part *part;
    size_t n, cap;
} Parts;

static Part *part_for(Parts *p, const ResultStep *step)
{
    const char *kind = result_step_kind_words[step->kind];
    char *key = arena_printf(p->a, "%s %s", kind, step->op);
    uint32_t i = strmap_number(&p->map, key, p->n);
    if (i == p->n)
        *VEC_PUSH(p->a, p->part, p->n, p->cap) = (Part){.kind = kind, .op = step->op};
    return &p->part[i];
}

static DiffValue time_value(const ResultMeasuredNs *measured, const ResultIntervalNs *predicted)
{
    if (measured)
        return interval_value((double)measured->lo, (double)measured->median, (double)measured->hi);
    return predicted ? interval_value((double)predicted->lo, (double)predicted->mid,
                                      (double)predicted->hi)
                     : none;
}

/* Half-widths of independent steps add in quadrature; they are kept squared until the end. */
static void add_steps(Parts *p, const ResultStepList *steps, int side)
{
    for (size_t i = 0; i < steps->count; i++) {
        const ResultStep *s = &steps->item[i];
        DiffValue v = time_value(s->measured_ns, s->predicted_ns);
        DiffValue *sum = &part_for(p, s)->side[side];
        if (!v.known)
            continue;
        sum->known = sum->interval = true;
        sum->mid += v.mid;
        sum->lo += (v.mid - v.lo) * (v.mid - v.lo);
        sum->hi += (v.hi - v.mid) * (v.hi - v.mid);
    }
}

static void add_part_diffs(Arena *a, cJSON *list, const ResultStepList *old,
                           const ResultStepList *new)
{
    Parts p = {.a = a};
    strmap_init(&p.map, a, 64);
    add_steps(&p, old, 0);
    add_steps(&p, new, 1);
    for (size_t i = 0; i < p.n; i++) {
        for (int k = 0; k < 2; k++) {
            DiffValue *v = &p.part[i].side[k];
            v->lo = v->mid - sqrt(v->lo);
            v->hi = v->mid + sqrt(v->hi);
        }
        diff_add(list, p.part[i].kind, p.part[i].op, "ns", p.part[i].side[0], p.part[i].side[1]);
    }
    diff_sort(list);
}

static bool find_finding(const Result *r, const char *fingerprint, ReportedFinding *ret)
{
    for (size_t i = 0; i < r->changes.count + r->by_hand.count; i++) {
        *ret = finding_at(r, i);
        if (!strcmp(ret->fingerprint, fingerprint))
            return true;
    }
    return false;
}

/* A finding of the same rule that the other side does not have either. */
static bool is_unmatched(const Result *r, size_t i, const Result *other, const char *rule_id)
{
    ReportedFinding x = finding_at(r, i), same;
    return !strcmp(x.rule_id, rule_id) && !find_finding(other, x.fingerprint, &same);
}

/* What the other side has of finding `i`: by its fingerprint, else the one of its rule that comes
 * as late among those without a partner. */
static bool find_partner(const Result *r, size_t i, const Result *other, ReportedFinding *ret)
{
    ReportedFinding x = finding_at(r, i);
    if (find_finding(other, x.fingerprint, ret))
        return true;
    size_t before = LIST_SUM(size_t, k, i, is_unmatched(r, k, other, x.rule_id));
    for (size_t k = 0; k < other->changes.count + other->by_hand.count; k++)
        if (is_unmatched(other, k, r, x.rule_id) && before-- == 0) {
            *ret = finding_at(other, k);
            return true;
        }
    return false;
}

/* What it saves in its plan; null where there is no such finding or figure. */
static void add_saving(cJSON *o, const char *key, const Result *r, const ReportedFinding *x)
{
    FindingSaving s;
    bool known = x && finding_saving(r, x, &s);
    json_add_number(o, key, !known ? (double)NAN : s.up_to ? s.value.hi : s.value.mid);
}

static const char *state_of(const ReportedFinding *old, const ReportedFinding *new)
{
    if (!old || !new)
        return old ? "gone" : "new";
    const ResultInterval *was = old->alone->predicted, *is = new->alone->predicted;
    if (!was || !is)
        return "unchanged";
    if (is->hi < was->lo)
        return "improved";
    return is->lo > was->hi ? "grown" : "unchanged";
}

/* The two results, and a finding of one or both. */
typedef struct {
    const Result *old, *new;
    const ReportedFinding *was, *is;
} FindingPair;

static void add_finding(cJSON *list, const FindingPair *p)
{
    const ReportedFinding *any = p->is ? p->is : p->was;
    assert(any);
    cJSON *o = json_add_row(list);
    cJSON_AddStringToObject(o, "rule_id", any->rule_id);
    cJSON_AddStringToObject(o, "fingerprint", any->fingerprint);
    cJSON_AddStringToObject(o, "title", any->title);
    cJSON_AddStringToObject(o, "state", state_of(p->was, p->is));
    add_saving(o, "old", p->old, p->was);
    add_saving(o, "new", p->new, p->is);
    cJSON_AddStringToObject(o, "unit", result_unit_words[any->alone->unit]);
}

static void add_finding_diffs(cJSON *list, const Result *old, const Result *new)
{
    ReportedFinding x, other;
    for (size_t i = 0; i < new->changes.count + new->by_hand.count; i++) {
        x = finding_at(new, i);
        bool both = find_partner(new, i, old, &other);
        add_finding(list, &(FindingPair){old, new, both ? &other : NULL, &x});
    }
    for (size_t i = 0; i < old->changes.count + old->by_hand.count; i++) {
        x = finding_at(old, i);
        if (!find_partner(old, i, new, &other))
            add_finding(list, &(FindingPair){old, new, &x, NULL});
    }
}

static bool same_tensors(const ResultTensorList *a, const ResultTensorList *b)
{
    for (size_t i = 0; i < a->count && i < b->count; i++) {
        const ResultTensor *x = &a->item[i], *y = &b->item[i];
        if (strcmp(x->dtype, y->dtype) || x->shape.count != y->shape.count ||
            LIST_ANY(k, x->shape.count, x->shape.item[k].size.value != y->shape.item[k].size.value))
            return false;
    }
    return a->count == b->count;
}

cJSON *diff_results(const Result *old, const Result *new, const char *old_name,
                    const char *new_name)
{
    cJSON *root = diff_root("result", old_name, new_name);
    cJSON *metrics = cJSON_GetObjectItemCaseSensitive(root, "metrics");
    cJSON *parts = cJSON_GetObjectItemCaseSensitive(root, "parts");
    Arena *a = arena_new(0);
    cJSON_AddBoolToObject(root, "same_boundary",
                          same_tensors(&old->model.inputs, &new->model.inputs) &&
                              same_tensors(&old->model.outputs, &new->model.outputs));
    const char *was = old->model.precision, *is = new->model.precision;
    cJSON_AddBoolToObject(root, "same_precision", !was || !is || !strcmp(was, is));
    add_measured_diffs(metrics, old->measured, new->measured);
    add_prediction_diffs(metrics, old->prediction, new->prediction);
    add_compiled_diffs(metrics, old->compiled, new->compiled);
    if (old->compiled && new->compiled)
        diff_layers(a, parts, &old->steps, &new->steps);
    else
        add_part_diffs(a, parts, &old->steps, &new->steps);
    add_finding_diffs(cJSON_GetObjectItemCaseSensitive(root, "findings"), old, new);
    arena_free(a);
    return root;
}
