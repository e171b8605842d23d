/* Implements the table of valid byte sequences of the Unicode standard, and those of other
 * encodings. */
#include "trace/readers/utf8.h"

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

/* ---- what is not UTF-8 ---- */

/* Characters that prose is made of: of KS X 1001 its syllables, of JIS X 0208 its kana, of GBK the
 * characters of the first level, which lie above those syllables as often as among them. */
static const struct {
    Encoding encoding;
    unsigned first, last; /* lead bytes */
    unsigned low, high;   /* second bytes */
} range[] = {
    {ENCODING_CP949, 0xb0, 0xc8, 0xa1, 0xfe},     {ENCODING_SHIFT_JIS, 0x82, 0x82, 0x9f, 0xf1},
    {ENCODING_SHIFT_JIS, 0x83, 0x83, 0x40, 0x96}, {ENCODING_GBK, 0xc9, 0xd7, 0xa1, 0xfe},
    {ENCODING_GBK, 0xb0, 0xc8, 0x40, 0xa0},
};

void encoding_see(EncodingVotes *v, const char *p, size_t n)
{
    for (size_t i = 0; i + 1 < n; i++) {
        unsigned lead = (unsigned char)p[i], second = (unsigned char)p[i + 1];
        if (lead < 0x80)
            continue;
        for (size_t k = 0; k < sizeof range / sizeof *range; k++)
            if (lead >= range[k].first && lead <= range[k].last && second >= range[k].low &&
                second <= range[k].high)
                v->of[range[k].encoding]++;
        v->pairs++;
        i++;
    }
}

const char *encoding_likely(const EncodingVotes *v)
{
    static const char *const name[] = {"CP949", "SHIFT_JIS", "GBK"};
    static_assert(sizeof name / sizeof *name == ENCODING_COUNT, "a name for each encoding");
    if (4 * v->of[ENCODING_SHIFT_JIS] >= v->pairs && v->pairs)
        return name[ENCODING_SHIFT_JIS];
    if (8 * v->of[ENCODING_GBK] >= v->pairs && v->pairs)
        return v->of[ENCODING_GBK] + v->of[ENCODING_CP949] == v->pairs ? name[ENCODING_GBK] : NULL;
    return v->of[ENCODING_CP949] && v->of[ENCODING_CP949] == v->pairs ? name[ENCODING_CP949] : NULL;
}
