/* Evaluates templates and XPath within limits, as rules may come from strangers. */
#pragma once

#include "graph/base/language.h"
#include "graph/base/strmap.h"

#include <libxml/xpath.h>

enum {
    XPATH_OPERATION_LIMIT = 2000000, /* of one evaluation; about 0.2 s */
    XPATH_PLACES_LIMIT = 10000,      /* nodes that a <when> may select */
    TEMPLATE_TEXT_LIMIT = 1 << 16,
};

/* An evaluation context over `doc`, with these functions besides those of XPath 1.0:
 *   time(ns)   "60.6 ms"      count-text(n)  "1,228,800"
 *   say(@name)     the message of that attribute in `language`, or the word of its key ("middle")
 * Free with template_xpath_close. */
typedef struct XPathEngine XPathEngine;
XPathEngine *template_xpath_open(Arena *a, xmlDoc *doc, const Language *language);
void template_xpath_close(XPathEngine *e);

/* The value of {$value} in the templates that are expanded next. */
void template_xpath_set_value(XPathEngine *e, const char *value);

/* Of a model that edits changed: texts have the name of the tensor as loaded that a name in
 * `edited` alone begins with; users find no other in their file. */
void template_xpath_set_names(XPathEngine *e, const StrMap *loaded, const StrMap *edited);

/* Each returns false when the limit of operations stopped it or the expression fails. */
bool template_xpath_nodes(XPathEngine *e, xmlNode *at, const char *expr, xmlNode ***ret_node,
                          size_t *ret_count);
bool template_xpath_number(XPathEngine *e, xmlNode *at, const char *expr, double *ret);
bool template_xpath_test(XPathEngine *e, xmlNode *at, const char *expr, bool *ret);

/* In code, quotes and backslashes of inserted values are escaped; control characters always are.
 * A setting has the names of the edited model. */
typedef enum { TEMPLATE_PROSE, TEMPLATE_CODE, TEMPLATE_SETTING } TemplateKind;

/* Expands `text` at `place[0]`, lists over all places.  false: a limit was reached. */
bool template_expand(XPathEngine *e, TemplateKind kind, const char *text, xmlNode *const *place,
                     size_t nplace, const char **ret);

/* Whether a template has a list over all places. */
bool template_lists(const char *text);

/* Checks an XPath or a template, in an engine that may have no document; NULL or the reason. */
const char *template_xpath_check(XPathEngine *e, const char *expr);
const char *template_check(XPathEngine *e, const char *text);
