/* Adds functions and limits to the XPath of libxml2, and expands the expressions of templates. */
#include "advisor/rules/template.h"

#include "advisor/rules/facts.h"
#include "advisor/message/phrase.h"
#include "graph/base/quantity.h"

#include <libxml/xpathInternals.h>

enum { EXPRESSION_LIMIT = 4096 }; /* characters; bounds the evaluator's recursion too */

struct XPathEngine {
    Arena *arena;
    xmlDoc *doc;
    const Language *language;
    xmlXPathContext *context;
    const StrMap *loaded, *edited;
};

static void function_time(xmlXPathParserContext *ctxt, int nargs)
{
    CHECK_ARITY(1);
    double ns = xmlXPathPopNumber(ctxt);
    if (xmlXPathCheckError(ctxt))
        return;
    char text[64];
    if (isfinite(ns))
        quantity_time(text, sizeof text, ns);
    else
        snprintf(text, sizeof text, "unknown time");
    xmlXPathReturnString(ctxt, xmlStrdup((const xmlChar *)text));
}

/* 1228800 -> "1,228,800" */
static void write_count(double n, char text[96])
{
    char digits[64];
    snprintf(digits, sizeof digits, "%.0f", isfinite(n) && fabs(n) < 1e18 ? n : 0.0);
    size_t len = strlen(digits), out = 0;
    for (size_t i = 0; i < len; i++) {
        text[out++] = digits[i];
        if (digits[i] != '-' && i + 1 < len && (len - i - 1) % 3 == 0)
            text[out++] = ',';
    }
    text[out] = '\0';
}

static void function_count_text(xmlXPathParserContext *ctxt, int nargs)
{
    CHECK_ARITY(1);
    double n = xmlXPathPopNumber(ctxt);
    if (xmlXPathCheckError(ctxt))
        return;
    char text[96];
    write_count(n, text);
    xmlXPathReturnString(ctxt, xmlStrdup((const xmlChar *)text));
}

/* (1, 'node', 'nodes') -> "1 node", (1200, 'node', 'nodes') -> "1,200 nodes" */
static void function_count_of(xmlXPathParserContext *ctxt, int nargs)
{
    CHECK_ARITY(3);
    xmlChar *many = xmlXPathPopString(ctxt), *one = xmlXPathPopString(ctxt);
    double n = xmlXPathPopNumber(ctxt);
    if (!xmlXPathCheckError(ctxt) && many && one) {
        char text[96];
        write_count(n, text);
        xmlChar *all = xmlStrncatNew((const xmlChar *)text, (const xmlChar *)" ", -1);
        xmlXPathReturnString(ctxt, xmlStrcat(all, n == 1 ? one : many));
    }
    xmlFree(many);
    xmlFree(one);
}

/* The message of an attribute of the facts; a key is replaced by its word in the language. */
static const char *message_at(const XPathEngine *e, const xmlXPathObject *o, const char *text)
{
    const xmlNodeSet *set = o->type == XPATH_NODESET ? o->nodesetval : NULL;
    const Message *said = set && set->nodeNr ? facts_message(set->nodeTab[0]) : NULL;
    return said ? message_format(e->arena, e->language, said)
                : phrase_by_key(e->language, "WORD_", text);
}

static void function_say(xmlXPathParserContext *ctxt, int nargs)
{
    CHECK_ARITY(1);
    xmlXPathObject *o = valuePop(ctxt);
    xmlChar *text = o ? xmlXPathCastToString(o) : NULL;
    if (text)
        xmlXPathReturnString(ctxt, xmlStrdup((const xmlChar *)message_at(ctxt->context->user, o,
                                                                         (const char *)text)));
    xmlFree(text);
    xmlXPathFreeObject(o);
}

static xmlXPathContext *new_context(xmlDoc *doc)
{
    xmlXPathContext *c = xmlXPathNewContext(doc);
    if (!c)
        return NULL;
    xmlXPathRegisterFunc(c, (const xmlChar *)"time", function_time);
    xmlXPathRegisterFunc(c, (const xmlChar *)"count-text", function_count_text);
    xmlXPathRegisterFunc(c, (const xmlChar *)"count-of", function_count_of);
    xmlXPathRegisterFunc(c, (const xmlChar *)"say", function_say);
    return c;
}

XPathEngine *template_xpath_open(Arena *a, xmlDoc *doc, const Language *language)
{
    XPathEngine *e = ARENA_NEW(a, XPathEngine);
    *e = (XPathEngine){.arena = a, .doc = doc, .language = language, .context = new_context(doc)};
    if (e->context)
        e->context->user = e;
    return e;
}

void template_xpath_close(XPathEngine *e)
{
    if (e)
        xmlXPathFreeContext(e->context);
}

void template_xpath_set_value(XPathEngine *e, const char *value)
{
    if (e->context)
        xmlXPathRegisterVariable(e->context, (const xmlChar *)"value", xmlXPathNewCString(value));
}

void template_xpath_set_names(XPathEngine *e, const StrMap *loaded, const StrMap *edited)
{
    e->loaded = loaded;
    e->edited = edited;
}

static const char *shown_name(const XPathEngine *e, const char *name)
{
    if (!e->edited || strmap_get(e->edited, name) == STRMAP_NONE)
        return name;
    char *part = arena_strdup(e->arena, name);
    for (size_t n = strlen(part); n > 0; part[--n] = '\0')
        if (strmap_get(e->loaded, part) != STRMAP_NONE)
            return part;
    return name;
}

/* NULL when the expression is bad, too expensive, or memory ends.  The caller frees. */
static xmlXPathObject *evaluate_xpath(XPathEngine *e, xmlNode *at, const char *expr)
{
    assert(e->doc);
    if (!e->context || strlen(expr) > EXPRESSION_LIMIT)
        return NULL;
    e->context->opLimit = XPATH_OPERATION_LIMIT;
    e->context->opCount = 0;
    e->context->node = at ? at : xmlDocGetRootElement(e->doc);
    return xmlXPathEval((const xmlChar *)expr, e->context);
}

bool template_xpath_number(XPathEngine *e, xmlNode *at, const char *expr, double *ret)
{
    xmlXPathObject *o = evaluate_xpath(e, at, expr);
    if (!o)
        return false;
    *ret = xmlXPathCastToNumber(o);
    xmlXPathFreeObject(o);
    return true;
}

bool template_xpath_nodes(XPathEngine *e, xmlNode *at, const char *expr, xmlNode ***ret_node,
                          size_t *ret_count)
{
    xmlXPathObject *o = evaluate_xpath(e, at, expr);
    bool good = o && o->type == XPATH_NODESET;
    size_t n = good && o->nodesetval ? (size_t)o->nodesetval->nodeNr : 0;
    if (n > XPATH_PLACES_LIMIT)
        good = false;
    if (good) {
        xmlNode **node = ARENA_ARRAY(e->arena, xmlNode *, n ? n : 1);
        size_t kept = 0;
        xmlXPathNodeSetSort(o->nodesetval);
        for (size_t i = 0; i < n; i++)
            if (o->nodesetval->nodeTab[i]->type == XML_ELEMENT_NODE)
                node[kept++] = o->nodesetval->nodeTab[i];
        assert(kept <= n);
        *ret_node = node;
        *ret_count = kept;
    }
    xmlXPathFreeObject(o);
    return good;
}

bool template_xpath_test(XPathEngine *e, xmlNode *at, const char *expr, bool *ret)
{
    xmlXPathObject *o = evaluate_xpath(e, at, expr);
    if (!o)
        return false;
    *ret = xmlXPathCastToBoolean(o) != 0;
    xmlXPathFreeObject(o);
    return true;
}

/* Text under construction. */
typedef struct {
    Arena *a;
    char *text;
    size_t len, cap;
} Buffer;

static void append_char(Buffer *b, char c)
{
    if (b->len >= TEMPLATE_TEXT_LIMIT)
        return;
    *VEC_PUSH(b->a, b->text, b->len, b->cap) = c;
}

static void put_text(Buffer *b, const char *s)
{
    while (*s)
        append_char(b, *s++);
}

static void put_escaped(Buffer *b, TemplateKind kind, const char *s)
{
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        char code[8];
        if (c < 0x20 || c == 0x7f) {
            snprintf(code, sizeof code, "\\x%02x", c);
            put_text(b, code);
        } else if (kind == TEMPLATE_CODE && (c == '"' || c == '\\')) {
            append_char(b, '\\');
            append_char(b, *s);
        } else {
            append_char(b, *s);
        }
    }
}

/* Length of the expression that starts after '{', up to its '}' outside of quotes; -1 if none. */
static long expression_length(const char *s)
{
    char quote = 0;
    for (long i = 0; s[i]; i++) {
        if (quote)
            quote = s[i] == quote ? 0 : quote;
        else if (s[i] == '\'' || s[i] == '"')
            quote = s[i];
        else if (s[i] == '}')
            return i;
    }
    return -1;
}

static bool put_value(XPathEngine *e, Buffer *b, TemplateKind kind, const char *expr, xmlNode *at)
{
    xmlXPathObject *o = evaluate_xpath(e, at, expr);
    if (!o)
        return false;
    xmlChar *text = xmlXPathCastToString(o);
    const char *value = wording_of(text ? (const char *)text : "");
    put_escaped(b, kind, kind == TEMPLATE_SETTING ? value : shown_name(e, value));
    xmlFree(text);
    xmlXPathFreeObject(o);
    return true;
}

bool template_expand(XPathEngine *e, TemplateKind kind, const char *text, xmlNode *const *place,
                     size_t nplace, const char **ret)
{
    assert(place || nplace == 0);
    Buffer b = {.a = e->arena};
    for (const char *s = text; *s; s++) {
        long len = s[0] == '{' && s[1] != '{' ? expression_length(s + 1) : -1;
        if (len < 0) {
            append_char(&b, *s);
            s += s[0] == '{' && s[1] == '{';
            continue;
        }
        bool all = s[1] == '*';
        const char *expr = arena_strndup(e->arena, s + 1 + all, (size_t)(len - all));
        size_t n = nplace == 0 || !all ? 1 : nplace;
        bool quoted = b.len && b.text[b.len - 1] == '"' && s[len + 2] == '"';
        for (size_t i = 0; i < n; i++) {
            put_text(&b, i == 0 ? "" : quoted ? "\", \"" : ", ");
            if (!put_value(e, &b, kind, expr, nplace ? place[i] : NULL))
                return false;
        }
        s += len + 1;
    }
    append_char(&b, '\0');
    *ret = b.text;
    b.text[b.len - 1] = '\0';
    return true;
}

bool template_lists(const char *text)
{
    return strstr(text, "{*") != NULL;
}

const char *template_xpath_check(XPathEngine *e, const char *expr)
{
    xmlXPathContext *c = e->context;
    if (strlen(expr) > EXPRESSION_LIMIT)
        return arena_printf(e->arena, "an XPath of more than %d characters", EXPRESSION_LIMIT);
    if (!c)
        return "out of memory";
    c->opLimit = XPATH_OPERATION_LIMIT;
    c->opCount = 0;
    xmlResetError(&c->lastError);
    xmlXPathCompExpr *comp = xmlXPathCtxtCompile(c, (const xmlChar *)expr);
    const char *why = NULL;
    if (!comp) {
        const char *message = c->lastError.message ? c->lastError.message : "syntax error";
        why =
            arena_printf(e->arena, "XPath '%s': %.*s", expr, (int)strcspn(message, "\n"), message);
    }
    xmlXPathFreeCompExpr(comp);
    return why;
}

const char *template_check(XPathEngine *e, const char *text)
{
    for (const char *s = text; *s; s++) {
        if (s[0] != '{')
            continue;
        if (s[1] == '{') {
            s++;
            continue;
        }
        long len = expression_length(s + 1);
        if (len < 0)
            return arena_printf(e->arena, "'%s': { without }; write {{ for a brace", text);
        bool all = s[1] == '*';
        const char *why =
            template_xpath_check(e, arena_strndup(e->arena, s + 1 + all, (size_t)(len - all)));
        if (why)
            return why;
        s += len + 1;
    }
    return NULL;
}
