/* Reads nodes and edges of a DOT file and skips the rest of the language.
 *
 * The vendor's compiler names operators subgraph<k>_operator<n> and tensors subgraph<k>_tensor<n>
 * or tensor<n>; newer ones g<i>_s<k>_t<n>.  In a graph without such tensors every node is an
 * operator and every edge a tensor between two of them. */
#include "graph/import/import_build.h"

#include <ctype.h>
#include <string.h>

typedef enum { TOKEN_END, TOKEN_ID, TOKEN_ARROW, TOKEN_MARK, TOKEN_BAD } TokenKind;

typedef struct {
    TokenKind kind;
    char mark;        /* of TOKEN_MARK: one of { } [ ] ; , = : */
    const char *text; /* of TOKEN_ID, in the arena */
} Token;

typedef struct {
    ImportBuild *b;
    const char *p, *end;
    size_t line;
    Token now;
    const char *cluster[IMPORT_MAX_DEPTH]; /* name of each open brace's subgraph, or NULL */
    size_t depth;
} Dot;

static Status dot_error(const Dot *d, const char *fact)
{
    char place[32];
    snprintf(place, sizeof place, "line %zu", d->line);
    return diag_set(d->b->diag, STATUS_INPUT, d->b->g->path, place, "%s", fact);
}

/* ---- tokens ---- */

static bool at_text(const Dot *d, const char *word)
{
    size_t n = strlen(word);
    return (size_t)(d->end - d->p) >= n && memcmp(d->p, word, n) == 0;
}

static void skip_to(Dot *d, const char *word)
{
    while (d->p < d->end && !at_text(d, word))
        d->line += *d->p++ == '\n';
    if (d->p < d->end)
        d->p += strlen(word);
}

static void skip_blank(Dot *d)
{
    while (d->p < d->end) {
        if (isspace((unsigned char)*d->p)) {
            d->line += *d->p++ == '\n';
        } else if (*d->p == '#' || at_text(d, "//")) {
            while (d->p < d->end && *d->p != '\n')
                d->p++;
        } else if (at_text(d, "/*")) {
            skip_to(d, "*/");
        } else {
            return;
        }
    }
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || (unsigned char)c >= 128;
}

/* "text" with its escapes as they are, or <html> with balanced brackets. */
static bool read_quoted(Dot *d, char close)
{
    const char *from = ++d->p;
    int open = 1;
    bool escaped = false;
    for (; d->p < d->end; d->p++) {
        d->line += *d->p == '\n';
        if (escaped)
            escaped = false;
        else if (close == '"' && *d->p == '\\')
            escaped = true;
        else if (close == '>' && *d->p == '<')
            open++;
        else if (*d->p == close && --open == 0)
            break;
    }
    if (d->p >= d->end)
        return false;
    d->now = (Token){TOKEN_ID, 0, arena_strndup(d->b->g->arena, from, (size_t)(d->p - from))};
    d->p++;
    return true;
}

static void next_token(Dot *d)
{
    skip_blank(d);
    d->now = (Token){TOKEN_END, 0, NULL};
    if (d->p >= d->end)
        return;
    if (at_text(d, "->") || at_text(d, "--")) {
        d->p += 2;
        d->now.kind = TOKEN_ARROW;
    } else if (*d->p == '"' || *d->p == '<') {
        if (!read_quoted(d, *d->p == '"' ? '"' : '>'))
            d->now.kind = TOKEN_BAD;
    } else if (strchr("{}[];,=:+", *d->p)) {
        d->now = (Token){TOKEN_MARK, *d->p++, NULL};
    } else if (is_word(*d->p) || *d->p == '-') {
        const char *from = d->p++;
        while (d->p < d->end && is_word(*d->p))
            d->p++;
        d->now = (Token){TOKEN_ID, 0, arena_strndup(d->b->g->arena, from, (size_t)(d->p - from))};
    } else {
        d->now.kind = TOKEN_BAD;
    }
}

static bool at_mark(const Dot *d, char mark)
{
    return d->now.kind == TOKEN_MARK && d->now.mark == mark;
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
    while (!at_mark(d, ']')) {
        if (d->now.kind == TOKEN_END || d->now.kind == TOKEN_BAD)
            return dot_error(d, "a list of attributes does not end");
        const char *key = d->now.kind == TOKEN_ID ? d->now.text : NULL;
        next_token(d);
        if (!key || !at_mark(d, '='))
            continue;
        next_token(d);
        if (d->now.kind != TOKEN_ID)
            continue;
        if (node && strcmp(key, "label") == 0 && !is_tensor_name(node)) {
            size_t n = strcspn(d->now.text, "\\\n");
            uint32_t op = import_op(d->b, node);
            d->b->g->op[op].type = n ? arena_strndup(d->b->g->arena, d->now.text, n) : NULL;
        }
        next_token(d);
    }
    next_token(d);
    return STATUS_OK;
}

static void skip_ports(Dot *d)
{
    while (at_mark(d, ':')) {
        next_token(d);
        if (d->now.kind == TOKEN_ID)
            next_token(d);
    }
}

/* node, node -> node -> node, name = value; d->now is the first name. */
static Status parse_statement(Dot *d)
{
    const char *name = d->now.text;
    bool keyword = !strcmp(name, "graph") || !strcmp(name, "node") || !strcmp(name, "edge");
    next_token(d);
    if (at_mark(d, '=')) {
        next_token(d);
        next_token(d);
        return STATUS_OK;
    }
    skip_ports(d);
    if (!keyword)
        see_node(d, name);
    while (d->now.kind == TOKEN_ARROW) {
        next_token(d);
        if (d->now.kind != TOKEN_ID)
            return at_mark(d, '{') ? STATUS_OK : dot_error(d, "an edge leads nowhere");
        see_node(d, d->now.text);
        see_edge(d, name, d->now.text);
        name = d->now.text;
        next_token(d);
        skip_ports(d);
    }
    if (!at_mark(d, '['))
        return STATUS_OK;
    next_token(d);
    return parse_attributes(d, keyword ? NULL : name);
}

static Status open_brace(Dot *d, const char *cluster)
{
    if (d->depth == IMPORT_MAX_DEPTH)
        return dot_error(d, "subgraphs are nested more than 200 deep");
    d->cluster[d->depth++] = cluster;
    next_token(d);
    return STATUS_OK;
}

static Status parse_subgraph(Dot *d)
{
    next_token(d);
    const char *name = NULL;
    if (d->now.kind == TOKEN_ID) {
        name = d->now.text;
        next_token(d);
    }
    return at_mark(d, '{') ? open_brace(d, name) : STATUS_OK;
}

static Status parse_item(Dot *d)
{
    if (d->b->g->nop + d->b->g->ntensor > IMPORT_MAX_ITEMS)
        return dot_error(d, "more than 1,048,576 nodes");
    if (d->now.kind == TOKEN_BAD || d->now.kind == TOKEN_ARROW)
        return dot_error(d, "not DOT");
    if (d->now.kind == TOKEN_ID)
        return strcmp(d->now.text, "subgraph") == 0 ? parse_subgraph(d) : parse_statement(d);
    if (at_mark(d, '{'))
        return open_brace(d, NULL);
    if (at_mark(d, '}'))
        d->depth--;
    next_token(d);
    return STATUS_OK;
}

Status import_dot(ImportBuild *b, const char *text, size_t size)
{
    Dot d = {.b = b, .p = text, .end = text + size, .line = 1};
    next_token(&d);
    while (d.now.kind == TOKEN_ID) /* strict digraph NAME */
        next_token(&d);
    if (!at_mark(&d, '{'))
        return dot_error(&d, "a digraph begins with '{'");
    Status st = open_brace(&d, NULL);
    while (!st && d.depth && d.now.kind != TOKEN_END)
        st = parse_item(&d);
    if (!st && d.depth)
        st = dot_error(&d, "the graph does not end");
    return st;
}
