/* Reads, spells and compares the settings of levers. */
#include "advisor/rules/lever.h"

#include "graph/compile/machine.h"
#include "graph/edit/rewrite.h"
#include "graph/model/dtype.h"
#include "graph/model/model.h"

const Lever lever_table[LEVER_COUNT] = {
#define LEVER(id, name, where, needs, effect, index, value, lift, help)                            \
    {name, where, needs, EFFECT_##effect, TERM_##index, TERM_##value, help},
#include "advisor/rules/levers.def"
};

LeverId lever_find(const char *name)
{
    LeverId i = 0;
    while (i < LEVER_COUNT && strcmp(lever_table[i].name, name) != 0)
        i++;
    return i;
}

enum { PATCHES_MAX = 4096, SIZE_LIMIT = 1 << 30 };

/* A whole number from `lo` to `hi`, up to the character `end`, after which *text continues. */
static bool take_number(const char **text, char end, int64_t lo, int64_t hi, int64_t *ret)
{
    char *at = NULL;
    errno = 0;
    *ret = strtoll(*text, &at, 10);
    if (errno || at == *text || *at != end || *ret < lo || *ret > hi)
        return false;
    *text = end ? at + 1 : at;
    return true;
}

static bool read_axes(const char *text, Permutation *ret)
{
    unsigned seen = 0;
    for (const char *s = text; *s;) {
        char *end = NULL;
        long axis = strtol(s, &end, 10);
        if (end == s || axis < 0 || axis >= PERMUTE_MAX_RANK || ret->rank == PERMUTE_MAX_RANK)
            return false;
        ret->axis[ret->rank++] = (int8_t)axis;
        seen |= 1u << axis;
        s = end + strspn(end, ", ");
    }
    return ret->rank > 0 && seen == (1u << ret->rank) - 1;
}

/* Reads a term of a kind with a syntax; false where the text does not have that syntax. */
static bool read_kind(Arena *a, const char *text, LeverTerm *t)
{
    switch (t->kind) {
    case TERM_TEXT:
        return false;
    case TERM_DTYPE:
        return (t->dtype = dtype_from_name(text)) != DT_UNKNOWN;
    case TERM_AXES:
        return read_axes(text, &t->axes);
    case TERM_SDK:
        return (t->sdk = sdk_from_text(text)) != 0;
    case TERM_TARGET:
        return options_read_target(a, text, &t->text, &t->pe);
    case TERM_PATCH:
        return take_number(&text, 'x', 1, SIZE_LIMIT, &t->number) &&
               take_number(&text, '*', 1, SIZE_LIMIT, &t->width) &&
               take_number(&text, '\0', 1, PATCHES_MAX, &t->count);
    default:
        return take_number(&text, '\0', INT64_MIN, INT64_MAX, &t->number);
    }
}

#define BY_NAME "tensor:"

static LeverTerm read_term(Arena *a, TermKind kind, const char *text)
{
    LeverTerm t = {.kind = kind};
    size_t prefix = strlen(BY_NAME);
    if ((kind == TERM_INPUT || kind == TERM_OUTPUT) && !strncmp(text, BY_NAME, prefix))
        return (LeverTerm){.kind = TERM_TENSOR, .text = text + prefix};
    if (read_kind(a, text, &t))
        return t;
    return (LeverTerm){.kind = *text ? TERM_TEXT : TERM_NONE, .text = text};
}

LeverSetting lever_setting(Arena *a, LeverId lever, const char *index, const char *value)
{
    const Lever *l = &lever_table[lever];
    return (LeverSetting){.lever = lever,
                          .index = read_term(a, l->index, index),
                          .value = read_term(a, l->value, value)};
}

LeverTerm lever_number(int64_t n)
{
    return (LeverTerm){.kind = TERM_NUMBER, .number = n};
}

const char *lever_term_text(Arena *a, const LeverTerm *t)
{
    TargetText target;
    long long n = t->number;
    switch (t->kind) {
    case TERM_NONE:
        return "";
    case TERM_TEXT:
        return t->text;
    case TERM_TENSOR:
        return arena_printf(a, BY_NAME "%s", t->text);
    case TERM_DTYPE:
        return dtype_name(t->dtype);
    case TERM_AXES:
        return options_axes_text(a, &t->axes);
    case TERM_SDK:
        return sdk_text(t->sdk);
    case TERM_TARGET:
        return arena_strdup(a, target_text(&target, t->text, t->pe));
    case TERM_PATCH:
        return arena_printf(a, "%lldx%lld*%lld", n, (long long)t->width, (long long)t->count);
    default:
        return arena_printf(a, "%lld", n);
    }
}

LeverWords lever_words(Arena *a, const LeverSetting *s)
{
    return (LeverWords){lever_table[s->lever].name, lever_term_text(a, &s->index),
                        lever_term_text(a, &s->value)};
}

const char *lever_sentence(Phrase *buf, const Language *lang, LeverWords words)
{
    size_t prefix = strncmp(words.index, BY_NAME, strlen(BY_NAME)) ? 0 : strlen(BY_NAME);
    const char *arg[] = {words.index + prefix, words.value};
    wording_fill(buf->text, sizeof buf->text, phrase_by_key(lang, "LEVER_", words.lever), arg, 2);
    return buf->text;
}

/* What is not of a term's kind is zero in it. */
static bool terms_equal(const LeverTerm *x, const LeverTerm *y)
{
    bool same =
        x->text && y->text ? !strcmp(x->text, y->text) : x->kind == TERM_NONE || x->text == y->text;
    return same && x->kind == y->kind && x->number == y->number && x->width == y->width &&
           x->count == y->count && x->dtype == y->dtype && x->sdk == y->sdk && x->pe == y->pe &&
           !memcmp(&x->axes, &y->axes, sizeof x->axes);
}

bool lever_same_place(const LeverSetting *x, const LeverSetting *y)
{
    return x->lever == y->lever && terms_equal(&x->index, &y->index);
}

bool lever_setting_equal(const LeverSetting *x, const LeverSetting *y)
{
    return lever_same_place(x, y) && terms_equal(&x->value, &y->value);
}

const char *lever_port(const Graph *g, const LeverTerm *index)
{
    bool input = index->kind == TERM_INPUT;
    int64_t n = (int64_t)(input ? g->ninput : g->noutput);
    if ((!input && index->kind != TERM_OUTPUT) || index->number < 0 || index->number >= n)
        return NULL;
    return g->tensor[(input ? g->input : g->output)[index->number]].name;
}

NeedSet lever_setting_needs(const LeverSetting *s, bool moves)
{
    NeedSet needs = lever_table[s->lever].needs | (s->resizes_outputs ? NEED_OUTPUT : NEED_NONE);
    RewriteKind k;
    if (s->lever != LEVER_REWRITE || !rewrite_from_name(s->value.text, &k))
        return needs;
    if (k == REWRITE_FOLD_NORMALISATION_BORDERS)
        return needs | NEED_ACCURACY;
    bool quantized_otherwise = k == REWRITE_SPELL_OUT || k == REWRITE_SPLIT_KERNEL ||
                               k == REWRITE_SPLIT_GROUPS || k == REWRITE_JOIN_CONVS;
    return quantized_otherwise && moves ? needs | NEED_ACCURACY : needs;
}
