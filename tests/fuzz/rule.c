/* Fuzzes the loader of rule files, and matches every rule that loads against a small facts
 * document: triggers and templates of strangers are evaluated within their limits. */
#include "advisor/rules/match.h"
#include "graph/base/data.h"
#include "tests/fuzz/harness.h"

#include <libxml/parser.h>

static const char facts_text[] =
    "<facts schema='1' sdk='0.10' sdk-number='10' objective='latency' has-trace='no'>"
    "<finding kind='island' op='Erf' reason='unsupported' nearest='' position='tail' step-id='0'/>"
    "<input index='0' name='x' dtype='float32' image='yes' quantize='host' width='640' "
    "layout='NCHW'/>"
    "<output index='0' name='y' dtype='float32' dequantize='host' width='80' range='0..1'/>"
    "<step step-id='0' kind='host' op='Quantize' time-ns='1000'/></facts>";

static XmlSchema *open_schema(void)
{
    Arena *a = arena_new(0);
    XmlSchema *schema;
    Diag diag;
    xml_startup();
    if (xml_schema_open(data_path(a, "schema/rule.rng"), &schema, &diag)) {
        fprintf(stderr, "%s\n", diag.text);
        abort();
    }
    arena_free(a);
    return schema;
}

static void say_matches(MatchList list)
{
    for (size_t i = 0; i < list.nmatch; i++) {
        const Match *m = &list.match[i];
        harness_print("%s %s, %zu places, %zu attempts: %s; %s; %s; %s\n", m->rule->id, m->cause,
                      m->nplace, m->nattempt, or_none(m->title[0]), or_none(m->why),
                      or_none(m->fix[0]), or_none(m->risk));
    }
    for (size_t i = 0; i < list.noutcome; i++)
        harness_print("outcome %d%s\n", (int)list.outcome[i].outcome,
                      list.outcome[i].stopped ? "!" : "");
}

static void fuzz(Arena *a, const uint8_t *data, size_t size)
{
    static XmlSchema *schema;
    Diag diag;
    if (!schema)
        schema = open_schema();
    Rule rule;
    Status st = rule_load(a, harness_file(data, size), schema, &rule, &diag);
    harness_print("status %d\n", (int)st);
    if (st)
        return;
    xmlDoc *facts = xmlReadMemory(facts_text, (int)strlen(facts_text), "facts", NULL, 0);
    RuleBook book = {&rule, 1};
    for (Sdk sdk = SDK_OLDEST; sdk <= SDK_NEWEST; sdk += 2)
        say_matches(match_rules(a, &book, facts, (RuleScope){.sdk = sdk, .family = ""}, NULL));
    xmlFreeDoc(facts);
}
