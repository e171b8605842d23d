/* Implements the table of valid byte sequences of the Unicode standard. */
#include "trace/readers/utf8.h"

#include <stdint.h>

/* Lead byte range, length, and the range of the second byte, which rules out overlong forms,
 * surrogates and the end of the code space (Unicode, table 3-7). */
static const struct {
    uint8_t first, last, length, low, high;
} form[] = {
    {0x00, 0x7f, 1, 0, 0},       {0xc2, 0xdf, 2, 0x80, 0xbf}, {0xe0, 0xe0, 3, 0xa0, 0xbf},
    {0xe1, 0xec, 3, 0x80, 0xbf}, {0xed, 0xed, 3, 0x80, 0x9f}, {0xee, 0xef, 3, 0x80, 0xbf},
    {0xf0, 0xf0, 4, 0x90, 0xbf}, {0xf1, 0xf3, 4, 0x80, 0xbf}, {0xf4, 0xf4, 4, 0x80, 0x8f},
};

size_t utf8_sequence(const char *p, size_t n)
{
    const uint8_t *b = (const uint8_t *)p;
    for (size_t f = 0; f < sizeof form / sizeof *form; f++) {
        if (b[0] < form[f].first || b[0] > form[f].last)
            continue;
        size_t length = form[f].length;
        if (length > n)
            return 0;
        if (length > 1 && (b[1] < form[f].low || b[1] > form[f].high))
            return 0;
        for (size_t i = 2; i < length; i++)
            if ((b[i] & 0xc0) != 0x80)
                return 0;
        return length;
    }
    return 0;
}
