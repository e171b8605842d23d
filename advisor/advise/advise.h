/* Runs the chain from a model and its traces to one result.
 *
 * Rules are matched against the facts, settings tried, plans found and run.  Every output format is
 * a rendering of the result (docs/schema/result.json) and nothing else. */
#pragma once

#include "advisor/message/phrase.h"
#include "advisor/report/result.h"
#include "advisor/options/config.h"
#include "advisor/rules/rule.h"
#include "advisor/message/helper.h"
#include "advisor/rules/rule_book.h"
#include "trace/stats/stats.h"

#include <libxml/tree.h>

/* What an application times around an inference, in the words of --app. */
typedef enum {
    STAGE_PREPROCESS,
    STAGE_INPUTS_SET,
    STAGE_RUN,
    STAGE_OUTPUTS_GET,
    STAGE_POSTPROCESS,
    STAGE_COUNT
} ApplicationStage;
const char *application_stage_name(ApplicationStage s); /* "preprocess" "inputs_set" … */

typedef struct {
    const char *model_path;
    const char *const *trace;
    size_t ntrace;
    int64_t stage_ns[STAGE_COUNT]; /* of the application, for each inference; 0: not told */
    const char *table;             /* of RKNN, given as a trace: it has advice of its own; NULL */
    const struct Imported *rows; /* that table where it has no times, for rows and CPU operators */
    TraceReadOptions trace_options;
    const char *calibration;
    const char *const *rules_dir;
    size_t nrules_dir;
    const RuleBook *book; /* rules that are loaded already; NULL: the shipped ones and rules_dir */
    Variant baseline;     /* compile and run options as given */
    Objective objective;
    int64_t latency_limit_ns; /* of throughput; 0: none */
    double goal_per_s;        /* images per second that are wanted; 0: no goal is stated */
    bool verify;
    const char *runner; /* NULL: npu-exec beside the binary */
    Helper *helper;     /* starts it; NULL: this process does */
    const char *metric; /* the user's score of outputs; NULL: none */
    Helper *metric_helper;
    uint64_t seed;
    const char *data, *preprocess, *images; /* accuracy is measured on them; NULL: it is not */
    const char *resume;                     /* the log of measurements to continue; NULL: none */
    bool loss_limited;                      /* a change that loses more is blocked: … */
    double loss_limit;                      /* … the head figure's loss, 0 to 1, … */
    bool loss_in_db;                        /* … or its figure in dB, at least so much */
    const char *loss_text;                  /* as it was given */
    void (*tell_accuracy)(void *user, size_t done, size_t all); /* may be NULL */
    void *tell_user;
    int runs;             /* of each variant under --verify; 0: 30 */
    double min_share;     /* 0.01 */
    int64_t min_gain_ns;  /* 20000 */
    bool min_gain_given;  /* plans that save less are left out */
    const Language *lang; /* of every sentence of the result; NULL: English */
    NeedSet needs;        /* that plans may have */
    bool allow_sdk;       /* plans may move to a newer SDK */
    bool front;           /* the result has the Pareto front: for `tune` and --html */
    bool pictures;        /* compile for the batch curve and the later timeline */
    const Config *config; /* rules that are off or of another level; NULL: none */
    Notes *notes;         /* where notes go; they are in the result too */
} AdviseRequest;

/* The defaults of everything that the command line, files and traces leave open. */
void advise_request_init(AdviseRequest *q);

/* Runs the whole chain; the result lies in `a`.  STATUS_UNDECIDED with a result (and a line in
 * `diag`) when no step's cost is known and there is no trace either. */
Status advise(Arena *a, const AdviseRequest *q, const Result **ret_result, Diag *diag);

/* The options of `npu-advise tune` beside the request. */
typedef struct {
    double images_per_s;                       /* to be served; 0: as many as possible */
    bool equal_gaps;                           /* between them; else exponential ones */
    void (*tell)(void *user, size_t compiled); /* after each variant; may be NULL */
    void *user;
    double quantile; /* of the latency that q->latency_limit_ns bounds, with a rate */
} TuneQuestion;

/* The same with a search of the whole space, and for a rate; the result lies in `a`. */
Status advise_tune(Arena *a, const AdviseRequest *q, const TuneQuestion *asked,
                   const Result **ret_result, Diag *diag);

/* The facts document of the same request, as `npu-advise facts` prints it; xmlFreeDoc. */
Status advise_facts(Arena *a, const AdviseRequest *q, xmlDoc **ret_doc, Diag *diag);
