/* advisor/validation/ measures how good the advisor is: it compares predictions and advice
 * with measurements.
 *
 * crossvalidate: Cross-validates the published-fit figures of the NPU: fits them again without one
 *     point and predicts that point.
 * points: Reads the measured times of published networks from tests/networks/published.json.
 * validate: Compares the predictions of the cost model with published measurements.
 * validate_family: Fits the figures without one family of networks at a time, and computes how wide
 *     intervals must be to hold that family.
 * validate_fit: Predicts each published point from a fit without it, and checks what each fitted
 *     figure is worth.
 * validate_table: Prints the accuracy of the cost model as a Markdown table. */
