/* Lists the items of one source as options and joins them into a sentence. */
#include "advisor/report/tree_setup_text.h"

#include "cost_model/setup/setup.h"

#include <stdio.h>
#include <string.h>

const char *tree_setup_option_of(const char *key)
{
    for (int i = 0; i < SETUP_COUNT; i++)
        if (strcmp(setup_key((SetupItemId)i), key) == 0)
            return setup_option((SetupItemId)i);
    return key;
}

const char *tree_setup_text(Figure *buf, const cJSON *value)
{
    if (cJSON_IsNumber(value))
        snprintf(buf->text, sizeof buf->text, "%.0f", value->valuedouble);
    else
        snprintf(buf->text, sizeof buf->text, "%s",
                 cJSON_IsString(value) ? value->valuestring : "?");
    return buf->text;
}

static size_t append_text(Phrase *p, size_t used, const char *text)
{
    int n = snprintf(p->text + used, sizeof p->text - used, "%s", text);
    size_t more = n > 0 ? (size_t)n : 0, left = sizeof p->text - used - 1;
    return used + (more < left ? more : left);
}

static size_t append_item(Phrase *p, size_t used, const cJSON *x, const Language *lang)
{
    const cJSON *value = json_at(x, "value"), *candidate;
    Figure f;
    used = append_text(p, used, used ? " " : "");
    used = append_text(p, used, tree_setup_option_of(x->string));
    if (!cJSON_IsNull(value)) {
        used = append_text(p, used, " ");
        return append_text(p, used, tree_setup_text(&f, value));
    }
    cJSON_ArrayForEach(candidate, json_at(x, "candidates"))
    {
        used =
            append_text(p, used, candidate->prev->next ? phrase_text(lang, PHRASE_SETUP_OR) : " ");
        used = append_text(p, used, tree_setup_text(&f, candidate));
    }
    return used;
}

/* False for items that are not set. */
static bool is_worth_it(const cJSON *x)
{
    return strcmp(json_text(x, "value", ""), "none") != 0;
}

/* The decided items of a source; for NULL, those that the trace leaves open. */
static size_t append_items(Phrase *p, const cJSON *result, const char *source, const Language *lang)
{
    const cJSON *x;
    size_t used = 0;
    p->text[0] = '\0';
    cJSON_ArrayForEach(x, json_at(result, "setup"))
    {
        bool is_open = cJSON_IsNull(json_at(x, "value"));
        bool fits = source ? !is_open && !strcmp(json_text(x, "source", ""), source) : is_open;
        if (fits && is_worth_it(x))
            used = append_item(p, used, x, lang);
    }
    return used;
}

const char *tree_setup_sentence(Phrase *buf, const cJSON *result, const char *source,
                                const Language *lang)
{
    Phrase items, closed, open;
    closed.text[0] = open.text[0] = '\0';
    if (append_items(&items, result, source, lang)) {
        phrase_format(&closed, lang,
                      !strcmp(source, "trace")      ? PHRASE_SETUP_FROM_TRACE
                      : !strcmp(source, "settings") ? PHRASE_SETUP_FROM_SETTINGS
                      : !strcmp(source, "option")   ? PHRASE_SETUP_FROM_OPTION
                                                    : PHRASE_SETUP_FROM_DEFAULT,
                      items.text, NULL);
    }
    if (!strcmp(source, "trace") && append_items(&items, result, NULL, lang))
        phrase_format(&open, lang, PHRASE_SETUP_OPEN, items.text, NULL);
    snprintf(buf->text, sizeof buf->text, "%.500s%s%.500s", closed.text,
             closed.text[0] && open.text[0] ? "; " : "", open.text);
    return buf->text;
}
