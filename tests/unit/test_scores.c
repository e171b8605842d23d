/* Scores of runs before and after a change: what is told, of which runs, and how sure it is. */
#include "advisor/measure/scores.h"
#include "advisor/message/json.h"
#include "tests/unit/check.h"

#include <math.h>
#include <string.h>

static Arena *arena;

static Scores *pairs(ScoresKind kind, const double (*pair)[2], size_t n)
{
    Scores *s = scores_new(arena, kind, "out");
    for (size_t i = 0; i < n; i++)
        scores_add(s, pair[i][0], pair[i][1]);
    return s;
}

static Accuracy told(const Scores *s, bool exact)
{
    Accuracy x = {.known = true, .exact = exact, .images = scores_count(s), .output = "other"};
    x.head = (AccuracyFigure){"sqnr", "dB", 30, 29, 31};
    scores_apply(s, &x, 1);
    return x;
}

static bool is(const AccuracyFigure *f, const char *metric, const char *unit, double value,
               double lo, double hi)
{
    bool same = !strcmp(f->metric, metric) && !strcmp(f->unit, unit) &&
                fabs(f->value - value) < 1e-9 && fabs(f->lo - lo) < 1e-9 && fabs(f->hi - hi) < 1e-9;
    if (!same)
        printf("found %s %s %.12g %.12g %.12g\n", f->metric, f->unit, f->value, f->lo, f->hi);
    return same;
}

/* 8 of 10 were right and 5 are.  Of as many drawn with equal chances of right and wrong two are or
 * fewer in 5.5 % of all cases, and eight or more: 0.2 to 0.8.  Of 8 of 10: 4 or fewer in 0.6 %, 5
 * in 3.3 %, 6 or fewer in 12.1 %; all ten in 10.7 %.  0.3 is lost: of ten draws of three that lose
 * one, one or none loses in 14.9 %, none in 2.8 %; six
 * or more in 4.7 %, which 1,000 draws do not tell from 5 %. */
static void right_answers(void)
{
    static const double pair[][2] = {{1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1},
                                     {1, 0}, {1, 0}, {1, 0}, {0, 0}, {0, 0}};
    Accuracy x = told(pairs(SCORES_TOP1, pair, 10), false);
    CHECK(is(&x.head, "top1", "share", 0.5, 0.2, 0.8));
    CHECK(x.nmore == 2 && is(&x.more[0], "sqnr", "dB", 30, 29, 31));
    CHECK(is(&x.more[1], "top1_before", "share", 0.8, 0.6, 1));
    CHECK(!strcmp(x.output, "out"));
    CHECK_NEAR(x.loss, 0.3, 1e-9);
    CHECK_NEAR(x.loss_lo, 0.1, 1e-9);
    CHECK_NEAR(x.loss_hi, 0.6, 1e-9);
    /* Exact: nothing is lost; the score is told beside the head. */
    x = told(pairs(SCORES_TOP1, pair, 10), true);
    CHECK(x.nmore == 1 && is(&x.more[0], "top1", "share", 0.5, 0.2, 0.8));
    CHECK(is(&x.head, "sqnr", "dB", 30, 29, 31) && !strcmp(x.output, "other") && x.loss == 0 &&
          x.loss_lo == 0 && x.loss_hi == 0);
}

/* All ten right, before and after: a share of 0.05^(1/10) = 0.741134 of all images could be, so as
 * much as 0.258866 may be lost.  All wrong: up to 0.258866 may be right. */
static void all_alike(void)
{
    double pair[10][2];
    for (int i = 0; i < 10; i++)
        pair[i][0] = pair[i][1] = 1;
    Accuracy x = told(pairs(SCORES_TOP1, pair, 10), false);
    CHECK(is(&x.head, "top1", "share", 1, pow(0.05, 0.1), 1));
    CHECK(x.loss == 0 && x.loss_lo == 0 && fabs(x.loss_hi - (1 - pow(0.05, 0.1))) < 1e-9);
    for (int i = 0; i < 10; i++)
        pair[i][0] = pair[i][1] = 0;
    x = told(pairs(SCORES_TOP1, pair, 10), false);
    CHECK(is(&x.head, "top1", "share", 0, 0, 1 - pow(0.05, 0.1)));
    /* Of the user's own figures nobody knows what more could differ, nor where they end. */
    x = told(pairs(SCORES_METRIC, pair, 10), false);
    CHECK(is(&x.head, "metric", "value", 0, 0, 0) && x.loss_hi == 0);
    for (int i = 0; i < 10; i++)
        pair[i][0] = pair[i][1] = 2;
    x = told(pairs(SCORES_METRIC, pair, 10), false);
    CHECK(is(&x.head, "metric", "value", 2, 2, 2) && x.loss_hi == 0);
}

/* What differs is known by its runs, whichever way it does. */
static void better(void)
{
    static const double pair[][2] = {{0, 1}, {0, 1}};
    Accuracy x = told(pairs(SCORES_TOP1, pair, 2), false);
    CHECK(is(&x.more[1], "top1_before", "share", 0, 0, 1 - sqrt(0.05)));
    CHECK(x.loss == 0 && x.loss_lo == 0 && x.loss_hi == 0);
    static const double worse[][2] = {{1, 0}, {1, 0}};
    x = told(pairs(SCORES_TOP1, worse, 2), false);
    CHECK(x.loss == 1 && x.loss_lo == 1 && x.loss_hi == 1);
}

/* 6 boxes of 8 are the same; of all runs or nothing. */
static void boxes(void)
{
    static const double pair[][2] = {{4, 3}, {4, 3}};
    Accuracy x = told(pairs(SCORES_BOXES, pair, 2), false);
    CHECK(x.nmore == 1 && is(&x.head, "box_agreement", "share", 0.75, 0.75, 0.75));
    CHECK(x.loss == 0.25 && x.loss_lo == 0.25 && x.loss_hi == 0.25);
    Scores *s = pairs(SCORES_BOXES, pair, 2);
    Accuracy y = {.known = true, .images = 3};
    scores_apply(s, &y, 1);
    CHECK(y.nmore == 0 && !y.head.metric);
    static const double none[][2] = {{0, 0}, {0, 0}};
    CHECK(told(pairs(SCORES_BOXES, none, 2), false).nmore == 0);
    static const double some[][2] = {{0, 0}, {2, 2}};
    x = told(pairs(SCORES_BOXES, some, 2), false);
    CHECK(is(&x.head, "box_agreement", "share", 1, sqrt(0.05), 1));
}

/* From 5 to 4 a fifth is lost; of what is below zero the size counts; from nothing all or none. */
static void metrics(void)
{
    static const double lost[][2] = {{5, 4}}, below[][2] = {{-5, -6}}, nothing[][2] = {{0, -1}},
                        gained[][2] = {{0, 1}}, more[][2] = {{5, 6}}, far[][2] = {{1, -4}};
    Accuracy x = told(pairs(SCORES_METRIC, lost, 1), false);
    CHECK(is(&x.head, "metric", "value", 4, 4, 4) && fabs(x.loss - 0.2) < 1e-9);
    CHECK(is(&x.more[1], "metric_before", "value", 5, 5, 5));
    CHECK(fabs(told(pairs(SCORES_METRIC, below, 1), false).loss - 0.2) < 1e-9);
    CHECK(told(pairs(SCORES_METRIC, nothing, 1), false).loss == 1);
    CHECK(told(pairs(SCORES_METRIC, gained, 1), false).loss == 0);
    CHECK(told(pairs(SCORES_METRIC, more, 1), false).loss == 0);
    CHECK(told(pairs(SCORES_METRIC, far, 1), false).loss == 1);
}

static void untold(void)
{
    static const double pair[][2] = {{5, 4}};
    Accuracy x = {0};
    scores_apply(pairs(SCORES_METRIC, pair, 1), &x, 1);
    CHECK(!x.head.metric && x.nmore == 0);
    x.known = true;
    scores_apply(scores_new(arena, SCORES_METRIC, "m"), &x, 1);
    CHECK(!x.head.metric && x.nmore == 0);
    scores_apply(scores_new(arena, SCORES_MAP, "m"), &x, 1);
    CHECK(!x.head.metric && x.nmore == 0);
    /* Where there is room. */
    x.nmore = ACCURACY_MORE - 1;
    scores_apply(pairs(SCORES_METRIC, pair, 1), &x, 1);
    CHECK(x.nmore == ACCURACY_MORE && !strcmp(x.head.metric, "metric"));
}

/* Two pictures of one object each, of which the second is missed after the change: precision 1 at
 * recall 0.5, which 51 of 101 points of recall have: 51 / 101 = 0.50495. */
static void precision(void)
{
    const LabeledBox there = {.box = {0, 0, 10, 10, 0, 0}};
    const DetectionBox good = {0, 0, 10, 10, 0.9, 0}, bad = {90, 90, 100, 100, 0.8, 0};
    Scores *s = scores_new(arena, SCORES_MAP, "out");
    scores_add_boxes(s, (DetectionList){&good, 1}, (DetectionList){&good, 1}, &there, 1);
    scores_add_boxes(s, (DetectionList){&good, 1}, (DetectionList){&bad, 1}, &there, 1);
    CHECK(scores_count(s) == 2);
    Accuracy x = told(s, false);
    CHECK(x.nmore == 4 && !strcmp(x.head.metric, "map") &&
          !strcmp(x.more[1].metric, "map_before") && !strcmp(x.more[2].metric, "map50") &&
          !strcmp(x.more[3].metric, "map50_before"));
    CHECK_NEAR(x.head.value, 51 / 101., 1e-9);
    CHECK_NEAR(x.more[1].value, 1, 1e-9);
    CHECK_NEAR(x.more[2].value, 51 / 101., 1e-9);
    CHECK_NEAR(x.more[3].value, 1, 1e-9);
    CHECK_NEAR(x.loss, 50 / 101., 1e-9);
    CHECK(x.head.lo == 0);
    CHECK_NEAR(x.head.hi, 1, 1e-9);
    CHECK_NEAR(x.more[1].lo, 1, 1e-9);
    CHECK_NEAR(x.more[1].hi, 1, 1e-9);
    x = told(s, true);
    CHECK(x.nmore == 2 && !strcmp(x.more[0].metric, "map") && !strcmp(x.more[1].metric, "map50"));
    /* Kept, and put in again. */
    cJSON *runs = scores_runs(s, 0), *last = scores_runs(s, 1);
    CHECK(cJSON_GetArraySize(json_at(runs, "drawn")) == 4 &&
          cJSON_GetArraySize(json_at(last, "drawn")) == 2);
    Scores *again = scores_new(arena, SCORES_MAP, "out");
    CHECK(scores_restore(again, runs) && scores_count(again) == 2);
    CHECK_NEAR(told(again, false).loss, 50 / 101., 1e-9);
    cJSON_DeleteItemFromArray(cJSON_GetObjectItem(runs, "drawn"), 0);
    CHECK(!scores_restore(scores_new(arena, SCORES_MAP, "out"), runs));
    cJSON_Delete(runs);
    cJSON_Delete(last);
}

static bool restores(ScoresKind kind, const char *json)
{
    cJSON *runs = cJSON_Parse(json);
    bool ok = scores_restore(scores_new(arena, kind, "out"), runs);
    cJSON_Delete(runs);
    return ok;
}

static void kept(void)
{
    static const double pair[][2] = {{1, 2}, {3, 4}, {5, 6}};
    cJSON *runs = scores_runs(pairs(SCORES_METRIC, pair, 3), 1);
    char *text = cJSON_PrintUnformatted(runs);
    CHECK(!strcmp(text, "{\"metric\":\"metric\",\"of\":\"out\",\"before\":[3,5],\"after\":[4,6]}"));
    Scores *s = pairs(SCORES_METRIC, pair, 1);
    CHECK(scores_restore(s, runs) && scores_count(s) == 3);
    CHECK(is(&(AccuracyFigure){"a", "b", told(s, false).head.value, 0, 0}, "a", "b", 4, 0, 0));
    cJSON_free(text);
    cJSON_Delete(runs);
#define RUNS(metric, of, before, after)                                                            \
    "{\"metric\":\"" metric "\",\"of\":\"" of "\",\"before\":" before ",\"after\":" after "}"
    CHECK(restores(SCORES_TOP1, RUNS("top1", "out", "[1,2]", "[3,4]")));
    CHECK(!restores(SCORES_TOP1, RUNS("metric", "out", "[1,2]", "[3,4]")));
    CHECK(!restores(SCORES_TOP1, RUNS("top1", "in", "[1,2]", "[3,4]")));
    CHECK(!restores(SCORES_TOP1, RUNS("top1", "out", "[1,2]", "[3]")));
    CHECK(!restores(SCORES_TOP1, RUNS("top1", "out", "1", "[3]")));
    CHECK(!restores(SCORES_TOP1, RUNS("top1", "out", "[1]", "3")));
    CHECK(!restores(SCORES_TOP1, RUNS("top1", "out", "[\"1\"]", "[3]")));
    CHECK(!restores(SCORES_TOP1, RUNS("top1", "out", "[1]", "[null]")));
    CHECK(restores(SCORES_TOP1, RUNS("top1", "out", "[]", "[]")));
    CHECK(!restores(SCORES_MAP, RUNS("map", "out", "[1]", "[3]")));
}

int main(void)
{
    arena = arena_new(0);
    right_answers();
    all_alike();
    better();
    boxes();
    metrics();
    untold();
    precision();
    kept();
    arena_free(arena);
    return check_failures() != 0;
}
