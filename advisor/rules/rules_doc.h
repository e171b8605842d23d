/* Writes the catalogue of rules as JSON and as Markdown (docs/rules.md). */
#pragma once

#include "advisor/message/json.h"
#include "advisor/message/phrase.h"
#include "advisor/rules/rule_book.h"

/* A template as the catalogue shows it: an expression becomes the first @name or $value in it,
 * <name> or <value>, or else <…>; {{ becomes a brace.  Lives in `a`; NULL for NULL. */
char *rules_template_text(Arena *a, const char *template);

/* "0.9", "0.7 to 0.8", "0.10 and later", "any", in `lang`; in `text` or constant. */
const char *rule_sdk_range(Phrase *text, const RuleFix *f, const Language *lang);

/* The effect of the change of an example, in `text`: "10.1 ms -> 419 µs, gain 9.68 ms [7.86 11.84];
 * confirmed: 9.66 ms"; "" where it is unknown. */
const char *rules_example_effect(Phrase *text, const RuleExample *e, const Language *lang);

/* The caller owns the tree. */
cJSON *rule_json(const Rule *r);
cJSON *rules_json(const RuleBook *b);

void rules_markdown(FILE *out, const RuleBook *b);
