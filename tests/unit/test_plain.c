/* What a terminal, a page or a log shows of any bytes: the class of every character, decoding, and
 * the cut to a number of columns. */
#include "advisor/message/plain.h"
#include "tests/unit/check.h"

#include <stdlib.h>

/* Ranges of code points in hexadecimal. Widths are those of Unicode 14: East_Asian_Width W and F
 * take two columns; combining marks (Mn, Me) and medial and final letters of Hangul take none. */
static const char two_columns[] =
    "1100..115f 231a..231b 2329..232a 23e9..23ec 23f0 23f3 25fd..25fe 2614..2615 2648..2653 267f "
    "2693 26a1 26aa..26ab 26bd..26be 26c4..26c5 26ce 26d4 26ea 26f2..26f3 26f5 26fa 26fd 2705 "
    "270a..270b 2728 274c 274e 2753..2755 2757 2795..2797 27b0 27bf 2b1b..2b1c 2b50 2b55 "
    "2e80..2e99 2e9b..2ef3 2f00..2fd5 2ff0..2ffb 3000..3029 302e..303e 3041..3096 309b..30ff "
    "3105..312f 3131..318e 3190..31e3 31f0..321e 3220..3247 3250..4dbf 4e00..a48c a490..a4c6 "
    "a960..a97c ac00..d7a3 f900..fa6d fa70..fad9 fe10..fe19 fe30..fe52 fe54..fe66 fe68..fe6b "
    "ff01..ff60 ffe0..ffe6 16fe0..16fe3 16ff0..16ff1 17000..187f7 18800..18cd5 18d00..18d08 "
    "1aff0..1aff3 1aff5..1affb 1affd..1affe 1b000..1b122 1b150..1b152 1b164..1b167 1b170..1b2fb "
    "1f004 1f0cf 1f18e 1f191..1f19a 1f200..1f202 1f210..1f23b 1f240..1f248 1f250..1f251 "
    "1f260..1f265 1f300..1f320 1f32d..1f335 1f337..1f37c 1f37e..1f393 1f3a0..1f3ca 1f3cf..1f3d3 "
    "1f3e0..1f3f0 1f3f4 1f3f8..1f43e 1f440 1f442..1f4fc 1f4ff..1f53d 1f54b..1f54e 1f550..1f567 "
    "1f57a 1f595..1f596 1f5a4 1f5fb..1f64f 1f680..1f6c5 1f6cc 1f6d0..1f6d2 1f6d5..1f6d7 "
    "1f6dd..1f6df 1f6eb..1f6ec 1f6f4..1f6fc 1f7e0..1f7eb 1f7f0 1f90c..1f93a 1f93c..1f945 "
    "1f947..1f9ff 1fa70..1fa74 1fa78..1fa7c 1fa80..1fa86 1fa90..1faac 1fab0..1faba 1fac0..1fac5 "
    "1fad0..1fad9 1fae0..1fae7 1faf0..1faf6 20000..2fffd 30000..3fffd";
static const char no_columns[] =
    "300..36f 483..489 591..5bd 5bf 5c1..5c2 5c4..5c5 5c7 610..61a 64b..65f 670 6d6..6dc "
    "6df..6e4 6e7..6e8 6ea..6ed 711 730..74a 7a6..7b0 7eb..7f3 7fd 816..819 81b..823 825..827 "
    "829..82d 859..85b 898..89f 8ca..8e1 8e3..902 93a 93c 941..948 94d 951..957 962..963 981 9bc "
    "9c1..9c4 9cd 9e2..9e3 9fe a01..a02 a3c a41..a42 a47..a48 a4b..a4d a51 a70..a71 a75 a81..a82 "
    "abc ac1..ac5 ac7..ac8 acd ae2..ae3 afa..aff b01 b3c b3f b41..b44 b4d b55..b56 b62..b63 b82 "
    "bc0 bcd c00 c04 c3c c3e..c40 c46..c48 c4a..c4d c55..c56 c62..c63 c81 cbc cbf cc6 ccc..ccd "
    "ce2..ce3 d00..d01 d3b..d3c d41..d44 d4d d62..d63 d81 dca dd2..dd4 dd6 e31 e34..e3a e47..e4e "
    "eb1 eb4..ebc ec8..ecd f18..f19 f35 f37 f39 f71..f7e f80..f84 f86..f87 f8d..f97 f99..fbc fc6 "
    "102d..1030 1032..1037 1039..103a 103d..103e 1058..1059 105e..1060 1071..1074 1082 "
    "1085..1086 108d 109d 1160..11ff 135d..135f 1712..1714 1732..1733 1752..1753 1772..1773 "
    "17b4..17b5 17b7..17bd 17c6 17c9..17d3 17dd 180b..180d 180f 1885..1886 18a9 1920..1922 "
    "1927..1928 1932 1939..193b 1a17..1a18 1a1b 1a56 1a58..1a5e 1a60 1a62 1a65..1a6c 1a73..1a7c "
    "1a7f 1ab0..1ace 1b00..1b03 1b34 1b36..1b3a 1b3c 1b42 1b6b..1b73 1b80..1b81 1ba2..1ba5 "
    "1ba8..1ba9 1bab..1bad 1be6 1be8..1be9 1bed 1bef..1bf1 1c2c..1c33 1c36..1c37 1cd0..1cd2 "
    "1cd4..1ce0 1ce2..1ce8 1ced 1cf4 1cf8..1cf9 1dc0..1dff 20d0..20f0 2cef..2cf1 2d7f 2de0..2dff "
    "302a..302d 3099..309a a66f..a672 a674..a67d a69e..a69f a6f0..a6f1 a802 a806 a80b a825..a826 "
    "a82c a8c4..a8c5 a8e0..a8f1 a8ff a926..a92d a947..a951 a980..a982 a9b3 a9b6..a9b9 a9bc..a9bd "
    "a9e5 aa29..aa2e aa31..aa32 aa35..aa36 aa43 aa4c aa7c aab0 aab2..aab4 aab7..aab8 aabe..aabf "
    "aac1 aaec..aaed aaf6 abe5 abe8 abed d7b0..d7ff fb1e fe00..fe0f fe20..fe2f 101fd 102e0 "
    "10376..1037a 10a01..10a03 10a05..10a06 10a0c..10a0f 10a38..10a3a 10a3f 10ae5..10ae6 "
    "10d24..10d27 10eab..10eac 10f46..10f50 10f82..10f85 11001 11038..11046 11070 11073..11074 "
    "1107f..11081 110b3..110b6 110b9..110ba 110c2 11100..11102 11127..1112b 1112d..11134 11173 "
    "11180..11181 111b6..111be 111c9..111cc 111cf 1122f..11231 11234 11236..11237 1123e 112df "
    "112e3..112ea 11300..11301 1133b..1133c 11340 11366..1136c 11370..11374 11438..1143f "
    "11442..11444 11446 1145e 114b3..114b8 114ba 114bf..114c0 114c2..114c3 115b2..115b5 "
    "115bc..115bd 115bf..115c0 115dc..115dd 11633..1163a 1163d 1163f..11640 116ab 116ad "
    "116b0..116b5 116b7 1171d..1171f 11722..11725 11727..1172b 1182f..11837 11839..1183a "
    "1193b..1193c 1193e 11943 119d4..119d7 119da..119db 119e0 11a01..11a0a 11a33..11a38 "
    "11a3b..11a3e 11a47 11a51..11a56 11a59..11a5b 11a8a..11a96 11a98..11a99 11c30..11c36 "
    "11c38..11c3d 11c3f 11c92..11ca7 11caa..11cb0 11cb2..11cb3 11cb5..11cb6 11d31..11d36 11d3a "
    "11d3c..11d3d 11d3f..11d45 11d47 11d90..11d91 11d95 11d97 11ef3..11ef4 16af0..16af4 "
    "16b30..16b36 16f4f 16f8f..16f92 16fe4 1bc9d..1bc9e 1cf00..1cf2d 1cf30..1cf46 1d167..1d169 "
    "1d17b..1d182 1d185..1d18b 1d1aa..1d1ad 1d242..1d244 1da00..1da36 1da3b..1da6c 1da75 1da84 "
    "1da9b..1da9f 1daa1..1daaf 1e000..1e006 1e008..1e018 1e01b..1e021 1e023..1e024 1e026..1e02a "
    "1e130..1e136 1e2ae 1e2ec..1e2ef 1e8d0..1e8d6 1e944..1e94a e0100..e01ef";
static const char invisible[] = "1..1f 7f..9f ad 61c 180e 200b..200f 2028..202e 2060..206f feff "
                                "fff9..fffb e0000..e007f";
/* Well-formed, but characters that Unicode never assigns. */
static const char noncharacters[] =
    "fdd0..fdef fffe..ffff 1fffe..1ffff 2fffe..2ffff 3fffe..3ffff 4fffe..4ffff 5fffe..5ffff "
    "6fffe..6ffff 7fffe..7ffff 8fffe..8ffff 9fffe..9ffff afffe..affff bfffe..bffff cfffe..cffff "
    "dfffe..dffff efffe..effff ffffe..fffff 10fffe..10ffff";
/* Surrogates, and numbers after the last character. */
static const char undecodable[] = "d800..dfff 110000..1100ff";

enum { CODE_END = 0x110100 };

static bool is_two_columns(uint32_t c)
{
    return plain_char_width(c) == 2;
}

static bool is_no_columns(uint32_t c)
{
    return plain_char_width(c) == 0;
}

static bool is_decoded(uint32_t c)
{
    char utf8[5];
    const char *s = plain_encode(utf8, c);
    return plain_decode(&s) == c && !*s;
}

static bool is_undecodable(uint32_t c)
{
    return !is_decoded(c);
}

/* What plain_char shows of a character, its columns, and whether it reads all bytes of it. */
typedef struct {
    char text[PLAIN_CHAR_SIZE];
    int width;
    bool whole;
} Shown;

static Shown shown_of(uint32_t c)
{
    Shown shown;
    char utf8[5];
    const char *s = plain_encode(utf8, c);
    plain_char(shown.text, &s, &shown.width);
    shown.whole = !*s;
    return shown;
}

static bool is_replaced(uint32_t c)
{
    return c != 0xfffd && is_decoded(c) && !strcmp(shown_of(c).text, "\uFFFD");
}

/* An escape has digits that give the character back. */
static bool is_escaped(uint32_t c)
{
    Shown shown = shown_of(c);
    const char *letter = c == '\n' ? "\\n" : c == '\t' ? "\\t" : c == '\r' ? "\\r" : NULL;
    size_t digits = c < 0x100 ? 2 : c < 0x10000 ? 4 : 5;
    if (shown.text[0] != '\\' || c == '\\')
        return false;
    bool good = letter ? !strcmp(shown.text, letter)
                       : shown.text[1] == (c < 0x100 ? 'x' : 'u') &&
                             strlen(shown.text + 2) == digits &&
                             strtoul(shown.text + 2, NULL, 16) == c;
    return good && shown.whole && shown.width == (int)strlen(shown.text);
}

/* Every number up to beyond the last character, surrogates as well. */
static void check_ranges(const char *what, bool (*holds)(uint32_t), const char *expected)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (uint32_t c = 1; c < CODE_END; c++) {
        uint32_t first = c;
        if (!holds(c))
            continue;
        while (c + 1 < CODE_END && holds(c + 1))
            c++;
        fprintf(out, c > first ? "%s%x..%x" : "%s%x", ftell(out) ? " " : "", first, c);
    }
    fclose(out);
    check_same(what, text, expected);
    free(text);
}

/* What is not escaped or replaced is shown as it is, in its columns. */
static void unchanged(void)
{
    char utf8[5];
    uint32_t wrong = 0;
    for (uint32_t c = 1; c < CODE_END && !wrong; c++) {
        Shown shown = shown_of(c);
        const char *s = plain_encode(utf8, c);
        if (is_escaped(c))
            continue;
        if (!is_decoded(c)) {
            uint32_t read = plain_decode(&s);
            wrong = read == 0xfffd && s == utf8 + 1 && shown.width == 1 && !shown.whole &&
                            !strcmp(shown.text, "\uFFFD")
                        ? 0
                        : c;
        } else {
            bool good = is_replaced(c) || !strcmp(shown.text, utf8);
            wrong = good && shown.whole && shown.width == plain_char_width(c) ? 0 : c;
        }
    }
    printf("the first code point that is shown wrongly (0: none): %x\n", wrong);
    CHECK(wrong == 0);
}

static void encoded(void)
{
    static const struct {
        uint32_t c;
        const char *utf8;
    } check[] = {{0x7f, "\x7f"},
                 {0x80, "\xc2\x80"},
                 {0x7ff, "\xdf\xbf"},
                 {0x800, "\xe0\xa0\x80"},
                 {0xd55c, "한"},
                 {0xffff, "\xef\xbf\xbf"},
                 {0x10000, "\xf0\x90\x80\x80"},
                 {0x1F600, "\U0001F600"},
                 {0x10ffff, "\xf4\x8f\xbf\xbf"}};
    char utf8[5];
    for (size_t i = 0; i < sizeof check / sizeof *check; i++)
        check_same("encoded", plain_encode(utf8, check[i].c), check[i].utf8);
}

/* Length of the character at `p`, 0 for an ill-formed one: table 3-7 of the Unicode Standard. */
static int well_formed_length(const unsigned char *p)
{
    static const unsigned char row[][4] = {/* lead from, to, second byte from, to */
                                           {0xc2, 0xdf, 0x80, 0xbf}, {0xe0, 0xe0, 0xa0, 0xbf},
                                           {0xe1, 0xec, 0x80, 0xbf}, {0xed, 0xed, 0x80, 0x9f},
                                           {0xee, 0xef, 0x80, 0xbf}, {0xf0, 0xf0, 0x90, 0xbf},
                                           {0xf1, 0xf3, 0x80, 0xbf}, {0xf4, 0xf4, 0x80, 0x8f}};
    if (*p < 0x80)
        return 1;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        int len = *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : 4;
        if (*p < row[i][0] || *p > row[i][1] || p[1] < row[i][2] || p[1] > row[i][3])
            continue;
        for (int k = 2; k < len; k++)
            if (p[k] < 0x80 || p[k] > 0xbf)
                return 0;
        return len;
    }
    return 0;
}

/* Four bytes of every kind: what is ill-formed is one U+FFFD per byte. */
static void bytes(void)
{
    static const unsigned char kind[] = {'a',  '"',  0x1f, 0x20, 0x7e, 0x7f, 0x80, 0xbf,
                                         0xc1, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4,
                                         0xf5, 0x8f, 0x90, 0x9f, 0xa0, 0xff};
    enum { KINDS = sizeof kind };
    size_t wrong = 0;
    Plain p;
    for (size_t i = 0; i < KINDS * KINDS * KINDS * KINDS; i++) {
        char text[5] = "", joined[4 * PLAIN_CHAR_SIZE + 1] = "", shown[PLAIN_CHAR_SIZE];
        for (size_t k = 0, rest = i; k < 4; k++, rest /= KINDS)
            text[k] = (char)kind[rest % KINDS];
        for (const char *s = text; *s;) {
            const char *decoded = s, *end = s;
            int len = well_formed_length((const unsigned char *)s), width;
            bool replaced = plain_decode(&decoded) == 0xfffd;
            strcat(joined, plain_char(shown, &end, &width));
            wrong += decoded - s != (len ? len : 1) || end != decoded || replaced != !len;
            s = end;
        }
        wrong += strcmp(plain(&p, text, 60), joined) != 0;
    }
    CHECK(wrong == 0);
}

static const struct {
    const char *text, *shown;
    size_t width;
} odd[] = {{"", "", 0},
           {"a", "a", 1},
           {"::error file=x::y", "\\::error file=x::y", 17},
           {" ::warning::", "\\ ::warning::", 12},
           {"a ::error", "a ::error", 9},
           {"a\n::error::b", "a\\n::error::b", 13},
           {"##[group]x", "\\x23#[group]x", 13},
           {"a##VSO[b ##x", "a\\x23#VSO[b ##x", 15},
           {"one\ntwo\r\n\tthree\n", "one\\ntwo\\r\\n\\tthree\\n", 21},
           {"a\x1b[31m\x7f\xff\xc3(", "a\\x1b[31m\\x7f\uFFFD\uFFFD(", 16},
           {"\xed\xa0\x80 \xc0\xaf \xf0\x9f", "\uFFFD\uFFFD\uFFFD \uFFFD\uFFFD \uFFFD\uFFFD", 9},
           {"한국어 이름 컨볼루션 한국어 이름", "한국어 이름 컨볼루션 한국어 이름", 32},
           {"e\u0301", "e\u0301", 1},
           {"\U0001F600\uFFFE\uFDD0\uFDCF\uFDEF\uFDF0\U0001FFFF",
            "\U0001F600\uFFFD\uFFFD\uFDCF\uFFFD\uFDF0\uFFFD", 8},
           {"\u202eab\u2028\u00ad\U000E0001", "\\u202eab\\u2028\\xad\\ue0001", 25},
           {"a \" \\ ` <b> & é", "a \" \\ ` <b> & é", 15},
           {"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz",
            "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz", 52}};
enum { ODD = sizeof odd / sizeof *odd };

static void whole_texts(void)
{
    Plain p;
    for (size_t i = 0; i < ODD; i++) {
        check_same("shown", plain(&p, odd[i].text, PLAIN_COLUMNS), odd[i].shown);
        CHECK(plain_width(odd[i].text) == odd[i].width);
    }
}

static void cut_texts(void)
{
    static const char alphabet[] = "abcdefghijklmnopqrstuvwxyz";
    static const char korean[] = "한국어이름컨볼루션";
    static const struct {
        const char *text;
        size_t columns;
        const char *shown;
    } check[] = {{alphabet, 1, "…"},
                 {alphabet, 2, "a…"},
                 {alphabet, 3, "a…z"},
                 {alphabet, 16, "abcdefgh…tuvwxyz"},
                 {alphabet, 17, "abcdefgh…stuvwxyz"},
                 {alphabet, 25, "abcdefghijkl…opqrstuvwxyz"},
                 {alphabet, 26, alphabet},
                 {korean, 18, korean},
                 {korean, 17, "한국어이…컨볼루션"}, /* a column is free on each side */
                 {korean, 16, "한국어이…볼루션"},
                 {korean, 15, "한국어…볼루션"},
                 {"e\u0301abce\u0301", 3, "e\u0301…e\u0301"},
                 {"a\n\n\n\nb", 6, "a\\n…b"},
                 {"a\n\n\n\nb", 5, "a…b"},
                 {"::error file=x::y", 5, "\\::…:y"}};
    Plain p;
    for (size_t i = 0; i < sizeof check / sizeof *check; i++)
        check_same("cut", plain(&p, check[i].text, check[i].columns), check[i].shown);
}

/* At every width that may be asked for: a beginning and an end of the whole text, no more columns,
 * and at most 6 unused on each side, where an escape does not fit. */
static void widths(void)
{
    bool good = true;
    Plain p, whole;
    for (size_t i = 0; i < ODD; i++)
        for (size_t columns = 16; columns <= PLAIN_COLUMNS; columns++) {
            const char *all = plain(&whole, odd[i].text, PLAIN_COLUMNS);
            const char *dots = strstr(plain(&p, odd[i].text, columns), "…");
            if (odd[i].width <= columns) {
                good = good && !strcmp(p.text, all);
                continue;
            }
            const char *end = dots ? dots + strlen("…") : "";
            size_t used = plain_width(p.text) - (p.text[0] == '\\' && p.text[1] == ':');
            good = good && dots && !strncmp(p.text, all, (size_t)(dots - p.text)) &&
                   !strcmp(end, all + strlen(all) - strlen(end)) && used <= columns &&
                   used + 12 >= columns;
        }
    CHECK(good);
}

/* Thousands of marks or escapes are bounded by bytes as well. */
static void long_texts(void)
{
    Plain p;
    char *marks = calloc(1, 20001);
    for (int i = 0; i < 10000; i++)
        memcpy(marks + 2 * i, "\u0301", 2);
    plain(&p, marks, 40);
    CHECK(strlen(p.text) == 2882);
    memset(marks, 1, 20000);
    CHECK(plain_width(marks) == 80000 && strlen(plain(&p, marks, PLAIN_COLUMNS)) == 239);
    free(marks);
}

int main(void)
{
    check_ranges("two columns", is_two_columns, two_columns);
    check_ranges("no columns", is_no_columns, no_columns);
    check_ranges("invisible", plain_is_invisible, invisible);
    check_ranges("escaped", is_escaped, invisible);
    check_ranges("replaced", is_replaced, noncharacters);
    check_ranges("undecodable", is_undecodable, undecodable);
    CHECK(plain_is_invisible(0));
    unchanged();
    encoded();
    bytes();
    whole_texts();
    cut_texts();
    widths();
    long_texts();
    return check_failures() ? 1 : 0;
}
