/* Fuzzes reading of engines: a layer list, a profile, times and a log, one behind the other,
 * separated by a line of "%%%%". What must hold for any bytes: what joins is part of what was
 * measured, layers that are named are there, and no bound is more than all layers together. */
#include "advisor/advise/compiled/bounds.h"
#include "advisor/advise/compiled/layer_facts.h"
#include "advisor/advise/compiled/layer_traits.h"
#include "advisor/advise/compiled/layer_times.h"
#include "graph/base/xml.h"
#include "graph/import/imported.h"
#include "tests/fuzz/harness.h"
#include "trace/readers/engine.h"

#include <math.h>

static void demand(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "does not hold: %s\n", what);
    abort();
}

static void check_look(const Imported *g, const LayerTraits *look)
{
    for (size_t i = 0; i < g->nop; i++) {
        demand(look[i].kind < LAYER_KIND_COUNT, "a layer has a kind");
        for (size_t k = 0; k < look[i].nbefore; k++)
            demand(look[i].before[k] < g->nop, "what comes before is a layer");
        for (size_t k = 0; k < look[i].nbehind; k++)
            demand(look[i].behind[k] < g->nop, "what comes behind is a layer");
    }
}

/* Every layer, removed twice and changed: none counts twice. */
static void check_bound(Arena *a, const LayerTimes *t)
{
    uint32_t *all = ARENA_ARRAY(a, uint32_t, t->graph->nop + 1);
    for (size_t i = 0; i < t->graph->nop; i++)
        all[i] = (uint32_t)i;
    Occurrence place = {
        .bound = {
            .removes = all, .nremoves = t->graph->nop, .changes = all, .nchanges = t->graph->nop}};
    Bound one = bound_of_occurrence(a, t, &place);
    demand(one.at_most_ns <= t->joined_ns * (1 + 1e-9) + 1, "no bound is more than what joined");
}

/* As it is: names need not be UTF-8 here. */
static void say_element(const xmlNode *n)
{
    for (; n; n = n->next) {
        harness_print("%s", (const char *)n->name);
        for (const xmlAttr *x = n->properties; x; x = x->next)
            harness_print(" %s=%s", (const char *)x->name,
                          x->children ? or_none((const char *)x->children->content) : "");
        harness_print("\n");
        say_element(n->children);
    }
}

static void check(Arena *a, const Imported *g, EngineTimes *times)
{
    LayerTimes *t = layer_times_join(a, g, times);
    demand(t->joined_ns <= t->sum_ns * (1 + 1e-9) + 1, "what joins was measured");
    demand(t->joined + t->stray == times->nrow || t->joined <= g->nop, "a record joins one layer");
    for (size_t i = 0; i < g->nop; i++)
        demand(t->ns[i] == LAYER_UNTIMED || t->ns[i] >= 0, "a layer has a time or none");
    LayerTraits *look = layer_traits_find(a, t);
    check_look(g, look);
    check_bound(a, t);
    for (size_t i = 0; i < g->nop; i++)
        harness_print("%zu: kind %d, %.9g ns, %zu before, %zu behind\n", i, (int)look[i].kind,
                      t->ns[i], look[i].nbefore, look[i].nbehind);
    harness_print("%zu joined, %zu stray, %.9g of %.9g ns\n", t->joined, t->stray, t->joined_ns,
                  t->sum_ns);
    xmlDoc *facts = layer_facts(a, t, look, NULL);
    say_element(xmlDocGetRootElement(facts));
    xmlFreeDoc(facts);
}

/* What is packed or UTF-16 goes through a file, as all do in the program. */
static InFile as_text(Arena *a, InFile file, Diag *diag)
{
    char sha256[65];
    InFile text;
    bool packed =
        file.size >= 2 && (!memcmp(file.data, "\xff\xfe", 2) || !memcmp(file.data, "\x1f\x8b", 2));
    if (!packed || engine_text(a, harness_file(file.data, file.size), &text, sha256, diag))
        return file;
    return text;
}

static void fuzz(Arena *a, const uint8_t *data, size_t size)
{
    static const char mark[] = "\n%%%%\n";
    Imported *g = NULL;
    EngineTimes times;
    Diag diag;
    engine_times_init(&times, a);
    while (size) {
        const uint8_t *end = memmem(data, size, mark, sizeof mark - 1);
        size_t n = end ? (size_t)(end - data) : size;
        InFile file = as_text(a, (InFile){.path = "fuzz", .data = data, .size = n}, &diag);
        if (!g && imported_recognise(file)) {
            if (imported_read(a, file, &g, &diag)) {
                g = NULL;
                harness_print("%s\n", diag.text);
            }
        } else if (engine_times_add(&times, file, "", &diag)) {
            harness_print("%s\n", diag.text);
        } else if (g) {
            harness_print("%zu of a log\n",
                          imported_take_log(g, (const char *)file.data, file.size));
        }
        size_t skip = end ? n + sizeof mark - 1 : n;
        data += skip;
        size -= skip;
    }
    if (g && g->nop)
        check(a, g, &times);
}
