/* Reads the example of the schema, writes it again to the byte, and refuses values that the schema
 * does not allow. */
#include "advisor/message/json.h"
#include "advisor/report/result_json.h"
#include "tests/unit/check.h"

#include <stdlib.h>
#include <string.h>

static char *printed(const cJSON *tree)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    json_print(f, tree);
    fclose(f);
    return text;
}

static cJSON *example(void)
{
    cJSON *tree = NULL;
    Diag diag = {0};
    CHECK(json_load("docs/schema/result.example.json", &tree, &diag) == STATUS_OK);
    return tree;
}

static void reads_and_writes_to_the_byte(void)
{
    Arena *a = arena_new(0);
    cJSON *tree = example(), *again = NULL;
    const Result *r = NULL;
    Diag diag = {0};
    CHECK(result_from_json(a, tree, "r.json", &r, &diag) == STATUS_OK);
    again = result_to_json(r);
    char *before = printed(tree), *after = printed(again);
    CHECK(!strcmp(after, before));
    CHECK(r->plans.count == json_count(tree, "plans") && r->plans.count > 1);
    CHECK(r->changes.count == json_count(tree, "changes") && r->changes.count > 1);
    CHECK(r->by_hand.count == json_count(tree, "by_hand") && r->by_hand.count > 1);
    CHECK(r->options.batch.known &&
          r->options.batch.value == (int64_t)json_number_or(tree, "options.batch", -1));
    free(before);
    free(after);
    cJSON_Delete(again);
    cJSON_Delete(tree);
    arena_free(a);
}

/* Each row puts a value in the place of another; the line says where, and what is expected there.
 */
static const struct {
    const char *owner, *key, *value, *line;
} wrong[] = {
    {"options", "min_gain_ns", "\"eight\"", "options.min_gain_ns: expected a whole number"},
    {"options", "min_gain_ns", "1.5", "options.min_gain_ns: expected a whole number"},
    {NULL, "target", NULL, "target: expected a value"},
    {"options", "min_gain_ns", "null", "options.min_gain_ns: expected a whole number"},
    {NULL, "objective", "\"speed\"", "objective: expected one of latency throughput"},
    {NULL, "schema_version", "7", "schema_version: expected 2"},
    {NULL, "notes", "{}", "notes: expected a list"},
    {NULL, "notes", "[\"a\", 2]", "notes[1]: expected a text"},
    {NULL, "steps", "[3]", "steps[0]: expected an object"},
    {NULL, "gate", "[]", "gate: expected an object"},
    {NULL, "plans", "null", "plans: expected a list"},
    {"plans[0]", "route", "\"fast\"",
     "plans[0].route: expected one of same_outputs new_outputs retrain"},
    {"plans[0].after", "source", "null",
     "plans[0].after.source: expected one of measured simulated predicted"},
    {"plans[1].changes[0]", "id", "\"one\"", "plans[1].changes[0].id: expected a whole number"},
    {"changes[0]", "alone", "null", "changes[0].alone: expected an object"},
    {"changes[0].alone", "at_least", "0", "changes[0].alone.at_least: expected true or false"},
    {"by_hand[0]", "up_to", "[]", "by_hand[0].up_to: expected an object"},
};

static cJSON *owner_of(cJSON *tree, const char *path)
{
    if (!path)
        return tree;
    cJSON *o = tree;
    char name[40];
    int index, used;
    for (; *path; path += used + (path[used] == '.')) {
        if (sscanf(path, "%39[a-z_][%d]%n", name, &index, &used) == 2) {
            o = cJSON_GetArrayItem(cJSON_GetObjectItem(o, name), index);
        } else {
            sscanf(path, "%39[a-z_]%n", name, &used);
            o = cJSON_GetObjectItem(o, name);
        }
    }
    return o;
}

static void refuses_what_the_schema_does_not_allow(void)
{
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Arena *a = arena_new(0);
        Diag diag = {0};
        const Result *r = NULL;
        cJSON *tree = example(), *owner = owner_of(tree, wrong[i].owner);
        if (wrong[i].value)
            cJSON_ReplaceItemInObject(owner, wrong[i].key, cJSON_Parse(wrong[i].value));
        else
            cJSON_DeleteItemFromObject(owner, wrong[i].key);
        CHECK(result_from_json(a, tree, "r.json", &r, &diag) == STATUS_INPUT);
        check_same("the refusal", strstr(diag.text, ": ") ? strstr(diag.text, ": ") + 2 : diag.text,
                   wrong[i].line);
        cJSON_Delete(tree);
        arena_free(a);
    }
}

int main(void)
{
    reads_and_writes_to_the_byte();
    refuses_what_the_schema_does_not_allow();
    return check_failures() != 0;
}
