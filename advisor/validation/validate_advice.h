/* Measures how often the advisor's advice is right: compares its predicted savings with those that
 * runs confirm.
 *
 * Every model is advised about for both objectives and SDK 0.9 and 0.10, twice: from nothing, and
 * from a trace of its baseline that the runner writes under another seed.  Whatever is recommended
 * is verified.  Gains are compared as shares of the baseline, so that one scale fits models of a
 * microsecond and of a second, and latency and throughput.
 *
 * Advice that may lose half of what it is expected to gain (rank_is_uncertain) is not given without
 * --verify; it is tried here all the same, and counted apart. */
#ifndef ADVISOR_VALIDATION_VALIDATE_ADVICE_H
#define ADVISOR_VALIDATION_VALIDATE_ADVICE_H

#include "advisor/advise/advise.h"
#include "cost_model/score.h"

typedef struct {
    const char *const *models_dir; /* each with *.onnx files in it */
    size_t nmodels_dir;
    AdviseRequest advise; /* what all runs have in common: runner, runs, seed, rules, --dim … */
    int jobs;             /* processes at the same time */
    void (*progress)(void *user, size_t done, size_t all); /* after each run; NULL */
    void *user;
} AdviceValidationRequest;

/* One run of the advisor. */
typedef struct {
    const char *model;
    Objective objective;
    Sdk sdk;
    bool traced;
    const char *error; /* it ended without a result; NULL */
} AdviceValidationRun;

typedef struct {
    const AdviceValidationRun *run;
    const char *rule_id; /* VALIDATE_COMBINED for a combination */
    Interval predicted;  /* these four are shares of the baseline */
    double verified, verified_lo, verified_hi;
    double predicted_after, verified_after; /* the objective itself, likewise */
    const char *verdict;                    /* NULL for a combination */
    bool uncertain;
    bool bound; /* predicted is a bound; verified is what was run beside it */
} AdviceGain;
#define VALIDATE_COMBINED "together"

/* How often a rule fired, recommended or held back, in how many runs. */
typedef struct {
    const char *rule_id;
    size_t fired;
} AdviceRule;

typedef struct {
    AdviceValidationRun *run;
    size_t nrun, nfailed;
    AdviceGain *gain;
    size_t ngain;
    AdviceRule *rule; /* by id */
    size_t nrule;
    const char *runner; /* NULL: nothing was verified */
} AdviceValidation;

Status validate_advice(Arena *a, const AdviceValidationRequest *q, AdviceValidation *ret,
                       Diag *diag);

/* Which gains to score; NULL or VALIDATE_ANY: whichever. */
enum { VALIDATE_NO, VALIDATE_YES, VALIDATE_ANY };
typedef struct {
    const char *rule_id; /* NULL: all single ones */
    int traced, throughput, uncertain, bound;
} AdviceFilter;

typedef struct {
    Score score; /* errors as shares of the verified gain */
    double sign; /* share whose verified gain has the predicted one's sign */
} AdviceScore;

AdviceScore validate_advice_score(Arena *a, const AdviceValidation *c, AdviceFilter f);

/* Bounds that something could be run beside. */
typedef struct {
    size_t n;
    double holds;     /* share whose figure the verified gain does not exceed … */
    double holds_end; /* … and whose upper end it does not */
    double ratio;     /* median of bound / verified gain, of those that gain */
} AdviceBoundScore;

AdviceBoundScore validate_advice_bounds(Arena *a, const AdviceValidation *c, bool traced);

/* Text of 80 columns but for its last line, and the document of docs/schema/card.json. */
void validate_advice_print(FILE *out, const AdviceValidation *c);
cJSON *validate_advice_json(const AdviceValidation *c);

#endif
