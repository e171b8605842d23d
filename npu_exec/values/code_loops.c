/* The widest instructions that there are, and that may be used. */
#include "npu_exec/values/code_loops.h"

#include "npu_exec/conv/instructions.h"
#include "npu_exec/sim/vectorise.h"

#if defined(__x86_64__)
typedef enum { ANY, WITH_AVX2, WITH_AVX512 } Set;

static Set widest_set(void)
{
    return has_avx512() ? WITH_AVX512 : has_avx2() ? WITH_AVX2 : ANY;
}

static CodeAll *const sums[] = {code_sums_plain, code_sums_avx2, code_sums_avx512};

static CodePair *const pair[][3] = {
    [ANY] = {code_add_plain, code_sub_plain, code_mul_plain},
    [WITH_AVX2] = {code_add_avx2, code_sub_plain, code_mul_plain},
    [WITH_AVX512] = {code_add_avx512, code_sub_avx512, code_mul_avx512},
};

/* Of the first elements; returns how many. */
static size_t look_up_quickly(const uint8_t *x, const uint8_t *table, uint8_t *y, size_t n)
{
    Set set = widest_set();
    if (set == WITH_AVX512 && __builtin_cpu_supports("avx512vbmi"))
        return code_look_up_vbmi(x, table, y, n);
    return set == ANY ? 0 : code_look_up_avx2(x, table, y, n);
}
#else
static int widest_set(void)
{
    return 0;
}

static CodeAll *const sums[] = {code_sums_plain};

static CodePair *const pair[][3] = {{code_add_plain, code_sub_plain, code_mul_plain}};

static size_t look_up_quickly(const uint8_t *x, const uint8_t *table, uint8_t *y, size_t n)
{
    (void)x, (void)table, (void)y, (void)n;
    return 0;
}
#endif

void loop_code_terms(CodeTerms *t, size_t m)
{
    code_near_terms(t, m);
    t->code = sums[widest_set()];
}

#define CHOSEN(name, op)                                                                           \
    void name(const uint8_t *a, const uint8_t *b, const Decoding *da, const Decoding *db,          \
              const Coding *to, uint8_t *y, size_t n)                                              \
    {                                                                                              \
        pair[widest_set()][op](a, b, da, db, to, y, n);                                            \
    }
CHOSEN(loop_code_add, 0)
CHOSEN(loop_code_sub, 1)
CHOSEN(loop_code_mul, 2)

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
