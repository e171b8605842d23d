/* Implements approximate mean value analysis, one worker after the other. */
#include "cost_model/queueing.h"

#include "graph/base/libc.h"

enum { STATIONS = 3, NPU = 0, HOST = 1, SERVERS_MAX = 16 };

typedef struct {
    double service_ns[STATIONS]; /* of one server equivalent to all of the station's */
    double share_ns;             /* the same, of the host's work that no request waits for */
    double regularity[STATIONS];
    double delay_ns;
    int npu_servers;
    bool at_random;
} Network;

/* Of the NPU's servers, whom few requests keep busy: chances that so many are, with one request
 * fewer.  Two requests never wait for each other at two servers. */
typedef struct {
    double at[SERVERS_MAX];
} Busy;

/* Seidmann: m servers are one that is m times as fast, and a delay for the rest of the time.  For
 * the NPU that is too far off where there are about as many requests as servers. */
static Network network_of(const QueueDemand *d)
{
    const double demand[STATIONS] = {d->npu_ns, d->host_ns, d->pcie_ns};
    const int servers[STATIONS] = {d->npu_servers, d->host_servers, d->pcie_servers};
    Network n = {.share_ns = d->share_ns / (d->host_servers > 1 ? d->host_servers : 1),
                 .regularity = {d->npu_regularity, d->host_regularity, d->pcie_regularity},
                 .delay_ns = d->delay_ns,
                 .at_random = d->at_random};
    for (int i = 0; i < STATIONS; i++) {
        double m = servers[i] > 1 ? servers[i] : 1;
        n.service_ns[i] = demand[i] / m;
        if (i == NPU && m <= SERVERS_MAX)
            n.npu_servers = (int)m;
        else
            n.delay_ns += demand[i] * (m - 1) / m;
    }
    return n;
}

/* Servers that are idle, beyond one. */
static double idle_beyond_one(const Network *net, const Busy *b)
{
    double sum = 0;
    for (int j = 0; j + 1 < net->npu_servers; j++)
        sum += (net->npu_servers - 1 - j) * b->at[j];
    return sum;
}

static double chance_all_busy(const Network *net, const Busy *b)
{
    double rest = 1;
    for (int j = 0; j < net->npu_servers; j++)
        rest -= b->at[j];
    return fmax(0, rest);
}

/* As many as j are busy as often as one more request comes to j - 1 than leave j. */
static void busy_next(const Network *net, double per_ns, Busy *b)
{
    int m = net->npu_servers;
    double demand = m * net->service_ns[NPU], before = b->at[0], idle = 0;
    for (int j = 1; j < m; j++) {
        double now = fmin(1, demand * per_ns / j * before);
        before = b->at[j];
        b->at[j] = now;
        idle += (m - j) * now;
    }
    b->at[0] = fmax(0, 1 - (demand * per_ns + idle) / m);
}

static double total_ns(const Network *n)
{
    double sum = n->delay_ns;
    for (int i = 0; i < STATIONS; i++)
        sum += n->service_ns[i] * (i == NPU && n->npu_servers ? n->npu_servers : 1);
    return sum;
}

static double slowest_ns(const Network *n)
{
    double most = 0;
    for (int i = 0; i < STATIONS; i++)
        most = fmax(most, n->service_ns[i] + (i == HOST ? n->share_ns : 0));
    return most;
}

/* One more worker: response times follow from the queues with one fewer. */
static double add_worker(const Network *net, int n, double limit_per_ns, double queue[STATIONS],
                         Busy *b, double per_ns)
{
    double response[STATIONS], sum = net->delay_ns;
    for (int i = 0; i < STATIONS; i++) {
        bool exact = i == NPU && net->npu_servers > 1;
        double busy = exact ? chance_all_busy(net, b) : per_ns * net->service_ns[i];
        double ahead = queue[i] - 0.5 * net->regularity[i] * busy;
        double more = exact ? idle_beyond_one(net, b) : 0;
        sum += response[i] = net->service_ns[i] * (1 + fmax(0, ahead) + more);
    }
    per_ns = n / sum < limit_per_ns ? n / sum : limit_per_ns;
    for (int i = 0; i < STATIONS; i++)
        queue[i] = per_ns * response[i];
    busy_next(net, per_ns, b);
    assert(!(per_ns > limit_per_ns));
    return per_ns;
}

/* Requests that take the same time again and again fall into step: one that returns to a station
 * finds it as free as the last time, and waits only for the slowest.  Services that are always the
 * same get half of the way there. */
#define IN_STEP 0.5

/* Mean over the stations' times; who waits after exponential services meets them at random. */
static double regularity_of(const Network *net)
{
    double regular = 0, sum = 0;
    for (int i = 0; i < STATIONS; i++) {
        regular += net->regularity[i] * net->service_ns[i];
        sum += net->service_ns[i];
    }
    return sum > 0 ? regular / sum : 0;
}

static double in_step(const Network *net, int n, double limit_per_ns, double per_ns)
{
    assert(n >= 1);
    double share = net->at_random ? 0 : IN_STEP * regularity_of(net),
           most = fmin(limit_per_ns, n / total_ns(net));
    return 1 / ((1 - share) / per_ns + share / most);
}

/* Of each of its threads. */
static double application_ns(const QueueDemand *d)
{
    return d->application_ns / (d->application_servers > 1 ? d->application_servers : 1);
}

double queueing_throughput(const QueueDemand *d, int n)
{
    Network net = network_of(d);
    bool blocks = n <= d->blocking_callers;
    net.delay_ns += blocks ? d->application_ns : 0;
    if (!(total_ns(&net) > 0))
        return 0;
    if (n > QUEUEING_MAX_WORKERS)
        n = QUEUEING_MAX_WORKERS;
    double slowest = slowest_ns(&net), limit = slowest > 0 ? 1 / slowest : INFINITY;
    double queue[STATIONS] = {0}, per_ns = 0;
    Busy busy = {{1}};
    for (int k = 1; k <= n || k == 1; k++)
        per_ns = add_worker(&net, k, limit, queue, &busy, per_ns);
    per_ns = in_step(&net, n > 1 ? n : 1, limit, per_ns);
    double source = blocks ? 0 : application_ns(d);
    return source > 0 ? fmin(per_ns, 1 / source) * 1e9 : per_ns * 1e9;
}

void queueing_sweep(const QueueDemand *d, int n, double *per_s)
{
    Network net = network_of(d);
    double slowest = slowest_ns(&net), limit = slowest > 0 ? 1 / slowest : INFINITY;
    double queue[STATIONS] = {0}, per_ns = 0, source = application_ns(d);
    Busy busy = {{1}};
    for (int k = 1; k <= n; k++) {
        per_ns = total_ns(&net) > 0 && k <= QUEUEING_MAX_WORKERS
                     ? add_worker(&net, k, limit, queue, &busy, per_ns)
                     : per_ns;
        double settled = per_ns > 0 ? in_step(&net, k, limit, per_ns) : 0;
        double per_s_of = source > 0 ? fmin(settled, 1 / source) * 1e9 : settled * 1e9;
        per_s[k - 1] = k <= d->blocking_callers ? queueing_throughput(d, k) : per_s_of;
    }
}

double queueing_ceiling(const QueueDemand *d)
{
    Network net = network_of(d);
    double most = fmax(slowest_ns(&net), application_ns(d));
    return most > 0 ? 1e9 / most : 0;
}

const char *queueing_bottleneck(const QueueDemand *d)
{
    static const char *const name[STATIONS] = {"npu", "host", "pcie"};
    Network net = network_of(d);
    int most = 0;
    for (int i = 1; i < STATIONS; i++)
        most = net.service_ns[i] > net.service_ns[most] ? i : most;
    return application_ns(d) > net.service_ns[most] ? "application" : name[most];
}

/* n / (Z + D) reaches share / Dmax at n = share (Z + D) / Dmax. */
int queueing_workers_for(const QueueDemand *d, double share, int cap)
{
    assert(share > 0 && share <= 1);
    Network net = network_of(d);
    double most = fmax(slowest_ns(&net), application_ns(d));
    double n = most > 0 ? ceil(share * total_ns(&net) / most - 1e-9) : 1;
    return n < 1 ? 1 : n > cap ? cap : (int)n;
}
