/* Writes JUnit XML with one test per assertion of the gate and one per rule.  Only the gate fails:
 * advice by itself is no failure.  What is undecided is a failure of type "inconclusive": no reader
 * takes it for passed, and readers differ in how they spell errors. */
#include "advisor/render/forms/out.h"
#include "advisor/report/tree_settings_line.h"

#include "advisor/report/tree_finding.h"
#include "advisor/message/json.h"

#include <stdint.h>
#include <string.h>

static const char *quote_xml(Arena *a, const char *text)
{
    return out_escape(a, out_lines(a, text, 4000), "<>&\"'\n", "&#%d;");
}

/* Where cases of a suite come from: of many models, their classes carry the model's name. */
typedef struct {
    FILE *out;
    Arena *a;
    const char *model; /* quoted; NULL: of one model */
} Suite;

static void case_open(const Suite *s, const char *class, const char *name)
{
    fprintf(s->out, "    <testcase classname=\"%s%s%s\" name=\"%s\">\n", s->model ? s->model : "",
            s->model ? "." : "", class, quote_xml(s->a, name));
}

static void case_close(const Suite *s)
{
    fputs("    </testcase>\n", s->out);
}

static void suite_open(const Suite *s, const char *name, size_t tests, size_t failures,
                       size_t errors, size_t skipped)
{
    fprintf(s->out, "  <testsuite name=\"%s\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\"", name,
            tests, failures, errors);
    if (skipped != SIZE_MAX)
        fprintf(s->out, " skipped=\"%zu\"", skipped);
    fputs(">\n", s->out);
}

static void suite_close(const Suite *s)
{
    fputs("  </testsuite>\n", s->out);
}

static void put_assertion(const Suite *s, const cJSON *x)
{
    const char *outcome = out_outcome(x), *text = quote_xml(s->a, out_assertion(s->a, x));
    case_open(s, "gate", json_text(x, "name", "?"));
    if (strcmp(outcome, "pass"))
        fprintf(s->out, "      <failure type=\"%s\" message=\"%s\">%s</failure>\n",
                !strcmp(outcome, "fail") ? "failed" : outcome, text, text);
    else
        fprintf(s->out, "      <system-out>%s</system-out>\n", text);
    case_close(s);
}

static void put_settings(const Suite *s, const cJSON *result)
{
    if (json_count(result, "gate.settings") == 0)
        return;
    fputs("    <system-out>", s->out);
    for (const cJSON *x = json_first(result, "gate.settings"); x; x = x->next)
        fprintf(s->out, "%s\n", quote_xml(s->a, tree_settings_line(s->a, x, NULL)));
    fputs("</system-out>\n", s->out);
}

static void put_assertions(const Suite *s, const cJSON *result)
{
    for (const cJSON *x = json_first(result, "gate.assertions"); x; x = x->next)
        put_assertion(s, x);
}

static size_t not_passed(const cJSON *result)
{
    size_t bad = 0;
    for (const cJSON *x = json_first(result, "gate.assertions"); x; x = x->next)
        bad += strcmp(out_outcome(x), "pass") != 0;
    return bad;
}

static void put_rule(const Suite *s, const char *rule, const char *element, const char *text)
{
    case_open(s, "rules", rule);
    if (!strcmp(element, "skipped"))
        fprintf(s->out, "      <skipped message=\"%s\"/>\n", quote_xml(s->a, text));
    else if (*element)
        fprintf(s->out, "      <%s>%s</%s>\n", element, quote_xml(s->a, text), element);
    case_close(s);
}

static void put_rules(const Suite *s, const cJSON *r)
{
    for (const cJSON *x = NULL; (x = tree_finding_next(r, x));)
        put_rule(s, json_text(x, "fingerprint", "?"), "system-out", out_message(s->a, x));
    for (const cJSON *x = json_first(r, "passed"); x; x = x->next)
        put_rule(s, cJSON_IsString(x) ? x->valuestring : "?", "", "");
    for (const cJSON *x = json_first(r, "not_applicable"); x; x = x->next)
        put_rule(s, json_text(x, "rule_id", "?"), "skipped", json_text(x, "reason", "?"));
    for (const cJSON *x = json_first(r, "suppressed"); x; x = x->next)
        put_rule(s, json_text(x, "fingerprint", "?"), "skipped", json_text(x, "text", "?"));
}

static size_t skipped_rules(const cJSON *r)
{
    return json_count(r, "not_applicable") + json_count(r, "suppressed");
}

static size_t all_rules(const cJSON *r)
{
    return skipped_rules(r) + json_count(r, "passed") + json_count(r, "recommendations") +
           json_count(r, "observations");
}

/* One model: a suite for the gate and one for the rules. */
static void put_two_suites(const Suite *s, const cJSON *r)
{
    suite_open(s, "gate", json_count(r, "gate.assertions"), not_passed(r), 0, SIZE_MAX);
    put_assertions(s, r);
    put_settings(s, r);
    suite_close(s);
    suite_open(s, "rules", all_rules(r), 0, 0, skipped_rules(r));
    put_rules(s, r);
    suite_close(s);
}

/* Several models: a suite for each. */
static void put_suite(const Suite *s, const ResultEntry *entry, const cJSON *r)
{
    size_t broken = entry->error != NULL;
    suite_open(s, s->model, json_count(r, "gate.assertions") + all_rules(r) + broken, not_passed(r),
               broken, skipped_rules(r));
    if (broken) {
        const char *text = quote_xml(s->a, entry->error);
        case_open(s, "model", out_status(entry->status));
        fprintf(s->out, "      <error type=\"%s\" message=\"%s\">%s</error>\n",
                out_status(entry->status), text, text);
        case_close(s);
    }
    put_assertions(s, r);
    put_rules(s, r);
    put_settings(s, r);
    suite_close(s);
}

typedef struct {
    FILE *out;
    bool many;
} Document;

static void put_result_suites(void *user, const ResultEntry *entry, const cJSON *result,
                              const View *view)
{
    (void)view;
    const Document *d = user;
    Suite s = {.out = d->out, .a = arena_new(0)};
    if (d->many) {
        s.model = quote_xml(s.a, entry->model);
        put_suite(&s, entry, result);
    } else {
        put_two_suites(&s, result);
    }
    arena_free(s.a);
}

bool out_junit(FILE *out, const ResultSet *set, const View *view)
{
    Document d = {out, set->many};
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"npu-advise\">\n", out);
    out_each(set, view, put_result_suites, &d);
    fputs("</testsuites>\n", out);
    return !ferror(out);
}
