/* Implements `npu-advise rules`, which prints the catalogue of rules. */
#include "advisor/cli/output.h"
#include "advisor/rules/rule.h"
#include "advisor/rules/rule_book.h"
#include "advisor/rules/rules_doc.h"
#include "advisor/rules/lever.h"
#include "advisor/message/text_out.h"

static void list_rule(Arena *a, TextOut *t, const Rule *r)
{
    text_line(t, 0, 15);
    text_put(t, STYLE_BOLD, r->id);
    text_cell(t, 9, STYLE_DIM, level_name(r->level));
    text_cell(t, 15, STYLE_NONE, rules_template_text(a, rule_text(&r->title, t->lang)));
    text_end(t);
}

static void list_levers(TextOut *t)
{
    text_paragraph(t, (TextPlace){0, 0}, STYLE_NONE,
                   wording_of("levers, and where the user makes the change:"));
    for (const Lever *l = lever_table; l < lever_table + LEVER_COUNT; l++) {
        text_line(t, 2, 31);
        text_put(t, STYLE_BOLD, l->name);
        text_cell(t, 19, STYLE_DIM, phrase_by_key(t->lang, "WHERE_", l->where));
        text_cell(t, 31, STYLE_NONE, wording_of(l->help));
        text_end(t);
    }
}

static void list_catalogue(Context *c, const RuleBook *b, const View *view)
{
    TextOut t = {.out = c->out, .colour = view->colour, .lang = view->lang};
    for (size_t i = 0; i < b->nrule; i++)
        list_rule(c->arena, &t, &b->rule[i]);
    list_levers(&t);
}

Status cmd_rules(Context *c, const Args *args)
{
    enum { TEXT, JSON, MARKDOWN };
    RuleBook book;
    size_t ndir;
    int format;
    const char *file = args_text(args, OPTION_JSON, NULL);
    Status st = args_positional(args, 0, 0, "no argument", c->diag);
    st = st ? st : args_choice(args, OPTION_FORMAT, "text|json|md", TEXT, &format, c->diag);
    const char **dir = args_all(c->arena, args, OPTION_RULES, &ndir);
    st = st ? st : rules_load(c->arena, dir, ndir, &book, c->diag);
    if (st)
        return st;
    View view = view_from_args(c, args);
    cJSON *tree = rules_json(&book);
    if (file)
        st = json_save(tree, file, c->out, c->diag);
    bool taken = file && strcmp(file, "-") == 0;
    if (!st && format == JSON && !taken)
        json_print(c->out, tree);
    else if (!st && format == MARKDOWN && !taken)
        rules_markdown(c->out, &book);
    else if (!st && !taken)
        list_catalogue(c, &book, &view);
    cJSON_Delete(tree);
    return st;
}
