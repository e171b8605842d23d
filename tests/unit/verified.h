/* One thing changed in a program `p`, and what its verifier says with `diag`. */
#pragma once

#include "graph/compile/program.h"
#include "tests/unit/check.h"

#include <string.h>

/* What the verifier says of `p` while `*at` is `wrong`. */
#define BROKEN(type, at, wrong, words)                                                             \
    do {                                                                                           \
        type *place_ = (type *)(at), old_ = *place_;                                               \
        *place_ = (wrong);                                                                         \
        CHECK(program_verify(p, &diag) == STATUS_INPUT && strstr(diag.text, words));               \
        *place_ = old_;                                                                            \
    } while (0)

/* Nothing is wrong with `p` while `*at` is `other`. */
#define SOUND(type, at, other)                                                                     \
    do {                                                                                           \
        type *place_ = (type *)(at), old_ = *place_;                                               \
        *place_ = (other);                                                                         \
        CHECK(program_verify(p, &diag) == STATUS_OK);                                              \
        *place_ = old_;                                                                            \
    } while (0)
