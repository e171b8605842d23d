/* Prints the operators that a target takes, with their conditions. */
#include "advisor/render/program/support_show.h"

#include "advisor/message/plain.h"

enum { CONDITION_COLUMNS = 30 };

static const PhraseId place_word[PLACE_COUNT] = {[PLACE_NPU] = PHRASE_KIND_NPU,
                                                 [PLACE_HOST] = PHRASE_PLACE_HOST,
                                                 [PLACE_NOT_KNOWN] = PHRASE_PLACE_NOT_KNOWN,
                                                 [PLACE_NONE] = PHRASE_PLACE_NONE};

static const PhraseId source_word[SOURCE_COUNT] = {[SOURCE_PAGE] = PHRASE_SOURCE_PAGE,
                                                   [SOURCE_TOOL] = PHRASE_SOURCE_TOOL,
                                                   [SOURCE_BOTH] = PHRASE_SOURCE_BOTH};

static void put_line(const PhraseOut *o, const SupportLine *line)
{
    FILE *out = o->out;
    const char *rest = line->when;
    size_t n = plain_fitting(rest, CONDITION_COLUMNS);
    const char *type = quantized_type_name(line->type);
    fprintf(out, "%-21s %-*.*s ", line->op, CONDITION_COLUMNS, (int)n, rest);
    plain_put(out, *type ? phrase_by_key(o->lang, "SUPPORT_", type) : "-", 7);
    putc(' ', out);
    plain_put(out, phrase_text(o->lang, place_word[line->place]), 9);
    fprintf(out, " %s\n", phrase_text(o->lang, source_word[line->source]));
    for (rest += n; *rest; rest += n) {
        rest += *rest == ' ';
        n = plain_fitting(rest, CONDITION_COLUMNS);
        fprintf(out, "%-21s %.*s\n", "", (int)n, rest);
    }
}

static void put_legend(const PhraseOut *o, const Machine *m, const Quantizer *q)
{
    putc('\n', o->out);
    PHRASE_LINE(o, phrase_arg(PHRASE_SUPPORT_FIRST_HOLDS));
    PHRASE_LINE(o, phrase_arg(PHRASE_SUPPORT_TYPES));
    PHRASE_LINE(o, phrase_arg(PHRASE_SUPPORT_TYPES_MORE));
    PHRASE_LINE(o, phrase_arg(PHRASE_SUPPORT_NOT_KNOWN));
    if (q && q->inferred)
        PHRASE_LINE(o, phrase_arg(PHRASE_SUPPORT_NOT_KNOWN_TOO));
    if (q)
        PHRASE_LINE(o, phrase_arg(PHRASE_SUPPORT_TOOL), arg_text(q->source));
    else
        PHRASE_LINE(o, phrase_arg(PHRASE_SUPPORT_NO_TOOL));
    PHRASE_LINE(o, phrase_arg(PHRASE_SUPPORT_PAGE), arg_text(m->id));
}

void support_text(const PhraseOut *o, const Machine *m, Sdk sdk)
{
    size_t n;
    const SupportLine *line = support_list(o->arena, m, sdk, &n);
    PHRASE_LINE(o, phrase_arg(PHRASE_SUPPORT_HEAD), arg_text(m->id), arg_text(sdk_text(sdk)));
    putc('\n', o->out);
    PHRASE_LINE(o, phrase_arg(PHRASE_SUPPORT_COLUMNS));
    for (size_t i = 0; i < n; i++)
        put_line(o, &line[i]);
    put_legend(o, m, machine_quantizer(m, sdk));
}
