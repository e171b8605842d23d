/* Converts the values of options by kind and describes what each kind accepts. */
#include "graph/base/option.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool option_read_whole(const OptionRow *r, const char *text, int64_t *ret)
{
    char *end;
    assert(r->lo <= r->hi);
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (end == text || *end || errno || value < r->lo || value > r->hi)
        return false;
    *ret = value;
    return true;
}

bool option_read_real(const OptionRow *r, const char *text, double *ret)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !(value >= (double)r->lo && value <= (double)r->hi))
        return false;
    *ret = value;
    return true;
}

bool option_read_time(const OptionRow *r, const char *text, int64_t *ret_ns)
{
    static const struct {
        const char *unit;
        double ns;
    } units[] = {{"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"", 1e9}};
    size_t nunit = sizeof units / sizeof *units - (r->kind != OPTION_SECONDS);
    char *end;
    double value = strtod(text, &end);
    for (size_t i = 0; end != text && i < nunit; i++) {
        double ns = value * units[i].ns;
        if (strcmp(end, units[i].unit) || !(ns >= 0 && ns < 1e18))
            continue;
        *ret_ns = llround(ns);
        return true;
    }
    return false;
}

bool option_read_word(const OptionRow *r, const char *text, int64_t *ret)
{
    const char *word = r->argument;
    for (int64_t i = 0;; i++) {
        size_t len = strcspn(word, "|");
        if (strlen(text) == len && !memcmp(text, word, len)) {
            *ret = i;
            return true;
        }
        if (!word[len])
            return false;
        word += len + 1;
    }
}

const char *option_expected(Arena *a, const OptionRow *r)
{
    switch (r->kind) {
    case OPTION_WHOLE:
        return arena_printf(a, "a whole number from %lld to %lld", (long long)r->lo,
                            (long long)r->hi);
    case OPTION_REAL:
        return arena_printf(a, "a number from %lld to %lld", (long long)r->lo, (long long)r->hi);
    case OPTION_TIME:
    case OPTION_SECONDS:
        return "a time with a unit (ns, us, ms, s), such as 10ms";
    case OPTION_WORDS:
        return arena_printf(a, "one of %s", r->argument);
    case OPTION_FLAG:
        return "true or false";
    case OPTION_TEXT:
    case OPTION_FILE:
    case OPTION_FOLDER:
        break;
    }
    return "text";
}

static bool is_allowed(const OptionRow *r, const char *value)
{
    int64_t whole;
    double real;
    return r->kind == OPTION_WHOLE  ? option_read_whole(r, value, &whole)
           : r->kind == OPTION_REAL ? option_read_real(r, value, &real)
           : r->kind == OPTION_TIME || r->kind == OPTION_SECONDS
               ? option_read_time(r, value, &whole)
           : r->kind == OPTION_WORDS ? option_read_word(r, value, &whole)
                                     : true;
}

Status option_check(const OptionRow *r, const char *value, Diag *diag)
{
    if (is_allowed(r, value))
        return STATUS_OK;
    Arena *a = arena_new(0);
    Status st = diag_set(diag, STATUS_USAGE, NULL, NULL, "--%s '%s' is not %s", r->name, value,
                         option_expected(a, r));
    arena_free(a);
    return st;
}

OptionGroup option_group(const OptionRow *r)
{
    return (OptionGroup)(r->use >> OPTION_GROUP_SHIFT);
}

const char *option_group_title(OptionGroup g)
{
    static const char *const title[] = {
#define OPTION_GROUP(name, title) title,
#include "graph/base/option_groups.def"
#undef OPTION_GROUP
    };
    static_assert(sizeof title / sizeof *title == OPTION_GROUPS, "a title for each group");
    assert(g < OPTION_GROUPS);
    return title[g];
}
