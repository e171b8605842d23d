/* JUnit: one test per assertion of the gate, one per rule.  Only the gate fails: advice by itself
 * is no failure.  What is undecided is a failure of type "inconclusive": no reader takes it for
 * passed, and readers differ in how they spell errors. */
#include "advisor/forms/out.h"
#include "advisor/result/settings_line.h"

#include "advisor/result/finding.h"
#include "advisor/say/json.h"

#include <string.h>

static const char *quoted(Arena *a, const char *text)
{
    return out_escape(a, out_shown(a, text, 4000), "<>&\"'", "&#%d;");
}

static void put_assertion(FILE *out, Arena *a, const cJSON *x)
{
    const char *outcome = out_outcome(x), *name = quoted(a, json_text(x, "name", "?"));
    fprintf(out, "    <testcase classname=\"gate\" name=\"%s\">\n", name);
    const char *text = quoted(a, out_assertion(a, x));
    if (strcmp(outcome, "pass"))
        fprintf(out, "      <failure type=\"%s\" message=\"%s\">%s</failure>\n",
                !strcmp(outcome, "fail") ? "failed" : outcome, text, text);
    else
        fprintf(out, "      <system-out>%s</system-out>\n", text);
    fputs("    </testcase>\n", out);
}

static void put_settings(FILE *out, Arena *a, const cJSON *result)
{
    const cJSON *x;
    fputs("    <system-out>", out);
    cJSON_ArrayForEach(x, json_at(result, "gate.settings"))
        fprintf(out, "%s\n", quoted(a, settings_line(a, x, NULL)));
    fputs("</system-out>\n", out);
}

static void put_gate(FILE *out, Arena *a, const cJSON *result)
{
    size_t bad = 0;
    const cJSON *x;
    cJSON_ArrayForEach(x, json_at(result, "gate.assertions")) bad +=
        strcmp(out_outcome(x), "pass") != 0;
    fprintf(out, "  <testsuite name=\"gate\" tests=\"%zu\" failures=\"%zu\" errors=\"0\">\n",
            json_count(result, "gate.assertions"), bad);
    cJSON_ArrayForEach(x, json_at(result, "gate.assertions")) put_assertion(out, a, x);
    if (json_count(result, "gate.settings"))
        put_settings(out, a, result);
    fputs("  </testsuite>\n", out);
}

static void put_rule(FILE *out, Arena *a, const char *rule, const char *element, const char *text)
{
    fprintf(out, "    <testcase classname=\"rules\" name=\"%s\">\n", quoted(a, rule));
    if (!strcmp(element, "skipped"))
        fprintf(out, "      <skipped message=\"%s\"/>\n", quoted(a, text));
    else if (*element)
        fprintf(out, "      <%s>%s</%s>\n", element, quoted(a, text), element);
    fputs("    </testcase>\n", out);
}

static void put_rules(FILE *out, Arena *a, const cJSON *r)
{
    size_t skipped = json_count(r, "not_applicable") + json_count(r, "suppressed");
    fprintf(out,
            "  <testsuite name=\"rules\" tests=\"%zu\" failures=\"0\" errors=\"0\" "
            "skipped=\"%zu\">\n",
            skipped + json_count(r, "passed") + json_count(r, "recommendations") +
                json_count(r, "observations"),
            skipped);
    const cJSON *x;
    for (x = NULL; (x = finding_next(r, x));)
        put_rule(out, a, json_text(x, "fingerprint", "?"), "system-out", out_message(a, x));
    cJSON_ArrayForEach(x, json_at(r, "passed"))
        put_rule(out, a, cJSON_IsString(x) ? x->valuestring : "?", "", "");
    cJSON_ArrayForEach(x, json_at(r, "not_applicable"))
        put_rule(out, a, json_text(x, "rule_id", "?"), "skipped", json_text(x, "reason", "?"));
    cJSON_ArrayForEach(x, json_at(r, "suppressed"))
        put_rule(out, a, json_text(x, "fingerprint", "?"), "skipped", json_text(x, "text", "?"));
    fputs("  </testsuite>\n", out);
}

bool out_junit(FILE *out, const cJSON *result, const View *view)
{
    (void)view;
    Arena *a = arena_new(0);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"npu-advise\">\n", out);
    put_gate(out, a, result);
    put_rules(out, a, result);
    fputs("</testsuites>\n", out);
    arena_free(a);
    return !ferror(out);
}
