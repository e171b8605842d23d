/* Whatever bytes, figures and trees: what is shown of them, as the digest of all of it, and the
 * limits one by one. */
#include "advisor/message/figure.h"
#include "advisor/message/json.h"
#include "advisor/message/markdown.h"
#include "advisor/message/phrase.h"
#include "advisor/message/plain.h"
#include "graph/base/suggest.h"
#include "tests/unit/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t sum(uint64_t h, const char *text)
{
    do
        h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    while (*text++);
    return h;
}

static void same_sum(const char *what, uint64_t found, uint64_t expected)
{
    printf("%s %s: %016llx\n", found == expected ? "ok" : "FAILED", what,
           (unsigned long long)found);
    check_failed += found != expected;
}

static void same(const char *what, const char *found, const char *expected)
{
    int good = !strcmp(found, expected);
    printf("%s %s: '%s'\n", good ? "ok" : "FAILED", what, found);
    check_failed += !good;
}

/* Every number up to beyond the last character, surrogates as well. */
static void characters(void)
{
    uint64_t shown = 0, widths = 0, decoded = 0;
    for (uint32_t c = 1; c < 0x110100; c++) {
        char utf8[5], buf[PLAIN_CHAR_SIZE], text[64];
        const char *s = plain_encode(utf8, c), *at = s;
        int width;
        shown = sum(shown, plain_char(buf, &at, &width));
        snprintf(text, sizeof text, "%d %d %d %d", width, plain_char_width(c),
                 plain_is_invisible(c), (int)(at - s));
        widths = sum(widths, text);
        snprintf(text, sizeof text, "%x", (unsigned)plain_decode(&s));
        decoded = sum(decoded, text);
    }
    same_sum("shown", shown, UINT64_C(0x763bf4fe1fbca052));
    same_sum("widths", widths, UINT64_C(0xefc4ab6f1b09d613));
    same_sum("decoded", decoded, UINT64_C(0x7a931a513b0b1c5a));
}

/* Two and three bytes of every kind. */
static void bytes(void)
{
    static const unsigned char kind[] = {'a',  '"',  0x1f, 0x20, 0x7e, 0x7f, 0x80, 0xbf,
                                         0xc1, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4,
                                         0xf5, 0x8f, 0x90, 0x9f, 0xa0, 0xff};
    uint64_t h = 0;
    Plain p;
    for (size_t i = 0; i < sizeof kind; i++)
        for (size_t j = 0; j < sizeof kind; j++)
            for (size_t k = 0; k < sizeof kind; k++) {
                char text[] = {(char)kind[i], (char)kind[j], (char)kind[k], (char)kind[j], '\0'};
                h = sum(h, plain(&p, text, 40));
            }
    same_sum("bytes", h, UINT64_C(0x535bf002cec29d02));
}

static const char *const odd[] = {
    "",
    "a",
    "::error file=x::y",
    "##[group]x",
    " ::warning::",
    "a\n::error::b",
    "a `b` ``c``` | <d> & *e* _f_ ~g~ [h](i) \\ #j",
    "one\ntwo\r\n\tthree\n",
    "```\nfenced\n````\n",
    "\x1b[31m\x7f\xff\xc3(",
    "한국어 이름 컨볼루션 한국어 이름",
    "\U0001F600\uFFFE\uFDD0\uFDCF\uFDEF\uFDF0\U0001FFFF\u202e",
    "a quotation \" a backslash \\ and \u2028 and \U000E0001 and \U000E007F",
    "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"};
enum { ODD = sizeof odd / sizeof *odd };

/* At every width that may be asked for: as many columns, never more. */
static void widths(void)
{
    uint64_t h = 0;
    bool fits = true;
    Plain p;
    for (size_t i = 0; i < ODD; i++)
        for (size_t columns = 16; columns <= PLAIN_COLUMNS; columns++) {
            h = sum(h, plain(&p, odd[i], columns));
            fits = fits && (plain_width(odd[i]) > columns || !strstr(p.text, "…"));
        }
    same_sum("at every width", h, UINT64_C(0x90c75d078afb41ba));
    CHECK(fits);
    char *marks = calloc(1, 20001);
    for (int i = 0; i < 10000; i++)
        memcpy(marks + 2 * i, "\u0301", 2);
    plain(&p, marks, 40);
    CHECK(strlen(p.text) == 2882);
    memset(marks, 1, 20000);
    CHECK(plain_width(marks) == 80000 && strlen(plain(&p, marks, PLAIN_COLUMNS)) == 239);
    free(marks);
}

typedef void Writer(FILE *out, const char *s);

static void written(const char *what, Writer *w, uint64_t expected)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (size_t i = 0; i < ODD; i++) {
        w(out, odd[i]);
        fputs("\n--\n", out);
    }
    fclose(out);
    same_sum(what, sum(0, text), expected);
    free(text);
}

static void string_of_json(FILE *out, const char *s)
{
    cJSON *tree = cJSON_CreateObject();
    cJSON *list = cJSON_AddArrayToObject(tree, s);
    json_add_text(tree, "text", s);
    json_add_text(tree, "none", NULL);
    json_add_number(tree, "inf", INFINITY);
    json_add_number(tree, "half", -0.5);
    json_add_texts(tree, "all", odd, 3);
    json_add_texts(tree, "nothing", odd, 0);
    cJSON_AddItemToObject(tree, "ids", json_ids((uint32_t[]){0, 7, UINT32_MAX}, 3));
    cJSON_AddItemToArray(list, cJSON_CreateTrue());
    cJSON_AddItemToArray(list, cJSON_CreateArray());
    cJSON_AddItemToArray(list, cJSON_CreateObject());
    cJSON_AddItemToArray(list, cJSON_CreateFalse());
    json_print(out, tree);
    json_print_part(out, tree);
    json_print_line(out, list);
    cJSON_Delete(tree);
}

/* As deep as cJSON reads, one more is null. */
static void depth(void)
{
    char *text;
    size_t size;
    for (int levels = 999; levels <= 1002; levels++) {
        cJSON *tree = cJSON_CreateArray(), *at = tree;
        for (int i = 1; i < levels; i++) {
            cJSON *in = cJSON_CreateArray();
            cJSON_AddItemToArray(at, in);
            at = in;
        }
        FILE *out = open_memstream(&text, &size);
        json_print_line(out, tree);
        fclose(out);
        CHECK(size == 2 * (size_t)(levels < 1000 ? levels : 1000) + (levels > 1000 ? 4 : 0) + 1);
        CHECK((strstr(text, "null") != NULL) == (levels > 1000));
        free(text);
        cJSON_Delete(tree);
    }
}

static void lookups(void)
{
    cJSON *o =
        cJSON_Parse("{\"a\": {\"b\": {\"c\": 7, \"cc\": \"x\"}, \"\": 3}, \"ab\": [1, 2, 3], "
                    "\"big\": 1e999, \"text\": \"7\", \"none\": null}");
    double v = -1;
    CHECK(json_number(o, "a.b.c", &v) && v == 7);
    CHECK(!json_number(o, "a.b", &v) && !json_number(o, "a.b.cc", &v) &&
          !json_number(o, "text", &v));
    CHECK(!json_number(o, "big", &v) && !json_number(NULL, "a", &v) &&
          !json_number(o, "a.b.c.d", &v) && v == 7);
    CHECK(json_number_or(o, "a.b.c", 1) == 7 && json_number_or(o, "a.b.x", 1) == 1);
    CHECK(json_count(o, "ab") == 3 && json_count(o, "") == 5 && json_count(o, "nothing") == 0 &&
          json_count(o, "text") == 0);
    CHECK(json_at(o, "") == o && !json_at(o, "abc") && !json_at(o, "ab.0") &&
          cJSON_IsNull(json_at(o, "none")));
    same("text", json_text(o, "a.b.cc", "?"), "x");
    same("no text", json_text(o, "a.b.c", "?"), "?");
    CHECK(!json_is_whole_result(o) && !json_is_whole_result(NULL));
    cJSON_Delete(o);
}

/* What is parsed, and why not. */
static void parsed(void)
{
    static const struct {
        const char *text, *why;
    } check[] = {
        {"", "is empty"},
        {"{}", "no schema_version 1"},
        {"{} x", "line 1 "},
        {"{}\n\n}", "line 1 "},
        {"{\n\"a\": [1,\n2,,\n]}", "line 3 "},
        {"{\"schema_version\": 2}", "no schema_version 1"},
        {"{\"schema_version\": 1, \"tool\": {}}", "no model"},
        {"{\"schema_version\": 1, \"tool\": {}, \"model\": {}, \"prediction\": 1}",
         "no prediction"},
        {"{\"schema_version\": 1, \"tool\": {}, \"model\": [], \"compiled\": {}}", "no steps"},
        {"{\"schema_version\": 1, \"tool\": {}, \"model\": {}, \"prediction\": {}, \"steps\": [], "
         "\"evidence\": {}, "
         "\"coverage\": {}, \"gate\": {}, \"recommendations\": []}",
         "no options"},
        {"{\"schema_version\": 1, \"tool\": {}, \"model\": {}, \"prediction\": {}, \"steps\": [], "
         "\"evidence\": {}, "
         "\"coverage\": {}, \"gate\": {}, \"recommendations\": [], \"options\": {}} \t\r\n",
         NULL}};
    for (size_t i = 0; i < sizeof check / sizeof *check; i++) {
        cJSON *tree = NULL;
        Diag diag = {0};
        Status st = json_parse_result("r.json", check[i].text, strlen(check[i].text), &tree, &diag);
        bool good = check[i].why ? st == STATUS_INPUT && !tree && strstr(diag.text, check[i].why)
                                 : st == STATUS_OK && json_is_whole_result(tree);
        printf("%s parsed: %s\n", good ? "ok" : "FAILED", st ? diag.text : "a result");
        check_failed += !good;
        cJSON_Delete(tree);
    }
}

/* As it is written, not as a libm computes it. */
static double ten(int power)
{
    char text[16];
    snprintf(text, sizeof text, "1e%d", power);
    return strtod(text, NULL);
}

static void figures(void)
{
    static const double at[] = {0.5,    0.94999, 0.95,   0.99949, 0.9995, 0.99951, 1,
                                1.0049, 9.9949,  9.995,  9.9951,  10,     99.949,  99.95,
                                99.951, 100,     999.49, 999.5,   999.51, 1023.4};
    uint64_t h = 0, intervals = 0;
    Figure f;
    for (int power = -6; power <= 18; power++)
        for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
            double v = at[i] * ten(power);
            h = sum(sum(sum(h, figure_time(&f, v)), figure_rate(&f, v)), figure_count(&f, -v));
            h = sum(sum(h, figure_bytes(&f, v)), figure_bytes(&f, at[i] * ldexp(1, 10 * power)));
            h = sum(sum(h, figure_share(&f, v)), figure_value(&f, -v, power % 2 ? "ns" : "per_s"));
            for (int wide = -3; wide <= 6; wide++)
                for (int zero = 0; zero < 2; zero++) {
                    double mid = zero ? 0 : v;
                    intervals = sum(intervals, figure_interval(&f, mid - at[i] * ten(wide), mid,
                                                               mid + 3 * v, "ns"));
                    intervals = sum(intervals, figure_interval(&f, -v, mid, v * ten(wide),
                                                               wide % 2 ? "ns" : "per_s"));
                }
        }
    same_sum("figures", h, UINT64_C(0x36f0a8a27530b6f4));
    same_sum("intervals", intervals, UINT64_C(0x521857be485e3ced));
    static const struct {
        const char *text, *shown;
    } json[] = {{"{\"lo\": 1, \"mid\": 2000, \"hi\": 3000}", "2.00 µs [0.00 3.00]"},
                {"{\"lo\": 1000, \"median\": 2000, \"hi\": 3000}", "2.00 µs [1.00 3.00]"},
                {"{\"mid\": 2000, \"hi\": 3000}", "2.00 µs"},
                {"{\"lo\": 1, \"mid\": 2000}", "2.00 µs"},
                {"{\"lo\": 1, \"hi\": 2000}", "unknown"},
                {"[]", "unknown"}};
    for (size_t i = 0; i < sizeof json / sizeof *json; i++) {
        cJSON *o = cJSON_Parse(json[i].text);
        same("figure of JSON", figure_json(&f, o, "ns"), json[i].shown);
        cJSON_Delete(o);
    }
}

static void phrases(void)
{
    Phrase p;
    same("one", phrase_format(&p, NULL, PHRASE_PLACES, "1", NULL), "1 place");
    same("many", phrase_format(&p, NULL, PHRASE_PLACES, "11", NULL), "11 places");
    same("none given", phrase_format(&p, NULL, PHRASE_HEAD_ACTIONS, NULL), ", and ");
    same("braces given", phrase_format(&p, NULL, PHRASE_HEAD_ACTIONS, "{1}", "{0|a|b}", NULL),
         "{1}, and {0|a|b}");
    same("known", phrase_by_key(NULL, "VERDICT_", "no-gain"),
         phrase_text(NULL, PHRASE_VERDICT_NO_GAIN));
    same("a beginning", phrase_by_key(NULL, "VERDICT_", "no-gai"), "no-gai");
    same("longer", phrase_by_key(NULL, "VERDICT_", "no-gains"), "no-gains");
    same("empty", phrase_by_key(NULL, "VERDICT_", ""), "");
    char text[1400];
    for (size_t n = 1188; n <= 1200; n++) { /* a character of three bytes at the end of the room */
        memset(text, 'x', n);
        memcpy(text + n, "한국", sizeof "한국");
        phrase_format(&p, NULL, PHRASE_HEAD_ACTIONS, text, "", NULL);
        size_t whole = n > 1199 ? 1199 : n + 6 <= 1199 ? n + 6 : n + 3 <= 1199 ? n + 3 : n;
        size_t rest = 1199 - whole < 6 ? 1199 - whole : 6; /* of ", and " */
        CHECK(strlen(p.text) == whole + rest);
    }
}

static void nearest(void)
{
    static const char *const word[] = {"latency", "sizes", "four", "FORMAT", "throughput"};
    static const struct {
        const char *typed, *meant;
    } check[] = {{"latency", "latency"}, {"latancy", "latency"},
                 {"latnacy", "latency"}, {"ltnacy", NULL},
                 {"siezs", "sizes"},     {"sixty", NULL},
                 {"sze", NULL},          {"size", "sizes"},
                 {"foru", NULL},         {"fuor", NULL},
                 {"for", "four"},        {"format", "FORMAT"},
                 {"formot", "FORMAT"},   {"", NULL},
                 {"thruput", NULL}};
    for (size_t i = 0; i < sizeof check / sizeof *check; i++) {
        const char *found = suggest_nearest(check[i].typed, word, 5);
        same(check[i].typed, found ? found : "-", check[i].meant ? check[i].meant : "-");
    }
    char a[48], b[48];
    memset(a, 'a', sizeof a);
    memset(b, 'b', sizeof b);
    a[40] = b[39] = '\0';
    CHECK(suggest_edit_distance(a, b) == 40 && suggest_edit_distance(a, "aa") == 38 &&
          suggest_edit_distance("", "") == 0);
    a[40] = 'a';
    a[41] = '\0';
    CHECK(suggest_edit_distance(a, a) == 40 && suggest_edit_distance("", a) == 40 &&
          suggest_edit_distance(a, "") == 40);
    CHECK(suggest_edit_distance("kitten", "sitting") == 3 &&
          suggest_edit_distance("abc", "cab") == 2);
}

int main(void)
{
    characters();
    bytes();
    widths();
    written("markdown text", markdown_text, UINT64_C(0xe6f8689cb93a5705));
    written("markdown code", markdown_code, UINT64_C(0xfc060412f9640f06));
    written("markdown block", markdown_block, UINT64_C(0x05c8f95b5f428631));
    written("JSON", string_of_json, UINT64_C(0xd161c5eb9c8825d8));
    depth();
    lookups();
    parsed();
    figures();
    phrases();
    nearest();
    return check_failures() ? 1 : 0;
}
