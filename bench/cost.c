/* Time of one prediction, for bench/cost.py: ops, steps, best of 50 in µs, and the same for a
 * program whose ops are repeated until there are 50,000. */
#include "cost_model/predict.h"
#include "graph/base/xml.h"
#include "graph/compile/compile.h"
#include "graph/onnx/onnx.h"

#include <time.h>

enum { ROUNDS = 50, MANY = 50000 };

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static double best_us(const Program *p, const Costs *c)
{
    RunOptions run = {.workers = 1, .devices = 1};
    double best = 1e12;
    for (int i = 0; i < ROUNDS; i++) {
        Arena *scratch = arena_new(0);
        double start = now_us();
        predict(scratch, p, c, &run);
        double took = now_us() - start;
        best = took < best ? took : best;
        arena_free(scratch);
    }
    return best;
}

/* One NPU step with the program's ops over and over. */
static Program grown(Arena *a, const Program *p)
{
    Program big = *p;
    Step *npu = ARENA_NEW(a, Step);
    big.nop = MANY;
    big.op = ARENA_ARRAY(a, LowOp, MANY);
    for (size_t i = 0; i < MANY; i++)
        big.op[i] = p->op[i % p->nop];
    *npu = (Step){.kind = STEP_NPU, .op = "npu", .nop = MANY, .known = true};
    big.step = npu;
    big.nstep = 1;
    return big;
}

int main(int argc, char **argv)
{
    Arena *a = arena_new(0);
    Machine *machine;
    Costs *costs;
    Model *model;
    Program *program;
    Notes notes;
    Diag diag;
    CompileOptions o;
    xml_startup();
    notes_init(&notes, a);
    compile_options_init(&o);
    if (argc != 2 || machine_load(a, "warboy", &machine, &diag) ||
        costs_load(a, "warboy", NULL, &costs, &diag) ||
        onnx_load(a, argv[1], &notes, &model, &diag) ||
        compile_model(a, model, machine, &o, &notes, &program, &diag)) {
        fprintf(stderr, "%s\n", diag.text);
        return 2;
    }
    Program big = grown(a, program);
    printf("%zu ops: %.0f us (goal 200); %d ops: %.1f ms (goal 100)\n", program->nop,
           best_us(program, costs), MANY, best_us(&big, costs) / 1e3);
    arena_free(a);
    return 0;
}
