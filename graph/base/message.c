/* Copies the arguments of messages and writes them as the words of a sentence need them. */
#include "graph/base/message.h"

#include "graph/base/quantity.h"
#include "graph/base/messages.h"

static MessageArg copy_arg(Arena *a, MessageArg x)
{
    if (x.kind == ARG_TEXT) {
        char *text = arena_strdup(a, x.text ? x.text : "");
        text_make_visible(text);
        x.text = text;
    }
    return x;
}

const Message *message_new(Arena *a, const MessageArg *arg, size_t n)
{
    assert(n > 0 && arg[0].kind == ARG_MESSAGE_ID);
    MessageArg *own = ARENA_ARRAY(a, MessageArg, n);
    for (size_t i = 1; i < n; i++)
        own[i - 1] = copy_arg(a, arg[i]);
    Message *s = ARENA_NEW(a, Message);
    *s = (Message){arg[0].saying, own, n - 1};
    return s;
}

const Message *message_verbatim(Arena *a, const char *text)
{
    return MESSAGE(a, MESSAGE_ID(VERBATIM), arg_text(text));
}

static const char *time_in(Arena *a, double ns)
{
    char text[64];
    return arena_strdup(a, quantity_time(text, sizeof text, ns));
}

static const char *arg_in(Arena *a, const Language *language, const MessageArg *x)
{
    switch (x->kind) {
    case ARG_MESSAGE_ID:
        return language_words(language, x->saying);
    case ARG_TEXT:
        return language ? wording_of(x->text) : x->text;
    case ARG_COUNT:
        return arena_printf(a, "%" PRId64, x->count);
    case ARG_FIXED:
        return arena_printf(a, "%.*f", x->digits, x->real);
    case ARG_SIGNED:
        return arena_printf(a, "%+.0f", x->real);
    case ARG_DIGITS:
        return arena_printf(a, "%.*g", x->digits, x->real);
    case ARG_TIME:
        return time_in(a, x->real);
    case ARG_RATE:
        return arena_printf(a, "%.4g/s", x->real);
    case ARG_MESSAGE:
        return message_format(a, language, x->said);
    }
    return "";
}

const char *message_format(Arena *a, const Language *language, const Message *said)
{
    const char *words = language_words(language, said->saying);
    const char **arg = ARENA_ARRAY(a, const char *, said->narg + 1);
    for (size_t i = 0; i < said->narg; i++)
        arg[i] = arg_in(a, language, &said->arg[i]);
    size_t size = wording_fill(NULL, 0, words, arg, said->narg) + 1;
    char *text = arena_alloc(a, size);
    wording_fill(text, size, words, arg, said->narg);
    return text;
}

static bool arg_equal(const MessageArg *x, const MessageArg *y)
{
    if (x->kind != y->kind)
        return false;
    switch (x->kind) {
    case ARG_MESSAGE_ID:
        return x->saying->id == y->saying->id || strcmp(x->saying->id, y->saying->id) == 0;
    case ARG_TEXT:
        return strcmp(x->text, y->text) == 0;
    case ARG_COUNT:
        return x->count == y->count;
    case ARG_MESSAGE:
        return message_equal(x->said, y->said);
    default:
        return x->digits == y->digits && memcmp(&x->real, &y->real, sizeof x->real) == 0;
    }
}

bool message_equal(const Message *x, const Message *y)
{
    if (!x || !y || x == y)
        return x == y;
    if (strcmp(x->saying->id, y->saying->id) != 0 || x->narg != y->narg)
        return false;
    return LIST_ALL(i, x->narg, arg_equal(&x->arg[i], &y->arg[i]));
}
