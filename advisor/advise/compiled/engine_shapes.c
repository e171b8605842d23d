/* Parses the ranges and compares them with the shapes of the run. */
#include "advisor/advise/compiled/engine_shapes.h"

/* Tactics are chosen at one shape: a range of eight times and more holds shapes far from it. */
enum { WIDE = 8 };

static bool is_wide(const char *min, const char *max)
{
    while (*min && *max) {
        char *after_min, *after_max;
        long lo = strtol(min, &after_min, 10), hi = strtol(max, &after_max, 10);
        if (after_min == min || after_max == max)
            return false;
        if (lo > 0 && hi / lo >= WIDE)
            return true;
        min = after_min + (*after_min == 'x');
        max = after_max + (*after_max == 'x');
    }
    return false;
}

/* The shape of `name` in "x=1x3x4+2x3x4,y=5": the text after "name=", up to a comma. */
static const char *find_shape_text(Arena *a, const char *list, const char *name)
{
    size_t n = strlen(name);
    for (const char *s = list; s && *s; s = strchr(s, ',')) {
        s += *s == ',';
        if (!strncmp(s, name, n) && s[n] == '=')
            return arena_strndup(a, s + n + 1, strcspn(s + n + 1, ","));
    }
    return NULL;
}

static const char *run_shape(Arena *a, const EngineTimes *t, const char *name)
{
    for (size_t i = 0; i < t->noption; i++) {
        const EngineOption *o = &t->option[i];
        const char *shape = NULL;
        if (!strcmp(o->section, "inference") && !strncmp(o->key, "input-inference-shape", 21))
            shape = find_shape_text(a, o->value, name);
        if (shape)
            return shape;
    }
    return NULL;
}

/* "x=MIN+OPT+MAX" */
static bool read_range(Arena *a, const EngineTimes *t, const char *text, EngineShape *ret)
{
    const char *equals = strchr(text, '='), *first = equals ? strchr(equals, '+') : NULL,
               *second = first ? strchr(first + 1, '+') : NULL;
    if (!second)
        return false;
    ret->name = arena_strndup(a, text, (size_t)(equals - text));
    ret->min = arena_strndup(a, equals + 1, (size_t)(first - equals - 1));
    ret->opt = arena_strndup(a, first + 1, (size_t)(second - first - 1));
    ret->max = arena_strndup(a, second + 1, strcspn(second + 1, ","));
    ret->run = run_shape(a, t, ret->name);
    ret->off_opt = ret->run && strcmp(ret->run, ret->opt) != 0;
    ret->wide = is_wide(ret->min, ret->max);
    return true;
}

EngineShape *engine_shapes(Arena *a, const EngineTimes *t, size_t *ret_count)
{
    EngineShape *list = NULL;
    size_t n = 0, cap = 0;
    for (size_t i = 0; i < t->noption; i++) {
        const EngineOption *o = &t->option[i];
        EngineShape s = {.name = NULL};
        if (!strcmp(o->section, "build") && !strncmp(o->key, "input-build-shape", 17) &&
            read_range(a, t, o->value, &s))
            *VEC_PUSH(a, list, n, cap) = s;
    }
    *ret_count = n;
    return list;
}
