/* advisor/candidate/search/ searches sets of changes and settings for the plan to deploy.
 *
 * arrivals: Simulates requests that arrive at a rate, and returns a quantile of their latency.
 * builds: Compiles and predicts each variant once, and keeps its demands on the resources of a run.
 * capacity: Finds the fewest cards and workers that serve images at a rate within a latency limit.
 * front: Finds the Pareto front in latency, throughput and needs.
 * outcome: Decides what becomes of each match that is in no plan: by hand, observed or suppressed.
 * plan: Finds the plans, lists of changes with all settings to deploy, and what each row saves.
 * plan_verify: Runs the plans and their prefixes against the baseline.
 * search: Searches sets of changes and settings for the best point of each route.
 * space: Defines the space of a search, which are the changes of the rules and the settings of
 *     compiler and runtime. */
