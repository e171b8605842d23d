/* Sections 8 and 9: rules that passed, do not apply or were held back; what the evidence is worth.
 */
#include "advisor/html.h"

static void passed(Page *p)
{
    const cJSON *id;
    html_open(p->h, "h3", NULL);
    html_textf(p->h, "%s (%zu)", say(p->lang, SAY_PASSED), json_count(p->r, "passed"));
    html_close(p->h);
    html_open(p->h, "p", NULL);
    cJSON_ArrayForEach(id, json_at(p->r, "passed"))
        html_textf(p->h, "%s%s", cJSON_IsString(id) ? id->valuestring : "?", id->next ? ", " : "");
    html_close(p->h);
}

static void not_applicable(Page *p)
{
    static const PhraseId head[] = {SAY_COL_RULE, SAY_COL_REASON, SAY_COUNT};
    const cJSON *n;
    if (json_count(p->r, "not_applicable") == 0)
        return;
    page_table_open(p, "", SAY_NOT_APPLICABLE, head);
    cJSON_ArrayForEach(n, json_at(p->r, "not_applicable"))
    {
        page_row_open(p);
        page_cell_head(p, json_text(n, "rule_id", "?"));
        page_cell_text(p, json_text(n, "reason", "?"));
        page_row_close(p);
    }
    page_table_close(p);
}

static void suppressed(Page *p)
{
    static const PhraseId head[] = {SAY_COL_RULE, SAY_COL_REASON, SAY_COL_SEEN, SAY_COL_GAIN,
                                    SAY_COUNT};
    const cJSON *s;
    if (json_count(p->r, "suppressed") == 0)
        return;
    page_table_open(p, "", SAY_SUPPRESSED, head);
    cJSON_ArrayForEach(s, json_at(p->r, "suppressed"))
    {
        html_open(p->h, "tr", "id", json_text(s, "fingerprint", ""), NULL);
        page_cell_head(p, json_text(s, "rule_id", "?"));
        page_cell_text(p, say_key(p->lang, "HELD_", json_text(s, "reason", "?")));
        page_cell_text(p, json_text(s, "text", ""));
        page_cell_interval(p, json_at(s, "gain.predicted"), json_text(s, "gain.unit", "ns"));
        page_row_close(p);
    }
    page_table_close(p);
}

static void evidence(Page *p)
{
    const cJSON *issue;
    html_open(p->h, "h3", "id", "evidence", NULL);
    html_textf(p->h, "%s %s", say(p->lang, SAY_EVIDENCE), json_text(p->r, "evidence.grade", "?"));
    html_close(p->h);
    page_note(p, SAY_EVIDENCE_NOTE);
    if (json_count(p->r, "evidence.issues") == 0)
        return;
    html_open(p->h, "ul", NULL);
    cJSON_ArrayForEach(issue, json_at(p->r, "evidence.issues"))
        html_leaf(p->h, "li", json_text(issue, "text", "?"), NULL);
    html_close(p->h);
}

void html_rules(Page *p)
{
    passed(p);
    not_applicable(p);
    suppressed(p);
    evidence(p);
}
