/* Holds everything that decides what is compiled. The spelling is the same for npu-advise, its
 * subcommands and npu-exec. */
#pragma once

#include "default_target.h" /* TARGET_DEFAULT: made by the build from rules/targets */
#include "graph/options/option.h"
#include "graph/model/dtype.h"
#include "graph/edit/edit.h"
#include "graph/compile/machine.h"
#include "graph/infer/shape.h"

enum { PERMUTE_MAX_RANK = 8, HOST_CORES_DEFAULT = 8 };

typedef struct {
    const char *name; /* input or output tensor; "": every one that can have the type */
    DType dtype;
} IoType;

typedef struct {
    int8_t axis[PERMUTE_MAX_RANK];
    int rank; /* 0: this input is not permuted */
} Permutation;

/* `then` after `first`, either of rank 0: the axes of the one array in those of the other.  Rank 0
 * when both together leave every axis where it was. */
Permutation options_compose_permutation(Permutation first, Permutation then);
const char *options_axes_text(Arena *a, const Permutation *p); /* "0,3,1,2" */

typedef struct {
    const char *key, *value;
} KeyValue;

/* Where operators run whose place is not known (program.h); the words of --unknown-on. */
typedef enum { UNKNOWN_ON_HOST, UNKNOWN_ON_NPU } UnknownOn;

/* Prefix of a note's cause, before the name: the model lacks a dimension that `dims_of_others` let
 * pass. */
#define DIM_OF_OTHERS "dim-of-others:"

typedef struct {
    const char *target;      /* as given, "warboy-2pe" by default: the next two together */
    const char *target_name; /* "warboy" of rules/targets/warboy.xml, or the path of such a file */
    bool target_given;
    int pe; /* PEs that one program uses, fused when there are several */
    Sdk sdk;
    bool sdk_given;
    int64_t batch; /* multiplies the first dimension of inputs and outputs */
    bool batch_given;
    int pes; /* of each card, that programs may use; 0: all */
    int host_cores;
    int ddr_mhz; /* clock of the NPU's memory; 0: the one of the target's costs */
    UnknownOn unknown_on;
    bool unknown_on_given;
    DimBinding *dim;
    size_t ndim;
    bool dims_of_others; /* of a run over several models: not every one has every dimension */
    IoType *input_dtype;
    size_t ninput_dtype;
    IoType *output_dtype;
    size_t noutput_dtype;
    Permutation *permute; /* one per input, in order */
    size_t npermute;
    KeyValue *compiler_config; /* in order given; later wins */
    size_t nconfig;
    bool on_host; /* every operator, in float; no spelling: the baseline for the NPU */
    Edit *edit; /* applied to the model first; no spelling: an edited model is written to a file */
    size_t nedit;
} CompileOptions;

/* The word of --unknown-on where it was given or is not the default; NULL. */
const char *compile_unknown_on_word(const CompileOptions *o);

/* TARGET_DEFAULT with two PEs fused, SDK 0.10, batch 1, 8 host cores; nothing bound. */
void compile_options_init(CompileOptions *o);

/* Integer outputs of SDK 0.9 (normalized_pixel_outputs) are pixels: 0 to 255 represent 0 to 1. */
bool compile_outputs_are_pixels(const CompileOptions *o);

/* Deep enough a copy that one more entry can be appended to any list without touching `from`. */
CompileOptions compile_options_copy(Arena *a, const CompileOptions *from);

/* Types that a conversion at the border of the program leads from and to: floats, uint8, int8. */
bool compile_type_converts(DType t);

/* In place of a type without a name, one for each input or output of the graph that can have it;
 * where none can, it stays (compile_model then says so). */
void compile_options_name_types(Arena *a, CompileOptions *o, const Graph *g);

/* The SDK of a .dfg, which the quantizer of one SDK alone writes, where none was given; `notes` (or
 * NULL) says so. */
void compile_options_take_sdk(CompileOptions *o, const Model *m, Notes *notes);

/* The other way: a single one without a name where all inputs, or all outputs, have the same. */
void compile_options_shorten_types(Arena *a, CompileOptions *o, const Graph *g);

/* Sets one option (option_is_compile).  STATUS_USAGE with the possible values when it cannot be
 * read. */
Status compile_option_set(CompileOptions *o, Arena *a, OptionId id, const char *value, Diag *diag);

/* The options as argv words that reproduce them (edits excluded), NULL-terminated, in `a`;
 * only what differs from the defaults, except target and sdk, which are always spelled. */
const char **compile_options_argv(Arena *a, const CompileOptions *o, size_t *ret_count);

/* PEs of each card that programs may use, and how many programs run on them at once. */
int compile_options_pes(const CompileOptions *o, const Machine *m);
int compile_options_lanes(const CompileOptions *o, const Machine *m);

/* "warboy" for one PE, "warboy-2pe" for two that are fused. */
typedef struct {
    char text[256];
} TargetText;
const char *target_text(TargetText *t, const char *name, int pe);
/* The other way; false when there is no such target. */
bool options_read_target(Arena *a, const char *text, const char **ret_name, int *ret_pe);
