/* Reads a file of one tensor, input_0.pb (ONNX) or input_0.npy (NumPy), and begins one. */
#pragma once

#include "graph/model/model.h"

typedef struct {
    InFile file; /* what `value` is a view of */
    Const value;
    Shape shape;
} ValueFile;

/* Recognised by content.  Fails (STATUS_INPUT) for a file that is damaged, big-endian, in Fortran
 * order, or of a type that is not in dtypes.xml.  Close with value_file_close. */
Status value_file_open(Arena *a, const char *path, ValueFile *ret, Diag *diag);
/* The same from memory, which must outlive the value; nothing is to be closed. */
Status value_file_read(Arena *a, const char *path, const uint8_t *bytes, size_t size,
                       ValueFile *ret, Diag *diag);
void value_file_close(ValueFile *v);

/* Writes what comes before the elements of a NumPy array in C order, filled up with blanks so that
 * they begin at a multiple of 64 bytes.  `stack`: length of an axis before the others; 0: none. */
void value_file_begin_npy(FILE *out, DType t, size_t stack, int32_t rank, const int64_t *dim);
