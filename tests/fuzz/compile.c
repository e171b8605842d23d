/* Fuzzes the compiler, and the importers of compiled graphs: whatever loads must compile or be
 * refused, and what the program promises must hold.
 * Built with -DFUZZER it is a libFuzzer target; without, a program that replays the files given. */
#include "graph/base/strmap.h"
#include "graph/base/xml.h"
#include "graph/compile.h"
#include "graph/imported.h"
#include "graph/onnx.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

enum { MEMORY_LIMIT_MIB = 512 };

static jmp_buf exhausted;
static Machine *machine;

static void leave(size_t used, size_t limit, void *user)
{
    (void)used;
    (void)limit;
    (void)user;
    longjmp(exhausted, 1);
}

/* Options that the bytes choose: target, SDK, batch, how inputs are fed. */
static CompileOptions choose(Arena *a, uint64_t bits)
{
    CompileOptions o;
    Diag diag;
    bool known;
    compile_options_init(&o);
    o.pe = bits & 1 ? 1 : 2;
    o.sdk = SDK_OLDEST + (Sdk)(bits >> 1) % (SDK_NEWEST - SDK_OLDEST + 1);
    o.batch = 1 + (int64_t)(bits >> 8 & 7);
    if (bits >> 12 & 1)
        compile_option_set(&o, a, "permute-input", "[[0,3,1,2]]", &known, &diag);
    if (bits >> 13 & 1)
        compile_option_set(&o, a, "compiler-config", "remove_unlower=true", &known, &diag);
    if (bits >> 14 & 1)
        compile_option_set(&o, a, "compiler-config", "lower_tabulated_dequantize=true", &known,
                           &diag);
    return o;
}

static void compile_one(Arena *a, const uint8_t *data, size_t size)
{
    Diag diag;
    Notes notes;
    Model *m;
    Program *p;
    notes_init(&notes, a);
    if (onnx_load_bytes(a, "fuzz.onnx", data, size, &notes, &m, &diag))
        return;
    CompileOptions o = choose(a, hash_bytes(HASH_SEED, data, size));
    if (compile_model(a, m, machine, &o, &notes, &p, &diag) == STATUS_OK) {
        if (program_verify(p, &diag)) {
            fprintf(stderr, "broken promise: %s\n", diag.text);
            abort();
        }
        for (size_t i = 0; i < p->nstep; i++)
            (void)step_key(p, &p->step[i]);
        for (size_t i = 0; i < p->nop; i++)
            (void)lowop_cycles(p->machine, &p->op[i]);
    }
    model_close(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static Arena *fixed;
    Diag diag;
    if (!machine) {
        fixed = arena_new(0);
        xml_startup();
        if (machine_load(fixed, "rules/targets/warboy.xml", &machine, &diag)) {
            fprintf(stderr, "%s\n", diag.text);
            abort();
        }
    }
    Arena *a = arena_new((size_t)MEMORY_LIMIT_MIB << 20);
    arena_on_exhausted(a, leave, NULL);
    if (setjmp(exhausted) == 0) {
        InFile file = {.path = "fuzz", .data = data, .size = size};
        Imported *g;
        if (imported_recognise(file))
            (void)imported_read(a, file, &g, &diag);
        else
            compile_one(a, data, size);
    }
    arena_free(a);
    return 0;
}

#ifndef FUZZER
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        InFile f;
        Diag diag;
        if (infile_open(&f, argv[i], 1 << 26, &diag)) {
            fprintf(stderr, "%s\n", diag.text);
            return 2;
        }
        LLVMFuzzerTestOneInput(f.data, f.size);
        infile_close(&f);
    }
    return 0;
}
#endif
