/* Figures and shown text: units change where the rounded value does, widths are a terminal's. */
#include "advisor/message/figure.h"
#include "advisor/message/json.h"
#include "advisor/message/plain.h"

#include <math.h>
#include <string.h>

static int failed;

static void same(const char *what, const char *found, const char *expected)
{
    int ok = !strcmp(found, expected);
    printf("%s %s: '%s'\n", ok ? "ok" : "FAILED", what, found);
    if (!ok)
        printf("  expected '%s'\n", expected);
    failed += !ok;
}

static void number(const char *what, size_t found, size_t expected)
{
    printf("%s %s: %zu\n", found == expected ? "ok" : "FAILED", what, found);
    failed += found != expected;
}

static void times(void)
{
    static const struct {
        double ns;
        const char *text;
    } check[] = {
        {0, "0 ns"},        {1, "1 ns"},        {999, "999 ns"},        {999.4, "999 ns"},
        {999.6, "1.00 µs"}, {1000, "1.00 µs"},  {14949, "14.9 µs"},     {99949, "99.9 µs"},
        {99951, "100 µs"},  {999499, "999 µs"}, {999600, "1.00 ms"},    {16910400, "16.9 ms"},
        {1e9, "1.00 s"},    {3.6e12, "3600 s"}, {-1310000, "-1.31 ms"}, {0.25, "0.250 ns"}};
    Figure f;
    for (size_t i = 0; i < sizeof check / sizeof *check; i++)
        same("time", figure_time(&f, check[i].ns), check[i].text);
}

/* A number of JSON: whole ones up to 2^53 digit by digit, others by the fewest digits that are read
 * back as the same. */
static void json_numbers(void)
{
    static const struct {
        double v;
        const char *text;
    } check[] = {{9007199254740991.0, "9007199254740991"},
                 {-9007199254740991.0, "-9007199254740991"},
                 {9007199254740992.0, "9007199254740992"},
                 {1e16, "1e+16"},
                 {-3, "-3"},
                 {0.1, "0.1"},
                 {1.0 / 3, "0.3333333333333333"},
                 {123456.5, "123456.5"},
                 {NAN, "null"},
                 {-INFINITY, "null"}};
    char text[40];
    for (size_t i = 0; i < sizeof check / sizeof *check; i++)
        same("number of JSON", json_number_text(text, check[i].v), check[i].text);
}

static void intervals(void)
{
    Figure f;
    same("interval", figure_interval(&f, 1020000, 1310000, 1520000, "ns"), "1.31 ms [1.02 1.52]");
    same("negative end", figure_interval(&f, -58000, 361000, 609000, "ns"), "361 µs [-58 609]");
    same("long end", figure_interval(&f, -13970000, 684000, 4896000, "ns"),
         "0.684 ms [-13.970 4.896]");
    same("long end, small middle", figure_interval(&f, 0, 9000, 20000000, "ns"),
         "9.00 µs [0.00 20000.00]");
    same("zero middle", figure_interval(&f, -2000, 0, 2000, "ns"), "0.00 µs [-2.00 2.00]");
    same("rate", figure_interval(&f, 11.1, 14.6, 20, "per_s"), "14.6 /s [11.1 20.0]");
    same("share", figure_share(&f, 0.8455), "84.5 %");
    same("small share", figure_share(&f, 0.00088), "0.09 %");
    same("whole share", figure_share(&f, 1), "100 %");
    same("bytes", figure_bytes(&f, 1536), "1.50 KiB");
    same("count", figure_count(&f, 54.3e9), "54.3 G");
}

static void shown(void)
{
    Plain p;
    char utf8[5];
    same("control", plain(&p, "a\x1b[31m\n", 40), "a\\x1b[31m\\n");
    same("direction", plain(&p, "\u202eabc", 40), "\\u202eabc");
    same("invalid", plain(&p, "a\xff\xc3(", 40), "a\uFFFD\uFFFD(");
    same("surrogate", plain(&p, "\xed\xa0\x80", 40), "\uFFFD\uFFFD\uFFFD");
    same("overlong", plain(&p, "\xc0\xaf", 40), "\uFFFD\uFFFD");
    same("cut short", plain(&p, "\xf0\x9f\x98", 40), "\uFFFD\uFFFD\uFFFD");
    same("ellipsis", plain(&p, "abcdefghijklmnopqrstuvwxyz", 17), "abcdefgh…stuvwxyz");
    number("width of Korean", plain_width("한국어"), 6);
    number("width of a mark", plain_width("e\u0301"), 1);
    number("width of an emoji", plain_width("\U0001F600"), 2);
    number("width of an escape", plain_width("\a"), 4);
    same("encode", plain_encode(utf8, 0x1F600), "\U0001F600");
}

int main(void)
{
    times();
    json_numbers();
    intervals();
    shown();
    return failed ? 1 : 0;
}
