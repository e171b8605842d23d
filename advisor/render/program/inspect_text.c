/* Prints the tree of `inspect` as text: the model, where it would run and its oddities; then
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

static void put_shape(const PhraseOut *o, const cJSON *shape)
{
    const char *sep = "";
    if (!cJSON_IsArray(shape)) {
        PHRASE_PUT(o, phrase_arg(PHRASE_UNKNOWN_RANK));
        return;
    }
    if (!shape->child)
        PHRASE_PUT(o, phrase_arg(PHRASE_SCALAR));
    for (const cJSON *d = json_first(shape, ""); d; d = d->next) {
        Plain p;
        fputs(sep, o->out);
        if (cJSON_IsNumber(d))
            fprintf(o->out, "%" PRId64, (int64_t)d->valuedouble);
        else
            fputs(cJSON_IsString(d) ? plain(&p, d->valuestring, 24) : "?", o->out);
        sep = "x";
    }
}

static void put_rest(const PhraseOut *o, size_t all, size_t shown)
{
    if (all > shown)
        PHRASE_LINE(o, phrase_arg(PHRASE_INSPECT_MORE), arg_size((all - shown)));
}

static void put_heading(const PhraseOut *o, PhraseId id)
{
    fprintf(o->out, "\n%s\n", phrase_text(o->lang, id));
}

static void put_tensors(const PhraseOut *o, const Inspection *x, const char *key)
{
    const cJSON *list = json_at(x->tree, key);
    size_t n = 0, all = json_count(list, ""), most = x->every ? all : TENSORS_SHOWN;
    put_heading(o, strcmp(key, "inputs") ? PHRASE_INSPECT_OUTPUTS : PHRASE_INSPECT_INPUTS);
    for (const cJSON *t = json_first(list, ""); t && n < most; t = t->next, n++) {
        Figure f;
        double bytes;
        put_name(o->out, json_text(t, "name", ""), NAME_COLUMNS);
        const char *fed = json_text(t, "application_dtype", NULL);
        fprintf(o->out, "%-10s ", fed ? fed : json_text(t, "dtype", ""));
        put_shape(o, json_at(t, "shape"));
        if (fed)
            PHRASE_PUT(o, phrase_arg(PHRASE_IN_GRAPH), arg_text(json_text(t, "dtype", "")));
        else if (json_number(t, "bytes", &bytes))
            fprintf(o->out, "  %s", figure_bytes(&f, bytes));
        putc('\n', o->out);
    }
    put_rest(o, all, n);
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

static void put_kind(const PhraseOut *o, const Kind *k, double all)
{
    char name[256];
    Figure f, share;
    snprintf(name, sizeof name, "%s%s%s", k->domain, k->domain[0] ? "::" : "", k->op);
    put_name(o->out, name, NAME_COLUMNS);
    fprintf(o->out, "%6zu", k->count);
    if (k->macs > 0)
        fprintf(o->out, "  %10s  %s", figure_count(&f, k->macs),
                figure_share(&share, k->macs / all));
    if (k->unknown)
        PHRASE_PUT(o, phrase_arg(PHRASE_MACS_OF_UNKNOWN), arg_size(k->unknown));
    putc('\n', o->out);
}

static void put_kinds(const PhraseOut *o, const cJSON *nodes, double all, bool every)
{
    size_t n = 0;
    Kind *kind = limits_calloc(json_count(nodes, "") + 1, sizeof *kind);
    for (const cJSON *node = json_first(nodes, ""); node; node = node->next)
        kind[n++] = operator_kind(node);
    n = merge_kinds(kind, n);
    size_t shown = every || n < KINDS_SHOWN ? n : KINDS_SHOWN;
    put_heading(o, PHRASE_INSPECT_OPERATORS);
    for (size_t i = 0; i < shown; i++)
        put_kind(o, &kind[i], all);
    put_rest(o, n, shown);
    free(kind);
}

static void put_nodes(const PhraseOut *o, const cJSON *nodes)
{
    put_heading(o, PHRASE_INSPECT_NODES);
    for (const cJSON *node = json_first(nodes, ""); node; node = node->next) {
        Figure f;
        double macs;
        put_name(o->out, json_text(node, "name", ""), NAME_COLUMNS);
        put_name(o->out, json_text(node, "op", ""), 20);
        bool known = json_number(node, "macs", &macs);
        fprintf(o->out, "%s\n",
                !known     ? phrase_text(o->lang, PHRASE_MACS_UNKNOWN)
                : macs > 0 ? figure_count(&f, macs)
                           : "");
    }
}

/* ---- what it is ---- */

/* "int8 (QDQ)", or the type of its floats. */
static const char *precision_word(const Language *lang, const cJSON *tree)
{
    static const char *const end[] = {"inputs", "outputs"};
    for (const cJSON *n = json_first(tree, "nodes"); n; n = n->next)
        if (strstr(json_text(n, "op", ""), "QuantizeLinear"))
            return "int8 (QDQ)";
    for (size_t i = 0; i < sizeof end / sizeof *end; i++)
        for (const cJSON *x = json_first(tree, end[i]); x; x = x->next)
            if (strstr(json_text(x, "dtype", ""), "float"))
                return json_text(x, "dtype", "");
    return json_text(json_first(tree, "inputs"), "dtype", phrase_text(lang, PHRASE_TYPE_UNKNOWN));
}

static void put_totals(const PhraseOut *o, const Inspection *x)
{
    const cJSON *tree = x->tree;
    Figure parameters, macs, weights;
    Plain name;
    PHRASE_LINE(o, phrase_arg(PHRASE_INSPECT_HEAD), arg_text(plain(&name, x->file, NAME_COLUMNS)),
                arg_text(precision_word(o->lang, tree)),
                arg_text(figure_count(&macs, json_number_or(tree, "totals.macs", 0))),
                arg_text(figure_bytes(&weights, json_number_or(tree, "totals.weight_bytes", 0))));
    PHRASE_LINE(o, phrase_arg(PHRASE_INSPECT_TOTALS),
                arg_fixed(json_number_or(tree, "totals.nodes", 0), 0),
                arg_fixed(json_number_or(tree, "opset", 0), 0),
                arg_text(figure_count(&parameters, json_number_or(tree, "totals.parameters", 0))));
}

/* The share of the MACs on the NPU, and what the host runs. */
static void put_place(const PhraseOut *o, const Program *p)
{
    const char *seen[6];
    size_t n = 0;
    int64_t npu = LIST_SUM(int64_t, i, p->nstep, p->step[i].kind == STEP_NPU ? p->step[i].macs : 0);
    Figure share;
    fprintf(o->out, "  %s, SDK %s: ", p->options.target, sdk_text(p->options.sdk));
    if (p->summary.macs > 0)
        PHRASE_PUT(o, phrase_arg(PHRASE_MACS_ON_NPU),
                   arg_text(figure_share(&share, (double)npu / (double)p->summary.macs)));
    PHRASE_PUT(o, phrase_arg(PHRASE_HOST_STEPS), arg_count(p->summary.host_steps));
    if (p->summary.host_steps > 0)
        fprintf(o->out, "\n  %s: ", phrase_text(o->lang, PHRASE_LANE_HOST));
    for (size_t i = 0; i < p->nstep && n < sizeof seen / sizeof *seen; i++) {
        const Step *s = &p->step[i];
        if (s->kind == STEP_HOST && !LIST_ANY(k, n, !strcmp(seen[k], s->op))) {
            fprintf(o->out, "%s%s", n ? ", " : "", s->op);
            seen[n++] = s->op;
        }
    }
    putc('\n', o->out);
}

static void put_doubts(const PhraseOut *o, const Inspection *x)
{
    double unknown = json_number_or(x->tree, "totals.nodes_without_macs", 0);
    double absent = json_number_or(x->tree, "totals.missing_weight_bytes", 0);
    Figure missing;
    Wrap w = wrap_for(o->out);
    if (x->refusal)
        wrap_words(&w, o->out, 16, wrap_put(&w, o->out, phrase_text(o->lang, PHRASE_NOT_COMPILED)),
                   x->refusal);
    if (absent > 0)
        PHRASE_LINE(o, phrase_arg(PHRASE_INSPECT_MISSING),
                    arg_text(figure_bytes(&missing, absent)));
    if (unknown > 0)
        PHRASE_LINE(o, phrase_arg(PHRASE_INSPECT_NO_MACS), arg_fixed(unknown, 0));
}

/* ---- unknowns ---- */

/* Lists the causes one by one, and only counts their consequences. */
static void put_unknown(const PhraseOut *o, const cJSON *list, bool every)
{
    size_t causes = 0, followers = 0, most = every ? SIZE_MAX : UNKNOWN_SHOWN;
    if (json_count(list, ""))
        put_heading(o, PHRASE_UNKNOWN);
    for (const cJSON *u = json_first(list, ""); u; u = u->next) {
        Plain p;
        bool cause = cJSON_IsTrue(json_at(u, "cause"));
        causes += cause;
        followers += !cause;
        if (!cause || causes > most)
            continue;
        put_name(o->out, json_text(u, "name", ""), NAME_COLUMNS);
        plain_put(o->out, phrase_by_key(o->lang, "UNKNOWN_", json_text(u, "kind", "")), 9);
        fprintf(o->out, " %s\n", plain(&p, json_text(u, "reason", ""), 80));
    }
    put_rest(o, causes, most);
    if (followers)
        PHRASE_LINE(o, phrase_arg(PHRASE_INSPECT_FOLLOW), arg_size(followers));
}

/* The file in its own terms; the rest describes the graph that it was mapped to. */
static void put_source(const PhraseOut *o, const cJSON *source)
{
    Figure bytes;
    PHRASE_LINE(o, phrase_arg(PHRASE_INSPECT_SOURCE), arg_text(json_text(source, "format", "")),
                arg_fixed(json_number_or(source, "version", 0), 0),
                arg_fixed(json_number_or(source, "subgraphs", 1), 0),
                arg_fixed(json_number_or(source, "tensors", 0), 0),
                arg_fixed(json_number_or(source, "constants", 0), 0),
                arg_text(figure_bytes(&bytes, json_number_or(source, "constant_bytes", 0))));
}

static size_t count_ranges(const cJSON *tensors)
{
    size_t n = 0;
    for (const cJSON *t = json_first(tensors, ""); t; t = t->next)
        n += json_at(t, "range") != NULL;
    return n;
}

void inspect_text(const PhraseOut *o, const Inspection *x)
{
    const cJSON *tree = x->tree, *source = json_at(tree, "source");
    put_totals(o, x);
    if (x->program)
        put_place(o, x->program);
    if (source)
        put_source(o, source);
    if (json_at(tree, "quantized"))
        PHRASE_LINE(o, phrase_arg(PHRASE_INSPECT_RANGES),
                    arg_text(json_text(tree, "quantized", "")),
                    arg_size(count_ranges(json_at(tree, "tensors"))));
    put_doubts(o, x);
    put_tensors(o, x, "inputs");
    put_tensors(o, x, "outputs");
    put_kinds(o, json_at(tree, "nodes"), json_number_or(tree, "totals.macs", 1), x->every);
    if (x->every)
        put_nodes(o, json_at(tree, "nodes"));
    put_unknown(o, json_at(tree, "unknown"), x->every);
}
