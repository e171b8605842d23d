/* advisor/candidate/search/ searches sets of changes and settings for the plan to deploy.
 *
 * arrivals.h arrivals.c: Simulates requests that arrive at a rate, and returns a quantile of
 *     their latency.
 * builds.h builds.c: Compiles and predicts each variant once, and keeps its demands on the
 *     resources of a run.
 * capacity.h capacity.c: Finds the fewest cards and workers that serve images at a rate within
 *     a latency limit.
 * contenders.h contenders.c: Lists batches larger than the fastest point's that may reach a
 *     higher throughput.
 * front.h front.c: Finds the Pareto front in latency, throughput and effort.
 * parts.h parts.c: Attributes the improvement of a point to its changes and settings.
 * search.h search.c: Searches sets of changes and settings for the best point and the front.
 * search_between.c: Searches between the batches that were compiled, where a latency limit may
 *     leave room.
 * search_bounds.c: Bounds builds by a relaxed problem and compiles them from the largest bound
 *     down.
 * search_near.c: Searches by hill climbing from the recommended list, one change, mode or batch
 *     at a time.
 * search_state.h search_state.c: Holds the state that the parts of a search share: builds,
 *     points and the remaining budget.
 * seed.h seed.c: Derives the start and the minimum result of a search from what was tried
 *     before.
 * space.h space.c: Defines the space of a search, which are the changes of the rules and the
 *     settings of compiler and runtime.
 * tune.h tune.c: Finds the configuration to deploy, the front, and the share that each part
 *     contributes. */
