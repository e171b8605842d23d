/* Fits, and cross-validation of the published figures, against calculations by hand. */
#include "advisor/validation/crossvalidate.h"
#include "cost_model/fit.h"
#include "tests/unit/cost_parts.h"

#include <string.h>

/* y = 2 u + 3 v at ten points, one of them ten times too large. */
static void fit_checks(void)
{
    double a[20], b[10], x[2];
    for (int i = 0; i < 10; i++) {
        double u = i + 1, v = (i * 7) % 10 + 1, y = 2 * u + 3 * v;
        a[2 * i] = u / y;
        a[2 * i + 1] = v / y;
        b[i] = 1;
    }
    FitProblem p = {a, b, NULL, 10, 2, NULL, NULL, 0.15};
    CHECK(fit_solve(&p, x) < 1e-12);
    CHECK(about(x[0], 2, 1e-4) && about(x[1], 3, 1e-4));
    bool skip[10] = {[4] = true};
    b[4] = 10;
    p.skip = skip;
    fit_solve(&p, x);
    CHECK(about(x[0], 2, 1e-4) && about(x[1], 3, 1e-4)); /* left out: as if it were not there */
    p.skip = NULL;
    fit_solve(&p, x);
    CHECK(about(x[0], 2, 0.2) && about(x[1], 3, 0.2)); /* one wild point in ten moves it a little */
    double negative[2] = {1, -1}, y[2] = {1, 3}; /* 1 x = 1 and -1 x = 3: x = -1 is not allowed */
    FitProblem q = {negative, y, NULL, 2, 1, NULL, NULL, 10};
    fit_solve(&q, x);
    CHECK(x[0] == 0);
    double one[1] = {1}, six[1] = {6}, prior[1] = {2}, sd[1] = {1};
    FitProblem r = {one, six, NULL, 1, 1, prior, sd, 10}; /* (x - 6)^2 + (x - 2)^2: x = 4 */
    fit_solve(&r, x);
    CHECK(about(x[0], 4, 1e-6));
    sd[0] = 0; /* no prior after all */
    fit_solve(&r, x);
    CHECK(about(x[0], 6, 1e-6));
    r.nrow = 0;
    fit_solve(&r, x);
    CHECK(x[0] == 2); /* nothing is known: as it was thought to be */
}

/* x = 1 and x = 3 rows of -1 and 1: x stays 0, and misses them by 1 and 3.  Within Huber's bound
 * the squares count, 1 + 9; beyond 1 it is 2 r - 1, so 1 + 5; a row that is left out costs nothing.
 */
static void loss_checks(void)
{
    double a[] = {-1, -1}, b[] = {1, 3}, x[1];
    FitProblem p = {a, b, NULL, 2, 1, NULL, NULL, 10};
    CHECK_NEAR(fit_solve(&p, x), 10, 1e-9);
    p.huber = 1;
    CHECK_NEAR(fit_solve(&p, x), 6, 1e-9);
    bool skip[] = {false, true};
    p.skip = skip;
    CHECK_NEAR(fit_solve(&p, x), 1, 1e-9);
}

enum { POINTS = 8 };

/* Two published-fit figures and phi, and 100 ns for each op that nobody fits. */
static Costs published(void)
{
    Costs c = {.op_ns = {100, 100, 100}, .fusion_phi = {0.9, 0.9, 0.9}};
    c.info[COST_mac_kappa].kind = c.info[COST_overflow_ns_per_byte].kind = KIND_PUBLISHED_FIT;
    c.info[COST_fusion_phi].kind = KIND_PUBLISHED_FIT;
    return c;
}

/* kappa 2, which two PEs share at phi 0.35; weights that overflow 3, which they do not; and ten
 * ops. */
static void points(FitPoint v[POINTS])
{
    for (int i = 0; i < POINTS; i++) {
        v[i] = (FitPoint){.pe = 1 + i % 2};
        v[i].work[TERM_MAC] = 1000 + 700 * ((i * 5) % 8);
        v[i].work[TERM_OVERFLOW] = 500 + 300 * i;
        v[i].work[TERM_OP] = 10;
        v[i].measured_ns = 2 * v[i].work[TERM_MAC] / (v[i].pe == 2 ? 1.35 : 1) +
                           3 * v[i].work[TERM_OVERFLOW] + 1000;
    }
}

static void crossvalidation_checks(Arena *a)
{
    Costs c = published();
    FitPoint v[POINTS];
    points(v);
    CrossValidation x;
    crossvalidate(a, &c, v, POINTS, NULL, &x);
    CHECK(x.nfigure == 3 && x.figure[0] == COST_mac_kappa &&
          x.figure[1] == COST_overflow_ns_per_byte && x.figure[2] == COST_fusion_phi);
    CHECK(about(x.value[0], 2, 1e-6) && about(x.value[1], 3, 1e-6) &&
          about(x.value[2], 0.35, 1e-9));
    for (int i = 0; i < POINTS; i++)
        CHECK(about(x.left_out_ns[i], v[i].measured_ns, 1e-6) &&
              about(x.in_sample_ns[i], v[i].measured_ns, 1e-6));
    /* One measured at three times as long: the others know better, also those of its group. */
    const int group[POINTS] = {0, 1, 2, 3, 4, 5, 6, 6};
    double right = v[7].measured_ns;
    v[7].measured_ns *= 3;
    crossvalidate(a, &c, v, POINTS, group, &x);
    CHECK(about(x.left_out_ns[7], right, 1e-6) && about(x.left_out_ns[6], v[6].measured_ns, 1e-6));
    CHECK(!about(x.left_out_ns[0], v[0].measured_ns, 1e-6));
    bool skip[POINTS] = {[7] = true};
    double value[TERM_COUNT + 1], ns[POINTS];
    crossvalidate_fit(a, &c, v, POINTS, skip, value, ns);
    CHECK(about(value[0], 2, 1e-6) && about(ns[7], right, 1e-6));
    /* What nobody fits stays as the file has it. */
    c.info[COST_fusion_phi].kind = KIND_DATASHEET;
    crossvalidate(a, &c, v, POINTS, NULL, &x);
    CHECK(x.nfigure == 2 && x.value[2] == 0.9);
}

/* Nine points of y = x and one of 1.4 y: beyond Huber's 0.15 it pulls no harder than 0.15 does.
 * Rows are 1 and 1/1.4 = 0.714; 9 (x - 1) = 0.714 * 0.15. */
static void robustness_checks(Arena *a)
{
    Costs c = {.info = {[COST_mac_kappa] = {.kind = KIND_PUBLISHED_FIT}}};
    FitPoint v[10];
    for (int i = 0; i < 10; i++) {
        v[i] = (FitPoint){.pe = 1, .measured_ns = i == 9 ? 1400 : 1000};
        v[i].work[TERM_MAC] = 1000;
    }
    double value[TERM_COUNT + 1], ns[10];
    crossvalidate_fit(a, &c, v, 10, NULL, value, ns);
    CHECK(about(value[0], 1 + 0.15 / 1.4 / 9, 1e-5));
}

/* Works of a program as if nothing were shared between its PEs. */
static void work_checks(void)
{
    LowOp op[2] = {{.kind = LOWOP_PAD, .n = 1, .c_out = 64, .h_out = 56, .w_out = 56},
                   {.kind = LOWOP_POOL, .n = 1, .c_out = 64, .h_out = 56, .w_out = 56}};
    op[0].vector_passes = op[1].vector_passes = op[0].ninput = op[1].ninput = 1;
    op[0].c_in = op[1].c_in = 64;
    op[0].h_in = op[0].w_in = op[1].h_in = op[1].w_in = 56;
    Program p = {.machine = &machine, .options = {.pe = 2}, .op = op, .nop = 2};
    Costs c = {.clock_hz = {2e9, 2e9, 2e9}, .fusion_phi = {1, 1, 1}};
    double work[TERM_COUNT], one[TERM_COUNT], split[TERM_COUNT];
    crossvalidate_work(&p, &c, work);
    CHECK(work[TERM_PAD] == 1 && work[TERM_OP] == 1 && work[TERM_VECTOR] > 0);
    OpModel m = op_model(&p, &c); /* phi 1: two PEs halve it */
    op_work(&m, &op[0], one);
    op_work(&m, &op[1], split);
    CHECK(about(work[TERM_VECTOR], 2 * (one[TERM_VECTOR] + split[TERM_VECTOR]), 1e-9));
}

int main(void)
{
    Arena *a = arena_new(0);
    fit_checks();
    loss_checks();
    crossvalidation_checks(a);
    robustness_checks(a);
    work_checks();
    arena_free(a);
    return check_failures() != 0;
}
