/* Writes JUnit XML with one test per assertion of the gate and one per rule.  Only the gate fails,
 * and the findings that it counts: advice by itself is no failure.  What is undecided is a failure
 * of type "inconclusive": no reader takes it for passed, and readers differ in how they spell
 * errors.  Where --inconclusive lets it pass, it is skipped. */
#include "advisor/render/forms/out.h"
#include "advisor/report/assertion.h"
#include "advisor/report/settings_line.h"

static const char *quote_xml(Arena *a, const char *text)
{
    return out_escape(a, out_lines(a, text, 4000), "<>&\"'\n", "&#%d;");
}

/* Where cases of a suite come from: of many models, their classes carry the model's name. */
typedef struct {
    FILE *out;
    Arena *a;
    const char *model; /* quoted; NULL: of one model */
    bool passes;       /* the exit status is 0 */
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

/* The message is the first line of the quoted text. */
static void put_failure(const Suite *s, const char *type, const char *text)
{
    const char *end = strstr(text, "&#10;");
    int first = (int)(end ? end - text : (ptrdiff_t)strlen(text));
    fprintf(s->out, "      <failure type=\"%s\" message=\"%.*s\">%s</failure>\n", type, first, text,
            text);
}

static void put_assertion(const Suite *s, const ResultAssertion *x)
{
    const char *outcome = out_outcome(x), *text = quote_xml(s->a, out_assertion(s->a, x));
    case_open(s, "gate", x->name);
    if (x->pass.value)
        fprintf(s->out, "      <system-out>%s</system-out>\n", text);
    else if (s->passes)
        fprintf(s->out, "      <skipped message=\"%s\"/>\n", text);
    else
        put_failure(s, x->pass.known ? "failed" : outcome, text);
    case_close(s);
}

static void put_settings(const Suite *s, const ResultSettingList *list)
{
    if (list->count == 0)
        return;
    fputs("    <system-out>", s->out);
    for (size_t i = 0; i < list->count; i++)
        fprintf(s->out, "%s\n", quote_xml(s->a, settings_line(s->a, &list->item[i], NULL)));
    fputs("</system-out>\n", s->out);
}

static void put_assertions(const Suite *s, const ResultAssertionList *list)
{
    for (size_t i = 0; i < list->count; i++)
        put_assertion(s, &list->item[i]);
}

static size_t not_passed(const ResultAssertionList *list)
{
    return LIST_SUM(size_t, i, list->count, !list->item[i].pass.value);
}

static void put_rule(const Suite *s, const char *rule, const char *element, const char *text)
{
    case_open(s, "rules", rule);
    if (!strcmp(element, "failure"))
        put_failure(s, "failed", quote_xml(s->a, text));
    else if (!strcmp(element, "skipped"))
        fprintf(s->out, "      <skipped message=\"%s\"/>\n", quote_xml(s->a, text));
    else if (*element)
        fprintf(s->out, "      <%s>%s</%s>\n", element, quote_xml(s->a, text), element);
    case_close(s);
}

static void put_rules(const Suite *s, const Result *r)
{
    for (size_t i = 0; i < finding_count(r); i++) {
        ReportedFinding x = finding_at(r, i);
        bool fails = assertion_fails_for(&r->gate.assertions, x.fingerprint);
        put_rule(s, x.fingerprint, fails ? "failure" : "system-out", out_message(s->a, r, &x));
    }
    for (size_t i = 0; i < r->passed.count; i++)
        put_rule(s, r->passed.item[i], "", "");
    for (size_t i = 0; i < r->not_applicable.count; i++)
        put_rule(s, r->not_applicable.item[i].rule_id, "skipped", r->not_applicable.item[i].reason);
    for (size_t i = 0; i < r->suppressed.count; i++)
        put_rule(s, r->suppressed.item[i].fingerprint, "skipped", r->suppressed.item[i].text);
}

/* Those that the gate counts. */
static size_t failed_rules(const Result *r)
{
    return LIST_SUM(size_t, i, finding_count(r),
                    assertion_fails_for(&r->gate.assertions, finding_at(r, i).fingerprint));
}

static size_t skipped_rules(const Result *r)
{
    return r->not_applicable.count + r->suppressed.count;
}

static size_t all_rules(const Result *r)
{
    return skipped_rules(r) + r->passed.count + finding_count(r);
}

/* One model: a suite for the gate and one for the rules. */
static void put_two_suites(const Suite *s, const Result *r)
{
    const ResultAssertionList *assertions = &r->gate.assertions;
    size_t open = not_passed(assertions);
    suite_open(s, "gate", assertions->count, s->passes ? 0 : open, 0, s->passes ? open : SIZE_MAX);
    put_assertions(s, assertions);
    put_settings(s, &r->gate.settings);
    suite_close(s);
    suite_open(s, "rules", all_rules(r), failed_rules(r), 0, skipped_rules(r));
    put_rules(s, r);
    suite_close(s);
}

/* Several models: a suite for each. */
static void put_suite(const Suite *s, const ResultEntry *entry, const Result *r)
{
    const ResultAssertionList *assertions = &r->gate.assertions;
    size_t broken = entry->error != NULL, open = not_passed(assertions);
    suite_open(s, s->model, assertions->count + all_rules(r) + broken,
               (s->passes ? 0 : open) + failed_rules(r), broken,
               (s->passes ? open : 0) + skipped_rules(r));
    if (broken) {
        const char *text = quote_xml(s->a, entry->error);
        case_open(s, "model", out_status(entry->status));
        fprintf(s->out, "      <error type=\"%s\" message=\"%s\">%s</error>\n",
                out_status(entry->status), text, text);
        case_close(s);
    }
    put_assertions(s, assertions);
    put_rules(s, r);
    put_settings(s, &r->gate.settings);
    suite_close(s);
}

typedef struct {
    FILE *out;
    bool many;
} Document;

static void put_result_suites(void *user, Arena *a, const ResultEntry *entry, const Result *result,
                              const View *view)
{
    (void)view;
    const Document *d = user;
    Suite s = {.out = d->out,
               .a = a,
               .model = d->many ? quote_xml(a, entry->model) : NULL,
               .passes = entry->status == 0 && result->gate.status == RESULT_STATUS_INCONCLUSIVE};
    if (d->many)
        put_suite(&s, entry, result);
    else
        put_two_suites(&s, result);
}

bool out_junit(FILE *out, const ResultSet *set, const View *view)
{
    Document d = {out, set->many};
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"npu-advise\">\n", out);
    out_each(set, view, put_result_suites, &d);
    fputs("</testsuites>\n", out);
    return !ferror(out);
}
