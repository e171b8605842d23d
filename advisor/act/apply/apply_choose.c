/* Chooses the recommendations to apply from the user's list, adds those that they build on and
 * refuses conflicts. */
#include "advisor/act/apply/apply.h"

#include "advisor/report/tree_summary.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    Arena *a;
    const cJSON *result;
    Chosen chosen;
    size_t cap;
} Choose;

static void add_chosen(Choose *c, const cJSON *rec)
{
    for (size_t i = 0; i < c->chosen.nrec; i++)
        if (c->chosen.rec[i] == rec)
            return;
    *VEC_PUSH(c->a, c->chosen.rec, c->chosen.nrec, c->cap) = rec;
}

static bool is_named(const cJSON *rec, const char *word, size_t len)
{
    const char *const name[] = {json_text(rec, "rule_id", ""), json_text(rec, "fingerprint", "")};
    for (int i = 0; i < 2; i++)
        if (strlen(name[i]) == len && !strncmp(name[i], word, len))
            return true;
    char *end;
    double rank = json_number_or(rec, "rank", 0); /* 0: held back */
    return rank > 0 && (double)strtol(word, &end, 10) == rank && end == word + len;
}

static bool can_be_had(const cJSON *held)
{
    const char *reason = json_text(held, "reason", "");
    return !strcmp(reason, "small") || !strcmp(reason, "uncertain");
}

static Status add_named(Choose *c, const char *word, size_t len, Diag *diag)
{
    bool any = false;
    assert(len <= strlen(word));
    for (const cJSON *rec = json_first(c->result, "recommendations"); rec; rec = rec->next) {
        if (!is_named(rec, word, len))
            continue;
        add_chosen(c, rec);
        any = true;
    }
    /* What was held back because something else does for it can be had instead of that. */
    for (const cJSON *rec = json_first(c->result, "suppressed"); rec; rec = rec->next) {
        if (any || !is_named(rec, word, len) || !can_be_had(rec))
            continue;
        add_chosen(c, rec);
        any = true;
    }
    if (any)
        return STATUS_OK;
    return diag_set(diag, STATUS_USAGE, NULL, "--set",
                    "'%.*s' is not a rank, rule or fingerprint of this result's recommendations",
                    (int)len, word);
}

static void add_usual(Choose *c)
{
    for (const cJSON *rec = json_first(c->result, "recommendations"); rec; rec = rec->next)
        if (tree_summary_is_combined(c->result, rec))
            add_chosen(c, rec);
}

/* All of the combination and nothing else: then its number of workers goes before that of a part,
 * which was chosen for the host as it is. */
static const char *combined_workers(const Choose *c)
{
    size_t n = 0;
    for (size_t i = 0; i < c->chosen.nrec; i++)
        n += tree_summary_is_combined(c->result, c->chosen.rec[i]);
    if (n != c->chosen.nrec || n != json_count(c->result, "combined.ranks"))
        return NULL;
    return json_text(json_find(json_at(c->result, "combined.levers"), "lever", "workers"), "value",
                     NULL);
}

/* What the recommendation comes on top of. */
static void add_below(Choose *c, const cJSON *upper)
{
    for (const cJSON *rank = json_first(upper, "on_top_of"); rank; rank = rank->next)
        for (const cJSON *rec = json_first(c->result, "recommendations"); rec; rec = rec->next)
            if (json_number_or(rec, "rank", 0) == rank->valuedouble)
                add_chosen(c, rec);
}

static bool conflicts_with(const cJSON *a, const cJSON *b)
{
    for (const cJSON *id = json_first(a, "conflicts_with"); id; id = id->next)
        if (cJSON_IsString(id) && !strcmp(id->valuestring, json_text(b, "rule_id", "")))
            return true;
    return false;
}

static Status check_conflicts(const Chosen *c, Diag *diag)
{
    for (size_t i = 0; i < c->nrec; i++)
        for (size_t k = 0; k < c->nrec; k++)
            if (i != k && conflicts_with(c->rec[i], c->rec[k]))
                return diag_set(
                    diag, STATUS_USAGE, NULL, "--set", "%s and %s exclude each other; choose one",
                    json_text(c->rec[i], "rule_id", "?"), json_text(c->rec[k], "rule_id", "?"));
    return STATUS_OK;
}

Status apply_choose(Arena *a, const cJSON *result, const char *list, Chosen *ret, Diag *diag)
{
    Choose c = {.a = a, .result = result};
    if (!list)
        add_usual(&c);
    for (const char *word = list; word && *word;) {
        size_t len = strcspn(word, ",");
        Status st = add_named(&c, word, len, diag);
        if (st)
            return st;
        word += len + (word[len] == ',');
    }
    if (c.chosen.nrec == 0)
        return diag_set(diag, STATUS_UNDECIDED, NULL, NULL, "there is no recommendation to apply");
    for (size_t i = 0; i < c.chosen.nrec; i++)
        add_below(&c, c.chosen.rec[i]);
    c.chosen.workers = combined_workers(&c);
    Status st = check_conflicts(&c.chosen, diag);
    if (!st)
        *ret = c.chosen;
    return st;
}
