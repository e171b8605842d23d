/* Checks what machine outputs share, at their limits: files, places, savings and messages. */
#include "advisor/render/forms/out.h"
#include "graph/base/arena.h"
#include "tests/unit/check.h"

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
        const Result r = {.model.file = row[i].path};
        CHECK(same_text(out_file(a, &r, &view), row[i].file));
        CHECK(same_text(out_uri(a, &r, &view), row[i].uri));
        view.anchor = NULL;
        CHECK(same_text(out_file(a, &r, &view), row[i].file));
    }
}

/* At the limit all is there; beyond it the character that does not fit is left out. */
static void check_shown(Arena *a)
{
    CHECK(same_text(out_text(a, NULL, 9), "?"));
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
    static const struct {
        ResultWhere where;
        const char *expected;
    } row[] = {
        {{0}, ""},
        {{.op = "Conv"}, "Conv"},
        {{.tensor = "x", .op = "Conv"}, "x"},
        {{.node = "n", .tensor = "x", .op = "Conv"}, "n"},
        {{.node = "", .op = "Conv"}, "Conv"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        CHECK(same_text(out_location(a, &row[i].where), row[i].expected));
}

static const ResultInterval ms = {1e6, 2e6, 3e6}, rate = {1, 2, 3};

#define PLAN(id_, ...)                                                                             \
    {                                                                                              \
        .id = id_, .changes = { &(const ResultPlanChange){.id = 1, __VA_ARGS__}, 1 }               \
    }
#define SAVES(from, interval) .saves = interval, .source = RESULT_SOURCE_##from

/* What change 1 saves: in the recommended plan, else in the one that holds it. */
static void check_savings(Arena *a)
{
    static const ResultChange change = {.id = 1};
    const ResultPlan with = PLAN("aa", SAVES(SIMULATED, &ms)), merged = PLAN("aa", .saves = NULL),
                     rated = PLAN("aa", SAVES(MEASURED, &rate));
    const struct {
        const ResultPlan *plan;
        ResultObjective objective;
        bool recommended;
        const char *expected;
    } row[] = {
        {NULL, RESULT_OBJECTIVE_LATENCY, false, "counted with the next change"},
        {&merged, RESULT_OBJECTIVE_LATENCY, true, "counted with the next change"},
        {&with, RESULT_OBJECTIVE_LATENCY, true, "2.00 ms [1.00, 3.00], simulated"},
        {&with, RESULT_OBJECTIVE_LATENCY, false, "2.00 ms [1.00, 3.00], simulated, in plan aa"},
        {&rated, RESULT_OBJECTIVE_THROUGHPUT, true, "2.00 /s [1.00, 3.00], measured"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        ResultPlan plan = row[i].plan ? *row[i].plan : (ResultPlan){.id = "bb"};
        plan.recommended = row[i].recommended;
        const Result r = {
            .objective = row[i].objective, .changes = {&change, 1}, .plans = {&plan, 1}};
        ReportedFinding x = finding_at(&r, 0);
        CHECK(same_text(out_saving(a, &r, &x), row[i].expected));
    }
}

static void check_messages(Arena *a)
{
    static const ResultChange change = {
        .id = 1, .title = "T", .fix = {.where = RESULT_FIX_WHERE_CONVERTER, .text = "a\nb"}};
    static const ResultHandWork by_hand = {.title = "H",
                                           .fix = {.where = RESULT_FIX_WHERE_MODEL, .text = "c"},
                                           .up_to = {RESULT_UNIT_NS, 3e6}};
    static const ResultObservation observation = {.title = "T", .text = "t", .reason = "r"};
    ResultPlan plan = PLAN("aa", SAVES(PREDICTED, &ms));
    plan.recommended = true;
    const Result r = {.objective = RESULT_OBJECTIVE_LATENCY,
                      .plans = {&plan, 1},
                      .changes = {&change, 1},
                      .by_hand = {&by_hand, 1},
                      .observations = {&observation, 1}};
    static const char *const expected[] = {
        "T. Saves 2.00 ms [1.00, 3.00], predicted. Fix (converter): a\nb",
        "H. Saves up to 3.00 ms. Fix (model): c", "T: t. No figure: r"};
    CHECK(finding_count(&r) == 3);
    for (size_t i = 0; i < 3; i++) {
        ReportedFinding x = finding_at(&r, i);
        CHECK(same_text(out_message(a, &r, &x), expected[i]));
    }
}

static void check_needs(Arena *a)
{
    static const char *const word[] = {"input", "accuracy"};
    CHECK(same_text(out_needs(a, NULL), "none"));
    CHECK(same_text(out_needs(a, &(const ResultTexts){word, 0}), "none"));
    CHECK(same_text(out_needs(a, &(const ResultTexts){word, 2}), "input,accuracy"));
}

/* Times have a unit; of samples the ends are told, of an interval nothing. */
static void check_assertions(Arena *a)
{
    static const double value[] = {3e6, 1e6, 5e6, 2e6};
    static const ResultAssertionLimit none = {RESULT_RELATION_AT_MOST, 0,
                                              RESULT_ASSERTION_LIMIT_UNIT_NONE},
                                      time = {RESULT_RELATION_AT_MOST, 2e6,
                                              RESULT_ASSERTION_LIMIT_UNIT_NS};
    static const struct {
        ResultAssertion x;
        const char *text, *outcome;
    } row[] = {
        {{.name = "n", .expected = "e", .detail = "why"},
         "n: expected e, not checked: why",
         "inconclusive"},
        {{.name = "n",
          .expected = "<= 0",
          .limit = &none,
          .found = {2, true},
          .detail = "d",
          .pass = {false, true}},
         "n: none allowed, 2 found: d",
         "fail"},
        {{.name = "n",
          .expected = "<= 2ms",
          .limit = &time,
          .found = {1e6, true},
          .values = {value, 3},
          .detail = "",
          .pass = {true, true}},
         "n: expected <= 2.00 ms, found 1.00 ms",
         "pass"},
        {{.name = "n",
          .expected = "<= 2ms",
          .limit = &time,
          .found = {3e6, true},
          .values = {value, 4},
          .detail = "",
          .pass = {false, true}},
         "n: expected <= 2.00 ms, found 3.00 ms (4 values, 1.00 ms to 5.00 ms)",
         "fail"},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        CHECK(same_text(out_assertion(a, &row[i].x), row[i].text));
        CHECK(same_text(out_outcome(&row[i].x), row[i].outcome));
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

/* A row of the result, and one of each change, work by hand and observation. */
static void check_rows(void)
{
    static const char *const needs[] = {"input", "accuracy"};
    const ResultChange change = {.id = 1,
                                 .rule_id = "NPU101",
                                 .needs = {needs, 2},
                                 .alone = {.basis = RESULT_BASIS_WHAT_IF},
                                 .fix.text = "a\nb"};
    const ResultHandWork by_hand = {.id = 2,
                                    .rule_id = "NPU202",
                                    .up_to = {RESULT_UNIT_NS, 5e6},
                                    .alone = {.basis = RESULT_BASIS_BOUND},
                                    .fix.text = "d"};
    const ResultObservation observation = {
        .rule_id = "NPU901", .level = RESULT_LEVEL_INFO, .fix.text = "c"};
    ResultPlan plan = PLAN("aa", SAVES(SIMULATED, &ms));
    const Result r = {.target = "warboy",
                      .objective = RESULT_OBJECTIVE_LATENCY,
                      .options.batch = {2, true},
                      .gate.status = RESULT_STATUS_PASSED,
                      .plans = {&plan, 1},
                      .changes = {&change, 1},
                      .by_hand = {&by_hand, 1},
                      .observations = {&observation, 1}};
    ResultEntry entry = {.model = "m", .status = 1, .error = "e", .has_result = true};
    ResultSet set = {.count = 1, .entry = &entry, .one = &r};
    Rows s = {.n = 0};
    out_rows(&set, &(View){0}, put_row, &s);
#define ALL "model=m target=warboy objective=latency batch=2 gate=passed "
    CHECK(same_text(s.said,
                    "kind=result " ALL "status=failed error=e \n"
                    "kind=change " ALL "rank=1 rule_id=NPU101 needs=input,accuracy unit=ns "
                    "gain_lo=1e+06 gain_mid=2e+06 gain_hi=3e+06 source=simulated plan=aa fix=a\nb "
                    "basis=what-if \n"
                    "kind=by_hand " ALL "rank=2 rule_id=NPU202 needs=none unit=ns gain_lo=0 "
                    "gain_mid=5e+06 gain_hi=5e+06 source=predicted fix=d basis=bound \n"
                    "kind=observation " ALL "rule_id=NPU901 level=info fix=c \n"));
    set.one = NULL;
    entry.has_result = false;
    s = (Rows){.n = 0};
    out_rows(&set, &(View){0}, put_row, &s);
    CHECK(same_text(s.said, "kind=error model=m status=failed error=e \n"));
}

static void keep_anchor(void *user, Arena *a, const ResultEntry *entry, const Result *result,
                        const View *view)
{
    char *said = user;
    (void)a, (void)entry;
    CHECK(result->gate.status == RESULT_STATUS_NONE); /* nothing in it */
    strcat(said, view->anchor ? view->anchor : "none");
    strcat(said, " ");
}

/* Of many models each output points at its own, its file where settings follow its name;
 * an anchor that was given replaces it. */
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
static void check_most_results(size_t nchange, size_t nobservation, const char *left_out)
{
    ResultChange *change = calloc(nchange, sizeof *change);
    ResultObservation *observation = calloc(nobservation, sizeof *observation);
    for (size_t i = 0; i < nchange; i++)
        change[i] = (ResultChange){
            .rule_id = "R", .fingerprint = "f", .fix.text = "x", .alone.unit = RESULT_UNIT_NS};
    for (size_t i = 0; i < nobservation; i++)
        observation[i] = (ResultObservation){.rule_id = "R", .fingerprint = "f", .fix.text = "x"};
    const Result r = {.model.file = "m",
                      .gate.status = RESULT_STATUS_NONE,
                      .changes = {change, nchange},
                      .observations = {observation, nobservation}};
    ResultEntry entry = {.model = "m", .has_result = true};
    ResultSet set = {.count = 1, .entry = &entry, .one = &r};
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    CHECK(out_sarif(out, &set, &(View){0}));
    fclose(out);
    cJSON *sarif = cJSON_Parse(text);
    const cJSON *run = cJSON_GetArrayItem(cJSON_GetObjectItem(sarif, "runs"), 0);
    int shown = cJSON_GetArraySize(cJSON_GetObjectItem(run, "results"));
    CHECK(shown == (nchange + nobservation < 5000 ? (int)(nchange + nobservation) : 5000));
    char *more = cJSON_PrintUnformatted(
        cJSON_GetObjectItem(cJSON_GetObjectItem(run, "properties"), "resultsLeftOut"));
    CHECK(same_text(more ? more : "none", left_out));
    cJSON_free(more);
    cJSON_Delete(sarif);
    free(change);
    free(observation);
    free(text);
}

int main(void)
{
    Arena *a = arena_new(0);
    check_files(a);
    check_shown(a);
    check_places(a);
    check_savings(a);
    check_needs(a);
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
