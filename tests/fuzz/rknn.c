/* Fuzzes reading of RKNN's performance tables. What must hold for any bytes: a row for each layer
 * with the shapes that it prints, times that join and sum to those of the rows, and no part of a
 * row's time that is longer than the row. */
#include "advisor/advise/compiled/layer_facts.h"
#include "advisor/advise/compiled/table_traits.h"
#include "graph/base/xml.h"
#include "graph/import/imported.h"
#include "tests/fuzz/harness.h"

#include <math.h>

static void demand(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "does not hold: %s\n", what);
    abort();
}

static void check_row(const Imported *g, const LayerTimes *t, size_t i)
{
    const RknnRow *row = &g->rknn->row[i];
    const TableRow *x = &t->table->row[i];
    double ns = fmax(t->ns[i], 0) * (1 + 1e-9);
    demand(row->type && row->in_shape && row->out_shape && row->target < RKNN_TARGET_COUNT,
           "a row is whole");
    demand(x->table_ns >= 0 && x->table_ns <= ns && x->padding_ns >= 0 && x->padding_ns <= ns &&
               x->memory_ns >= 0 && x->memory_ns <= ns,
           "a part is no longer than its row");
    demand(!x->unsteady || x->fastest_ns < ns, "a slow row has a faster one");
    for (size_t k = 0; k < g->op[i].ninput + g->op[i].noutput; k++)
        demand(layer_tensor(&g->op[i], k) < g->ntensor, "a row has tensors of its graph");
    harness_print("%lld %s %.9g us\n", (long long)row->id, row->type, row->time_us);
}

static void fuzz(Arena *a, const uint8_t *data, size_t size)
{
    Imported *g = NULL;
    EngineTimes times;
    Diag diag;
    InFile file = {.path = "fuzz", .data = data, .size = size};
    engine_times_init(&times, a);
    if (!imported_recognise(file) || imported_read(a, file, &g, &diag) || !g->rknn) {
        harness_print("no table\n");
        return;
    }
    table_times(&times, g);
    LayerTimes *t = layer_times_join(a, g, &times);
    table_judge(a, t);
    demand(g->rknn->nrow == g->nop, "a row for each layer");
    demand(!g->rknn->timed || t->joined == g->nop, "each row has its time");
    for (size_t i = 0; i < g->nop; i++)
        check_row(g, t, i);
    harness_print("grade %c, %zu issues\n", t->grade, t->nissue);
    xmlDoc *facts = layer_facts(a, t, layer_traits_find(a, t), NULL);
    xmlFreeDoc(facts);
}
