/* Files of runs over many models: what of a plan is read and what refused, and an answer that
 * cannot be written whole. */
#include "advisor/fleet/fleet_file.h"
#include "advisor/fleet/shards_file.h"
#include "tests/unit/check.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/fleet-test.XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* ---- plans ---- */

/* What is said of a plan of this text, behind its name; "" if it is read. */
static const char *said_of(Arena *a, const char *text, ShardPlan *ret)
{
    static char said[512];
    Diag diag = {0};
    const char *path = in_folder("plan");
    FILE *f = fopen(path, "w");
    fputs(text, f);
    fclose(f);
    Status st = shards_file_read(a, path, ret, &diag);
    CHECK(!remove(path));
    snprintf(said, sizeof said, "%s", !st ? "" : diag.text + strlen(path) + strlen(": "));
    return said;
}

#define HEAD(told, options, items)                                                                 \
    "{\"kind\":\"work\",\"version\":\"" NPU_ADVISE_VERSION "\",\"told\":" told                     \
    ",\"options\":" options ",\"items\":" items "}\n"
#define ITEM(model, settings, cost)                                                                \
    "{\"model\":\"" model "\",\"file\":\"f\",\"settings\":" settings ",\"cost_us\":" cost "}"
#define ONE     HEAD("[\"m\"]", "[]", "1")
#define NO_HEAD "line 1: is not the head of a list of work; `npu-advise shards` writes one"
#define NO_ITEM "line 2: is not an item of a list of work"

static const struct {
    const char *text, *said;
} plan[] = {
    {ONE ITEM("a", "[]", "1"), ""},
    {ONE ITEM("a", "[]", "1e15") "\n", ""},
    {"", NO_HEAD},
    {"\n" ONE, NO_HEAD},
    {"{\"kind\":\"works\"}\n", NO_HEAD},
    {"{\"kind\":\"work\",\"version\":\"0\"}\n",
     "was written by another version of npu-advise; write the list again"},
    {HEAD("[]", "[]", "1") ITEM("a", "[]", "1"), NO_HEAD},
    {HEAD("[1]", "[]", "1") ITEM("a", "[]", "1"), NO_HEAD},
    {HEAD("{}", "[]", "1") ITEM("a", "[]", "1"), NO_HEAD},
    {HEAD("[\"m\"]", "{}", "1") ITEM("a", "[]", "1"), NO_HEAD},
    {HEAD("[\"m\"]", "[[\"batch\"]]", "1") ITEM("a", "[]", "1"), NO_HEAD},
    {HEAD("[\"m\"]", "[[1,\"2\"]]", "1") ITEM("a", "[]", "1"), NO_HEAD},
    {HEAD("[\"m\"]", "[]", "0") ITEM("a", "[]", "1"), NO_HEAD},
    {HEAD("[\"m\"]", "[]", "\"1\"") ITEM("a", "[]", "1"), NO_HEAD},
    {HEAD("[\"m\"]", "[]", "200001") ITEM("a", "[]", "1"), NO_HEAD},
    {HEAD("[\"m\"]", "[]", "200000") ITEM("a", "[]", "1"),
     "line 2: is the last of 200000 items: the list was cut off"},
    {ONE, "line 1: is the last of 1 items: the list was cut off"},
    {ONE "\n", NO_ITEM},
    {ONE "{}", NO_ITEM},
    {ONE "{\"file\":\"f\",\"settings\":[],\"cost_us\":1}", NO_ITEM},
    {ONE "{\"model\":\"a\",\"settings\":[],\"cost_us\":1}", NO_ITEM},
    {ONE "{\"model\":\"a\",\"file\":\"\",\"settings\":[],\"cost_us\":1}", NO_ITEM},
    {ONE "{\"model\":\"a\",\"file\":\"f\",\"settings\":[]}", NO_ITEM},
    {ONE "{\"model\":\"a\",\"file\":\"f\",\"cost_us\":1}", NO_ITEM},
    {ONE ITEM("a", "[[\"sdk\",1]]", "1"), NO_ITEM},
    {ONE ITEM("a", "[]", "0.99"), NO_ITEM},
    {ONE ITEM("a", "[]", "1.1e15"), NO_ITEM},
    {ONE ITEM("a", "[]", "1") "\n" ITEM("b", "[]", "1"),
     "line 2: is followed by more items than the head says"},
    {HEAD("[\"m\"]", "[]", "2") ITEM("a", "[]", "1") "\n" ITEM("a", "[]", "1"),
     "line 3: names 'a' a second time"},
    {HEAD("[\"m\"]", "[]", "2") ITEM("a", "[]", "1") "\n" ITEM("a", "[[\"sdk\",\"0.9\"]]", "1"),
     ""},
};

static void check_refused(Arena *a)
{
    for (size_t i = 0; i < sizeof plan / sizeof *plan; i++) {
        ShardPlan p = {0};
        const char *said = said_of(a, plan[i].text, &p);
        if (strcmp(said, plan[i].said))
            printf("  %zu: %s\n", i, said);
        CHECK(!strcmp(said, plan[i].said));
    }
}

static void check_read(Arena *a)
{
    ShardPlan p = {.ndim = 9};
    CHECK(!*said_of(
        a,
        HEAD("[\"m\"]", "[[\"dim\",\"N=1\"],[\"batch\",\"2\"],[\"dim\",\"x:0=3\"]]", "2")
            ITEM("a", "[[\"sdk\",\"0.9\"],[\"batch\",\"4\"]]",
                 "1.9") "\n"
                        "{\"model\":\"b\",\"file\":\"d/b\",\"settings\":[],\"sha256\":\"12\","
                        "\"trace_sha256\":\"34\",\"cost_us\":7}",
        &p));
    CHECK(p.nmodel == 2 && p.ndim == 2 && !strcmp(p.dim[0], "N") && !strcmp(p.dim[1], "x:0"));
    CHECK(strlen(p.digest) == 64);
    const ShardItem *x = p.item;
    CHECK(!strcmp(p.model[0], "a sdk=0.9 batch=4") && !strcmp(x->settings, "sdk=0.9 batch=4"));
    CHECK(x->nsetting == 2 && !strcmp(x->setting[1].name, "batch") &&
          !strcmp(x->setting[1].value, "4") && x->cost_us == 1 && !x->sha256 && !x->trace_sha256);
    CHECK(!strcmp(p.model[1], "b") && !strcmp(x[1].model.path, "d/b") && !*x[1].settings &&
          !strcmp(x[1].sha256, "12") && !strcmp(x[1].trace_sha256, "34") && x[1].cost_us == 7);
}

/* The first line alone; what is not there is no plan. */
static void check_head(Arena *a)
{
    Diag diag = {0};
    ShardHead head;
    ShardPlan p;
    const char *path = in_folder("plan");
    CHECK(shards_file_head(a, path, &head, &diag) == STATUS_INPUT);
    CHECK(shards_file_read(a, path, &p, &diag) == STATUS_INPUT);
    FILE *f = fopen(path, "w");
    fputs(HEAD("[\"m\",\"n\"]", "[[\"batch\",\"2\"]]", "3") "no item", f);
    fclose(f);
    CHECK(!shards_file_head(a, path, &head, &diag));
    CHECK(head.ntold == 2 && !strcmp(head.told[1], "n") && head.items == 3);
    CHECK(head.noption == 1 && !strcmp(head.option[0].name, "batch"));
    f = fopen(path, "w");
    fputs("{}", f);
    fclose(f);
    CHECK(shards_file_head(a, path, &head, &diag) == STATUS_INPUT);
    CHECK(!remove(path));
}

/* ---- answers ---- */

/* All that every result has. */
#define WHOLE                                                                                      \
    .tool = {.version = "1"}, .language = "en", .model = {.file = "m", .sha256 = "12"},            \
    .target = "warboy", .sdk = "0.9", .objective = RESULT_OBJECTIVE_LATENCY,                       \
    .evidence = {.grade = RESULT_GRADE_D}, .gate = {.status = RESULT_STATUS_NONE}
#define LIST(type, ...)                                                                            \
    {                                                                                              \
        (const type[]){__VA_ARGS__}, sizeof((const type[]){__VA_ARGS__}) / sizeof(type)            \
    }
#define STEP(number)                                                                               \
    {                                                                                              \
        .id = (number), .kind = RESULT_STEP_KIND_HOST, .op = "Cast", .reason = "none",             \
        .limited_by = RESULT_LIMIT_HOST, .predicted_ns = &(const ResultIntervalNs)                 \
        {                                                                                          \
            5, 5, 5                                                                                \
        }                                                                                          \
    }
#define CHANGE(number, rule)                                                                       \
    {                                                                                              \
        .id = (number), .rule_id = (rule), .fingerprint = "f", .title = "t",                       \
        .fix = {.sdk = "0.9", .where = RESULT_FIX_WHERE_MODEL, .text = ""},                        \
        .level = RESULT_LEVEL_INFO, .why = "", .risk = "", .alone = {                              \
            .metric = RESULT_OBJECTIVE_LATENCY,                                                    \
            .unit = RESULT_UNIT_NS                                                                 \
        }                                                                                          \
    }

static Status write_two(const Result *r, const char *first, const char *second, Diag *diag)
{
    ResultEntry entry[] = {{.model = first, .status = 1, .error = "why"},
                           {.model = second, .file = "f", .settings = "sdk=0.9"}};
    ResultSet set = {.many = true, .count = 2, .entry = entry, .one = r};
    return fleet_file_write(&set, in_folder("fleet"), diag);
}

static bool answers(sqlite3 *db, const char *question, const char *expected)
{
    char said[256] = "";
    size_t n = 0;
    sqlite3_stmt *st = NULL;
    CHECK(sqlite3_prepare_v2(db, question, -1, &st, NULL) == SQLITE_OK);
    while (sqlite3_step(st) == SQLITE_ROW)
        for (int i = 0; i < sqlite3_column_count(st); i++) {
            const unsigned char *text = sqlite3_column_text(st, i);
            n += (size_t)snprintf(said + n, sizeof said - n, "%s|",
                                  text ? (const char *)text : "NULL");
        }
    sqlite3_finalize(st);
    if (strcmp(said, expected))
        printf("  %s\n", said);
    return !strcmp(said, expected);
}

static void check_written(void)
{
    Diag diag = {0};
    sqlite3 *db = NULL;
    const Result r = {WHOLE, .options = {.batch = {2, true}},
                      .steps = LIST(ResultStep, STEP(0), STEP(1)),
                      .changes = LIST(ResultChange, CHANGE(1, "NPU101"))};
    CHECK(!write_two(&r, "a", "b", &diag));
    CHECK(fleet_file_recognise(in_folder("fleet")));
    CHECK(sqlite3_open_v2(in_folder("fleet"), &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK);
    CHECK(answers(db, "PRAGMA user_version", "2|"));
    CHECK(answers(db, "SELECT id,model,file,settings,status,error,target,sdk,batch FROM models",
                  "0|a|a||1|why|warboy|0.9|2|1|b|f|sdk=0.9|0|NULL|warboy|0.9|2|"));
    CHECK(answers(db, "SELECT model,step,kind,op,predicted_ns,measured_ns FROM steps",
                  "0|0|host|Cast|5.0|NULL|0|1|host|Cast|5.0|NULL|1|0|host|Cast|5.0|NULL|1|1|host|"
                  "Cast|5.0|NULL|"));
    CHECK(answers(db, "SELECT model,change,rule_id,unit,plan FROM findings",
                  "0|1|NPU101|ns|NULL|1|1|NPU101|ns|NULL|"));
    sqlite3_close(db);
    CHECK(!remove(in_folder("fleet")));
    CHECK(!fleet_file_recognise(in_folder("fleet")));
}

/* What a finding does not have is not that of the one before it. */
static void check_nothing_kept(void)
{
    Diag diag = {0};
    sqlite3 *db = NULL;
    const ResultPlan fastest = {
        .id = "0123abcd",
        .recommended = true,
        .changes = LIST(ResultPlanChange, {.id = 1,
                                           .saves = &(const ResultInterval){1, 2, 3},
                                           .source = RESULT_SOURCE_SIMULATED})};
    const Result r = {WHOLE, .changes = LIST(ResultChange, CHANGE(1, "A"), CHANGE(2, "B")),
                      .plans = {&fastest, 1}};
    CHECK(!write_two(&r, "a", "b", &diag));
    CHECK(sqlite3_open_v2(in_folder("fleet"), &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK);
    CHECK(answers(db, "SELECT rule_id,source,plan,gain_lo,gain_mid FROM findings WHERE model=0",
                  "A|simulated|0123abcd|1.0|2.0|B|NULL|NULL|NULL|NULL|"));
    sqlite3_close(db);
    CHECK(!remove(in_folder("fleet")));
    ResultSet none = {.many = true};
    CHECK(fleet_file_write(&none, in_folder("nowhere/fleet"), &diag) == STATUS_USAGE);
}

/* What the schema has once is not there twice: no file then, and it is said. */
static void check_not_written(void)
{
    const struct {
        Result result;
        const char *second;
    } twice[] = {
        {{WHOLE}, "a"},
        {{WHOLE, .steps = LIST(ResultStep, STEP(0), STEP(0))}, "b"},
        {{WHOLE}, NULL}, /* a model has a name */
        {{WHOLE, .changes = LIST(ResultChange, CHANGE(1, "NPU101"), CHANGE(1, "NPU101"))}, "b"},
    };
    for (size_t i = 0; i < sizeof twice / sizeof *twice; i++) {
        Diag diag = {0};
        CHECK(write_two(&twice[i].result, "a", twice[i].second, &diag) == STATUS_INPUT);
        CHECK(strstr(diag.text, "fleet: cannot be written: constraint failed"));
    }
}

int main(void)
{
    Arena *a = arena_new(0);
    CHECK(mkdtemp(folder) != NULL);
    check_refused(a);
    check_read(a);
    check_head(a);
    check_written();
    check_nothing_kept();
    check_not_written();
    arena_free(a);
    CHECK(!rmdir(folder)); /* so nothing is left in it */
    return check_failures() != 0;
}
