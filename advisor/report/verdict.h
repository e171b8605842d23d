/* Words what a result says is slow, and what comes of it. */
#pragma once

#include "advisor/message/phrase.h"
#include "advisor/report/summary.h"

/* "yolov5s.onnx: 64.9 ms per inference (p90 85.0 ms), 95 % of it on the host CPU". */
const char *verdict_now(Phrase *buf, const Result *r, const Summary *d, const Language *lang);

/* "Recommended: 64.9 → 3.50 ms, simulated", or why there is no plan. */
const char *verdict_sentence(Phrase *buf, const Result *r, const Summary *d, const Language *lang);

/* "64.9 → 3.50 ms + 400 µs [200, 900] in your application, simulated" of one plan. */
const char *verdict_plan(Phrase *buf, const Result *r, const Summary *d, const ResultPlan *p,
                         const Language *lang);

/* "Same outputs: 64.9 → 8.20 ms, simulated (--plan 0b7742e9)" */
const char *verdict_route(Phrase *buf, const Result *r, const Summary *d, const ResultPlan *p,
                          const Language *lang);

/* The use of the NPU, PCIe and the host where requests wait for each other or a rate counts; else
 * "".
 */
const char *verdict_load(Phrase *buf, const Result *r, const Summary *d, const Language *lang);

/* What requests take at the rate that is to be served, and in runs at it; "" without one. */
const char *verdict_served(Phrase *buf, const Result *r, const Language *lang);
const char *verdict_served_run(Phrase *buf, const Result *r, const Language *lang);

/* "input, accuracy", "-" for none. */
const char *verdict_needs(Phrase *buf, const ResultTexts *needs, const Language *lang);

/* "With retraining: Replace SiLU by Relu (NPU303) saves 1.10 ms more."; "" without such a plan. */
const char *verdict_retraining(Phrase *buf, const Result *r, const Summary *d,
                               const Language *lang);

/* "measured" "simulated" "predicted" */
const char *verdict_source(ResultSource source, const Language *lang);
