/* Replaces operators on bytes by tables of 256 entries. */
#pragma once

#include "npu_exec/values/kernels.h"
#include "npu_exec/values/loops.h"

/* number[b] is the value where the root has the byte b; the root has elements. */
typedef struct {
    Value *root;
    float number[256];
} ByteFunction;

/* False where the value is not a function of single bytes. */
bool quantized_function_of(Value *v, ByteFunction *ret);

/* Bytes with one scale and one zero point, which are v->source. */
bool quantized_has_one_scale(const Value *v);

/* For the loops over bytes of type t; the zero point as an unsigned byte's. False where it is no
 * byte. */
bool quantized_coding(const Epilogue *e, DType t, Coding *ret);
Decoding quantized_decoding(const Value *v);

bool quantized_same_size(const Value *a, const Value *b);

/* Makes `out` a value of codes[256], or of table[256], of the root.  False where memory ends. */
bool quantized_set_bytes(Value *out, Value *root, const uint8_t *codes);
bool quantized_set_table(Value *out, Value *root, const float *table);
/* Makes `out` what `like` is of its source, of `bytes` instead, whose reference it takes. */
bool quantized_set_source(Value *out, const Value *like, Value *bytes);

/* Runs a plain kernel that does not know of the epilogue, and then the epilogue. */
Status quantized_run_plain(Call *c, Kernel *kernel);
