/* Writes SARIF 2.1.0: one run per model, one result per finding, each with a
 * location and our fingerprint.  Suppressions and the state against the baseline are there where
 * the result has any; no time stamp and no path of the machine is. */
#include "advisor/render/forms/out.h"
#include "advisor/act/gate/baseline.h"
#include "advisor/report/result_json.h"
#include "advisor/report/settings_line.h"

static const char gate_rule[] = "gate";
enum { RESULTS_MAX = 5000 }; /* GitHub shows so many of at most 25000; ours are ranked */

typedef struct {
    Arena *a;
    const Result *result;
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

static const char *level_of(const ReportedFinding *x)
{
    if (x->observation || !finding_has_action(x->fix))
        return "none";
    return x->level == RESULT_LEVEL_ERROR  ? "error"
           : x->level == RESULT_LEVEL_WARN ? "warning"
                                           : "note";
}

/* What the rule says of every model, "…" for what differs: a description that changes from model to
 * model would make the title of an alert change with whichever ran last. */
static const char *static_title(Arena *a, const ResultRuleList *rules, const char *id)
{
    const char *title =
        LIST_VALUE(i, rules->count, !strcmp(rules->item[i].rule_id, id), rules->item[i].title, id);
    const char *text = "";
    for (size_t n; n = strcspn(title, "<"), title[n]; title += *title == '>') {
        text = arena_printf(a, "%s%.*s…", text, (int)n, title);
        title += n + strcspn(title + n, ">");
    }
    return arena_printf(a, "%s%s", text, title);
}

static int rule_index(Sarif *s, const char *id)
{
    int i = 0;
    for (const cJSON *r = s->rules->child; r; r = r->next) {
        if (!strcmp(json_text(r, "id", ""), id))
            return i;
        i++;
    }
    const char *title = !strcmp(id, gate_rule)
                            ? "Meet every assertion of the gate"
                            : out_text(s->a, static_title(s->a, &s->result->rules, id), 400);
    cJSON *o = json_add_row(s->rules);
    cJSON_AddStringToObject(o, "id", id);
    add_text(s->a, o, "shortDescription", title);
    add_text(s->a, o, "fullDescription", title);
    add_text(s->a, o, "help", arena_printf(s->a, "npu-advise explain %s", id));
    cJSON_AddStringToObject(o, "helpUri", arena_printf(s->a, "%s#%s", NPU_ADVISE_RULES_URL, id));
    return i;
}

static void add_location(Sarif *s, cJSON *result, const ResultWhere *where)
{
    cJSON *o = json_add_row(cJSON_AddArrayToObject(result, "locations"));
    cJSON *physical = cJSON_AddObjectToObject(o, "physicalLocation");
    cJSON_AddStringToObject(cJSON_AddObjectToObject(physical, "artifactLocation"), "uri", s->uri);
    cJSON_AddNumberToObject(cJSON_AddObjectToObject(physical, "region"), "startLine", s->line);
    const char *place = out_location(s->a, where);
    if (*place)
        cJSON_AddStringToObject(json_add_row(cJSON_AddArrayToObject(o, "logicalLocations")),
                                "fullyQualifiedName", place);
}

static void add_suppression(Sarif *s, cJSON *result, const ResultSuppression *given)
{
    cJSON *o = json_add_row(cJSON_AddArrayToObject(result, "suppressions"));
    cJSON_AddStringToObject(o, "kind", "external");
    cJSON_AddStringToObject(o, "status", "accepted");
    const char *reason = out_text(s->a, given->reason, 1000);
    cJSON_AddStringToObject(o, "justification", without_links(s->a, reason));
}

/* The one figure of a finding, with its source, plan and needs. */
static void add_saving(Sarif *s, cJSON *result, const ReportedFinding *x)
{
    FindingSaving saving;
    cJSON *o = cJSON_AddObjectToObject(result, "properties");
    bool known = finding_saving(s->result, x, &saving);
    cJSON_AddStringToObject(o, "unit", saving.unit);
    cJSON_AddItemToObject(o, "saves", result_interval_to_json(known ? &saving.value : NULL));
    json_add_text(o, "source", known ? result_source_words[saving.source] : NULL);
    json_add_text(o, "plan", saving.plan ? saving.plan->id : NULL);
    json_add_text(o, "needs", out_needs(s->a, x->needs));
    if (known && s->now > 0)
        cJSON_AddNumberToObject(
            result, "rank", round(fmin(100, fmax(0, 100 * saving.value.mid / s->now)) * 10) / 10);
}

/* Against the baseline; NULL without one. */
static const char *state_of(const ResultBaseline *b, const char *fingerprint)
{
    static const char *const word[] = {"new", "unchanged", "updated", "absent"};
    static_assert(sizeof word / sizeof *word == STATE_COUNT, "a word for each state");
    BaselineState state;
    return baseline_state(b, fingerprint, &state) ? word[state] : NULL;
}

typedef struct {
    const char *rule_id, *level, *message, *fingerprint;
    const ResultWhere *where;
} Entry;

static cJSON *add_entry(Sarif *s, const Entry *x)
{
    const char *id = out_text(s->a, x->rule_id, 40);
    cJSON *o = json_add_row(s->results);
    cJSON_AddStringToObject(o, "ruleId", id);
    cJSON_AddNumberToObject(o, "ruleIndex", rule_index(s, id));
    cJSON_AddStringToObject(o, "kind", strcmp(x->level, "none") ? "fail" : "informational");
    cJSON_AddStringToObject(o, "level", x->level);
    add_text(s->a, o, "message", x->message);
    add_location(s, o, x->where);
    cJSON *prints = cJSON_AddObjectToObject(o, "partialFingerprints");
    cJSON_AddStringToObject(prints, "npuAdvise/v1", out_text(s->a, x->fingerprint, 100));
    return o;
}

static void add_assertions(Sarif *s)
{
    static const ResultWhere model;
    const ResultAssertionList *list = &s->result->gate.assertions;
    for (size_t i = 0; i < list->count; i++) {
        const ResultAssertion *x = &list->item[i];
        if (!x->pass.value)
            add_entry(s, &(Entry){gate_rule, x->pass.known ? "error" : "warning",
                                  out_assertion(s->a, x), arena_printf(s->a, "gate: %s", x->name),
                                  &model});
    }
}

static void add_result(Sarif *s, const ReportedFinding *x)
{
    const char *state = state_of(s->result->gate.baseline, x->fingerprint);
    cJSON *o = add_entry(s, &(Entry){x->rule_id, level_of(x), out_message(s->a, s->result, x),
                                     x->fingerprint, x->where});
    if (state)
        cJSON_AddStringToObject(o, "baselineState", state);
    if (x->suppression)
        add_suppression(s, o, x->suppression);
    if (!x->observation)
        add_saving(s, o, x);
}

static cJSON *settings_of(Arena *a, const ResultSettingList *settings)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < settings->count; i++) {
        const char *line = settings_line(a, &settings->item[i], NULL);
        cJSON_AddItemToArray(list, cJSON_CreateString(out_text(a, line, 4000)));
    }
    return list;
}

static void add_driver(Sarif *s, cJSON *run)
{
    cJSON *driver = cJSON_AddObjectToObject(cJSON_AddObjectToObject(run, "tool"), "driver");
    cJSON_AddStringToObject(driver, "name", "npu-advise");
    cJSON_AddStringToObject(driver, "semanticVersion", NPU_ADVISE_VERSION);
    s->rules = cJSON_AddArrayToObject(driver, "rules");
}

static void add_invocation(Sarif *s, cJSON *run, const ResultEntry *entry)
{
    cJSON *o = json_add_row(cJSON_AddArrayToObject(run, "invocations"));
    cJSON_AddBoolToObject(o, "executionSuccessful", !entry->error);
    if (!entry->error)
        return;
    cJSON *notice = json_add_row(cJSON_AddArrayToObject(o, "toolExecutionNotifications"));
    cJSON_AddStringToObject(notice, "level", "error");
    add_text(s->a, notice, "message", out_text(s->a, entry->error, 1000));
}

static void add_results(Sarif *s, cJSON *run)
{
    const ResultGate *gate = &s->result->gate;
    size_t all = finding_count(s->result), shown = all < RESULTS_MAX ? all : RESULTS_MAX;
    s->results = cJSON_AddArrayToObject(run, "results");
    cJSON *properties = cJSON_AddObjectToObject(run, "properties");
    cJSON_AddStringToObject(properties, "gate", result_status_words[gate->status]);
    cJSON_AddItemToObject(properties, "settings", settings_of(s->a, &gate->settings));
    if (all > shown)
        cJSON_AddNumberToObject(properties, "resultsLeftOut", (double)(all - shown));
    add_assertions(s);
    for (size_t i = 0; i < shown; i++) {
        ReportedFinding x = finding_at(s->result, i);
        add_result(s, &x);
    }
}

/* The objective, as predicted; 0 where it is not. */
static double predicted_now(const Result *r)
{
    const ResultPrediction *p = r->prediction;
    bool rate = r->objective == RESULT_OBJECTIVE_THROUGHPUT;
    return !p ? 0 : rate ? p->throughput_per_s.mid : (double)p->latency_ns.mid;
}

typedef struct {
    cJSON *runs;
    bool many;
} Document;

static void add_run(void *user, Arena *a, const ResultEntry *entry, const Result *result,
                    const View *view)
{
    const Document *d = user;
    Sarif s = {.a = a,
               .result = result,
               .uri = out_uri(a, result, view),
               .line = view->anchor_line > 0 ? view->anchor_line : 1,
               .now = predicted_now(result)};
    cJSON *run = json_add_row(d->runs);
    add_driver(&s, run);
    /* A category per model, so that the alerts of one model do not close those of another: readers
     * refuse two runs of one category. */
    const char *model = d->many ? out_text(a, entry->model, 1000) : out_file(a, result, view);
    cJSON_AddStringToObject(cJSON_AddObjectToObject(run, "automationDetails"), "id",
                            arena_printf(a, "npu-advise/%s/", model));
    if (d->many)
        add_invocation(&s, run, entry);
    add_results(&s, run);
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
