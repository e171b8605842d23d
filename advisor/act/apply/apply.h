/* Writes the chosen recommendations into a folder: an edited model, a compiler configuration and
 * the settings of the run. */
#ifndef ADVISOR_ACT_APPLY_APPLY_H
#define ADVISOR_ACT_APPLY_APPLY_H

#include "advisor/advise/advise.h"
#include "advisor/report/result.h"

/* A recommendation, suppressed advice, or a part of a point of `tune`. */
typedef struct {
    const char *rule_id, *fingerprint; /* NULL: a setting beside the changes of the rules */
    const char *title, *risk;
    ResultLeverList levers;
    const ResultFix *fix;
    const ResultGain *gain;                     /* NULL: a setting of a set has none by itself */
    const ResultRecommendation *recommendation; /* NULL: something else */
} ApplyChange;

/* What is to be applied, and what it was advised on. */
typedef struct {
    ApplyChange *change; /* in order of rank, none twice */
    size_t nchange;
    const char *workers; /* chosen for all parts of `combined` together; NULL: as each says */
    const char *target, *sdk;
    ResultOptions options;
} Chosen;

/* `list` holds ranks, rule ids or fingerprints, joined by commas; NULL: those of `combined`, or the
 * first that helps.  STATUS_USAGE for what is not there, or for two that exclude each other;
 * STATUS_UNDECIDED when there is nothing to apply. */
Status apply_choose(Arena *a, const Result *r, const char *list, Chosen *ret, Diag *diag);

/* The parts of a point of `tune`. */
void apply_choose_point(Arena *a, const ResultTune *tune, const ResultPoint *point, Chosen *ret);

typedef struct {
    const char *const *file; /* names written, below the folder */
    size_t nfile;
    const char *model;       /* the file to go on with: written, or the one that was given */
    const char *const *word; /* options that belong to it, as npu-advise and npu-exec spell them */
    size_t nword;
} Applied;

/* Whether apply_write will be able to write there; leaves nothing. */
Status apply_check(const char *folder, Diag *diag);

/* Makes the folder, if it is not there; refuses to write over the model itself. */
Status apply_make_folder(const char *path, Diag *diag);
Status apply_check_overwrite(const char *model, const char *path, Diag *diag);

/* Writes into `folder` (made if it is not there): the model if an edit of it was chosen,
 * compiler.yaml if there is something to say in it, and CHANGES.md, which says what was
 * changed, what is left to do by hand and what it gains.  Files appear whole or not at all. */
Status apply_write(Arena *a, const AdviseRequest *q, const Chosen *chosen, const char *folder,
                   Applied *ret, Diag *diag);

#endif
