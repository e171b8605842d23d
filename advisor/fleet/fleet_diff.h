/* Compares the files of two fleets (fleet_file.h) model by model:
 *
 *   { diff_version, kind: "fleet", old, new, level, tests, sensitive,
 *     counts{slower, faster, mixed, same, undecided, broken, repaired, added, gone},
 *     models[{model, verdict, measured, old_ns|null, new_ns|null, error|null,
 *             steps[{step, kind, op, old_ns, new_ns, change, chance}]}],
 *     operators[{kind, op, models, steps, slower, faster, change{lo, mid, hi}, chance}],
 *     rules[{rule_id, unit, old{models, gain}, new{models, gain}}] }
 *
 * A measured step has changed when the difference of its two medians is more than chance, at
 * `level` for all steps of all models together (Holm): with nothing changed, 19 of 20 such
 * comparisons name no step at all.  How far a step scatters is taken from its own interval and from
 * those of all steps of its operator (chance.h).  An operator is told of when its mean change over
 * the models that have it, each counted once, is more than chance, at `level` for all operators
 * (Holm again): what an SDK does to all of them a little.  `change` there is the mean, a share of
 * the old time, with its 90 % interval; `slower`, `faster`: steps that have changed by
 * themselves.  `sensitive` counts the steps of which 5 % more would be told
 * four times of five: the others scatter too much for that.  A model is slower or faster by its
 * steps, mixed when it has both; one without measured steps on both sides by its predicted latency
 * (`measured` is false: beyond 1 %); undecided when it has neither, or its steps are others.
 * Broken: it had a result and has none, or none that is decided.  `models` are those that are not
 * the same, in the order of the new fleet; `change` is a share of the old time, `chance` the
 * probability of one so large. */
#pragma once

#include "advisor/message/json.h"

/* The caller owns the tree.  STATUS_INPUT for a file that is not a fleet's. */
Status fleet_diff(Arena *a, const char *old_path, const char *new_path, cJSON **ret, Diag *diag);
