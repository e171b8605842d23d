/* Fuzzes what the rules are matched against: whatever loads and compiles has facts, whole and in
 * UTF-8. Options that the bytes choose. */
#include "advisor/options/args.h"
#include "advisor/options/command.h"
#include "advisor/advise/advise.h"
#include "advisor/advise/request.h"
#include "graph/base/xml.h"
#include "tests/fuzz/harness.h"

#include <libxml/xmlsave.h>

/* One of each, or none. */
static const char *const sets[][4] = {
    {"--objective=throughput"},
    {"--batch=3", "--batch=8"},
    {"--sdk=0.8", "--sdk=0.9"},
    {"--target=warboy"},
    {"--input-dtype=uint8", "--output-dtype=int8", "--permute-input=[[0,3,1,2]]"},
    {"--host-cores=2", "--host-cores=16"},
};

static void say_facts(xmlDoc *doc)
{
    xmlChar *text = NULL;
    int size = 0;
    xmlDocDumpFormatMemoryEnc(doc, &text, &size, "UTF-8", 1);
    if (!text)
        abort();
    harness_print("%s", (const char *)text);
    xmlFree(text);
    xmlFreeDoc(doc);
}

static void fuzz(Arena *a, const uint8_t *data, size_t size)
{
    static bool started;
    uint64_t bits = strmap_hash_bytes(HASH_SEED, data, size);
    const char *argv[16] = {"npu-advise", harness_file(data, size)};
    int n = 2;
    Diag diag;
    Args args;
    Notes notes;
    AdviseRequest q;
    xmlDoc *doc = NULL;
    if (!started)
        xml_startup();
    started = true;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        const char *one = sets[i][bits >> 2 * i & 3];
        if (one)
            argv[n++] = one;
    }
    notes_init(&notes, a);
    if (args_parse(a, n, (char **)argv, &args, &diag) ||
        request_from_args(a, &args, &notes, &q, &diag) || advise_facts(a, &q, &doc, &diag))
        harness_print("%s\n", diag.text);
    else
        say_facts(doc);
}
