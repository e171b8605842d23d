/* What is said to people.
 *
 * Where something is noticed, a Saying and its arguments are kept: a Said.  It becomes a sentence
 * where it is printed, once for each language that is wanted.  Nothing reads a sentence.
 *
 * A room lists its sayings in a header of its own (ROOM_sayings.h), a file that nobody else needs
 * to hear of at its top: SAYING(FEW_INFERENCES, "{0} inferences after warm-up: record at least
 * {1}"); and says one with its arguments, whose types choose how they are written: said =
 * SAID(arena, SAYS(FEW_INFERENCES), arg_count(n), arg_count(30)); In a text {0} is the first
 * argument, and {0|place|places} the first word where it is 1, else the second.  Other languages
 * have the same sayings by id: rules/lang. */
#ifndef GRAPH_BASE_SAID_H
#define GRAPH_BASE_SAID_H

#include "graph/base/language.h"

#include <stdint.h>

typedef struct Said Said;

/* One argument; made by the functions below. */
typedef struct {
    enum {
        ARG_SAYING,
        ARG_TEXT,
        ARG_COUNT,
        ARG_FIXED,
        ARG_SIGNED,
        ARG_DIGITS,
        ARG_TIME,
        ARG_RATE,
        ARG_SAID,
    } kind;
    int digits;
    union {
        const Saying *saying;
        const char *text;
        int64_t count;
        double real;
        const Said *said;
    };
} SaidArg;

/* All of it lives in the arena that it was said in. */
struct Said {
    const Saying *saying;
    const SaidArg *arg;
    size_t narg;
};

#define SAYS(id) arg_saying(&says_##id)

static inline SaidArg arg_saying(const Saying *s) /* what is said; or a word or phrase in it */
{
    return (SaidArg){.kind = ARG_SAYING, .saying = s};
}

static inline SaidArg arg_text(const char *text) /* a name, a file, a type: nobody's to translate */
{
    return (SaidArg){.kind = ARG_TEXT, .text = text};
}

static inline SaidArg arg_count(int64_t n)
{
    return (SaidArg){.kind = ARG_COUNT, .count = n};
}

static inline SaidArg arg_fixed(double x, int decimals)
{
    return (SaidArg){.kind = ARG_FIXED, .digits = decimals, .real = x};
}

static inline SaidArg arg_signed(double x) /* a whole number with its sign */
{
    return (SaidArg){.kind = ARG_SIGNED, .real = x};
}

static inline SaidArg arg_digits(double x, int significant)
{
    return (SaidArg){.kind = ARG_DIGITS, .digits = significant, .real = x};
}

static inline SaidArg arg_time(double ns)
{
    return (SaidArg){.kind = ARG_TIME, .real = ns};
}

static inline SaidArg arg_rate(double per_s)
{
    return (SaidArg){.kind = ARG_RATE, .real = per_s};
}

static inline SaidArg arg_said(const Said *s) /* a sentence within one */
{
    return (SaidArg){.kind = ARG_SAID, .said = s};
}

/* The saying is the first of `arg`.  Texts are copied; what is said within lives elsewhere. */
const Said *said_make(Arena *a, const SaidArg *arg, size_t n);
#define SAID(a, ...)                                                                               \
    said_make((a), (const SaidArg[]){__VA_ARGS__},                                                 \
              sizeof((const SaidArg[]){__VA_ARGS__}) / sizeof(SaidArg))

/* Text that was made elsewhere (the message of an error, a file's own words), the same in every
 * language. */
const Said *said_verbatim(Arena *a, const char *text);

/* The sentence, in `a`.  `language` NULL: English. */
const char *said_in(Arena *a, const Language *language, const Said *s);

/* The same, or both NULL. */
bool said_equal(const Said *x, const Said *y);

#endif
