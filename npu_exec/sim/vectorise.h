/* Compiles a loop for any machine, AVX2 and AVX-512, and chooses at run time.
 *
 *   VECTORISED(negate, (int8_t *x, size_t n), (x, n))
 *
 * defines negate() from negate_loop(), which must be declared LOOP and give the same result in any
 * vector width: no sums of floats across lanes. */
#pragma once

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#define LOOP_OPTIMISE
#define LOOP_AVX512 "avx512f,avx512bw,avx512dq,avx512vl"
#else
#define LOOP_OPTIMISE __attribute__((optimize("O3", "no-trapping-math")))
#define LOOP_AVX512   "avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512"
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
    LOOP_OPTIMISE __attribute__((target(LOOP_AVX512))) static void name##_avx512 parameters        \
    {                                                                                              \
        name##_loop arguments;                                                                     \
    }                                                                                              \
    void name parameters                                                                           \
    {                                                                                              \
        if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&            \
            __builtin_cpu_supports("avx512vl"))                                                    \
            name##_avx512 arguments;                                                               \
        else if (__builtin_cpu_supports("avx2"))                                                   \
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
