/* Parses a small YAML mapping, a list of indices and a list of tuples. */
#include "graph/onnx/furiosa_keys.h"

#include "graph/base/limits.h"
#include "graph/base/messages.h"

#include <yaml.h>

#define FAMILY "FurisoaAI."

typedef enum { KEY_RANGES, KEY_INPUTS, KEY_OUTPUTS, KEY_COUNT } KeyId;
static const char *const key_name[] = {
    FAMILY "CalibrationResult",
    FAMILY "WithoutQuantize",
    FAMILY "WithoutDequantize",
};
static_assert(sizeof key_name / sizeof *key_name == KEY_COUNT, "a name for each key");

typedef struct {
    Model *m;
    Diag *diag;
    const char *key;
    StoredRanges *ret;
    size_t cap;
    size_t nforeign; /* names that are no tensor */
    const char *first_foreign;
} KeyReader;

/* The entry of a tensor, made where there is none. */
static CalibratedTensor *entry_of(KeyReader *r, const char *name)
{
    StoredRanges *c = r->ret;
    uint32_t i = strmap_number(&c->by_name, name, c->ntensor);
    if (i == c->ntensor)
        *VEC_PUSH(r->m->arena, c->tensor, c->ntensor, r->cap) =
            (CalibratedTensor){.name = name, .output_dtype = DT_UNKNOWN};
    return &c->tensor[i];
}

static Status bad_value(const KeyReader *r, const char *fact)
{
    return diag_set(r->diag, STATUS_INPUT, r->m->path, r->key, "%s; quantize the float model again",
                    fact);
}

/* ---- CalibrationResult ---- */

static const char *text_of(const yaml_node_t *n)
{
    return n->type == YAML_SCALAR_NODE ? (const char *)n->data.scalar.value : NULL;
}

static bool read_real(const char *text, double *ret)
{
    char *end = NULL;
    *ret = text ? strtod(text, &end) : 0;
    return text && end != text && !*end;
}

static Status bad_range(const KeyReader *r, const char *name, const char *fact)
{
    return bad_value(r, arena_printf(r->m->arena, "the range of '%s' %s", name, fact));
}

static Status keep_range(KeyReader *r, const char *name, double min, double max)
{
    if (strmap_get(&r->m->graph->by_name, name) == STRMAP_NONE) {
        if (!r->nforeign++)
            r->first_foreign = name;
        return STATUS_OK;
    }
    CalibratedTensor *x = entry_of(r, name);
    if (x->range.known)
        return bad_range(r, name, "is there twice");
    x->range = (CalibratedRange){min, max, true};
    return STATUS_OK;
}

/* "- min", "- max" after a name. */
static Status read_range(KeyReader *r, yaml_document_t *d, const char *name, const yaml_node_t *n)
{
    double end[2];
    if (n->type != YAML_SEQUENCE_NODE)
        return bad_range(r, name, "is no list");
    const yaml_node_item_t *item = n->data.sequence.items.start;
    if (n->data.sequence.items.top - item != 2 ||
        !read_real(text_of(yaml_document_get_node(d, item[0])), &end[0]) ||
        !read_real(text_of(yaml_document_get_node(d, item[1])), &end[1]))
        return bad_range(r, name, "is not two numbers");
    if (!isfinite(end[0]) || !isfinite(end[1]))
        return bad_range(r, name, "is not finite");
    if (end[0] > end[1])
        return bad_range(r, name, "begins above its end");
    return keep_range(r, name, end[0], end[1]);
}

static Status bad_yaml(const KeyReader *r, yaml_mark_t at)
{
    return bad_value(
        r, arena_printf(r->m->arena, "line %zu is not YAML of names and ranges", at.line + 1));
}

static Status read_mapping(KeyReader *r, yaml_document_t *d)
{
    const yaml_node_t *map = yaml_document_get_root_node(d);
    if (!map || map->type != YAML_MAPPING_NODE)
        return bad_yaml(r, map ? map->start_mark : (yaml_mark_t){0});
    Status st = STATUS_OK;
    const yaml_node_pair_t *p = map->data.mapping.pairs.start;
    for (; p < map->data.mapping.pairs.top && !st; p++) {
        const yaml_node_t *key = yaml_document_get_node(d, p->key);
        st = text_of(key) ? read_range(r, d, arena_strdup(r->m->arena, text_of(key)),
                                       yaml_document_get_node(d, p->value))
                          : bad_yaml(r, key->start_mark);
    }
    return st;
}

static Status read_ranges(KeyReader *r, const char *text)
{
    yaml_parser_t yaml;
    yaml_document_t d;
    if (!yaml_parser_initialize(&yaml))
        return bad_value(r, "cannot be parsed: no memory");
    yaml_parser_set_input_string(&yaml, (const unsigned char *)text, strlen(text));
    bool good = yaml_parser_load(&yaml, &d);
    Status st = good ? read_mapping(r, &d) : bad_yaml(r, yaml.problem_mark);
    if (good)
        yaml_document_delete(&d);
    yaml_parser_delete(&yaml);
    if (!st && r->nforeign)
        notes_add(r->m->notes, "calibration-names", MESSAGE_ID(CALIBRATION_NAMES),
                  arg_size(r->nforeign), arg_text(r->first_foreign));
    return st;
}

/* ---- WithoutQuantize, WithoutDequantize ---- */

static const char *skip_blanks(const char *s)
{
    return s + strspn(s, " \t\r\n");
}

/* The text after `word`, blanks around it skipped; NULL where something else stands. */
static const char *after(const char *s, const char *word)
{
    size_t n = strlen(word);
    s = s ? skip_blanks(s) : NULL;
    return s && !strncmp(s, word, n) ? skip_blanks(s + n) : NULL;
}

static const char *read_index(const char *s, size_t *ret)
{
    char *end = NULL;
    errno = 0;
    unsigned long n = s && *s >= '0' && *s <= '9' ? strtoul(s, &end, 10) : 0;
    *ret = n;
    return end && !errno ? skip_blanks(end) : NULL;
}

static Status check_index(const KeyReader *r, size_t index, size_t count, const char *kind)
{
    if (index < count)
        return STATUS_OK;
    return bad_value(
        r, arena_printf(r->m->arena, "names %s %zu, and the graph has %zu", kind, index, count));
}

static Status read_inputs(KeyReader *r, const char *text)
{
    const Graph *g = r->m->graph;
    for (const char *s = skip_blanks(text); *s;) {
        size_t index;
        s = read_index(s, &index);
        const char *next = s ? after(s, ",") : NULL;
        if (!s || (*s && (!next || !*next)))
            return bad_value(r, "is no list of inputs, as 0,1");
        Status st = check_index(r, index, g->ninput, "input");
        if (st)
            return st;
        entry_of(r, g->tensor[g->input[index]].name)->is_fed_as_uint8 = true;
        s = next ? next : s;
    }
    return STATUS_OK;
}

/* "None" or "Some((0.0,1.0))". */
static const char *read_new_range(const char *s, CalibratedRange *ret)
{
    const char *inner = after(s, "Some((");
    char *end = NULL;
    if (!inner)
        return after(s, "None");
    ret->known = true;
    ret->min = strtod(inner, &end);
    inner = end == inner ? NULL : after(end, ",");
    ret->max = inner ? strtod(inner, &end) : 0;
    return inner && end != inner ? after(end, "))") : NULL;
}

/* "(0,I8,None)". */
static const char *read_output(const char *s, size_t *ret_index, CalibratedTensor *ret)
{
    *ret = (CalibratedTensor){.output_dtype = DT_UNKNOWN};
    s = after(after(s, "(") ? read_index(after(s, "("), ret_index) : NULL, ",");
    const char *rest = after(s, "I8");
    ret->output_dtype = rest ? DT_INT8 : DT_UINT8;
    rest = after(rest ? rest : after(s, "U8"), ",");
    return after(rest ? read_new_range(rest, &ret->output_range) : NULL, ")");
}

static Status check_new_range(const KeyReader *r, const CalibratedRange *x)
{
    bool is_range = isfinite(x->min) && isfinite(x->max) && x->min < x->max;
    return !x->known || is_range ? STATUS_OK : bad_value(r, "gives an output a range that is none");
}

static Status read_outputs(KeyReader *r, const char *text)
{
    const Graph *g = r->m->graph;
    const char *s = after(text, "[");
    while (s && *s && *s != ']') {
        size_t index;
        CalibratedTensor code;
        s = read_output(s, &index, &code);
        if (!s)
            break;
        Status st = check_index(r, index, g->noutput, "output");
        st = st ? st : check_new_range(r, &code.output_range);
        if (st)
            return st;
        CalibratedTensor *x = entry_of(r, g->tensor[g->output[index]].name);
        x->output_dtype = code.output_dtype;
        x->output_range = code.output_range;
        s = after(s, ",") ? after(s, ",") : s;
    }
    s = after(s, "]");
    return s && !*s ? STATUS_OK : bad_value(r, "is no list of outputs, as [(0,I8,None)]");
}

/* ---- all of them ---- */

bool furiosa_keys_has(const char *key)
{
    return !strncmp(key, FAMILY, strlen(FAMILY));
}

/* The values of the three; NULL: not there. */
static bool find_keys(const Model *m, const char *value[KEY_COUNT])
{
    bool any = false;
    for (size_t i = 0; i < m->nmetadata; i++) {
        const char *key = m->metadata[i].key;
        size_t k = LIST_INDEX(j, (size_t)KEY_COUNT, !strcmp(key, key_name[j]));
        if (k < KEY_COUNT)
            value[k] = m->metadata[i].value;
        else if (furiosa_keys_has(key))
            notes_add(m->notes, "calibration-key", MESSAGE_ID(CALIBRATION_KEY), arg_text(key));
        any |= k < KEY_COUNT;
    }
    return any;
}

Status furiosa_keys_read(Model *m, Diag *diag)
{
    const char *value[KEY_COUNT] = {NULL};
    KeyReader r = {.m = m, .diag = diag};
    if (!find_keys(m, value))
        return STATUS_OK;
    r.ret = ARENA_NEW(m->arena, StoredRanges);
    strmap_init(&r.ret->by_name, m->arena, 0);
    m->stored_ranges = r.ret;
    Status st = STATUS_OK;
    for (int k = 0; k < KEY_COUNT && !st; k++) {
        r.key = key_name[k];
        if (value[k])
            st = k == KEY_RANGES   ? read_ranges(&r, value[k])
                 : k == KEY_INPUTS ? read_inputs(&r, value[k])
                                   : read_outputs(&r, value[k]);
    }
    if (!st && !value[KEY_RANGES])
        notes_add(m->notes, "calibration-ranges", MESSAGE_ID(CALIBRATION_RANGES));
    return st;
}

/* ---- writing ---- */

/* With as few digits as reading it back needs, and a point. */
static const char *real_text(Arena *a, double x)
{
    char text[40];
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, x);
        if (strtod(text, NULL) == x)
            break;
    }
    return arena_printf(a, "%s%s", text, strpbrk(text, ".e") ? "" : ".0");
}

/* As a YAML key: quoted unless it can only be a word. */
static void put_name(FILE *out, const char *name)
{
    static const char word[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./";
    bool is_word = *name && strspn(name, word) == strlen(name) && !strchr("0123456789./", *name);
    if (is_word && strpbrk(name, "_./0123456789")) {
        fputs(name, out);
        return;
    }
    putc('"', out);
    for (const char *s = name; *s; s++)
        if (*s == '"' || *s == '\\')
            fprintf(out, "\\%c", *s);
        else if ((unsigned char)*s < ' ')
            fprintf(out, "\\x%02x", (unsigned)(unsigned char)*s);
        else
            putc(*s, out);
    putc('"', out);
}

static void put_ranges(Arena *a, FILE *out, const Model *m)
{
    const StoredRanges *c = m->stored_ranges;
    const char *begin = "---\n"; /* alone it is not readable */
    for (size_t i = 0; i < c->ntensor; i++) {
        const CalibratedTensor *x = &c->tensor[i];
        if (!x->range.known || strmap_get(&m->graph->by_name, x->name) == STRMAP_NONE)
            continue;
        fputs(begin, out);
        begin = "";
        put_name(out, x->name);
        fprintf(out, ":\n  - %s\n  - %s\n", real_text(a, x->range.min), real_text(a, x->range.max));
    }
}

static void put_inputs(Arena *a, FILE *out, const Model *m)
{
    const char *comma = "";
    (void)a;
    for (size_t i = 0; i < m->graph->ninput; i++) {
        const Tensor *t = &m->graph->tensor[m->graph->input[i]];
        if (model_input_dtype(m, t) == t->dtype)
            continue;
        fprintf(out, "%s%zu", comma, i);
        comma = ",";
    }
}

static void put_outputs(Arena *a, FILE *out, const Model *m)
{
    const char *comma = "[";
    for (size_t i = 0; i < m->graph->noutput; i++) {
        const char *name = m->graph->tensor[m->graph->output[i]].name;
        const CalibratedTensor *x = stored_ranges_find(m->stored_ranges, name);
        if (!x || x->output_dtype == DT_UNKNOWN)
            continue;
        fprintf(out, "%s(%zu,%s,", comma, i, x->output_dtype == DT_INT8 ? "I8" : "U8");
        if (x->output_range.known)
            fprintf(out, "Some((%s,%s)))", real_text(a, x->output_range.min),
                    real_text(a, x->output_range.max));
        else
            fputs("None)", out);
        comma = ",";
    }
    if (*comma == ',')
        putc(']', out);
}

const Metadata *furiosa_keys_write(Arena *a, const Model *m, size_t *ret_count)
{
    static void (*const put[])(Arena *, FILE *, const Model *) = {put_ranges, put_inputs,
                                                                  put_outputs};
    static_assert(sizeof put / sizeof *put == KEY_COUNT, "a writer for each key");
    Metadata *list = ARENA_ARRAY(a, Metadata, KEY_COUNT);
    size_t n = 0;
    for (int k = 0; k < KEY_COUNT; k++) {
        char *text = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&text, &size);
        if (!out)
            limits_out_of_memory();
        put[k](a, out, m);
        if (fclose(out) != 0 || !text)
            limits_out_of_memory();
        if (size)
            list[n++] = (Metadata){key_name[k], arena_strndup(a, text, size)};
        free(text);
    }
    *ret_count = n;
    return list;
}
