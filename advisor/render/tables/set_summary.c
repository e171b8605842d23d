/* Builds the row of each model from its result, and counts how the models ended. */
#include "advisor/report/tree_summary.h"
#include "advisor/render/tables/set_summary.h"
#include "advisor/report/tree_verdict.h"
#include "advisor/message/json.h"
#include "advisor/message/phrase.h"

#include <math.h>
#include <string.h>

static void add_failed(cJSON *row, const cJSON *result)
{
    cJSON *failed = cJSON_AddArrayToObject(row, "failed");
    for (const cJSON *x = json_first(result, "gate.assertions"); x; x = x->next)
        if (!cJSON_IsTrue(json_at(x, "pass")))
            cJSON_AddItemToArray(failed, cJSON_CreateString(json_text(x, "name", "?")));
}

static void add_advice(cJSON *row, const cJSON *result, const Language *lang)
{
    Phrase p;
    TreeSummary d = tree_summary_of(result);
    bool first = d.outcome == TREE_SUMMARY_ADVICE && d.first;
    json_add_text(row, "verdict", tree_verdict_sentence(&p, result, &d, lang));
    json_add_text(row, "grade", json_text(result, "evidence.grade", NULL));
    json_add_number(row, "now", d.baseline > 0 ? d.baseline : NAN);
    cJSON_AddBoolToObject(row, "measured", d.measured);
    json_add_text(row, "unit", d.unit);
    json_add_text(row, "rule_id", first ? json_text(d.first, "rule_id", NULL) : NULL);
    json_add_text(row, "title", first ? json_text(d.first, "title", NULL) : NULL);
    json_add_number(row, "gain", first ? d.first_gain : NAN);
}

static cJSON *row_of_entry(const ResultEntry *e, const cJSON *result, const Language *lang)
{
    cJSON *row = cJSON_CreateObject();
    json_add_text(row, "model", e->model);
    json_add_text(row, "file", e->file);
    json_add_text(row, "settings", e->settings);
    cJSON_AddNumberToObject(row, "status", e->status);
    json_add_text(row, "error", e->error);
    if (result)
        add_advice(row, result, lang);
    add_failed(row, result);
    return row;
}

/* A plan has the items of a model one after the other. */
static bool is_other_model(const ResultEntry *e, const char **before)
{
    const char *name = e->file ? e->file : e->model, *last = *before;
    *before = name;
    return !last || strcmp(last, name) != 0;
}

cJSON *result_set_summary(const ResultSet *set, const Language *lang)
{
    enum { STATUSES = 4 };
    int count[STATUSES] = {0};
    size_t models = 0;
    const char *before = NULL;
    Arena *a = arena_new(0);
    SetSums *sums = set_sums_new(a);
    cJSON *o = cJSON_CreateObject(), *rows = cJSON_CreateArray();
    for (size_t i = 0; i < set->count; i++) {
        cJSON *owned;
        const cJSON *result = result_set_open(set, i, &owned);
        cJSON_AddItemToArray(rows, row_of_entry(&set->entry[i], result, lang));
        count[set->entry[i].status & (STATUSES - 1)]++;
        set_sums_add(sums, &set->entry[i], result);
        models += is_other_model(&set->entry[i], &before);
        cJSON_Delete(owned);
    }
    cJSON_AddNumberToObject(o, "status", result_set_status(set));
    cJSON_AddNumberToObject(o, "files", (double)models);
    cJSON_AddItemToObject(o, "counts", cJSON_CreateIntArray(count, STATUSES));
    cJSON_AddItemToObject(o, "models", rows);
    set_sums_write(sums, o);
    arena_free(a);
    return o;
}

const char *result_set_heading(Phrase *p, const cJSON *summary, const Language *lang)
{
    char results[24], models[24];
    double files = json_number_or(summary, "files", 0);
    size_t n = json_count(summary, "models");
    snprintf(results, sizeof results, "%zu", n);
    snprintf(models, sizeof models, "%.0f", files);
    return (double)n > files ? phrase_format(p, lang, PHRASE_SET_RESULTS, results, models, NULL)
                             : phrase_format(p, lang, PHRASE_SET_MODELS, results, NULL);
}
