/* How far outputs lie apart: figures by hand, what an output is taken for, and what is kept. */
#include "advisor/message/json.h"
#include "advisor/candidate/comparer.h"
#include "graph/base/arena.h"
#include "tests/unit/check.h"

#include "graph/model/model.h"

#include <math.h>
#include <string.h>

static Arena *arena;

static Shape shape_of(int32_t rank, int64_t a, int64_t b, int64_t c, int64_t d)
{
    Dim *dim = ARENA_ARRAY(arena, Dim, 4);
    const int64_t value[] = {a, b, c, d};
    for (int32_t i = 0; i < rank; i++)
        dim[i].value = value[i];
    return (Shape){.rank = rank, .dim = dim};
}

static const char *head_of(DType dtype, Shape s)
{
    enum { COUNT_MAX = 3 * 16 * 16 };
    double before[COUNT_MAX], after[COUNT_MAX];
    for (size_t i = 0; i < COUNT_MAX; i++) {
        before[i] = (double)(i % 7) / 8;
        after[i] = before[i] + 0.125 * (double)(i % 2);
    }
    Comparer *c = comparer_new(arena, "y", dtype, &s);
    comparer_add(c, before, after, COUNT_MAX);
    return comparer_result(&c, 1, 1).head.metric;
}

static double figure_of(const Accuracy *x, const char *metric)
{
    for (size_t i = 0; i < x->nmore; i++)
        if (!strcmp(x->more[i].metric, metric))
            return x->more[i].value;
    return NAN;
}

#define IS(found, word) CHECK(!strcmp(found, word))

static void kinds(void)
{
    IS(head_of(DT_INT64, shape_of(2, 1, 10, 0, 0)), "answer_agreement");
    IS(head_of(DT_BOOL, shape_of(2, 1, 10, 0, 0)), "answer_agreement");
    IS(head_of(DT_FLOAT32, shape_of(2, 1, 12, 0, 0)), "top1_agreement");
    IS(head_of(DT_FLOAT32, shape_of(4, 2, 12, 1, 1)), "top1_agreement");
    IS(head_of(DT_FLOAT32, shape_of(4, 1, 1, 1, 12)), "top1_agreement");
    IS(head_of(DT_FLOAT32, shape_of(2, 1, 1, 0, 0)), "sqnr");
    IS(head_of(DT_FLOAT32, shape_of(1, 12, 0, 0, 0)), "sqnr");
    IS(head_of(DT_FLOAT32, shape_of(3, 1, 12, 2, 0)), "sqnr");
    IS(head_of(DT_FLOAT32, shape_of(4, 1, 3, 16, 16)), "psnr");
    IS(head_of(DT_FLOAT32, shape_of(4, 1, 1, 16, 16)), "psnr");
    IS(head_of(DT_FLOAT32, shape_of(4, 1, 16, 16, 3)), "psnr");
    IS(head_of(DT_FLOAT32, shape_of(4, 1, 16, 16, 1)), "psnr");
    IS(head_of(DT_FLOAT32, shape_of(4, 1, 2, 16, 16)), "sqnr");
    IS(head_of(DT_FLOAT32, shape_of(4, 1, 16, 16, 2)), "sqnr");
    IS(head_of(DT_FLOAT32, shape_of(4, 1, 3, 15, 16)), "sqnr");
    IS(head_of(DT_FLOAT32, shape_of(4, 1, 3, 16, 15)), "sqnr");
    IS(head_of(DT_FLOAT32, shape_of(4, 1, 15, 16, 3)), "sqnr");
    IS(head_of(DT_FLOAT32, shape_of(4, 1, 16, 15, 3)), "sqnr");
    Shape s = shape_of(4, 3, 12, 1, 1);
    CHECK(comparer_class_count(&s) == 12);
    s = shape_of(3, 3, 12, 2, 0);
    CHECK(comparer_class_count(&s) == 0);
    s = shape_of(2, 1, 0, 0, 0);
    CHECK(comparer_class_count(&s) == 1);
}

/* Of (3, 4) and (3, 2): error 4, signal 25. */
static void values(void)
{
    Shape s = shape_of(3, 1, 2, 2, 0);
    Comparer *c = comparer_new(arena, "y", DT_FLOAT32, &s);
    comparer_add(c, (double[]){3, 4}, (double[]){3, 2}, 2);
    CHECK(comparer_count(c) == 1);
    Accuracy x = comparer_result(&c, 1, 1);
    CHECK(x.known && !x.exact && !x.constant && x.images == 1 && x.nmore == 3);
    IS(x.head.metric, "sqnr");
    CHECK_NEAR(x.head.value, 10 * log10(25. / 4), 1e-12);
    CHECK(x.head.lo == x.head.value && x.head.hi == x.head.value);
    CHECK_NEAR(x.loss, 2. / 5, 1e-12);
    CHECK(x.loss_lo == x.loss && x.loss_hi == x.loss);
    CHECK_NEAR(figure_of(&x, "max_difference"), 2, 1e-12);
    CHECK_NEAR(figure_of(&x, "cosine"), 17 / (5 * sqrt(13)), 1e-12);
    CHECK_NEAR(figure_of(&x, "rms_difference"), sqrt(2), 1e-12);
    CHECK(accuracy_in(&x, "dB") == &x.head && accuracy_in(&x, "share") == &x.more[1]);
    CHECK(accuracy_in(&x, "value") == &x.more[0] && !accuracy_in(&x, "m"));

    /* Nothing where something was, and something where nothing was. */
    c = comparer_new(arena, "y", DT_FLOAT32, &s);
    comparer_add(c, (double[]){0, 0}, (double[]){0, 1}, 2);
    x = comparer_result(&c, 1, 1);
    CHECK(x.head.value == -ACCURACY_DB_MAX && x.loss == 1 && figure_of(&x, "cosine") == 0);
    /* No numbers alike do not differ; one that is none is beyond all. */
    c = comparer_new(arena, "y", DT_FLOAT32, &s);
    comparer_add(c, (double[]){NAN, INFINITY}, (double[]){NAN, INFINITY}, 2);
    x = comparer_result(&c, 1, 1);
    CHECK(x.known && x.exact && x.head.value == 0 && x.images == 1);
    IS(x.head.metric, "max_difference");
    c = comparer_new(arena, "y", DT_FLOAT32, &s);
    comparer_add(c, (double[]){1, 1}, (double[]){1, NAN}, 2);
    x = comparer_result(&c, 1, 1);
    CHECK(figure_of(&x, "max_difference") == 1e30 && x.head.value == -ACCURACY_DB_MAX);
}

static void classes(void)
{
    Shape s = shape_of(2, 2, 3, 0, 0);
    Comparer *c = comparer_new(arena, "y", DT_FLOAT32, &s);
    /* Two rows of three: the first of the greatest is the same in one of them. */
    comparer_add(c, (double[]){1, 5, 5, 2, 0, 1}, (double[]){1, 5, 6, 3, 0, 1}, 6);
    Accuracy x = comparer_result(&c, 1, 1);
    CHECK(x.head.value == 0.5 && x.loss == 0.5 && x.nmore == 4);
    CHECK(comparer_argmax((double[]){1, 5, 5}, 3) == 1 && comparer_argmax((double[]){7}, 1) == 0);
    /* All agree: as many would in one case of twenty where 0.05^(1/n) of all do. */
    c = comparer_new(arena, "y", DT_FLOAT32, &s);
    for (int k = 0; k < 2; k++)
        comparer_add(c, (double[]){1, 5, 0, 2, 0, 1}, (double[]){1, 6, 0, 2, 0, 1}, 6);
    x = comparer_result(&c, 1, 1);
    CHECK(x.head.value == 1 && x.head.hi == 1 && x.loss == 0 && x.constant);
    CHECK_NEAR(x.head.lo, sqrt(0.05), 1e-12);
    CHECK_NEAR(comparer_share_bound(1), 0.05, 1e-12);
    c = comparer_new(arena, "y", DT_INT32, &s);
    comparer_add(c, (double[]){1, 2}, (double[]){3, 4}, 2);
    x = comparer_result(&c, 1, 1);
    CHECK(x.head.value == 0 && x.head.lo == 0 && x.loss == 1);
    CHECK_NEAR(x.head.hi, 0.95, 1e-12);
}

/* A picture's peak is 1, 255 or its range. */
static void pictures(void)
{
    enum { N = 16 * 16 };
    static const struct {
        double lo, hi, peak;
    } list[] = {{0, 1, 1},         {-0.25, 1.25, 1},      {-0.26, 1, 255}, {0, 1.26, 255},
                {0, 255, 255},     {-63.75, 318.75, 255}, {-64, 200, 264}, {0, 319, 319},
                {-0.5, 0.75, 255}, {-1000, -999, 1},      {5, 250, 255}};
    Shape s = shape_of(4, 1, 1, 16, 16);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        double before[N], after[N];
        for (size_t k = 0; k < N; k++) {
            before[k] = k % 2 ? list[i].lo : list[i].hi;
            after[k] = before[k] + 0.5;
        }
        Comparer *c = comparer_new(arena, "y", DT_FLOAT32, &s);
        comparer_add(c, before, after, N);
        Accuracy x = comparer_result(&c, 1, 1);
        CHECK_NEAR(x.head.value, 20 * log10(list[i].peak / 0.5), 1e-9);
        CHECK_NEAR(figure_of(&x, "rms_difference"), 0.5, 1e-9);
        double ssim = figure_of(&x, "ssim");
        CHECK(x.nmore == 5 && ssim > 0 && ssim <= 1);
    }
}

/* The output that loses most; of none, and of one without a run, nothing is known. */
static void several(void)
{
    Shape s = shape_of(3, 1, 2, 2, 0);
    Comparer *c[3];
    static const char *const name[] = {"a", "b", "c"};
    const double off[] = {0.5, 2, 1};
    for (int i = 0; i < 3; i++) {
        c[i] = comparer_new(arena, name[i], DT_FLOAT32, &s);
        comparer_add(c[i], (double[]){3, 4}, (double[]){3, 4 + off[i]}, 2);
        comparer_add(c[i], (double[]){4, 3}, (double[]){4, 3 + off[i]}, 2);
    }
    Accuracy x = comparer_result(c, 3, 1);
    IS(x.output, "b");
    CHECK(x.images == 2 && !x.constant && !x.exact);
    IS(comparer_result(c, 1, 1).output, "a");
    CHECK(!comparer_result(c, 0, 1).known);
    c[2] = comparer_new(arena, "c", DT_FLOAT32, &s);
    CHECK(!comparer_result(c, 3, 1).known);
    comparer_add(c[2], (double[]){3, 4}, (double[]){3, 4}, 2);
    x = comparer_result(c, 3, 1);
    IS(x.output, "b");
    CHECK(x.known && !x.exact);
    x = comparer_result(c + 2, 1, 1);
    CHECK(x.exact && x.images == 1);
    IS(x.output, "c");

    /* What is kept is the same as what was added. */
    Comparer *d = comparer_new(arena, "b", DT_FLOAT32, &s);
    cJSON *first = comparer_runs(c[1], 0), *second = comparer_runs(c[1], 1);
    CHECK(json_count(first, "runs") == 2 && json_count(second, "runs") == 1);
    CHECK(comparer_restore(d, first) && comparer_count(d) == 2);
    Accuracy y = comparer_result(&d, 1, 1);
    x = comparer_result(&c[1], 1, 1);
    CHECK(x.head.value == y.head.value && x.loss == y.loss && y.constant == x.constant);
    CHECK(figure_of(&y, "rms_difference") == figure_of(&x, "rms_difference"));
    Comparer *e = comparer_new(arena, "other", DT_FLOAT32, &s);
    CHECK(!comparer_restore(e, first));
    cJSON *run = cJSON_GetArrayItem(cJSON_GetObjectItem(first, "runs"), 1);
    cJSON_DeleteItemFromArray(run, 0);
    e = comparer_new(arena, "b", DT_FLOAT32, &s);
    CHECK(!comparer_restore(e, first));
    cJSON_ReplaceItemInObject(second, "first", cJSON_CreateString("short"));
    e = comparer_new(arena, "b", DT_FLOAT32, &s);
    CHECK(!comparer_restore(e, second));
    cJSON_Delete(first);
    cJSON_Delete(second);
}

/* Of two images drawn twice, each is drawn both times in a quarter: the ends of the 90 %. */
static void drawn(void)
{
    Shape s = shape_of(3, 1, 2, 2, 0);
    Comparer *c = comparer_new(arena, "y", DT_FLOAT32, &s);
    comparer_add(c, (double[]){3, 4}, (double[]){3, 5}, 2);
    comparer_add(c, (double[]){4, 3}, (double[]){4, 5}, 2);
    Accuracy x = comparer_result(&c, 1, 7);
    CHECK_NEAR(x.head.value, 10 * log10(50. / 5), 1e-12);
    CHECK_NEAR(x.head.lo, 10 * log10(25. / 4), 1e-12);
    CHECK_NEAR(x.head.hi, 10 * log10(25. / 1), 1e-12);
    CHECK_NEAR(x.loss_lo, 1. / 5, 1e-12);
    CHECK_NEAR(x.loss_hi, 2. / 5, 1e-12);
    /* What is infinite in both is no signal. */
    c = comparer_new(arena, "y", DT_FLOAT32, &s);
    comparer_add(c, (double[]){INFINITY, 3}, (double[]){INFINITY, 4}, 2);
    x = comparer_result(&c, 1, 1);
    CHECK_NEAR(x.head.value, 10 * log10(9), 1e-12);
    /* Answers that are the same, and rows of scores each by itself. */
    c = comparer_new(arena, "y", DT_INT32, &s);
    comparer_add(c, (double[]){1, 2, 3, 4}, (double[]){1, 2, 3, 5}, 4);
    CHECK(comparer_result(&c, 1, 1).head.value == 0.75);
    s = shape_of(2, 3, 3, 0, 0);
    const double around[] = {9, 0, 0, 9, 0, 0, 1, 2, 3, 3, 2, 1, 1, 2, 3, 9},
                 after[] = {0, 0, 9, 0, 0, 9, 1, 2, 4, 3, 2, 1, 1, 2, 3, 0};
    c = comparer_new(arena, "y", DT_FLOAT32, &s);
    comparer_add(c, around + 6, after + 6, 9);
    x = comparer_result(&c, 1, 1);
    CHECK(x.head.value == 1 && x.images == 1);
}

int main(void)
{
    arena = arena_new(0);
    kinds();
    values();
    classes();
    pictures();
    several();
    drawn();
    arena_free(arena);
    return check_failures() != 0;
}
