/* Counts what a compiled graph tells about itself: operators, cuts, layout moves, gaps in int8. */
#include "advisor/render/program/imported_show.h"

#include "advisor/message/figure.h"
#include "advisor/message/plain.h"
#include "advisor/message/json.h"

enum { LIST_MAX = 12 };

static const char *const kind_text[] = {[IMPORT_LOWERED] = "lowered.json",
                                        [IMPORT_DOT] = "vendor-dot",
                                        [IMPORT_TENSORRT] = "tensorrt-layers",
                                        [IMPORT_RKNN] = "rknn-table"};

/* ---- what an operator reads and makes ---- */

static int64_t bytes_moved(const Imported *g, const ImportOp *op)
{
    const ImportTensor *t = import_first(g, op->output, op->noutput);
    return t ? t->bytes : -1;
}

static const char *format_of(const PhraseOut *o, const ImportTensor *t)
{
    return t && t->format ? t->format : phrase_text(o->lang, PHRASE_UNKNOWN_FORMAT);
}

/* Who made what the operator reads: the place where the gap begins. */
static const char *maker_of(const Imported *g, const ImportOp *op)
{
    const ImportTensor *t = import_first(g, op->input, op->ninput);
    return t && t->producer != IMPORT_NONE ? g->op[t->producer].name : NULL;
}

/* ---- types of operators by number ---- */

typedef struct {
    const char *type;
    size_t count;
} TypeCount;

ORDER_BY(by_count, TypeCount, COMPARE(b->count, a->count), strcmp(a->type, b->type))

ORDER_BY(by_type, TypeCount, strcmp(a->type, b->type))

static TypeCount *count_types(const Imported *g, size_t *ret_count)
{
    TypeCount *t = ARENA_ARRAY(g->arena, TypeCount, g->nop + 1);
    size_t n = 0, unique = 0;
    for (size_t i = 0; i < g->nop; i++)
        if (g->op[i].type)
            t[n++] = (TypeCount){g->op[i].type, 1};
    ORDER_LIST(t, n, by_type);
    for (size_t i = 0; i < n; i++) {
        if (unique && strcmp(t[unique - 1].type, t[i].type) == 0)
            t[unique - 1].count++;
        else
            t[unique++] = t[i];
    }
    ORDER_LIST(t, unique, by_count);
    *ret_count = unique;
    return t;
}

/* ---- text ---- */

static void put_plain_text(FILE *out, const char *text, size_t columns)
{
    Plain p;
    fputs(plain(&p, text, columns), out);
}

static void put_change(const PhraseOut *o, const Imported *g, const ImportOp *op)
{
    FILE *out = o->out;
    Figure bytes;
    Plain after;
    int64_t moved = bytes_moved(g, op);
    const char *maker = maker_of(g, op);
    fputs("  ", out);
    put_plain_text(out, op->name, 90);
    fputs("\n      ", out);
    put_plain_text(out, format_of(o, import_first(g, op->input, op->ninput)), 70);
    fputs(" -> ", out);
    put_plain_text(out, format_of(o, import_first(g, op->output, op->noutput)), 70);
    if (moved >= 0)
        fprintf(out, ", %s", figure_bytes(&bytes, (double)moved));
    if (maker)
        PHRASE_PUT(o, phrase_arg(PHRASE_IMPORT_AFTER), arg_text(plain(&after, maker, 60)));
    putc('\n', out);
}

static void put_list(const PhraseOut *o, const Imported *g, ImportWork w, PhraseId heading,
                     size_t limit)
{
    size_t n = LIST_SUM(size_t, i, g->nop, g->op[i].work == w), shown = 0;
    if (n == 0)
        return;
    fprintf(o->out, "%s: %zu\n", phrase_text(o->lang, heading), n);
    for (size_t i = 0; i < g->nop && shown < limit; i++)
        if (g->op[i].work == w) {
            put_change(o, g, &g->op[i]);
            shown++;
        }
    if (shown < n)
        PHRASE_LINE(o, phrase_arg(PHRASE_IMPORT_MORE), arg_size((n - shown)));
}

static void put_types(const PhraseOut *o, const Imported *g)
{
    FILE *out = o->out;
    size_t n;
    const TypeCount *t = count_types(g, &n);
    for (size_t i = 0; i < n && i < LIST_MAX; i++) {
        fputs(i ? ", " : phrase_text(o->lang, PHRASE_IMPORT_TYPES), out);
        put_plain_text(out, t[i].type, 40);
        fprintf(out, " %zu", t[i].count);
    }
    fprintf(out, "%s\n", n ? "" : phrase_text(o->lang, PHRASE_IMPORT_STRUCTURE));
}

static void put_subgraphs(const PhraseOut *o, const Imported *g)
{
    size_t n = g->nsubgraph;
    Plain first, last;
    if (n == 0)
        return;
    PHRASE_PUT(o, phrase_arg(PHRASE_IMPORT_SUBGRAPHS), arg_size(n));
    if (n > 1) /* compilers count from 0: how many and the highest number are easily mixed up */
        PHRASE_PUT(o, phrase_arg(PHRASE_IMPORT_FIRST_LAST),
                   arg_text(plain(&first, g->subgraph[0], 40)),
                   arg_text(plain(&last, g->subgraph[n - 1], 40)));
    PHRASE_PUT(o, phrase_arg(PHRASE_IMPORT_CUTS), arg_size(g->ncut), arg_size(g->ncrossing));
}

void imported_text(const PhraseOut *o, const Imported *g, bool verbose)
{
    size_t limit = verbose ? SIZE_MAX : LIST_MAX;
    PHRASE_PUT(o, phrase_arg(PHRASE_IMPORT_HEAD), arg_text(kind_text[g->kind]), arg_size(g->nop),
               arg_size(g->ntensor));
    put_subgraphs(o, g);
    putc('\n', o->out);
    put_types(o, g);
    put_list(o, g, WORK_LAYOUT, PHRASE_IMPORT_LAYOUT, limit);
    put_list(o, g, WORK_RENAME, PHRASE_IMPORT_RENAME, limit);
    put_list(o, g, WORK_TYPE, PHRASE_IMPORT_GAPS, limit);
}

/* ---- JSON ---- */

static cJSON *change_json(const Imported *g, const ImportOp *op)
{
    cJSON *o = cJSON_CreateObject();
    int64_t moved = bytes_moved(g, op);
    const ImportTensor *in = import_first(g, op->input, op->ninput),
                       *out = import_first(g, op->output, op->noutput);
    json_add_text(o, "name", op->name);
    json_add_text(o, "type", op->type);
    json_add_text(o, "from", in ? in->format : NULL);
    json_add_text(o, "to", out ? out->format : NULL);
    json_add_number(o, "bytes", moved >= 0 ? (double)moved : (double)NAN);
    cJSON_AddBoolToObject(o, "copies", op->work != WORK_RENAME);
    json_add_text(o, "after", maker_of(g, op));
    return o;
}

static void add_changes(cJSON *o, const char *key, const Imported *g, ImportWork a, ImportWork b)
{
    cJSON *list = cJSON_AddArrayToObject(o, key);
    for (size_t i = 0; i < g->nop; i++)
        if (g->op[i].work == a || g->op[i].work == b)
            cJSON_AddItemToArray(list, change_json(g, &g->op[i]));
}

static void add_subgraphs(cJSON *o, const Imported *g)
{
    size_t *count = ARENA_ARRAY(g->arena, size_t, g->nsubgraph + 1);
    for (size_t i = 0; i < g->nop; i++)
        if (g->op[i].subgraph != IMPORT_NONE)
            count[g->op[i].subgraph]++;
    cJSON *list = cJSON_AddArrayToObject(o, "subgraphs");
    for (size_t i = 0; i < g->nsubgraph; i++) {
        cJSON *s = json_add_row(list);
        json_add_text(s, "name", g->subgraph[i]);
        cJSON_AddNumberToObject(s, "operators", (double)count[i]);
    }
}

static void add_findings(cJSON *o, const Imported *g)
{
    size_t n;
    const ImportFinding *f = imported_findings(g, &n);
    cJSON *list = cJSON_AddArrayToObject(o, "findings");
    for (size_t i = 0; i < n; i++) {
        cJSON *one = json_add_row(list);
        json_add_text(one, "id", f[i].id);
        cJSON_AddNumberToObject(one, "places", (double)f[i].places);
        json_add_number(one, "bytes", f[i].bytes < 0 ? (double)NAN : (double)f[i].bytes);
        json_add_text(one, "fact", phrase_text(NULL, f[i].fact));
        json_add_text(one, "what_to_do", phrase_text(NULL, f[i].fix));
        cJSON_AddNullToObject(one, "gain");
    }
    json_add_text(o, "reason_if_no_gain", imported_no_gain(g));
}

cJSON *imported_json(const Imported *g)
{
    cJSON *o = cJSON_CreateObject();
    size_t ntype;
    const TypeCount *type = count_types(g, &ntype);
    cJSON_AddNumberToObject(o, "schema_version", 1);
    json_add_text(o, "imported", kind_text[g->kind]);
    cJSON_AddNumberToObject(o, "operators", (double)g->nop);
    cJSON_AddNumberToObject(o, "tensors", (double)g->ntensor);
    add_subgraphs(o, g);
    cJSON_AddNumberToObject(o, "crossing", (double)g->ncrossing);
    cJSON_AddNumberToObject(o, "cuts", (double)g->ncut);
    cJSON *types = cJSON_AddArrayToObject(o, "types");
    for (size_t i = 0; i < ntype; i++) {
        cJSON *t = json_add_row(types);
        json_add_text(t, "type", type[i].type);
        cJSON_AddNumberToObject(t, "count", (double)type[i].count);
    }
    add_changes(o, "layout_moves", g, WORK_LAYOUT, WORK_RENAME);
    add_changes(o, "type_changes", g, WORK_TYPE, WORK_TYPE);
    add_findings(o, g);
    return o;
}
