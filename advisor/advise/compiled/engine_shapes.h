/* Reads from trtexec's options the shapes that an engine was built for and run at. */
#pragma once

#include "trace/readers/engine.h"

typedef struct {
    const char *name, *min, *opt, *max, *run; /* "1x3x224x224"; `run` NULL: unknown */
    bool off_opt;                             /* run at another shape than opt */
    bool wide; /* some dimension may be eight times as large as another time */
} EngineShape;

/* One per input with a range of shapes, in `a`. */
EngineShape *engine_shapes(Arena *a, const EngineTimes *t, size_t *ret_count);
