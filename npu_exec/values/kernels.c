/* Lists which kernel computes which operators. */
#include "npu_exec/values/kernels.h"

enum { FAMILY_MAX = 32 };

static const struct Family {
    Kernel *plain;
    FastKernel *quick;   /* or NULL */
    OpId op[FAMILY_MAX]; /* the rest is OP_UNKNOWN */
} family[] = {
#define FAMILY(plain, quick, ...) {plain, quick, {__VA_ARGS__}},
#include "npu_exec/values/kernels.def"
};

static const struct Family *family_of(OpId op)
{
    for (size_t i = 0; i < sizeof family / sizeof *family; i++)
        for (size_t k = 0; k < FAMILY_MAX && family[i].op[k] != OP_UNKNOWN; k++)
            if (family[i].op[k] == op)
                return &family[i];
    return NULL;
}

Kernel *kernel_of(OpId op)
{
    const struct Family *f = family_of(op);
    return f ? f->plain : NULL;
}

FastKernel *kernel_fast_of(OpId op)
{
    const struct Family *f = family_of(op);
    return f ? f->quick : NULL;
}
