/* Adds up times, savings and findings over the results of many models. */
#include "advisor/render/tables/set_summary.h"

#include "advisor/message/json.h"
#include "advisor/report/finding.h"
#include "advisor/report/summary.h"
#include "graph/compile/machine.h"

typedef struct {
    const char *rule_id, *title, *unit;
    size_t models, last_model;
    double gain;
} RuleSum;

typedef struct {
    const char *op;
    size_t models, last_model, steps, measured_steps;
    double ns;
} HostSum;

/* One model with one SDK. */
typedef struct {
    const char *alike; /* what has to be the same for another SDK to be compared */
    Sdk sdk;
    bool has_result;
    double predicted_ns;
} Run;

struct SetSums {
    Arena *a;
    StrMap rule_at, host_at, text_at;
    RuleSum *rule;
    HostSum *host;
    Run *run;
    const char **text; /* each word once, however many models say it */
    size_t nrule, rule_cap, nhost, host_cap, nrun, run_cap, ntext, text_cap;
    size_t model; /* the one that is added, from 1 */
};

enum { EXPECTED = 64 };
static const double noticed = 0.01;

SetSums *set_sums_new(Arena *a)
{
    SetSums *s = ARENA_NEW(a, SetSums);
    s->a = a;
    strmap_init(&s->rule_at, a, EXPECTED);
    strmap_init(&s->host_at, a, EXPECTED);
    strmap_init(&s->text_at, a, EXPECTED);
    return s;
}

static const char *intern_text(SetSums *s, const char *text)
{
    uint32_t i = strmap_get(&s->text_at, text);
    if (i != STRMAP_NONE)
        return s->text[i];
    const char *kept = arena_strdup(s->a, text);
    strmap_put(&s->text_at, kept, (uint32_t)s->ntext);
    *VEC_PUSH(s->a, s->text, s->ntext, s->text_cap) = kept;
    return kept;
}

static RuleSum *rule_for(SetSums *s, const ReportedFinding *x)
{
    char key[120];
    const char *unit = result_unit_words[x->alone->unit];
    snprintf(key, sizeof key, "%.60s %.40s", x->rule_id, unit);
    uint32_t i = strmap_number(&s->rule_at, intern_text(s, key), s->nrule);
    if (i == s->nrule)
        *VEC_PUSH(s->a, s->rule, s->nrule, s->rule_cap) = (RuleSum){
            .rule_id = intern_text(s, x->rule_id), .title = intern_text(s, x->title), .unit = unit};
    return &s->rule[i];
}

/* A rule's figure is what its changes save in their plans. */
static void add_rules(SetSums *s, const Result *r)
{
    for (size_t i = 0; i < r->changes.count + r->by_hand.count; i++) {
        ReportedFinding x = finding_at(r, i);
        FindingSaving saving;
        if (finding_needs_retraining(&x) || !finding_saving(r, &x, &saving))
            continue;
        RuleSum *sum = rule_for(s, &x);
        sum->models += sum->last_model != s->model;
        sum->last_model = s->model;
        sum->gain += saving.up_to ? saving.value.hi : saving.value.mid;
    }
}

static HostSum *host_for(SetSums *s, const char *op)
{
    const char *kept = intern_text(s, op);
    uint32_t i = strmap_number(&s->host_at, kept, s->nhost);
    if (i == s->nhost)
        *VEC_PUSH(s->a, s->host, s->nhost, s->host_cap) = (HostSum){.op = kept};
    return &s->host[i];
}

static void add_host(SetSums *s, const ResultStepList *steps)
{
    for (size_t i = 0; i < steps->count; i++) {
        const ResultStep *x = &steps->item[i];
        double ns;
        if (x->kind != RESULT_STEP_KIND_HOST || !summary_step_time_ns(x, &ns))
            continue;
        HostSum *sum = host_for(s, x->op);
        sum->models += sum->last_model != s->model;
        sum->last_model = s->model;
        sum->steps++;
        sum->measured_steps += x->measured_ns != NULL;
        sum->ns += ns;
    }
}

/* "sdk=0.9 objective=latency" without what begins with "sdk=". */
static char *without_sdk(Arena *a, const char *settings)
{
    const char *at = !strncmp(settings, "sdk=", 4) ? settings : strstr(settings, " sdk=");
    if (!at)
        return arena_strdup(a, settings);
    const char *end = at + 1 + strcspn(at + 1, " ");
    return arena_printf(a, "%.*s%s", (int)(at - settings), settings, end);
}

static Sdk sdk_of(const char *settings)
{
    const char *at = !strncmp(settings, "sdk=", 4) ? settings : strstr(settings, " sdk=");
    char text[16];
    if (!at)
        return 0;
    snprintf(text, sizeof text, "%.*s", (int)strcspn(strchr(at, '=') + 1, " "),
             strchr(at, '=') + 1);
    return sdk_from_text(text);
}

/* Only a plan has one model with several SDKs. */
static void add_run(SetSums *s, const ResultEntry *e, const Result *r)
{
    Sdk sdk = e->settings ? sdk_of(e->settings) : 0;
    if (!sdk)
        return;
    *VEC_PUSH(s->a, s->run, s->nrun, s->run_cap) =
        (Run){.alike = arena_printf(s->a, "%s %s", e->file, without_sdk(s->a, e->settings)),
              .sdk = sdk,
              .has_result = r != NULL,
              .predicted_ns = r && r->prediction ? (double)r->prediction->latency_ns.mid : NAN};
}

void set_sums_add(SetSums *s, const ResultEntry *entry, const Result *r)
{
    s->model++;
    if (r) {
        add_rules(s, r);
        add_host(s, &r->steps);
    }
    add_run(s, entry, r);
}

/* ---- telling ---- */

ORDER_BY(by_models, RuleSum, COMPARE(b->models, a->models), strcmp(a->rule_id, b->rule_id),
         strcmp(a->unit, b->unit))

ORDER_BY(compare_hosts_by_time, HostSum, COMPARE(b->ns, a->ns), strcmp(a->op, b->op))

ORDER_BY(by_alike, Run, strcmp(a->alike, b->alike), COMPARE(a->sdk, b->sdk))

static void write_rules(const SetSums *s, cJSON *list)
{
    ORDER_LIST(s->rule, s->nrule, by_models);
    for (size_t i = 0; i < s->nrule; i++) {
        cJSON *o = json_add_row(list);
        cJSON_AddStringToObject(o, "rule_id", s->rule[i].rule_id);
        cJSON_AddStringToObject(o, "title", s->rule[i].title);
        cJSON_AddStringToObject(o, "unit", s->rule[i].unit);
        cJSON_AddNumberToObject(o, "models", (double)s->rule[i].models);
        cJSON_AddNumberToObject(o, "gain", s->rule[i].gain);
    }
}

static void write_host(const SetSums *s, cJSON *list)
{
    ORDER_LIST(s->host, s->nhost, compare_hosts_by_time);
    for (size_t i = 0; i < s->nhost; i++) {
        cJSON *o = json_add_row(list);
        cJSON_AddStringToObject(o, "op", s->host[i].op);
        cJSON_AddNumberToObject(o, "models", (double)s->host[i].models);
        cJSON_AddNumberToObject(o, "steps", (double)s->host[i].steps);
        cJSON_AddNumberToObject(o, "ns", s->host[i].ns);
        cJSON_AddNumberToObject(o, "measured_steps", (double)s->host[i].measured_steps);
    }
}

enum { SDKS_MAX = 8 };
typedef enum { FASTER, SLOWER, SAME, BROKEN, REPAIRED, ENDINGS } Ending;

static Ending ending_of(const Run *old, const Run *new)
{
    if (old->has_result != new->has_result)
        return old->has_result ? BROKEN : REPAIRED;
    double share = new->predicted_ns / old->predicted_ns - 1;
    return share > noticed ? SLOWER : share < -noticed ? FASTER : SAME;
}

typedef struct {
    Sdk old, new;
    size_t count[ENDINGS];
} Update;

static Update *update_for(Update *list, size_t *n, Sdk old, Sdk new)
{
    for (size_t i = 0; i < *n; i++)
        if (list[i].old == old && list[i].new == new)
            return &list[i];
    if (*n == SDKS_MAX)
        return NULL;
    list[*n] = (Update){.old = old, .new = new};
    return &list[(*n)++];
}

static void write_update(const Update *u, cJSON *list)
{
    static const char *const key[] = {"faster", "slower", "same", "broken", "repaired"};
    static_assert(sizeof key / sizeof *key == ENDINGS, "a key for each ending");
    cJSON *o = json_add_row(list);
    size_t all = LIST_SUM(size_t, k, ENDINGS, u->count[k]);
    cJSON_AddStringToObject(o, "old", sdk_text(u->old));
    cJSON_AddStringToObject(o, "new", sdk_text(u->new));
    cJSON_AddNumberToObject(o, "models", (double)all);
    for (size_t k = 0; k < ENDINGS; k++)
        cJSON_AddNumberToObject(o, key[k], (double)u->count[k]);
}

/* Each SDK against the next newer one that a model is there with. */
static void write_sdks(const SetSums *s, cJSON *list)
{
    Update update[SDKS_MAX];
    size_t n = 0;
    ORDER_LIST(s->run, s->nrun, by_alike);
    for (size_t i = 1; i < s->nrun; i++) {
        const Run *old = &s->run[i - 1], *new = &s->run[i];
        if (strcmp(old->alike, new->alike) != 0 || (!old->has_result && !new->has_result))
            continue;
        Update *u = update_for(update, &n, old->sdk, new->sdk);
        if (u)
            u->count[ending_of(old, new)]++;
    }
    for (size_t i = 0; i < n; i++)
        write_update(&update[i], list);
}

void set_sums_write(const SetSums *s, cJSON *o)
{
    write_rules(s, cJSON_AddArrayToObject(o, "rules"));
    write_host(s, cJSON_AddArrayToObject(o, "host"));
    write_sdks(s, cJSON_AddArrayToObject(o, "sdks"));
}
