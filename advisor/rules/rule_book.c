/* Reads rule files by folder; a user's rule replaces the built-in one of the same id. */
#include "advisor/rules/rule_book.h"

#include "graph/base/folder.h"
#include "graph/base/data.h"

/* Rules under construction. */
typedef struct {
    Arena *a;
    Rule *rule;
    size_t nrule, cap;
    size_t folder_start; /* rules before it come from earlier folders and may be replaced */
} Shelf;

static Status add_to_book(Shelf *s, const Rule *rule, const char *path, Diag *diag)
{
    for (size_t i = 0; i < s->nrule; i++) {
        if (strcmp(s->rule[i].id, rule->id) != 0)
            continue;
        if (i >= s->folder_start)
            return diag_set(diag, STATUS_INPUT, path, NULL, "rule %s is already in %s", rule->id,
                            s->rule[i].file);
        s->rule[i] = *rule;
        return STATUS_OK;
    }
    if (s->nrule == RULES_MAX)
        return diag_set(diag, STATUS_INPUT, path, NULL, "more than %d rules", RULES_MAX);
    *VEC_PUSH(s->a, s->rule, s->nrule, s->cap) = *rule;
    return STATUS_OK;
}

static Status load_folder(Shelf *s, const char *dir, XmlSchema *schema, Diag *diag)
{
    const char **name = NULL;
    size_t n = 0;
    Status st = folder_list(s->a, dir, ".xml", &name, &n, diag);
    s->folder_start = s->nrule;
    for (size_t i = 0; i < n && !st; i++) {
        const char *path = arena_printf(s->a, "%s/%s", dir, name[i]);
        Rule rule;
        st = rule_load(s->a, path, schema, &rule, diag);
        st = st ? st : add_to_book(s, &rule, path, diag);
    }
    return st;
}

ORDER_BY(by_id, Rule, strcmp(a->id, b->id))

Status rules_load(Arena *a, const char *const *extra_dir, size_t nextra, RuleBook *ret, Diag *diag)
{
    Shelf s = {.a = a};
    XmlSchema *schema;
    char *builtin = data_path(a, "schema");
    *strrchr(builtin, '/') = '\0';
    Status st = xml_schema_open(data_path(a, "schema/rule.rng"), &schema, diag);
    if (st)
        return st;
    st = load_folder(&s, builtin, schema, diag);
    for (size_t i = 0; i < nextra && !st; i++)
        st = load_folder(&s, extra_dir[i], schema, diag);
    xml_schema_close(schema);
    if (st)
        return st;
    ORDER_LIST(s.rule, s.nrule, by_id);
    for (size_t i = 1; i < s.nrule; i++)
        assert(by_id(&s.rule[i - 1], &s.rule[i]) < 0);
    *ret = (RuleBook){s.rule, s.nrule};
    return STATUS_OK;
}

RuleBook rules_of(Arena *a, const RuleBook *b, const char *kind)
{
    Rule *rule = ARENA_ARRAY(a, Rule, b->nrule + 1);
    size_t n = 0;
    const char *too = strcmp(kind, "rows") == 0 ? "onnx" : kind;
    for (size_t i = 0; i < b->nrule; i++)
        if (strstr(b->rule[i].of, kind) || strstr(b->rule[i].of, too))
            rule[n++] = b->rule[i];
    return (RuleBook){rule, n};
}

const Rule *rule_find(const RuleBook *b, const char *id)
{
    Rule key = {.id = id};
    return b->nrule ? bsearch(&key, b->rule, b->nrule, sizeof *b->rule, by_id) : NULL;
}
