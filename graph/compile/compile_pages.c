/* The guide has two support pages.  One decides where an op goes; what runs on the NPU by it alone
 * is listed, because whoever reads the other page expects it on the host. */
#include "graph/compile/compile_state.h"

static void add(Compile *c, size_t *cap, const Ir *op, const Said *why)
{
    Program *p = c->program;
    size_t at = 0;
    while (at < p->nother_page && !said_equal(p->other_page[at].why, why))
        at++;
    if (at == p->nother_page)
        *VEC_PUSH(c->arena, p->other_page, p->nother_page, *cap) =
            (OtherPage){.why = why, .first = op->node};
    p->other_page[at].ops++;
}

void compile_pages(Compile *c)
{
    size_t cap = 0;
    for (size_t i = 0; i < c->nir; i++) {
        const Ir *op = &c->ir[i];
        if (op->merged || !op->on_npu)
            continue;
        Support s = support_ask(c, op, PAGE_OTHER);
        if (!s.allowed)
            add(c, &cap, op, s.why);
    }
}
