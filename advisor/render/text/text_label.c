/* Prints a note, and how many rows are left. */
#include "advisor/render/text/text_parts.h"

void text_note(TextOut *t, const char *note)
{
    text_line(t, 0, 2);
    text_put(t, STYLE_DIM, phrase_text(t->lang, PHRASE_NOTE));
    text_put(t, STYLE_NONE, note);
    text_end(t);
}

void text_more(TextOut *t, size_t indent, size_t left)
{
    Phrase p;
    if (!left)
        return;
    text_paragraph(t, (TextPlace){indent, indent}, STYLE_DIM,
                   phrase_format(&p, t->lang, PHRASE_AND_MORE, COUNTED(left), NULL));
}
