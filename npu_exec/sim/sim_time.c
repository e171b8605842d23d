/* Computes the times of the host's parts, with noise, warm-up, profiler and preemption. */
#include "npu_exec/sim/noise.h"
#include "npu_exec/sim/sim_state.h"

enum { MILLI = 1000, PPM = 1000000, WARM_REQUESTS = 64, RUNTIME_SDK = 10 };

int64_t sim_noise(const Sim *s, const Job *j, const Stage *g, uint64_t draw, int64_t sigma_ppm)
{
    return noise_factor(s->o.seed, g->noise_key, j->request, draw, s->o.noise ? sigma_ppm : 0);
}

/* Host parts of the first requests take longer: caches, pages and clocks warm up. */
int64_t sim_warm_factor(const Sim *s, uint64_t request)
{
    int64_t extra = i64_mul_div(NOISE_ONE, s->silicon->warmup_extra, MILLI * MILLI);
    for (uint64_t i = 0; i < request && i < WARM_REQUESTS && extra > 0; i++)
        extra = i64_mul_div(extra, s->silicon->warmup_keep, MILLI * MILLI);
    return NOISE_ONE + extra;
}

/* What the profiler makes of a host span of 1000. */
static int64_t stretch_permille(const Sim *s)
{
    if (!s->o.profiling)
        return MILLI;
    return s->o.overhead_permille >= 0 ? MILLI + s->o.overhead_permille
                                       : s->silicon->profiler_stretch / MILLI;
}

/* Work of the host, with noise, warm-up, profiler and, for operators, the odd preemption. */
Ps sim_host_time(const Sim *s, const Job *j, const Stage *g)
{
    if (g->measured)
        return g->service;
    Ps t = noise_apply(g->service, sim_noise(s, j, g, DRAW_SERVICE, g->sigma_ppm));
    t = noise_apply(t, j->warm);
    t = ps_service(i64_mul_div(t, stretch_permille(s), MILLI));
    if (g->kind == STAGE_HOST && s->o.noise) {
        uint64_t bits = random_bits(s->o.seed, g->noise_key, j->request, DRAW_OUTLIER);
        if ((int64_t)random_below(bits, PPM) < s->silicon->outlier_share / MILLI)
            t = ps_service(i64_mul_div(t, s->silicon->outlier_stretch, MILLI * MILLI));
    }
    return t;
}

Ps sim_handoff_time(const Sim *s, const Job *j, const Stage *g)
{
    const Silicon *si = s->silicon;
    bool stated = s->o.overhead_permille >= 0;
    int64_t milli_us = s->o.profiling && !stated ? si->handoff_profiled : si->handoff;
    if (stated)
        milli_us = i64_mul_div(milli_us, stretch_permille(s), MILLI);
    if (s->o.blocking && s->plan->program->options.sdk >= RUNTIME_SDK)
        milli_us = i64_add(milli_us, si->handoff_sync);
    if (g->kind == STAGE_HOST) /* one before each call */
        milli_us = i64_mul(milli_us, 1 + (int64_t)s->plan->program->step[g->step].more_calls);
    Ps t = ps_service(i64_mul(milli_us, PS_PER_US / MILLI));
    t = noise_apply(t, sim_noise(s, j, g, DRAW_HANDOFF, si->handoff_sigma / MILLI));
    return noise_apply(t, j->warm);
}
