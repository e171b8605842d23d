/* Prints the operators that a target takes, with their conditions. */
#include "advisor/render/program/support_show.h"

#include "advisor/message/plain.h"

enum { CONDITION_COLUMNS = 30 };

static void put_line(FILE *out, const SupportLine *line)
{
    const char *rest = line->when;
    size_t n = plain_fitting(rest, CONDITION_COLUMNS);
    const char *type = quantized_type_name(line->type);
    fprintf(out, "%-21s %-*.*s %-7s %-9s %s\n", line->op, CONDITION_COLUMNS, (int)n, rest,
            *type ? type : "-", support_place_name(line->place), support_source_name(line->source));
    for (rest += n; *rest; rest += n) {
        rest += *rest == ' ';
        n = plain_fitting(rest, CONDITION_COLUMNS);
        fprintf(out, "%-21s %.*s\n", "", (int)n, rest);
    }
}

static void put_legend(FILE *out, const Machine *m, const Quantizer *q)
{
    fputs("\nOf the lines of an operator the first that holds decides.\n"
          "int8: quantized; float: the host runs it in float, between conversions;\n"
          "refused: the quantizer ends with an error; -: the page alone has it.\n"
          "not known: int8, but not on the support page.\n",
          out);
    if (q && q->inferred)
        fputs("Also not known: on the page, but float by the quantizer of another SDK.\n", out);
    if (q)
        fprintf(out, "tool: %s\n", q->source);
    else
        fputs("no table of this SDK's quantizer: the support page decides alone\n", out);
    fprintf(out, "page: support page of the vendor's guide (%s)\n", m->id);
}

void support_text(Arena *a, FILE *out, const Machine *m, Sdk sdk)
{
    size_t n;
    const SupportLine *line = support_list(a, m, sdk, &n);
    fprintf(out, "%s, SDK %s: operators of float models\n\n", m->id, sdk_text(sdk));
    fprintf(out, "%-21s %-*s %-7s %-9s %s\n", "operator", CONDITION_COLUMNS, "condition", "type",
            "place", "source");
    for (size_t i = 0; i < n; i++)
        put_line(out, &line[i]);
    put_legend(out, m, machine_quantizer(m, sdk));
}
