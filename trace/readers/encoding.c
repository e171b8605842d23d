/* Guesses the encoding of names that are not UTF-8, by the double bytes that texts in it have. */
#include "trace/readers/encoding.h"

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
