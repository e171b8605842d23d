/* Fuzzes the loader of rule files, and matches every rule that loads against a small facts document: triggers and
 * templates of strangers are evaluated within their limits. */
#include "advisor/match.h"
#include "graph/base/file.h"
#include "tests/fuzz/bytes_file.h"

#include <libxml/parser.h>
#include <setjmp.h>
#include <string.h>

static const char facts_text[] =
    "<facts schema='1' sdk='0.10' sdk-number='10' objective='latency' has-trace='no'>"
    "<finding kind='island' op='Erf' reason='unsupported' nearest='' position='tail' step-id='0'/>"
    "<input index='0' name='x' dtype='float32' image='yes' quantize='host' width='640' layout='NCHW'/>"
    "<output index='0' name='y' dtype='float32' dequantize='host' width='80' range='0..1'/>"
    "<step step-id='0' kind='host' op='Quantize' time-ns='1000'/></facts>";

static jmp_buf exhausted;

static void leave(size_t used, size_t limit, void *user)
{
    (void)used;
    (void)limit;
    (void)user;
    longjmp(exhausted, 1);
}

static void fuzz(Arena *a, XmlSchema *schema, const uint8_t *data, size_t size)
{
    Diag diag;
    Rule rule;
    if (rule_load(a, bytes_file(data, size), schema, &rule, &diag))
        return;
    xmlDoc *facts = xmlReadMemory(facts_text, (int)strlen(facts_text), "facts", NULL, 0);
    RuleBook book = {&rule, 1};
    for (Sdk sdk = SDK_OLDEST; sdk <= SDK_NEWEST; sdk += 2)
        match_rules(a, &book, facts, sdk, "ko");
    xmlFreeDoc(facts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static XmlSchema *schema;
    Arena *a = arena_new((size_t)256 << 20);
    Diag diag;
    if (!schema) {
        xml_startup();
        if (xml_schema_open(data_path(a, "schema/rule.rng"), &schema, &diag)) {
            fprintf(stderr, "%s\n", diag.text);
            abort();
        }
    }
    arena_on_exhausted(a, leave, NULL);
    if (setjmp(exhausted) == 0)
        fuzz(a, schema, data, size);
    arena_free(a);
    return 0;
}

#ifndef FUZZER
int main(int argc, char **argv)
{
    return replay_files(argc, argv, LLVMFuzzerTestOneInput);
}
#endif
