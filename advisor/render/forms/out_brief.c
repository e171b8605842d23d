/* Writes the decision alone as lines of "key: value" in a fixed order, at most 3,000 bytes a model.
 * It is for an agent or a log. */
#include "advisor/render/forms/out.h"
#include "advisor/message/phrase.h"
#include "advisor/report/command_words.h"
#include "advisor/report/setup_text.h"
#include "advisor/report/summary.h"
#include "advisor/report/verdict.h"
#include "advisor/message/figure.h"
#include "graph/base/limits.h"

enum { BYTES = 3000, NAME = 100, TEXT = 240, SENTENCE = 320, ASSERTIONS = 3 };

static void put_gate(FILE *out, Arena *a, const ResultGate *gate)
{
    const ResultAssertionList *list = &gate->assertions;
    size_t n = 0, hold = 0;
    for (size_t i = 0; i < list->count; i++)
        hold += list->item[i].pass.value;
    fprintf(out, "gate: %s, %zu of %zu hold\n", result_status_words[gate->status], hold,
            list->count);
    for (size_t i = 0; i < list->count; i++) {
        const ResultAssertion *x = &list->item[i];
        if (!x->pass.value && n++ < ASSERTIONS)
            fprintf(out, "  %s: %s\n", out_outcome(x), out_text(a, out_assertion(a, x), SENTENCE));
    }
    if (n > ASSERTIONS)
        fprintf(out, "  more: %zu in --json\n", n - ASSERTIONS);
}

static long long count_or_one(ResultInt x)
{
    return x.known ? x.value : 1;
}

/* Of a compiled graph (an engine) there is none to choose. */
static void put_setup(FILE *out, Arena *a, const Result *r, const Language *lang)
{
    Phrase p;
    if (r->compiled)
        return;
    fprintf(out, "set-up: --target %s --sdk %s --batch %lld --workers %lld\n",
            out_text(a, r->target, NAME), r->sdk, count_or_one(r->options.batch),
            count_or_one(r->options.workers));
    if (*setup_sentence(&p, r->setup, RESULT_SETUP_SOURCE_TRACE, lang))
        fprintf(out, "  %s\n", out_text(a, p.text, TEXT));
}

static void put_head(FILE *out, Arena *a, const Result *r, const Summary *d, const View *view)
{
    Figure now;
    Phrase p;
    fprintf(out, "decision: %s\n", out_text(a, verdict_sentence(&p, r, d, view->lang), SENTENCE));
    fprintf(out, "objective: %s\n", d->throughput ? "throughput" : "latency");
    fprintf(out, "now: %s, %s\n", d->known ? figure_value(&now, d->now, d->unit) : "?",
            d->known ? result_source_words[d->source] : "unknown");
    if (d->plan)
        fprintf(out, "plan: %s, %s\n", d->plan->id, out_needs(a, &d->plan->needs));
    const char *grade = result_grade_words[r->evidence.grade];
    fprintf(out, "evidence: %s (%s)\n", grade,
            r->traces.count ? phrase_by_key(view->lang, "GRADE_", grade)
                            : phrase_text(view->lang, PHRASE_NO_TRACE));
    put_setup(out, a, r, view->lang);
    if (r->gate.status != RESULT_STATUS_NONE)
        put_gate(out, a, &r->gate);
}

static void put_finding(FILE *out, Arena *a, const Result *r, const ReportedFinding *x)
{
    fprintf(out, "%lld: %s %s\n", (long long)x->id, x->rule_id, out_text(a, x->title, TEXT));
    fprintf(out, "  saves: %s\n", out_saving(a, r, x));
    fprintf(out, "  needs: %s\n", out_needs(a, x->needs));
    if (*out_location(a, x->where))
        fprintf(out, "  at: %s\n", out_text(a, out_location(a, x->where), NAME));
    const char *text = x->fix->text;
    size_t first = strcspn(text, "\n"), more = 0;
    for (const char *p = text + first; *p; p++)
        more += *p == '\n';
    fprintf(out, "  %s, %s: %s%s\n", x->by_hand ? "by hand" : "do",
            out_text(a, result_fix_where_words[x->fix->where], NAME),
            out_text(a, arena_strndup(a, text, first), TEXT),
            more ? arena_printf(a, "; %zu more such lines in --json", more) : "");
}

/* Each rule once. */
static void put_observations(FILE *out, const ResultObservationList *list)
{
    size_t n = 0, before;
    for (size_t i = 0; i < list->count; i++) {
        const char *id = list->item[i].rule_id;
        for (before = 0; strcmp(list->item[before].rule_id, id); before++)
            continue;
        if (before == i)
            fprintf(out, "%s%s", n++ ? ", " : "observed: ", id);
    }
    fputs(n ? "\n" : "", out);
}

static void put_tail(FILE *out, Arena *a, const Result *r, const Summary *d, const View *view)
{
    put_observations(out, &r->observations);
    if (d->plan && d->plan->bundle.refused)
        fprintf(out, "refused: %s\n", out_text(a, d->plan->bundle.refused, 2 * SENTENCE));
    else if (d->plan)
        fprintf(out, "apply: %s\n",
                out_text(a, command_apply(a, r, view->again_apply, d->plan->id), 2 * SENTENCE));
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

/* Findings from the first on, as many as there is room for; retraining where the plan has it. */
static void put_findings(FILE *out, Arena *a, const Result *r, const Summary *d, size_t room)
{
    size_t shown = 0, all = r->changes.count + r->by_hand.count;
    for (; shown < all; shown++) {
        Piece p;
        ReportedFinding x = finding_at(r, shown);
        if (finding_needs_retraining(&x) && !(d->plan && summary_plan_has(d->plan, x.id)))
            continue;
        FILE *one = piece_open(&p);
        put_finding(one, a, r, &x);
        fclose(one);
        if (p.size > room) {
            free(p.text);
            break;
        }
        room -= p.size;
        piece_put(out, &p);
    }
    if (shown < all)
        fprintf(out, "more: %zu in --json\n", all - shown);
}

static void put_brief(void *user, Arena *a, const ResultEntry *entry, const Result *r,
                      const View *view)
{
    enum { MORE = 32, TAIL_MAX = 1200 };
    FILE *out = user;
    Piece head, tail;
    FILE *part = piece_open(&head);
    fprintf(part, "model: %s\nstatus: %s\n", out_text(a, entry->model, TEXT),
            out_status(entry->status));
    if (entry->error)
        fprintf(part, "error: %s\n", out_text(a, entry->error, SENTENCE));
    Summary d = summary_of(r);
    if (entry->has_result)
        put_head(part, a, r, &d, view);
    fclose(part);
    part = piece_open(&tail);
    put_tail(part, a, r, &d, view);
    fclose(part);
    size_t used = head.size + (tail.size < TAIL_MAX ? tail.size : TAIL_MAX) + MORE;
    piece_put(out, &head);
    put_findings(out, a, r, &d, used < BYTES ? BYTES - used : 0);
    piece_put(out, &tail);
}

bool out_brief(FILE *out, const ResultSet *set, const View *view)
{
    out_each(set, view, put_brief, out);
    return !ferror(out);
}
