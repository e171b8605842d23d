/* Refutes or weakens a trace by what its set-up contradicts or leaves open. */
#include "cost_model/messages.h"
#include "cost_model/reconcile.h"
#include "cost_model/evidence_grade.h"
#include "cost_model/setup/setup.h"

/* "4 or 8" */
static const Message *list_candidates(Arena *a, const SetupItem *x)
{
    const Message *text = message_verbatim(a, x->candidate[0]);
    for (size_t i = 1; i < x->ncandidate; i++)
        text = MESSAGE(a, MESSAGE_ID(EITHER), arg_message(text), arg_text(x->candidate[i]));
    return text;
}

static void check_setup_item(Arena *a, const SetupItem *x, const char *option, Reconciliation *r)
{
    if (x->seen)
        evidence_object(r, 'D',
                        (EvidenceIssue){"contradiction", ABOUT_MATCH, 1, 0, false,
                                        &message_UNIT_OPTIONS,
                                        MESSAGE(a, MESSAGE_ID(CONTRADICTION), arg_text(option),
                                                arg_text(x->value), arg_text(x->seen))});
    else if (x->undecided && x->source != SETUP_DEFAULT) /* a guess against the default */
        evidence_object(r, 'C',
                        (EvidenceIssue){"undecided-setup", ABOUT_MATCH, (double)x->ncandidate, 1,
                                        false, &message_UNIT_CANDIDATES,
                                        MESSAGE(a, MESSAGE_ID(UNDECIDED_SETUP), arg_text(option),
                                                arg_message(list_candidates(a, x)))});
}

/* Of the trace's time and of the program's NPU operators, both as shares that fit; of a model and
 * its own trace the product is 1, of thirty pairs of others at most 0.73. */
#define FITS_MIN 0.75
/* Operators in one of the two alone: as many as make an issue of times. */
#define DISTANCE_MAX 0.05
enum { DISTINCT_OPERATORS = 40 }; /* fewer differ by one or two between versions of a compiler */

/* Where the lists of operators are equal, convolutions tell a wider or narrower network, against
 * the law and against what tasks take for inputs and outputs: a faster chip or slower DRAM is off
 * in one alone.  In the logarithm, own traces of eleven networks on five chips are at most 0.34
 * longer, 0.37 in the convolutions that the multipliers limit; the wider of four pairs of different
 * width is 0.55 and 0.48 longer, on one PE 0.74 and 0.65.  Those that the multipliers limit are at
 * most 0.70 and 0.58 shorter, also where activation functions are free; the narrower of a pair's
 * 0.87 and 0.76.  One or two convolutions tell nothing. */
#define SHORTER_LAW_MAX 0.67
#define SHORTER_IO_MAX  0.78
#define LONGER_MAX      0.5
enum { CONVOLUTIONS_MIN = 3 };

static double smaller_excess(const Excess *x)
{
    return x->items < CONVOLUTIONS_MIN ? 0 : fmin(x->over_io, x->over_law);
}

static bool takes_less(const Excess *x)
{
    return x->items >= CONVOLUTIONS_MIN && x->over_io < -SHORTER_IO_MAX &&
           x->over_law < -SHORTER_LAW_MAX;
}

/* How many times as long as this model's they take; 0 where that is nothing to speak of. */
static double other_products(const Setup *s, const Reconciliation *r)
{
    const Excess *all = &s->best.convolutions, *products = &s->best.products;
    if (!s->searched || r->inferences == 0 || r->stats->nexecution == 0)
        return 0;
    if ((takes_less(all) && takes_less(products)) || smaller_excess(all) > LONGER_MAX)
        return exp(all->over_io);
    return smaller_excess(products) > LONGER_MAX ? exp(products->over_io) : 0;
}

/* The two shares of a table are of the same rows. */
static double share_that_fits(const Program *p, const Reconciliation *r)
{
    double time = r->matched_time_share, ops = r->matched_op_share;
    return p->machine->kind == MACHINE_ROWS ? fmin(time, ops) : time * ops;
}

/* A profile without an NPU is of no use, but it may be of this very model. */
static bool is_of_another_model(const Program *p, const Setup *s, const Reconciliation *r)
{
    if (r->inferences == 0 || r->stats->nexecution == 0)
        return false;
    bool apart =
        s->compared && s->best.operators >= DISTINCT_OPERATORS && s->best.npu_apart > DISTANCE_MAX;
    return apart || share_that_fits(p, r) < FITS_MIN;
}

static void refute_model(Arena *a, const Program *p, const Setup *s, Reconciliation *r)
{
    double fits = 100 * share_that_fits(p, r);
    if (s->compared)
        fits = fmin(fits, 100 * (1 - s->best.npu_apart));
    r->refuted = REFUTED_MODEL;
    evidence_grade(a, p, r);
    evidence_object(r, 'D',
                    (EvidenceIssue){"other-model", ABOUT_MATCH, fits, 100 * FITS_MIN, true,
                                    &message_UNIT_PERCENT_FITS,
                                    MESSAGE(a, MESSAGE_ID(OTHER_MODEL), arg_fixed(fits, 0))});
}

static void refute_products(Arena *a, const Program *p, double times, Reconciliation *r)
{
    double most = exp(SHORTER_IO_MAX);
    bool less = times < 1;
    r->refuted = REFUTED_MODEL;
    evidence_grade(a, p, r);
    evidence_object(r, 'D',
                    (EvidenceIssue){"other-model", ABOUT_MATCH, times, less ? 1 / most : most, less,
                                    &message_UNIT_TIMES_AS_LONG,
                                    MESSAGE(a, MESSAGE_ID(OTHER_PRODUCTS), arg_fixed(times, 2))});
}

/* Of 126 own traces of eleven networks (one and two PEs, 1 and 4 images, five chips) two fit
 * another size better by more than 2: by 2.8, and by 4.2 with an undecided batch, where less
 * than SIZE_UNDECIDED only weakens.  A chip, host and link that are off by one factor look the
 * same; calibrated costs know that factor. */
#define SIZE_RATIO_MAX 3.0
#define SIZE_UNDECIDED 5.0

static const Message *size_text(Arena *a, const Setup *s)
{
    if (s->size_batch)
        return MESSAGE(a, MESSAGE_ID(OTHER_SIZE_OR_BATCH), arg_count(s->size[0]),
                       arg_count(s->size[1]), arg_count(s->own_size[0]), arg_count(s->own_size[1]),
                       arg_count(s->size_batch));
    return MESSAGE(a, MESSAGE_ID(OTHER_SIZE), arg_count(s->size[0]), arg_count(s->size[1]),
                   arg_count(s->own_size[0]), arg_count(s->own_size[1]));
}

static void doubt_size(Arena *a, const Program *p, const Setup *s, Reconciliation *r)
{
    char worst = 'C';
    if (!s->item[SETUP_BATCH].undecided || s->size_fits > SIZE_UNDECIDED) {
        r->refuted = REFUTED_SIZE;
        evidence_grade(a, p, r);
        worst = 'D';
    }
    evidence_object(r, worst,
                    (EvidenceIssue){"other-size", ABOUT_MATCH, s->size_fits, SIZE_RATIO_MAX, false,
                                    &message_UNIT_LIKELIHOOD, size_text(a, s)});
}

void setup_use(Arena *a, const Program *p, const Setup *s, Reconciliation *r)
{
    if (setup_contradiction(s, NULL)) {
        r->refuted = REFUTED_SETUP;
        evidence_grade(a, p, r); /* how far the times of something else are off says nothing */
    }
    if (!r->refuted && is_of_another_model(p, s, r))
        refute_model(a, p, s, r);
    double times = r->refuted ? 0 : other_products(s, r);
    if (times > 0)
        refute_products(a, p, times, r);
    if (!r->refuted && s->size_fits > SIZE_RATIO_MAX)
        doubt_size(a, p, s, r);
    for (int i = SETUP_COUNT - 1; i >= 0; i--)
        check_setup_item(a, &s->item[i], setup_option((SetupItemId)i), r);
}
