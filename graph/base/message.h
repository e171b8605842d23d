/* Builds the messages that people read from an id and typed arguments.
 *
 * Where something is noticed, a message id and its arguments are kept.  They become a sentence
 * where it is printed, once for each language that is wanted.  Nothing reads a sentence.
 *
 * A file includes the messages of its module, which rules/lang/en.xml lists, as FOLDER/messages.h:
 *     <says id="FEW_INFERENCES">{0} inferences after warm-up: record at least {1}</says>
 * and builds one with its arguments, whose types choose how they are written:
 *     MESSAGE(arena, MESSAGE_ID(FEW_INFERENCES), arg_count(n), arg_count(30))
 * In a text {0} is the first argument, and {0|place|places} the first word where it is 1, else the
 * second.  Other files of rules/lang have the same ids. */
#pragma once

#include "graph/base/language.h"

typedef struct Message Message;

/* One argument; made by the functions below. */
typedef struct {
    enum {
        ARG_MESSAGE_ID,
        ARG_TEXT,
        ARG_COUNT,
        ARG_FIXED,
        ARG_SIGNED,
        ARG_DIGITS,
        ARG_TIME,
        ARG_RATE,
        ARG_MESSAGE,
    } kind;
    int digits;
    union {
        const MessageId *saying;
        const char *text;
        int64_t count;
        double real;
        const Message *said;
    };
} MessageArg;

/* All of it lives in the arena that it was said in. */
struct Message {
    const MessageId *saying;
    const MessageArg *arg;
    size_t narg;
};

#define MESSAGE_ID(id) arg_message_id(&message_##id)

static inline MessageArg
arg_message_id(const MessageId *s) /* what is said; or a word or phrase in it */
{
    return (MessageArg){.kind = ARG_MESSAGE_ID, .saying = s};
}

static inline MessageArg arg_text(const char *text) /* a name, a file, a type: never translated */
{
    return (MessageArg){.kind = ARG_TEXT, .text = text};
}

static inline MessageArg arg_count(int64_t n)
{
    return (MessageArg){.kind = ARG_COUNT, .count = n};
}

static inline MessageArg arg_size(uint64_t n)
{
    return arg_count((int64_t)n);
}

static inline MessageArg arg_fixed(double x, int decimals)
{
    return (MessageArg){.kind = ARG_FIXED, .digits = decimals, .real = x};
}

static inline MessageArg arg_signed(double x) /* a whole number with its sign */
{
    return (MessageArg){.kind = ARG_SIGNED, .real = x};
}

static inline MessageArg arg_digits(double x, int significant)
{
    return (MessageArg){.kind = ARG_DIGITS, .digits = significant, .real = x};
}

static inline MessageArg arg_time(double ns)
{
    return (MessageArg){.kind = ARG_TIME, .real = ns};
}

static inline MessageArg arg_rate(double per_s)
{
    return (MessageArg){.kind = ARG_RATE, .real = per_s};
}

static inline MessageArg arg_message(const Message *s) /* a sentence within one */
{
    return (MessageArg){.kind = ARG_MESSAGE, .said = s};
}

/* The first `arg` is the message's id.  Texts are copied; nested messages are not. */
const Message *message_new(Arena *a, const MessageArg *arg, size_t n);
#define MESSAGE(a, ...)                                                                            \
    message_new((a), (const MessageArg[]){__VA_ARGS__},                                            \
                sizeof((const MessageArg[]){__VA_ARGS__}) / sizeof(MessageArg))

/* Text that was made elsewhere (an error, a file's own words), the same in every language. */
const Message *message_verbatim(Arena *a, const char *text);

/* The sentence, in `a`.  `language` NULL: English. */
const char *message_format(Arena *a, const Language *language, const Message *s);

/* The same, or both NULL. */
bool message_equal(const Message *x, const Message *y);
