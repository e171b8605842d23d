/* Writes the decision alone as lines of "key: value" in a fixed order, at most 3,000 bytes a model.
 * It is for an agent or a log. */
#include "advisor/render/forms/out.h"
#include "advisor/report/tree_summary.h"
#include "advisor/report/tree_setup_text.h"
#include "advisor/report/tree_verdict.h"
#include "advisor/message/figure.h"
#include "advisor/message/json.h"
#include "graph/base/limits.h"

#include <stdlib.h>
#include <string.h>

enum { BYTES = 3000, NAME = 100, TEXT = 240, SENTENCE = 320, ASSERTIONS = 3 };

static void put_gate(FILE *out, Arena *a, const cJSON *r)
{
    size_t n = 0, hold = 0, all = json_count(r, "gate.assertions");
    for (const cJSON *x = json_first(r, "gate.assertions"); x; x = x->next)
        hold += !strcmp(out_outcome(x), "pass");
    fprintf(out, "gate: %s, %zu of %zu hold\n", json_text(r, "gate.status", "none"), hold, all);
    for (const cJSON *x = json_first(r, "gate.assertions"); x; x = x->next)
        if (strcmp(out_outcome(x), "pass") && n++ < ASSERTIONS)
            fprintf(out, "  %s: %s %s; %s\n", out_outcome(x),
                    out_text(a, json_text(x, "name", "?"), NAME),
                    out_text(a, json_text(x, "expected", "?"), NAME),
                    out_text(a, json_text(x, "detail", ""), TEXT));
}

/* Of a compiled graph (an engine) there is none to choose. */
static void put_setup(FILE *out, Arena *a, const cJSON *r, const Language *lang)
{
    Phrase p;
    if (cJSON_IsObject(json_at(r, "compiled")))
        return;
    fprintf(out, "set-up: --target %s --sdk %s --batch %.0f --workers %.0f\n",
            out_text(a, json_text(r, "target", "?"), NAME), json_text(r, "sdk", "?"),
            json_number_or(r, "options.batch", 1), json_number_or(r, "options.workers", 1));
    if (*tree_setup_sentence(&p, r, "trace", lang))
        fprintf(out, "  %s\n", out_text(a, p.text, TEXT));
}

static void put_head(FILE *out, Arena *a, const cJSON *r, const TreeSummary *d, const View *view)
{
    Figure now;
    Phrase p;
    fprintf(out, "decision: %s\n",
            out_text(a, tree_verdict_sentence(&p, r, d, view->lang), SENTENCE));
    fprintf(out, "objective: %s\n", d->throughput ? "throughput" : "latency");
    fprintf(out, "now: %s, %s\n", d->baseline > 0 ? figure_value(&now, d->baseline, d->unit) : "?",
            d->measured ? "measured" : "predicted");
    fprintf(out, "evidence: %s\n", json_text(r, "evidence.grade", "?"));
    put_setup(out, a, r, view->lang);
    if (strcmp(json_text(r, "gate.status", "none"), "none") != 0)
        put_gate(out, a, r);
}

static void put_recommendation(FILE *out, Arena *a, const cJSON *rec)
{
    const char *verdict = json_text(rec, "verdict", NULL);
    fprintf(out, "%.0f: %s %s\n", json_number_or(rec, "rank", 0), json_text(rec, "rule_id", "?"),
            out_text(a, json_text(rec, "title", "?"), TEXT));
    fprintf(out, "  gain: %s%s%s\n", out_gain(a, rec), verdict ? "; " : "", verdict ? verdict : "");
    if (*out_location(a, rec))
        fprintf(out, "  place: %s\n", out_text(a, out_location(a, rec), NAME));
    fprintf(out, "  do: %s, %s: %s\n", json_text(rec, "applicability", "?"),
            out_text(a, json_text(rec, "fix.where", "?"), NAME),
            out_text(a, json_text(rec, "fix.text", "?"), TEXT));
}

/* Each rule once. */
static void put_observations(FILE *out, const cJSON *list)
{
    size_t n = 0;
    const cJSON *before;
    for (const cJSON *x = json_first(list, ""); x; x = x->next) {
        const char *id = json_text(x, "rule_id", "?");
        for (before = list->child; before != x; before = before->next)
            if (!strcmp(json_text(before, "rule_id", "?"), id))
                break;
        if (before == x)
            fprintf(out, "%s%s", n++ ? ", " : "also seen: ", id);
    }
    fputs(n ? "\n" : "", out);
}

static void put_tail(FILE *out, Arena *a, const cJSON *r, const TreeSummary *d)
{
    char ranks[128];
    Figure f;
    put_observations(out, json_at(r, "observations"));
    if (d->outcome != TREE_SUMMARY_ADVICE)
        return;
    bool verified = cJSON_IsObject(json_at(r, "combined.verified"));
    if (tree_summary_combined_ranks(r, ",", ranks, sizeof ranks))
        fprintf(out, "together %s: %s, %s\n", ranks,
                figure_json(&f, json_at(r, verified ? "combined.verified" : "combined.predicted"),
                            d->unit),
                verified ? "verified" : "predicted");
    else
        snprintf(ranks, sizeof ranks, "1");
    fprintf(out, "apply: npu-advise apply %s --set %s --output DIR\n",
            out_text(a, render_command_words(a, r, WORDS_AS_IT_RAN), SENTENCE), ranks);
}

/* What is written in memory first, for its size. */
typedef struct {
    char *text;
    size_t size;
} Piece;

static FILE *piece_open(Piece *p)
{
    *p = (Piece){0};
    FILE *out = open_memstream(&p->text, &p->size);
    if (!out)
        limits_out_of_memory();
    return out;
}

static void piece_put(FILE *out, Piece *p)
{
    fwrite(p->text, 1, p->size, out);
    free(p->text);
}

/* Recommendations from the first on, as many as there is room for. */
static void put_recommendations(FILE *out, Arena *a, const cJSON *r, size_t room)
{
    size_t left = json_count(r, "recommendations");
    for (const cJSON *x = json_first(r, "recommendations"); x; x = x->next) {
        Piece p;
        FILE *one = piece_open(&p);
        put_recommendation(one, a, x);
        fclose(one);
        bool fits = p.size <= room;
        room -= fits ? p.size : 0;
        left -= fits;
        if (fits)
            piece_put(out, &p);
        else {
            free(p.text);
            break;
        }
    }
    if (left)
        fprintf(out, "more: %zu in --json\n", left);
}

static void put_brief(void *user, const ResultEntry *entry, const cJSON *result, const View *view)
{
    enum { MORE = 32, TAIL_MAX = 1200 };
    FILE *out = user;
    Arena *a = arena_new(0);
    Piece head, tail;
    FILE *part = piece_open(&head);
    fprintf(part, "model: %s\nstatus: %s\n", out_text(a, entry->model, TEXT),
            out_status(entry->status));
    if (entry->error)
        fprintf(part, "error: %s\n", out_text(a, entry->error, SENTENCE));
    TreeSummary d = result ? tree_summary_of(result) : (TreeSummary){0};
    if (result)
        put_head(part, a, result, &d, view);
    fclose(part);
    part = piece_open(&tail);
    if (result)
        put_tail(part, a, result, &d);
    fclose(part);
    size_t used = head.size + (tail.size < TAIL_MAX ? tail.size : TAIL_MAX) + MORE;
    piece_put(out, &head);
    if (result)
        put_recommendations(out, a, result, used < BYTES ? BYTES - used : 0);
    piece_put(out, &tail);
    arena_free(a);
}

bool out_brief(FILE *out, const ResultSet *set, const View *view)
{
    out_each(set, view, put_brief, out);
    return !ferror(out);
}
