/* Appends findings and their attributes, each as the text of the facts document. */
#include "passes/pass.h"

Finding *finding_add(FindingList *l, const char *kind)
{
    assert(kind && *kind);
    Finding *f = VEC_PUSH(l->arena, l->item, l->nitem, l->cap);
    *f = (Finding){
        .pass = l->pass, .kind = kind, .step = STEP_NONE, .node = NODE_NONE, .tensor = TENSOR_NONE};
    return f;
}

ENUM_WORDS(pass_io_name, IoKind, IO_OUTPUT + 1, "none", "input", "output")

void finding_text(FindingList *l, Finding *f, const char *name, const char *value)
{
    assert(f && name && *name);
    *VEC_PUSH(l->arena, f->attr, f->nattr, f->cap) = (FindingAttr){name, value ? value : "", NULL};
}

void finding_message(FindingList *l, Finding *f, const char *name, const Message *said)
{
    finding_text(l, f, name, said ? message_format(l->arena, NULL, said) : "");
    f->attr[f->nattr - 1].said = said;
}

void finding_int(FindingList *l, Finding *f, const char *name, int64_t value)
{
    finding_text(l, f, name, arena_printf(l->arena, "%" PRId64, value));
}

void finding_real(FindingList *l, Finding *f, const char *name, double value)
{
    finding_text(l, f, name, arena_printf(l->arena, "%.6g", value));
}
