/* Checks indices, producers and sizes of a TensorFlow Lite file. */
#pragma once

#include "graph/tflite/tflite_file.h"

/* Checks every graph of a file that was read, and sets TfliteTensor.producer and is_input.
 * Refused, with the operator or tensor: an index that is not there; two producers of a tensor, one
 * of a constant or an input; a tensor that is read and has neither value nor producer, but scratch
 * memory of a custom operator; a file that Vela or the Edge TPU's compiler wrote; a constant
 * whose bytes do not fit its shape; an operator before what it reads. */
Status tflite_check(Arena *a, TfliteFile *f, Diag *diag);
