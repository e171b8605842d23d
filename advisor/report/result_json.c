/* Walks the tables of fields that are made from the schema, once for reading and once for writing.
 */
#include "advisor/report/result_json.h"
#include "advisor/report/result_items.def"

#include "advisor/message/json.h"
#include "graph/base/wording.h"
#include "graph/base/limits.h"

typedef enum {
    RESULT_CONST_NULL,
    RESULT_CONST_TEXT,
    RESULT_CONST_INT,
    RESULT_TEXT,
    RESULT_INT,
    RESULT_REAL,
    RESULT_BOOL,
    RESULT_OPT_INT,
    RESULT_OPT_REAL,
    RESULT_OPT_BOOL,
    RESULT_ENUM,
    RESULT_DIM,     /* an item of RESULT_DIMS */
    RESULT_OBJECT,  /* a struct inside its owner */
    RESULT_POINTER, /* a struct that may be missing */
    RESULT_LIST,    /* of structs */
    RESULT_TEXTS,
    RESULT_INTS,
    RESULT_REALS,
    RESULT_OPT_INTS,
    RESULT_INT_LISTS,
    RESULT_LISTS, /* of lists of structs */
    RESULT_DIMS,
    RESULT_INT_MAP,
    RESULT_TEXT_MAP,
} FieldKind;

enum { RESULT_OPTIONAL = 1, RESULT_NULLABLE = 2 };

typedef struct {
    const char *key;
    FieldKind kind;
    int flags;
    size_t offset,
        given;      /* given: offset of the bool of a field that can be null and absent; 0: none */
    const void *of; /* the type of an object or of a list's items; the words of an enum; a
                       constant's text */
} ResultField;

typedef struct {
    const ResultField *field;
    size_t count, size;
} ResultType;

#include "advisor/report/result_fields.inc"

/* ---- reading ---- */

typedef struct {
    Arena *a;
    const char *file;
    Diag *diag;
    char path[256]; /* of the value at hand, for messages */
} Reader;

static Status wrong_value(Reader *r, const char *expected)
{
    return diag_set(r->diag, STATUS_INPUT, r->file, NULL, "%s: expected %s",
                    *r->path ? r->path : "the result", expected);
}

/* Append a key or an index to the path; return its length before, to cut it there again. */
static size_t enter_key(Reader *r, const char *key)
{
    size_t length = strlen(r->path);
    snprintf(r->path + length, sizeof r->path - length, "%s%s", length ? "." : "", key);
    return length;
}

static size_t enter_index(Reader *r, size_t index)
{
    size_t length = strlen(r->path);
    snprintf(r->path + length, sizeof r->path - length, "[%zu]", index);
    return length;
}

static Status read_object(Reader *r, const ResultType *type, const cJSON *o, void *ret);

static bool is_int(const cJSON *v)
{
    return cJSON_IsNumber(v) && v->valuedouble == floor(v->valuedouble) &&
           fabs(v->valuedouble) < 0x1p63;
}

static Status read_text(Reader *r, const cJSON *v, const char **ret)
{
    if (!cJSON_IsString(v))
        return wrong_value(r, "a text");
    *ret = arena_strdup(r->a, v->valuestring);
    return STATUS_OK;
}

static Status read_int(Reader *r, const cJSON *v, int64_t *ret)
{
    if (!is_int(v))
        return wrong_value(r, "a whole number");
    *ret = (int64_t)v->valuedouble;
    return STATUS_OK;
}

static Status read_real(Reader *r, const cJSON *v, double *ret)
{
    if (!cJSON_IsNumber(v) || !isfinite(v->valuedouble))
        return wrong_value(r, "a number");
    *ret = v->valuedouble;
    return STATUS_OK;
}

static Status read_bool(Reader *r, const cJSON *v, bool *ret)
{
    if (!cJSON_IsBool(v))
        return wrong_value(r, "true or false");
    *ret = cJSON_IsTrue(v);
    return STATUS_OK;
}

static Status read_enum(Reader *r, const cJSON *v, const char *const *name, unsigned *ret)
{
    for (unsigned i = 1; cJSON_IsString(v) && name[i]; i++)
        if (!strcmp(v->valuestring, name[i])) {
            *ret = i;
            return STATUS_OK;
        }
    char words[160];
    snprintf(words, sizeof words, "%s", wording_of("one of"));
    for (unsigned i = 1; name[i]; i++)
        snprintf(words + strlen(words), sizeof words - strlen(words), " %s",
                 *name[i] ? name[i] : "\"\"");
    return wrong_value(r, words);
}

static Status read_dim(Reader *r, const cJSON *v, ResultDim *ret)
{
    if (cJSON_IsString(v))
        return read_text(r, v, &ret->name);
    ret->size.known = !cJSON_IsNull(v);
    return cJSON_IsNull(v) ? STATUS_OK : read_int(r, v, &ret->size.value);
}

/* All lists have this form: items, then their number. */
typedef struct {
    const void *item;
    size_t count;
} AnyList;
static_assert(sizeof(AnyList) == sizeof(ResultTexts) &&
                  offsetof(AnyList, count) == offsetof(ResultTexts, count),
              "lists have one form");

static bool is_map(const ResultField *f)
{
    return f->kind == RESULT_INT_MAP || f->kind == RESULT_TEXT_MAP;
}

/* An item of a list, or the value of a pair, as a field. */
static ResultField item_field(const ResultField *f)
{
    static const FieldKind kind[] = {
#define ITEM(list, item, type) [RESULT_##list] = RESULT_##item,
        RESULT_ITEMS(ITEM)};
    return (ResultField){.kind = kind[f->kind], .of = f->of};
}

/* The offset of the value in a pair. */
enum { PAIR_VALUE = sizeof(const char *) };
static_assert(offsetof(ResultIntPair, value) == PAIR_VALUE &&
                  offsetof(ResultTextPair, value) == PAIR_VALUE,
              "pairs have one form");

static Status read_value(Reader *r, const ResultField *f, const cJSON *v, void *ret);

static Status read_item(Reader *r, const ResultField *f, const cJSON *v, char *item)
{
    ResultField field = item_field(f);
    if (is_map(f)) {
        *(const char **)(void *)item = arena_strdup(r->a, v->string);
        item += PAIR_VALUE;
    }
    return field.kind == RESULT_OPT_INT && cJSON_IsNull(v) ? STATUS_OK
                                                           : read_value(r, &field, v, item);
}

static size_t item_size(const ResultField *f)
{
    static const size_t size[] = {
#define SIZE(list, item, type) [RESULT_##list] = sizeof(type),
        RESULT_ITEMS(SIZE)};
    return f->kind == RESULT_LIST ? ((const ResultType *)f->of)->size : size[f->kind];
}

static Status read_list(Reader *r, const ResultField *f, const cJSON *list, AnyList *ret)
{
    if (is_map(f) ? !cJSON_IsObject(list) : !cJSON_IsArray(list))
        return wrong_value(r, is_map(f) ? "an object" : "a list");
    size_t size = item_size(f), n = 0;
    for (const cJSON *v = list->child; v; v = v->next)
        n++;
    char *item = arena_calloc(r->a, n + 1, size);
    *ret = (AnyList){item, n};
    Status st = STATUS_OK;
    size_t i = 0;
    for (const cJSON *v = list->child; v && !st; v = v->next, i++) {
        size_t length = enter_index(r, i);
        st = read_item(r, f, v, item + i * size);
        if (!st)
            r->path[length] = '\0';
    }
    return st;
}

static Status read_constant(Reader *r, const ResultField *f, const cJSON *v)
{
    bool equal = f->kind == RESULT_CONST_NULL ? cJSON_IsNull(v)
                 : f->kind == RESULT_CONST_TEXT
                     ? cJSON_IsString(v) && !strcmp(v->valuestring, f->of)
                     : is_int(v) && v->valuedouble == strtod(f->of, NULL);
    return equal ? STATUS_OK : wrong_value(r, f->of ? f->of : "null");
}

static Status read_value(Reader *r, const ResultField *f, const cJSON *v, void *ret)
{
    switch (f->kind) {
    case RESULT_CONST_NULL:
    case RESULT_CONST_TEXT:
    case RESULT_CONST_INT:
        return read_constant(r, f, v);
    case RESULT_TEXT:
        return read_text(r, v, ret);
    case RESULT_INT:
        return read_int(r, v, ret);
    case RESULT_REAL:
        return read_real(r, v, ret);
    case RESULT_BOOL:
        return read_bool(r, v, ret);
    case RESULT_OPT_INT:
        ((ResultInt *)ret)->known = true;
        return read_int(r, v, &((ResultInt *)ret)->value);
    case RESULT_OPT_REAL:
        ((ResultReal *)ret)->known = true;
        return read_real(r, v, &((ResultReal *)ret)->value);
    case RESULT_OPT_BOOL:
        ((ResultBool *)ret)->known = true;
        return read_bool(r, v, &((ResultBool *)ret)->value);
    case RESULT_ENUM:
        return read_enum(r, v, f->of, ret);
    case RESULT_DIM:
        return read_dim(r, v, ret);
    case RESULT_OBJECT:
        return read_object(r, f->of, v, ret);
    case RESULT_POINTER: {
        void *object = arena_calloc(r->a, 1, ((const ResultType *)f->of)->size);
        memcpy(ret, &object, sizeof object);
        return read_object(r, f->of, v, object);
    }
    default:
        return read_list(r, f, v, ret);
    }
}

static Status read_field(Reader *r, const ResultField *f, const cJSON *v, char *owner)
{
    bool is_null = !v || cJSON_IsNull(v);
    if (f->given)
        *(bool *)(owner + f->given) = v != NULL;
    if (!v && !(f->flags & RESULT_OPTIONAL))
        return wrong_value(r, "a value");
    if (is_null && f->kind != RESULT_CONST_NULL && (!v || f->flags & RESULT_NULLABLE))
        return STATUS_OK; /* zero: nothing known */
    return read_value(r, f, v, owner + f->offset);
}

static Status read_object(Reader *r, const ResultType *type, const cJSON *o, void *ret)
{
    if (!cJSON_IsObject(o))
        return wrong_value(r, "an object");
    const cJSON *next =
        o->child; /* keys come in the order of the fields, so each is found at once */
    for (size_t i = 0; i < type->count; i++) {
        const ResultField *f = &type->field[i];
        bool is_next = next && !strcmp(next->string, f->key);
        const cJSON *v = is_next ? next : cJSON_GetObjectItemCaseSensitive(o, f->key);
        next = is_next ? next->next : next;
        size_t length = enter_key(r, f->key);
        Status st = read_field(r, f, v, ret);
        if (st)
            return st;
        r->path[length] = '\0';
    }
    return STATUS_OK;
}

/* Renderers look up the change of each row. */
static Status check_rows(Reader *r, const Result *result)
{
    for (size_t i = 0; i < result->plans.count; i++) {
        const ResultPlan *plan = &result->plans.item[i];
        for (size_t k = 0; k < plan->changes.count; k++)
            if (!LIST_ANY(m, result->changes.count,
                          result->changes.item[m].id == plan->changes.item[k].id)) {
                snprintf(r->path, sizeof r->path, "plans[%zu].changes[%zu].id", i, k);
                return wrong_value(r, "the id of one of 'changes'");
            }
    }
    return STATUS_OK;
}

Status result_from_json(Arena *a, const cJSON *tree, const char *file, const Result **ret,
                        Diag *diag)
{
    Reader r = {.a = a, .file = file, .diag = diag};
    Result *result = arena_calloc(a, 1, sizeof *result);
    Status st = read_object(&r, &type_of_Result, tree, result);
    st = st ? st : check_rows(&r, result);
    if (!st)
        *ret = result;
    return st;
}

/* schema_version of docs/schema/result.json. */
enum { RESULT_VERSION = 2 };

/* The first key of a result that the tree lacks: it is no result then; NULL: none. */
static const char *missing_key(const cJSON *tree)
{
    static const char *const needed[] = {"schema_version", "tool", "model", "steps",
                                         "evidence",       "gate", "plans", "options"};
    return LIST_VALUE(i, sizeof needed / sizeof *needed, !json_at(tree, needed[i]), needed[i],
                      NULL);
}

/* Frees the tree. */
static Status take_tree(Arena *a, const char *path, cJSON *tree, const Result **ret, Diag *diag)
{
    const char *missing = missing_key(tree);
    double version = json_number_or(tree, "schema_version", RESULT_VERSION);
    Status st = version < RESULT_VERSION
                    ? diag_set(diag, STATUS_INPUT, path, NULL,
                               "is a result of schema version %.0f, this program reads version %d; "
                               "run the analysis again",
                               version, RESULT_VERSION)
                : missing ? diag_set(diag, STATUS_INPUT, path, NULL,
                                     "is not a result of npu-advise: it has no %s; write one with "
                                     "--json",
                                     missing)
                          : result_from_json(a, tree, path, ret, diag);
    cJSON_Delete(tree);
    return st;
}

Status result_load(Arena *a, const char *path, const Result **ret, Diag *diag)
{
    cJSON *tree;
    Status st = json_load(path, &tree, diag);
    return st ? st : take_tree(a, path, tree, ret, diag);
}

Status result_parse(Arena *a, const char *path, const void *bytes, size_t size, const Result **ret,
                    Diag *diag)
{
    cJSON *tree;
    Status st = json_parse(path, bytes, size, &tree, diag);
    return st ? st : take_tree(a, path, tree, ret, diag);
}

unsigned result_word(const char *const *words, const char *word)
{
    for (unsigned i = 1; word && words[i]; i++)
        if (!strcmp(words[i], word))
            return i;
    return 0;
}

/* ---- writing ---- */

static cJSON *object_to_json(const ResultType *type, const char *owner);

static cJSON *must(cJSON *v)
{
    if (!v)
        limits_out_of_memory();
    return v;
}

/* Integers of JSON are exact up to here. */
#define INTEGER_LIMIT 9007199254740991.0

static cJSON *int_to_json(int64_t v)
{
    return must(cJSON_CreateNumber(fmin(fmax((double)v, -INTEGER_LIMIT), INTEGER_LIMIT)));
}

static cJSON *real_to_json(double v)
{
    return must(isfinite(v) ? cJSON_CreateNumber(v) : cJSON_CreateNull());
}

static cJSON *text_to_json(const char *text)
{
    return must(text ? cJSON_CreateString(text) : cJSON_CreateNull());
}

static cJSON *opt_int_to_json(const ResultInt *v)
{
    return v->known ? int_to_json(v->value) : must(cJSON_CreateNull());
}

static cJSON *value_to_json(const ResultField *f, const void *value);

static cJSON *list_to_json(const ResultField *f, const AnyList *list)
{
    cJSON *ret = must(is_map(f) ? cJSON_CreateObject() : cJSON_CreateArray());
    ResultField field = item_field(f);
    size_t size = item_size(f);
    for (size_t i = 0; i < list->count; i++) {
        const char *item = (const char *)list->item + i * size;
        if (is_map(f))
            cJSON_AddItemToObject(ret, *(const char *const *)(const void *)item,
                                  value_to_json(&field, item + PAIR_VALUE));
        else
            cJSON_AddItemToArray(ret, value_to_json(&field, item));
    }
    return ret;
}

/* Whether the field has a value: what has none is null or left out. */
static bool is_set(const ResultField *f, const void *value)
{
    unsigned word;
    const void *pointer;
    switch (f->kind) {
    case RESULT_CONST_NULL:
    case RESULT_CONST_TEXT:
    case RESULT_CONST_INT:
    case RESULT_INT:
    case RESULT_REAL:
    case RESULT_BOOL:
    case RESULT_OBJECT:
        return true;
    case RESULT_OPT_INT:
        return ((const ResultInt *)value)->known;
    case RESULT_OPT_REAL:
        return ((const ResultReal *)value)->known;
    case RESULT_OPT_BOOL:
        return ((const ResultBool *)value)->known;
    case RESULT_ENUM:
        memcpy(&word, value, sizeof word);
        return word != 0;
    default: /* a text, an object or the items of a list */
        memcpy(&pointer, value, sizeof pointer);
        return pointer != NULL;
    }
}

static cJSON *value_to_json(const ResultField *f, const void *value)
{
    unsigned word;
    const void *pointer;
    const ResultDim *dim = value;
    switch (f->kind) {
    case RESULT_CONST_NULL:
        return must(cJSON_CreateNull());
    case RESULT_CONST_TEXT:
        return text_to_json(f->of);
    case RESULT_CONST_INT:
        return real_to_json(strtod(f->of, NULL));
    case RESULT_TEXT:
        return text_to_json(*(const char *const *)value);
    case RESULT_INT:
        return int_to_json(*(const int64_t *)value);
    case RESULT_REAL:
        return real_to_json(*(const double *)value);
    case RESULT_BOOL:
        return must(cJSON_CreateBool(*(const bool *)value));
    case RESULT_OPT_INT:
        return opt_int_to_json(value);
    case RESULT_OPT_REAL:
        return real_to_json(((const ResultReal *)value)->value);
    case RESULT_OPT_BOOL:
        return must(cJSON_CreateBool(((const ResultBool *)value)->value));
    case RESULT_ENUM:
        memcpy(&word, value, sizeof word);
        return text_to_json(((const char *const *)f->of)[word]);
    case RESULT_DIM:
        return dim->name ? text_to_json(dim->name) : opt_int_to_json(&dim->size);
    case RESULT_OBJECT:
        return object_to_json(f->of, value);
    case RESULT_POINTER:
        memcpy(&pointer, value, sizeof pointer);
        return object_to_json(f->of, pointer);
    default:
        return list_to_json(f, value);
    }
}

static cJSON *object_to_json(const ResultType *type, const char *owner)
{
    cJSON *o = must(cJSON_CreateObject());
    for (size_t i = 0; i < type->count; i++) {
        const ResultField *f = &type->field[i];
        const void *value = owner + f->offset;
        bool has = is_set(f, value) ||
                   (f->kind >= RESULT_LIST && !(f->flags & (RESULT_OPTIONAL | RESULT_NULLABLE)));
        bool given =
            f->given ? *(const bool *)(owner + f->given) : has || !(f->flags & RESULT_OPTIONAL);
        assert(has || !given || f->flags & RESULT_NULLABLE);
        if (given)
            cJSON_AddItemToObject(o, f->key,
                                  has ? value_to_json(f, value) : must(cJSON_CreateNull()));
    }
    return o;
}

/* Writes one type; NULL gives null. */
#define WRITER(function, type)                                                                     \
    cJSON *function(const type *x)                                                                 \
    {                                                                                              \
        return x ? object_to_json(&type_of_##type, (const char *)x) : must(cJSON_CreateNull());    \
    }
WRITER(result_to_json, Result)
WRITER(result_setup_to_json, ResultSetup)
WRITER(result_interval_to_json, ResultInterval)
