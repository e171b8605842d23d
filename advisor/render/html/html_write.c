/* Tracks open elements so that void, ordinary and SVG elements each end as HTML demands. */
#include "advisor/render/html/html_write.h"

#include "advisor/message/plain.h"
#include "graph/base/limits.h"

#include <libxml/entities.h>
#include <libxml/xmlwriter.h>
#include <nettle/base64.h>
#include <stdarg.h>

struct Html {
    xmlTextWriter *w;
    int depth, svg_depth; /* svg_depth: depth at which <svg> was opened, 0 outside */
    bool failed;
};

static void record_failure(Html *h, int written)
{
    h->failed |= written < 0;
}

Html *html_new(FILE *out)
{
    Html *h = limits_calloc(1, sizeof *h);
    xmlOutputBuffer *buffer = xmlOutputBufferCreateFile(out, NULL);
    if (buffer)
        h->w = xmlNewTextWriter(buffer); /* owns the buffer, even when it fails */
    if (!h->w) {
        free(h);
        return NULL;
    }
    record_failure(h, xmlTextWriterWriteRaw(h->w, BAD_CAST "<!DOCTYPE html>\n"));
    return h;
}

bool html_free(Html *h)
{
    while (h->depth > 0)
        html_close(h);
    record_failure(h, xmlTextWriterWriteRaw(h->w, BAD_CAST "\n"));
    record_failure(h, xmlTextWriterFlush(h->w));
    bool ok = !h->failed;
    xmlFreeTextWriter(h->w);
    free(h);
    return ok;
}

typedef enum { LINE_ENDS_SHOWN, LINE_ENDS_KEPT } LineEnds;

/* In UTF-8 everywhere: in attributes the writer itself would make long references of letters. */
static void write_escaped(Html *h, const char *text)
{
    xmlChar *escaped = xmlEncodeSpecialChars(NULL, BAD_CAST text);
    h->failed |= !escaped || xmlTextWriterWriteRaw(h->w, escaped) < 0;
    xmlFree(escaped);
}

/* Shows `text` plainly, a few hundred bytes at a time. */
static void put_plain(Html *h, const char *text, LineEnds line_ends)
{
    char chunk[512];
    size_t used = 0;
    while (*text) {
        char buf[PLAIN_CHAR_SIZE];
        int width;
        const char *shown = *text == '\n' && line_ends == LINE_ENDS_KEPT
                                ? (text++, "\n")
                                : plain_char(buf, &text, &width);
        size_t len = strlen(shown);
        memcpy(chunk + used, shown, len);
        used += len;
        assert(used < sizeof chunk);
        if (used < sizeof chunk - PLAIN_CHAR_SIZE && *text)
            continue;
        chunk[used] = '\0';
        write_escaped(h, chunk);
        used = 0;
    }
}

void html_attr_long(Html *h, const char *name, const char *value)
{
    record_failure(h, xmlTextWriterStartAttribute(h->w, BAD_CAST name));
    put_plain(h, value, LINE_ENDS_SHOWN);
    record_failure(h, xmlTextWriterEndAttribute(h->w));
}

static void put_attributes(Html *h, va_list ap)
{
    for (const char *name; (name = va_arg(ap, const char *));)
        html_attr_long(h, name, va_arg(ap, const char *));
}

static void start_element(Html *h, const char *tag)
{
    record_failure(h, xmlTextWriterStartElement(h->w, BAD_CAST tag));
    h->depth++;
    if (!strcmp(tag, "svg") && !h->svg_depth)
        h->svg_depth = h->depth;
}

void html_open(Html *h, const char *tag, ...)
{
    va_list ap;
    va_start(ap, tag);
    start_element(h, tag);
    put_attributes(h, ap);
    va_end(ap);
}

void html_attr(Html *h, const char *name, const char *fmt, ...)
{
    char value[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(value, sizeof value, fmt, ap);
    va_end(ap);
    html_attr_long(h, name, value);
}

void html_text(Html *h, const char *text)
{
    put_plain(h, text, LINE_ENDS_KEPT);
}

void html_textf(Html *h, const char *fmt, ...)
{
    char text[2048];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    html_text(h, text);
}

void html_name(Html *h, const char *name, size_t columns)
{
    Plain shown;
    html_text(h, plain(&shown, name, columns));
}

void html_raw(Html *h, const char *text, size_t len)
{
    record_failure(h, xmlTextWriterWriteRawLen(h->w, BAD_CAST text, (int)len));
}

void html_close(Html *h)
{
    assert(h->depth > 0);
    bool in_svg = h->svg_depth && h->depth > h->svg_depth;
    record_failure(h, in_svg ? xmlTextWriterEndElement(h->w) : xmlTextWriterFullEndElement(h->w));
    if (h->depth == h->svg_depth)
        h->svg_depth = 0;
    h->depth--;
}

void html_leaf(Html *h, const char *tag, const char *text, ...)
{
    va_list ap;
    va_start(ap, text);
    start_element(h, tag);
    put_attributes(h, ap);
    va_end(ap);
    html_text(h, text);
    html_close(h);
}

/* "<meta charset='utf-8'>": the writer itself would close it as XML does. */
void html_void(Html *h, const char *tag, ...)
{
    va_list ap;
    va_start(ap, tag);
    record_failure(h, xmlTextWriterWriteFormatRaw(h->w, "<%s", tag));
    for (const char *name; (name = va_arg(ap, const char *));) {
        record_failure(h, xmlTextWriterWriteFormatRaw(h->w, " %s=\"", name));
        write_escaped(h, va_arg(ap, const char *));
        record_failure(h, xmlTextWriterWriteRaw(h->w, BAD_CAST "\""));
    }
    record_failure(h, xmlTextWriterWriteRaw(h->w, BAD_CAST ">"));
    va_end(ap);
}

char *html_base64(Arena *a, const void *data, size_t size)
{
    size_t length = BASE64_ENCODE_RAW_LENGTH(size);
    char *text = ARENA_ARRAY(a, char, length + 1);
    base64_encode_raw(text, size, data);
    return text;
}
