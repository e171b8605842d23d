/* Implements a pushdown automaton with one function per state. */
#include "trace/readers/json_check.h"

enum { VALUE, FIRST_VALUE, KEY, FIRST_KEY, COLON, AFTER, STRING, ESCAPE, HEX, WORD, NUMBER };

/* Within NUMBER.  What follows the last complete part decides where it may end. */
enum { MINUS, ZERO, INTEGER, DOT, FRACTION, EXPONENT, EXPONENT_SIGN, EXPONENT_DIGITS, NOWHERE };
static const bool may_end[] = {[ZERO] = true,
                               [INTEGER] = true,
                               [FRACTION] = true,
                               [EXPONENT_DIGITS] = true,
                               [NOWHERE] = false};
static const struct {
    uint8_t zero, digit, dot, exponent, sign;
} number_step[] = {
    [MINUS] = {ZERO, INTEGER, NOWHERE, NOWHERE, NOWHERE},
    [ZERO] = {NOWHERE, NOWHERE, DOT, EXPONENT, NOWHERE},
    [INTEGER] = {INTEGER, INTEGER, DOT, EXPONENT, NOWHERE},
    [DOT] = {FRACTION, FRACTION, NOWHERE, NOWHERE, NOWHERE},
    [FRACTION] = {FRACTION, FRACTION, NOWHERE, EXPONENT, NOWHERE},
    [EXPONENT] = {EXPONENT_DIGITS, EXPONENT_DIGITS, NOWHERE, NOWHERE, EXPONENT_SIGN},
    [EXPONENT_SIGN] = {EXPONENT_DIGITS, EXPONENT_DIGITS, NOWHERE, NOWHERE, NOWHERE},
    [EXPONENT_DIGITS] = {EXPONENT_DIGITS, EXPONENT_DIGITS, NOWHERE, NOWHERE, NOWHERE},
};

static bool in_object(const JsonCheck *c)
{
    uint32_t top = c->depth - 1;
    return c->depth > 0 && (c->is_object[top / 64] >> (top % 64) & 1);
}

static const char *open_level(JsonCheck *c, bool object)
{
    if (c->depth == CHECK_MAX_DEPTH)
        return "nested too deeply";
    uint64_t bit = UINT64_C(1) << (c->depth % 64);
    if (object)
        c->is_object[c->depth / 64] |= bit;
    else
        c->is_object[c->depth / 64] &= ~bit;
    c->depth++;
    c->state = object ? FIRST_KEY : FIRST_VALUE;
    return NULL;
}

static const char *close_level(JsonCheck *c, bool object)
{
    if (c->depth == 0 || in_object(c) != object)
        return "a bracket that closes nothing";
    c->depth--;
    c->state = AFTER;
    return NULL;
}

static const char *begin_string(JsonCheck *c, bool is_key)
{
    c->state = STRING;
    c->is_key = is_key;
    return NULL;
}

static const char *begin_number(JsonCheck *c, unsigned char b)
{
    c->state = NUMBER;
    c->number = b == '-' ? MINUS : b == '0' ? ZERO : INTEGER;
    return NULL;
}

static const char *on_value(JsonCheck *c, unsigned char b)
{
    if (b == '"')
        return begin_string(c, false);
    if (b == '{' || b == '[')
        return open_level(c, b == '{');
    if (b == '-' || (b >= '0' && b <= '9'))
        return begin_number(c, b);
    c->word = b == 't' ? "rue" : b == 'f' ? "alse" : b == 'n' ? "ull" : NULL;
    if (!c->word)
        return "a value should begin here";
    c->state = WORD;
    return NULL;
}

static const char *on_first_value(JsonCheck *c, unsigned char b)
{
    return b == ']' ? close_level(c, false) : on_value(c, b);
}

static const char *on_key(JsonCheck *c, unsigned char b)
{
    return b == '"' ? begin_string(c, true) : "a key in quotes should begin here";
}

static const char *on_first_key(JsonCheck *c, unsigned char b)
{
    return b == '}' ? close_level(c, true) : on_key(c, b);
}

static const char *on_colon(JsonCheck *c, unsigned char b)
{
    c->state = VALUE;
    return b == ':' ? NULL : "':' should come here";
}

static const char *on_after(JsonCheck *c, unsigned char b)
{
    if (b == '}' || b == ']')
        return close_level(c, b == '}');
    if (c->depth == 0)
        return "more follows the value";
    c->state = in_object(c) ? KEY : VALUE;
    return b == ',' ? NULL : "',' or the end of the array or object should come here";
}

static const char *on_utf8(JsonCheck *c, unsigned char b)
{
    if (c->utf8_left > 0) {
        bool fits = b >= c->utf8_low && b <= c->utf8_high;
        c->utf8_left--;
        c->utf8_low = 0x80;
        c->utf8_high = 0xbf;
        return fits ? NULL : "invalid UTF-8";
    }
    if (b < 0xc2 || b > 0xf4)
        return "invalid UTF-8";
    c->utf8_left = b < 0xe0 ? 1 : b < 0xf0 ? 2 : 3;
    c->utf8_low = b == 0xe0 ? 0xa0 : b == 0xf0 ? 0x90 : 0x80;
    c->utf8_high = b == 0xed ? 0x9f : b == 0xf4 ? 0x8f : 0xbf;
    return NULL;
}

static const char *on_string(JsonCheck *c, unsigned char b)
{
    if (b > 0x7f || c->utf8_left > 0)
        return on_utf8(c, b);
    if (b < ' ')
        return "a control character inside a string";
    if (b == '\\')
        c->state = ESCAPE;
    if (b == '"')
        c->state = c->is_key ? COLON : AFTER;
    return NULL;
}

static const char *on_escape(JsonCheck *c, unsigned char b)
{
    c->state = b == 'u' ? HEX : STRING;
    c->hex_left = 4;
    return b && strchr("\"\\/bfnrtu", b) ? NULL : "an escape that JSON does not have";
}

static const char *on_hex(JsonCheck *c, unsigned char b)
{
    if (--c->hex_left == 0)
        c->state = STRING;
    return b && strchr("0123456789abcdefABCDEF", b) ? NULL : "four hex digits should follow \\u";
}

static const char *on_word(JsonCheck *c, unsigned char b)
{
    if (b != (unsigned char)*c->word++)
        return "a word that JSON does not have";
    if (!*c->word)
        c->state = AFTER;
    return NULL;
}

static bool is_space(unsigned char b)
{
    return b == ' ' || b == '\t' || b == '\n' || b == '\r';
}

static const char *on_number(JsonCheck *c, unsigned char b)
{
    uint8_t to = b == '0'               ? number_step[c->number].zero
                 : b >= '1' && b <= '9' ? number_step[c->number].digit
                 : b == '.'             ? number_step[c->number].dot
                 : b == 'e' || b == 'E' ? number_step[c->number].exponent
                 : b == '+' || b == '-' ? number_step[c->number].sign
                                        : (uint8_t)NOWHERE;
    if (to != NOWHERE) {
        c->number = to;
        return NULL;
    }
    if (!may_end[c->number])
        return "not a number";
    c->state = AFTER;
    return is_space(b) ? NULL : on_after(c, b);
}

static const char *(*const on_state[])(JsonCheck *, unsigned char) = {
    [VALUE] = on_value,   [FIRST_VALUE] = on_first_value,
    [KEY] = on_key,       [FIRST_KEY] = on_first_key,
    [COLON] = on_colon,   [AFTER] = on_after,
    [STRING] = on_string, [ESCAPE] = on_escape,
    [HEX] = on_hex,       [WORD] = on_word,
    [NUMBER] = on_number,
};

void json_check_feed(JsonCheck *c, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size && !c->failure; i++) {
        unsigned char b = (unsigned char)bytes[i];
        if (c->state <= AFTER && is_space(b))
            continue;
        const char *failure = on_state[c->state](c, b);
        if (failure) {
            c->failure = failure;
            c->offset += i;
            return;
        }
    }
    if (!c->failure)
        c->offset += size;
}

void json_check_end(JsonCheck *c)
{
    bool complete = c->state == AFTER || (c->state == NUMBER && may_end[c->number]);
    if (!c->failure && (c->depth > 0 || !complete))
        c->failure = "the text ends in the middle";
}
