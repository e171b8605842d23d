/* Builds the row of each model from its result, and counts how the models ended. */
#include "advisor/render/tables/set_summary.h"
#include "advisor/report/assertion.h"
#include "advisor/report/finding.h"
#include "advisor/report/summary.h"
#include "advisor/report/verdict.h"
#include "advisor/message/json.h"

/* Those that fail, then the undecided ones. */
static void add_failed(cJSON *row, Arena *a, const Result *r, const Language *lang)
{
    cJSON *failed = cJSON_AddArrayToObject(row, "failed");
    Phrase p;
    for (int open = 0; open < 2; open++)
        for (size_t i = 0; r && i < r->gate.assertions.count; i++) {
            const ResultAssertion *x = &r->gate.assertions.item[i];
            const char *word = phrase_text(lang, open ? PHRASE_DIFF_UNDECIDED : PHRASE_GATE_FAILED);
            if (!x->pass.value && x->pass.known != (open == 1))
                cJSON_AddItemToArray(failed, cJSON_CreateString(arena_printf(
                                                 a, "%s %s", word,
                                                 x->found.known ? assertion_found(&p, a, x, lang)
                                                                : assertion_sentence(a, x, lang))));
        }
}

/* The first row of the recommended plan with a figure; without a plan, the largest by hand. */
static bool first_advice(const Result *r, const Summary *d, ReportedFinding *ret,
                         FindingSaving *saving)
{
    for (size_t i = 0; d->plan && i < d->plan->changes.count; i++) {
        *ret = finding_at(r, (size_t)d->plan->changes.item[i].id - 1);
        if (finding_saving(r, ret, saving))
            return true;
    }
    if (d->plan || !r->by_hand.count)
        return false;
    *ret = finding_at(r, r->changes.count);
    return finding_saving(r, ret, saving);
}

static void add_first(cJSON *row, const Result *r, const Summary *d)
{
    ReportedFinding first;
    FindingSaving saving;
    bool known = first_advice(r, d, &first, &saving);
    json_add_text(row, "rule_id", known ? first.rule_id : NULL);
    json_add_text(row, "title", known ? first.title : NULL);
    json_add_number(row, "gain", !known ? NAN : saving.up_to ? saving.value.hi : saving.value.mid);
    cJSON_AddBoolToObject(row, "up_to", known && saving.up_to);
}

static void add_advice(cJSON *row, const Result *r, const Language *lang)
{
    Phrase p;
    Summary d = summary_of(r);
    json_add_text(row, "verdict", verdict_sentence(&p, r, &d, lang));
    json_add_text(row, "grade", r->traces.count ? result_grade_words[r->evidence.grade] : NULL);
    json_add_number(row, "now", d.known && d.now > 0 ? d.now : NAN);
    cJSON_AddBoolToObject(row, "measured", d.known && d.source == RESULT_SOURCE_MEASURED);
    json_add_text(row, "unit", d.unit);
    add_first(row, r, &d);
}

static cJSON *row_of_entry(Arena *a, const ResultEntry *e, const Result *r, const Language *lang)
{
    cJSON *row = cJSON_CreateObject();
    json_add_text(row, "model", e->model);
    json_add_text(row, "file", e->file);
    json_add_text(row, "settings", e->settings);
    cJSON_AddNumberToObject(row, "status", e->status);
    json_add_text(row, "error", e->error);
    if (r)
        add_advice(row, r, lang);
    add_failed(row, a, r, lang);
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
    int count[SET_STATUSES] = {0};
    size_t models = 0;
    const char *before = NULL;
    Arena *a = arena_new(0);
    SetSums *sums = set_sums_new(a);
    cJSON *o = cJSON_CreateObject(), *rows = cJSON_CreateArray();
    for (size_t i = 0; i < set->count; i++) {
        Arena *opened = arena_new(0);
        const ResultEntry *entry = &set->entry[i];
        const Result *result = result_set_read(opened, set, i);
        cJSON *row = row_of_entry(opened, entry, result, lang);
        json_add_number(row, "page", result ? (double)(i + 1) : NAN);
        cJSON_AddItemToArray(rows, row);
        count[entry->status & (SET_STATUSES - 1)]++;
        set_sums_add(sums, entry, result);
        models += is_other_model(entry, &before);
        arena_free(opened);
    }
    cJSON_AddNumberToObject(o, "status", result_set_status(set));
    cJSON_AddNumberToObject(o, "files", (double)models);
    cJSON_AddItemToObject(o, "counts", cJSON_CreateIntArray(count, SET_STATUSES));
    cJSON_AddItemToObject(o, "models", rows);
    set_sums_write(sums, o);
    arena_free(a);
    return o;
}

int result_set_status_of(const cJSON *row)
{
    return (int)json_number_or(row, "status", 0) & (SET_STATUSES - 1);
}

const char *result_set_status_word(int status, const Language *lang)
{
    static const PhraseId word[SET_STATUSES] = {PHRASE_SET_PASSED, PHRASE_SET_FAILED,
                                                PHRASE_SET_UNREADABLE, PHRASE_SET_INCONCLUSIVE};
    return phrase_text(lang, word[status]);
}

const char *result_set_heading(Phrase *p, const cJSON *summary, const Language *lang)
{
    static const int order[SET_STATUSES] = {2, 1, 3, 0};
    double files = json_number_or(summary, "files", 0);
    size_t n = json_count(summary, "models");
    phrase_format(p, lang, (double)n > files ? PHRASE_SET_RESULTS : PHRASE_SET_MODELS, COUNTED(n),
                  COUNTED(files), NULL);
    const char *before = " ";
    for (size_t i = 0; i < SET_STATUSES; i++) {
        double count =
            json_number_or(cJSON_GetArrayItem(json_at(summary, "counts"), order[i]), "", 0);
        size_t used = strlen(p->text);
        if (!(count > 0))
            continue;
        snprintf(p->text + used, sizeof p->text - used, "%s%.0f %s", before, count,
                 result_set_status_word(order[i], lang));
        before = ", ";
    }
    return p->text;
}
