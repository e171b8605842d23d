/* Reads nodes and edges of a DOT file and skips the rest of the language.
 *
 * The vendor's compiler names operators subgraph<k>_operator<n> and tensors subgraph<k>_tensor<n>
 * or tensor<n>; newer ones g<i>_s<k>_t<n>.  In a graph without such tensors every node is an
 * operator and every edge a tensor between two of them. */
#include "graph/import/dot_scan.h"
#include "graph/import/import_build.h"

typedef struct {
    ImportBuild *b;
    DotScan scan;
    const char *cluster[IMPORT_MAX_DEPTH]; /* name of each open brace's subgraph, or NULL */
    size_t depth;
} Dot;

static Status dot_error(const Dot *d, const char *fact)
{
    char place[32];
    snprintf(place, sizeof place, "line %zu", d->scan.line);
    return diag_set(d->b->diag, STATUS_INPUT, d->b->g->path, place, "%s", fact);
}

/* ---- names ---- */

/* "<word><digits>" at the end, as in subgraph0_tensor12 or g1_s14_t100. */
static bool ends_with_number(const char *name, const char *word)
{
    size_t len = strlen(name), digits = 0, n = strlen(word);
    while (digits < len && isdigit((unsigned char)name[len - digits - 1]))
        digits++;
    return digits && len >= digits + n && memcmp(name + len - digits - n, word, n) == 0;
}

static bool is_tensor_name(const char *name)
{
    return ends_with_number(name, "tensor") || ends_with_number(name, "_t");
}

/* What the name says of its subgraph, else the enclosing cluster, else nothing. */
static const char *subgraph_name(const Dot *d, const char *name)
{
    const char *bar = strrchr(name, '_');
    if (bar && (strncmp(name, "subgraph", 8) == 0 || (name[0] == 'g' && strstr(name, "_s"))))
        return arena_strndup(d->b->g->arena, name, (size_t)(bar - name));
    for (size_t i = d->depth; i-- > 0;)
        if (d->cluster[i])
            return d->cluster[i];
    return NULL;
}

static void see_node(Dot *d, const char *name)
{
    if (is_tensor_name(name)) {
        import_tensor(d->b, name);
        return;
    }
    uint32_t op = import_op(d->b, name);
    const char *subgraph = subgraph_name(d, name);
    if (subgraph && d->b->g->op[op].subgraph == IMPORT_NONE)
        d->b->g->op[op].subgraph = import_subgraph(d->b, subgraph);
}

/* ---- statements ---- */

static void see_edge(Dot *d, const char *from, const char *to)
{
    bool from_tensor = is_tensor_name(from), to_tensor = is_tensor_name(to);
    if (from_tensor && !to_tensor) {
        import_reads(d->b, import_op(d->b, to), import_tensor(d->b, from));
    } else if (!from_tensor && to_tensor) {
        import_makes(d->b, import_op(d->b, from), import_tensor(d->b, to));
    } else if (!from_tensor) {
        uint32_t t = import_tensor(d->b, arena_printf(d->b->g->arena, "out of %s", from));
        import_makes(d->b, import_op(d->b, from), t);
        import_reads(d->b, import_op(d->b, to), t);
    }
}

/* [a=b, c=d]: a label's first line is the operator's type. */
static Status parse_attributes(Dot *d, const char *node)
{
    while (!dot_scan_at_mark(&d->scan, ']')) {
        if (d->scan.now.kind == TOKEN_END || d->scan.now.kind == TOKEN_BAD)
            return dot_error(d, "a list of attributes does not end");
        const char *key = d->scan.now.kind == TOKEN_ID ? d->scan.now.text : NULL;
        dot_scan_next(&d->scan);
        if (!key || !dot_scan_at_mark(&d->scan, '='))
            continue;
        dot_scan_next(&d->scan);
        if (d->scan.now.kind != TOKEN_ID)
            continue;
        if (node && strcmp(key, "label") == 0 && !is_tensor_name(node)) {
            size_t n = strcspn(d->scan.now.text, "\\\n");
            uint32_t op = import_op(d->b, node);
            d->b->g->op[op].type = n ? arena_strndup(d->b->g->arena, d->scan.now.text, n) : NULL;
        }
        dot_scan_next(&d->scan);
    }
    dot_scan_next(&d->scan);
    return STATUS_OK;
}

static void skip_ports(Dot *d)
{
    while (dot_scan_at_mark(&d->scan, ':')) {
        dot_scan_next(&d->scan);
        if (d->scan.now.kind == TOKEN_ID)
            dot_scan_next(&d->scan);
    }
}

/* node, node -> node -> node, name = value; d->scan.now is the first name. */
static Status parse_statement(Dot *d)
{
    const char *name = d->scan.now.text;
    bool keyword = !strcmp(name, "graph") || !strcmp(name, "node") || !strcmp(name, "edge");
    dot_scan_next(&d->scan);
    if (dot_scan_at_mark(&d->scan, '=')) {
        dot_scan_next(&d->scan);
        dot_scan_next(&d->scan);
        return STATUS_OK;
    }
    skip_ports(d);
    if (!keyword)
        see_node(d, name);
    while (d->scan.now.kind == TOKEN_ARROW) {
        dot_scan_next(&d->scan);
        if (d->scan.now.kind != TOKEN_ID)
            return dot_scan_at_mark(&d->scan, '{') ? STATUS_OK
                                                   : dot_error(d, "an edge leads nowhere");
        see_node(d, d->scan.now.text);
        see_edge(d, name, d->scan.now.text);
        name = d->scan.now.text;
        dot_scan_next(&d->scan);
        skip_ports(d);
    }
    if (!dot_scan_at_mark(&d->scan, '['))
        return STATUS_OK;
    dot_scan_next(&d->scan);
    return parse_attributes(d, keyword ? NULL : name);
}

static Status open_brace(Dot *d, const char *cluster)
{
    if (d->depth == IMPORT_MAX_DEPTH)
        return dot_error(d, "subgraphs are nested more than 200 deep");
    d->cluster[d->depth++] = cluster;
    dot_scan_next(&d->scan);
    return STATUS_OK;
}

static Status parse_subgraph(Dot *d)
{
    dot_scan_next(&d->scan);
    const char *name = NULL;
    if (d->scan.now.kind == TOKEN_ID) {
        name = d->scan.now.text;
        dot_scan_next(&d->scan);
    }
    return dot_scan_at_mark(&d->scan, '{') ? open_brace(d, name) : STATUS_OK;
}

static Status parse_item(Dot *d)
{
    if (d->b->g->nop + d->b->g->ntensor > IMPORT_MAX_ITEMS)
        return dot_error(d, "more than 1,048,576 nodes");
    if (d->scan.now.kind == TOKEN_BAD || d->scan.now.kind == TOKEN_ARROW)
        return dot_error(d, "not DOT");
    if (d->scan.now.kind == TOKEN_ID)
        return strcmp(d->scan.now.text, "subgraph") == 0 ? parse_subgraph(d) : parse_statement(d);
    if (dot_scan_at_mark(&d->scan, '{'))
        return open_brace(d, NULL);
    if (dot_scan_at_mark(&d->scan, '}'))
        d->depth--;
    dot_scan_next(&d->scan);
    return STATUS_OK;
}

Status import_dot(ImportBuild *b, const char *text, size_t size)
{
    Dot d = {.b = b};
    dot_scan_begin(&d.scan, b->g->arena, text, size);
    while (d.scan.now.kind == TOKEN_ID) /* strict digraph NAME */
        dot_scan_next(&d.scan);
    if (!dot_scan_at_mark(&d.scan, '{'))
        return dot_error(&d, "a digraph begins with '{'");
    Status st = open_brace(&d, NULL);
    while (!st && d.depth && d.scan.now.kind != TOKEN_END)
        st = parse_item(&d);
    if (!st && d.depth)
        st = dot_error(&d, "the graph does not end");
    return st;
}
