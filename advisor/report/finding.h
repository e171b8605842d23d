/* Iterates over the changes, the work by hand and the observations of a result.
 *
 * All pointers are into the result. */
#pragma once

#include "advisor/message/phrase.h"
#include "advisor/report/result.h"

/* The fields that the three have in common; NULL if a kind lacks one. */
typedef struct {
    const ResultChange *change;
    const ResultHandWork *by_hand;
    const ResultObservation *observation;
    int64_t id; /* its number on the screen; 0: an observation has none */
    const char *rule_id, *fingerprint, *title, *why, *risk, *group;
    const ResultWhere *where; /* the first occurrence */
    const ResultFix *fix;
    const ResultPlaceList *occurrences;
    const ResultTexts *needs;
    const ResultGain *alone;              /* its saving by itself */
    const ResultSuppression *suppression; /* NULL: none */
    ResultLevel level;
} ReportedFinding;

/* Changes, then work by hand, then observations: i < finding_count(r). */
size_t finding_count(const Result *r);
ReportedFinding finding_at(const Result *r, size_t i);

/* False where the SDK in use has no setting for it. */
bool finding_has_action(const ResultFix *fix);

/* "saves 1.20 ms [1.00, 1.40], predicted": of a change alone; else why that is not known. */
const char *finding_alone(Phrase *buf, const ResultGain *gain, const Language *lang);

/* True for a finding whose every plan needs retraining; such ones count in no gate. */
bool finding_needs_retraining(const ReportedFinding *x);

/* The one figure of a finding: of a change what it saves in the recommended plan, else in the plan
 * that holds it; of work by hand, the most.  False: it has none, as a merged row or an observation.
 */
typedef struct {
    ResultInterval value;
    ResultSource source;
    const ResultPlan *plan; /* NULL: in no plan */
    bool up_to;
    const char *unit; /* "ns" or "per_s" */
} FindingSaving;
bool finding_saving(const Result *r, const ReportedFinding *x, FindingSaving *ret);

/* The interval of a saving includes 0 or is below it; never said of a row that is there to serve a
 * rate. */
bool finding_may_not_help(const Result *r, const ResultInterval *saves);

/* The steps and operators of the program that it removes, shortens, or is about. */
void finding_marks(const Result *r, const ReportedFinding *x, const ResultInts **ret_steps,
                   const ResultInts **ret_operators);
