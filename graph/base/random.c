/* Mixes the parts of the key with the SplitMix64 finaliser. */
#include "graph/base/random.h"

#include <assert.h>

uint64_t random_mix(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

uint64_t random_bits(uint64_t seed, uint64_t stream, uint64_t index, uint64_t draw)
{
    return random_mix(random_mix(random_mix(random_mix(seed) ^ stream) ^ index) ^ draw);
}

uint64_t random_below(uint64_t bits, uint64_t n)
{
    assert(n > 0);
    return (uint64_t)(((unsigned __int128)bits * n) >> 64);
}
