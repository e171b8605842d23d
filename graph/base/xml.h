/* Reads XML data files and checks them against RELAX NG schemas. */
#pragma once

#include "graph/base/diag.h"

#include <libxml/tree.h>

enum { XML_FILE_LIMIT_BYTES = 4 << 20 };

/* Parses `path` without network, entities or DTD loading, and validates it against the RELAX NG
 * schema file `schema_path` (NULL: not validated).  An error names file, line and reason.
 * The caller frees the document with xmlFreeDoc. */
Status xml_load(const char *path, const char *schema_path, xmlDoc **ret_doc, Diag *diag);

/* For many files of one schema: the schema is parsed once, and not at all where every file is one
 * that the build has checked (both digests as recorded).  xml_schema_close accepts NULL. */
typedef struct XmlSchema XmlSchema;
Status xml_schema_open(const char *schema_path, XmlSchema **ret, Diag *diag);
void xml_schema_close(XmlSchema *schema);
Status xml_load_as(const char *path, XmlSchema *schema, xmlDoc **ret_doc, Diag *diag);

/* First child element of that name, or NULL; `xml_next` the next sibling of the same name. */
xmlNode *xml_child(const xmlNode *parent, const char *name);
xmlNode *xml_next(const xmlNode *node);

/* Attribute copied into the arena, or NULL; `otherwise`. */
const char *xml_attr(Arena *a, const xmlNode *node, const char *name);
const char *xml_attr_or(Arena *a, const xmlNode *node, const char *name, const char *otherwise);

/* "line 7", of an error. */
const char *xml_place(Arena *a, const xmlNode *node);

/* Attribute as a finite number; `fallback` when absent or not a number. */
double xml_number(const xmlNode *node, const char *name, double fallback);

/* Text content, white space collapsed, in the arena. */
const char *xml_text(Arena *a, const xmlNode *node);

/* Text as XML holds it, in content and in attributes: one place that knows the characters. */
void xml_put(FILE *out, const char *text);

/* Initialises libxml2 with silent error handling; call once per process. */
void xml_startup(void);
