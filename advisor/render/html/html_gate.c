/* Writes what the gate demanded and found, and how the settings changed it. */
#include "advisor/render/html/html.h"
#include "advisor/report/assertion.h"
#include "advisor/report/settings_line.h"

static void write_gate_value(Page *p, const ResultAssertion *a, double value)
{
    Figure f;
    html_text(p->h, assertion_amount(&f, a, value));
}

static void write_assertion(Page *p, const ResultAssertion *a)
{
    page_row_open(p);
    page_cell_head(p, p->lang ? wording_of(a->name) : a->name);
    page_cell_text(p, assertion_expected(p->a, a));
    html_open(p->h, "td", "class", "number", NULL);
    if (a->found.known)
        write_gate_value(p, a, a->found.value);
    else
        html_text(p->h, phrase_text(p->lang, PHRASE_UNKNOWN));
    html_close(p->h);
    page_cell_text(p, phrase_text(p->lang, !a->pass.known  ? PHRASE_GATE_INCONCLUSIVE
                                           : a->pass.value ? PHRASE_GATE_PASSED
                                                           : PHRASE_GATE_FAILED));
    html_open(p->h, "td", NULL);
    for (size_t i = 0; i < a->values.count; i++) {
        html_text(p->h, !i ? "" : a->values.count == 2 ? " – " : ", ");
        write_gate_value(p, a, a->values.item[i]);
    }
    html_close(p->h);
    page_row_close(p);
}

static void write_assertion_table(Page *p, const ResultGate *gate)
{
    static const PhraseId head[] = {PHRASE_COL_ASSERTION, PHRASE_COL_EXPECTED, PHRASE_COL_FOUND,
                                    PHRASE_COL_RESULT,    PHRASE_COL_VALUES,   PHRASE_COUNT};
    if (gate->status == RESULT_STATUS_NONE)
        return;
    html_open(p->h, "p", "class", gate->status == RESULT_STATUS_PASSED ? "good" : "bad", NULL);
    html_textf(p->h, "%s: %s", phrase_text(p->lang, PHRASE_GATE),
               phrase_by_key(p->lang, "GATE_", result_status_words[gate->status]));
    html_close(p->h);
    page_table_open(p, "", PHRASE_GATE, head);
    for (size_t i = 0; i < gate->assertions.count; i++)
        write_assertion(p, &gate->assertions.item[i]);
    page_table_close(p);
}

static void write_gate_settings(Page *p, const ResultSettingList *settings)
{
    if (settings->count == 0)
        return;
    page_heading(p, "h3", PHRASE_SETTINGS);
    html_open(p->h, "ul", NULL);
    for (size_t i = 0; i < settings->count; i++)
        html_leaf(p->h, "li", settings_line(p->a, &settings->item[i], p->lang), NULL);
    html_close(p->h);
}

void html_gate(Page *p)
{
    write_assertion_table(p, &p->result->gate);
    write_gate_settings(p, &p->result->gate.settings);
}
