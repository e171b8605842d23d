/* Chooses the widest instructions that the machine has and that may be used. */
#include "npu_exec/values/byte_loops.h"

#include "npu_exec/conv/instructions.h"
#include "npu_exec/sim/vectorise.h"

#if defined(__x86_64__)
typedef enum { ANY, WITH_AVX2, WITH_AVX512 } Set;

static Set widest_set(void)
{
    return has_avx512() ? WITH_AVX512 : has_avx2() ? WITH_AVX2 : ANY;
}

static QuantizeSumsLoop *const sums[] = {byte_loops_sums_plain, byte_loops_sums_avx2,
                                         byte_loops_sums_avx512};

static BytePairLoop *const pair[][3] = {
    [ANY] = {byte_loops_add_plain, byte_loops_sub_plain, byte_loops_mul_plain},
    [WITH_AVX2] = {byte_loops_add_avx2, byte_loops_sub_plain, byte_loops_mul_plain},
    [WITH_AVX512] = {byte_loops_add_avx512, byte_loops_sub_avx512, byte_loops_mul_avx512},
};

/* Of the first elements; returns how many. */
static size_t look_up_quickly(const uint8_t *x, const uint8_t *table, uint8_t *y, size_t n)
{
    Set set = widest_set();
    if (set == WITH_AVX512 && __builtin_cpu_supports("avx512vbmi"))
        return byte_loops_look_up_vbmi(x, table, y, n);
    return set == ANY ? 0 : byte_loops_look_up_avx2(x, table, y, n);
}
#else
static int widest_set(void)
{
    return 0;
}

static QuantizeSumsLoop *const sums[] = {byte_loops_sums_plain};

static BytePairLoop *const pair[][3] = {
    {byte_loops_add_plain, byte_loops_sub_plain, byte_loops_mul_plain}};

static size_t look_up_quickly(const uint8_t *x, const uint8_t *table, uint8_t *y, size_t n)
{
    (void)x, (void)table, (void)y, (void)n;
    return 0;
}
#endif

void loop_quantize_terms(QuantizeTerms *t, size_t m)
{
    byte_loops_code_terms(t, m);
    t->code = sums[widest_set()];
}

#define CHOSEN(name, op)                                                                           \
    void name(const uint8_t *a, const uint8_t *b, const Decoding *da, const Decoding *db,          \
              const Coding *to, uint8_t *y, size_t n)                                              \
    {                                                                                              \
        pair[widest_set()][op](a, b, da, db, to, y, n);                                            \
    }
CHOSEN(loop_add_bytes, 0)
CHOSEN(loop_sub_bytes, 1)
CHOSEN(loop_mul_bytes, 2)

LOOP loop_max_bytes_loop(const uint8_t *restrict x, uint8_t flip, uint8_t *restrict y, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint8_t a = x[i] ^ flip, b = y[i] ^ flip;
        y[i] = (a > b ? a : b) ^ flip;
    }
}
VECTORISED(loop_max_bytes, (const uint8_t *x, uint8_t flip, uint8_t *y, size_t n), (x, flip, y, n))

void loop_look_up(const uint8_t *x, const uint8_t table[256], uint8_t *y, size_t n)
{
    for (size_t i = look_up_quickly(x, table, y, n); i < n; i++)
        y[i] = table[x[i]];
}
