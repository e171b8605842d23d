/* Models the time of a low-level operator as a sum of terms, each a figure times work.
 *
 * The work comes from the program and the machine alone, so a fit of the figures is a linear
 * problem, and a doubled figure doubles its term. */
#pragma once

#include "cost_model/costs.h"

/* What the ops of one program have in common. */
typedef struct {
    const Program *program;
    const Costs *costs;
    double ns_per_cycle;
    double sram_bytes;       /* of all fused PEs */
    double live_bytes;       /* of one image: the peak of activations that are live together */
    double overflow_bytes;   /* of the weights, that do not fit SRAM beside them */
    double streamed_weights; /* of the operators that read theirs each time, as compiled */
    double weights;          /* of all operators */
    double largest_op_bytes; /* of one image: inputs and outputs of the largest operator */
} OpModel;

OpModel op_model(const Program *p, const Costs *c);

/* Work of the op per term of the costs: ns = figure * work. */
void op_work(const OpModel *m, const LowOp *op, double work[TERM_MAX]);

/* Cycles of the MAC array for the op when `pe` PEs take it together, before any figure; 0 for what
 * multiplies nothing.  Rows are dealt to 8 parts of the array (a depthwise map of fewer rows has
 * its channels in all parts), lanes lie along the width, and the output channels of a part go four
 * by four (facts of the data sheet; a factor in front of it fits published times at 0.96 to 1.01).
 */
double op_mac_cycles(const Machine *m, int pe, const LowOp *op);

/* Bytes of the op's inputs and outputs, all images, widths padded. */
double op_map_bytes(const Machine *m, const LowOp *op);

/* What an op of the kind takes however small it is, without kind factors. */
Interval op_fixed_ns(const Costs *c, LowOpKind kind);

/* Index of the figure for the model's error on ops like this one (residual_…); the error is wider
 * the further an op is from those fitted. */
int op_residual_figure(const LowOp *op);

/* By how much wider than for a network whose operators fit SRAM with ease. */
double op_model_widening(const OpModel *m);

/* Cycles that the compiler of a machine of rows prints for the operator; 0 elsewhere. */
int64_t op_row_cycles(const Machine *m, const LowOp *op);

double op_blocks(double a, double b); /* whole blocks of b that hold a */

/* Cycles of one image's product in a row: output pixels in blocks, times what each takes, times
 * passes over the output channels (reproduces the cycles that the vendor's compiler prints). */
double op_product_cycles(const Machine *m, double pixels, double taps, double cin, double cout);
