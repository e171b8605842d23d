/* Fuzzes the compiler, and the importers of compiled graphs: whatever loads must compile or be
 * refused, and what the program promises must hold. */
#include "advisor/render/program/lowered.h"
#include "cost_model/costs.h"
#include "graph/base/notes.h"
#include "graph/base/strmap.h"
#include "graph/base/xml.h"
#include "graph/compile/compile.h"
#include "graph/import/imported.h"
#include "graph/onnx/onnx.h"
#include "tests/fuzz/harness.h"

static Arena *fixed; /* lives as long as the program */
static Machine *machine;
static Costs *costs;

/* Options and values of them. */
static const struct {
    OptionId option;
    const char *value;
} more[] = {
    {OPTION_INPUT_DTYPE, "uint8"},
    {OPTION_OUTPUT_DTYPE, "int8"},
    {OPTION_OUTPUT_DTYPE, "float32"},
    {OPTION_INPUT_DTYPE, "int8"},
    {OPTION_PERMUTE_INPUT, "[[0,2,3,1]]"},
    {OPTION_HOST_CORES, "2"},
    {OPTION_UNKNOWN_ON, "npu"},
    {OPTION_COMPILER_CONFIG, "tabulate_dequantize=true"},
    {OPTION_COMPILER_CONFIG, "without_quantize=true"},
    {OPTION_COMPILER_CONFIG, "keep_unsignedness=true"},
    {OPTION_COMPILER_CONFIG, "use_program_loading=true"},
};

/* Options that the bytes choose: target, SDK, batch, how inputs are fed. */
static CompileOptions choose(Arena *a, uint64_t bits)
{
    CompileOptions o;
    Diag diag;
    compile_options_init(&o);
    o.pe = bits & 1 ? 1 : 2;
    o.sdk = SDK_OLDEST + (Sdk)(bits >> 1) % (SDK_NEWEST - SDK_OLDEST + 1);
    o.batch = 1 + (int64_t)(bits >> 8 & 7);
    if (bits >> 12 & 1)
        compile_option_set(&o, a, OPTION_PERMUTE_INPUT, "[[0,3,1,2]]", &diag);
    if (bits >> 13 & 1)
        compile_option_set(&o, a, OPTION_COMPILER_CONFIG, "remove_unlower=true", &diag);
    if (bits >> 14 & 1)
        compile_option_set(&o, a, OPTION_COMPILER_CONFIG, "lower_tabulated_dequantize=true", &diag);
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        if ((bits >> (16 + 2 * i) & 3) == 1)
            compile_option_set(&o, a, more[i].option, more[i].value, &diag);
    return o;
}

static void say_cycles(size_t i, LowOpCycles c)
{
    harness_print("%zu: %" PRId64 " %" PRId64 " cycles of %d %d\n", i, c.width, c.channel, c.ho,
                  c.co);
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
    CompileOptions o = choose(a, strmap_hash_bytes(HASH_SEED, data, size));
    if (compile_model(a, m, machine, &o, &notes, &p, &diag) == STATUS_OK) {
        if (program_verify(p, &diag)) {
            fprintf(stderr, "broken promise: %s\n", diag.text);
            abort();
        }
        for (size_t i = 0; i < p->nstep; i++)
            (void)step_key(p, &p->step[i]);
        for (size_t i = 0; i < p->nop; i++)
            say_cycles(i, program_lowop_cycles(p->machine, &p->op[i]));
        Prediction *t = predict(a, p, costs, &(RunOptions){.workers = 1, .devices = 1});
        lowered_text(&(PhraseOut){harness_said, NULL, a}, p, t, true);
    } else {
        harness_print("%s\n", diag.text);
    }
    model_close(m);
}

static void start(void)
{
    Diag diag;
    xml_startup();
    fixed = arena_new(0);
    if (machine_load(fixed, "rules/targets/warboy.xml", &machine, &diag) ||
        costs_load(fixed, "rules/targets/warboy.xml", NULL, &costs, &diag)) {
        fprintf(stderr, "%s\n", diag.text);
        abort();
    }
}

static void say_imported(const Imported *g)
{
    harness_print("kind %d, %s, %s, %zu profiles, %zu cross, %zu cuts\n", (int)g->kind,
                  or_none(g->target), or_none(g->sdk), g->nprofile, g->ncrossing, g->ncut);
    for (size_t i = 0; i < g->nop; i++) {
        const ImportOp *op = &g->op[i];
        harness_print("%s %s %s %s of %" PRIu32 ":", or_none(op->name), or_none(op->type),
                      or_none(op->kind), import_work_name(op->work), op->subgraph);
        for (size_t k = 0; k < op->ninput; k++)
            harness_print(" %" PRIu32, op->input[k]);
        harness_print(" to");
        for (size_t k = 0; k < op->noutput; k++)
            harness_print(" %" PRIu32, op->output[k]);
        harness_print("\n");
    }
    for (size_t i = 0; i < g->ntensor; i++) {
        const ImportTensor *t = &g->tensor[i];
        harness_print("%s %s %s %d %d %d %d %" PRId64 " %" PRIu32 " %" PRIu32 ":", or_none(t->name),
                      or_none(t->format), or_none(t->layout), (int)t->dtype, t->on_host, t->bound,
                      t->crosses, t->bytes, t->producer, t->nconsumer);
        for (int k = 0; k < t->rank && k < IMPORT_RANK_MAX; k++)
            harness_print(" %" PRId64, t->dim[k]);
        harness_print("\n");
    }
    for (size_t i = 0; i < g->nsubgraph; i++)
        harness_print("%s\n", or_none(g->subgraph[i]));
}

static void fuzz(Arena *a, const uint8_t *data, size_t size)
{
    InFile file = {.path = "fuzz", .data = data, .size = size};
    Diag diag;
    Imported *g;
    if (!fixed)
        start();
    if (imported_recognise(file) && imported_read(a, file, &g, &diag))
        harness_print("%s\n", diag.text);
    else if (imported_recognise(file))
        say_imported(g);
    else
        compile_one(a, data, size);
}
