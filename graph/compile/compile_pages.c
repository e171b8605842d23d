/* Compares the placement with the guide's second support page. The first page alone decides
 * where an op runs; an op that runs on the NPU by the first page only is listed, because
 * readers of the second expect it on the host. So is an op that neither page names and that we
 * take for one of the first. */
#include "graph/base/messages.h"
#include "graph/compile/compile_state.h"

static void add_page(Compile *c, size_t *cap, const Ir *op, const Message *why, bool own_reading)
{
    Program *p = c->program;
    size_t at = LIST_INDEX(i, p->nother_page, message_equal(p->other_page[i].why, why));
    if (at == p->nother_page)
        *VEC_PUSH(c->arena, p->other_page, p->nother_page, *cap) =
            (OtherPage){.why = why, .first = op->node, .own_reading = own_reading};
    p->other_page[at].ops++;
}

/* The sentence about an operator that the page has under another name; NULL when it has it. */
static const Message *own_reading(Compile *c, const Ir *op)
{
    const char *own = compile_op_own_name(c, op), *taken = compile_op_table_name(c, op);
    if (strcmp(own, taken) == 0 || compile_is_depthwise(c, op) || compile_is_parts(c, op))
        return NULL;
    return MESSAGE(c->arena, MESSAGE_ID(OWN_READING), arg_text(own), arg_text(taken));
}

void compile_pages(Compile *c)
{
    size_t cap = 0;
    for (size_t i = 0; i < c->nir; i++) {
        const Ir *op = &c->ir[i];
        if (op->merged || !op->on_npu)
            continue;
        const Message *read = own_reading(c, op);
        Support s = support_find(c, op, PAGE_OTHER);
        if (read)
            add_page(c, &cap, op, read, true);
        if (!s.allowed)
            add_page(c, &cap, op, s.why, false);
    }
}
