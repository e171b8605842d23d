/* Writes Markdown for a merge request or a step summary: verdict, gate, changes.  Every
 * character that Markdown, HTML or a mention could act on is written as a reference, so that names
 * stay text. */
#include "advisor/render/forms/out.h"
#include "advisor/report/command_words.h"
#include "advisor/report/settings_line.h"
#include "advisor/report/summary.h"
#include "advisor/report/verdict.h"
#include "advisor/message/phrase.h"
#include "advisor/report/assertion.h"

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

/* What did not pass comes first. */
static void put_gate(FILE *out, Arena *a, const ResultGate *gate, const Language *lang)
{
    size_t n = 0;
    if (gate->status == RESULT_STATUS_NONE)
        return;
    fprintf(out, "\n**%s: %s**\n\n| | %s |\n|---|---|\n", phrase_text(lang, PHRASE_GATE),
            phrase_by_key(lang, "GATE_", result_status_words[gate->status]),
            phrase_text(lang, PHRASE_COL_ASSERTION));
    for (int passed = 0; passed < 2; passed++)
        for (size_t i = 0; i < gate->assertions.count; i++) {
            const ResultAssertion *x = &gate->assertions.item[i];
            if (x->pass.value == (passed == 1) && n++ < ROWS)
                fprintf(out, "| %s | %s |\n", phrase_by_key(lang, "GATE_", out_outcome(x)),
                        quote_markdown(a, assertion_sentence(a, x, lang)));
        }
    if (n > ROWS)
        fprintf(out, "\n%s\n", arena_printf(a, "%zu more assertions.", n - ROWS));
}

static const char *suppression_text(Arena *a, const ResultSuppression *x)
{
    return x ? arena_printf(a, " (suppressed: %s)", quote_markdown(a, x->reason)) : "";
}

static void put_row(FILE *out, Arena *a, const Result *r, const ReportedFinding *x,
                    const Language *lang)
{
    Phrase needs;
    fprintf(out, "| %lld | %s %s%s | %s | %s | %s: <code>%s</code> |\n", (long long)x->id,
            quote_markdown(a, x->fingerprint), quote_markdown(a, x->title),
            suppression_text(a, x->suppression), quote_markdown(a, out_saving(a, r, x)),
            quote_markdown(a, x->needs ? verdict_needs(&needs, x->needs, lang) : "-"),
            quote_markdown(a, phrase_by_key(lang, "WHERE_", result_fix_where_words[x->fix->where])),
            code_lines(a, x->fix->text));
}

/* Changes and work by hand, by number. */
static void put_findings(FILE *out, Arena *a, const Result *r, const Language *lang)
{
    size_t all = r->changes.count + r->by_hand.count;
    if (all == 0)
        return;
    fputs(wording_of("\n| | Change | Saves | Needs | Fix |\n|---:|---|---|---|---|\n"), out);
    for (size_t i = 0; i < all && i < ROWS; i++) {
        ReportedFinding x = finding_at(r, i);
        put_row(out, a, r, &x, lang);
    }
    if (all > ROWS)
        fprintf(out, "\n%s\n", arena_printf(a, "%zu more.", all - ROWS));
}

static void put_plans(FILE *out, Arena *a, const Result *r, const Summary *d, const View *view)
{
    Phrase p;
    for (size_t i = 0; i < r->plans.count; i++) {
        const ResultPlan *x = &r->plans.item[i];
        if (x->route == RESULT_ROUTE_RETRAIN)
            continue;
        fprintf(out, "\n- %s%s", quote_markdown(a, verdict_route(&p, r, d, x, view->lang)),
                x->recommended ? wording_of(" (recommended)") : "");
        if (!x->bundle.refused)
            fprintf(out, ": <code>%s</code>",
                    quote_markdown(a, command_apply(a, r, view->again_apply, x->id)));
        fputc('\n', out);
    }
}

static void put_observations(FILE *out, Arena *a, const ResultObservationList *list)
{
    size_t all = list->count;
    if (all == 0)
        return;
    fprintf(out, "\n<details><summary>%s</summary>\n\n",
            arena_printf(a, "%zu observation%s without a figure or an action", all,
                         all == 1 ? "" : "s"));
    for (size_t i = 0; i < all && i < ROWS; i++) {
        const ResultObservation *x = &list->item[i];
        fprintf(out, "- %s %s: %s\n", quote_markdown(a, x->fingerprint),
                quote_markdown(a, x->title), quote_markdown(a, x->text));
    }
    fputs("\n</details>\n", out);
}

static void put_markdown_report(void *user, Arena *a, const ResultEntry *entry, const Result *r,
                                const View *view)
{
    FILE *out = user;
    Phrase p;
    fprintf(out, "### npu-advise: %s\n\n", quote_markdown(a, entry->model));
    if (entry->error)
        fprintf(out, "**%s**: %s\n", out_status(entry->status), quote_markdown(a, entry->error));
    if (!entry->has_result)
        return;
    Summary d = summary_of(r);
    fprintf(out, "%s\n\n", quote_markdown(a, verdict_now(&p, r, &d, view->lang)));
    fprintf(out, "**%s**\n", quote_markdown(a, verdict_sentence(&p, r, &d, view->lang)));
    put_gate(out, a, &r->gate, view->lang);
    for (size_t i = 0; i < r->gate.settings.count; i++)
        fprintf(out, "\n%s\n",
                quote_markdown(a, settings_line(a, &r->gate.settings.item[i], view->lang)));
    put_findings(out, a, r, view->lang);
    put_plans(out, a, r, &d, view);
    put_observations(out, a, &r->observations);
}

bool out_markdown(FILE *out, const ResultSet *set, const View *view)
{
    out_each(set, view, put_markdown_report, out);
    return !ferror(out);
}
