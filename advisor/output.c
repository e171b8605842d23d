/* Where results go. */
#include "advisor/output.h"

#include "graph/base/file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool wants_colour(int choice, FILE *out)
{
    enum { AUTO, ALWAYS };
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    if (choice != AUTO)
        return choice == ALWAYS;
    return (!no_color || !*no_color) && term && strcmp(term, "dumb") && isatty(fileno(out));
}

static bool says_how_to_print(const char *name)
{
    static const char *const those[] = {"json", "html",  "format", "top", "verbose", "color",
                                        "lang", "quiet", "output", "set", "verify"};
    for (size_t i = 0; i < sizeof those / sizeof *those; i++)
        if (!strcmp(name, those[i]))
            return true;
    return false;
}

/* The command as it was given, less what only says how to print it, and --verify. */
static char *again(Arena *a, const Args *args)
{
    const char *model = args->npositional ? args->positional[0] : "";
    char *line = arena_printf(a, "npu-advise %s", shell_word(a, model));
    for (size_t i = 0; i < args->ngiven; i++) {
        const GivenOption *g = &args->given[i];
        if (says_how_to_print(g->name))
            continue;
        line = arena_printf(a, "%s --%s", line, g->name);
        if (*g->value)
            line = arena_printf(a, "%s %s", line, shell_word(a, g->value));
    }
    return line;
}

Status view_from_args(Context *c, const Args *args, View *ret)
{
    int lang, colour;
    int64_t top;
    Status st = args_choice(args, "lang", "en|ko", 0, &lang, c->diag);
    if (!st)
        st = args_choice(args, "color", "auto|always|never", 0, &colour, c->diag);
    if (!st)
        st = args_int(args, "top", 8, 1, 1000000, &top, c->diag);
    if (st)
        return st;
    *ret = (View){.lang = lang ? "ko" : "en",
                  .colour = wants_colour(colour, c->out),
                  .verbose = args_flag(args, "verbose"),
                  .top = (size_t)top,
                  .again = again(c->arena, args)};
    return STATUS_OK;
}

static bool is_stdout(const char *path)
{
    return path && !strcmp(path, "-");
}

Status output_html(Context *c, const Args *args, const cJSON *tree, const View *view,
                   bool (*render)(FILE *, const cJSON *, const View *), bool *ret_to_stdout)
{
    const char *path = args_text(args, "html", NULL), *json = args_text(args, "json", NULL);
    OutFile f;
    *ret_to_stdout = is_stdout(path);
    if (!path)
        return STATUS_OK;
    if (is_stdout(path) && (is_stdout(json) || strcmp(args_text(args, "format", "text"), "text")))
        return diag_set(c->diag, STATUS_USAGE, NULL, NULL,
                        "--html - and JSON cannot both go to stdout");
    Status st = outfile_open(&f, path, c->diag);
    if (st)
        return st;
    if (!render(f.stream, tree, view)) {
        outfile_abort(&f);
        return diag_set(c->diag, STATUS_INPUT, path, NULL, "cannot write the page");
    }
    return outfile_commit(&f, c->diag);
}

Status output_json(Context *c, const Args *args, const cJSON *tree, bool *ret_to_stdout)
{
    const char *path = args_text(args, "json", NULL);
    int format;
    Status st = args_choice(args, "format", "text|json", 0, &format, c->diag);
    if (!st && path)
        st = json_save(tree, path, c->out, c->diag);
    if (!st && format == 1 && !is_stdout(path))
        json_print(c->out, tree);
    *ret_to_stdout = format == 1 || is_stdout(path);
    return st;
}

Status output_result(Context *c, const Args *args, const cJSON *result, const View *view)
{
    bool page = false, json = false;
    Status st = output_html(c, args, result, view, html_result, &page);
    if (!st)
        st = output_json(c, args, result, &json);
    if (!st && !page && !json)
        text_result(c->out, result, view);
    return st;
}
