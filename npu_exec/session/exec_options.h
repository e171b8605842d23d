/* Declares the run options of npu-exec (compile options: graph/compile/options.h). */
#pragma once

#include "graph/compile/options.h"
#include "graph/options/option.h"
#include "npu_exec/data/recipe.h"
#include "npu_exec/values/value_ranges.h"
#include "npu_exec/session/recorder.h"

/* Whose kernels convolve. */
typedef enum { KERNELS_AUTO, KERNELS_PLAIN, KERNELS_ONEDNN } KernelChoice;

/* --record NAME:RUNS, or --pause RUNS */
typedef struct {
    const char *name; /* NULL: the profiler is paused */
    uint64_t runs;
} Label;

typedef struct {
    const char *model;
    CompileOptions compile;
    SimOptions sim;
    RecordOptions record;
    const char *json;
    const char *silicon;  /* NULL: the machine's own */
    const char *devices;  /* NULL: one card */
    uint32_t queue_depth; /* requests that the application keeps in flight; 0: one per worker */
    Label *label;         /* in order */
    size_t nlabel, label_cap;
    uint32_t member; /* of the silicon's ensemble */
    bool members;    /* each of them in turn */
    bool perturb;
    uint64_t perturb_seed;
    bool seeded;    /* --seed was given */
    bool host_real; /* host operators are executed here, and their times measured */
    uint64_t fill;  /* requested images of each task; 0: all */
    bool values;    /* execute the model on values instead of simulating its times … */
    const char *input_dir, *output_dir; /* … of these folders … */
    const char *data;                   /* … or on these samples, */
    Recipe recipe;                      /* for image files; no name: they are refused */
    uint64_t images;                    /* at most so many of them; 0: all */
    uint64_t slice_from, slice_count;   /* of the runs that these fill; count 0: all */
    const char *ranges; /* to find the ranges of all values, for this file; else output_dir */
    const char *layers; /* or the quantization error of each */
    RangeMethod method;
    bool symmetric;
    KernelChoice kernels;
    size_t memory_bytes; /* 0: not given */
    double time_s;       /* of the processor; 0: no limit */
    const char *doctor;  /* where the checks go; NULL: a run */
    const char *lang;    /* spoken since before the line was read (graph/base/language.h) */
    bool help;
} ExecOptions;

/* argv[0] is the program.  STATUS_USAGE with one line for what cannot be understood. */
Status exec_options_parse(Arena *a, int argc, char **argv, ExecOptions *ret, Diag *diag);

void exec_options_help(FILE *out);
