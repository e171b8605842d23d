/* Writes HTML elements as a stream, over libxml2's text writer, which quotes.
 *
 * HTML, not XML: every element but the void ones gets an end tag, inside <svg> empty elements close
 * themselves.  All text and attribute values are shown plainly (advisor/message/plain.h) first. */
#pragma once

#include "graph/base/arena.h"

typedef struct Html Html;

/* The doctype is written; `out` stays the caller's. NULL when memory ends. */
Html *html_new(FILE *out);

/* Ends every open element, flushes and frees. False when the stream failed. */
bool html_free(Html *h);

/* Starts an element; attributes are pairs of name and value, ended by NULL. */
void html_open(Html *h, const char *tag, ...) __attribute__((sentinel));

/* One more attribute of the element just started. */
void html_attr(Html *h, const char *name, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* As html_attr, for a value of any length. */
void html_attr_long(Html *h, const char *name, const char *value);

void html_text(Html *h, const char *text);
void html_textf(Html *h, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A name of the model: at most `columns` of it, the rest in the middle left out. */
void html_name(Html *h, const char *name, size_t columns);

/* Our own style and script, as they are. */
void html_raw(Html *h, const char *text, size_t len);

void html_close(Html *h);

/* html_open, html_text, html_close. */
void html_leaf(Html *h, const char *tag, const char *text, ...) __attribute__((sentinel));

/* base64 of `size` bytes. */
char *html_base64(Arena *a, const void *data, size_t size);

/* An element without content or end tag: meta, link, br, input. */
void html_void(Html *h, const char *tag, ...) __attribute__((sentinel));
