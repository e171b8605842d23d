/* Builds the tree that both kinds of comparison share, and derives the verdict of each pair of
 * values. */
#include "advisor/act/diff/diff.h"
#include "graph/base/limits.h"

cJSON *diff_head(const char *kind, const char *old_name, const char *new_name)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddNumberToObject(root, "diff_version", DIFF_VERSION);
    cJSON_AddStringToObject(root, "kind", kind);
    cJSON_AddStringToObject(root, "old", old_name);
    cJSON_AddStringToObject(root, "new", new_name);
    return root;
}

cJSON *diff_root(const char *kind, const char *old_name, const char *new_name)
{
    cJSON *root = diff_head(kind, old_name, new_name);
    cJSON_AddArrayToObject(root, "metrics");
    cJSON_AddArrayToObject(root, "parts");
    cJSON_AddArrayToObject(root, "findings");
    return root;
}

static void add_value(cJSON *o, const char *key, DiffValue v)
{
    if (!v.known) {
        cJSON_AddNullToObject(o, key);
        return;
    }
    cJSON *value = cJSON_AddObjectToObject(o, key);
    if (v.interval)
        cJSON_AddNumberToObject(value, "lo", v.lo);
    cJSON_AddNumberToObject(value, "mid", v.mid);
    if (v.interval)
        cJSON_AddNumberToObject(value, "hi", v.hi);
}

static const char *verdict_word(DiffValue old, DiffValue new, const char *unit)
{
    if (!old.known && !new.known)
        return "unknown";
    if (!old.known || !new.known)
        return old.known ? "gone" : "added";
    bool less = new.mid < old.mid, ends = old.predicted &&new.predicted;
    double low = ends ? new.lo - old.lo : new.lo - old.hi,
           high = ends ? new.hi - old.hi : new.hi - old.lo;
    double gap = less ? -fmax(low, high) : fmin(low, high);
    if (new.mid == old.mid || (old.interval && new.interval &&gap <= 0))
        return "same";
    if (strcmp(unit, "ns"))
        return less ? "worse" : "better";
    return less ? "faster" : "slower";
}

void diff_add(cJSON *list, const char *kind, const char *name, const char *unit, DiffValue old,
              DiffValue new)
{
    assert(!strcmp(unit, "ns") || !strcmp(unit, "per_s"));
    cJSON *o = json_add_row(list);
    if (kind)
        cJSON_AddStringToObject(o, "kind", kind);
    cJSON_AddStringToObject(o, "name", name);
    cJSON_AddStringToObject(o, "unit", unit);
    add_value(o, "old", old);
    add_value(o, "new", new);
    json_add_number(o, "change", old.known && new.known ? new.mid - old.mid : NAN);
    cJSON_AddStringToObject(o, "verdict", verdict_word(old, new, unit));
}

/* What appeared or went counts with all of its time. */
static double change_weight(const cJSON *o)
{
    double v;
    if (json_number(o, "change", &v) || json_number(o, "old.mid", &v) ||
        json_number(o, "new.mid", &v))
        return fabs(v);
    return 0;
}

ORDER_BY_POINTED(by_weight, cJSON, COMPARE(change_weight(b), change_weight(a)),
                 strcmp(json_text(a, "kind", ""), json_text(b, "kind", "")),
                 strcmp(json_text(a, "name", ""), json_text(b, "name", "")))

void diff_sort(cJSON *list)
{
    size_t n = json_count(list, ""), i = 0;
    cJSON **item = limits_calloc(n + 1, sizeof *item);
    for (cJSON *c = list->child; c; c = c->next)
        item[i++] = c;
    assert(i == n);
    ORDER_LIST(item, n, by_weight);
    for (i = 0; i < n; i++)
        cJSON_AddItemToArray(list, cJSON_DetachItemViaPointer(list, item[i]));
    free(item);
}

const cJSON *diff_headline(const cJSON *diff)
{
    static const char *const wanted[] = {"measured.latency_ns.median", "prediction.latency_ns", ""};
    double percent;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        for (const cJSON *m = json_first(diff, "metrics"); m; m = m->next)
            if ((!*wanted[i] || !strcmp(json_text(m, "name", ""), wanted[i])) &&
                diff_percent(m, &percent))
                return m;
    return NULL;
}

int diff_sign(const char *verdict)
{
    static const char *const good[] = {"faster", "better", "improved", "repaired"};
    static const char *const bad[] = {"slower", "worse", "grown", "broken", "mixed"};
    return LIST_ANY(i, sizeof good / sizeof *good, !strcmp(verdict, good[i])) -
           LIST_ANY(i, sizeof bad / sizeof *bad, !strcmp(verdict, bad[i]));
}

bool diff_percent(const cJSON *metric, double *ret)
{
    double change, old;
    bool known =
        json_number(metric, "change", &change) && json_number(metric, "old.mid", &old) && old > 0;
    *ret = known ? 100 * change / old : 0;
    return known;
}
