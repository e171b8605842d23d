/* advisor/measure/: what a change does to results, on the user's data.
 *
 * accuracy.h accuracy.c: Accuracy: the model as it is and as it would be changed, on the same
 *     images
 * accuracy_log.h accuracy_log.c: Accuracy log: what was measured, kept in a file slice by slice,
 *     so that a run that was broken off goes on where it was
 * average_precision.h average_precision.c: Ranking: how good a detector's boxes are beside what
 *     pictures show, as COCO counts it: the mean over categories of the area under precision by
 *     recall, at IoU 0.5 to 0.95 in steps of 0.05 and at 0.5, with at most 100 boxes per category
 *     and picture, of objects of every size
 * boxes.h boxes.c: Boxes: what the common heads of detectors say, decoded, and how far two of
 *     them agree
 * coco.h coco.c: Coco: what pictures show, as annotations of COCO tell it (instances_*.json)
 * labels.h labels.c: Truth: what pictures show, where they lie in one folder per class
 * metric.h metric.c: Judge: what a model's outputs are worth, on each run of a slice
 * output_transform.h output_transform.c: Crossed: an output as a runner wrote it, as the
 *     application would read it after a change: codes are scaled, axes put back in order, padded
 *     columns left out
 * scores.h scores.c: Scores: what outputs are worth, run by run, before and after a change */
