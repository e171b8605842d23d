/* Describes the options of both programs in one table, and reads command lines. */
#pragma once

#include "graph/base/diag.h"

/* OPTION_HTML is --html, of whichever program. */
typedef enum {
    OPTION_NONE,
#define OPTION(id, ...)   OPTION_##id,
#define EXEC_TOO(id, ...) /* is there already */
#include "graph/options/options.def"
    OPTION_COUNT
} OptionId;

typedef enum {
    OPTION_KIND_FLAG, /* takes no value */
    OPTION_KIND_TEXT, /* any text; the code that uses it checks it */
    OPTION_KIND_FILE,
    OPTION_KIND_FOLDER,
    OPTION_KIND_WHOLE,   /* lo to hi */
    OPTION_KIND_REAL,    /* lo to hi */
    OPTION_KIND_TIME,    /* "10ms": a unit is required */
    OPTION_KIND_SECONDS, /* the same; a number alone is seconds, as in MegEngine's profile_analyze
                          */
    OPTION_KIND_WORDS,   /* one of `words` */
} OptionKind;

/* Heads under which help lists options. */
typedef enum {
#define OPTION_GROUP(name, title) OPTION_GROUP_##name,
#include "graph/options/option_groups.def"
    OPTION_GROUPS
} OptionGroup;

/* What an option is good for; several may hold, and one group. */
enum {
    OPTION_USE_SETTING = 1, /* a settings file may hold it */
    OPTION_USE_PRINTS = 2,  /* says only how a result is shown */
    OPTION_USE_OFTEN = 4,   /* help tells of it in full where there is no room for all */
    OPTION_GROUP_SHIFT = 8,
};

/* Whose command line it is; an option of the compile is of both. */
typedef enum { OPTION_OF_ADVISE = 1, OPTION_OF_EXEC = 2, OPTION_OF_BOTH = 3 } OptionProgram;

typedef struct {
    OptionId id;
    OptionProgram program;
    char letter; /* 0: none */
    OptionKind kind;
    uint64_t lo, hi;
    const char *words;           /* "latency|throughput" */
    const char *argument, *help; /* argument "" for a flag; help NULL: it is not told of */
    unsigned use;
} OptionRow;

/* An option as it was given. */
typedef struct {
    OptionId id;
    const char *value; /* "" for flags */
} OptionGiven;

const char *option_name(OptionId id); /* "html" */
const char *option_flag(OptionId id); /* "--html" */

/* The row of an option in one program; NULL: it has none. */
const OptionRow *option_row(OptionProgram p, OptionId id);
const OptionRow *option_named(OptionProgram p, const char *name);

/* The rows of a program in the order of the table; the first after NULL, NULL after the last. */
const OptionRow *option_next(OptionProgram p, const OptionRow *row);

/* Whether it decides what is compiled (graph/compile/options.h). */
bool option_is_compile(OptionId id);

OptionGroup option_group(const OptionRow *r);
const char *option_group_title(OptionGroup g);

/* Each reads a value as its row says; false when it cannot.  *ret of words is the index. */
bool option_read_whole(const OptionRow *r, const char *text, uint64_t *ret);
bool option_read_real(const OptionRow *r, const char *text, double *ret);
bool option_read_time(const OptionRow *r, const char *text, int64_t *ret_ns);
bool option_read_word(const OptionRow *r, const char *text, int *ret);

/* What a value must be: "a whole number from 1 to 1024". */
const char *option_expected(Arena *a, const OptionRow *r);

/* STATUS_USAGE, and a line that says what it must be, for a value that its row does not allow. */
Status option_check(const OptionRow *r, const char *value, Diag *diag);

/* Who takes what a command line holds. */
typedef struct {
    OptionProgram program;
    void *user;
    /* The value is checked already, except of options of the compile. */
    Status (*take)(void *user, OptionGiven given, Diag *diag);
    Status (*take_word)(void *user, const char *word, Diag *diag); /* that is no option */
} OptionTaker;

/* argv[0] is the program.  STATUS_USAGE with one line for what cannot be understood. */
Status option_read_line(Arena *a, const OptionTaker *t, int argc, char **argv, Diag *diag);
