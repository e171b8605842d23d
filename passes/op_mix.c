/* Divides the NPU's time between the kinds of operators. */
#include "passes/pass.h"
#include "graph/compile/program.h"

typedef enum { MIX_PRODUCT, MIX_DEPTHWISE, MIX_ELEMENTWISE, MIX_POOL, MIX_MOVE, MIX_COUNT } Mix;

static const char *const mix_name[] = {"product", "depthwise", "elementwise", "pool", "move"};
static_assert(sizeof mix_name / sizeof *mix_name == MIX_COUNT, "a name for each class");

static const Mix mix_of[] = {
#define MIX_OF(kind, mix) [LOWOP_##kind] = MIX_##mix,
#include "passes/op_mix.def"
};
static_assert(sizeof mix_of / sizeof *mix_of == LOWOP_KIND_COUNT, "a class for each kind");

typedef struct {
    double ns;
    int64_t ops;
    LowOpId longest;
} Part;

static void add_part(const PassInput *in, FindingList *out, Mix mix, const Part *part,
                     double all_ns)
{
    const LowOp *op = &in->program->op[part->longest];
    Finding *f = finding_add(out, "op-mix");
    f->node = op->nnode ? op->node[0] : NODE_NONE;
    finding_text(out, f, "class", mix_name[mix]);
    finding_text(out, f, "op", program_lowop_name(op->kind));
    finding_int(out, f, "ops", part->ops);
    finding_int(out, f, "time-ns", (int64_t)part->ns);
    finding_real(out, f, "share", part->ns / all_ns);
}

void pass_op_mix(const PassInput *in, FindingList *out)
{
    const Program *p = in->program;
    const OpPrediction *t = in->time->op;
    Part part[MIX_COUNT] = {0};
    double all_ns = 0;
    for (size_t i = 0; i < p->nop; i++) {
        assert(p->op[i].kind < LOWOP_KIND_COUNT);
        Part *x = &part[mix_of[p->op[i].kind]];
        if (x->ops++ == 0 || t[i].total_ns.mid > t[x->longest].total_ns.mid)
            x->longest = (LowOpId)i;
        x->ns += t[i].total_ns.mid;
        all_ns += t[i].total_ns.mid;
    }
    for (Mix m = MIX_PRODUCT; m < MIX_COUNT; m++)
        if (part[m].ns > 0)
            add_part(in, out, m, &part[m], all_ns);
}
