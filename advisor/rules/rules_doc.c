/* Prints each rule with readable templates, and the levers and weights beside the rules. */
#include "advisor/rules/rules_doc.h"

#include "advisor/message/markdown.h"

/* Null where the text is empty. */
static void add_nonempty(cJSON *o, const char *key, const char *text)
{
    json_add_text(o, key, *text ? text : NULL);
}

static cJSON *fix_json(const RuleFix *f)
{
    cJSON *o = cJSON_CreateObject();
    add_nonempty(o, "since", f->since_text);
    add_nonempty(o, "until", f->until_text);
    json_add_text(o, "where", f->where);
    json_add_text(o, "text", f->is_withheld ? NULL : f->text.en);
    json_add_text(o, "withheld", f->is_withheld ? f->text.en : NULL);
    return o;
}

static cJSON *try_json(const RuleTry *t)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < t->nset; i++) {
        cJSON *o = json_add_row(list);
        json_add_text(o, "lever", lever_table[t->set[i].lever].name);
        json_add_text(o, "index", t->set[i].index);
        json_add_text(o, "value", t->set[i].value);
    }
    return list;
}

/* "title_ko" … */
static void add_translations(cJSON *o, const char *key, const RuleText *t)
{
    for (size_t i = 0; i < t->nother; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s_%.20s", key, t->other[i].tag);
        json_add_text(o, name, t->other[i].text);
    }
}

static cJSON *example_json(const RuleExample *e)
{
    if (!*e->of_case)
        return cJSON_CreateNull();
    cJSON *o = cJSON_CreateObject();
    json_add_text(o, "case", e->of_case);
    json_add_text(o, "text", e->text.en);
    add_translations(o, "text", &e->text);
    add_nonempty(o, "before", e->before);
    add_nonempty(o, "after", e->after);
    add_nonempty(o, "gain", e->gain);
    add_nonempty(o, "verified", e->verified);
    add_nonempty(o, "verdict", e->verdict);
    add_nonempty(o, "removable", e->removable);
    add_nonempty(o, "at_most", e->at_most);
    return o;
}

static cJSON *bound_json(const RuleBound *b)
{
    cJSON *o = cJSON_CreateObject();
    json_add_text(o, "removes", b->removes);
    json_add_text(o, "changes", b->changes);
    json_add_text(o, "ns", b->ns);
    cJSON_AddNumberToObject(o, "least", b->least);
    return o;
}

cJSON *rule_json(const Rule *r)
{
    cJSON *o = cJSON_CreateObject();
    json_add_text(o, "id", r->id);
    json_add_text(o, "name", r->name);
    json_add_text(o, "group", r->group);
    json_add_text(o, "level", level_name(r->level));
    json_add_text(o, "title", r->title.en);
    add_translations(o, "title", &r->title);
    json_add_text(o, "why", r->why.en);
    json_add_text(o, "risk", r->risk.en);
    json_add_text(o, "applicability", applicability_name(r->applicability));
    json_add_text(o, "of", r->of);
    json_add_text(o, "when", r->each);
    if (r->bound.removes || r->bound.changes || r->bound.ns)
        cJSON_AddItemToObject(o, "bound", bound_json(&r->bound));
    cJSON *tries = cJSON_AddArrayToObject(o, "tries");
    for (size_t i = 0; i < r->nattempt; i++)
        cJSON_AddItemToArray(tries, try_json(&r->attempt[i]));
    cJSON *fixes = cJSON_AddArrayToObject(o, "fixes");
    for (size_t i = 0; i < r->nfix; i++)
        cJSON_AddItemToArray(fixes, fix_json(&r->fix[i]));
    json_add_texts(o, "conflicts", r->conflicts, r->nconflicts);
    json_add_texts(o, "enables", r->enables, r->nenables);
    cJSON_AddItemToObject(o, "example", example_json(&r->example));
    json_add_text(o, "source", r->source);
    json_add_text(o, "file", r->file);
    return o;
}

static void add_levers(cJSON *root)
{
    cJSON *list = cJSON_AddArrayToObject(root, "levers");
    for (const Lever *l = lever_table; l < lever_table + LEVER_COUNT; l++) {
        cJSON *o = json_add_row(list);
        json_add_text(o, "lever", l->name);
        json_add_text(o, "where", l->where);
        json_add_text(o, "help", l->help);
    }
}

cJSON *rules_json(const RuleBook *b)
{
    cJSON *root = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(root, "rules");
    for (size_t i = 0; i < b->nrule; i++)
        cJSON_AddItemToArray(list, rule_json(&b->rule[i]));
    cJSON *o = cJSON_AddObjectToObject(root, "weights");
    for (Applicability k = APPLY_SAFE; k <= APPLY_RETRAIN; k++)
        cJSON_AddNumberToObject(o, applicability_name(k), applicability_weight(k));
    add_levers(root);
    return root;
}

const char *rule_sdk_range(Phrase *text, const RuleFix *f, const Language *lang)
{
    const char *since = f->since_text, *until = f->until_text;
    if (f->since && f->since == f->until)
        return since;
    if (f->since && f->until)
        return phrase_format(text, lang, PHRASE_SDK_RANGE, since, until, NULL);
    if (f->since)
        return phrase_format(text, lang, PHRASE_SDK_SINCE, since, NULL);
    return f->until ? phrase_format(text, lang, PHRASE_SDK_UNTIL, until, NULL)
                    : phrase_text(lang, PHRASE_SDK_ANY);
}

const char *rules_example_effect(Phrase *text, const RuleExample *e, const Language *lang)
{
    if (*e->at_most)
        return phrase_format(text, lang, PHRASE_EXAMPLE_AT_MOST, e->before, e->at_most, NULL);
    if (!*e->gain)
        return "";
    bool rate = strstr(e->gain, "/s") != NULL;
    Phrase alone, *first = *e->verified ? &alone : text;
    phrase_format(first, lang, rate ? PHRASE_EXAMPLE_ADDS : PHRASE_EXAMPLE_GAIN, e->before,
                  e->after, e->gain, NULL);
    return first == text
               ? text->text
               : phrase_format(text, lang, PHRASE_EXAMPLE_VERIFIED, alone.text, e->verified,
                               phrase_by_key(lang, "VERDICT_", e->verdict), NULL);
}

char *rules_template_text(Arena *a, const char *template)
{
    if (!template)
        return NULL;
    size_t n = 0;
    char *shown = arena_alloc(a, 5 * strlen(template) + 1);
    for (const char *p = template; *p;) {
        size_t len = strcspn(p, "}"), at = strcspn(p, "@$}");
        size_t word = at < len ? strspn(p + at + 1, "abcdefghijklmnopqrstuvwxyz0123456789-") : 0;
        if (p[0] == '{' && p[1] == '{') {
            shown[n++] = '{';
            p += 2;
        } else if (p[0] == '{' && p[len] == '}') {
            n +=
                (size_t)sprintf(shown + n, "<%.*s>", word ? (int)word : 3, word ? p + at + 1 : "…");
            p += len + 1;
        } else {
            shown[n++] = *p++;
        }
    }
    assert(n <= 5 * strlen(template));
    shown[n] = '\0';
    return shown;
}

static void put_paragraph(FILE *out, const char *label, const char *text)
{
    if (!text || !*text)
        return;
    fprintf(out, "\n**%s** ", label);
    markdown_text(out, text);
    putc('\n', out);
}

static void put_fix(Arena *a, FILE *out, const RuleFix *f)
{
    Phrase range;
    fprintf(out, "- SDK %s%s%s%s%s: ", rule_sdk_range(&range, f, NULL), f->where ? ", " : "",
            f->where ? f->where : "", *f->label.en ? ", if " : "", f->label.en);
    if (f->is_withheld) {
        fputs("no such setting: ", out);
        markdown_text(out, f->text.en);
    } else {
        markdown_code(out, rules_template_text(a, f->text.en));
    }
    putc('\n', out);
}

static void put_example(FILE *out, const RuleExample *e)
{
    Phrase effect;
    put_paragraph(out, "Example.", e->text.en);
    if (*rules_example_effect(&effect, e, NULL)) {
        markdown_text(out, rules_example_effect(&effect, e, NULL));
        fputs(".\n", out);
    }
}

static void put_ids(FILE *out, const char *label, const char *const *id, size_t n)
{
    if (n == 0)
        return;
    fprintf(out, "\n**%s**", label);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%s %s", i ? "," : "", id[i]);
    fputs(".\n", out);
}

static void put_expression(FILE *out, const char *label, const char *xpath)
{
    if (!xpath)
        return;
    fprintf(out, "\n**%s** ", label);
    markdown_code(out, xpath);
    fputs("\n", out);
}

static void put_rule(Arena *a, FILE *out, const Rule *r)
{
    /* The anchor of alerts, which does not depend on the name of the rule. */
    fprintf(out, "\n<a id=\"%s\"></a>\n\n## %s %s\n\n", r->id, r->id, r->name);
    markdown_text(out, rules_template_text(a, r->title.en));
    fprintf(out, ". Group %s, level %s, %s.\n", r->group, level_name(r->level),
            applicability_name(r->applicability));
    put_paragraph(out, "Why.", r->why.en);
    put_expression(out, "Fires at", r->each);
    put_expression(out, "Removes", r->bound.removes);
    put_expression(out, "Changes", r->bound.changes);
    put_expression(out, "Costs now", r->bound.ns);
    if (strcmp(r->of, "onnx") && strcmp(r->of, "rows"))
        fprintf(out, "\n**Speaks of** compiled graphs: %s.\n", r->of);
    put_paragraph(out, "Not tried:", r->untried.en);
    if (r->nfix)
        fputs("\n**Change.**\n\n", out);
    for (size_t i = 0; i < r->nfix; i++)
        put_fix(a, out, &r->fix[i]);
    put_paragraph(out, "Risk.", r->risk.en);
    put_example(out, &r->example);
    put_ids(out, "Excludes", r->conflicts, r->nconflicts);
    put_ids(out, "Enables", r->enables, r->nenables);
    put_paragraph(out, "Source.", r->source);
}

/* What the settings of each lever need; a plan needs the union. */
static void put_needs(FILE *out)
{
    fputs("\nWhat a change needs from the user follows from its levers:\n\n"
          "| lever | set in | needs |\n|---|---|---|\n",
          out);
    for (size_t i = 0; i < LEVER_COUNT; i++) {
        const Lever *l = &lever_table[i];
        const char *word[NEED_KINDS];
        size_t n = need_words(l->needs, word);
        fprintf(out, "| %s | %s |", l->name, l->where);
        for (size_t k = 0; k < n; k++)
            fprintf(out, "%s %s", k ? "," : "", word[k]);
        fputs(n ? " |\n" : " - |\n", out);
    }
    fputs("\nAn operator that moves from the host to the NPU in a model that is not yet quantized "
          "needs accuracy as well.\n",
          out);
}

void rules_markdown(FILE *out, const RuleBook *b)
{
    Arena *a = arena_new(0);
    fputs("# Rules\n\nGenerated by `npu-advise rules --format md`; the words are those of "
          "rules/\\*.xml.\n\n<a id=\"gate\"></a>\n\nAn alert of the rule `gate` is an assertion of "
          "the gate that does not hold: [in a pipeline](ci.md).\n\n| rule | level | what "
          "|\n|---|---|---|\n",
          out);
    for (size_t i = 0; i < b->nrule; i++) {
        fprintf(out, "| [%s](#", b->rule[i].id);
        for (const char *p = b->rule[i].id; *p; p++)
            putc(*p >= 'A' && *p <= 'Z' ? *p + 32 : *p, out);
        fprintf(out, "-%s) | %s | ", b->rule[i].name, level_name(b->rule[i].level));
        markdown_text(out, rules_template_text(a, b->rule[i].title.en));
        fputs(" |\n", out);
    }
    put_needs(out);
    for (size_t i = 0; i < b->nrule; i++)
        put_rule(a, out, &b->rule[i]);
    arena_free(a);
}
