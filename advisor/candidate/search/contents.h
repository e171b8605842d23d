/* advisor/candidate/search/ searches sets of changes and settings for the plan to deploy.
 *
 * arrivals.h arrivals.c: Simulates requests that arrive at a rate, and returns a quantile of
 *     their latency.
 * builds.h builds.c: Compiles and predicts each variant once, and keeps its demands on the
 *     resources of a run.
 * capacity.h capacity.c: Finds the fewest cards and workers that serve images at a rate within
 *     a latency limit.
 * front.h front.c: Finds the Pareto front in latency, throughput and needs.
 * outcome.h outcome.c: Decides what becomes of each match that is in no plan: by hand, observed
 *     or suppressed.
 * plan.h plan.c: Finds the plans, which are lists of changes with all settings to deploy, and
 *     what each row saves.
 * plan_verify.h plan_verify.c: Runs the plans and their prefixes against the baseline.
 * search.h search.c: Searches sets of changes and settings for the best point of each route.
 * space.h space.c: Defines the space of a search, which are the changes of the rules and the
 *     settings of compiler and runtime. */
