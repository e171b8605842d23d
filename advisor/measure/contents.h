/* advisor/measure/ measures the accuracy of a model before and after changes.
 *
 * accuracy.h accuracy.c: Measures the accuracy of a model before and after changes, on the same
 *     images.
 * accuracy_log.h accuracy_log.c: Keeps accuracy measurements in a file, slice by slice, so that
 *     an interrupted run can continue.
 * average_precision.h average_precision.c: Computes the mean average precision of a detector as
 *     COCO defines it.
 * boxes.h boxes.c: Decodes the outputs of common detector heads and compares the boxes of two
 *     runs.
 * coco.h coco.c: Reads the objects of each image from COCO annotations (instances_*.json).
 * labels.h labels.c: Reads the class of each image from the folder that it lies in.
 * metric.h metric.c: Scores the outputs of a model on each run of a slice.
 * output_transform.h output_transform.c: Converts an output that a runner wrote to what the
 *     application reads after a change.
 * scores.h scores.c: Compares the scores of outputs before and after a change, run by run. */
