/* Searches the candidate that is most like a trace; private to setup.c. */
#pragma once

#include "cost_model/setup/setup.h"

/* What the trace leaves open, each a short list. */
typedef enum {
    AXIS_PE,
    AXIS_SDK,
    AXIS_BATCH,
    AXIS_INPUT,
    AXIS_OUTPUT,
    AXIS_PERMUTE,
    AXIS_PLACE, /* of operators of unknown place: as said, the other */
    AXIS_COUNT
} SetupAxis;
enum { AXIS_MAX = 10, BATCHES_MAX = 24 };

typedef struct {
    uint8_t at[AXIS_COUNT]; /* index into the axis' list */
} Candidate;

typedef struct {
    Candidate candidate;
    Resemblance resemblance;
} Tried;

enum { TRIED_MAX = 128 };

typedef struct {
    const Model *model;
    const Machine *machine;
    const Costs *costs;
    const Typical *typical;
    const CompileOptions *said;
    int tasks_at_once; /* of one card, if each takes one PE */
    int pe[AXIS_MAX];
    Sdk sdk[AXIS_MAX];
    int64_t batch[BATCHES_MAX];              /* ascending */
    DType input[AXIS_MAX], output[AXIS_MAX]; /* DT_UNKNOWN: as the model says */
    const Permutation *permute[AXIS_MAX];    /* per input; NULL: as said */
    size_t count[AXIS_COUNT];
    Candidate said_at; /* what was said, or is the default or the model's own */
    Tried tried[TRIED_MAX];
    size_t ntried;
} SetupSearch;

/* Whether an input or output can be of another element type than it is. */
bool setup_can_convert(const Tensor *t);

/* The options that compile a candidate; lists live in `a`. */
CompileOptions setup_options(Arena *a, const SetupSearch *s, Candidate x);

/* Tries what is needed to tell the best from its neighbours on every axis; -1 when nothing
 * compiles, else the best in `tried`. */
int setup_search(SetupSearch *s);

/* How much worse than `best` the best candidate with this value of the axis fits; INFINITY when
 * none was tried. */
double setup_gap(const SetupSearch *s, int best, SetupAxis axis, uint8_t value);

/* The image of another size that fits best: sides shorter or longer by half an octave or one, in
 * multiples of 32, compiled as the candidate is. */
typedef struct {
    double cost;                   /* INFINITY: there is none, or the model has one size alone */
    int64_t height, width;         /* of the first image among the inputs */
    int64_t own_height, own_width; /* as the model says */
} OtherSize;
OtherSize setup_other_size(const SetupSearch *s, Candidate x);

/* How well it fits, without the cost of an unstated batch. */
double setup_plain_cost(const SetupSearch *s, const Tried *t);

/* From this gap on the times decide: chosen as the least at which none of
 * 103 runs on three other chips (seven networks that no test uses) was decided wrongly. */
#define SETUP_DECIDED 5.0
