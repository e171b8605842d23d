/* Prints the tree of `inspect` as text: what the model is, where it would run and what is odd; then
 * inputs, outputs, operator types by MACs, and the first unknowns. */
#include "advisor/message/figure.h"
#include "advisor/render/program/inspect.h"
#include "advisor/message/plain.h"
#include "graph/base/limits.h"
#include "graph/base/wrap.h"
#include "graph/compile/machine.h"

enum { NAME_COLUMNS = 36 };

/* Rows of a list without --verbose. */
enum { TENSORS_SHOWN = 4, KINDS_SHOWN = 10, UNKNOWN_SHOWN = 3 };

/* A name padded to the column that follows it. */
static void put_name(FILE *out, const char *name, size_t columns)
{
    fputs("  ", out);
    plain_put(out, name, columns);
    fputs("  ", out);
}

static void put_shape(FILE *out, const cJSON *shape)
{
    const char *sep = "";
    if (!cJSON_IsArray(shape)) {
        fputs("unknown rank", out);
        return;
    }
    if (!shape->child)
        fputs("scalar", out);
    for (const cJSON *d = json_first(shape, ""); d; d = d->next) {
        Plain p;
        fputs(sep, out);
        if (cJSON_IsNumber(d))
            fprintf(out, "%" PRId64, (int64_t)d->valuedouble);
        else
            fputs(cJSON_IsString(d) ? plain(&p, d->valuestring, 24) : "?", out);
        sep = "x";
    }
}

static void put_rest(FILE *out, size_t all, size_t shown)
{
    if (all > shown)
        fprintf(out, "  and %zu more: --verbose\n", all - shown);
}

static void put_tensors(FILE *out, const Inspection *x, const char *key)
{
    const cJSON *list = json_at(x->tree, key);
    size_t n = 0, all = json_count(list, ""), most = x->every ? all : TENSORS_SHOWN;
    fprintf(out, "\n%s\n", key);
    for (const cJSON *t = json_first(list, ""); t && n < most; t = t->next, n++) {
        Figure f;
        double bytes;
        put_name(out, json_text(t, "name", ""), NAME_COLUMNS);
        const char *fed = json_text(t, "application_dtype", NULL);
        fprintf(out, "%-10s ", fed ? fed : json_text(t, "dtype", ""));
        put_shape(out, json_at(t, "shape"));
        if (fed)
            fprintf(out, "  (%s in the graph)", json_text(t, "dtype", ""));
        else if (json_number(t, "bytes", &bytes))
            fprintf(out, "  %s", figure_bytes(&f, bytes));
        putc('\n', out);
    }
    put_rest(out, all, n);
}

/* ---- operator types ---- */

typedef struct {
    const char *op, *domain;
    size_t count, unknown;
    double macs;
} Kind;

ORDER_BY(by_name, Kind, strcmp(a->op, b->op), strcmp(a->domain, b->domain))

ORDER_BY(by_macs, Kind, COMPARE(b->macs, a->macs), COMPARE(b->count, a->count), by_name(a, b))

static Kind operator_kind(const cJSON *node)
{
    Kind k = {.op = json_text(node, "op", ""), .domain = json_text(node, "domain", ""), .count = 1};
    k.unknown = !json_number(node, "macs", &k.macs);
    return k;
}

/* Equal kinds, sorted to stand side by side, become one. */
static size_t merge_kinds(Kind *kind, size_t n)
{
    size_t kept = 0;
    ORDER_LIST(kind, n, by_name);
    for (size_t i = 0; i < n; i++) {
        if (kept && by_name(&kind[kept - 1], &kind[i]) == 0) {
            kind[kept - 1].count++;
            kind[kept - 1].unknown += kind[i].unknown;
            kind[kept - 1].macs += kind[i].macs;
        } else {
            kind[kept++] = kind[i];
        }
    }
    ORDER_LIST(kind, kept, by_macs);
    return kept;
}

static void put_kind(FILE *out, const Kind *k, double all)
{
    char name[256];
    Figure f, share;
    snprintf(name, sizeof name, "%s%s%s", k->domain, k->domain[0] ? "::" : "", k->op);
    put_name(out, name, NAME_COLUMNS);
    fprintf(out, "%6zu", k->count);
    if (k->macs > 0)
        fprintf(out, "  %10s  %s", figure_count(&f, k->macs), figure_share(&share, k->macs / all));
    if (k->unknown)
        fprintf(out, "  MACs of %zu unknown", k->unknown);
    putc('\n', out);
}

static void put_kinds(FILE *out, const cJSON *nodes, double all, bool every)
{
    size_t n = 0;
    Kind *kind = limits_calloc(json_count(nodes, "") + 1, sizeof *kind);
    for (const cJSON *node = json_first(nodes, ""); node; node = node->next)
        kind[n++] = operator_kind(node);
    n = merge_kinds(kind, n);
    size_t shown = every || n < KINDS_SHOWN ? n : KINDS_SHOWN;
    fprintf(out, "\noperators, by MACs\n");
    for (size_t i = 0; i < shown; i++)
        put_kind(out, &kind[i], all);
    put_rest(out, n, shown);
    free(kind);
}

static void put_nodes(FILE *out, const cJSON *nodes)
{
    fprintf(out, "\nnodes\n");
    for (const cJSON *node = json_first(nodes, ""); node; node = node->next) {
        Figure f;
        double macs;
        put_name(out, json_text(node, "name", ""), NAME_COLUMNS);
        put_name(out, json_text(node, "op", ""), 20);
        bool known = json_number(node, "macs", &macs);
        fprintf(out, "%s\n", !known ? "MACs unknown" : macs > 0 ? figure_count(&f, macs) : "");
    }
}

/* ---- what it is ---- */

/* "int8 (QDQ)", or the type of its floats. */
static const char *precision_word(const cJSON *tree)
{
    static const char *const end[] = {"inputs", "outputs"};
    for (const cJSON *n = json_first(tree, "nodes"); n; n = n->next)
        if (strstr(json_text(n, "op", ""), "QuantizeLinear"))
            return "int8 (QDQ)";
    for (size_t i = 0; i < sizeof end / sizeof *end; i++)
        for (const cJSON *x = json_first(tree, end[i]); x; x = x->next)
            if (strstr(json_text(x, "dtype", ""), "float"))
                return json_text(x, "dtype", "");
    return json_text(json_first(tree, "inputs"), "dtype", "type unknown");
}

static void put_totals(FILE *out, const Inspection *x)
{
    const cJSON *tree = x->tree;
    Figure parameters, macs, weights;
    double all = json_number_or(tree, "totals.nodes", 0);
    Plain name;
    fprintf(out, "%s: %s, %s MACs, %s of weights\n", plain(&name, x->file, NAME_COLUMNS),
            precision_word(tree), figure_count(&macs, json_number_or(tree, "totals.macs", 0)),
            figure_bytes(&weights, json_number_or(tree, "totals.weight_bytes", 0)));
    fprintf(out, "  %.0f node%s, opset %.0f, parameters: %s\n", all, all == 1 ? "" : "s",
            json_number_or(tree, "opset", 0),
            figure_count(&parameters, json_number_or(tree, "totals.parameters", 0)));
}

/* The share of the MACs on the NPU, and what the host runs. */
static void put_place(FILE *out, const Program *p)
{
    const char *seen[6];
    size_t n = 0;
    int64_t npu = LIST_SUM(int64_t, i, p->nstep, p->step[i].kind == STEP_NPU ? p->step[i].macs : 0);
    Figure share;
    fprintf(out, "  %s, SDK %s: ", p->options.target, sdk_text(p->options.sdk));
    if (p->summary.macs > 0)
        fprintf(out, "%s of the MACs on the NPU, ",
                figure_share(&share, (double)npu / (double)p->summary.macs));
    fprintf(out, "%" PRId64 " host step%s", p->summary.host_steps,
            p->summary.host_steps == 1 ? "" : "s");
    fputs(p->summary.host_steps > 0 ? "\n  host: " : "", out);
    for (size_t i = 0; i < p->nstep && n < sizeof seen / sizeof *seen; i++) {
        const Step *s = &p->step[i];
        if (s->kind == STEP_HOST && !LIST_ANY(k, n, !strcmp(seen[k], s->op))) {
            fprintf(out, "%s%s", n ? ", " : "", s->op);
            seen[n++] = s->op;
        }
    }
    putc('\n', out);
}

static void put_doubts(FILE *out, const Inspection *x)
{
    double unknown = json_number_or(x->tree, "totals.nodes_without_macs", 0);
    double absent = json_number_or(x->tree, "totals.missing_weight_bytes", 0);
    Figure missing;
    Wrap w = wrap_for(out);
    if (x->refusal)
        wrap_words(&w, out, 16, fprintf(out, "  not compiled:"), x->refusal);
    if (absent > 0)
        fprintf(out, "  %s of weights are missing\n", figure_bytes(&missing, absent));
    if (unknown > 0)
        fprintf(out, "  MACs of %.0f node%s unknown\n", unknown, unknown == 1 ? "" : "s");
}

/* ---- unknowns ---- */

/* Causes one by one; what follows from them is only counted. */
static void put_unknown(FILE *out, const cJSON *list, bool every)
{
    size_t causes = 0, followers = 0, most = every ? SIZE_MAX : UNKNOWN_SHOWN;
    if (json_count(list, ""))
        fprintf(out, "\nunknown\n");
    for (const cJSON *u = json_first(list, ""); u; u = u->next) {
        Plain p;
        bool cause = cJSON_IsTrue(json_at(u, "cause"));
        causes += cause;
        followers += !cause;
        if (!cause || causes > most)
            continue;
        put_name(out, json_text(u, "name", ""), NAME_COLUMNS);
        fprintf(out, "%-9s %s\n", json_text(u, "kind", ""),
                plain(&p, json_text(u, "reason", ""), 80));
    }
    put_rest(out, causes, most);
    if (followers)
        fprintf(out, "  %zu more follow%s from these\n", followers, followers == 1 ? "s" : "");
}

/* What the file says in its own words: the rest speaks of what it was mapped to. */
static void put_source(FILE *out, const cJSON *source)
{
    double graphs = json_number_or(source, "subgraphs", 1);
    Figure bytes;
    fprintf(out, "  from %s version %.0f: %.0f subgraph%s, %.0f tensors, %.0f constants (%s)\n",
            json_text(source, "format", ""), json_number_or(source, "version", 0), graphs,
            graphs == 1 ? "" : "s", json_number_or(source, "tensors", 0),
            json_number_or(source, "constants", 0),
            figure_bytes(&bytes, json_number_or(source, "constant_bytes", 0)));
}

static size_t count_ranges(const cJSON *tensors)
{
    size_t n = 0;
    for (const cJSON *t = json_first(tensors, ""); t; t = t->next)
        n += json_at(t, "range") != NULL;
    return n;
}

void inspect_text(FILE *out, const Inspection *x)
{
    const cJSON *tree = x->tree, *source = json_at(tree, "source");
    put_totals(out, x);
    if (x->program)
        put_place(out, x->program);
    if (source)
        put_source(out, source);
    if (json_at(tree, "quantized"))
        fprintf(out, "  quantized (%s): ranges of %zu tensors\n", json_text(tree, "quantized", ""),
                count_ranges(json_at(tree, "tensors")));
    put_doubts(out, x);
    put_tensors(out, x, "inputs");
    put_tensors(out, x, "outputs");
    put_kinds(out, json_at(tree, "nodes"), json_number_or(tree, "totals.macs", 1), x->every);
    if (x->every)
        put_nodes(out, json_at(tree, "nodes"));
    put_unknown(out, json_at(tree, "unknown"), x->every);
}
