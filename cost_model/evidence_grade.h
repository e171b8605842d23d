/* Grades a trace from A (good) to D (unusable), with one issue for each reason.  */
#pragma once

#include "cost_model/cost_words.def"
#include "graph/compile/program.h"

typedef struct Reconciliation Reconciliation;

typedef enum {
#define X(id, text) ABOUT_##id,
    EVIDENCE_ABOUTS(X)
#undef X
} EvidenceAbout;

typedef struct {
    const char *code; /* "few-inferences", "drift", "wrapped-counter", "sum-identity",
                         "unattributed", "low-match", "orphans", "repaired", "one-inference" … */
    EvidenceAbout about;
    double observed, threshold; /* in `unit`; it is an issue because observed is … */
    bool at_least;              /* … below the threshold; else: above it */
    const MessageId *unit;      /* "%", "inferences", "tasks" … */
    const Message *said;        /* one sentence with the figure */
} EvidenceIssue;

/* "match", "identity" … */
const char *evidence_about_name(EvidenceAbout about);

/* Why nothing in a trace counts. REFUTED(id, key) */
#define REFUTATIONS(X)                                                                             \
    X(NOT, NULL)                                                                                   \
    X(SETUP, "setup") /* it shows another set-up than was said */                                  \
    X(MODEL, "model") /* it is of another model */                                                 \
    X(SIZE, "size")   /* its times are those of images of another size */

typedef enum {
#define X(id, key) REFUTED_##id,
    REFUTATIONS(X)
#undef X
} Refutation;
const char *refutation_key(Refutation r); /* NULL for REFUTED_NOT */

/* Fills grade, widen and issues from everything else. */
void evidence_grade(Arena *a, const Program *p, Reconciliation *r);

/* One more issue, before the others; the text is complete.  Holds the grade at `worst` or below. */
void evidence_object(Reconciliation *r, char worst, EvidenceIssue x);

/* True when the trace is refuted, or less than half of the trace fits this program, or of the
 * program the trace: it is of another model, or of another build of it, and none of its times is
 * one of this program's. */
bool evidence_is_foreign(const Reconciliation *r);

/* True when, besides, nothing in it ran on an NPU: a profile of the model on a CPU, whose latency
 * is no baseline for anything. */
bool evidence_lacks_npu(const Reconciliation *r);
