/* advisor/fleet/: many models in one run.
 *
 * models.h models.c: The models that a command line names: files, folders, patterns
 * plan.h plan.c: Which models with which settings, and which shard has which
 * plan_file.h plan_file.c: A plan as a file
 * part.h part.c: What came of each as lines, and the lines of several parts put together
 * cost.h cost.c: What advising about a model takes, before it is done
 * journal.h journal.c: Outcomes in the order in which they are done; the journal of a shard
 * fleet.h fleet.c: One process for each model, and what it left
 * fleet_file.h fleet_file.c: A fleet's answer as one SQLite file
 * chance.h chance.c: How far two measured medians may differ by chance
 * fleet_diff.h fleet_diff.c: Two fleets' files held against each other
 * fleet_gate.h fleet_gate.c: A gate on that */
