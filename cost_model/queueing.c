/* Throughput of N workers: a closed queueing network of three stations and a delay. */
#include "cost_model/queueing.h"

#include <math.h>
#include <stdbool.h>

enum { STATIONS = 3 };

typedef struct {
    double service_ns[STATIONS]; /* of the single server that stands for all of the station's */
    double regularity[STATIONS];
    double delay_ns;
} Network;

/* Seidmann: m servers are one that is m times as fast, and a delay for the rest of the time. */
static Network network_of(const QueueDemand *d)
{
    const double demand[STATIONS] = {d->npu_ns, d->host_ns, d->pcie_ns};
    const int servers[STATIONS] = {d->npu_servers, d->host_servers, d->pcie_servers};
    Network n = {.regularity = {d->npu_regularity, d->host_regularity, d->pcie_regularity},
                 .delay_ns = d->delay_ns};
    for (int i = 0; i < STATIONS; i++) {
        double m = servers[i] > 1 ? servers[i] : 1;
        n.service_ns[i] = demand[i] / m;
        n.delay_ns += demand[i] * (m - 1) / m;
    }
    return n;
}

static double total_ns(const Network *n)
{
    double sum = n->delay_ns;
    for (int i = 0; i < STATIONS; i++)
        sum += n->service_ns[i];
    return sum;
}

static double slowest_ns(const Network *n)
{
    double most = 0;
    for (int i = 0; i < STATIONS; i++)
        most = fmax(most, n->service_ns[i]);
    return most;
}

/* One more worker: response times from what the queues were with one fewer. */
static double add_worker(const Network *net, int n, double limit_per_ns, double queue[STATIONS],
                         double per_ns)
{
    double response[STATIONS], sum = net->delay_ns;
    for (int i = 0; i < STATIONS; i++) {
        double busy = per_ns * net->service_ns[i];
        double ahead = queue[i] - 0.5 * net->regularity[i] * busy;
        sum += response[i] = net->service_ns[i] * (1 + (ahead > 0 ? ahead : 0));
    }
    per_ns = n / sum < limit_per_ns ? n / sum : limit_per_ns;
    for (int i = 0; i < STATIONS; i++)
        queue[i] = per_ns * response[i];
    return per_ns;
}

/* Of each of its threads. */
static double application_ns(const QueueDemand *d)
{
    return d->application_ns / (d->application_servers > 1 ? d->application_servers : 1);
}

double queue_throughput(const QueueDemand *d, int n)
{
    Network net = network_of(d);
    bool blocks = n <= d->blocking_callers;
    net.delay_ns += blocks ? d->application_ns : 0;
    if (!(total_ns(&net) > 0))
        return 0;
    if (n > QUEUE_MAX_WORKERS)
        n = QUEUE_MAX_WORKERS;
    double slowest = slowest_ns(&net), limit = slowest > 0 ? 1 / slowest : INFINITY;
    double queue[STATIONS] = {0}, per_ns = 0;
    for (int k = 1; k <= n || k == 1; k++)
        per_ns = add_worker(&net, k, limit, queue, per_ns);
    double source = blocks ? 0 : application_ns(d);
    return source > 0 ? fmin(per_ns, 1 / source) * 1e9 : per_ns * 1e9;
}

void queue_sweep(const QueueDemand *d, int n, double *per_s)
{
    Network net = network_of(d);
    double slowest = slowest_ns(&net), limit = slowest > 0 ? 1 / slowest : INFINITY;
    double queue[STATIONS] = {0}, per_ns = 0, source = application_ns(d);
    for (int k = 1; k <= n; k++) {
        per_ns = total_ns(&net) > 0 && k <= QUEUE_MAX_WORKERS
                     ? add_worker(&net, k, limit, queue, per_ns)
                     : per_ns;
        double per_s_of = source > 0 ? fmin(per_ns, 1 / source) * 1e9 : per_ns * 1e9;
        per_s[k - 1] = k <= d->blocking_callers ? queue_throughput(d, k) : per_s_of;
    }
}

double queue_ceiling(const QueueDemand *d)
{
    Network net = network_of(d);
    double most = fmax(slowest_ns(&net), application_ns(d));
    return most > 0 ? 1e9 / most : 0;
}

const char *queue_bound(const QueueDemand *d)
{
    static const char *const name[STATIONS] = {"npu", "host", "pcie"};
    Network net = network_of(d);
    int most = 0;
    for (int i = 1; i < STATIONS; i++)
        most = net.service_ns[i] > net.service_ns[most] ? i : most;
    return application_ns(d) > net.service_ns[most] ? "application" : name[most];
}

/* n / (Z + D) reaches share / Dmax at n = share (Z + D) / Dmax. */
int queue_workers_for(const QueueDemand *d, double share, int cap)
{
    Network net = network_of(d);
    double most = fmax(slowest_ns(&net), application_ns(d));
    double n = most > 0 ? ceil(share * total_ns(&net) / most - 1e-9) : 1;
    return n < 1 ? 1 : n > cap ? cap : (int)n;
}
