/* Fuzzes the loaders of target and calibration files: <machine>, <costs>, and overrides. */
#include "cost_model/costs.h"
#include "graph/base/xml.h"
#include "tests/fuzz/bytes_file.h"

#include <setjmp.h>

static jmp_buf exhausted;

static void leave(size_t used, size_t limit, void *user)
{
    (void)used;
    (void)limit;
    (void)user;
    longjmp(exhausted, 1);
}

static void fuzz(Arena *a, const uint8_t *data, size_t size)
{
    Diag diag;
    Machine *machine;
    Costs *costs;
    const char *path = bytes_file(data, size);
    machine_load(a, path, &machine, &diag);
    costs_load(a, path, NULL, &costs, &diag);
    costs_load(a, "warboy", path, &costs, &diag);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int started;
    if (!started++)
        xml_startup();
    Arena *a = arena_new((size_t)256 << 20);
    arena_on_exhausted(a, leave, NULL);
    if (setjmp(exhausted) == 0)
        fuzz(a, data, size);
    arena_free(a);
    return 0;
}

#ifndef FUZZER
int main(int argc, char **argv)
{
    return replay_files(argc, argv, LLVMFuzzerTestOneInput);
}
#endif
