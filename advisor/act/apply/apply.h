/* Writes a plan to a folder, as an edited model, a compiler configuration and settings. */
#pragma once

#include "advisor/advise/advise.h"
#include "advisor/report/result.h"

/* The plan to write, and the result that it is of. */
typedef struct {
    const Result *result;
    const ResultPlan *plan;
} Chosen;

/* The plan of that id; NULL: the recommended one.  STATUS_USAGE for an unknown id, with those that
 * there are; STATUS_UNDECIDED when there is no plan. */
Status apply_choose(Arena *a, const Result *r, const char *id, Chosen *ret, Diag *diag);

typedef struct {
    const char *const *file; /* names written, below the folder */
    size_t nfile;
    const char *model;       /* the file to go on with: written, or the one that was given */
    const char *const *word; /* options that belong to it, as npu-advise and npu-exec spell them */
    size_t nword;
    const char *goals; /* command_goals, npu-advise's alone; NULL: none */
    bool simulated;    /* npu-exec can run it */
} Applied;

/* Whether apply_write will be able to write there; leaves nothing. */
Status apply_check(Arena *a, const char *folder, Diag *diag);

/* Makes the folder, if it is not there; refuses to write over the model itself. */
Status apply_make_folder(const char *path, Diag *diag);
Status apply_check_overwrite(const char *model, const char *path, Diag *diag);

/* Writes into `folder` (made if it is not there): the model if an edit of it was chosen,
 * compiler.yaml if it has any content, and CHANGES.md, which lists the changes, the remaining
 * work by hand and the savings.  Files appear whole or not at all. */
Status apply_write(Arena *a, const AdviseRequest *q, const Chosen *chosen, const char *folder,
                   Applied *ret, Diag *diag);
