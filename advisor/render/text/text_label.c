/* Prints the label dimmed, and a line for each issue of the evidence. */
#include "advisor/render/text/text_parts.h"

void text_label(TextOut *t, PhraseId id)
{
    text_line(t, 0, TEXT_LABEL);
    text_put(t, STYLE_DIM, phrase_text(t->lang, id));
    text_to(t, TEXT_LABEL);
}

void text_evidence(TextOut *t, const ResultEvidence *evidence)
{
    for (size_t i = 0; i < evidence->issues.count; i++) {
        text_label(t, PHRASE_LABEL_EVIDENCE);
        text_put(t, STYLE_NONE, evidence->issues.item[i].text);
        text_end(t);
    }
}
