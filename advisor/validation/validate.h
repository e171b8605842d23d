/* Compares the predictions of the cost model with published measurements. */
#pragma once

#include "advisor/validation/points.h"
#include "advisor/validation/crossvalidate.h"
#include "cost_model/predict.h"
#include "cost_model/score.h"

/* What was predicted for one point. */
typedef struct {
    const PublishedPoint *point;
    const char *missing; /* name of the model file that is not there; the rest is then unset */
    bool known;          /* false: the metric is none of ours, or no cost of it is known */
    Interval predicted_ns;
    bool has_other;         /* the source does not state the target: … */
    Interval other_ns;      /* … predicted for the other one */
    double physical_ns;     /* by the data sheet alone; 0 without such a profile */
    const Program *program; /* as compiled for the point */
    bool fitted;            /* takes part in the fit: */
    FitPoint fit;
    double fit_scale; /* measured value per NPU time of a task */
} PointOutcome;

typedef struct {
    const char *name; /* a metric; of rows of tables also their kind or network */
    Score score, physical;
} PointGroup;

/* A fitted figure: the file's value, the one fitted on all points, and what the leave-one-out mean
 * error becomes when the figure is the data sheet's instead. */
typedef struct {
    const FigureInfo *info;
    Interval file; /* with its physical range */
    double fitted, mean_without;
} FigureCheck;

typedef struct {
    const char *name; /* as the points file states it; NULL: of the same kinds of operators … */
    const char *first_model; /* … as this one */
    Score score;
    double width; /* how many times the target file's intervals the other families need */
} FamilyScore;

/* Each family of networks left out of the fit, in turn (validate_family.c). */
typedef struct {
    FamilyScore *family; /* in order of first appearance */
    size_t nfamily;
    Score all;
    Interval *predicted_ns; /* per fitted point */
    double width;           /* how many times the target file's intervals all families need */
} FamilyReport;

typedef struct {
    Score left_out, in_sample, physical; /* of the fitted points */
    FamilyReport families;
    FigureCheck figure[TERM_MAX];
    size_t nfigure;
    size_t npair, wrong_side; /* pairs of one and two PEs, and those beyond 2 on the wrong side */
    double pair_mean_error;   /* of the ratio single / fused, left out */
    double *left_out_ns;      /* per outcome, in the unit of its metric; 0 where not fitted */
    Interval *family_out_ns;  /* the same with its family left out */
    size_t nheld;             /* points held out by name (--hold-out), and how they fared */
    Score held;
} FitReport;

typedef struct {
    PointOutcome *outcome;
    size_t noutcome;
    size_t ndisturbed; /* rows of tables that are left out (validate_layers.h) */
    PointGroup *group; /* metrics, kinds of rows, networks; in order of first appearance */
    size_t ngroup, group_cap;
    bool has_fit; /* enough fitted points */
    FitReport fit;
} Validation;

typedef struct {
    const char *points_path, *models_dir, *calibration;
    TargetFolders targets; /* beside those that ship */
    const char *hold_out;  /* points whose model's name contains it are predicted by a fit without
                              any of them; NULL */
    void (*progress)(void *user, size_t done, size_t all); /* after each point; NULL */
    void *user;
} ValidateRequest;

Status validate(Arena *a, const ValidateRequest *q, Validation *ret, Diag *diag);

/* point[n] are the fitted ones among the outcomes, at index[n].  A family is what the points file
 * states, else the networks of the same kinds of operators: never a name. */
void validate_families(Arena *a, const Costs *c, const FitPoint *point, const uint32_t *index,
                       size_t n, const PointOutcome *outcome, FamilyReport *ret);

/* Errors of the points in one of a NULL-terminated list of groups, by the cost model or by the data
 * sheet alone. */
typedef enum { SCORE_PREDICTED, SCORE_PHYSICAL } ScoreSource;
Score validate_score(Arena *a, const Validation *v, const char *const *group, ScoreSource source);

/* Accuracy as a Markdown table, the one of the README: `path` is a file, or "-" for `out`
 * (validate_table.c). */
Status validate_table(Arena *a, const Validation *v, const char *path, FILE *out, Diag *diag);

/* The fit of the outcomes that take part (validate_fit.c). */
void validate_fit(Arena *a, const Costs *c, const ValidateRequest *q, Validation *v);
