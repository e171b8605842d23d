/* Writes Markdown for a merge request or a step summary: verdict, gate, recommendations.  Every
 * character that Markdown, HTML or a mention could act on is written as a reference, so that names
 * stay text. */
#include "advisor/report/tree_summary.h"
#include "advisor/render/forms/out.h"
#include "advisor/report/tree_summary_total.h"
#include "advisor/report/tree_settings_line.h"
#include "advisor/report/tree_verdict.h"
#include "advisor/message/json.h"
#include "advisor/message/phrase.h"

#include <string.h>

enum { ROWS = 50 }; /* a step summary over 1 MiB is dropped whole */

static const char *quote_markdown(Arena *a, const char *text)
{
    return out_escape(a, out_text(a, text, 1200), "\\`*_{}[]()<>#+!|&@~$\"':", "&#%d;");
}

/* Lines of code inside a cell of a table. */
static const char *code_lines(Arena *a, const char *text)
{
    const char *all = "";
    for (;;) {
        size_t n = strcspn(text, "\n");
        all = arena_printf(a, "%s%s", all, quote_markdown(a, arena_strndup(a, text, n)));
        if (!text[n])
            return all;
        all = arena_printf(a, "%s<br>", all);
        text += n + 1;
    }
}

static void put_gate(FILE *out, Arena *a, const cJSON *r)
{
    size_t n = 0;
    const char *status = json_text(r, "gate.status", "none");
    if (!strcmp(status, "none"))
        return;
    fprintf(out, "\n**Gate: %s**\n\n| | Assertion |\n|---|---|\n", quote_markdown(a, status));
    for (int passed = 0; passed < 2; passed++)
        for (const cJSON *x = json_first(r, "gate.assertions"); x; x = x->next) {
            bool good = !strcmp(out_outcome(x), "pass");
            if (good == (passed == 1) && n++ < ROWS)
                fprintf(out, "| %s | %s |\n", out_outcome(x),
                        quote_markdown(a, out_assertion(a, x)));
        }
    if (n > ROWS)
        fprintf(out, "\n%zu more assertions.\n", n - ROWS);
}

static void put_settings(FILE *out, Arena *a, const cJSON *r, const Language *lang)
{
    for (const cJSON *x = json_first(r, "gate.settings"); x; x = x->next)
        fprintf(out, "\n%s\n", quote_markdown(a, tree_settings_line(a, x, lang)));
}

static void put_recommendations(FILE *out, Arena *a, const cJSON *r)
{
    size_t all = json_count(r, "recommendations"), n = 0;
    if (all == 0)
        return;
    fputs("\n| | Recommendation | Gain | Fix |\n|---:|---|---|---|\n", out);
    for (const cJSON *x = json_first(r, "recommendations"); x; x = x->next) {
        if (n++ == ROWS)
            break;
        const char *reason = json_text(x, "suppression.reason", NULL);
        fprintf(out, "| %zu | %s %s%s | %s | %s: <code>%s</code> |\n", n,
                quote_markdown(a, json_text(x, "fingerprint", "?")),
                quote_markdown(a, json_text(x, "title", "?")),
                reason ? arena_printf(a, " (suppressed: %s)", quote_markdown(a, reason)) : "",
                quote_markdown(a, out_gain(a, x)),
                quote_markdown(a, json_text(x, "fix.where", "?")),
                code_lines(a, json_text(x, "fix.text", "?")));
    }
    if (all > ROWS)
        fprintf(out, "\n%zu more recommendation%s.\n", all - ROWS, all - ROWS == 1 ? "" : "s");
}

static void put_deploy(FILE *out, Arena *a, const cJSON *r, const View *view)
{
    TreeSummaryDeploy d = tree_summary_deploy(a, r);
    Phrase p;
    if (d.point)
        fprintf(out, "\n**%s** %s\n", phrase_text(view->lang, PHRASE_TUNE_BEST),
                quote_markdown(a, tree_summary_deploy_text(&p, &d, view->lang)));
}

static void put_observations(FILE *out, Arena *a, const cJSON *r)
{
    size_t all = json_count(r, "observations"), n = 0;
    if (all == 0)
        return;
    fprintf(out,
            "\n<details><summary>%zu observation%s without a figure or an action</summary>\n\n",
            all, all == 1 ? "" : "s");
    for (const cJSON *x = json_first(r, "observations"); x; x = x->next) {
        if (n++ == ROWS)
            break;
        fprintf(out, "- %s %s: %s\n", quote_markdown(a, json_text(x, "fingerprint", "?")),
                quote_markdown(a, json_text(x, "title", "?")),
                quote_markdown(a, json_text(x, "text", "?")));
    }
    fputs("\n</details>\n", out);
}

static void put_markdown_report(void *user, const ResultEntry *entry, const cJSON *result,
                                const View *view)
{
    FILE *out = user;
    Arena *a = arena_new(0);
    Phrase p;
    fprintf(out, "### npu-advise: %s\n\n", quote_markdown(a, entry->model));
    if (entry->error)
        fprintf(out, "**%s**: %s\n", out_status(entry->status), quote_markdown(a, entry->error));
    if (result) {
        TreeSummary d = tree_summary_of(result);
        fprintf(out, "%s\n", quote_markdown(a, tree_verdict_sentence(&p, result, &d, view->lang)));
        put_gate(out, a, result);
        put_settings(out, a, result, view->lang);
        put_recommendations(out, a, result);
        put_deploy(out, a, result, view);
        put_observations(out, a, result);
    }
    arena_free(a);
}

bool out_markdown(FILE *out, const ResultSet *set, const View *view)
{
    out_each(set, view, put_markdown_report, out);
    return !ferror(out);
}
