/* Escapes text and formats numbers without printf. */
#include "trace/write/emit.h"

#include "trace/readers/utf8.h"
#include "graph/base/log_command.h"

void emit_flush(Emit *e)
{
    fwrite(e->buffer, 1, e->used, e->stream);
    e->flushed += e->used;
    e->used = 0;
}

void emit_bytes(Emit *e, const char *text, size_t len)
{
    if (len > sizeof e->buffer - e->used) {
        emit_flush(e);
        if (len > sizeof e->buffer) {
            fwrite(text, 1, len, e->stream);
            e->flushed += len;
            return;
        }
    }
    assert(len <= sizeof e->buffer - e->used);
    memcpy(e->buffer + e->used, text, len);
    e->used += len;
}

void emit_text(Emit *e, const char *text)
{
    emit_bytes(e, text, strlen(text));
}

/* Digits of value, at least `least`, ending before `end`; returns their begin. */
static char *digits_before(char *end, uint64_t value, int least)
{
    while (value > 0 || least > 0) {
        *--end = (char)('0' + value % 10);
        value /= 10;
        least--;
    }
    return end;
}

static uint64_t magnitude(int64_t value)
{
    return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

void emit_int(Emit *e, int64_t value)
{
    char text[24], *end = text + sizeof text, *p = digits_before(end, magnitude(value), 1);
    if (value < 0)
        *--p = '-';
    emit_bytes(e, p, (size_t)(end - p));
}

void emit_microseconds(Emit *e, int64_t ns)
{
    char text[28], *end = text + sizeof text;
    char *p = digits_before(end, magnitude(ns) % 1000, 3);
    *--p = '.';
    p = digits_before(p, magnitude(ns) / 1000, 1);
    if (ns < 0)
        *--p = '-';
    emit_bytes(e, p, (size_t)(end - p));
}

void emit_microseconds_short(Emit *e, int64_t ns, int tenths)
{
    int64_t whole = ns > 0 ? ns - 1 : 0;
    emit_microseconds(e, whole);
    emit_bytes(e, (char[]){(char)('0' + (ns > 0 ? 10 - tenths : 1))}, 1);
}

void emit_hex(Emit *e, uint64_t value, int digits)
{
    char text[16];
    assert(digits > 0 && (size_t)digits <= sizeof text);
    for (int i = digits; i-- > 0; value >>= 4)
        text[i] = "0123456789abcdef"[value & 15];
    emit_bytes(e, text, (size_t)digits);
}

static void emit_escaped(Emit *e, unsigned char c)
{
    static const char shorthand[] = "\"\"\\\\\bb\ff\nn\rr\tt";
    for (const char *s = shorthand; *s; s += 2)
        if ((unsigned char)*s == c) {
            emit_bytes(e, (char[]){'\\', s[1]}, 2);
            return;
        }
    EMIT(e, "\\u00");
    emit_hex(e, c, 2);
}

void emit_string(Emit *e, const char *text)
{
    size_t len = strlen(text);
    EMIT(e, "\"");
    for (size_t i = 0; i < len;) {
        size_t plain = i;
        while (plain < len && (unsigned char)text[plain] >= ' ' &&
               (unsigned char)text[plain] < 0x7f && text[plain] != '"' && text[plain] != '\\' &&
               !log_command_at(text + plain))
            plain++;
        emit_bytes(e, text + i, plain - i);
        if ((i = plain) == len)
            break;
        size_t sequence = utf8_sequence(text + i, len - i);
        if (sequence == 1)
            emit_escaped(e, (unsigned char)text[i]);
        else if (sequence == 0)
            EMIT(e, "\xef\xbf\xbd");
        else
            emit_bytes(e, text + i, sequence);
        i += sequence ? sequence : 1;
    }
    EMIT(e, "\"");
}
