/* Computes lognormal factors by table and linear interpolation. */
#include "npu_exec/sim/noise.h"
#include "graph/base/random.h"
#include "npu_exec/sim/noise_tables.inc"

int64_t noise_normal_q16(uint64_t bits)
{
    uint64_t half = bits >> 1;
    uint32_t segment = (uint32_t)(half >> 55); /* 8 bits */
    int64_t fraction = (int64_t)(half >> 39 & 0xffff);
    int64_t lo = half_normal_q16[segment], hi = half_normal_q16[segment + 1];
    int64_t z = lo + (hi - lo) * fraction / 65536;
    return bits & 1 ? -z : z;
}

int64_t noise_exp_q16(int64_t x)
{
    const int64_t log2e_q16 = 94548;
    bool negative = x < 0;
    int64_t y = (negative ? -x : x) * log2e_q16 / 65536; /* |x| log2 e in 1/65536 */
    int64_t whole = y >> 16, rest = y & 0xffff;
    int64_t i = rest * EXP2_SEGMENTS >> 16, fraction = rest * EXP2_SEGMENTS & 0xffff;
    int64_t m = exp2_q30[i] + (exp2_q30[i + 1] - exp2_q30[i]) * fraction / 65536;
    if (negative)
        return ((INT64_C(1) << 50) / m) >> whole;
    return m >> 10 << whole;
}

int64_t noise_factor(uint64_t seed, uint64_t stream, uint64_t request, uint64_t draw,
                     int64_t sigma_ppm)
{
    if (sigma_ppm == 0)
        return NOISE_ONE;
    int64_t z = noise_normal_q16(random_bits(seed, stream, request, draw));
    return noise_exp_q16(z * sigma_ppm / 1000000);
}

/* log2 of x / 2^32 for x in [2^32, 2^33), in 1/2^20: the inverse of exp2_q30 by search. */
static int64_t log2_mantissa_q20(uint64_t x)
{
    int64_t m = (int64_t)(x >> 2); /* in 1/2^30 */
    int i = 0;
    while (i + 1 < EXP2_SEGMENTS && exp2_q30[i + 1] <= m)
        i++;
    int64_t within = ((m - exp2_q30[i]) << 20) / (exp2_q30[i + 1] - exp2_q30[i]);
    return ((int64_t)i * (1 << 20) + within) / EXP2_SEGMENTS;
}

int64_t noise_exponential(uint64_t bits)
{
    const int64_t ln2_q20 = 726817;
    int64_t shift = 0; /* -ln(u) with u = bits / 2^64 */
    bits |= 1;
    for (; !(bits >> 63); bits <<= 1)
        shift++;
    int64_t log2_q20 = (shift + 1) * (1 << 20) - log2_mantissa_q20(bits >> 31);
    return log2_q20 * ln2_q20 >> 20;
}

Ps noise_apply(Ps ps, int64_t factor)
{
    return ps_service(i64_mul_div(ps, factor, NOISE_ONE));
}
