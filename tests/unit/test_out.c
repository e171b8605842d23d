/* What machine outputs have in common: files, places, gains and messages, at the ends of each. */
#include "advisor/render/forms/out.h"
#include "graph/base/arena.h"
#include "tests/unit/check.h"
#include "tests/unit/json_quoted.h"

#include <stdlib.h>
#include <string.h>

/* Of a path that says something about the machine the last part alone. */
static void check_files(Arena *a)
{
    static const struct {
        const char *path, *file, *uri;
    } row[] = {
        {"m.onnx", "m.onnx", "m.onnx"},
        {"in/m.onnx", "in/m.onnx", "in/m.onnx"},
        {"./m.onnx", "m.onnx", "m.onnx"},
        {"././in/m.onnx", "in/m.onnx", "in/m.onnx"},
        {".m/..n/o...x", ".m/..n/o...x", ".m/..n/o...x"},
        {"/home/me/m.onnx", "m.onnx", "m.onnx"},
        {"/m", "m", "m"},
        {"/", "model", "model"},
        {"/home/me/", "model", "model"},
        {"../m.onnx", "m.onnx", "m.onnx"},
        {"..m.onnx", "..m.onnx", "..m.onnx"},
        {"./../m", "m", "m"},
        {"in/../m.onnx", "m.onnx", "m.onnx"},
        {"", "model", "model"},
        {"./", "model", "model"},
        {"a b%c~d_e-f", "a b%c~d_e-f", "a%20b%25c~d_e-f"},
        {"é", "é", "%C3%A9"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        View view = {.anchor = row[i].path};
        cJSON *o = cJSON_CreateObject();
        CHECK(same_text(out_file(a, o, &view), row[i].file));
        CHECK(same_text(out_uri(a, o, &view), row[i].uri));
        view.anchor = NULL;
        cJSON_AddStringToObject(cJSON_AddObjectToObject(o, "model"), "file", row[i].path);
        CHECK(same_text(out_file(a, o, &view), row[i].file));
        cJSON_Delete(o);
    }
    cJSON *none = cJSON_CreateObject();
    CHECK(same_text(out_file(a, none, &(View){0}), "model"));
    cJSON_Delete(none);
}

/* At the limit all is there; beyond it the character that does not fit is left out. */
static void check_shown(Arena *a)
{
    CHECK(same_text(out_text(a, "", 0), ""));
    CHECK(same_text(out_text(a, "abc", 3), "abc"));
    CHECK(same_text(out_text(a, "abcd", 3), "abc…"));
    CHECK(same_text(out_text(a, "aé", 3), "aé"));
    CHECK(same_text(out_text(a, "abé", 3), "ab…"));
    CHECK(same_text(out_lines(a, "a\nb\n", 99), "a\nb\n"));
    CHECK(same_text(out_lines(a, "a\n:b\n#c\nd", 99), "a\\n:b\\n#c\nd"));
    CHECK(same_text(out_text(a, "a\nb", 99), "a\\nb"));
    CHECK(same_text(out_escape(a, "a,b%", ",%", "%%%02X"), "a%2Cb%25"));
    CHECK(same_text(out_escape(a, "", ",", "%%%02X"), ""));
}

static void check_places(Arena *a)
{
    static const char *const row[][2] = {
        {"{}", ""},
        {"{'where':{'op':'Conv'}}", "Conv"},
        {"{'where':{'tensor':'x','op':'Conv'}}", "x"},
        {"{'where':{'node':'n','tensor':'x','op':'Conv'}}", "n"},
        {"{'where':{'node':'','tensor':null,'op':'Conv'}}", "Conv"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        cJSON *o = json_from_quoted(row[i][0]);
        CHECK(same_text(out_location(a, o), row[i][1]));
        cJSON_Delete(o);
    }
}

#define MS "'lo':1e6,'mid':2e6,'hi':3e6"

static void check_messages(Arena *a)
{
    static const char *const row[][2] = {
        {"{'rank':1}", "?. Gain: unknown: not tried. Fix (?): ?"},
        {"{'rank':1,'title':'T','fix':{'where':'export','text':'a\\nb'},'gain':{'reason_if_null':'"
         "why'}}",
         "T. Gain: unknown: why. Fix (export): a\nb"},
        {"{'rank':1,'gain':{'predicted':{" MS "}}}",
         "?. Gain: 2.00 ms [1.00 3.00] (predicted). Fix (?): ?"},
        {"{'rank':1,'gain':{'unit':'per_s','predicted':{'lo':1,'mid':2,'hi':3}}}",
         "?. Gain: 2.00 /s [1.00 3.00] (predicted). Fix (?): ?"},
        {"{'rank':1,'gain':{'at_least':true,'predicted':{" MS "}}}",
         "?. Gain: 2.00 ms [1.00 3.00] (at least: a part of unknown cost goes too). Fix (?): ?"},
        {"{'rank':1,'gain':{'basis':'stand-in','predicted':{" MS "}}}",
         "?. Gain: 2.00 ms [1.00 3.00] (estimated with a stand-in). Fix (?): ?"},
        {"{'rank':1,'gain':{'basis':'bound','predicted':{" MS "}}}",
         "?. Gain: removable 2.00 ms [1.00 3.00], at most 3.00 ms (a bound). Fix (?): ?"},
        {"{'rank':1,'gain':{'basis':'bound','predicted':{'mid':1e6}}}",
         "?. Gain: removable 1.00 ms, at most 0 ns (a bound). Fix (?): ?"},
        {"{'rank':1,'gain':{'verified':{" MS ",'runner':'r'},'predicted':{'mid':1}}}",
         "?. Gain: 2.00 ms [1.00 3.00] (verified by r). Fix (?): ?"},
        {"{'rank':1,'gain':{'verified':{'median':1e6}}}",
         "?. Gain: 1.00 ms (verified by ?). Fix (?): ?"},
        {"{'title':'T','text':'t','reason':'r'}", "T: t. No figure: r"},
        {"{}", "?: ?. No figure: ?"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        cJSON *o = json_from_quoted(row[i][0]);
        CHECK(same_text(out_message(a, o), row[i][1]));
        cJSON_Delete(o);
    }
}

/* Twelve values are shown, and that there are more. */
static void check_assertions(Arena *a)
{
    static const char *const row[][3] = {
        {"{}", "?: expected ?, found nothing (values )", "inconclusive"},
        {"{'name':'n','expected':'<= 1','found':2,'values':[2,null],'detail':'d','pass':false}",
         "n: expected <= 1, found 2 (values 2 ?): d", "fail"},
        {"{'values':[1,2,3,4,5,6,7,8,9,10,11,12],'pass':true}",
         "?: expected ?, found nothing (values 1 2 3 4 5 6 7 8 9 10 11 12)", "pass"},
        {"{'values':[1,2,3,4,5,6,7,8,9,10,11,12,13],'pass':null}",
         "?: expected ?, found nothing (values 1 2 3 4 5 6 7 8 9 10 11 12 …)", "inconclusive"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        cJSON *o = json_from_quoted(row[i][0]);
        CHECK(same_text(out_assertion(a, o), row[i][1]));
        CHECK(same_text(out_outcome(o), row[i][2]));
        cJSON_Delete(o);
    }
}

static void check_statuses(void)
{
    static const char *const name[] = {"?", "passed", "failed", "unreadable", "inconclusive", "?"};
    for (int i = -1; i < 5; i++)
        CHECK(same_text(out_status(i), name[i + 1]));
}

typedef struct {
    char said[4096];
    size_t n;
} Rows;

static void put_row(void *user, const OutCell cell[OUT_ROW_COLUMNS])
{
    Rows *s = user;
    for (size_t i = 0; i < OUT_ROW_COLUMNS; i++) {
        if (cell[i].text)
            s->n += (size_t)snprintf(s->said + s->n, sizeof s->said - s->n, "%s=%s ",
                                     out_row_column(i), cell[i].text);
        if (cell[i].is_number)
            s->n += (size_t)snprintf(s->said + s->n, sizeof s->said - s->n, "%s=%g ",
                                     out_row_column(i), cell[i].number);
    }
    s->n += (size_t)snprintf(s->said + s->n, sizeof s->said - s->n, "\n");
}

/* A row of the result, of each recommendation and each observation; each has what it is about. */
static void check_rows(void)
{
    cJSON *o = json_from_quoted(
        "{'target':'warboy','options':{'batch':2,'workers':'3'},'gate':{'status':'passed'},"
        "'recommendations':[{'rank':1,'rule_id':'NPU101','gain':{'unit':'ns','basis':'replay',"
        "'predicted':{" MS "},'verified':{'now':{'mid':4}}},'fix':{'text':'a\\nb'}}],"
        "'observations':[{'rule_id':'NPU901','level':'info'}]}");
    ResultEntry entry = {.model = "m", .status = 1, .error = "e"};
    ResultSet set = {.count = 1, .entry = &entry, .one = o};
    Rows s = {.n = 0};
    out_rows(&set, &(View){0}, put_row, &s);
    CHECK(same_text(s.said,
                    "kind=result model=m target=warboy batch=2 gate=passed status=failed "
                    "error=e \nkind=recommendation model=m target=warboy batch=2 gate=passed "
                    "rank=1 rule_id=NPU101 unit=ns gain_lo=1e+06 gain_mid=2e+06 gain_hi=3e+06 "
                    "verified=4 fix=a\nb basis=replay \nkind=observation model=m target=warboy "
                    "batch=2 gate=passed rule_id=NPU901 level=info \n"));
    set.one = NULL;
    s = (Rows){.n = 0};
    out_rows(&set, &(View){0}, put_row, &s);
    CHECK(same_text(s.said, "kind=error model=m status=failed error=e \n"));
    cJSON_Delete(o);
}

static void keep_anchor(void *user, const ResultEntry *entry, const cJSON *result, const View *view)
{
    char *said = user;
    (void)entry, (void)result;
    strcat(said, view->anchor ? view->anchor : "none");
    strcat(said, " ");
}

/* Of many models each output points at its own, of its file where settings are behind its name;
 * what was told is pointed at instead. */
static void check_anchors(void)
{
    ResultEntry entry[] = {{.model = "a"}, {.model = "b sdk=0.9", .file = "b"}};
    ResultSet set = {.many = true, .count = 2, .entry = entry};
    char said[3][32] = {{0}};
    out_each(&set, &(View){0}, keep_anchor, said[0]);
    CHECK(same_text(said[0], "a b "));
    out_each(&set, &(View){.anchor = "x"}, keep_anchor, said[1]);
    CHECK(same_text(said[1], "x x "));
    set.many = false;
    out_each(&set, &(View){0}, keep_anchor, said[2]);
    CHECK(same_text(said[2], "none none "));
}

/* Five thousand results, and how many more there are. */
static void check_most_results(size_t nrec, size_t nobservation, const char *left_out)
{
    cJSON *o = cJSON_CreateObject(), *rec = cJSON_AddArrayToObject(o, "recommendations"),
          *observation = cJSON_AddArrayToObject(o, "observations");
    for (size_t i = 0; i < nrec; i++)
        cJSON_AddItemToArray(rec, cJSON_Parse("{\"rank\":1}"));
    for (size_t i = 0; i < nobservation; i++)
        cJSON_AddItemToArray(observation, cJSON_CreateObject());
    ResultEntry entry = {.model = "m"};
    ResultSet set = {.count = 1, .entry = &entry, .one = o};
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    CHECK(out_sarif(out, &set, &(View){0}));
    fclose(out);
    cJSON *sarif = cJSON_Parse(text);
    const cJSON *run = cJSON_GetArrayItem(cJSON_GetObjectItem(sarif, "runs"), 0);
    int shown = cJSON_GetArraySize(cJSON_GetObjectItem(run, "results"));
    CHECK(shown == (nrec + nobservation < 5000 ? (int)(nrec + nobservation) : 5000));
    char *more = cJSON_PrintUnformatted(
        cJSON_GetObjectItem(cJSON_GetObjectItem(run, "properties"), "resultsLeftOut"));
    CHECK(same_text(more ? more : "none", left_out));
    cJSON_free(more);
    cJSON_Delete(sarif);
    cJSON_Delete(o);
    free(text);
}

int main(void)
{
    Arena *a = arena_new(0);
    check_files(a);
    check_shown(a);
    check_places(a);
    check_messages(a);
    check_assertions(a);
    check_statuses();
    check_rows();
    check_anchors();
    check_most_results(4999, 1, "none");
    check_most_results(4000, 1002, "2");
    arena_free(a);
    return check_failures() != 0;
}
