/* Appends the lists of one result to those of the other, without what both say. */
#include "advisor/advise/compiled/table_advice.h"

static bool has_rule(const Result *r, const char *rule)
{
    return LIST_ANY(i, r->changes.count, !strcmp(r->changes.item[i].rule_id, rule)) ||
           LIST_ANY(i, r->by_hand.count, !strcmp(r->by_hand.item[i].rule_id, rule));
}

/* The model has the rule in another form. */
static bool is_told_by(const Result *model, const char *rule)
{
    static const struct {
        const char *table, *model;
    } same[] = {
#define SAME(table, model) {table, model},
#include "advisor/advise/compiled/table_rules.def"
    };
    return LIST_ANY(i, sizeof same / sizeof *same,
                    !strcmp(same[i].table, rule) && has_rule(model, same[i].model));
}

/* A list of both: those of `x`, then those of `y`, which may be NULL: room for them. */
static void *joined(Arena *a, const void *x, size_t nx, const void *y, size_t ny, size_t size)
{
    char *all = arena_alloc(a, (nx + ny + 1) * size);
    if (x)
        memcpy(all, x, nx * size);
    if (y)
        memcpy(all + nx * size, y, ny * size);
    return all;
}

#define JOIN(a, x, y)                                                                              \
    ((x).item = joined((a), (x).item, (x).count, (y).item, (y).count, sizeof *(x).item),           \
     (x).count += (y).count)

ORDER_BY(by_saving, ResultHandWork, COMPARE(b->up_to.value, a->up_to.value), COMPARE(a->id, b->id))

static bool is_wanted(const Result *model, const ResultHandWork *x)
{
    const ResultTexts *needs = &model->options.needs;
    return !is_told_by(model, x->rule_id) &&
           LIST_ALL(i, x->needs.count,
                    LIST_ANY(k, needs->count, !strcmp(x->needs.item[i], needs->item[k])));
}

/* Numbered after the changes; rows of the table are no steps of the program. */
static ResultHandWorkList hand_work(Arena *a, const Result *model, const Result *table)
{
    size_t n = model->by_hand.count;
    ResultHandWork *list =
        joined(a, model->by_hand.item, n, NULL, table->by_hand.count, sizeof *list);
    for (size_t i = 0; i < table->by_hand.count; i++) {
        if (!is_wanted(model, &table->by_hand.item[i]))
            continue;
        list[n] = table->by_hand.item[i];
        list[n].id += (int64_t)(model->changes.count + model->by_hand.count);
        list[n++].steps.count = 0;
    }
    ORDER_LIST(list, n, by_saving);
    for (size_t i = 0; i < n; i++)
        list[i].id = (int64_t)(model->changes.count + i + 1);
    return (ResultHandWorkList){list, n};
}

/* Rules of evidence; what the table only saw is in the program's operators. */
static ResultObservationList observations(Arena *a, const Result *model, const Result *table)
{
    size_t n = model->observations.count;
    ResultObservation *list =
        joined(a, model->observations.item, n, NULL, table->observations.count, sizeof *list);
    for (size_t i = 0; i < table->observations.count; i++) {
        if (strcmp(table->observations.item[i].group, "evidence") != 0)
            continue;
        list[n] = table->observations.item[i];
        list[n++].steps.count = 0;
    }
    return (ResultObservationList){list, n};
}

const Result *table_advice_join(Arena *a, const Result *model, const Result *table)
{
    Result *r = ARENA_NEW(a, Result);
    *r = *model;
    r->by_hand = hand_work(a, model, table);
    r->observations = observations(a, model, table);
    r->evidence.issues = table->evidence.issues;
    JOIN(a, r->evidence.issues, model->evidence.issues);
    if (table->evidence.grade > r->evidence.grade)
        r->evidence.grade = table->evidence.grade;
    JOIN(a, r->passed, table->passed);
    JOIN(a, r->not_applicable, table->not_applicable);
    JOIN(a, r->rules, table->rules);
    return r;
}
