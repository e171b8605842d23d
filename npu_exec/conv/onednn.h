/* Gives oneDNN 2.x and 3.x one interface.
 *
 * It is looked for at run time, so that a program built with its headers runs without it. */
#pragma once

#include "graph/base/arena.h"

/* Which convolutions it is for. */
typedef enum { ONEDNN_LARGE, ONEDNN_ALWAYS } OnednnUse;

/* Loads the library; to be called before the process is confined.  "oneDNN 2.6.3"; NULL where it is
 * not there, or was not when this program was built. */
const char *onednn_load(OnednnUse use);

/* What convolutions of values run through on this machine, as a sentence; *ret_fast is false where
 * that is the plain kernels alone. */
const char *onednn_about(Arena *a, bool *ret_fast);

/* Whether it was loaded. */
bool onednn_is_ready(void);

/* Call once a model's primitives exist: frees those that the library caches to make their like
 * again, and the memory that the allocator keeps. */
void onednn_configure(void);
