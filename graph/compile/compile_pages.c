/* The guide has two support pages.  One decides where an op goes; what runs on the NPU by it alone
 * is listed, because whoever reads the other page expects it on the host. */
#include "graph/compile/compile_state.h"

static void add(Compile *c, StrMap *by_why, size_t *cap, const Ir *op, const char *why)
{
    Program *p = c->program;
    uint32_t at = strmap_get(by_why, why);
    if (at == STRMAP_NONE) {
        at = (uint32_t)p->nother_page;
        strmap_put(by_why, why, at);
        *VEC_PUSH(c->arena, p->other_page, p->nother_page, *cap) =
            (OtherPage){.why = why, .first = op->node};
    }
    p->other_page[at].ops++;
}

void compile_pages(Compile *c)
{
    StrMap by_why;
    size_t cap = 0;
    strmap_init(&by_why, c->scratch, 8);
    for (size_t i = 0; i < c->nir; i++) {
        const Ir *op = &c->ir[i];
        if (op->merged || !op->on_npu)
            continue;
        Support s = support_ask(c, op, PAGE_OTHER);
        if (!s.allowed)
            add(c, &by_why, &cap, op, s.why);
    }
}
