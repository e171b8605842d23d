/* Scales the time of each pool by the passes that its window takes. */
#include "advisor/candidate/windows.h"

#define ONE_PASS 9.0 /* elements: a window of 3 x 3 */

/* How much longer an op takes then than it is predicted to. */
static double longer_ns(const LowOp *op, double ns, double passes)
{
    double window = (double)op->kernel_h * (double)op->kernel_w;
    if (op->kind != LOWOP_POOL || window <= 0)
        return 0;
    return ns * (window * passes / fmax(1, window / ONE_PASS) - 1);
}

double windows_sum(const Program *p)
{
    return LIST_SUM(
        double, i, p->nop,
        p->op[i].kind == LOWOP_POOL ? (double)p->op[i].kernel_h * (double)p->op[i].kernel_w : 0);
}

double windows_objective(const Trial *t, const Costs *c, Objective o, double passes,
                         StepPrediction *scratch)
{
    Prediction moved = *t->time;
    moved.step = scratch;
    for (size_t i = 0; i < t->program->nstep; i++) {
        const Step *s = &t->program->step[i];
        scratch[i] = t->time->step[i];
        for (LowOpId k = s->first_op; s->kind == STEP_NPU && k < s->first_op + s->nop; k++)
            scratch[i].total_ns.mid +=
                longer_ns(&t->program->op[k], t->time->op[k].total_ns.mid, passes);
    }
    predict_totals(t->program, c, &t->variant.run, &moved);
    return prediction_objective(&moved, o).mid;
}
