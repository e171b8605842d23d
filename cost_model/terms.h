/* Declares the terms whose sum is the time of a low-level operator.
 *
 * A term is data: a <term> of the target file names it and gives its form, its figure, the kinds of
 * operators that have it, and what fused PEs share of it.  Fit, prediction and calibration read the
 * same list, so that what is fitted is what predicts. */
#pragma once

#include "cost_model/cost_words.def"
#include "cost_model/interval.h"

#include <stdint.h>

typedef enum { PART_LOAD, PART_COMPUTE, PART_STORE, PART_COUNT } OpPart;

typedef enum {
#define X(id, key) LIMIT_##id,
    LIMITS(X)
#undef X
        LIMIT_COUNT
} Limit;
const char *limit_key(Limit l);

typedef enum {
#define FORM(id, ...) TERM_##id,
#include "cost_model/forms.def"
    TERM_FORM_COUNT
} TermForm;

typedef struct {
    const char *word, *unit; /* ns of an operator = figure in this unit * work */
    Limit limit;
    OpPart part;
} FormInfo;
extern const FormInfo term_forms[TERM_FORM_COUNT];

/* What two fused PEs share of a term's work.  FUSED(id, word) */
#define FUSED_SHARES(X)                                                                            \
    X(SAME, "same")       /* nothing: it takes as long as on one */                                \
    X(DIVIDED, "divided") /* each does its part; the array rounds it up */                         \
    X(PARTLY, "partly")   /* divided by 1 + fusion_phi (PEs - 1) */

typedef enum {
#define X(id, word) FUSED_##id,
    FUSED_SHARES(X)
#undef X
        FUSED_COUNT
} FusedShare;
const char *fused_word(FusedShare s);

enum { TERM_MAX = 32 };

typedef struct {
    const char *name; /* unique in the target */
    TermForm form;
    FusedShare fused;
    uint32_t kinds; /* a bit for each LowOpKind that has it */
    int beside;     /* index of a term that runs beside it: the longer counts; -1: none */
    Interval figure;
} Term;
