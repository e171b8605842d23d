/* Names the levers, which are the closed list of settings that rules may change, and reads what
 * they are set to. */
#pragma once

#include "advisor/message/phrase.h"
#include "advisor/rules/need.h"
#include "graph/compile/options.h"

typedef enum {
#define LEVER(id, name, where, needs, effect, index, value, lift, help) LEVER_##id,
#include "advisor/rules/levers.def"
    LEVER_COUNT
} LeverId;

typedef enum {
    EFFECT_OPTION, /* the variant can be spelled on a command line */
    EFFECT_EDIT,   /* of the model */
    EFFECT_FIGURE, /* tried for its figure alone; not a change for users */
} LeverEffect;

typedef enum {
    TERM_NONE,   /* no index, or no value */
    TERM_TEXT,   /* of a tensor, a node, a key …; and whatever is not of the lever's own kind */
    TERM_TENSOR, /* "tensor:NAME", an output that another setting makes, in place of its number */
    TERM_INPUT,  /* a number */
    TERM_OUTPUT, /* a number */
    TERM_NUMBER,
    TERM_DTYPE,
    TERM_AXES,
    TERM_SDK,
    TERM_TARGET,
    TERM_PATCH,
} TermKind;

/* An index or a value, read once; what its kind does not have is zero. */
typedef struct {
    TermKind kind;
    const char *text;             /* of text and tensor; the name of a target; "" of none as read */
    int64_t number, width, count; /* number: also the height of a patch */
    DType dtype;
    Permutation axes;
    Sdk sdk;
    int pe; /* of a target */
} LeverTerm;

typedef struct {
    const char *name, *where;
    NeedSet needs; /* lever_setting_needs for a setting of it */
    LeverEffect effect;
    TermKind index, value;
    const char *help; /* the meaning of index and value */
} Lever;

extern const Lever lever_table[LEVER_COUNT];
LeverId lever_find(const char *name); /* LEVER_COUNT: there is none of that name */

/* One setting of one lever, as in the <set> of a rule. */
typedef struct {
    LeverId lever;
    LeverTerm index, value;
    bool given;           /* made by another recommendation, which this one depends on */
    bool resizes_outputs; /* tried: the model then returns outputs of other sizes */
} LeverSetting;

/* A setting as rules and results spell it. */
typedef struct {
    const char *lever, *index, *value; /* "" for no index or value */
} LeverWords;

LeverSetting lever_setting(Arena *a, LeverId lever, const char *index, const char *value);
LeverTerm lever_number(int64_t n);
LeverWords lever_words(Arena *a, const LeverSetting *s);
const char *lever_term_text(Arena *a, const LeverTerm *t);

/* "output y padded to width 96", for people. */
const char *lever_sentence(Phrase *buf, const Language *lang, LeverWords words);

/* Whether both set the same lever at the same index; and to the same value. */
bool lever_same_place(const LeverSetting *x, const LeverSetting *y);
bool lever_setting_equal(const LeverSetting *x, const LeverSetting *y);

/* What the setting asks of the user.  `moves`: the model is not quantized yet, so that an operator
 * that a rewrite takes to the NPU becomes int8 there. */
NeedSet lever_setting_needs(const LeverSetting *s, bool moves);

/* The name of the input or output that an index numbers; NULL: there is none. */
const char *lever_port(const Graph *g, const LeverTerm *index);
