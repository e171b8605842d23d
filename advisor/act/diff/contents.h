/* advisor/act/diff/ compares two results or two traces.
 *
 * diff: Compares two results, or two traces, and returns the differences as a tree: { diff_version,
 *     kind: "result"|"trace", old, new, common_operators (of traces: runs of NPU operators in both,
 *     of all in either; null: none), same_boundary (of results: the models have the same inputs and
 *     outputs), metrics[{name, unit, old{lo,mid,hi}|null, new{…}|null, change|null, verdict}],
 *     parts[{kind, name, old{…}|null, new{…}|null, change|null, verdict}],
 *     recommendations[{rule_id, fingerprint, title, state, old|null, new|null, unit}] } verdict:
 *     "added", "gone", "faster", "slower", "better", "worse", "same" (the intervals overlap: the
 *     change may be noise) or "unknown".
 * diff_layers: Compares two compiled graphs of one network layer by layer.
 * diff_result: Compares two results by figure, kind of work, and fingerprints of findings.
 * diff_trace: Compares two traces by the median of their inferences, with its interval, and by
 *     the time per inference of every operator. */
