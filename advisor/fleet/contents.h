/* advisor/fleet/ runs over many models, and compares such runs.
 *
 * chance: Computes how far two measured medians may differ by chance.
 * cost: Predicts the processor time that advising about a model takes, to share work out evenly,
 *     not to promise times.
 * fleet: Runs over many models in forked copies of this process, several at a time, and keeps the
 *     outcomes in a journal (journal.h).
 * fleet_diff: Compares the files of two fleets (fleet_file.h) model by model: { diff_version, kind:
 *     "fleet", old, new, level, tests, sensitive, counts{slower, faster, mixed, same, undecided,
 *     broken, repaired, added, gone}, models[{model, verdict, measured, old_ns|null, new_ns|null,
 *     error|null, steps[{step, kind, op, old_ns, new_ns, change, chance}]}], operators[{kind, op,
 *     models, steps, slower, faster, change{lo, mid, hi}, chance}], rules[{rule_id, unit,
 *     old{models, gain}, new{models, gain}}] } A measured step has changed when the difference of
 *     its two medians is more than chance, at `level` for all steps of all models together (Holm):
 *     with nothing changed, 19 of 20 such comparisons name no step at all.
 * fleet_file: Writes the results of a fleet as one SQLite file (docs/schema/fleet.sql): models,
 *     steps, findings and totals.
 * fleet_gate: Checks budgets such as "slower=0" against a comparison of two fleets.
 * journal: Keeps the outcomes of a shard's models as lines (part.h) in one file, in the order in
 *     which they finish.
 * models: Finds the models that a command line names as files, folders or unexpanded patterns.
 * part: Reads and writes the parts of a run over many models as lines of JSON (NDJSON), whole
 *     results included.
 * shards: Describes which models a run covers, with which settings each, and which shard has which.
 * shards_file: Reads and writes a plan of shards as NDJSON, for `npu-advise plan`, every shard,
 *     and the merge of a run. */
