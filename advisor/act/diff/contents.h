/* advisor/act/diff/: two results or two traces held against each other.
 *
 * diff.h diff.c: Comparison of two results, or of two traces, as a tree
 * diff_layers.h diff_layers.c: Two compiled graphs of one network, layer by layer
 * diff_result.c: Comparison of two results: figures, kinds of work, and recommendations by
 *     fingerprint
 * diff_trace.c: Comparison of two traces: inferences with the interval of their median, and every
 *     operator by name */
