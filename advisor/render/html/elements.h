/* Lists what the page shows of a program, in program order: host steps, transfers and NPU
 * operators.
 *
 * Of a large program the longest have an element each, and what stands between them is summed up,
 * so that the page stays one that opens. */
#pragma once

#include "advisor/report/result.h"
#include "graph/base/arena.h"

enum {
    ELEMENTS_FULL = 10000,   /* a program of more … */
    ELEMENTS_LONGEST = 2000, /* … has that many elements of one step or operator each */
};

typedef enum { ON_HOST, ON_LINK, ON_NPU } ElementPlace;

typedef struct {
    ElementPlace place;
    const ResultStep *step;                         /* the first */
    const ResultOperator *op;                       /* the first; NULL: the step itself */
    size_t count;                                   /* of steps or operators merged into it */
    double measured_ns, predicted_ns, lo_ns, hi_ns; /* NAN: not known */
    uint64_t form; /* hash of kind and shape: equal for work of the same form */
} PageElement;

typedef struct {
    PageElement *element;
    size_t n, all; /* all: steps and operators that there are */
    uint32_t *of;  /* of each of those, its element */
    uint32_t *first_of_step;
    uint32_t *of_operator;   /* of each operator, its element */
    size_t nstep, noperator; /* operators that belong to a step */
} Elements;

/* Points into the result, which must outlive it. */
Elements elements_of(Arena *a, const Result *r);

/* Measured, else predicted; 0 if neither is known. */
double element_ns(const PageElement *e);
/* The first node of the operator, else of the step; NULL: none. */
const char *element_node(const PageElement *e);

/* The elements that a change or work by hand marks, ascending. */
typedef struct {
    int64_t id; /* its number */
    uint32_t *element;
    size_t n;
} Touched;
typedef struct {
    Touched *finding; /* changes, then work by hand */
    size_t n;
} Marks;
Marks marks_of(Arena *a, const Result *r, const Elements *e);
