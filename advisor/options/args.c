/* Parses the command line of npu-advise and gives the values of its options. */
#include "advisor/options/command.h"

const Command command_table[COMMAND_COUNT] = {
#define COMMAND(id, function, name, synopsis, help, examples)                                      \
    {COMMAND_##id, name, synopsis, help, examples},
#include "advisor/options/commands.def"
};

/* Which commands take an option. */
static unsigned takers_of(OptionId id)
{
    enum {
#define COMMAND(id, ...) id = 1 << COMMAND_##id,
#include "advisor/options/commands.def"
        ALL = -1,
        RUNNING = ADVISE | SHARDS | FACTS | TUNE | APPLY,
        COMPILING = RUNNING | INSPECT | COMPILE | TRACE | QUANTIZE | CALIBRATE | VALIDATE,
    };
    static const int takers[OPTION_COUNT] = {
#define OPTION(id, of, name, letter, kind, argument, commands, ...) [OPTION_##id] = commands,
#define EXEC_TOO(...)
#include "graph/options/options.def"
    };
    assert(id < OPTION_COUNT);
    return (unsigned)takers[id];
}

bool args_command_takes(const Command *c, OptionId id)
{
    return !c || (takers_of(id) & 1u << c->id);
}

const OptionRow *args_next_row(const Command *command, const OptionRow *row)
{
    do
        row = option_next(OPTION_OF_ADVISE, row);
    while (row && !args_command_takes(command, row->id));
    return row;
}

typedef struct {
    Arena *a;
    Args *args;
    size_t cap_given, cap_positional;
} Parse;

static Status take_option(void *user, OptionGiven given, Diag *diag)
{
    Parse *p = user;
    Args *g = p->args;
    *VEC_PUSH(p->a, g->given, g->ngiven, p->cap_given) = given;
    return option_is_compile(given.id)
               ? compile_option_set(&g->compile, p->a, given.id, given.value, diag)
               : STATUS_OK;
}

static Status take_word(void *user, const char *word, Diag *diag)
{
    Parse *p = user;
    (void)diag;
    *VEC_PUSH(p->a, p->args->positional, p->args->npositional, p->cap_positional) = word;
    return STATUS_OK;
}

/* The first positional argument names the command, if it is one; else it is the model. */
static void choose_command(Args *g)
{
    g->command = &command_table[0];
    for (size_t i = 0; i < COMMAND_COUNT && g->npositional; i++) {
        if (strcmp(command_table[i].name, g->positional[0]))
            continue;
        g->command = &command_table[i];
        g->named = true;
        g->positional++;
        g->npositional--;
        return;
    }
}

static Status check_taken(const Args *g, Diag *diag)
{
    for (size_t i = 0; i < g->ngiven; i++) {
        OptionId id = g->given[i].id;
        const Command *other =
            LIST_FIND(k, command_table, COMMAND_COUNT, args_command_takes(&command_table[k], id));
        if (!args_command_takes(g->command, id))
            return diag_set(diag, STATUS_USAGE, NULL, NULL,
                            "'%s' takes no option '%s', but '%s' does: `npu-advise %s`",
                            g->command->name, option_flag(id), other->name, other->synopsis);
    }
    return STATUS_OK;
}

Status args_parse(Arena *a, int argc, char **argv, Args *ret, Diag *diag)
{
    Args g = {0};
    Parse p = {.a = a, .args = &g};
    const OptionTaker taker = {OPTION_OF_ADVISE, &p, take_option, take_word};
    compile_options_init(&g.compile);
    Status st = option_read_line(a, &taker, argc, argv, diag);
    if (st)
        return st;
    if (g.npositional && !strcmp(g.positional[0], "help")) {
        g.positional++;
        g.npositional--;
        args_add(a, &g, OPTION_HELP, "");
    }
    choose_command(&g);
    if ((st = check_taken(&g, diag)))
        return st;
    *ret = g;
    return STATUS_OK;
}

void args_add(Arena *a, Args *g, OptionId id, const char *value)
{
    OptionGiven *given = ARENA_ARRAY(a, OptionGiven, g->ngiven + 1);
    if (g->ngiven)
        memcpy(given, g->given, g->ngiven * sizeof *given);
    given[g->ngiven++] = (OptionGiven){id, value};
    g->given = given;
}

Status args_set(Arena *a, Args *g, OptionId id, const char *value, Diag *diag)
{
    args_add(a, g, id, value);
    return option_is_compile(id) ? compile_option_set(&g->compile, a, id, value, diag)
                                 : option_check(option_row(OPTION_OF_ADVISE, id), value, diag);
}

bool args_flag(const Args *g, OptionId id)
{
    return args_last(g, id) != NULL;
}

const OptionGiven *args_last(const Args *g, OptionId id)
{
    for (size_t i = g->ngiven; i-- > 0;)
        if (g->given[i].id == id)
            return &g->given[i];
    return NULL;
}

const char *args_text(const Args *g, OptionId id, const char *fallback)
{
    const OptionGiven *last = args_last(g, id);
    return last ? last->value : fallback;
}

const char **args_all(Arena *a, const Args *g, OptionId id, size_t *ret_count)
{
    const char **all = ARENA_ARRAY(a, const char *, g->ngiven + 1);
    size_t n = 0;
    for (size_t i = 0; i < g->ngiven; i++)
        if (g->given[i].id == id)
            all[n++] = g->given[i].value;
    *ret_count = n;
    return all;
}

/* The last value given, which parsing has checked; NULL: none. */
static const char *checked_value(const Args *g, OptionId id, OptionKind kind, const OptionRow **ret)
{
    *ret = option_row(OPTION_OF_ADVISE, id);
    assert(*ret && ((*ret)->kind == kind ||
                    (kind == OPTION_KIND_TIME && (*ret)->kind == OPTION_KIND_SECONDS)));
    return args_text(g, id, NULL);
}

int64_t args_int(const Args *g, OptionId id, int64_t fallback)
{
    const OptionRow *row;
    uint64_t n = (uint64_t)fallback;
    const char *text = checked_value(g, id, OPTION_KIND_WHOLE, &row);
    bool read = text && option_read_whole(row, text, &n);
    assert(read == (text != NULL));
    return (int64_t)n;
}

double args_real(const Args *g, OptionId id, double fallback)
{
    const OptionRow *row;
    const char *text = checked_value(g, id, OPTION_KIND_REAL, &row);
    bool read = text && option_read_real(row, text, &fallback);
    assert(read == (text != NULL));
    return fallback;
}

int64_t args_time_ns(const Args *g, OptionId id, int64_t fallback)
{
    const OptionRow *row;
    const char *text = checked_value(g, id, OPTION_KIND_TIME, &row);
    bool read = text && option_read_time(row, text, &fallback);
    assert(read == (text != NULL));
    return fallback;
}

int args_word(const Args *g, OptionId id, int fallback)
{
    const OptionRow *row;
    const char *text = checked_value(g, id, OPTION_KIND_WORDS, &row);
    bool read = text && option_read_word(row, text, &fallback);
    assert(read == (text != NULL));
    return fallback;
}

Status args_choice(const Args *g, OptionId id, const char *words, int fallback, int *ret,
                   Diag *diag)
{
    const OptionRow row = {
        .id = id, .program = OPTION_OF_ADVISE, .kind = OPTION_KIND_WORDS, .words = words};
    const char *text = args_text(g, id, NULL);
    *ret = fallback;
    return text && !option_read_word(&row, text, ret) ? option_check(&row, text, diag) : STATUS_OK;
}

Status args_positional(const Args *g, size_t lo, size_t hi, const char *what, Diag *diag)
{
    assert(lo <= hi);
    if (g->npositional < lo)
        return diag_set(diag, STATUS_USAGE, NULL, NULL, "%s needs %s; `npu-advise %s --help`",
                        g->command->name, what, g->command->name);
    if (g->npositional > hi)
        return diag_set(diag, STATUS_USAGE, NULL, NULL, "%s takes %s; '%s' is one too many",
                        g->command->name, what, g->positional[hi]);
    return STATUS_OK;
}
