/* Draws multiplicative lognormal noise that is the same on every platform for one seed.  Each draw
 * is keyed (seed, stream, request, draw): an added event shifts no other draw, and two variants of
 * a model share the noise of every step that they share. */
#pragma once

#include "npu_exec/sim/ps.h"

enum { NOISE_ONE = 1 << 20 }; /* the factor 1 */

/* Standard normal deviate in 1/65536, from 64 uniform bits; symmetric, |z| <= 3.9. */
int64_t noise_normal_q16(uint64_t bits);

/* exp(x) for x in 1/65536, |x| <= 8, as a multiple of 1/NOISE_ONE. */
int64_t noise_exp_q16(int64_t x);

/* A factor with median 1 and standard deviation sigma_ppm / 1e6 of its logarithm.
 * sigma_ppm 0 gives exactly NOISE_ONE. */
int64_t noise_factor(uint64_t seed, uint64_t stream, uint64_t request, uint64_t draw,
                     int64_t sigma_ppm);

/* An exponential deviate with mean NOISE_ONE, from 64 uniform bits. */
int64_t noise_exponential(uint64_t bits);

/* `ps` times the factor, rounded down. */
Ps noise_apply(Ps ps, int64_t factor);
