/* Markdown text, code and blocks: a name cannot end the construct that holds it. */
#include "advisor/message/markdown.h"
#include "tests/unit/check.h"

#include <stdlib.h>

static void check_written(const char *what, void (*write)(FILE *, const char *), const char *s,
                          const char *expected)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    write(out, s);
    fclose(out);
    check_same(what, text, expected);
    free(text);
}

static void lines(void)
{
    static const struct {
        const char *s, *text, *code;
    } check[] = {
        {"", "", "``"},
        {"a", "a", "`a`"},
        {"::error file=x::y", "::error file=x::y", "`::error file=x::y`"},
        {"##[group]x", "\\\\x23\\#\\[group\\]x", "`\\x23#[group]x`"},
        {"a `b` ``c``` | <d>", "a \\`b\\` \\`\\`c\\`\\`\\` \\| \\<d\\>", "`a 'b' ''c''' / <d>`"},
        {"& *e* _f_ ~g~ [h](i) \\ #j", "\\& \\*e\\* \\_f\\_ \\~g\\~ \\[h\\](i) \\\\ \\#j",
         "`& *e* _f_ ~g~ [h](i) \\ #j`"},
        {"one\ntwo\r\n\tthree\n", "one two\\r \\tthree ", "`one two\\r \\tthree `"},
        {"\x1b[31m\x7f\xff\xc3(", "\\x1b\\[31m\\x7f\uFFFD\uFFFD(", "`\\x1b[31m\\x7f\uFFFD\uFFFD(`"},
        {"한국어 \U0001F600\uFFFE\u202e", "한국어 \U0001F600\uFFFD\\u202e",
         "`한국어 \U0001F600\uFFFD\\u202e`"},
        {"a \" ' ! - + . (b) {c} = 1.", "a \" ' ! - + . (b) {c} = 1.",
         "`a \" ' ! - + . (b) {c} = 1.`"},
    };
    for (size_t i = 0; i < sizeof check / sizeof *check; i++) {
        check_written("text", markdown_text, check[i].s, check[i].text);
        check_written("code", markdown_code, check[i].s, check[i].code);
    }
}

/* The fence is longer than every run of backticks in the block. */
static void blocks(void)
{
    static const struct {
        const char *s, *block;
    } check[] = {
        {"", "```\n\n```\n"},
        {"a `b` ``c`` | <d> *e*", "```\na `b` ``c`` | <d> *e*\n```\n"},
        {"```\nfenced\n````\n", "`````\n```\nfenced\n````\n\n`````\n"},
        {"```` `` ```", "`````\n```` `` ```\n`````\n"},
        {"one\ntwo\r\n\tthree\n", "```\none\ntwo\\r\n\\tthree\n\n```\n"},
        {"##[group]x\n::error::b", "```\n\\x23#[group]x\n::error::b\n```\n"},
        {"\x1b[31m\xff 한국어 \u202e", "```\n\\x1b[31m\uFFFD 한국어 \\u202e\n```\n"},
    };
    for (size_t i = 0; i < sizeof check / sizeof *check; i++)
        check_written("block", markdown_block, check[i].s, check[i].block);
}

int main(void)
{
    lines();
    blocks();
    return check_failures() ? 1 : 0;
}
