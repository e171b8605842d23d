/* Reads the <machine> element and sorts the rows of its tables. */
#include "graph/compile/machine.h"
#include "default_target.h" /* TARGET_DEFAULT: made by the build from rules/targets */

#include "graph/base/data.h"
#include "graph/base/messages.h"
#include "graph/base/xml.h"

#include <dirent.h>

static const struct {
    Sdk sdk;
    const char *text;
} sdk_list[] = {
    {6, "0.6"},       {7, "0.7"},       {8, "0.8"},       {9, "0.9"},
    {10, "0.10"},     {10400, "1.4.0"}, {10500, "1.5.0"}, {10502, "1.5.2"},
    {10600, "1.6.0"}, {10701, "1.7.1"}, {20000, "2.0.0"}, {20100, "2.1.0"},
    {20200, "2.2.0"}, {20300, "2.3.0"}, {20302, "2.3.2"}, {20500, "2.5.0"},
};
enum { SDK_COUNT = sizeof sdk_list / sizeof *sdk_list };

const char *sdk_choice(Arena *a)
{
    const char *list = sdk_text(SDK_OLDEST_TAKEN);
    for (int s = SDK_OLDEST_TAKEN + 1; s <= SDK_NEWEST; s++)
        list = arena_printf(a, "%s|%s", list, sdk_text(s));
    return list;
}

const char *sdk_text(Sdk sdk)
{
    return LIST_VALUE(i, SDK_COUNT, sdk_list[i].sdk == sdk, sdk_list[i].text, "unknown");
}

Sdk sdk_from_text(const char *text)
{
    for (size_t i = 0; i < SDK_COUNT; i++) {
        size_t len = strlen(sdk_list[i].text);
        if (strncmp(text, sdk_list[i].text, len) != 0)
            continue;
        if (text[len] == '\0' || (sdk_list[i].sdk <= SDK_NEWEST && text[len] == '.')) /* 0.9.1 */
            return sdk_list[i].sdk;
    }
    return 0;
}

static const struct {
    const char *name;
    const MessageId *words;
} key_text[] = {
#define X(id, key) {key, &message_KEY_##id},
    CONDITION_KEYS(X)
#undef X
};
static_assert(sizeof key_text / sizeof *key_text == CONDITION_KEY_COUNT, "a name for each key");

const char *condition_key_name(ConditionKey k)
{
    assert(k < CONDITION_KEY_COUNT);
    return key_text[k].name;
}

MessageArg condition_key_words(ConditionKey k)
{
    assert(k < CONDITION_KEY_COUNT);
    return arg_message_id(key_text[k].words);
}

ENUM_WORDS(quantized_type_name, QuantizedType, QUANTIZED_COUNT, [QUANTIZED_UNKNOWN] = "",
           [QUANTIZED_INT8] = "int8", [QUANTIZED_FLOAT] = "float", [QUANTIZED_REFUSED] = "refused")

static QuantizedType type_from_text(const char *text)
{
    return LIST_VALUE(t, QUANTIZED_COUNT, strcmp(text, quantized_type_name((QuantizedType)t)) == 0,
                      (QuantizedType)t, QUANTIZED_UNKNOWN);
}

const Quantizer *machine_quantizer(const Machine *m, Sdk sdk)
{
    return LIST_FIND(i, m->quantizer, m->nquantizer, m->quantizer[i].sdk == sdk);
}

const QuantizerRow *quantizer_rows(const Quantizer *q, const char *op, size_t *ret_n)
{
    size_t lo = LIST_BOUND(i, q->nrow, strcmp(q->row[i].op, op) < 0), n = 0;
    while (lo + n < q->nrow && strcmp(q->row[lo + n].op, op) == 0)
        n++;
    *ret_n = n;
    return n ? &q->row[lo] : NULL;
}

bool machine_row_is_host(const SupportRow *row)
{
    const char *w = row->rows + strspn(row->rows, " ");
    for (; *w; w += strcspn(w, " "), w += strspn(w, " "))
        if (strncmp(w, ROW_HOST_MARK, strlen(ROW_HOST_MARK)) != 0)
            return false;
    return *row->rows != '\0';
}

const SupportRow *machine_rows(const Machine *m, SupportPage page, const char *op, size_t *ret_n)
{
    const SupportRow *row = page == PAGE_DECIDES ? m->row : m->other_row;
    size_t nrow = page == PAGE_DECIDES ? m->nrow : m->nother_row, n = 0;
    size_t lo = LIST_BOUND(i, nrow, strcmp(row[i].op, op) < 0);
    while (lo + n < nrow && strcmp(row[lo + n].op, op) == 0)
        n++;
    *ret_n = n;
    return n ? &row[lo] : NULL;
}

/* Where an error is: the file, and the line of the element. */
static Status fail_at_line(const char *path, const xmlNode *x, Diag *diag, const char *fact)
{
    char place[32];
    snprintf(place, sizeof place, "line %ld", xmlGetLineNo((xmlNode *)x));
    return diag_set(diag, STATUS_INPUT, path, place, "%s", fact);
}

typedef struct {
    const char *name, *value;
    bool is_sdk;
    const xmlNode *node;
} Figure;

static Status machine_figure(const char *path, const Figure *f, int64_t *ret, Diag *diag)
{
    if (f->is_sdk) {
        *ret = sdk_from_text(f->value);
    } else {
        char *end;
        errno = 0;
        *ret = strtoll(f->value, &end, 10);
        if (errno || *end)
            *ret = 0;
    }
    /* Every figure is a count or a size: zero would divide something. */
    if (*ret <= 0 || *ret > INT64_C(1) << 40)
        return fail_at_line(path, f->node, diag,
                            "value is not a positive whole number or known SDK");
    return STATUS_OK;
}

static const Figure *figure_find(const Figure *f, size_t n, const char *name)
{
    return LIST_FIND(i, f, n, strcmp(f[i].name, name) == 0);
}

/* Of a count: products of three of them are numbers that the compiler can hold. */
enum { COUNT_MAX = 1 << 15 };

enum {
    KINDS_TASKS = 1 << MACHINE_TASKS,
    KINDS_ROWS = 1 << MACHINE_ROWS,
    KINDS_EVERY = 3,
    KINDS_MAY = 0
};
static_assert(MACHINE_KIND_COUNT == 2, "EVERY has a bit for each kind");

static Status figures_set(Machine *m, const Figure *f, size_t n, const xmlNode *machine, Diag *diag)
{
    size_t known = 0;
#define X(field, type, kinds)                                                                      \
    m->field = 1;                                                                                  \
    if (KINDS_##kinds >> m->kind & 1 || (!KINDS_##kinds && figure_find(f, n, #field))) {           \
        int64_t value;                                                                             \
        const Figure *found = figure_find(f, n, #field);                                           \
        if (!found)                                                                                \
            return fail_at_line(m->source_path, machine, diag, "figure '" #field "' is missing");  \
        Status st = machine_figure(m->source_path, found, &value, diag);                           \
        if (st)                                                                                    \
            return st;                                                                             \
        if (sizeof(type) == sizeof(int) && value > COUNT_MAX)                                      \
            return fail_at_line(m->source_path, found->node, diag, "value is too large");          \
        m->field = (type)value;                                                                    \
        known++;                                                                                   \
    }
    MACHINE_FIGURES(X)
#undef X
    if (n != known)
        return fail_at_line(m->source_path, machine, diag, "a figure is unknown or given twice");
    return STATUS_OK;
}

static Status figures_load(Arena *a, Machine *m, const xmlNode *machine, Diag *diag)
{
    Figure *f = NULL;
    size_t n = 0, cap = 0;
    for (xmlNode *p = xml_child(machine, "p"); p; p = xml_next(p)) {
        const char *name = xml_attr(a, p, "name"), *value = xml_attr(a, p, "value"),
                   *unit = xml_attr(a, p, "unit");
        if (!name || !value || !unit)
            return fail_at_line(m->source_path, p, diag, "a figure needs name, value and unit");
        *VEC_PUSH(a, f, n, cap) = (Figure){name, value, strcmp(unit, "sdk") == 0, p};
    }
    return figures_set(m, f, n, machine, diag);
}

/* One clause, NUL-terminated and without blanks around it. */
static bool clause_parse(Arena *a, const char *text, Condition *ret)
{
    for (int k = 0; k < CONDITION_KEY_COUNT; k++) {
        size_t len = strlen(key_text[k].name);
        if (strncmp(text, key_text[k].name, len) != 0)
            continue;
        const char *rest = text + len;
        if (strncmp(rest, "<=", 2) == 0) {
            char *end;
            errno = 0;
            long long limit = strtoll(rest + 2, &end, 10);
            *ret = (Condition){(ConditionKey)k, true, limit, NULL, text};
            return !errno && end != rest + 2 && !*end && limit >= 0;
        }
        if (strncmp(rest, " in ", 4) == 0 && rest[4]) {
            *ret = (Condition){(ConditionKey)k, false, 0, arena_printf(a, "|%s|", rest + 4), text};
            return true;
        }
    }
    return false;
}

static bool conditions_parse(Arena *a, const char *when, const Condition **ret, size_t *ret_n)
{
    Condition *c = NULL;
    size_t n = 0, cap = 0;
    for (const char *p = when; *p;) {
        const char *end = strstr(p, " and ");
        size_t len = end ? (size_t)(end - p) : strlen(p);
        Condition one;
        if (!clause_parse(a, arena_strndup(a, p, len), &one))
            return false;
        *VEC_PUSH(a, c, n, cap) = one;
        p += len + (end ? 5 : 0);
    }
    *ret = c;
    *ret_n = n;
    return true;
}

ORDER_BY(by_op, SupportRow, strcmp(a->op, b->op), COMPARE(a->since, b->since),
         COMPARE(a->number, b->number))

static const char *const row_form_word[] = {
#define X(id, word) word,
    ROW_FORMS(X)
#undef X
};

static Status page_load(Arena *a, const Machine *m, const xmlNode *support, const SupportRow **ret,
                        size_t *ret_count, Diag *diag)
{
    SupportRow *row = NULL;
    size_t n = 0, cap = 0;
    for (xmlNode *x = support ? xml_child(support, "op") : NULL; x; x = xml_next(x)) {
        const char *op = xml_attr(a, x, "name"), *since = xml_attr(a, x, "since"),
                   *form = xml_attr_or(a, x, "form", row_form_word[ROW_PLAIN]);
        SupportRow r = {.op = op,
                        .form = LIST_VALUE(f, ROW_FORM_COUNT, strcmp(form, row_form_word[f]) == 0,
                                           (RowForm)f, ROW_FORM_COUNT),
                        .rows = xml_attr_or(a, x, "rows", op),
                        .number = (int)n,
                        .since = since ? sdk_from_text(since) : 0,
                        .when = xml_attr_or(a, x, "when", "")};
        if (r.form == ROW_FORM_COUNT)
            return fail_at_line(m->source_path, x, diag, "'form' is not a form of rows");
        if (!r.op || (since && !r.since))
            return fail_at_line(m->source_path, x, diag,
                                "an <op> needs a name and, if any, a known SDK");
        if (!conditions_parse(a, r.when, &r.condition, &r.ncondition))
            return fail_at_line(m->source_path, x, diag,
                                "'when' is not KEY<=NUMBER or KEY in A|B …");
        *VEC_PUSH(a, row, n, cap) = r;
    }
    ORDER_LIST(row, n, by_op);
    *ret = row;
    *ret_count = n;
    return STATUS_OK;
}

static Status support_load(Arena *a, Machine *m, const xmlNode *machine, Diag *diag)
{
    const xmlNode *page = xml_child(machine, "support"), *other = page ? xml_next(page) : NULL;
    Status st = page_load(a, m, page, &m->row, &m->nrow, diag);
    return st ? st : page_load(a, m, other, &m->other_row, &m->nother_row, diag);
}

/* ---- the words of a table ---- */

static bool is_yes(Arena *a, const xmlNode *x, const char *name)
{
    return strcmp(xml_attr_or(a, x, name, ""), "yes") == 0;
}

static Status words_load(Arena *a, Machine *m, const xmlNode *rows, Diag *diag)
{
    RowWord *list = NULL;
    size_t cap = 0;
    for (const xmlNode *x = xml_child(rows, "row"); x; x = xml_next(x)) {
        RowWord w = {xml_attr(a, x, "name"), xml_attr(a, x, "kind"), is_yes(a, x, "table"),
                     is_yes(a, x, "joint")};
        if (!w.name || !w.kind)
            return fail_at_line(m->source_path, x, diag, "a <row> needs a name and a kind");
        *VEC_PUSH(a, list, m->nword, cap) = w;
    }
    m->word = list;
    return STATUS_OK;
}

static Status joins_load(Arena *a, Machine *m, const xmlNode *rows, Diag *diag)
{
    RowJoin *list = NULL;
    size_t cap = 0;
    for (const xmlNode *x = xml_child(rows, "join"); x; x = xml_next(x)) {
        RowJoin j = {xml_attr(a, x, "row"), xml_attr(a, x, "next"), xml_attr(a, x, "to"),
                     is_yes(a, x, "own")};
        if (!j.row || !j.next || !j.to)
            return fail_at_line(m->source_path, x, diag, "a <join> needs row, next and to");
        *VEC_PUSH(a, list, m->njoin, cap) = j;
    }
    m->join = list;
    return STATUS_OK;
}

static Status rows_load(Arena *a, Machine *m, const xmlNode *machine, Diag *diag)
{
    const xmlNode *rows = xml_child(machine, "rows");
    if (m->kind != MACHINE_ROWS)
        return STATUS_OK;
    if (!rows)
        return fail_at_line(m->source_path, machine, diag, "a machine of rows needs <rows>");
    m->first_row = xml_attr(a, rows, "first");
    m->last_row = xml_attr(a, rows, "last");
    if (!m->first_row || !m->last_row)
        return fail_at_line(m->source_path, rows, diag, "<rows> needs first and last");
    Status st = words_load(a, m, rows, diag);
    return st ? st : joins_load(a, m, rows, diag);
}

static Status spelling_load(Arena *a, Machine *m, const xmlNode *machine, Diag *diag)
{
    SettingWords *list = NULL;
    size_t cap = 0;
    for (const xmlNode *x = xml_child(machine, "setting"); x; x = xml_next(x)) {
        SettingWords s = {xml_attr(a, x, "lever"), xml_attr(a, x, "as")};
        if (!s.lever || !s.as)
            return fail_at_line(m->source_path, x, diag, "a <setting> needs lever and as");
        *VEC_PUSH(a, list, m->nspelling, cap) = s;
    }
    m->spelling = list;
    return STATUS_OK;
}

const char *machine_spelling(Arena *a, const Machine *m, const char *lever, const char *value)
{
    static const char mark[] = "{n}";
    const SettingWords *s =
        LIST_FIND(i, m->spelling, m->nspelling, strcmp(m->spelling[i].lever, lever) == 0);
    const char *at = s ? strstr(s->as, mark) : NULL;
    return !s ? NULL
           : !at
               ? s->as
               : arena_printf(a, "%.*s%s%s", (int)(at - s->as), s->as, value, at + sizeof mark - 1);
}

RowWord machine_word(const Machine *m, const char *name)
{
    const RowWord *w = LIST_FIND(i, m->word, m->nword, strcmp(m->word[i].name, name) == 0);
    return w ? *w : (RowWord){name, "Elementwise", false, false};
}

const RowJoin *machine_join(const Machine *m, const char *row, const char *next, JoinOperand adds)
{
    return LIST_FIND(i, m->join, m->njoin,
                     !strcmp(m->join[i].row, row) && !strcmp(m->join[i].next, next) &&
                         (adds == OPERAND_OWN || !m->join[i].own));
}

ORDER_BY(by_op_then_number, QuantizerRow, strcmp(a->op, b->op), COMPARE(a->number, b->number))

static Status row_read(Arena *a, const Machine *m, const xmlNode *x, QuantizerRow *ret, Diag *diag)
{
    *ret = (QuantizerRow){.op = xml_attr(a, x, "name"),
                          .when = xml_attr_or(a, x, "when", ""),
                          .type = type_from_text(xml_attr_or(a, x, "type", ""))};
    if (!ret->op || ret->type == QUANTIZED_UNKNOWN)
        return fail_at_line(m->source_path, x, diag,
                            "an <op> needs a name and a type: int8, float or refused");
    if (!conditions_parse(a, ret->when, &ret->condition, &ret->ncondition))
        return fail_at_line(m->source_path, x, diag, "'when' is not KEY<=NUMBER or KEY in A|B …");
    return STATUS_OK;
}

static Status rows_read(Arena *a, const Machine *m, const xmlNode *x, Quantizer *q, Diag *diag)
{
    QuantizerRow *row = NULL, r;
    size_t cap = 0;
    for (const xmlNode *op = xml_child(x, "op"); op; op = xml_next(op)) {
        Status st = row_read(a, m, op, &r, diag);
        if (st)
            return st;
        r.number = q->nrow;
        *VEC_PUSH(a, row, q->nrow, cap) = r;
    }
    ORDER_LIST(row, q->nrow, by_op_then_number);
    q->row = row;
    return STATUS_OK;
}

/* as="0.9": the rows of the quantizer of that SDK, which comes before it in the file. */
static Status rows_take(Arena *a, const Machine *m, const xmlNode *x, Quantizer *q, Diag *diag)
{
    const char *as = xml_attr(a, x, "as");
    const Quantizer *of = as ? machine_quantizer(m, sdk_from_text(as)) : NULL;
    if (as && !of)
        return fail_at_line(m->source_path, x, diag,
                            "'as' names no SDK whose <quantizer> comes before this one");
    if (!of)
        return STATUS_OK;
    q->inferred = true;
    q->row = of->row;
    q->nrow = of->nrow;
    return STATUS_OK;
}

static Status quantizer_read(Arena *a, const Machine *m, const xmlNode *x, Quantizer *q, Diag *diag)
{
    *q = (Quantizer){.sdk = sdk_from_text(xml_attr_or(a, x, "sdk", "")),
                     .source = xml_attr_or(a, x, "source", "")};
    if (!q->sdk || machine_quantizer(m, q->sdk))
        return fail_at_line(m->source_path, x, diag,
                            "a <quantizer> needs a known SDK that has no other");
    Status st = rows_read(a, m, x, q, diag);
    return st ? st : rows_take(a, m, x, q, diag);
}

static Status quantizers_load(Arena *a, Machine *m, const xmlNode *machine, Diag *diag)
{
    Quantizer *list = ARENA_ARRAY(a, Quantizer, SDK_NEWEST + 1);
    m->quantizer = list;
    for (const xmlNode *x = xml_child(machine, "quantizer"); x; x = xml_next(x)) {
        Quantizer q;
        Status st = quantizer_read(a, m, x, &q, diag); /* no more than SDKs: each has one */
        if (st)
            return st;
        list[m->nquantizer++] = q;
    }
    return STATUS_OK;
}

static const char *target_path(Arena *a, const char *target)
{
    if (strchr(target, '/') || strstr(target, ".xml"))
        return target;
    return data_path(a, arena_printf(a, "targets/%s.xml", target));
}

bool machine_exists(Arena *a, const char *target)
{
    return access(target_path(a, target), R_OK) == 0;
}

Status machine_load(Arena *a, const char *target, Machine **ret, Diag *diag)
{
    Machine *m = ARENA_NEW(a, Machine);
    m->source_path = target_path(a, target);
    xmlDoc *doc;
    Status st = xml_load(m->source_path, data_path(a, "schema/target.rng"), &doc, diag);
    if (st)
        return st;
    const xmlNode *root = xmlDocGetRootElement(doc), *machine = xml_child(root, "machine");
    m->id = xml_attr(a, root, "id");
    if (!machine || !m->id) {
        xmlFreeDoc(doc);
        return diag_set(diag, STATUS_INPUT, m->source_path, NULL, "no <machine> in a named target");
    }
    m->kind = strcmp(xml_attr_or(a, machine, "kind", ""), "rows") ? MACHINE_TASKS : MACHINE_ROWS;
    Sdk newest = sdk_from_text(xml_attr_or(a, machine, "sdk", ""));
    m->newest = newest ? newest : SDK_DEFAULT;
    m->family = xml_attr_or(a, root, "family", m->kind == MACHINE_ROWS ? m->id : TARGET_DEFAULT);
    m->record = xml_attr(a, machine, "record");
    st = figures_load(a, m, machine, diag);
    st = st ? st : rows_load(a, m, machine, diag);
    st = st ? st : spelling_load(a, m, machine, diag);
    st = st ? st : support_load(a, m, machine, diag);
    st = st ? st : quantizers_load(a, m, machine, diag);
    xmlFreeDoc(doc);
    if (!st)
        *ret = m;
    return st;
}

static int is_target_file(const struct dirent *e)
{
    size_t len = strlen(e->d_name);
    return len > 4 && strcmp(e->d_name + len - 4, ".xml") == 0;
}

const char *machine_with_cores(Arena *a, int cores)
{
    struct dirent **file;
    const char *found = NULL;
    int n = scandir(data_path(a, "targets"), &file, is_target_file, alphasort);
    for (int i = 0; i < n; i++) {
        const char *name = arena_strndup(a, file[i]->d_name, strlen(file[i]->d_name) - 4);
        Machine *m;
        Diag unread = {0};
        if (!found && !machine_load(a, name, &m, &unread) && m->kind == MACHINE_ROWS &&
            m->pe_count == cores)
            found = name;
        free(file[i]);
    }
    if (n >= 0)
        free(file);
    return found;
}
