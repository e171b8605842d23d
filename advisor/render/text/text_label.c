/* Prints the label dimmed, and the line of the evidence from the result tree. */
#include "advisor/render/text/text_label.h"

#include "advisor/message/json.h"

void text_label(TextOut *t, PhraseId id)
{
    text_line(t, 0, TEXT_LABEL);
    text_put(t, STYLE_DIM, phrase_text(t->lang, id));
    text_to(t, TEXT_LABEL);
}

void text_evidence(TextOut *t, const cJSON *result)
{
    for (const cJSON *issue = json_first(result, "evidence.issues"); issue; issue = issue->next) {
        text_label(t, PHRASE_LABEL_EVIDENCE);
        text_put(t, STYLE_NONE, json_text(issue, "text", "?"));
        text_end(t);
    }
}
