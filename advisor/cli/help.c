/* --help and --version, printed from the tables. */
#include "advisor/cli/help.h"

#include "advisor/cli/values.h"
#include "advisor/options/args.h"

#include <cjson/cJSON.h>
#include <libxml/parser.h>
#include <protobuf-c/protobuf-c.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { LEFT = 30, WIDTH = 80 };

/* Prints words from column `at`, wrapped before WIDTH and continued at column LEFT. */
static void put_wrapped(FILE *out, const char *text, int at)
{
    if (at >= LEFT) {
        fprintf(out, "\n%*s", LEFT, "");
        at = LEFT;
    } else {
        fprintf(out, "%*s", LEFT - at, "");
        at = LEFT;
    }
    while (*text) {
        int len = (int)strcspn(text, " ");
        if (at > LEFT && at + 1 + len > WIDTH) {
            fprintf(out, "\n%*s", LEFT, "");
            at = LEFT;
        } else if (at > LEFT) {
            at += fprintf(out, " ");
        }
        at += fprintf(out, "%.*s", len, text);
        text += len + (text[len] == ' ');
    }
    putc('\n', out);
}

static void put_option(void *user, const OptionRow *r)
{
    FILE *out = user;
    Arena *a = arena_new(0);
    const char *argument = values_shown(a, r);
    char letter[] = {'-', r->letter, ',', ' ', '\0'};
    int at = fprintf(out, "  %s--%s%s%s", r->letter ? letter : "    ", r->name,
                     *argument ? " " : "", argument);
    put_wrapped(out, r->help, at);
    arena_free(a);
}

static void put_commands(FILE *out)
{
    fputs("\nCommands:\n", out);
    for (const Command *const *c = command_table; *c; c++)
        put_wrapped(out, (*c)->help, fprintf(out, "  %s", (*c)->name));
    fputs("`npu-advise COMMAND --help` tells more of each.\n", out);
}

void help_command(FILE *out, const Command *c, bool whole_program)
{
    fprintf(out, "usage: npu-advise %s\n%s\n", c->synopsis, c->help);
    if (whole_program)
        put_commands(out);
    fputs("\nOptions:\n", out);
    option_each(c, put_option, out);
    fputs("\nExit status: 0 passed, 1 a gate failed, 2 usage error or unreadable input,\n"
          "3 nothing could be decided.\n",
          out);
}

void help_version(FILE *out)
{
    fprintf(out, "npu-advise %s\n", NPU_ADVISE_VERSION);
    int xml = (int)strtol(xmlParserVersion, NULL, 10); /* 20914 is 2.9.14 */
    fprintf(out, "libxml2 %d.%d.%d\ncJSON %s\nprotobuf-c %s\nzlib %s\n", xml / 10000,
            xml / 100 % 100, xml % 100, cJSON_Version(), protobuf_c_version(), zlibVersion());
}
