/* advisor/validation/: how good the advisor is: predictions and advice held against measurements.
 *
 * crossvalidate.h crossvalidate.c: Cross-validation: the published-fit figures of the NPU, fitted
 *     again without one point and asked about it
 * points.h points.c: Published points: measured times of published networks, as
 *     tests/networks/published.json lists them (its form is described in make_networks.py, which
 *     builds the networks)
 * validate.h validate.c: Validation: the model held against published measurements
 * validate_advice.h validate_advice.c: Report card: the advisor's predicted gains held against
 *     verified ones
 * validate_advice_print.c: The report card as text and as JSON
 * validate_family.c: Validation: families of networks left out of the fit, and the width they
 *     need
 * validate_fit.c: Validation: the figures that were fitted on published points, without the point
 *     that is asked about; and what each of them is worth
 * validate_table.c: Validation: accuracy as a Markdown table */
