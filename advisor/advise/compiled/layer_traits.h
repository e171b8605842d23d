/* Derives the kind, the types and the neighbours of each layer of a compiled graph.
 *
 * Neighbours are found through layers that need no copy (NoOp, views). */
#pragma once

#include "advisor/advise/compiled/layer_kinds.def"
#include "advisor/advise/compiled/layer_times.h"

/* What a layer computes, by its operation, type and name. */
typedef enum {
#define X(id, key) LAYER_##id,
    LAYER_KINDS(X)
#undef X
        LAYER_KIND_COUNT
} LayerKind;
const char *layer_kind_key(LayerKind k);

typedef enum { ANSWER_NO, ANSWER_YES, ANSWER_UNKNOWN } Answer; /* no, yes, unknown */
const char *layer_answer_key(Answer k);                        /* "no" "yes" "unknown" */

typedef struct {
    LayerKind kind;
    DType in, out; /* of the first tensor each; DT_UNKNOWN */
    const char *in_layout, *out_layout;
    int64_t c, k;             /* channels in and out; -1 */
    bool at_input, at_output; /* reads an input, makes an output; through NoOps too */
    bool at_border;           /* reads an input or makes an output itself */
    bool quantized_in, quantized_out, touches_int8;
    bool is_float;         /* every tensor that it reads and makes is a float, none quantized */
    bool island;           /* computes in float between int8 */
    bool falls_out;        /* int8 in, float out, and not the last */
    bool transposes;       /* moves axes, by its parameters or its shapes */
    bool behind_transpose; /* a reformat directly after a transposition of an input */
    bool batch_norm, norm_plugin,
        norm_scale; /* a scale left of a batch normalisation; of an instance norm */
    bool attention; /* a softmax between two matrix products */
    bool missing_scale, on_dla_border, fell_back;
    Answer tensor_core;
    Answer aligned;            /* channels fill the tensor cores' vectors */
    uint32_t *before, *behind; /* layers, through what needs no copy */
    size_t nbefore, nbehind;
} LayerTraits;

/* One per operator of the graph, in `a`.  Adds an issue to `t` that names kinds which no rule
 * knows. */
LayerTraits *layer_traits_find(Arena *a, LayerTimes *t);

/* int8, float8, int4, float4. */
bool layer_is_quantized_type(DType t);
