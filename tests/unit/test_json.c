/* JSON trees: how they are written, what is found in them, and which texts are results. */
#include "advisor/message/json.h"
#include "advisor/message/plain.h"
#include "tests/unit/check.h"

#include <math.h>
#include <stdlib.h>

typedef void Printer(FILE *out, const cJSON *tree);

/* The caller frees it. */
static char *printed(Printer *print, const cJSON *tree)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    print(out, tree);
    fclose(out);
    return text;
}

static void check_printed(const char *what, Printer *print, const cJSON *tree, const char *expected)
{
    char *text = printed(print, tree);
    check_same(what, text, expected);
    free(text);
}

static void strings(void)
{
    static const struct {
        const char *text, *json;
    } check[] = {
        {"", "\"\""},
        {"a ' / <b> & `c`", "\"a ' / <b> & `c`\""},
        {"a \" and \\", "\"a \\\" and \\\\\""},
        {"one\ntwo\r\n\tthree\n", "\"one\\ntwo\\u000d\\n\\u0009three\\n\""},
        {"::error::b", "\"::error::b\""},
        {"a ##[group]x ##b", "\"a \\u0023#[group]x ##b\""},
        {"\x1b[31m\x7f\xff\xc3(", "\"\\u001b[31m\\u007f\uFFFD\uFFFD(\""},
        {"한국어 \u00e9\U0001F600", "\"한국어 \u00e9\U0001F600\""},
        {"\u00ad\u200b\u2028\u202e", "\"\\u00ad\\u200b\\u2028\\u202e\""},
        {"\uFDD0\uFDF0\uFFFE\U0001FFFF", "\"\uFDD0\uFDF0\uFFFE\U0001FFFF\""},
        {"\U000E0001 \U000E007F", "\"\\udb40\\udc01 \\udb40\\udc7f\""},
    };
    for (size_t i = 0; i < sizeof check / sizeof *check; i++) {
        cJSON *text = cJSON_CreateString(check[i].text);
        check_printed("string", json_print_part, text, check[i].json);
        cJSON_Delete(text);
    }
}

/* A string of 256 characters of every part of Unicode is read back as it was. */
static void round_trips(void)
{
    size_t wrong = 0;
    for (uint32_t first = 0; first < 0x110000; first += 256) {
        char all[256 * 4 + 1] = "";
        size_t used = 0;
        for (uint32_t c = first; c < first + 256; c++)
            if (c && !(c >= 0xd800 && c <= 0xdfff))
                used += strlen(plain_encode(all + used, c));
        cJSON *text = cJSON_CreateString(all);
        char *json = printed(json_print_part, text);
        cJSON *back = cJSON_Parse(json);
        wrong += !back || strcmp(back->valuestring, all);
        cJSON_Delete(back);
        free(json);
        cJSON_Delete(text);
    }
    CHECK(wrong == 0);
}

static void trees(void)
{
    cJSON *tree = cJSON_CreateObject();
    cJSON *list = cJSON_AddArrayToObject(tree, "a \"list\"");
    json_add_text(tree, "text", "x");
    json_add_text(tree, "none", NULL);
    json_add_number(tree, "inf", INFINITY);
    json_add_number(tree, "half", -0.5);
    json_add_texts(tree, "all", (const char *const[]){"", "a", "::b"}, 3);
    json_add_texts(tree, "nothing", NULL, 0);
    cJSON_AddItemToObject(tree, "ids", json_ids((uint32_t[]){0, 7, UINT32_MAX}, 3));
    cJSON_AddItemToArray(list, cJSON_CreateTrue());
    cJSON_AddItemToArray(list, cJSON_CreateArray());
    cJSON_AddItemToArray(list, cJSON_CreateObject());
    cJSON_AddItemToArray(list, cJSON_CreateFalse());
    cJSON_AddItemToObject(tree, "raw", cJSON_CreateRaw("1.50"));
    cJSON_AddItemToObjectCS(cJSON_AddObjectToObject(tree, "inner"), "b", cJSON_CreateNull());
    check_printed("on lines", json_print, tree,
                  "{\n"
                  "  \"a \\\"list\\\"\": [\n"
                  "    true,\n"
                  "    [],\n"
                  "    {},\n"
                  "    false\n"
                  "  ],\n"
                  "  \"text\": \"x\",\n"
                  "  \"none\": null,\n"
                  "  \"inf\": null,\n"
                  "  \"half\": -0.5,\n"
                  "  \"all\": [\"\", \"a\", \"::b\"],\n"
                  "  \"nothing\": [],\n"
                  "  \"ids\": [0, 7, 4294967295],\n"
                  "  \"raw\": 1.50,\n"
                  "  \"inner\": {\n"
                  "    \"b\": null\n"
                  "  }\n"
                  "}\n");
    static const char part[] =
        "{\"a \\\"list\\\"\":[true,[],{},false],\"text\":\"x\",\"none\":null,\"inf\":null,"
        "\"half\":-0.5,\"all\":[\"\",\"a\",\"::b\"],\"nothing\":[],\"ids\":[0,7,4294967295],"
        "\"raw\":1.50,\"inner\":{\"b\":null}}";
    check_printed("a part", json_print_part, tree, part);
    check_printed("on a line", json_print_line, list, "[true,[],{},false]\n");
    cJSON_Delete(tree);
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
                 {1234567.25, "1234567.25"},
                 {1e-7, "1e-07"},
                 {0.1 + 0.2, "0.30000000000000004"},
                 {0, "0"},
                 {NAN, "null"},
                 {-INFINITY, "null"}};
    char text[40];
    for (size_t i = 0; i < sizeof check / sizeof *check; i++)
        check_same("number of JSON", json_number_text(text, check[i].v), check[i].text);
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
    check_same("text", json_text(o, "a.b.cc", "?"), "x");
    check_same("no text", json_text(o, "a.b.c", "?"), "?");
    cJSON_Delete(o);
}

/* What is parsed, and why not. */
static void parsed(void)
{
    static const struct {
        const char *text, *why;
    } check[] = {{"", "is empty"},
                 {"{} x", "line 1 "},
                 {"{}\n\n}", "line 1 "},
                 {"{\n\"a\": [1,\n2,,\n]}", "line 3 "},
                 {"{} \t\r\n", NULL}};
    for (size_t i = 0; i < sizeof check / sizeof *check; i++) {
        cJSON *tree = NULL;
        Diag diag = {0};
        Status st = json_parse("r.json", check[i].text, strlen(check[i].text), &tree, &diag);
        bool good = check[i].why ? st == STATUS_INPUT && !tree && strstr(diag.text, check[i].why)
                                 : st == STATUS_OK && cJSON_IsObject(tree);
        printf("%s parsed: %s\n", good ? "ok" : "FAILED", st ? diag.text : "a tree");
        check_failed += !good;
        cJSON_Delete(tree);
    }
}

int main(void)
{
    strings();
    round_trips();
    trees();
    json_numbers();
    depth();
    lookups();
    parsed();
    return check_failures() ? 1 : 0;
}
