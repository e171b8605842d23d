/* Merges the settings files of a model into the command line and lists what each file weakens. */
#include "advisor/options/config_parts.h"

#include "advisor/rules/rule.h"
#include "graph/options/suggest.h"

/* --config may name a file of the tree: it is read once, and decides. */
static bool is_read_already(Arena *a, const FoundFile *found, size_t i)
{
    return LIST_ANY(
        k, i,
        !strcmp(config_path_resolve(a, found[k].path), config_path_resolve(a, found[i].path)));
}

Status config_for_model(Arena *a, const Args *args, const char *model_path, ConfigScope scope,
                        Config *ret, Diag *diag)
{
    FoundFile *found;
    size_t n = 0;
    *ret = (Config){0};
    Status st = config_find(a, args, model_path, scope, &found, &n, diag);
    for (size_t i = 0; i < n && !st; i++) {
        if (is_read_already(a, found, i))
            continue;
        SettingsFile *file = ARENA_NEW(a, SettingsFile);
        *file = (SettingsFile){
            .file = found[i].shown, .decides = found[i].decides, .refused = found[i].refused};
        *VEC_PUSH(a, ret->file, ret->nfile, ret->file_cap) = file;
        if (!file->refused)
            st = config_read(a, ret, file, found[i].path, found[i].root, model_path, diag);
    }
    return st;
}

/* Lists an entry that removes a check: only a deciding file may have it. */
static void list_entry(Arena *a, SettingsFile *f, const char *what)
{
    if (f->decides)
        *VEC_PUSH(a, f->took_away, f->ntook_away, f->took_away_cap) = what;
    else
        *VEC_PUSH(a, f->ignored, f->nignored, f->ignored_cap) = what;
}

/* Options that are checks, and how much each lets pass; all others change what is measured. */
typedef enum { BY_WORD, BY_NUMBER, BY_TIME, BY_PRESENCE } Laxness;
static const struct {
    OptionId option;
    const char *words; /* from the strictest on; "" where none is given */
    Laxness kind;
    double unset; /* the value where it is not given: percent, ns */
} check[] = {
#define CHECK(option, words, kind, unset) {OPTION_##option, words, BY_##kind, unset},
#include "advisor/options/checks.def"
};
enum { CHECKS = sizeof check / sizeof *check };

static size_t check_of(OptionId option)
{
    return LIST_INDEX(k, (size_t)CHECKS, check[k].option == option);
}

/* The higher, the more passes; an option that was not given counts as its default. */
static Status value_laxness(size_t i, const OptionGiven *given, double *ret, Diag *diag)
{
    assert(i < CHECKS);
    Args one = {.given = (OptionGiven *)given, .ngiven = given != NULL};
    double unset = check[i].unset;
    int word = (int)unset;
    Status st = STATUS_OK;
    if (check[i].kind == BY_NUMBER) {
        *ret = args_real(&one, check[i].option, unset);
    } else if (check[i].kind == BY_TIME) {
        *ret = (double)args_time_ns(&one, check[i].option, (int64_t)unset);
    } else if (check[i].kind == BY_WORD) {
        st = args_choice(&one, check[i].option, check[i].words, word, &word, diag);
        *ret = word;
    } else {
        *ret = given ? 0 : 1;
    }
    return st;
}

/* As the file spells it: "min_gain: 50us". */
static const char *as_written(Arena *a, const OptionGiven *o)
{
    return arena_printf(a, "%s: %s", config_key(a, o->id), *o->value ? o->value : "true");
}

/* Lists the checks that the deciding file weakens. */
static Status note_decided(Arena *a, const FileOption *o, Diag *diag)
{
    assert(o->file->decides);
    size_t i = check_of(o->option.id);
    double lax, before;
    if (o->option.id == OPTION_BASELINE)
        list_entry(a, o->file, as_written(a, &o->option));
    if (i == CHECKS)
        return STATUS_OK;
    Status st = value_laxness(i, &o->option, &lax, diag);
    st = st ? st : value_laxness(i, NULL, &before, diag);
    if (!st && lax > before)
        list_entry(a, o->file, as_written(a, &o->option));
    return st;
}

/* For a file that only adds: a budget is added, a check counts where it is stricter. */
static Status add_option(Arena *a, Config *c, Args *g, const FileOption *o, Diag *diag)
{
    assert(!o->file->decides);
    size_t i = check_of(o->option.id);
    bool budget = o->option.id == OPTION_BUDGET;
    double lax, now;
    if (!budget && i == CHECKS) {
        list_entry(a, o->file, as_written(a, &o->option));
        return STATUS_OK;
    }
    Status st = STATUS_OK;
    if (!budget)
        st = value_laxness(i, &o->option, &lax, diag);
    if (!budget && !st)
        st = value_laxness(i, args_last(g, o->option.id), &now, diag);
    if (st)
        return st;
    if (budget || lax < now)
        g->given[g->ngiven++] = o->option;
    else if (lax > now)
        list_entry(a, o->file, as_written(a, &o->option));
    c->nadded_budget += budget;
    return STATUS_OK;
}

/* Suppressions remove findings, so only the file that decides may contain them. */
static void settle_suppressions(Arena *a, Config *c)
{
    size_t n = 0;
    for (size_t i = 0; i < c->nsuppression; i++) {
        const Suppression *s = &c->suppression[i];
        const char *what = arena_printf(a, "suppressions: %s", s->fingerprint);
        list_entry(a, s->file, what);
        if (s->file->decides)
            c->suppression[n++] = *s;
    }
    c->nsuppression = n;
}

static Status take_decided(Arena *a, const Config *c, const Args *args, Args *g, Diag *diag)
{
    for (size_t i = 0; i < c->noption; i++) {
        const FileOption *o = &c->option[i];
        OptionId id = o->option.id;
        bool compile = option_is_compile(id), replaced = compile || id == OPTION_TRACE;
        if (!o->file->decides || (replaced && args_last(args, id)))
            continue;
        Status st = compile ? compile_option_set(&g->compile, a, id, o->option.value, diag)
                            : note_decided(a, o, diag);
        if (st)
            return st;
        g->given[g->ngiven++] = o->option;
    }
    return STATUS_OK;
}

Status config_merge(Arena *a, Config *c, const Args *args, Args *ret, Diag *diag)
{
    Args g = *args;
    g.given = ARENA_ARRAY(a, OptionGiven, c->noption + args->ngiven + 1);
    g.ngiven = 0;
    Status st = take_decided(a, c, args, &g, diag);
    for (size_t i = 0; i < args->ngiven; i++)
        g.given[g.ngiven++] = args->given[i];
    for (size_t i = 0; i < c->noption && !st; i++)
        if (!c->option[i].file->decides)
            st = add_option(a, c, &g, &c->option[i], diag);
    assert(g.ngiven <= c->noption + args->ngiven);
    settle_suppressions(a, c);
    if (!st)
        *ret = g;
    return st;
}

static const RuleSetting *next_setting(const Config *c, const char *rule_id, size_t *at)
{
    while (c && *at < c->nrule) {
        const RuleSetting *s = &c->rule[(*at)++];
        if (!strcmp(s->rule_id, rule_id))
            return s;
    }
    return NULL;
}

bool config_is_off(const Config *c, const char *rule_id)
{
    bool off = false;
    const RuleSetting *s;
    for (size_t at = 0; (s = next_setting(c, rule_id, &at));)
        off = s->off;
    return off;
}

Level config_level(const Config *c, const char *rule_id, Level level)
{
    const RuleSetting *s;
    for (size_t at = 0; (s = next_setting(c, rule_id, &at));)
        if (!s->off && (s->file->decides || s->level > level))
            level = s->level;
    return level;
}

static Status unknown_rule(Arena *a, const RuleSetting *s, const RuleBook *book, Diag *diag)
{
    const char **id = ARENA_ARRAY(a, const char *, book->nrule + 1);
    for (size_t i = 0; i < book->nrule; i++)
        id[i] = book->rule[i].id;
    const char *near = suggest_nearest(s->rule_id, id, book->nrule);
    return diag_set(diag, STATUS_USAGE, s->file->file, NULL, "'rules.%s' is not a rule%s%s%s",
                    s->rule_id, near ? "; did you mean '" : "", near ? near : "",
                    near ? "'?" : "; `npu-advise rules` lists them");
}

/* The highest level that a rule has as it is shipped. */
static Level strictest_level(const Rule *rule)
{
    Level level = rule->level;
    for (size_t i = 0; i < rule->nlevel_when; i++)
        if (rule->level_when[i].level > level)
            level = rule->level_when[i].level;
    return level;
}

static void settle_rule(Arena *a, const RuleSetting *s, const Rule *rule, Config *ret)
{
    const char *what =
        arena_printf(a, "rules.%s: %s", s->rule_id, s->off ? "off" : level_name(s->level));
    bool weaker = s->off || s->level < config_level(ret, s->rule_id, strictest_level(rule));
    if (weaker)
        list_entry(a, s->file, what);
    if (s->file->decides || !s->off)
        *VEC_PUSH(a, ret->rule, ret->nrule, ret->rule_cap) = *s;
}

Status config_resolve_rules(Arena *a, const Config *c, const RuleBook *book, Config *ret,
                            Diag *diag)
{
    *ret = c ? *c : (Config){0};
    ret->rule = NULL;
    ret->nrule = ret->rule_cap = 0;
    for (size_t i = 0; c && i < c->nrule; i++) {
        const RuleSetting *s = &c->rule[i];
        const Rule *rule = rule_find(book, s->rule_id);
        if (!rule)
            return unknown_rule(a, s, book, diag);
        settle_rule(a, s, rule, ret);
    }
    return STATUS_OK;
}
