/* Finds how the run that a trace shows was compiled and run.
 *
 * PE mode, cards, SDK and requests in flight are read off the trace's lanes, categories and
 * inferences.  Batch and element types at the boundary are those of the candidate that, compiled
 * and predicted, is likest to the typical inference (resemblance.h).  Options that were given are
 * kept; if the trace shows something else, that is a contradiction, and the trace is no
 * evidence. */
#pragma once

#include "cost_model/cost_words.def"
#include "cost_model/setup/resemblance.h"

typedef enum {
#define X(id, option) SETUP_##id,
    SETUP_ITEMS(X)
#undef X
        SETUP_COUNT
} SetupItemId;

typedef enum { SETUP_OPTION, SETUP_TRACE, SETUP_DEFAULT } SetupSource;
const char *setup_source_name(SetupSource s); /* "option" "trace" "default" */
const char *setup_option(SetupItemId i);      /* "--input-dtype" */

enum { SETUP_CANDIDATES_MAX = 16 };

typedef struct {
    const char *value; /* as the option spells it; types of inputs or outputs as one word, or
                          "mixed" where those that can be chosen differ */
    bool undecided;    /* the trace allows several: `value` is what fits best, and a guess */
    const char *candidate[SETUP_CANDIDATES_MAX]; /* those, best first */
    size_t ncandidate;
    SetupSource source;
    const char *seen; /* what the trace shows against what was said; NULL: nothing */
} SetupItem;

typedef struct {
    CompileOptions compile; /* to advise on */
    RunOptions run;
    SetupItem item[SETUP_COUNT];
    size_t compiled;  /* candidates that were compiled */
    bool searched;    /* batch and types were looked for: the trace shows host steps or tasks */
    bool compared;    /* candidates were held against the trace */
    Resemblance best; /* of the likest candidate; where `compared` */
    /* By how much an image of another size fits the times better than the one advised on (`cost` of
     * Resemblance); 0: none does. */
    double size_fits;
    int64_t size[2], own_size[2]; /* height and width: of that image, and of the model's */
    int64_t size_batch; /* a batch of the model's own images that fits nearly as well; 0: none */
} Setup;

/* What a trace is compared with; `compile` and `run` are the options given, and the defaults. */
typedef struct {
    const Model *model;
    const Machine *machine;
    const Costs *costs;
    const CompileOptions *compile;
    const RunOptions *run;
} SetupRequest;

/* `stats` NULL: nothing but the options. */
void setup_find(Arena *a, const SetupRequest *q, const TraceStats *stats, Setup *ret);

typedef struct Reconciliation Reconciliation;

/* Refutes the trace where it contradicts the setup, and weakens it where it leaves an item open;
 * `p` is the program of `r`. */
void setup_use(Arena *a, const Program *p, const Setup *s, Reconciliation *r);

/* The first item that the trace contradicts, or NULL. */
const SetupItem *setup_contradiction(const Setup *s, SetupItemId *ret_id);
bool setup_is_undecided(const Setup *s);
