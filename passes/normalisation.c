/* Finds arithmetic with constants between an input and the first Conv. */
#include "passes/rewritable.h"

enum { CHAIN_MAX = 16 };

/* What stands between the input and the Conv's first input, from below. */
typedef struct {
    NodeId node[CHAIN_MAX];
    size_t n;
    TensorId top;
} Chain;

static Chain chain_above(const Graph *g, const Node *conv)
{
    Chain c = {.top = conv->input[0]};
    while (c.n < CHAIN_MAX && g->tensor[c.top].producer != NODE_NONE) {
        NodeId id = g->tensor[c.top].producer;
        if (!op_is(g->node[id].op_id, OP_Add, OP_Sub, OP_Mul, OP_Div, OP_BatchNormalization) ||
            g->node[id].input[0] == TENSOR_NONE)
            break;
        c.node[c.n++] = id;
        c.top = g->node[id].input[0];
    }
    return c;
}

static void add_normalisation(const PassInput *in, FindingList *out, const Scene *s, NodeId conv,
                              const double *ns)
{
    const Graph *g = s->graph;
    Chain c = chain_above(g, &g->node[conv]);
    double sum = 0;
    const char *ops = "";
    if (!g->tensor[c.top].is_input)
        return;
    for (size_t i = c.n; i-- > 0;) {
        sum += ns[c.node[i]];
        ops = arena_printf(out->arena, "%s%s%s", ops, *ops ? ", " : "", g->node[c.node[i]].op);
    }
    RewriteKind k = rewrite_refusal(s, REWRITE_FOLD_NORMALISATION, conv)
                        ? REWRITE_FOLD_NORMALISATION_BORDERS
                        : REWRITE_FOLD_NORMALISATION;
    Finding *f = finding_at_node(in, out, "normalisation", conv, sum);
    finding_text(out, f, "rewrite", rewrite_name(k));
    finding_text(out, f, "exact", k == REWRITE_FOLD_NORMALISATION ? "yes" : "no");
    finding_text(out, f, "ops", ops);
    finding_text(out, f, "input", g->tensor[c.top].name);
    finding_int(out, f, "input-index", (uint32_t)LIST_INDEX(i, g->ninput, g->input[i] == c.top));
}

void pass_normalisation(const PassInput *in, FindingList *out)
{
    const double *ns = node_times(out->arena, in);
    Scene s = rewritable_scene(in);
    for (size_t i = 0; i < s.graph->nnode; i++)
        if (!rewrite_refusal(&s, REWRITE_FOLD_NORMALISATION_BORDERS, (NodeId)i))
            add_normalisation(in, out, &s, (NodeId)i, ns);
}
