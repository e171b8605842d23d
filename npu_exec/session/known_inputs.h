/* Reads inputs whose values decide shapes, such as axes, sizes and pads. */
#pragma once

#include "graph/compile/options.h"
#include "graph/model/model.h"

/* Where the shape of some result is not known from the model alone: its small inputs of rank 0 or 1
 * take the values of DIR/input_<index>.npy or .pb as constants, before the model is compiled.  A
 * file that is missing or does not fit is passed over: who reads it for its values says so. */
void known_inputs_bind(Arena *a, Model *m, const CompileOptions *o, const char *dir);
