/* Prints the tree of `inspect` as text, with inputs, outputs, operator types by MACs, totals, and
 * the first unknowns. */
#include "advisor/message/figure.h"
#include "advisor/render/program/inspect.h"
#include "advisor/message/plain.h"
#include "graph/base/limits.h"

enum { NAME_COLUMNS = 36, MAX_UNKNOWN = 12 };

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

static void put_tensors(FILE *out, const char *heading, const cJSON *list)
{
    fprintf(out, "%s\n", heading);
    for (const cJSON *t = json_first(list, ""); t; t = t->next) {
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

static void put_kinds(FILE *out, const cJSON *nodes, double all)
{
    size_t n = 0, count = (size_t)cJSON_GetArraySize(nodes);
    Kind *kind = limits_calloc(count + 1, sizeof *kind);
    for (const cJSON *node = json_first(nodes, ""); node; node = node->next)
        kind[n++] = operator_kind(node);
    n = merge_kinds(kind, n);
    fprintf(out, "operators\n");
    for (size_t i = 0; i < n; i++)
        put_kind(out, &kind[i], all);
    free(kind);
}

static void put_nodes(FILE *out, const cJSON *nodes)
{
    fprintf(out, "nodes\n");
    for (const cJSON *node = json_first(nodes, ""); node; node = node->next) {
        Figure f;
        double macs;
        put_name(out, json_text(node, "name", ""), NAME_COLUMNS);
        put_name(out, json_text(node, "op", ""), 20);
        bool known = json_number(node, "macs", &macs);
        fprintf(out, "%s\n", !known ? "MACs unknown" : macs > 0 ? figure_count(&f, macs) : "");
    }
}

/* ---- totals and unknowns ---- */

static void put_totals(FILE *out, const cJSON *tree)
{
    Figure parameters, macs, weights, missing;
    double unknown = json_number_or(tree, "totals.nodes_without_macs", 0);
    double absent = json_number_or(tree, "totals.missing_weight_bytes", 0);
    double all = json_number_or(tree, "totals.nodes", 0);
    fprintf(out, "totals\n  %.0f node%s, %s parameters, %s of weights, %s MACs", all,
            all == 1 ? "" : "s",
            figure_count(&parameters, json_number_or(tree, "totals.parameters", 0)),
            figure_bytes(&weights, json_number_or(tree, "totals.weight_bytes", 0)),
            figure_count(&macs, json_number_or(tree, "totals.macs", 0)));
    if (unknown > 0)
        fprintf(out, " (unknown for %.0f more)", unknown);
    if (absent > 0)
        fprintf(out, "; %s of weights are missing", figure_bytes(&missing, absent));
    putc('\n', out);
}

/* Causes one by one; what follows from them is only counted. */
static void put_unknown(FILE *out, const cJSON *list)
{
    size_t causes = 0, followers = 0;
    if (cJSON_GetArraySize(list))
        fprintf(out, "unknown\n");
    for (const cJSON *u = json_first(list, ""); u; u = u->next) {
        Plain p;
        bool cause = cJSON_IsTrue(json_at(u, "cause"));
        causes += cause;
        followers += !cause;
        if (!cause || causes > MAX_UNKNOWN)
            continue;
        put_name(out, json_text(u, "name", ""), NAME_COLUMNS);
        fprintf(out, "%-9s %s\n", json_text(u, "kind", ""),
                plain(&p, json_text(u, "reason", ""), 80));
    }
    if (causes > MAX_UNKNOWN)
        fprintf(out, "  and %zu more cause%s\n", causes - MAX_UNKNOWN,
                causes - MAX_UNKNOWN == 1 ? "" : "s");
    if (followers)
        fprintf(out, "  %zu more follow%s from these\n", followers, followers == 1 ? "s" : "");
}

/* What the file says in its own words: the rest speaks of what it was mapped to. */
static void put_source(FILE *out, const cJSON *source)
{
    double graphs = json_number_or(source, "subgraphs", 1);
    fprintf(out, "%s, version %.0f: %.0f subgraph%s\n", json_text(source, "format", ""),
            json_number_or(source, "version", 0), graphs, graphs == 1 ? "" : "s");
    fprintf(out, "  %.0f tensors, %.0f of them constants, %.0f bytes\n",
            json_number_or(source, "tensors", 0), json_number_or(source, "constants", 0),
            json_number_or(source, "constant_bytes", 0));
    for (const cJSON *op = json_first(source, "operators"); op; op = op->next) {
        put_name(out, json_text(op, "op", ""), NAME_COLUMNS);
        fprintf(out, "%6.0f\n", json_number_or(op, "count", 0));
    }
}

static size_t count_ranges(const cJSON *tensors)
{
    size_t n = 0;
    for (const cJSON *t = json_first(tensors, ""); t; t = t->next)
        n += json_at(t, "range") != NULL;
    return n;
}

void inspect_text(FILE *out, const cJSON *tree, bool nodes)
{
    const cJSON *source = json_at(tree, "source");
    if (source)
        put_source(out, source);
    fprintf(out, "%sopset %.0f\n", source ? "taken as ONNX, " : "",
            json_number_or(tree, "opset", 0));
    if (json_at(tree, "quantized"))
        fprintf(out, "quantized (%s): ranges of %zu tensors\n", json_text(tree, "quantized", ""),
                count_ranges(json_at(tree, "tensors")));
    put_tensors(out, "inputs", json_at(tree, "inputs"));
    put_tensors(out, "outputs", json_at(tree, "outputs"));
    put_kinds(out, json_at(tree, "nodes"), json_number_or(tree, "totals.macs", 1));
    if (nodes)
        put_nodes(out, json_at(tree, "nodes"));
    put_totals(out, tree);
    put_unknown(out, json_at(tree, "unknown"));
}
