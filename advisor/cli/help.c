/* Prints --help and --version from the tables. */
#include "advisor/cli/help.h"

#include "advisor/cli/values.h"
#include "advisor/options/args.h"
#include "graph/base/limits.h"
#include "graph/base/wrap.h"

#include <cjson/cJSON.h>
#include <libxml/parser.h>
#include <protobuf-c/protobuf-c.h>
#include <zlib.h>

#define HELP_TEXT(id, text) static const char id##_help[] = text;
#include "advisor/cli/help_texts.def"

enum { LEFT = 30, USAGE_LEFT = 18, COMMANDS_LEFT = 13, LINES_MAX = 60, GAP = 3 };

/* One page of help: `full` tells of every option, else those of less use are only named. */
typedef struct {
    Wrap wrap;
    FILE *out;
    const Command *command;
    bool full;
    OptionGroup group;
    bool headed;
    const char *others; /* of the group: "--a, --b" */
    Arena *arena;
} Page;

/* "command   # what it does": the comment on a separate line where both do not fit on one. */
static void put_example(const Page *p, const char *text, int len)
{
    const char *line = arena_strndup(p->arena, text, (size_t)len), *comment = strchr(line, '#');
    int at = comment ? (int)(comment - line) : len;
    comment = wording_of(comment ? comment : "");
    if (at == len || 2 + len <= p->wrap.width)
        fprintf(p->out, "  %.*s%s\n", at, line, comment);
    else
        fprintf(p->out, "  %.*s\n      %s\n", at - GAP, line, comment);
}

static void put_option(Page *p, const OptionRow *r)
{
    bool of_fleets = p->command->id == COMMAND_DIFF && r->id == OPTION_BUDGET;
    const char *argument = of_fleets ? "VERDICT=N" : values_format(p->arena, r);
    const char *letter = r->letter ? arena_printf(p->arena, "-%c, ", r->letter) : "    ";
    int at = wrap_put(&p->wrap, p->out,
                      arena_printf(p->arena, "  %s%s%s%s", letter, option_flag(r->id),
                                   *argument ? " " : "", argument));
    wrap_words(&p->wrap, p->out, LEFT, at, of_fleets ? budget_help : r->help);
}

static void put_grouped(Page *p, const OptionRow *r)
{
    if (option_group(r) != p->group)
        return;
    if (!p->headed) { /* "Set-up (default: as the trace shows)" where there can be a trace */
        const char *title = wording_of(option_group_title(p->group)), *aside = strstr(title, " (");
        bool whole = !aside || args_command_takes(p->command, OPTION_TRACE);
        fprintf(p->out, "\n%.*s%s\n", (int)(whole ? strlen(title) : (size_t)(aside - title)), title,
                whole ? "" : ":");
    }
    p->headed = true;
    if (p->full || (r->use & OPTION_USE_OFTEN))
        put_option(p, r);
    else
        p->others =
            arena_printf(p->arena, "%s%s%s", p->others, *p->others ? ", " : "", option_flag(r->id));
}

static void put_options(Page *p)
{
    for (p->group = 0; p->group < OPTION_GROUPS; p->group++) {
        p->headed = false;
        p->others = "";
        for (const OptionRow *r = NULL; (r = args_next_row(p->command, r));)
            put_grouped(p, r);
        if (*p->others)
            wrap_words(&p->wrap, p->out, 6, 0, p->others);
    }
}

static void put_examples(const Page *p, const Command *c)
{
    for (const char *e = c->examples; *e; e += *e == '\n') {
        size_t len = strcspn(e, "\n");
        put_example(p, e, (int)len);
        e += len;
    }
}

static void put_head(Page *p, const Command *c)
{
    wrap_words(&p->wrap, p->out, USAGE_LEFT, wrap_put(&p->wrap, p->out, "usage: npu-advise"),
               c->synopsis);
    wrap_words(&p->wrap, p->out, 0, 0, c->help);
    fputs(wording_of("\nExamples:\n"), p->out);
    put_examples(p, c);
}

/* A page in memory: it is chosen by its length. */
static char *command_page(Wrap wrap, const Command *c, bool full)
{
    char *text = NULL;
    size_t size;
    Page p = {wrap, open_memstream(&text, &size), c, full, 0, false, "", arena_new(0)};
    if (!p.out)
        limits_out_of_memory();
    put_head(&p, c);
    put_options(&p);
    putc('\n', p.out);
    if (!full)
        wrap_words(&p.wrap, p.out, 0, 0,
                   arena_printf(p.arena, "`npu-advise %s --help-all` tells more of each option.",
                                c->name));
    wrap_words(&p.wrap, p.out, 0, 0, status_help);
    fclose(p.out);
    arena_free(p.arena);
    return text;
}

static size_t lines_of(const char *text)
{
    size_t n = 0;
    for (; *text; text++)
        n += *text == '\n';
    return n;
}

void help_command(FILE *out, const Command *c, bool all)
{
    Wrap wrap = wrap_for(out);
    char *text = command_page(wrap, c, true);
    if (!all && lines_of(text) > LINES_MAX) {
        free(text);
        text = command_page(wrap, c, false);
    }
    fputs(text, out);
    free(text);
}

void help_program(FILE *out)
{
    Page p = {.wrap = wrap_for(out), .out = out, .arena = arena_new(0)};
    put_head(&p, &command_table[0]);
    fputs(wording_of("\nCommands:\n"), out);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        wrap_words(&p.wrap, out, COMMANDS_LEFT, fprintf(out, "  %s", command_table[i].name),
                   command_table[i].help);
    fputs("\n", out);
    wrap_words(&p.wrap, out, 0, 0, commands_help);
    wrap_words(&p.wrap, p.out, 0, 0, status_help);
    arena_free(p.arena);
}

void help_first(FILE *out)
{
    Page p = {.wrap = wrap_for(out), .out = out, .arena = arena_new(0)};
    wrap_words(&p.wrap, out, 0, 0, about_help);
    putc('\n', out);
    put_examples(&p, &command_table[0]);
    put_examples(&p, &command_table[COMMAND_DOCTOR]);
    putc('\n', out);
    wrap_words(&p.wrap, out, 0, 0, more_help);
    arena_free(p.arena);
}

void help_version(FILE *out)
{
    fprintf(out, "npu-advise %s\n", NPU_ADVISE_VERSION);
    int xml = (int)strtol(xmlParserVersion, NULL, 10); /* 20914 is 2.9.14 */
    fprintf(out, "libxml2 %d.%d.%d\ncJSON %s\nprotobuf-c %s\nzlib %s\n", xml / 10000,
            xml / 100 % 100, xml % 100, cJSON_Version(), protobuf_c_version(), zlibVersion());
}
