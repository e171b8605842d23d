/* Prints what a rule looks for, what to change in which SDK, and what it risks; XPath and levers
 * with --verbose alone. */
#include "advisor/message/phrase.h"
#include "advisor/report/render.h"
#include "advisor/rules/lever.h"
#include "advisor/rules/need.h"
#include "advisor/rules/rule.h"
#include "advisor/rules/rules_doc.h"
#include "advisor/message/text_out.h"

static void put_field(TextOut *t, PhraseId name, const char *text)
{
    if (!text || !*text)
        return;
    text_line(t, 0, 12);
    text_put(t, STYLE_BOLD, phrase_text(t->lang, name));
    text_cell(t, 12, STYLE_NONE, text);
    text_end(t);
}

/* A template as a reader sees it. */
static const char *shown_template(Arena *a, const TextOut *t, const RuleText *text)
{
    return rules_template_text(a, rule_text(text, t->lang));
}

static void put_fixes(Arena *a, TextOut *t, const Rule *r, const View *view)
{
    for (size_t i = 0; i < r->nfix; i++) {
        Phrase range, p;
        text_line(t, 0, 14);
        text_put(t, STYLE_BOLD, i ? "" : phrase_text(t->lang, PHRASE_RULE_FIX));
        text_to(t, 12);
        text_putf(t, STYLE_NONE, "SDK %s", rule_sdk_range(&range, &r->fix[i], t->lang));
        if (r->fix[i].where)
            text_putf(t, STYLE_DIM, ", %s", phrase_by_key(t->lang, "WHERE_", r->fix[i].where));
        if (*rule_text(&r->fix[i].label, t->lang))
            text_putf(t, STYLE_DIM, ", %s",
                      phrase_format(&p, t->lang, PHRASE_RULE_IF,
                                    rule_text(&r->fix[i].label, t->lang), NULL));
        if (r->fix[i].test && view->verbose)
            text_putf(t, STYLE_DIM, " [%s]", r->fix[i].test);
        text_put(t, STYLE_NONE, ": ");
        const char *text = shown_template(a, t, &r->fix[i].text);
        if (r->fix[i].is_withheld)
            text = phrase_format(&p, t->lang, PHRASE_WITHHELD, text, NULL);
        text_put(t, r->fix[i].is_withheld ? STYLE_NONE : STYLE_FIX, text);
        text_end(t);
    }
}

static void put_levers(Arena *a, TextOut *t, const Rule *r)
{
    for (size_t i = 0; i < r->nattempt; i++) {
        text_line(t, 0, 14);
        text_put(t, STYLE_BOLD, i ? "" : phrase_text(t->lang, PHRASE_RULE_TRIES));
        text_to(t, 12);
        for (size_t k = 0; k < r->attempt[i].nset; k++) {
            const RuleSet *s = &r->attempt[i].set[k];
            text_putf(t, STYLE_NONE, "%s%s%s%s%s = %s", k ? ", " : "", lever_table[s->lever].name,
                      *s->index ? "[" : "", rules_template_text(a, s->index), *s->index ? "]" : "",
                      rules_template_text(a, s->value));
        }
        text_end(t);
    }
}

/* The needs of its levers, as in the table of changes; where no lever is more than a
 * figure, how far it may be followed.  What moves to the NPU needs accuracy where the model is not
 * quantized. */
static const char *needs_of(Arena *a, const Rule *r, const Language *lang)
{
    const char *word[NEED_KINDS], *text = "";
    NeedSet needs = NEED_NONE;
    bool acts = false;
    for (size_t i = 0; i < r->nattempt; i++)
        for (size_t k = 0; k < r->attempt[i].nset; k++) {
            LeverId lever = r->attempt[i].set[k].lever;
            needs |= lever == LEVER_REWRITE ? NEED_ACCURACY : lever_table[lever].needs;
            acts |= lever_table[lever].effect != EFFECT_FIGURE;
        }
    size_t n = need_words(needs, word);
    for (size_t i = 0; i < n; i++)
        text =
            arena_printf(a, "%s%s%s", text, i ? ", " : "", phrase_by_key(lang, "NEED_", word[i]));
    Applicability alone = acts ? APPLY_SAFE : r->applicability;
    return n ? text : phrase_by_key(lang, "APPLY_", applicability_name(alone));
}

/* What happened in a case, and below it what that gained. */
static void put_rule_example(TextOut *t, const RuleExample *e)
{
    Phrase effect;
    put_field(t, PHRASE_RULE_EXAMPLE, rule_text(&e->text, t->lang));
    if (!*rules_example_effect(&effect, e, t->lang))
        return;
    text_paragraph(t, (TextPlace){12, 12}, STYLE_GOOD, rules_example_effect(&effect, e, t->lang));
}

void text_rule(FILE *out, const Rule *r, const View *view)
{
    TextOut t = {.out = out, .colour = view->colour, .lang = view->lang};
    Arena *a = arena_new(0);
    text_line(&t, 0, 0);
    text_putf(&t, STYLE_BOLD, "%s %s", r->id, shown_template(a, &t, &r->title));
    text_end(&t);
    put_field(&t, PHRASE_RULE_NAME, r->name);
    put_field(&t, PHRASE_RULE_GROUP, r->group);
    put_field(&t, PHRASE_RULE_LEVEL, level_name(r->level));
    put_field(&t, PHRASE_RULE_WHY, shown_template(a, &t, &r->why));
    if (view->verbose)
        put_field(&t, PHRASE_RULE_WHEN, r->each);
    for (size_t i = 0; i < r->napplies; i++)
        put_field(&t, PHRASE_RULE_UNLESS, shown_template(a, &t, &r->applies[i].reason));
    put_field(&t, PHRASE_RULE_PLACE, shown_template(a, &t, &r->place));
    if (view->verbose)
        put_levers(a, &t, r);
    put_field(&t, PHRASE_RULE_UNTRIED, shown_template(a, &t, &r->untried));
    put_fixes(a, &t, r, view);
    put_field(&t, PHRASE_RULE_ASKS, needs_of(a, r, t.lang));
    put_field(&t, PHRASE_RULE_RISK, shown_template(a, &t, &r->risk));
    put_rule_example(&t, &r->example);
    for (size_t i = 0; i < r->nconflicts; i++)
        put_field(&t, PHRASE_RULE_EXCLUDES, r->conflicts[i]);
    for (size_t i = 0; i < r->nenables; i++)
        put_field(&t, PHRASE_RULE_ENABLES, r->enables[i]);
    put_field(&t, PHRASE_RULE_SOURCE, r->source);
    put_field(&t, PHRASE_RULE_FILE, r->file);
    arena_free(a);
}
