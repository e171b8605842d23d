/* Checks of the advisor's arithmetic: verdicts, paired samples, templates, times of the gate. */
#include "tests/unit/check.h"

#include "advisor/act/gate/gate_parts.h"
#include "advisor/candidate/sample.h"
#include "advisor/rules/template.h"
#include "advisor/candidate/verify.h"
#include "graph/base/xml.h"

#include <string.h>

static void test_verdicts(void)
{
    const Interval predicted = {80, 100, 120};
    const struct {
        double lo, median, hi;
        int n;
        Verdict want;
    } row[] = {
        {90, 100, 110, 30, VERDICT_CONFIRMED},   {130, 140, 150, 30, VERDICT_LARGER},
        {40, 60, 79, 30, VERDICT_SMALLER},       {-10, 5, 20, 30, VERDICT_NO_GAIN},
        {0.1, 0.5, 0.9, 30, VERDICT_NO_GAIN},    {-60, -50, -40, 30, VERDICT_REGRESSION},
        {-0.9, -0.5, -0.1, 30, VERDICT_NO_GAIN}, {0, 0, 0, 0, VERDICT_NOT_VERIFIABLE},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        Verified v = {.median = row[i].median, .lo = row[i].lo, .hi = row[i].hi, .n = row[i].n};
        CHECK(verify_compare(&v, predicted, 1) == row[i].want);
    }
}

/* after = before - 5 in every pair: no spread is left, although the samples spread by 100. */
static void test_pairs(Arena *a)
{
    double before[30], after[30];
    for (int i = 0; i < 30; i++) {
        before[i] = 1000 + 7 * ((i * 13) % 15);
        after[i] = before[i] - 5;
    }
    Sample b = {.latency_ns = before, .n = 30}, c = {.latency_ns = after, .n = 30};
    Verified v = sample_compare(a, &b, &c, OBJECTIVE_LATENCY, 1, 1);
    CHECK(v.median == 5 && v.lo == 5 && v.hi == 5 && v.n == 30);
    Sample none = {0};
    CHECK(sample_compare(a, &b, &none, OBJECTIVE_LATENCY, 1, 1).n == 0);
}

/* One every 2 ms against one every 1 ms: 500/s more. */
static void test_throughput(Arena *a)
{
    double slow[40], fast[40];
    for (int i = 0; i < 40; i++) {
        slow[i] = 2e6;
        fast[i] = 1e6;
    }
    Sample b = {.period_ns = slow, .nperiod = 40, .images = 1};
    Sample c = {.period_ns = fast, .nperiod = 40, .images = 1};
    Verified v = sample_compare(a, &b, &c, OBJECTIVE_THROUGHPUT, 4, 1);
    CHECK(v.median > 499.999 && v.median < 500.001 && v.lo <= v.median && v.median <= v.hi);
    c.images = 4;
    v = sample_compare(a, &b, &c, OBJECTIVE_THROUGHPUT, 4, 1);
    CHECK(v.median > 3499.99 && v.median < 3500.01);
}

static const char *expanded(XPathEngine *e, const char *text, xmlNode *const *at, size_t n,
                            bool quote)
{
    const char *result = NULL;
    return template_expand(e, quote ? TEMPLATE_CODE : TEMPLATE_PROSE, text, at, n, &result)
               ? result
               : "(stopped)";
}

static void test_templates(Arena *a)
{
    static const char text[] = "<facts><input name='a&quot;\\b' n='1228800' ns='60600000'/>"
                               "<input name='c' n='7' ns='512'/></facts>";
    xmlDoc *doc = xmlReadMemory(text, sizeof text - 1, "t", NULL, 0);
    XPathEngine *e = template_xpath_open(a, doc, NULL);
    xmlNode **at = NULL;
    size_t n = 0;
    CHECK(template_xpath_nodes(e, NULL, "/facts/input", &at, &n) && n == 2);
    CHECK(strcmp(expanded(e, "f(\"{@name}\")", at, n, true), "f(\"a\\\"\\\\b\")") == 0);
    CHECK(strcmp(expanded(e, "[{*@n}]", at, n, false), "[1228800, 7]") == 0);
    CHECK(strcmp(expanded(e, "[\"{*@n}\"]", at, n, false), "[\"1228800\", \"7\"]") == 0);
    CHECK(strcmp(expanded(e, "\"{*@n} \"", at, n, false), "\"1228800, 7 \"") == 0);
    CHECK(strcmp(expanded(e, "{{x}}", at, n, false), "{x}}") == 0);
    CHECK(strcmp(expanded(e, "{count-text(@n)} in {time(@ns)}", at, n, false),
                 "1,228,800 in 60.6 ms") == 0);
    CHECK(strcmp(expanded(e, "{time(../input[2]/@ns)}", at, n, false), "512 ns") == 0);
    template_xpath_set_value(e, "4");
    CHECK(strcmp(expanded(e, "batch {$value}", at, n, false), "batch 4") == 0);
    CHECK(strcmp(expanded(e, "{no-such(@n)}", at, n, false), "(stopped)") == 0);
    XPathEngine *checks = template_xpath_open(a, NULL, NULL);
    CHECK(template_check(checks, "{@name") != NULL && template_check(checks, "{@name}") == NULL);
    CHECK(template_xpath_check(checks, "/facts[") != NULL &&
          template_xpath_check(checks, "/facts") == NULL);
    template_xpath_close(checks);
    template_xpath_close(e);
    xmlFreeDoc(doc);
}

static void test_gate_times(void)
{
    double ns = 0;
    CHECK(gate_parse_time("4ms", &ns) && ns == 4e6);
    CHECK(gate_parse_time("250us", &ns) && ns == 250e3);
    CHECK(gate_parse_time("20000", &ns) && ns == 20000);
    CHECK(!gate_parse_time("soon", &ns) && !gate_parse_time("-1ms", &ns));
    CHECK(!gate_parse_time("4 minutes", &ns) && !gate_parse_time("nan", &ns));
}

int main(void)
{
    xml_startup();
    Arena *a = arena_new(0);
    test_verdicts();
    test_pairs(a);
    test_throughput(a);
    test_templates(a);
    test_gate_times();
    arena_free(a);
    return check_failures() != 0;
}
