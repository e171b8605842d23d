/* Implements `npu-advise facts`, which prints the document that rules match. */
#include "advisor/advise/compiled/compiled.h"
#include "advisor/options/command.h"
#include "advisor/advise/advise.h"
#include "advisor/advise/request.h"

#include "graph/base/log_command.h"

static Status write_facts(Context *c, xmlDoc *doc)
{
    xmlChar *text = NULL;
    int size = 0;
    xmlDocDumpFormatMemoryEnc(doc, &text, &size, "UTF-8", 1);
    if (!text)
        return diag_set(c->diag, STATUS_INPUT, NULL, "facts", "out of memory");
    for (int i = 0; i < size; i++) {
        if (log_command_at((const char *)text + i))
            fputs("&#35;", c->out);
        else
            putc(text[i], c->out);
    }
    xmlFree(text);
    return STATUS_OK;
}

Status cmd_facts(Context *c, const Args *args)
{
    AdviseRequest q;
    Status st = request_from_args(c->arena, args, c->notes, &q, c->diag);
    st = st ? st : compiled_take_table(c->arena, &q, c->diag);
    xmlDoc *doc = NULL;
    if (!st)
        st = compiled_recognise(q.model_path) ? compiled_facts(c->arena, &q, &doc, c->diag)
                                              : advise_facts(c->arena, &q, &doc, c->diag);
    st = st ? st : write_facts(c, doc);
    if (doc)
        xmlFreeDoc(doc);
    return st;
}
