/* Prints a label dimmed, a note, and how many rows are left. */
#include "advisor/render/text/text_parts.h"

void text_label(TextOut *t, PhraseId id)
{
    text_line(t, 0, TEXT_LABEL);
    text_put(t, STYLE_DIM, phrase_text(t->lang, id));
    text_to(t, TEXT_LABEL);
}

void text_note(TextOut *t, const char *note)
{
    text_line(t, 0, 2);
    text_put(t, STYLE_DIM, phrase_text(t->lang, PHRASE_NOTE));
    text_put(t, STYLE_NONE, note);
    text_end(t);
}

void text_more(TextOut *t, size_t indent, size_t left)
{
    char more[32];
    Phrase p;
    if (!left)
        return;
    snprintf(more, sizeof more, "%zu", left);
    text_line(t, indent, indent);
    text_put(t, STYLE_DIM, phrase_format(&p, t->lang, PHRASE_AND_MORE, more, NULL));
    text_end(t);
}

const char *text_count(char text[32], int64_t n)
{
    snprintf(text, 32, "%lld", (long long)n);
    return text;
}
