/* Requests that come at a rate, against queues that have a closed form; and all numbers of workers
 * at once. */
#include "advisor/candidate/search/arrivals.h"
#include "cost_model/queueing.h"
#include "tests/unit/check.h"

#include <math.h>

/* Erlang's law of one server with a fixed service: the share of requests that wait at most t. */
static double waits_at_most(double t, double service, double rate)
{
    double sum = 0;
    for (int k = 0; k * service <= t; k++) {
        double x = rate * (k * service - t), term = exp(-x);
        for (int i = 1; i <= k; i++)
            term *= x / i;
        sum += term;
    }
    return (1 - rate * service) * sum;
}

static double quantile_of(double q, double service, double rate)
{
    double lo = 0, hi = 50 * service;
    for (int i = 0; i < 60; i++) {
        double middle = (lo + hi) / 2;
        if (waits_at_most(middle, service, rate) < q)
            lo = middle;
        else
            hi = middle;
    }
    return service + lo;
}

int main(void)
{
    /* One server that takes 1 us and nothing else. */
    QueueDemand d = {.npu_ns = 1000,
                     .npu_servers = 1,
                     .host_servers = 8,
                     .pcie_servers = 2,
                     .npu_regularity = 1,
                     .host_regularity = 1,
                     .pcie_regularity = 1};
    Arrivals x = {.per_s = 5e5, .equal_gaps = true, .quantile = 0.99, .times = 1};

    /* Equal gaps of 2 us: nobody waits, one worker or many; twice as long is all the server's time.
     */
    CHECK_NEAR(arrivals_latency(&d, 1, &x), 1000, 1e-6);
    CHECK_NEAR(arrivals_latency(&d, 8, &x), 1000, 1e-6);
    x.times = 1.5;
    CHECK_NEAR(arrivals_latency(&d, 8, &x), 1500, 1e-6);
    x.times = 2;
    CHECK(isinf(arrivals_latency(&d, 8, &x)));
    x.times = 1;

    /* Exponential gaps, busy for half and for 0.7 of the time: M/D/1.  Of 36,000 draws 360 lie
     * beyond the quantile, in bursts: each wait is that of its neighbours too. */
    x.equal_gaps = false;
    for (int k = 0; k < 2; k++) {
        x.per_s = k ? 7e5 : 5e5;
        double want = quantile_of(0.99, 1000, x.per_s / 1e9);
        CHECK(fabs(arrivals_latency(&d, 64, &x) / want - 1) < 0.12);
    }
    /* The same where one worker is what there is one of, and the host has a core for each. */
    d.host_ns = 1000;
    d.npu_ns = 0;
    x.per_s = 5e5;
    double alone = quantile_of(0.99, 1000, 5e-4);
    CHECK(fabs(arrivals_latency(&d, 1, &x) / alone - 1) < 0.12);
    CHECK_NEAR(arrivals_latency(&d, 64, &x), 1000, 1e-6); /* 0.5 of 8 cores */
    x.quantile = 0.5;
    CHECK(arrivals_latency(&d, 1, &x) < alone);

    /* Workers all at once or one by one. */
    double per_s[12];
    QueueDemand e = {500, 2, 900, 0, 3, 100, 2, 50, 0, 1, 0, 1, 0.8, 1, false};
    queueing_sweep(&e, 12, per_s);
    for (int n = 1; n <= 12; n++)
        CHECK_NEAR(per_s[n - 1], queueing_throughput(&e, n), 1e-6);
    e.application_ns = 400;
    e.blocking_callers = 3;
    queueing_sweep(&e, 12, per_s);
    for (int n = 1; n <= 12; n++)
        CHECK_NEAR(per_s[n - 1], queueing_throughput(&e, n), 1e-6);
    return check_failures() != 0;
}
