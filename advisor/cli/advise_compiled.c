/* npu-advise COMPILED: advice for a graph that was compiled elsewhere. */
#include "advisor/compiled/imported_show.h"
#include "advisor/forms/formats.h"
#include "advisor/cli/output.h"
#include "advisor/options/args.h"
#include "advisor/result/result.h"
#include "graph/import/imported.h"

enum { PROBE_BYTES = 4096 };

bool compiled_recognise(const char *path)
{
    uint8_t beginning[PROBE_BYTES];
    size_t n = infile_peek(path, beginning, sizeof beginning);
    return imported_recognise((InFile){.data = beginning, .size = n});
}

static Status refuse_form(Context *c, const Args *args, const char *form, const char *path)
{
    if (!args_text(args, form, NULL))
        return STATUS_OK;
    return diag_set(c->diag, STATUS_USAGE, path_base(path), NULL,
                    "is a compiled graph, which --%s cannot show; text and --json can", form);
}

static Status check_forms(Context *c, const Args *args, const char *path)
{
    Status st = refuse_form(c, args, "html", path);
    for (const OutputFormat *f = output_format_table; !st && f->name; f++)
        if (f->is_option)
            st = refuse_form(c, args, f->name, path);
    return st;
}

static Status show(Context *c, const Args *args, const Imported *g)
{
    bool taken;
    cJSON *tree = imported_json(g);
    Status st = output_json(c, args, tree, &taken);
    cJSON_Delete(tree);
    if (st || taken)
        return st;
    imported_text(c->out, g, args_flag(args, "verbose"));
    imported_advice(c->out, g, args_text(args, "lang", "en"));
    return STATUS_OK;
}

Status compiled_show(Context *c, const Args *args, const char *path)
{
    InFile file;
    Imported *g;
    Status st = check_forms(c, args, path);
    if (!st)
        st = infile_open(&file, path, 0, c->diag);
    if (st)
        return st;
    st = imported_read(c->arena, file, &g, c->diag);
    infile_close(&file);
    if (!st)
        st = show(c, args, g);
    return st ? st
              : diag_set(c->diag, STATUS_UNDECIDED, path_base(path), NULL,
                         "no gain can be told of a compiled graph: %s", imported_no_gain(g));
}
