/* Tells which instructions loops may use, by the processor and by oneDNN's variable. */
#ifndef NPU_EXEC_CONV_INSTRUCTIONS_H
#define NPU_EXEC_CONV_INSTRUCTIONS_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)

/* What limits oneDNN to less limits these loops too: `least` is how a set begins that is enough. */
static inline bool is_allowed(const char *least)
{
    const char *most = getenv("DNNL_MAX_CPU_ISA");
    return !most || strncmp(most, least, strlen(least)) == 0 || strcmp(most, "ALL") == 0 ||
           strcmp(most, "DEFAULT") == 0;
}

static inline bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && is_allowed("AVX512");
}

/* Products of bytes, four of them added exactly. */
static inline bool has_vnni(void)
{
    return has_avx512() && __builtin_cpu_supports("avx512vnni") && is_allowed("AVX512_CORE_");
}

/* With FMA, which came with it. */
static inline bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           (is_allowed("AVX2") || is_allowed("AVX512"));
}

#endif

#endif
