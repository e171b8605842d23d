/* advisor/measure/ measures the accuracy of a model before and after changes.
 *
 * accuracy: Measures the accuracy of a model before and after changes, on the same images.
 * accuracy_log: Keeps accuracy measurements in a file, slice by slice, so that a run can continue.
 * average_precision: Computes the mean average precision of a detector as COCO defines it.
 * boxes: Decodes the outputs of common detector heads and compares the boxes of two runs.
 * coco: Reads the objects of each image from COCO annotations (instances_*.json).
 * labels: Reads the class of each image from the folder that it lies in.
 * metric: Scores the outputs of a model on each run of a slice.
 * output_transform: Converts an output that a runner wrote to the values that the application then
 *     reads.
 * scores: Compares the scores of outputs before and after a change, run by run. */
