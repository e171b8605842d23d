/* Two fleets' files held against each other: what becomes of a model by what is known of it, of a
 * step by how far it scatters, of an operator by all models that have it. */
#include "advisor/fleet/fleet_diff.h"
#include "tests/unit/check.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static Arena *arena;

static const char schema[] =
    "PRAGMA synchronous = OFF; PRAGMA user_version = 1;"
    "CREATE TABLE models(id INTEGER PRIMARY KEY, model, status, error, measured_ns, predicted_ns, "
    "inferences);"
    "CREATE TABLE steps(model, step, kind, op, measured_ns, lo_ns, hi_ns);"
    "CREATE TABLE findings(model, rank, rule_id, unit, gain_mid);";

static const char *file_of(const char *sql)
{
    char *path = arena_strdup(arena, "/tmp/npu-advise fleet%XXXXXX");
    int fd = mkstemp(path);
    sqlite3 *db;
    char *error = NULL;
    if (fd < 0 || close(fd) || sqlite3_open(path, &db) != SQLITE_OK ||
        sqlite3_exec(db, sql, NULL, NULL, &error) != SQLITE_OK) {
        printf("%s: %s\n", path, error ? error : "cannot be made");
        exit(1);
    }
    sqlite3_close(db);
    return path;
}

/* Of files with the schema and what `old` and `new` put in; NULL: refused, see diag. */
static cJSON *compared(const char *old, const char *new, Diag *diag)
{
    const char *path[2] = {file_of(arena_printf(arena, "%s%s", schema, old)),
                           file_of(arena_printf(arena, "%s%s", schema, new))};
    cJSON *tree = NULL;
    fleet_diff(arena, path[0], path[1], &tree, diag);
    unlink(path[0]);
    unlink(path[1]);
    return tree;
}

static const char *kernel_number_or(const cJSON *x)
{
    return cJSON_IsNumber(x) ? arena_printf(arena, "%.6g", x->valuedouble) : "-";
}

/* "name verdict old new (error)", with a * behind what was measured. */
static const char *models_of(const cJSON *tree)
{
    const char *all = "";
    const cJSON *m;
    cJSON_ArrayForEach(m, json_at(tree, "models")) all = arena_printf(
        arena, "%s%s%s %s%s %s %s%s%s", all, *all ? "; " : "", json_text(m, "model", "?"),
        json_text(m, "verdict", "?"), cJSON_IsTrue(json_at(m, "measured")) ? "*" : "",
        kernel_number_or(json_at(m, "old_ns")), kernel_number_or(json_at(m, "new_ns")),
        json_text(m, "error", NULL) ? " " : "", json_text(m, "error", ""));
    return all;
}

static const char *counts_of(const cJSON *tree)
{
    const char *all = "";
    const cJSON *c;
    cJSON_ArrayForEach(c, json_at(tree, "counts")) if (c->valuedouble > 0) all =
        arena_printf(arena, "%s%s%s %.0f", all, *all ? ", " : "", c->string, c->valuedouble);
    return all;
}

#define MODEL(id, name, status, more)                                                              \
    "INSERT INTO models VALUES(" id ",'" name "'," status "," more ",9);"
#define PREDICTED(ns) "NULL,NULL," ns
#define LATENCY(ns)   "NULL," ns ",500"

/* Without steps that were measured on both sides: by what is predicted, beyond 1 %. */
static void without_steps(void)
{
    Diag diag;
    cJSON *tree = compared(
        MODEL("0", "gone", "0", PREDICTED("7")) MODEL("1", "like", "0", PREDICTED("1000"))
            MODEL("2", "less", "0", PREDICTED("1000")) MODEL("3", "slow", "0", PREDICTED("1000"))
                MODEL("4", "fast", "0", PREDICTED("1000")) MODEL("5", "traced", "0", LATENCY("900"))
                    MODEL("6", "both", "1", LATENCY("900"))
                        MODEL("7", "unknown", "0", PREDICTED("NULL"))
                            MODEL("8", "nothing", "0", PREDICTED("0"))
                                MODEL("9", "broken", "0", PREDICTED("1000"))
                                    MODEL("10", "open", "1", PREDICTED("1000"))
                                        MODEL("11", "repaired", "2", PREDICTED("NULL"))
                                            MODEL("12", "bad", "2", PREDICTED("NULL")),
        MODEL("0", "added", "0", PREDICTED("8")) MODEL("1", "like", "0", PREDICTED("1009")) MODEL(
            "2", "less", "0", PREDICTED("991")) MODEL("3", "slow", "0", PREDICTED("1011"))
            MODEL("4", "fast", "1", PREDICTED("989")) MODEL("5", "traced", "0", PREDICTED("999"))
                MODEL("6", "both", "1", LATENCY("900")) MODEL("7", "unknown", "0", PREDICTED("5"))
                    MODEL("8", "nothing", "0", PREDICTED("5"))
                        MODEL("9", "broken", "2", "'no file',NULL,NULL")
                            MODEL("10", "open", "3", PREDICTED("1000"))
                                MODEL("11", "repaired", "1", PREDICTED("3"))
                                    MODEL("12", "bad", "3", PREDICTED("2")),
        &diag);
    CHECK(same_text(models_of(tree),
                    "added added - 8; slow slower 1000 1011; fast faster 1000 989; "
                    "traced undecided* 900 -; both undecided* 900 900; unknown undecided - 5; "
                    "nothing undecided 0 5; broken broken 1000 - no file; open broken 1000 1000; "
                    "repaired repaired - 3; bad undecided - 2; gone gone 7 -"));
    CHECK(same_text(counts_of(tree),
                    "same 2, slower 1, faster 1, undecided 5, broken 2, repaired 1, "
                    "added 1, gone 1"));
    CHECK(json_number_or(tree, "tests", -1) == 0 && json_number_or(tree, "sensitive", -1) == 0);
    CHECK(json_number_or(tree, "level", 0) == 0.05);
    CHECK(!strncmp(json_text(tree, "old", ""), "npu-advise fleet%", 17));
    cJSON_Delete(tree);
}

#define STEP(model, step, kind, op, ns, lo, hi)                                                    \
    "INSERT INTO steps VALUES(" model "," step ",'" kind "','" op "'," ns "," lo "," hi ");"
/* Six models of three steps each, of which 0.3 % is all that medians are known to.  On the new side
 * each step that is not told of takes as long as before. */
#define ALL_MODELS                                                                                 \
    MODEL("0", "a", "0", LATENCY("300"))                                                           \
    MODEL("1", "b", "0", LATENCY("300"))                                                           \
    MODEL("2", "c", "0", LATENCY("300"))                                                           \
    MODEL("3", "d", "0", LATENCY("300"))                                                           \
    MODEL("4", "e", "0", LATENCY("300")) MODEL("5", "f", "0", LATENCY("300"))
#define STEPS_OF(model, first, second, third)                                                      \
    STEP(model, "0", "npu", "npu", first, first, first)                                            \
    STEP(model, "1", "host", "Add", second, second, second)                                        \
    STEP(model, "2", "host", "Softmax", third, third, third)

static const char *steps_of(const cJSON *tree)
{
    const char *all = "";
    const cJSON *m, *s;
    cJSON_ArrayForEach(m, json_at(tree, "models"))
    {
        all = arena_printf(arena, "%s%s%s %s:", all, *all ? "; " : "", json_text(m, "model", "?"),
                           json_text(m, "verdict", "?"));
        cJSON_ArrayForEach(s, json_at(m, "steps")) all = arena_printf(
            arena, "%s %.0f %s %s %+.4g", all, json_number_or(s, "step", -1),
            json_text(s, "kind", "?"), json_text(s, "op", "?"), json_number_or(s, "change", 9));
    }
    return all;
}

static const char *operators_of(const cJSON *tree)
{
    const char *all = "";
    const cJSON *o;
    cJSON_ArrayForEach(o, json_at(tree, "operators")) all = arena_printf(
        arena, "%s%s%s %s: %.0f models, %.0f steps, %.0f slower, %.0f faster, %.5f %.5f %.5f", all,
        *all ? "; " : "", json_text(o, "kind", "?"), json_text(o, "op", "?"),
        json_number_or(o, "models", -1), json_number_or(o, "steps", -1),
        json_number_or(o, "slower", -1), json_number_or(o, "faster", -1),
        json_number_or(o, "change.lo", 9), json_number_or(o, "change.mid", 9),
        json_number_or(o, "change.hi", 9));
    return all;
}

/* a: Add takes 1.5 times as long.  b: Add 1.5 times, Softmax half.  c: npu 0.8 times.  All others
 * as before. Medians are known to 0.3 %, differences to 0.3 % x sqrt 2 = 0.42 %: a change of 50 %
 * is no chance whatever else is compared.  Over the models no operator has a mean that is: Add has
 * the logarithm of 1.5 twice and 0 four times. */
static void with_steps(void)
{
    Diag diag;
    cJSON *tree =
        compared(ALL_MODELS STEPS_OF("0", "100", "100", "100") STEPS_OF("1", "100", "100", "100")
                     STEPS_OF("2", "100", "100", "100") STEPS_OF("3", "100", "100", "100")
                         STEPS_OF("4", "100", "100", "100") STEPS_OF("5", "100", "100", "100"),
                 ALL_MODELS STEPS_OF("0", "100", "150", "100") STEPS_OF("1", "100", "150", "50")
                     STEPS_OF("2", "80", "100", "100") STEPS_OF("3", "100", "100", "100")
                         STEPS_OF("4", "100", "100", "100") STEPS_OF("5", "100", "100", "100"),
                 &diag);
    CHECK(same_text(steps_of(tree),
                    "a slower: 1 host Add +0.5; b mixed: 1 host Add +0.5 2 host Softmax "
                    "-0.5; c faster: 0 npu npu -0.2"));
    CHECK(same_text(counts_of(tree), "same 3, slower 1, faster 1, mixed 1"));
    CHECK(same_text(operators_of(tree), ""));
    CHECK(json_number_or(tree, "tests", -1) == 18);
    /* Told four times of five: 5 % less 0.84 of 0.42 % is eleven times 0.42 %. */
    CHECK(json_number_or(tree, "sensitive", -1) == 18);
    cJSON_Delete(tree);
}

/* Add takes 2 % longer in all six models. A difference of two medians is known to no better than
 * 0.3 % x sqrt 2, the mean of six to 0.3 % x sqrt(2 / 6) = 0.1732 %, of five degrees of freedom:
 * nine times of ten within 2.015 x 0.1732 % = 0.3490 %.  log 1.02 = 0.0198026, and exp(0.0198026 -
 * 0.0034902) - 1 = 0.016446, exp(0.0198026 + 0.0034902) - 1 = 0.023566. */
static void by_operator(void)
{
    Diag diag;
    cJSON *tree =
        compared(ALL_MODELS STEPS_OF("0", "100", "100", "100") STEPS_OF("1", "100", "100", "100")
                     STEPS_OF("2", "100", "100", "100") STEPS_OF("3", "100", "100", "100")
                         STEPS_OF("4", "100", "100", "100") STEPS_OF("5", "100", "100", "100"),
                 ALL_MODELS STEPS_OF("0", "100", "102", "100") STEPS_OF("1", "100", "102", "100")
                     STEPS_OF("2", "100", "102", "100") STEPS_OF("3", "100", "102", "100")
                         STEPS_OF("4", "100", "102", "100") STEPS_OF("5", "100", "102", "100"),
                 &diag);
    CHECK(same_text(operators_of(tree),
                    "host Add: 6 models, 6 steps, 6 slower, 0 faster, 0.01644 0.02000 0.02357"));
    cJSON_Delete(tree);
    /* Of four models nothing is said. */
    tree =
        compared(MODEL("0", "a", "0", LATENCY("300")) MODEL("1", "b", "0", LATENCY("300"))
                     MODEL("2", "c", "0", LATENCY("300")) MODEL("3", "d", "0", LATENCY("300"))
                         STEPS_OF("0", "100", "100", "100") STEPS_OF("1", "100", "100", "100")
                             STEPS_OF("2", "100", "100", "100") STEPS_OF("3", "100", "100", "100"),
                 MODEL("0", "a", "0", LATENCY("300")) MODEL("1", "b", "0", LATENCY("300"))
                     MODEL("2", "c", "0", LATENCY("300")) MODEL("3", "d", "0", LATENCY("300"))
                         STEPS_OF("0", "100", "102", "100") STEPS_OF("1", "100", "102", "100")
                             STEPS_OF("2", "100", "102", "100") STEPS_OF("3", "100", "102", "100"),
                 &diag);
    CHECK(same_text(operators_of(tree), ""));
    CHECK(same_text(counts_of(tree), "slower 4"));
    cJSON_Delete(tree);
}

/* Models of which a step was not measured, or too few times, or is another: nothing to compare. */
static void incomparable(void)
{
    Diag diag;
#define MEASURED(id, name, inferences)                                                             \
    "INSERT INTO models VALUES(" id ",'" name "',0,NULL,300,200," inferences ");"
    static const char old[] = MEASURED("0", "few", "4") MEASURED("1", "five", "5")
        MEASURED("2", "unmeasured", "9") MEASURED("3", "zero", "9") MEASURED("4", "other op", "9")
            MEASURED("5", "more", "9") STEP("0", "0", "npu", "npu", "100", "100", "100")
                STEP("1", "0", "npu", "npu", "100", "100", "100")
                    STEP("2", "0", "npu", "npu", "NULL", "NULL", "NULL")
                        STEP("3", "0", "npu", "npu", "0", "0", "0")
                            STEP("4", "0", "host", "Add", "100", "100", "100")
                                STEP("5", "0", "npu", "npu", "100", "100", "100");
    static const char new[] = MEASURED("0", "few", "9") MEASURED("1", "five", "5")
        MEASURED("2", "unmeasured", "9") MEASURED("3", "zero", "9") MEASURED("4", "other op", "9")
            MEASURED("5", "more", "9") STEP("0", "0", "npu", "npu", "200", "200", "200")
                STEP("1", "0", "npu", "npu", "200", "200", "200")
                    STEP("2", "0", "npu", "npu", "200", "200", "200")
                        STEP("3", "0", "npu", "npu", "200", "200", "200")
                            STEP("4", "0", "host", "Mul", "200", "200", "200")
                                STEP("5", "0", "npu", "npu", "200", "200", "200")
                                    STEP("5", "1", "host", "Add", "1", "1", "1");
    cJSON *tree = compared(old, new, &diag);
    CHECK(same_text(steps_of(tree),
                    "few undecided:; five slower: 0 npu npu +1; unmeasured undecided:; "
                    "zero undecided:; other op undecided:; more undecided:"));
    CHECK(json_number_or(tree, "tests", -1) == 1);
    cJSON_Delete(tree);
    tree = compared(new, old, &diag);
    CHECK(same_text(steps_of(tree),
                    "few undecided:; five faster: 0 npu npu -0.5; unmeasured undecided:; "
                    "zero undecided:; other op undecided:; more undecided:"));
    cJSON_Delete(tree);
}

/* Holm: of two steps the likelier chance is held against 0.05 only where the other is none.  100 to
 * 100.9377 is 2.2 times 0.3 % x sqrt 2 off: a chance of 0.028, more than 0.05 / 2. */
static void one_by_one(void)
{
    Diag diag;
    cJSON *tree = compared(
        MODEL("0", "a", "0", LATENCY("300")) STEPS_OF("0", "100", "100", "NULL"),
        MODEL("0", "a", "0", LATENCY("300")) STEPS_OF("0", "200", "100.9377", "100"), &diag);
    CHECK(same_text(steps_of(tree), "a slower: 0 npu npu +1 1 host Add +0.009377"));
    const cJSON *second = json_at(json_at(tree, "models")->child, "steps")->child->next;
    CHECK_NEAR(json_number_or(second, "chance", 0), 0.0278, 0.003);
    cJSON_Delete(tree);
    tree = compared(MODEL("0", "a", "0", LATENCY("300")) STEPS_OF("0", "100", "100", "NULL"),
                    MODEL("0", "a", "0", LATENCY("300")) STEPS_OF("0", "100", "100.9377", "100"),
                    &diag);
    CHECK(same_text(counts_of(tree), "same 1"));
    cJSON_Delete(tree);
}

/* Five models of two Adds and a Mul each. */
#define FIVE(add, more, mul)                                                                       \
    EACH("0", "a", add, more, mul)                                                                 \
    EACH("1", "b", add, more, mul)                                                                 \
    EACH("2", "c", add, more, mul) EACH("3", "d", add, more, mul) EACH("4", "e", add, more, mul)
#define EACH(id, name, add, more, mul)                                                             \
    MODEL(id, name, "0", LATENCY("300"))                                                           \
    STEP(id, "0", "host", "Add", add, add, add)                                                    \
    STEP(id, "1", "host", "Add", more, more, more)                                                 \
    STEP(id, "2", "host", "Mul", mul, mul, mul)

/* The Adds of a model count once: sqrt(1.01 x 1.03) - 1 = 0.019951.  A mean of five is known to
 * 0.3 % x sqrt(2 / 5) = 0.19 %, of four degrees of freedom: 0.628 % is 3.3 times that, a chance of
 * 0.03, less than 0.05 and more than 0.05 / 2. No Mul alone has changed: 0.628 % is 1.5 times 0.42
 * %.
 */
static void some_of_them(void)
{
    Diag diag;
    cJSON *tree = compared(FIVE("100", "100", "100"), FIVE("101", "103", "100.628"), &diag);
    const char *told = operators_of(tree), *second = strstr(told, "; ");
    CHECK(strstr(told, "host Add: 5 models, 10 steps, 5 slower, 0 faster, ") == told);
    CHECK(strstr(told, " 0.01995 "));
    CHECK(second && strstr(second, "host Mul: 5 models, 5 steps, 0 slower, 0 faster, "));
    CHECK(second && strstr(second, " 0.00628 "));
    cJSON_Delete(tree);
    tree = compared(FIVE("100", "100", "100"), FIVE("99", "97", "100.628"), &diag);
    told = operators_of(tree);
    CHECK(strstr(told, "host Add: 5 models, 10 steps, 0 slower, 5 faster, ") == told);
    cJSON_Delete(tree);
    tree = compared(FIVE("100", "100", "100"), FIVE("100", "100", "100.628"), &diag);
    CHECK(same_text(operators_of(tree), ""));
    cJSON_Delete(tree);
}

/* 96.57 to 103.55 is a standard error of log(103.55 / 96.57) / 3.29 = 2.12 %, of two 3 %: 5 % less
 * 0.84 of it is 0.0488 - 0.0252 = 0.0236, which 3 % would hide. */
static void hidden(void)
{
    Diag diag;
    static const char one[] =
        MODEL("0", "a", "0", LATENCY("300")) STEP("0", "0", "npu", "npu", "100", "96.57", "103.55");
    static const char other[] =
        MODEL("0", "a", "0", LATENCY("300")) STEP("0", "0", "npu", "npu", "100", "99", "101");
    cJSON *tree = compared(one, one, &diag);
    CHECK(json_number_or(tree, "tests", -1) == 1 && json_number_or(tree, "sensitive", -1) == 0);
    cJSON_Delete(tree);
    tree = compared(other, other, &diag);
    CHECK(json_number_or(tree, "sensitive", -1) == 1);
    cJSON_Delete(tree);
}

#define FINDING(model, rank, rule, unit, gain)                                                     \
    "INSERT INTO findings VALUES(" model "," rank ",'" rule "','" unit "'," gain ");"

/* A rule's gains in one model are one model's; none and losses do not count. */
static void of_rules(void)
{
    Diag diag;
    const cJSON *r;
    const char *all = "";
    cJSON *tree =
        compared(FINDING("0", "1", "NPU101", "ns", "10") FINDING("0", "2", "NPU101", "ns", "5")
                     FINDING("1", "1", "NPU101", "ns", "1") FINDING("1", "2", "NPU102", "ns", "0"),
                 FINDING("0", "1", "NPU101", "per_s", "3") FINDING("0", "2", "NPU103", "ns", "7")
                     FINDING("0", "3", "NPU104", "ns", "-7"),
                 &diag);
    cJSON_ArrayForEach(r, json_at(tree, "rules")) all =
        arena_printf(arena, "%s%s%s %s %.0f %s, %.0f %s", all, *all ? "; " : "",
                     json_text(r, "rule_id", "?"), json_text(r, "unit", "?"),
                     json_number_or(r, "old.models", -1), kernel_number_or(json_at(r, "old.gain")),
                     json_number_or(r, "new.models", -1), kernel_number_or(json_at(r, "new.gain")));
    CHECK(same_text(all, "NPU101 ns 2 16, 0 -; NPU103 ns 0 -, 1 7; NPU101 per_s 0 -, 1 3"));
    cJSON_Delete(tree);
}

static void refused(void)
{
    static const struct {
        const char *sql, *why;
    } check[] = {
        {"PRAGMA synchronous = OFF; PRAGMA user_version = 3; CREATE TABLE models(x); CREATE TABLE "
         "steps(x); "
         "CREATE TABLE findings(x);",
         "is not a fleet's file of version 2"},
        {"PRAGMA synchronous = OFF; PRAGMA user_version = 1; CREATE TABLE models(x); CREATE TABLE "
         "steps(x); "
         "CREATE VIEW findings AS SELECT 1;",
         "is not a fleet's file of version 2"},
        {"PRAGMA synchronous = OFF; PRAGMA user_version = 1; CREATE TABLE models(x); CREATE TABLE "
         "steps(x); "
         "CREATE TABLE findings(x);",
         "cannot be read as a fleet's file: "},
    };
    for (size_t i = 0; i < sizeof check / sizeof *check; i++) {
        const char *good = file_of(schema), *bad = file_of(check[i].sql);
        for (int is_old = 0; is_old < 2; is_old++) {
            Diag diag;
            cJSON *tree = NULL;
            Status st = fleet_diff(arena, is_old ? bad : good, is_old ? good : bad, &tree, &diag);
            CHECK(st == STATUS_INPUT && !tree && strstr(diag.text, check[i].why));
        }
        unlink(good);
        unlink(bad);
    }
    Diag diag;
    cJSON *tree = NULL;
    const char *good = file_of(schema);
    CHECK(fleet_diff(arena, good, "/nowhere", &tree, &diag) == STATUS_INPUT && !tree);
    CHECK(strstr(diag.text, "/nowhere: cannot be read: No such file"));
    unlink(good);
}

int main(void)
{
    arena = arena_new(0);
    without_steps();
    with_steps();
    by_operator();
    incomparable();
    one_by_one();
    some_of_them();
    hidden();
    of_rules();
    refused();
    arena_free(arena);
    return check_failures() != 0;
}
