/* Reads one npu-advise.json and checks the type of each value. */
#include "advisor/options/config_parts.h"

#include "advisor/rules/rule.h"
#include "advisor/message/json.h"
#include "advisor/message/process.h"
#include "graph/options/suggest.h"

enum { CONFIG_ITEMS = 10000 }; /* entries of one list */

/* Reading one file. */
typedef struct {
    Arena *a;
    Diag *diag;
    const char *path;
    const char *folder; /* patterns with a slash are relative to it; resolved */
    const char *model;  /* resolved */
    SettingsFile *file;
    Config *out;
} Reader;

static Status setting_error(Reader *r, const char *where, const char *key, const char *fact)
{
    return diag_set(r->diag, STATUS_USAGE, r->path, NULL, "'%s%s' %s", where, key, fact);
}

static Status setting_type_error(Reader *r, const char *where, const char *key, const char *what)
{
    return setting_error(r, where, key, arena_printf(r->a, "needs %s", what));
}

static Status unknown_key(Reader *r, const char *where, const char *key,
                          const char *const *candidate, size_t n)
{
    const char *near = suggest_nearest(key, candidate, n);
    return setting_error(r, where, key,
                         near ? arena_printf(r->a, "is not a key here; did you mean '%s'?", near)
                              : "is not a key here");
}

static void add_option(Reader *r, OptionId id, const char *value)
{
    *VEC_PUSH(r->a, r->out->option, r->out->noption, r->out->option_cap) =
        (FileOption){{id, value}, r->file};
}

static const char *below_folder(Reader *r, const char *path)
{
    const char *slash = strrchr(r->path, '/');
    if (*path == '/' || !slash)
        return arena_strdup(r->a, path);
    return arena_printf(r->a, "%.*s/%s", (int)(slash - r->path), r->path, path);
}

static const char *number_text(Reader *r, const cJSON *v)
{
    char number[40];
    return arena_strdup(r->a, json_number_text(number, v->valuedouble));
}

/* The value as the command line would spell it; NULL when it is of another kind. */
static const char *spell_value(Reader *r, const OptionRow *row, const cJSON *v)
{
    if (row->kind == OPTION_KIND_WHOLE || row->kind == OPTION_KIND_REAL)
        return cJSON_IsNumber(v) ? number_text(r, v) : NULL;
    if (!cJSON_IsString(v))
        return NULL;
    return row->kind == OPTION_KIND_FILE ? below_folder(r, v->valuestring)
                                         : arena_strdup(r->a, v->valuestring);
}

static const char *kind_text(OptionKind kind)
{
    return kind == OPTION_KIND_WHOLE || kind == OPTION_KIND_REAL ? "a number"
           : kind == OPTION_KIND_FLAG                            ? "true or false"
           : kind == OPTION_KIND_FILE                            ? "a path"
                                                                 : "text";
}

static Status read_setting(Reader *r, const OptionRow *row, const cJSON *v, const char *where)
{
    if (row->kind == OPTION_KIND_FLAG && cJSON_IsBool(v)) {
        if (cJSON_IsTrue(v))
            add_option(r, row->id, "");
        return STATUS_OK;
    }
    Diag unused;
    const char *text = row->kind == OPTION_KIND_FLAG ? NULL : spell_value(r, row, v);
    if (!text)
        return setting_type_error(r, where, v->string, kind_text(row->kind));
    if (option_check(row, text, &unused))
        return setting_type_error(r, where, v->string, option_expected(r->a, row));
    add_option(r, row->id, text);
    return STATUS_OK;
}

static Status read_budgets(Reader *r, const cJSON *o, const char *where)
{
    if (!cJSON_IsObject(o))
        return setting_type_error(r, where, "budgets", "an object of METRIC: VALUE");
    const cJSON *v;
    cJSON_ArrayForEach(v, o)
    {
        const char *text = cJSON_IsNumber(v)   ? number_text(r, v)
                           : cJSON_IsString(v) ? v->valuestring
                                               : NULL;
        if (!text)
            return setting_type_error(r, "budgets.", v->string, "a number or text");
        add_option(r, OPTION_BUDGET, arena_printf(r->a, "%s=%s", v->string, text));
    }
    return STATUS_OK;
}

static Status read_rules(Reader *r, const cJSON *o, const char *where)
{
    if (!cJSON_IsObject(o))
        return setting_type_error(r, where, "rules", "an object of RULE: off|info|warn|error");
    const cJSON *v;
    cJSON_ArrayForEach(v, o)
    {
        RuleSetting s = {
            .rule_id = arena_strdup(r->a, v->string), .level = LEVEL_INFO, .file = r->file};
        const char *text = cJSON_IsString(v) ? v->valuestring : "";
        s.off = !strcmp(text, "off");
        if (!s.off && !level_from_name(text, &s.level))
            return setting_type_error(r, "rules.", v->string, "off, info, warn or error");
        *VEC_PUSH(r->a, r->out->rule, r->out->nrule, r->out->rule_cap) = s;
    }
    return STATUS_OK;
}

static bool all_digits(const char *s, size_t n)
{
    return !LIST_ANY(i, n, s[i] < '0' || s[i] > '9');
}

bool config_is_date(const char *t)
{
    if (strlen(t) != 10 || t[4] != '-' || t[7] != '-' || !all_digits(t, 4) ||
        !all_digits(t + 5, 2) || !all_digits(t + 8, 2))
        return false;
    int month = (t[5] - '0') * 10 + t[6] - '0', day = (t[8] - '0') * 10 + t[9] - '0';
    return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

static Status read_suppression(Reader *r, const cJSON *o)
{
    static const char *const key[] = {"fingerprint", "reason", "owner", "until"};
    enum { FINGERPRINT, REASON, OWNER, UNTIL, KEYS };
    static_assert(sizeof key / sizeof *key == KEYS, "a name for each key");
    const char *text[KEYS] = {0};
    const cJSON *v;
    cJSON_ArrayForEach(v, o)
    {
        size_t k = LIST_INDEX(i, (size_t)KEYS, !v->string || !strcmp(v->string, key[i]));
        if (!v->string || k == KEYS)
            return unknown_key(r, "suppressions.", v->string ? v->string : "", key, KEYS);
        if (!cJSON_IsString(v) || !*v->valuestring)
            return setting_type_error(r, "suppressions.", key[k], "text");
        text[k] = arena_strdup(r->a, v->valuestring);
    }
    for (size_t k = 0; k <= REASON; k++)
        if (!text[k])
            return setting_type_error(r, "suppressions.", key[k],
                                      "to be there: a suppression says what and why");
    if (text[UNTIL] && !config_is_date(text[UNTIL]))
        return setting_type_error(r, "suppressions.", "until", "a date such as 2027-01-31");
    *VEC_PUSH(r->a, r->out->suppression, r->out->nsuppression, r->out->suppression_cap) =
        (Suppression){text[FINGERPRINT], text[REASON], text[OWNER], text[UNTIL], r->file};
    return STATUS_OK;
}

static Status read_suppressions(Reader *r, const cJSON *list, const char *where)
{
    if (!cJSON_IsArray(list))
        return setting_type_error(r, where, "suppressions", "a list of objects");
    const cJSON *v;
    size_t n = 0;
    cJSON_ArrayForEach(v, list)
    {
        if (!cJSON_IsObject(v) || ++n > CONFIG_ITEMS)
            return setting_type_error(r, where, "suppressions", "a list of at most 10000 objects");
        Status st = read_suppression(r, v);
        if (st)
            return st;
    }
    return STATUS_OK;
}

/* Iterative, one star to fall back to: time is at most the product of the lengths. */
static bool glob_fits(const char *pattern, const char *text)
{
    const char *star = NULL, *mark = NULL;
    while (*text) {
        if (*pattern == '*') {
            star = pattern++;
            mark = text;
        } else if (*pattern == '?' || *pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star + 1;
            text = ++mark;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

/* Keys are named as "models.key" in errors, those of the file itself without a prefix. */
static bool is_top(const char *where)
{
    return !*where;
}

static bool model_fits(const Reader *r, const char *pattern)
{
    size_t len = strlen(r->folder);
    if (!strchr(pattern, '/'))
        return glob_fits(pattern, file_base_name(r->model));
    bool below = !strncmp(r->model, r->folder, len) && r->model[len] == '/';
    return below && glob_fits(pattern, r->model + len + 1);
}

static Status read_keys(Reader *r, const cJSON *o, const char *where);

static Status read_models(Reader *r, const cJSON *list)
{
    if (!cJSON_IsArray(list))
        return setting_type_error(r, "", "models", "a list of objects");
    const cJSON *v;
    size_t n = 0;
    cJSON_ArrayForEach(v, list)
    {
        const char *pattern = json_text(v, "model", NULL);
        if (!pattern || ++n > CONFIG_ITEMS)
            return setting_type_error(r, "", "models",
                                      "at most 10000 objects, each with a pattern 'model'");
        /* Entries for other models are read as well: a mistake is an error for every model. */
        Config nowhere = {0};
        Reader other = *r;
        other.out = &nowhere;
        Status st = read_keys(model_fits(r, pattern) ? r : &other, v, "models.");
        if (st)
            return st;
    }
    return STATUS_OK;
}

const char *config_key(Arena *a, OptionId id)
{
    char *key = arena_strdup(a, option_name(id));
    for (char *p = key; *p; p++)
        *p = *p == '-' ? '_' : *p;
    return key;
}

static Status read_key(Reader *r, const cJSON *v, const char *where)
{
    bool top = is_top(where);
    const char *more[] = {"budgets", "rules", "suppressions", top ? "models" : "model"};
    const char *key = v->string ? v->string : "";
    WordList known = {.a = r->a};
    for (const OptionRow *row = NULL; (row = args_next_row(NULL, row));) {
        if (!(row->use & OPTION_USE_SETTING))
            continue;
        word_list_add(&known, config_key(r->a, row->id));
        if (!strcmp(key, known.word[known.n - 1]))
            return read_setting(r, row, v, where);
    }
    word_list_extend(&known, more, sizeof more / sizeof *more);
    if (!strcmp(key, "budgets"))
        return read_budgets(r, v, where);
    if (!strcmp(key, "rules"))
        return read_rules(r, v, where);
    if (!strcmp(key, "suppressions"))
        return read_suppressions(r, v, where);
    if (top ? !strcmp(key, "$schema") : !strcmp(key, "model"))
        return STATUS_OK;
    if (top && !strcmp(key, "models"))
        return STATUS_OK; /* after all others, over which it wins */
    return unknown_key(r, where, key, known.word, known.n);
}

static Status read_keys(Reader *r, const cJSON *o, const char *where)
{
    const cJSON *v;
    cJSON_ArrayForEach(v, o)
    {
        Status st = read_key(r, v, where);
        if (st)
            return st;
    }
    const cJSON *models = is_top(where) ? json_at(o, "models") : NULL;
    return models ? read_models(r, models) : STATUS_OK;
}

Status config_read(Arena *a, Config *c, SettingsFile *file, const char *path, const char *root,
                   const char *model_path, Diag *diag)
{
    cJSON *tree = NULL;
    Status st = json_load_strict(path, CONFIG_LIMIT_MIB, &tree, diag);
    if (st)
        return st;
    Reader r = {.a = a, .diag = diag, .path = path, .file = file, .out = c};
    r.model = config_path_resolve(a, model_path);
    r.folder = file_folder(a, config_path_resolve(a, path));
    if (!config_path_is_within(r.model, r.folder)) /* a file from elsewhere, such as a branch */
        r.folder = root;
    st = cJSON_IsObject(tree) ? read_keys(&r, tree, "")
                              : diag_set(diag, STATUS_USAGE, path, NULL,
                                         "is not an object of settings; see docs/ci.md");
    cJSON_Delete(tree);
    return st;
}
