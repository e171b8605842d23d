/* Implements `npu-advise explain WORD`, which explains a rule or a word of a screen. */
#include "advisor/cli/output.h"
#include "advisor/message/text_out.h"
#include "advisor/rules/rule_book.h"
#include "advisor/rules/rules_doc.h"
#include "graph/options/suggest.h"

/* "npu101", "NPU101-0123456789ab" (a fingerprint) and "float-input-quantize" all name the rule. */
static const Rule *find_rule(const RuleBook *b, const char *word)
{
    for (size_t i = 0; i < b->nrule; i++) {
        const Rule *r = &b->rule[i];
        size_t n = strlen(r->id);
        if (!strncasecmp(word, r->id, n) && (!word[n] || word[n] == '-'))
            return r;
        if (!strcmp(word, r->name))
            return r;
    }
    return NULL;
}

static Status unknown_rule(Context *c, const RuleBook *b, const char *word)
{
    const char **id = ARENA_ARRAY(c->arena, const char *, 2 * b->nrule + 1);
    for (size_t i = 0; i < b->nrule; i++) {
        id[2 * i] = b->rule[i].id;
        id[2 * i + 1] = b->rule[i].name;
    }
    const char *near = suggest_nearest(word, id, 2 * b->nrule);
    if (near)
        return diag_set(c->diag, STATUS_USAGE, NULL, NULL,
                        "there is no rule '%s'; did you mean '%s'?", word, near);
    return diag_set(
        c->diag, STATUS_USAGE, NULL, NULL,
        "'%s' is neither a rule nor a word of a screen; `npu-advise rules` lists the rules", word);
}

/* A word of a screen, such as "queueing". */
static bool explains_term(Context *c, const char *word)
{
    const char *meaning = phrase_by_key(c->language, "TERM_", word);
    TextOut t = {.out = c->out, .lang = c->language};
    if (meaning == word)
        return false;
    text_put(&t, STYLE_NONE, meaning);
    text_end(&t);
    return true;
}

/* The rules of each group, then the words. */
static void put_index(Context *c, const RuleBook *b)
{
    TextOut t = {.out = c->out, .lang = c->language};
    for (size_t i = 0; i < b->nrule; i++) {
        const char *list = "";
        if (LIST_ANY(k, i, !strcmp(b->rule[k].group, b->rule[i].group)))
            continue;
        for (size_t k = i; k < b->nrule; k++)
            if (!strcmp(b->rule[k].group, b->rule[i].group))
                list = arena_printf(c->arena, "%s %s", list, b->rule[k].id);
        text_paragraph(&t, (TextPlace){0, 2}, STYLE_NONE,
                       arena_printf(c->arena, "%s:%s",
                                    phrase_by_key(c->language, "GROUP_", b->rule[i].group), list));
    }
    fputc('\n', c->out);
    text_paragraph(&t, (TextPlace){0, 2}, STYLE_NONE, phrase_heads(c->arena, c->language, "TERM_"));
}

Status cmd_explain(Context *c, const Args *args)
{
    RuleBook book;
    size_t ndir;
    Status st = args_positional(args, 0, 1, "a rule or a word", c->diag);
    const char **dir = args_all(c->arena, args, OPTION_RULES, &ndir);
    st = st ? st : rules_load(c->arena, dir, ndir, &book, c->diag);
    if (st)
        return st;
    View view = view_from_args(c, args);
    if (!args->npositional)
        return put_index(c, &book), STATUS_OK;
    if (explains_term(c, args->positional[0])) /* first: a rule can have a word as its name */
        return STATUS_OK;
    const Rule *r = find_rule(&book, args->positional[0]);
    if (!r)
        return unknown_rule(c, &book, args->positional[0]);
    bool taken;
    cJSON *tree = rule_json(r);
    st = output_json(c, args, tree, &taken);
    cJSON_Delete(tree);
    if (!st && !taken)
        text_rule(c->out, r, &view);
    return st;
}
