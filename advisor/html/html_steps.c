/* The steps of one inference as a table: part of section 4. */
#include "advisor/html/html.h"

#include "advisor/say/json.h"

#include <string.h>

enum { ROWS_SHOWN = 200 };

static void row(Page *p, const cJSON *step)
{
    const char *reason = json_text(step, "reason", "none");
    page_row_open(p);
    html_open(p->h, "td", "class", "number", NULL);
    html_textf(p->h, "%.0f", json_number_or(step, "id", 0));
    html_close(p->h);
    html_open(p->h, "th", "scope", "row", NULL);
    html_leaf(p->h, "span", "", "class", "key", "aria-hidden", "true", NULL);
    html_name(p->h, step_title(p, step), 40);
    html_close(p->h);
    page_cell_text(p, say_key(p->lang, "KIND_", json_text(step, "kind", "?")));
    page_cell_text(p, strcmp(reason, "none") ? say_key(p->lang, "REASON_", reason) : "–");
    html_open(p->h, "td", NULL);
    page_nodes(p, json_at(step, "onnx_nodes"));
    html_close(p->h);
    page_cell_interval(p, json_at(step, "predicted_ns"), "ns");
    page_cell_interval(p, json_at(step, "measured_ns"), "ns");
    page_cell_text(p, say_key(p->lang, "LIMIT_", json_text(step, "limited_by", "?")));
    page_row_close(p);
}

void html_steps(Page *p)
{
    static const PhraseId head[] = {SAY_COL_NUMBER,   SAY_COL_STEP,    SAY_COL_WHERE,
                                    SAY_COL_REASON,   SAY_COL_NODES,   SAY_COL_PREDICTED,
                                    SAY_COL_MEASURED, SAY_COL_LIMITED, SAY_COUNT};
    const cJSON *s;
    size_t n = 0, all = json_count(p->r, "steps");
    page_fold_open(p, SAY_STEPS_TABLE, all);
    page_table_open(p, "sortable steps", SAY_STEPS_TABLE, head);
    cJSON_ArrayForEach(s, json_at(p->r, "steps"))
    {
        if (n++ == ROWS_SHOWN)
            break;
        row(p, s);
    }
    page_table_close(p);
    page_and_more(p, all, ROWS_SHOWN);
    page_fold_close(p, all);
}
