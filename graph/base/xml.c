/* Parses with libxml2 and skips the schema for files that the build has checked. */
#include "graph/base/xml.h"
#include "graph/base/file.h"
#include "graph/base/limits.h"

#include <libxml/parser.h>
#include <libxml/relaxng.h>
#include <libxml/threads.h>
#include <libxml/xmlerror.h>

/* What a handler is given; libxml2 made it const in 2.12. */
#if LIBXML_VERSION >= 21200
typedef const xmlError Reported;
#else
typedef xmlError Reported;
#endif

static void keep_silent(void *user, Reported *error)
{
    (void)user;
    (void)error;
}

/* XPath reports an unknown function here, whatever the structured handler is. */
static void keep_silent_too(void *user, const char *fmt, ...)
{
    (void)user;
    (void)fmt;
}

void xml_startup(void)
{
    xmlInitParser();
    /* It aborts where it finds no memory for its globals, unless it is asked first. */
#if LIBXML_VERSION >= 21200
    if (xmlCheckThreadLocalStorage() != 0)
        limits_out_of_memory();
#endif
    xmlSetStructuredErrorFunc(NULL, keep_silent);
    xmlSetGenericErrorFunc(NULL, keep_silent_too);
}

/* First error only: later ones usually follow from it. */
typedef struct {
    int line;
    char text[512];
} FirstError;

static void remember_first(void *user, Reported *error)
{
    FirstError *first = user;
    if (first->line || first->text[0])
        return;
    first->line = error->line;
    snprintf(first->text, sizeof first->text, "%s", error->message ? error->message : "invalid");
    first->text[strcspn(first->text, "\n")] = '\0';
}

static Status refuse_xml(const char *path, const FirstError *e, Diag *diag)
{
    char place[32];
    snprintf(place, sizeof place, "line %d", e->line);
    return diag_set(diag, STATUS_INPUT, path, e->line ? place : NULL, "%s",
                    e->text[0] ? e->text : "is not well-formed XML");
}

static Status parse_xml(const InFile *f, const char *path, xmlDoc **ret_doc, Diag *diag)
{
    FirstError first = {0};
    xmlSetStructuredErrorFunc(&first, remember_first);
    xmlDoc *doc = xmlReadMemory((const char *)f->data, (int)f->size, path, NULL,
                                XML_PARSE_NONET | XML_PARSE_NOCDATA);
    xmlSetStructuredErrorFunc(NULL, keep_silent);
    if (doc && xmlGetIntSubset(doc)) { /* no document type: no entities to expand */
        xmlFreeDoc(doc);
        return diag_set(diag, STATUS_INPUT, path, NULL, "must not have a DOCTYPE; remove it");
    }
    if (!doc)
        return refuse_xml(path, &first, diag);
    *ret_doc = doc;
    return STATUS_OK;
}

struct XmlSchema {
    char *path, digest[65];
    xmlRelaxNG *rules; /* NULL until a file has to be checked */
};

/* Files of this version that the build has checked, by the digests of schema and file. */
static const struct {
    const char *schema, *file;
} sound[] = {
#include "sound_files.inc"
};

static bool is_sound(const char *schema, const char *file)
{
    return LIST_ANY(i, sizeof sound / sizeof *sound,
                    !strcmp(sound[i].schema, schema) && (!file || !strcmp(sound[i].file, file)));
}

static Status parse_schema(XmlSchema *s, Diag *diag)
{
    FirstError first = {0};
    if (s->rules)
        return STATUS_OK;
    xmlSetStructuredErrorFunc(&first, remember_first);
    xmlRelaxNGParserCtxt *pc = xmlRelaxNGNewParserCtxt(s->path);
    s->rules = pc ? xmlRelaxNGParse(pc) : NULL;
    xmlRelaxNGFreeParserCtxt(pc);
    xmlSetStructuredErrorFunc(NULL, keep_silent);
    return s->rules ? STATUS_OK
                    : diag_set(diag, STATUS_INPUT, s->path, NULL,
                               "the schema itself cannot be read: %s", first.text);
}

Status xml_schema_open(const char *schema_path, XmlSchema **ret, Diag *diag)
{
    InFile f;
    Diag unread;
    XmlSchema *s = limits_calloc(1, sizeof *s);
    s->path = limits_strdup(schema_path);
    if (!file_in_open(&f, schema_path, XML_FILE_LIMIT_BYTES, &unread)) {
        sha256_hex(f.data, f.size, s->digest);
        file_in_close(&f);
    }
    Status st = is_sound(s->digest, NULL) ? STATUS_OK : parse_schema(s, diag);
    if (st)
        xml_schema_close(s);
    else
        *ret = s;
    return st;
}

void xml_schema_close(XmlSchema *schema)
{
    if (!schema)
        return;
    xmlRelaxNGFree(schema->rules);
    free(schema->path);
    free(schema);
}

static Status check_schema(xmlDoc *doc, const char *path, XmlSchema *schema, Diag *diag)
{
    FirstError first = {0};
    Status st = parse_schema(schema, diag);
    if (st)
        return st;
    xmlSetStructuredErrorFunc(&first, remember_first);
    xmlRelaxNGValidCtxt *vc = xmlRelaxNGNewValidCtxt(schema->rules);
    int verdict = -1;
    if (vc) {
        xmlRelaxNGSetValidStructuredErrors(vc, remember_first, &first);
        verdict = xmlRelaxNGValidateDoc(vc, doc);
    }
    xmlRelaxNGFreeValidCtxt(vc);
    xmlSetStructuredErrorFunc(NULL, keep_silent);
    return verdict == 0 ? STATUS_OK : refuse_xml(path, &first, diag);
}

static Status read_checked(const InFile *f, const char *path, xmlDoc **ret_doc, Diag *diag)
{
    if (f->size > XML_FILE_LIMIT_BYTES)
        return diag_set(diag, STATUS_INPUT, path, NULL, "larger than the limit of %d MiB",
                        XML_FILE_LIMIT_BYTES >> 20);
    if (f->size == 0)
        return diag_set(diag, STATUS_INPUT, path, NULL, "is empty");
    return parse_xml(f, path, ret_doc, diag);
}

Status xml_load_as(const char *path, XmlSchema *schema, xmlDoc **ret_doc, Diag *diag)
{
    InFile f;
    xmlDoc *doc = NULL;
    Status st = file_in_open(&f, path, XML_FILE_LIMIT_BYTES, diag);
    if (st)
        return st;
    st = read_checked(&f, path, &doc, diag);
    char digest[65] = "";
    if (schema)
        sha256_hex(f.data, f.size, digest);
    file_in_close(&f);
    if (!st && schema && !is_sound(schema->digest, digest))
        st = check_schema(doc, path, schema, diag);
    if (st)
        xmlFreeDoc(doc);
    else
        *ret_doc = doc;
    return st;
}

Status xml_load(const char *path, const char *schema_path, xmlDoc **ret_doc, Diag *diag)
{
    XmlSchema *schema = NULL;
    Status st = schema_path ? xml_schema_open(schema_path, &schema, diag) : STATUS_OK;
    st = st ? st : xml_load_as(path, schema, ret_doc, diag);
    xml_schema_close(schema);
    return st;
}

static xmlNode *first_named(xmlNode *n, const char *name)
{
    while (n && !(n->type == XML_ELEMENT_NODE && strcmp((const char *)n->name, name) == 0))
        n = n->next;
    return n;
}

xmlNode *xml_child(const xmlNode *parent, const char *name)
{
    return first_named(parent->children, name);
}

xmlNode *xml_next(const xmlNode *node)
{
    return first_named(node->next, (const char *)node->name);
}

const char *xml_attr(Arena *a, const xmlNode *node, const char *name)
{
    xmlChar *value = xmlGetNoNsProp(node, (const xmlChar *)name);
    const char *copy = arena_strdup(a, (const char *)value);
    xmlFree(value);
    return copy;
}

const char *xml_attr_or(Arena *a, const xmlNode *node, const char *name, const char *otherwise)
{
    const char *text = xml_attr(a, node, name);
    return text ? text : otherwise;
}

const char *xml_place(Arena *a, const xmlNode *node)
{
    return arena_printf(a, "line %ld", xmlGetLineNo((xmlNode *)(uintptr_t)node));
}

double xml_number(const xmlNode *node, const char *name, double fallback)
{
    xmlChar *value = xmlGetNoNsProp(node, (const xmlChar *)name);
    char *end = NULL;
    double x = value ? strtod((const char *)value, &end) : fallback;
    bool good = !value || (end != (char *)value && *end == '\0' && isfinite(x));
    xmlFree(value);
    return good ? x : fallback;
}

const char *xml_text(Arena *a, const xmlNode *node)
{
    xmlChar *raw = xmlNodeGetContent(node);
    if (!raw)
        return "";
    char *text = arena_alloc(a, strlen((const char *)raw) + 1);
    size_t len = 0;
    for (const char *p = (const char *)raw; *p; p++) {
        bool space = strchr(" \t\r\n", *p) != NULL;
        if (!space)
            text[len++] = *p;
        else if (len && text[len - 1] != ' ')
            text[len++] = ' ';
    }
    while (len && text[len - 1] == ' ')
        len--;
    text[len] = '\0';
    xmlFree(raw);
    return text;
}

void xml_put(FILE *out, const char *text)
{
    static const char special[] = "&<>\"";
    static const char *const entity[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
    for (; *text; text++) {
        const char *at = strchr(special, *text);
        if (at)
            fputs(entity[at - special], out);
        else
            putc(*text, out);
    }
}
