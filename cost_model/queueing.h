/* Throughput of N workers: a closed queueing network (facts/model.md §4.5).
 * Stations: NPU queues, host cores, PCIe; delay Z for hand-offs and unexplained time. */
#ifndef COST_MODEL_QUEUEING_H
#define COST_MODEL_QUEUEING_H

typedef struct {
    double npu_ns; int npu_servers;
    double host_ns; int host_servers;
    double pcie_ns;
    double delay_ns;
} QueueDemand;

/* Tasks per second with n workers; exact for single servers, Seidmann's split for more. */
double queue_throughput(const QueueDemand *d, int n);

/* Asymptotic bound: 1 / largest demand per server, tasks per second. */
double queue_ceiling(const QueueDemand *d);

/* Smallest n that reaches `share` of the ceiling by the asymptotic bounds, at most `cap`. */
int queue_workers_for(const QueueDemand *d, double share, int cap);

#endif
