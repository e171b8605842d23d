/* Predicts the throughput of N workers with a closed queueing network.
 *
 * Three stations (NPU queues, host cores, I/O threads), a source of requests (the application), and
 * a delay Z for hand-offs and unattributed time, for which no request queues.  Mean value analysis
 * (Reiser and Lavenberg), Seidmann's split for several servers, and Reiser's correction: who is
 * being served when a request arrives has half of a regular service left, and all of an exponential
 * one.  Services that always take the same time fall into step, and then requests wait for the
 * slowest station alone: the middle is taken.  The NPU's queues are several servers of one line,
 * exactly. */
#pragma once

#include <stdbool.h>

/* Demands of one task; all >= 0, servers >= 1. */
typedef struct {
    double npu_ns;
    int npu_servers;
    double host_ns, share_ns; /* share: work of the host's cores that no request waits for */
    int host_servers;
    double pcie_ns;
    int pcie_servers;
    double delay_ns;
    /* The application's own work per task, on threads beside the others: it hands requests over no
     * faster.  Callers that block do it between two of their requests instead, as many as there are
     * requests. */
    double application_ns;
    int application_servers, blocking_callers; /* callers: 0: none blocks */
    /* 1 - squared coefficient of variation of the service times: 0 exponential (then exact for
     * single servers), 1 always the same. */
    double npu_regularity, host_regularity, pcie_regularity;
    bool at_random; /* they do not fall into step */
} QueueDemand;

enum { QUEUEING_MAX_WORKERS = 4096 };

/* Tasks per second with n workers (1..QUEUEING_MAX_WORKERS, else clamped), never above the ceiling.
 * 0 when nothing takes time. */
double queueing_throughput(const QueueDemand *d, int n);

/* The same with 1, 2 … n workers, into per_s[0..n). */
void queueing_sweep(const QueueDemand *d, int n, double *per_s);

/* Asymptotic bound: 1 / largest demand per server, tasks per second; 0 when nothing takes time. */
double queueing_ceiling(const QueueDemand *d);

/* The station that the ceiling comes from: "host", "npu", "pcie" or "application". */
const char *queueing_bottleneck(const QueueDemand *d);

/* Workers are enough when they reach this share of the ceiling.  Assumed: more workers
 * take memory and queueing time for a gain within the doubt of the model. */
#define QUEUE_ENOUGH_SHARE 0.95

/* Smallest n that reaches `share` of the ceiling by the asymptotic bounds, within 1..cap. */
int queueing_workers_for(const QueueDemand *d, double share, int cap);
