/* Reads the list of layers in a verbose log of TensorRT. One line each follows "Engine Layer
 * Information:": Layer(Type): name, Tactic: 0x…, in (Type[dims]), in (Type[dims]) -> out
 * (Type[dims]); older ones lack the blank before the bracket. A dimension "3:4" is 3 channels,
 * four side by side. The log tells types and shapes, but layouts only as far as they are
 * vectorised. */
#include "graph/import/import_build.h"
#include "graph/import/tensorrt_format.h"

typedef struct {
    ImportBuild b;
    StrMap by_name; /* layers of the graph; of equal names the first that is not yet filled */
    uint32_t *next; /* of each layer the next of the same name, or STRMAP_NONE */
} LogRead;

/* [1,3:4,2208,3872] */
static void read_shape(Arena *a, const char *text, ImportTensor *t)
{
    long vector = 0;
    t->rank = 0;
    for (const char *s = text; *s && *s != ']';) {
        char *end;
        long long v = strtoll(s, &end, 10);
        if (end == s)
            break;
        if (t->rank == IMPORT_RANK_MAX) {
            t->rank = -1;
            break;
        }
        t->dim[t->rank++] = v >= 0 && v < 1000000000000 ? v : -1;
        if (*end == ':')
            vector = strtol(end + 1, &end, 10);
        s = end + (*end == ',');
    }
    if (vector > 1 && vector <= 64)
        t->layout = arena_printf(a, "CHW%ld", vector);
}

/* "name (Type[dims])" or "name[Type(dims)]" in [text, text + len); false where it has no type. */
static bool read_log_tensor(LogRead *r, const char *text, size_t len, uint32_t *ret)
{
    Arena *a = r->b.g->arena;
    char *whole = arena_strndup(a, text, len), *open = NULL;
    for (char *s = whole; (s = strpbrk(s, "([")); s++)
        if (tensorrt_dtype(arena_strndup(a, s + 1, strcspn(s + 1, "(["))) != DT_UNKNOWN)
            open = s;
    if (!open)
        return false;
    size_t name = (size_t)(open - whole);
    while (name && whole[name - 1] == ' ')
        name--;
    uint32_t id = import_tensor(&r->b, arena_strndup(a, whole, name));
    ImportTensor *t = &r->b.g->tensor[id];
    if (t->dtype == DT_UNKNOWN) {
        size_t type = strcspn(open + 1, "([");
        t->dtype = tensorrt_dtype(arena_strndup(a, open + 1, type));
        if (open[1 + type])
            read_shape(a, open + 2 + type, t);
        t->format = arena_printf(a, "%s%s%s", t->layout ? t->layout : "", t->layout ? " " : "",
                                 dtype_name(t->dtype));
        import_count_bytes(t);
    }
    *ret = id;
    return true;
}

typedef void AddTensor(ImportBuild *b, uint32_t op, uint32_t tensor);

/* Tensors are separated by ", " outside of brackets. */
static void read_tensors(LogRead *r, const char *from, const char *to, uint32_t op, AddTensor *add)
{
    int depth = 0;
    const char *start = from;
    for (const char *s = from; s <= to; s++) {
        if (s < to && (*s == '(' || *s == '['))
            depth++;
        else if (s < to && (*s == ')' || *s == ']'))
            depth--;
        bool ends = s == to || (depth <= 0 && *s == ',' && s + 1 < to && s[1] == ' ');
        uint32_t t;
        if (!ends)
            continue;
        while (start < s && *start == ' ')
            start++;
        if (s > start && read_log_tensor(r, start, (size_t)(s - start), &t))
            add(&r->b, op, t);
        start = s + 1;
    }
}

static const char *find_in_range(const char *from, const char *to, const char *word)
{
    return from < to ? memmem(from, (size_t)(to - from), word, strlen(word)) : NULL;
}

static bool read_line(LogRead *r, const char *line, const char *end)
{
    const char *type = line + strlen("Layer("), *close = find_in_range(type, end, "): ");
    const char *name = close ? close + 3 : NULL,
               *tactic = name ? find_in_range(name, end, ", Tactic: ") : NULL;
    if (!tactic)
        return false;
    Arena *a = r->b.g->arena;
    const char *key = import_engine_name(a, arena_strndup(a, name, (size_t)(tactic - name)));
    uint32_t op = strmap_get(&r->by_name, key);
    const char *ins = find_in_range(tactic + 10, end, ","),
               *arrow = find_in_range(tactic, end, " -> ");
    if (op == STRMAP_NONE)
        return false;
    strmap_put(&r->by_name, r->b.g->op[op].name, r->next[op]);
    r->b.g->op[op].type = arena_strndup(a, type, (size_t)(close - type));
    if (ins && arrow && ins < arrow)
        read_tensors(r, ins + 1, arrow, op, import_reads);
    if (arrow)
        read_tensors(r, arrow + 4, end, op, import_makes);
    return true;
}

/* "[11/22/2026-12:00:00] [V] [TRT] ", which some loggers put in front of every line. */
static const char *skip_log_prefix(const char *line, const char *end)
{
    while (line < end && *line == '[') {
        const char *close = memchr(line, ']', (size_t)(end - line));
        if (!close)
            break;
        line = close + 1;
        while (line < end && *line == ' ')
            line++;
    }
    return line;
}

static void find_ends(Imported *g)
{
    for (size_t i = 0; i < g->ntensor; i++)
        g->tensor[i].bound = (g->tensor[i].producer == IMPORT_NONE && g->tensor[i].nconsumer) ||
                             (g->tensor[i].producer != IMPORT_NONE && !g->tensor[i].nconsumer);
}

size_t imported_take_log(Imported *g, const char *text, size_t size)
{
    const char *end = text + size,
               *at = g->names_only ? find_in_range(text, end, "Engine Layer Information:") : NULL;
    LogRead r;
    size_t found = 0;
    if (!at)
        return 0;
    import_begin(&r.b, g, NULL);
    strmap_init(&r.by_name, g->arena, g->nop);
    r.next = ARENA_ARRAY(g->arena, uint32_t, g->nop + 1);
    for (size_t i = g->nop; i-- > 0;) {
        r.next[i] = strmap_get(&r.by_name, g->op[i].name);
        strmap_put(&r.by_name, g->op[i].name, (uint32_t)i);
    }
    while ((at = memchr(at, '\n', (size_t)(end - at))) && ++at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        const char *line = skip_log_prefix(at, stop);
        size_t len = (size_t)(stop - line) - (stop > line && stop[-1] == '\r');
        if (len < 6 || memcmp(line, "Layer(", 6) != 0)
            break;
        found += read_line(&r, line, line + len);
    }
    if (found == 0)
        return 0;
    find_ends(g);
    for (size_t i = 0; i < g->nop; i++)
        import_engine_work(g, &g->op[i]);
    g->names_only = false;
    return found;
}
