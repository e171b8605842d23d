/* advisor/fleet/: many models in one run.
 *
 * chance.h chance.c: How far two measured medians may differ by chance
 * cost.h cost.c: What advising about a model takes, before it is done
 * fleet.h fleet.c: One process for each model, and what it left
 * fleet_diff.h fleet_diff.c: Two fleets' files held against each other
 * fleet_file.h fleet_file.c: A fleet's answer as one SQLite file
 * fleet_gate.h fleet_gate.c: A gate on that
 * journal.h journal.c: Outcomes in the order in which they are done; the journal of a shard
 * models.h models.c: The models that a command line names: files, folders, patterns
 * part.h part.c: What came of each as lines, and the lines of several parts put together
 * shards.h shards.c: Which models with which settings, and which shard has which
 * shards_file.h shards_file.c: A plan as a file */
