/* Prints the validation report of the advice as text and as JSON. */
#include "advisor/validation/validate_advice.h"

#include "advisor/message/json.h"
#include "graph/compile/machine.h"

#include <string.h>

static size_t count_models(const AdviceValidation *c)
{
    size_t n = 0;
    for (size_t i = 0; i < c->nrun; i++)
        n += i == 0 || strcmp(c->run[i].model, c->run[i - 1].model) != 0;
    return n;
}

/* "  41  98 %   0.97  10.1 %  88 %" */
static void print_score(FILE *out, Arena *a, const AdviceValidation *c, AdviceFilter f)
{
    AdviceScore s = validate_advice_score(a, c, f);
    if (!s.score.n) {
        fprintf(out, "%4d%28s", 0, "");
        return;
    }
    fprintf(out, "%4zu %4.0f %% %6.2f %5.0f %% %4.0f %%", s.score.n, 100 * s.sign, s.score.spearman,
            100 * s.score.median_abs_error, 100 * s.score.interval_coverage);
}

static void print_row(FILE *out, const AdviceValidation *c, const char *name, AdviceFilter f)
{
    Arena *a = arena_new(0);
    fprintf(out, "%-11s|", name);
    for (int traced = VALIDATE_YES; traced >= VALIDATE_NO; traced--) {
        f.traced = traced;
        print_score(out, a, c, f);
        fputs(traced == VALIDATE_YES ? " |" : "\n", out);
    }
    arena_free(a);
}

static void print_head(FILE *out, const AdviceValidation *c)
{
    fprintf(out,
            "%zu model%s x latency, throughput x SDK 0.9, 0.10: %zu runs, %zu of them refused\n"
            "every recommendation verified by %s\n\n"
            "%-11s|%-33s|%s\n%-11s|   n  sign    rank error   90 %% |   n  sign    rank error   90 "
            "%%\n",
            count_models(c), count_models(c) == 1 ? "" : "s", c->nrun, c->nfailed,
            c->runner ? c->runner : "nobody", "", " gains replayed from a trace",
            " gains predicted without one", "rule");
}

/* What was run beside bounds: the change itself, or what stands in for it. */
static void print_bounds(FILE *out, const AdviceValidation *c)
{
    static const char *const name[] = {"without one", "from a trace"};
    Arena *a = arena_new(0);
    fputs("\nbounds that something could be run beside:\n", out);
    for (int traced = 1; traced >= 0; traced--) {
        AdviceBoundScore b = validate_advice_bounds(a, c, traced);
        fprintf(out, "  %-12s %4zu", name[traced], b.n);
        if (b.n)
            fprintf(out, ": at most holds %3.0f %%, removable %3.0f %%, %.2f of the gain",
                    100 * b.holds_end, 100 * b.holds, b.ratio);
        fputc('\n', out);
    }
    arena_free(a);
}

static void print_fired(FILE *out, const AdviceValidation *c)
{
    size_t column = 0;
    fputs("\nfired in runs:", out);
    column = 14;
    for (size_t i = 0; i < c->nrule; i++) {
        char text[64];
        int n = snprintf(text, sizeof text, " %.20s %zu%s", c->rule[i].rule_id, c->rule[i].fired,
                         i + 1 < c->nrule ? "," : "");
        if (column + (size_t)n > 79) {
            fputs("\n ", out);
            column = 1;
        }
        fputs(text, out);
        column += (size_t)n;
    }
    fputs("\n", out);
}

static void print_verdicts(FILE *out, const AdviceValidation *c)
{
    static const char *const name[] = {"confirmed", "larger", "smaller", "no-gain", "regression"};
    fputs("verdicts:", out);
    for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
        size_t n = 0;
        for (size_t i = 0; i < c->ngain; i++)
            n += c->gain[i].verdict && !strcmp(c->gain[i].verdict, name[k]);
        fprintf(out, "%s %s %zu", k ? "," : "", name[k], n);
    }
    fputs("\n\n", out);
}

/* Whose gains are scored together, beside those of each rule. */
static const struct {
    const char *name;
    AdviceFilter filter;
} group[] = {
    {"latency", {NULL, VALIDATE_ANY, VALIDATE_NO, VALIDATE_NO, VALIDATE_NO}},
    {"throughput", {NULL, VALIDATE_ANY, VALIDATE_YES, VALIDATE_NO, VALIDATE_NO}},
    {"all", {NULL, VALIDATE_ANY, VALIDATE_ANY, VALIDATE_NO, VALIDATE_NO}},
    {VALIDATE_COMBINED, {VALIDATE_COMBINED, VALIDATE_ANY, VALIDATE_ANY, VALIDATE_ANY, VALIDATE_NO}},
    {"uncertain", {NULL, VALIDATE_ANY, VALIDATE_ANY, VALIDATE_YES, VALIDATE_NO}},
};

static AdviceFilter filter_of_rule(const char *id)
{
    return (AdviceFilter){id, VALIDATE_ANY, VALIDATE_ANY, VALIDATE_NO, VALIDATE_NO};
}

/* The line that the README quotes. */
static void print_last(FILE *out, const AdviceValidation *c)
{
    Arena *a = arena_new(0);
    AdviceFilter f = {NULL, VALIDATE_YES, VALIDATE_ANY, VALIDATE_NO, VALIDATE_NO};
    AdviceScore traced = validate_advice_score(a, c, f);
    f.traced = VALIDATE_NO;
    AdviceScore untraced = validate_advice_score(a, c, f);
    fprintf(out,
            "Advice on %zu model%s, from a trace: sign right %.0f %% of %zu, Spearman %.2f, median "
            "error %.0f %%, 90 %% intervals hold %.0f %%; without one: %.0f %% of %zu, %.2f, "
            "%.0f %%, %.0f %%\n",
            count_models(c), count_models(c) == 1 ? "" : "s", 100 * traced.sign, traced.score.n,
            traced.score.spearman, 100 * traced.score.median_abs_error,
            100 * traced.score.interval_coverage, 100 * untraced.sign, untraced.score.n,
            untraced.score.spearman, 100 * untraced.score.median_abs_error,
            100 * untraced.score.interval_coverage);
    arena_free(a);
}

void validate_advice_print(FILE *out, const AdviceValidation *c)
{
    print_head(out, c);
    for (size_t i = 0; i < c->nrule; i++)
        if (c->rule[i].fired)
            print_row(out, c, c->rule[i].rule_id, filter_of_rule(c->rule[i].rule_id));
    for (size_t i = 0; i < sizeof group / sizeof *group; i++)
        print_row(out, c, group[i].name, group[i].filter);
    fputs("\nsign: predicted and verified gain have one sign.  rank: Spearman, of gains as\n"
          "shares of the baseline.  error: median of |predicted / verified - 1|.  90 %:\n"
          "verified gain inside the interval.  uncertain: may lose half of what it is\n"
          "expected to gain, hence not recommended without --verify; in no row above.\n",
          out);
    print_bounds(out, c);
    print_fired(out, c);
    print_verdicts(out, c);
    print_last(out, c);
}

/* ---- JSON ---- */

static void add_score(cJSON *list, const AdviceValidation *c, const char *name, AdviceFilter f)
{
    Arena *a = arena_new(0);
    for (int traced = VALIDATE_YES; traced >= VALIDATE_NO; traced--) {
        f.traced = traced;
        AdviceScore s = validate_advice_score(a, c, f);
        if (!s.score.n)
            continue;
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "name", name);
        cJSON_AddBoolToObject(o, "traced", traced == VALIDATE_YES);
        cJSON_AddNumberToObject(o, "n", (double)s.score.n);
        cJSON_AddNumberToObject(o, "sign", s.sign);
        cJSON_AddNumberToObject(o, "spearman", s.score.spearman);
        cJSON_AddNumberToObject(o, "median_error", s.score.median_abs_error);
        cJSON_AddNumberToObject(o, "coverage", s.score.interval_coverage);
        cJSON_AddItemToArray(list, o);
    }
    arena_free(a);
}

static void add_groups(cJSON *root, const AdviceValidation *c)
{
    cJSON *list = cJSON_AddArrayToObject(root, "groups");
    for (size_t i = 0; i < c->nrule; i++)
        add_score(list, c, c->rule[i].rule_id, filter_of_rule(c->rule[i].rule_id));
    for (size_t i = 0; i < sizeof group / sizeof *group; i++)
        add_score(list, c, group[i].name, group[i].filter);
}

static void add_bounds(cJSON *root, const AdviceValidation *c)
{
    cJSON *list = cJSON_AddArrayToObject(root, "bounds");
    Arena *a = arena_new(0);
    for (int traced = 1; traced >= 0; traced--) {
        AdviceBoundScore b = validate_advice_bounds(a, c, traced);
        if (!b.n)
            continue;
        cJSON *o = cJSON_CreateObject();
        cJSON_AddBoolToObject(o, "traced", traced);
        cJSON_AddNumberToObject(o, "n", (double)b.n);
        cJSON_AddNumberToObject(o, "holds", b.holds);
        cJSON_AddNumberToObject(o, "holds_end", b.holds_end);
        cJSON_AddNumberToObject(o, "ratio", b.ratio);
        cJSON_AddItemToArray(list, o);
    }
    arena_free(a);
}

static void add_run(cJSON *o, const AdviceValidationRun *r)
{
    cJSON_AddStringToObject(o, "model", r->model);
    cJSON_AddStringToObject(o, "objective",
                            r->objective == OBJECTIVE_LATENCY ? "latency" : "throughput");
    cJSON_AddStringToObject(o, "sdk", sdk_text(r->sdk));
    cJSON_AddBoolToObject(o, "traced", r->traced);
}

static cJSON *json_of_gain(const AdviceGain *g)
{
    cJSON *o = cJSON_CreateObject();
    add_run(o, g->run);
    cJSON_AddStringToObject(o, "rule_id", g->rule_id);
    cJSON *p = cJSON_AddObjectToObject(o, "predicted");
    cJSON_AddNumberToObject(p, "lo", g->predicted.lo);
    cJSON_AddNumberToObject(p, "mid", g->predicted.mid);
    cJSON_AddNumberToObject(p, "hi", g->predicted.hi);
    cJSON *v = cJSON_AddObjectToObject(o, "verified");
    cJSON_AddNumberToObject(v, "lo", g->verified_lo);
    cJSON_AddNumberToObject(v, "median", g->verified);
    cJSON_AddNumberToObject(v, "hi", g->verified_hi);
    cJSON *after = cJSON_AddObjectToObject(o, "after");
    cJSON_AddNumberToObject(after, "predicted", g->predicted_after);
    cJSON_AddNumberToObject(after, "verified", g->verified_after);
    json_add_text(o, "verdict", g->verdict);
    cJSON_AddBoolToObject(o, "uncertain", g->uncertain);
    cJSON_AddBoolToObject(o, "bound", g->bound);
    return o;
}

cJSON *validate_advice_json(const AdviceValidation *c)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddNumberToObject(root, "schema_version", 1);
    json_add_text(root, "runner", c->runner);
    cJSON_AddNumberToObject(root, "models", (double)count_models(c));
    cJSON_AddNumberToObject(root, "runs", (double)c->nrun);
    add_groups(root, c);
    add_bounds(root, c);
    cJSON *rules = cJSON_AddArrayToObject(root, "rules");
    for (size_t i = 0; i < c->nrule; i++) {
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "rule_id", c->rule[i].rule_id);
        cJSON_AddNumberToObject(o, "fired", (double)c->rule[i].fired);
        cJSON_AddItemToArray(rules, o);
    }
    cJSON *gains = cJSON_AddArrayToObject(root, "gains");
    for (size_t i = 0; i < c->ngain; i++)
        cJSON_AddItemToArray(gains, json_of_gain(&c->gain[i]));
    cJSON *refused = cJSON_AddArrayToObject(root, "refused");
    for (size_t i = 0; i < c->nrun; i++) {
        if (!c->run[i].error)
            continue;
        cJSON *o = cJSON_CreateObject();
        add_run(o, &c->run[i]);
        cJSON_AddStringToObject(o, "reason", c->run[i].error);
        cJSON_AddItemToArray(refused, o);
    }
    return root;
}
