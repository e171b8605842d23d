/* Section 8: how every rule ended, as one table that can be sorted and filtered; what the evidence
 * is worth. */
#include "advisor/html/html.h"
#include "advisor/say/json.h"

#include <string.h>

/* Endings in the order of the table, with where they stand in the result. */
typedef struct {
    const char *path;
    PhraseId name;
    const char *class;
} Ending;

static const Ending endings[] = {
    {"recommendations", SAY_RECOMMENDED, "bad"},
    {"observations", SAY_IS_OBSERVED, ""},
    {"suppressed", SAY_SUPPRESSED, ""},
    {"passed", SAY_PASSED, "good"},
    {"not_applicable", SAY_NOT_APPLICABLE, "soft"},
};
enum { ENDINGS = sizeof endings / sizeof *endings };

static const char *id_of(const cJSON *item)
{
    return cJSON_IsString(item) ? item->valuestring : json_text(item, "rule_id", "?");
}

static const cJSON *rule_of(const Page *p, const char *id)
{
    const cJSON *rule;
    cJSON_ArrayForEach(rule, json_at(p->r, "rules"))
    {
        if (!strcmp(json_text(rule, "rule_id", ""), id))
            return rule;
    }
    return NULL;
}

/* The reason, or what was seen; of a recommendation the way to it. */
static void reason_cell(Page *p, const Ending *e, const cJSON *item)
{
    html_open(p->h, "td", NULL);
    if (e->name == SAY_RECOMMENDED) {
        html_open(p->h, "a", NULL);
        html_attr(p->h, "href", "#%s", json_text(item, "fingerprint", ""));
        html_text(p->h, json_text(item, "title", "?"));
        html_close(p->h);
    } else if (e->name == SAY_IS_OBSERVED) {
        html_text(p->h, json_text(item, "text", "?"));
    } else if (e->name == SAY_SUPPRESSED) {
        html_textf(p->h, "%s: ", say_key(p->lang, "HELD_", json_text(item, "reason", "?")));
        html_text(p->h, json_text(item, "text", ""));
    } else if (e->name == SAY_NOT_APPLICABLE) {
        html_text(p->h, json_text(item, "reason", "?"));
    } else {
        html_text(p->h, "–");
    }
    html_close(p->h);
}

static void row(Page *p, const Ending *e, const cJSON *item)
{
    const cJSON *rule = rule_of(p, id_of(item));
    html_open(p->h, "tr", NULL);
    if (e->name == SAY_SUPPRESSED ||
        e->name == SAY_IS_OBSERVED) /* a deep link leads here, as nowhere else */
        page_anchor(p, item);
    html_leaf(p->h, "td", say(p->lang, e->name), "class", e->class, NULL);
    page_cell_head(p, id_of(item));
    page_cell_text(p, say_key(p->lang, "GROUP_", json_text(rule, "group", "–")));
    page_cell_text(p, json_text(rule, "title", "–"));
    reason_cell(p, e, item);
    page_row_close(p);
}

/* "2 recommended · 1 held back · 5 passed · 3 not applicable" */
static void counts(Page *p)
{
    html_open(p->h, "p", "class", "counts", NULL);
    for (int i = 0; i < ENDINGS; i++) {
        html_text(p->h, i ? " · " : "");
        html_open(p->h, "span", "class", endings[i].class, NULL);
        html_textf(p->h, "%zu %s", json_count(p->r, endings[i].path),
                   say(p->lang, endings[i].name));
        html_close(p->h);
    }
    html_close(p->h);
}

static void table(Page *p)
{
    static const PhraseId head[] = {SAY_COL_RESULT, SAY_COL_RULE,   SAY_COL_GROUP,
                                    SAY_COL_ABOUT,  SAY_COL_REASON, SAY_COUNT};
    size_t all = 0;
    for (int i = 0; i < ENDINGS; i++)
        all += json_count(p->r, endings[i].path);
    if (all == 0)
        return;
    page_fold_open(p, SAY_RULES_TABLE, all);
    page_table_open(p, "sortable rules", SAY_RULES_TABLE, head);
    for (int i = 0; i < ENDINGS; i++) {
        const cJSON *item;
        cJSON_ArrayForEach(item, json_at(p->r, endings[i].path)) row(p, &endings[i], item);
    }
    page_table_close(p);
    page_fold_close(p, all);
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
    counts(p);
    table(p);
    evidence(p);
}
