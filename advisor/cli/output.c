/* Checks the paths of all outputs before the work begins, and writes each form with its view after
 * it. */
#include "advisor/cli/output.h"

#include "advisor/act/apply/apply.h"
#include "advisor/render/forms/formats.h"
#include "advisor/render/tables/set_summary.h"
#include "advisor/message/text_out.h"
#include "advisor/report/command_words.h"
#include "graph/options/option.h"

static bool wants_colour(int choice, FILE *out)
{
    enum { AUTO, ALWAYS };
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    if (choice != AUTO)
        return choice == ALWAYS;
    return (!no_color || !*no_color) && term && strcmp(term, "dumb") && isatty(fileno(out));
}

static bool is_about_printing(OptionId id)
{
    return (option_row(OPTION_OF_ADVISE, id)->use & OPTION_USE_PRINTS) != 0;
}

static const char *append_given(Arena *a, const char *line, const OptionGiven *g)
{
    line = arena_printf(a, "%s%s%s", line, *line ? " " : "", option_flag(g->id));
    return *g->value ? arena_printf(a, "%s %s", line, command_shell_word(a, g->value)) : line;
}

const char *output_settings(Arena *a, const Args *args)
{
    const char *line = "";
    for (size_t i = 0; i < args->ngiven; i++) {
        const OptionGiven *g = &args->given[i];
        if (!is_about_printing(g->id) || g->id == OPTION_VERIFY)
            line = append_given(a, line, g);
    }
    return line;
}

/* The words as they were given, less what only says how to print it, and what `command` does not
 * take. */
static const char *rerun_command(Arena *a, const Args *args, const Command *command)
{
    const char *line = command_shell_word(a, args->npositional ? args->positional[0] : "");
    for (size_t i = 0; i < args->ngiven; i++) {
        const OptionGiven *g = &args->given[i];
        if (!is_about_printing(g->id) && args_command_takes(command, g->id))
            line = append_given(a, line, g);
    }
    return line;
}

/* What is to be typed next. */
static void set_next(Context *c, const Args *args, View *v)
{
    v->again_apply = rerun_command(c->arena, args, &command_table[COMMAND_APPLY]);
}

void view_after(Context *c, const Args *args, ResultRefuted refuted, View *view)
{
    Args less = *args;
    if (refuted != RESULT_REFUTED_MODEL)
        return;
    less.given = ARENA_ARRAY(c->arena, OptionGiven, args->ngiven + 1);
    less.ngiven = 0;
    for (size_t i = 0; i < args->ngiven; i++)
        if (args->given[i].id != OPTION_TRACE && args->given[i].id != OPTION_TRACE_FORMAT)
            less.given[less.ngiven++] = args->given[i];
    set_next(c, &less, view);
}

View view_from_args(Context *c, const Args *args)
{
    View view = {.lang = c->language,
                 .colour = wants_colour(args_word(args, OPTION_COLOR, 0), c->out),
                 .verbose = args_flag(args, OPTION_VERBOSE),
                 .again = rerun_command(c->arena, args, NULL)};
    set_next(c, args, &view);
    return view;
}

static bool is_stdout(const char *path)
{
    return path && !strcmp(path, "-");
}

/* Of --html; in a folder it is `name`. */
static const char *page_path(Context *c, const Args *args, const char *name)
{
    const char *path = args_text(args, OPTION_HTML, NULL);
    return path && file_is_folder(path) ? arena_printf(c->arena, "%s/%s.html", path, name) : path;
}

Status output_page_open(Context *c, const Args *args, OutFile *ret, bool *ret_to_stdout)
{
    const char *path = page_path(c, args, "index"), *json = args_text(args, OPTION_JSON, NULL);
    *ret = (OutFile){0};
    *ret_to_stdout = is_stdout(path);
    if (!path)
        return STATUS_OK;
    if (is_stdout(path) &&
        (is_stdout(json) || strcmp(args_text(args, OPTION_FORMAT, "text"), "text")))
        return diag_set(c->diag, STATUS_USAGE, NULL, NULL,
                        "--html - and JSON cannot both go to stdout");
    return file_out_open(ret, path, c->diag);
}

Status output_page_close(Context *c, const Args *args, OutFile *f, bool is_written)
{
    if (is_written)
        return file_out_commit(f, c->diag);
    file_out_abort(f);
    return diag_set(c->diag, STATUS_INPUT, args_text(args, OPTION_HTML, NULL), NULL,
                    "cannot write the page");
}

Status output_json(Context *c, const Args *args, const cJSON *tree, bool *ret_to_stdout)
{
    const char *path = args_text(args, OPTION_JSON, NULL);
    int format;
    Status st = args_choice(args, OPTION_FORMAT, "text|json", 0, &format, c->diag);
    if (!st && path)
        st = json_save(tree, path, c->out, c->diag);
    if (!st && format == 1 && !is_stdout(path))
        json_print(c->out, tree);
    *ret_to_stdout = format == 1 || is_stdout(path);
    return st;
}

static Status write_form(Context *c, const OutputFormat *f, const char *path, const ResultSet *set,
                         const View *view)
{
    OutFile file;
    Status st = file_out_open(&file, path, c->diag);
    if (st)
        return st;
    if (!f->write(file.stream, set, view)) {
        file_out_abort(&file);
        return diag_set(c->diag, STATUS_INPUT, path, NULL, "cannot write");
    }
    return file_out_commit(&file, c->diag);
}

/* "out.sarif", "out-2.sarif" …: the name of the part that is written after `before` others. */
static const char *numbered_path(Arena *a, const char *path, size_t before)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    int stem = dot ? (int)(dot - path) : (int)strlen(path);
    return before ? arena_printf(a, "%.*s-%zu%s", stem, path, before + 1, dot ? dot : "") : path;
}

/* A form that holds so many results at most becomes several files. */
static Status write_files(Context *c, const OutputFormat *f, const char *path, const ResultSet *set,
                          const View *view)
{
    size_t most = f->most ? f->most : set->count, part = 0;
    Status st = STATUS_OK;
    for (size_t from = 0; !st && (from < set->count || from == 0); from += most) {
        ResultSet some = result_set_slice(set, from, most);
        st = write_form(c, f, numbered_path(c->arena, path, part++), &some, view);
        if (most == 0)
            break;
    }
    return st;
}

size_t output_forms_on_stdout(const Args *args)
{
    const char *form = args_text(args, OPTION_FORMAT, "text");
    size_t n = 0;
    if (is_stdout(args_text(args, OPTION_HTML, NULL)))
        n++;
    if (is_stdout(args_text(args, OPTION_JSON, NULL)) || !strcmp(form, "json"))
        n++;
    for (const OutputFormat *f = output_format_table; f->name; f++)
        if (!strcmp(form, f->name) || (f->option && is_stdout(args_text(args, f->option, NULL))))
            n++;
    return n;
}

/* --sarif FILE …, and --format sarif … */
static Status write_forms(Context *c, const Args *args, const ResultSet *set, const View *view)
{
    const char *form = args_text(args, OPTION_FORMAT, "text");
    for (const OutputFormat *f = output_format_table; f->name; f++) {
        const char *path = f->option ? args_text(args, f->option, NULL) : NULL;
        Status st = path && !is_stdout(path) ? write_files(c, f, path, set, view) : STATUS_OK;
        if (st)
            return st;
        bool here = is_stdout(path) || !strcmp(form, f->name);
        if (here && !f->write(c->out, set, view))
            return diag_set(c->diag, STATUS_INPUT, "stdout", NULL, "cannot write");
    }
    return STATUS_OK;
}

/* The path as given is good for a repository; a line may follow it. */
static View with_anchor(Context *c, const Args *args, const View *view)
{
    View v = *view;
    const char *given = args_text(args, OPTION_ANCHOR, NULL),
               *colon = given ? strrchr(given, ':') : NULL;
    char *end = NULL;
    long line = colon ? strtol(colon + 1, &end, 10) : 0;
    bool has_line = colon && end != colon + 1 && !*end && line > 0 && line < 1000000000;
    v.anchor_line = has_line ? (int)line : 1;
    v.anchor = has_line ? arena_strndup(c->arena, given, (size_t)(colon - given)) : given;
    if (!v.anchor && args->npositional && args->command->id != COMMAND_SHOW &&
        strcmp(args->positional[0], "-"))
        v.anchor = args->positional[0];
    return v;
}

static Status check_form(const Args *args, Diag *diag)
{
    const char *form = args_text(args, OPTION_FORMAT, "text");
    char known[256] = "text|json";
    bool found = !strcmp(form, "text") || !strcmp(form, "json");
    for (const OutputFormat *f = output_format_table; f->name; f++) {
        found |= !strcmp(form, f->name);
        snprintf(known + strlen(known), sizeof known - strlen(known), "|%s", f->name);
    }
    return found ? STATUS_OK
                 : diag_set(diag, STATUS_USAGE, NULL, NULL, "--format '%s' is not one of %s", form,
                            known);
}

static bool writes_file(OptionId id)
{
    static const OptionId more[] = {OPTION_HTML, OPTION_JSON, OPTION_WRITE_BASELINE, OPTION_SQLITE};
    for (const OutputFormat *f = output_format_table; f->name; f++)
        if (f->option == id)
            return true;
    return LIST_ANY(i, sizeof more / sizeof *more, more[i] == id);
}

/* Neither an input nor what another option writes. */
static Status check_path(Context *c, const Args *args, const OptionGiven *output)
{
    const char *path = output->value;
    Status st = file_out_check(path, c->diag);
    for (size_t i = 0; i < args->npositional && !st; i++)
        st = apply_check_overwrite(args->positional[i], path, c->diag);
    for (size_t i = 0; i < args->ngiven && !st; i++) {
        const OptionGiven *g = &args->given[i];
        if (g->id == OPTION_TRACE)
            st = apply_check_overwrite(g->value, path, c->diag);
        else if (g < output && writes_file(g->id) && !is_stdout(path) && !strcmp(g->value, path))
            st = diag_set(c->diag, STATUS_USAGE, path, NULL,
                          "is written by %s and %s; give two files", option_flag(g->id),
                          option_flag(output->id));
    }
    return st;
}

Status output_check_files(Context *c, const Args *args)
{
    Status st = STATUS_OK;
    for (size_t i = 0; i < args->ngiven && !st; i++)
        if (writes_file(args->given[i].id))
            st = check_path(c, args, &args->given[i]);
    return st;
}

Status output_check(Context *c, const Args *args)
{
    Status st = check_form(args, c->diag);
    if (!st && output_forms_on_stdout(args) > 1)
        st = diag_set(c->diag, STATUS_USAGE, NULL, NULL, "only one form can go to stdout");
    return st ? st : output_check_files(c, args);
}

Status output_result(Context *c, const Args *args, const Result *r, const View *view)
{
    bool page, json_form = !strcmp(args_text(args, OPTION_FORMAT, "text"), "json");
    const char *json = args_text(args, OPTION_JSON, NULL);
    View anchored = with_anchor(c, args, view);
    OutFile html;
    ResultEntry entry;
    ResultSet set = result_set_of(r, &entry);
    entry.status = c->exit_code;
    cJSON *tree = json || json_form ? result_to_json(r) : NULL;
    Status st = output_check(c, args);
    st = st ? st : output_page_open(c, args, &html, &page);
    if (!st && html.stream)
        st = output_page_close(c, args, &html, html_result(html.stream, r, view));
    st = st ? st : write_forms(c, args, &set, &anchored);
    if (!st && json)
        st = json_save(tree, json, c->out, c->diag);
    if (!st && json_form && !is_stdout(json))
        json_print(c->out, tree);
    if (!st && output_forms_on_stdout(args) == 0)
        text_result(c->out, r, view);
    cJSON_Delete(tree);
    return st;
}

void output_wrote(Context *c, const Args *args, const char *path)
{
    TextOut t = {.out = c->out, .lang = c->language};
    if (is_stdout(path) || output_forms_on_stdout(args) > 0)
        return;
    text_line(&t, 0, 8);
    text_putf(&t, STYLE_NONE, "%s %s", phrase_text(t.lang, PHRASE_WROTE), path);
    text_end(&t);
}

/* ---- what was found before ---- */

View view_of_result(Context *c, const Args *args, const Result *r)
{
    Diag unknown; /* a language unknown here: headings are English then */
    if (language_named(c->arena, r ? r->language : "en", &c->language, &unknown))
        c->language = NULL;
    return view_from_args(c, args);
}

/* ---- many models ---- */

/* Written model by model: all of them together may be more than memory holds. */
static void print_set(FILE *out, const ResultSet *set)
{
    fprintf(out,
            "{\n\"schema_version\": 1,\n\"tool\": {\"name\": \"npu-advise\", \"version\": "
            "\"%s\"},\n\"status\": %d,\n\"models\": [",
            NPU_ADVISE_VERSION, result_set_status(set));
    for (size_t i = 0; i < set->count; i++) {
        fputs(i ? ",\n" : "\n", out);
        result_set_print_line(out, set, i);
    }
    fputs("]\n}\n", out);
}

static Status save_set(Context *c, const char *path, const ResultSet *set)
{
    OutFile f;
    if (is_stdout(path)) {
        print_set(c->out, set);
        return STATUS_OK;
    }
    Status st = file_out_open(&f, path, c->diag);
    if (st)
        return st;
    print_set(f.stream, set);
    return file_out_commit(&f, c->diag);
}

/* Where --html names a folder, each result has its own page there, to which its row links. */
static Status write_pages(Context *c, const Args *args, const ResultSet *set, const View *view)
{
    View own = {.lang = view->lang};
    Status st = STATUS_OK;
    for (size_t i = 0; !st && i < set->count; i++) {
        Arena *a = arena_new(0);
        OutFile html;
        const Result *r = result_set_read(a, set, i);
        const ResultEntry *e = &set->entry[i];
        own.again_apply = r ? command_words(a, r, e->file ? e->file : e->model) : NULL;
        const char *path = page_path(c, args, arena_printf(a, "%zu", i + 1));
        st = r ? file_out_open(&html, path, c->diag) : STATUS_OK;
        if (r && !st)
            st = output_page_close(c, args, &html, html_result(html.stream, r, &own));
        arena_free(a);
    }
    return st;
}

Status output_set(Context *c, const Args *args, const ResultSet *set, const View *view)
{
    bool page, json_form = !strcmp(args_text(args, OPTION_FORMAT, "text"), "json");
    const char *json = args_text(args, OPTION_JSON, NULL);
    View anchored = with_anchor(c, args, view);
    if (!args_text(args, OPTION_ANCHOR, NULL))
        anchored.anchor = NULL;
    cJSON *summary = result_set_summary(set, view->lang);
    OutFile html;
    bool pages = file_is_folder(args_text(args, OPTION_HTML, "-"));
    cJSON_AddBoolToObject(summary, "pages", pages);
    Status st = pages ? write_pages(c, args, set, view) : STATUS_OK;
    st = st ? st : output_page_open(c, args, &html, &page);
    if (!st && html.stream)
        st = output_page_close(c, args, &html, html_set(html.stream, summary, view));
    st = st ? st : write_forms(c, args, set, &anchored);
    if (!st && json)
        st = save_set(c, json, set);
    if (!st && json_form && !is_stdout(json))
        print_set(c->out, set);
    if (!st && output_forms_on_stdout(args) == 0)
        text_set(c->out, summary, view);
    cJSON_Delete(summary);
    return st;
}
