/* Loops that the compiler vectorises, once for any machine and once for AVX2, chosen at run time.
 *
 *   VECTORISED(negate, (int8_t *x, size_t n), (x, n))
 *
 * defines negate() from negate_loop(), which must be declared LOOP and give the same result in any
 * vector width: no sums of floats across lanes. */
#ifndef NPU_EXEC_VECTORISE_H
#define NPU_EXEC_VECTORISE_H

#if defined(__clang__)
#define LOOP_OPTIMISE
#else
#define LOOP_OPTIMISE __attribute__((optimize("O3", "no-trapping-math")))
#endif
#define LOOP static inline __attribute__((always_inline)) void

#if defined(__x86_64__)
#define VECTORISED(name, parameters, arguments)                                                    \
    LOOP_OPTIMISE static void name##_any parameters                                                \
    {                                                                                              \
        name##_loop arguments;                                                                     \
    }                                                                                              \
    LOOP_OPTIMISE __attribute__((target("avx2"))) static void name##_avx2 parameters               \
    {                                                                                              \
        name##_loop arguments;                                                                     \
    }                                                                                              \
    void name parameters                                                                           \
    {                                                                                              \
        if (__builtin_cpu_supports("avx2"))                                                        \
            name##_avx2 arguments;                                                                 \
        else                                                                                       \
            name##_any arguments;                                                                  \
    }
#else
#define VECTORISED(name, parameters, arguments)                                                    \
    LOOP_OPTIMISE void name parameters                                                             \
    {                                                                                              \
        name##_loop arguments;                                                                     \
    }
#endif

#endif
