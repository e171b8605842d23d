/* Fuzzes the loaders of target and calibration files: <machine>, <costs>, and overrides. */
#include "cost_model/costs.h"
#include "graph/base/xml.h"
#include "tests/fuzz/harness.h"

static void fuzz(Arena *a, const uint8_t *data, size_t size)
{
    static int started;
    Diag diag;
    Machine *machine;
    Costs *costs;
    const char *path = harness_file(data, size);
    if (!started++)
        xml_startup();
    harness_print("machine: %d\n", (int)machine_load(a, path, &machine, &diag));
    harness_print("costs: %d\n", (int)costs_load(a, path, NULL, &costs, &diag));
    harness_print("overrides: %d\n", (int)costs_load(a, "warboy", path, &costs, &diag));
}
