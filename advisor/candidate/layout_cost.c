/* Compares the elements that cross the inputs and outputs in the NPU's layout, before and after. */
#include "advisor/candidate/layout_cost.h"

#include "cost_model/interval.h"

#include <assert.h>
#include <math.h>

/* Bytes per element that a pass touches: inputs are read and written, outputs are read in place. */
static const int touched[] = {[IO_INPUT] = 2, [IO_OUTPUT] = 1};
static_assert(sizeof touched / sizeof *touched == IO_OUTPUT + 1, "a figure for each side");

static bool is_read(const Program *p, PTensorId t)
{
    for (size_t i = 0; i < p->nstep; i++)
        for (uint32_t k = 0; k < p->step[i].ninput; k++)
            if (p->step[i].input[k] == t)
                return true;
    return false;
}

/* The side of the graph where the step hands over the NPU's layout, or is handed it; IO_NONE. */
static IoKind side_of(const Program *p, const Step *s, const PTensor **ret)
{
    IoKind side = IO_NONE;
    *ret = NULL;
    if (s->kind == STEP_H2D && s->ninput && p->tensor[s->input[0]].producer == STEP_NONE) {
        *ret = &p->tensor[s->input[0]];
        side = IO_INPUT;
    } else if (s->kind == STEP_D2H && s->noutput && s->io == IO_OUTPUT &&
               !is_read(p, s->output[0])) {
        *ret = &p->tensor[s->output[0]];
        side = IO_OUTPUT;
    }
    return *ret && (*ret)->layout == LAYOUT_LOWERED ? side : IO_NONE;
}

/* Elements that cross a side of the graph in the NPU's layout. */
static double elements_handed(const Program *p, IoKind side)
{
    double sum = 0;
    const PTensor *t;
    for (size_t i = 0; i < p->nstep; i++)
        if (side_of(p, &p->step[i], &t) == side)
            sum += (double)t->elements;
    return sum;
}

/* Conversions of what the application hands over, or takes. */
static double conversions_ns(const Program *p, const Prediction *t, IoKind side)
{
    double sum = 0;
    for (size_t i = 0; i < p->nstep; i++)
        if (p->step[i].kind == STEP_HOST && p->step[i].io == side)
            sum += t->step[i].total_ns.mid;
    return sum;
}

double layout_cost_boundary_ns(const Program *p, const Prediction *t)
{
    return conversions_ns(p, t, IO_INPUT) + conversions_ns(p, t, IO_OUTPUT);
}

Interval layout_cost_ns(const Program *p, const Program *now, const Prediction *now_time,
                        const Costs *c)
{
    static const IoKind sides[] = {IO_INPUT, IO_OUTPUT};
    Interval sum = {0, 0, 0};
    for (size_t i = 0; i < sizeof sides / sizeof *sides && p != now; i++) {
        double elements = elements_handed(p, sides[i]) - elements_handed(now, sides[i]);
        if (elements <= 0)
            continue;
        Interval pass = interval_scale(c->pass_ns_per_byte, elements * touched[sides[i]]);
        double most = fmax(pass.mid, conversions_ns(now, now_time, sides[i]));
        sum = interval_add(sum, (Interval){pass.lo, pass.mid, most});
    }
    return sum;
}
