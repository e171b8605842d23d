/* Writes SARIF 2.1.0: one run per model, one result per recommendation and observation, each with a
 * location and our fingerprint.  Suppressions and the state against the baseline are there where
 * the result has any; no time stamp and no path of the machine is. */
#include "advisor/act/gate/baseline.h"
#include "advisor/render/forms/out.h"
#include "advisor/report/tree_settings_line.h"
#include "advisor/report/tree_finding.h"
#include "advisor/message/json.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { RESULTS_MAX = 5000 }; /* GitHub shows so many of at most 25000; ours are ranked */

typedef struct {
    Arena *a;
    const cJSON *result;
    const char *uri;
    int line;
    cJSON *rules, *results;
    double now; /* the objective, for `rank` */
} Sarif;

/* A message may carry links in Markdown, and viewers make links of addresses: of a name there shall
 * be none. */
static const char *without_links(Arena *a, const char *text)
{
    char *out = arena_calloc(a, strlen(text) + 1, 2), *p = out;
    for (; *text; text++) {
        *p++ = *text;
        if (!strncmp(text, "](", 2) || !strncmp(text, "][", 2) || !strncmp(text, "]:", 2) ||
            !strncmp(text, "://", 3))
            *p++ = ' ';
    }
    return out;
}

static cJSON *add_text(Arena *a, cJSON *o, const char *key, const char *text)
{
    cJSON *message = cJSON_AddObjectToObject(o, key);
    cJSON_AddStringToObject(message, "text", without_links(a, text));
    return message;
}

static const char *level_of(const cJSON *rec)
{
    const char *level = json_text(rec, "level", "info"), *verdict = json_text(rec, "verdict", "");
    if (!strcmp(verdict, "no-gain") || !strcmp(verdict, "regression") ||
        !tree_finding_has_action(rec))
        return "none";
    return !strcmp(level, "error") ? "error" : !strcmp(level, "warn") ? "warning" : "note";
}

/* What the rule says of every model: a description that changes from model to model would make the
 * title of an alert change with whichever ran last. */
static const char *static_title(const Sarif *s, const char *id)
{
    return json_text(json_find(json_at(s->result, "rules"), "rule_id", id), "title", id);
}

static int rule_index(Sarif *s, const cJSON *rec)
{
    const char *id = out_text(s->a, json_text(rec, "rule_id", "?"), 40);
    int i = 0;
    for (const cJSON *r = json_first(s->rules, ""); r; r = r->next) {
        if (!strcmp(json_text(r, "id", ""), id))
            return i;
        i++;
    }
    const char *title = out_text(s->a, static_title(s, id), 400);
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "id", id);
    add_text(s->a, o, "shortDescription", title);
    add_text(s->a, o, "fullDescription", title);
    add_text(s->a, o, "help", arena_printf(s->a, "npu-advise explain %s", id));
    cJSON_AddStringToObject(o, "helpUri", arena_printf(s->a, "%s#%s", NPU_ADVISE_RULES_URL, id));
    cJSON_AddItemToArray(s->rules, o);
    return i;
}

static void add_location(Sarif *s, cJSON *result, const cJSON *rec)
{
    cJSON *list = cJSON_AddArrayToObject(result, "locations"), *o = cJSON_CreateObject();
    cJSON_AddItemToArray(list, o);
    cJSON *physical = cJSON_AddObjectToObject(o, "physicalLocation");
    cJSON_AddStringToObject(cJSON_AddObjectToObject(physical, "artifactLocation"), "uri", s->uri);
    cJSON_AddNumberToObject(cJSON_AddObjectToObject(physical, "region"), "startLine", s->line);
    const char *place = out_location(s->a, rec);
    if (!*place)
        return;
    cJSON *logical = cJSON_CreateObject();
    cJSON_AddStringToObject(logical, "fullyQualifiedName", place);
    cJSON_AddItemToArray(cJSON_AddArrayToObject(o, "logicalLocations"), logical);
}

static void add_suppression(Sarif *s, cJSON *result, const cJSON *rec)
{
    const cJSON *given = json_at(rec, "suppression");
    if (!cJSON_IsObject(given))
        return;
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "kind", "external");
    cJSON_AddStringToObject(o, "status", "accepted");
    const char *reason = out_text(s->a, json_text(given, "reason", "?"), 1000);
    cJSON_AddStringToObject(o, "justification", without_links(s->a, reason));
    cJSON_AddItemToArray(cJSON_AddArrayToObject(result, "suppressions"), o);
}

static void add_gain(Sarif *s, cJSON *result, const cJSON *rec)
{
    static const char *const part[] = {"predicted", "verified"};
    double gain;
    if (tree_finding_is_observation(rec))
        return;
    cJSON *o = cJSON_AddObjectToObject(result, "properties");
    cJSON_AddItemToObject(o, "basis", cJSON_Duplicate(json_at(rec, "gain.basis"), true));
    cJSON_AddStringToObject(o, "unit", json_text(rec, "gain.unit", "ns"));
    for (size_t i = 0; i < 2; i++) {
        const cJSON *v = json_at(json_at(rec, "gain"), part[i]);
        const char *runner = json_text(v, "runner", NULL);
        cJSON *copy = v ? cJSON_Duplicate(v, true) : cJSON_CreateNull();
        if (runner)
            cJSON_ReplaceItemInObjectCaseSensitive(copy, "runner",
                                                   cJSON_CreateString(out_text(s->a, runner, 400)));
        cJSON_AddItemToObject(o, part[i], copy);
    }
    if (json_number(rec, "gain.predicted.mid", &gain) && s->now > 0)
        cJSON_AddNumberToObject(result, "rank",
                                round(fmin(100, fmax(0, 100 * gain / s->now)) * 10) / 10);
}

static void add_result(Sarif *s, const cJSON *rec)
{
    const char *fingerprint = json_text(rec, "fingerprint", "?"), *level = level_of(rec);
    BaselineState state;
    static const char *const state_name[] = {"new", "unchanged", "updated", "absent"};
    static_assert(sizeof state_name / sizeof *state_name == STATE_COUNT, "a word for each");
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "ruleId", out_text(s->a, json_text(rec, "rule_id", "?"), 40));
    cJSON_AddNumberToObject(o, "ruleIndex", rule_index(s, rec));
    cJSON_AddStringToObject(o, "kind", strcmp(level, "none") ? "fail" : "informational");
    cJSON_AddStringToObject(o, "level", level);
    add_text(s->a, o, "message", out_message(s->a, rec));
    add_location(s, o, rec);
    cJSON *prints = cJSON_AddObjectToObject(o, "partialFingerprints");
    cJSON_AddStringToObject(prints, "npuAdvise/v1", out_text(s->a, fingerprint, 100));
    if (baseline_state_of(s->result, fingerprint, &state))
        cJSON_AddStringToObject(o, "baselineState", state_name[state]);
    add_suppression(s, o, rec);
    add_gain(s, o, rec);
    cJSON_AddItemToArray(s->results, o);
}

static cJSON *settings_of(const Sarif *s)
{
    cJSON *list = cJSON_CreateArray();
    for (const cJSON *x = json_first(s->result, "gate.settings"); x; x = x->next)
        cJSON_AddItemToArray(
            list, cJSON_CreateString(out_text(s->a, tree_settings_line(s->a, x, NULL), 4000)));
    return list;
}

static void add_driver(Sarif *s, cJSON *run)
{
    cJSON *driver = cJSON_AddObjectToObject(cJSON_AddObjectToObject(run, "tool"), "driver");
    cJSON_AddStringToObject(driver, "name", "npu-advise");
    cJSON_AddStringToObject(driver, "semanticVersion", NPU_ADVISE_VERSION);
    s->rules = cJSON_AddArrayToObject(driver, "rules");
}

/* A category of its own, so that the alerts of one model do not close those of another: readers
 * refuse two runs of one category. */
static void add_category(Sarif *s, cJSON *run, const char *model)
{
    cJSON *details = cJSON_AddObjectToObject(run, "automationDetails");
    cJSON_AddStringToObject(details, "id", arena_printf(s->a, "npu-advise/%s/", model));
}

static void add_invocation(Sarif *s, cJSON *run, const ResultEntry *entry)
{
    cJSON *o = cJSON_CreateObject(), *notice = cJSON_CreateObject();
    cJSON_AddItemToArray(cJSON_AddArrayToObject(run, "invocations"), o);
    cJSON_AddBoolToObject(o, "executionSuccessful", !entry->error);
    if (!entry->error) {
        cJSON_Delete(notice);
        return;
    }
    cJSON_AddStringToObject(notice, "level", "error");
    add_text(s->a, notice, "message", out_text(s->a, entry->error, 1000));
    cJSON_AddItemToArray(cJSON_AddArrayToObject(o, "toolExecutionNotifications"), notice);
}

static void add_results(Sarif *s, cJSON *run)
{
    size_t n = 0,
           all = json_count(s->result, "recommendations") + json_count(s->result, "observations");
    s->results = cJSON_AddArrayToObject(run, "results");
    cJSON *properties = cJSON_AddObjectToObject(run, "properties");
    cJSON_AddStringToObject(properties, "gate", json_text(s->result, "gate.status", "none"));
    cJSON_AddItemToObject(properties, "settings", settings_of(s));
    if (all > RESULTS_MAX)
        cJSON_AddNumberToObject(properties, "resultsLeftOut", (double)(all - RESULTS_MAX));
    for (const cJSON *x = NULL; n < RESULTS_MAX && (x = tree_finding_next(s->result, x)); n++)
        add_result(s, x);
}

typedef struct {
    cJSON *runs;
    bool many;
} Document;

static void add_run(void *user, const ResultEntry *entry, const cJSON *result, const View *view)
{
    const Document *d = user;
    bool rate = !strcmp(json_text(result, "objective", "latency"), "throughput");
    Arena *a = arena_new(0);
    Sarif s = {
        .a = a,
        .result = result,
        .uri = out_uri(a, result, view),
        .line = view->anchor_line > 0 ? view->anchor_line : 1,
        .now = json_number_or(
            result, rate ? "prediction.throughput_per_s.mid" : "prediction.latency_ns.mid", 0)};
    cJSON *run = cJSON_CreateObject();
    add_driver(&s, run);
    add_category(&s, run, d->many ? out_text(a, entry->model, 1000) : out_file(a, result, view));
    if (d->many)
        add_invocation(&s, run, entry);
    add_results(&s, run);
    cJSON_AddItemToArray(d->runs, run);
    arena_free(a);
}

bool out_sarif(FILE *out, const ResultSet *set, const View *view)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    cJSON_AddStringToObject(root, "version", "2.1.0");
    Document d = {cJSON_AddArrayToObject(root, "runs"), set->many};
    out_each(set, view, add_run, &d);
    json_print(out, root);
    cJSON_Delete(root);
    return !ferror(out);
}
