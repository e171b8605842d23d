/* advisor/candidate/search/: the best set of changes and settings, not a list of them.
 *
 * arrivals.h arrivals.c: Arrivals: how long requests take that come at a rate
 * builds.h builds.c: Builds: compiled variants, each compiled and predicted once, as the demands
 *     that it puts on the stations of a run
 * capacity.h capacity.c: Plan: the fewest cards and workers that serve images which come at a
 *     rate within a limit
 * contenders.h contenders.c: Contenders: batches beyond the fastest point of a front that may
 *     make more than it
 * front.h front.c: Front: the points that nothing beats in latency, throughput and effort at once
 * parts.h parts.c: Parts: what each change and setting of a point brings
 * search.h search.c: Search: the best point for a goal, and the front
 * search_between.c: The search between batches
 * search_bounds.c: The search by bounds: the relaxed problem, and builds from the largest bound
 *     down
 * search_near.c: The search near by: from where the list of advice leads, one change, mode or
 *     batch at a time
 * search_state.h search_state.c: SearchState: what the parts of a search share: what was taken,
 *     and how good a bound is
 * seed.h seed.c: Known: what is within reach by what was tried one by one, and by the list of
 *     advice applied as it stands: no search may end below it, and one may begin there
 * space.h space.c: Space: every way to set a model up: the changes of the rules, each taken or
 *     left, and the settings of compile and run
 * tune.h tune.c: Tune: what to deploy: the front, the point that is recommended, and what each of
 *     its parts brings */
