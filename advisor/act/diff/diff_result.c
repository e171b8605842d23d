/* Compares two results by figure, by kind of work, and by the fingerprints of their
 * recommendations. */
#include "advisor/act/diff/diff.h"
#include "advisor/act/diff/diff_layers.h"

#include "advisor/report/tree_summary.h"
#include "graph/base/strmap.h"

#include <assert.h>
#include <math.h>

static DiffValue value_of(const cJSON *o)
{
    DiffValue v = {0};
    v.known = json_number(o, "mid", &v.mid) || json_number(o, "median", &v.mid) ||
              json_number(o, "", &v.mid);
    v.interval = json_number(o, "lo", &v.lo) && json_number(o, "hi", &v.hi);
    if (!v.interval)
        v.lo = v.hi = v.mid;
    return v;
}

static void add_metric_diffs(cJSON *list, const cJSON *old, const cJSON *new)
{
    static const struct {
        const char *path, *unit;
    } metric[] = {
        {"measured.latency_ns.median", "ns"},
        {"measured.latency_ns.p99", "ns"},
        {"measured.npu_ns", "ns"},
        {"measured.host_ns", "ns"},
        {"measured.io_ns", "ns"},
        {"measured.unattributed_ns", "ns"},
        {"prediction.latency_ns", "ns"},
        {"prediction.npu_ns", "ns"},
        {"prediction.host_ns", "ns"},
        {"prediction.io_ns", "ns"},
        {"prediction.throughput_per_s", "per_s"},
        {"compiled.stages.compute.mean", "ns"},
        {"compiled.stages.latency.mean", "ns"},
        {"compiled.sum_ns", "ns"},
        {"compiled.reformats.ns", "ns"},
    };
    for (size_t i = 0; i < sizeof metric / sizeof *metric; i++) {
        DiffValue a = value_of(json_at(old, metric[i].path)),
                  b = value_of(json_at(new, metric[i].path));
        if (a.known || b.known)
            diff_add(list, NULL, metric[i].path, metric[i].unit, a, b);
    }
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

static Part *part_for(Parts *p, const cJSON *step)
{
    const char *kind = json_text(step, "kind", "?"), *op = json_text(step, "op", "?");
    char *key = arena_printf(p->a, "%s %s", kind, op);
    uint32_t i = strmap_get(&p->map, key);
    if (i != STRMAP_NONE)
        return &p->part[i];
    strmap_put(&p->map, key, (uint32_t)p->n);
    Part *part = VEC_PUSH(p->a, p->part, p->n, p->cap);
    *part = (Part){.kind = kind, .op = op};
    return part;
}

/* Half-widths of independent steps add in quadrature; they are kept squared until the end. */
static void add_steps(Parts *p, const cJSON *result, int side)
{
    for (const cJSON *s = json_first(result, "steps"); s; s = s->next) {
        bool measured = cJSON_IsObject(json_at(s, "measured_ns"));
        DiffValue v = value_of(json_at(s, measured ? "measured_ns" : "predicted_ns"));
        DiffValue *sum = &part_for(p, s)->side[side];
        if (!v.known)
            continue;
        sum->known = sum->interval = true;
        sum->mid += v.mid;
        sum->lo += (v.mid - v.lo) * (v.mid - v.lo);
        sum->hi += (v.hi - v.mid) * (v.hi - v.mid);
    }
}

static void add_part_diffs(Arena *a, cJSON *list, const cJSON *old, const cJSON *new)
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

static const cJSON *find_recommendation(const cJSON *result, const cJSON *rec)
{
    return json_find(json_at(result, "recommendations"), "fingerprint",
                     json_text(rec, "fingerprint", ""));
}

/* As the finding's best gain; null where it is unknown or there is no finding. */
static void add_best_gain(cJSON *o, const char *key, const cJSON *rec)
{
    double gain = NAN;
    tree_summary_best_gain(json_at(rec, "gain"), &gain);
    json_add_number(o, key, gain);
}

static const char *state_of(const cJSON *old, const cJSON *new)
{
    if (!old || !new)
        return old ? "gone" : "new";
    DiffValue a = value_of(json_at(old, "gain.predicted")),
              b = value_of(json_at(new, "gain.predicted"));
    if (!a.known || !b.known)
        return "unchanged";
    if (b.hi < a.lo)
        return "improved";
    return b.lo > a.hi ? "grown" : "unchanged";
}

static void add_recommendation(cJSON *list, const cJSON *old, const cJSON *new)
{
    const cJSON *any = new ? new : old;
    assert(any);
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "rule_id", json_text(any, "rule_id", "?"));
    cJSON_AddStringToObject(o, "fingerprint", json_text(any, "fingerprint", "?"));
    cJSON_AddStringToObject(o, "title", json_text(any, "title", "?"));
    cJSON_AddStringToObject(o, "state", state_of(old, new));
    add_best_gain(o, "old", old);
    add_best_gain(o, "new", new);
    cJSON_AddStringToObject(o, "unit", json_text(any, "gain.unit", "ns"));
    cJSON_AddItemToArray(list, o);
}

cJSON *diff_results(const cJSON *old, const cJSON *new, const char *old_name, const char *new_name)
{
    cJSON *root = diff_root("result", old_name, new_name);
    cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "recommendations");
    Arena *a = arena_new(0);
    add_metric_diffs(cJSON_GetObjectItemCaseSensitive(root, "metrics"), old, new);
    cJSON *pieces = cJSON_GetObjectItemCaseSensitive(root, "parts");
    if (diff_has_layers(old, new))
        diff_layers(a, pieces, old, new);
    else
        add_part_diffs(a, pieces, old, new);
    for (const cJSON *rec = json_first(new, "recommendations"); rec; rec = rec->next)
        add_recommendation(list, find_recommendation(old, rec), rec);
    for (const cJSON *rec = json_first(old, "recommendations"); rec; rec = rec->next)
        if (!find_recommendation(new, rec))
            add_recommendation(list, rec, NULL);
    arena_free(a);
    return root;
}
