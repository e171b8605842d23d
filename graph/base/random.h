/* Draws random numbers that depend only on their key. How many were drawn before does not
 * matter: an added event shifts no other draw, and paired runs share their noise. */
#pragma once

#include <stdint.h>

/* Finaliser of SplitMix64 (Steele, Lea, Flood 2014): a bijection with full avalanche. */
uint64_t random_mix(uint64_t x);

/* Uniform 64 bits for the key (seed, stream, index, draw); SplitMix64 finaliser over the mix. */
uint64_t random_bits(uint64_t seed, uint64_t stream, uint64_t index, uint64_t draw);

/* Uniform in [0, n), n > 0; the bias is below 2^-32 for n below 2^32. */
uint64_t random_below(uint64_t bits, uint64_t n);
