/* Describes and parses the options of a command line by a table. */
#ifndef GRAPH_BASE_OPTION_H
#define GRAPH_BASE_OPTION_H

#include "graph/base/diag.h"

#include <stdint.h>

typedef enum {
    OPTION_FLAG, /* takes no value */
    OPTION_TEXT, /* anything; whoever uses it says what it must be */
    OPTION_FILE,
    OPTION_FOLDER,
    OPTION_WHOLE,   /* lo to hi */
    OPTION_REAL,    /* lo to hi */
    OPTION_TIME,    /* "10ms": a unit is required */
    OPTION_SECONDS, /* the same; a number alone is seconds, as in MegEngine's profile_analyze */
    OPTION_WORDS,   /* one of the argument's */
} OptionKind;

/* Heads under which help lists options. */
typedef enum {
#define OPTION_GROUP(name, title) OPTION_GROUP_##name,
#include "graph/base/option_groups.def"
#undef OPTION_GROUP
    OPTION_GROUPS
} OptionGroup;

/* What an option is good for; several may hold, and one group. */
enum {
    OPTION_GLOBAL = 1,  /* every command takes it */
    OPTION_RUN = 2,     /* of graph/compile/run_options.def */
    OPTION_SETTING = 4, /* a settings file may hold it */
    OPTION_PRINTS = 8,  /* says only how a result is shown */
    OPTION_OFTEN = 16,  /* help tells of it in full where there is no room for all */
    OPTION_GROUP_SHIFT = 8,
#define OPTION_GROUP(name, title) OPTION_IN_##name = OPTION_GROUP_##name << OPTION_GROUP_SHIFT,
#include "graph/base/option_groups.def"
#undef OPTION_GROUP
};

typedef struct {
    const char *name; /* without dashes */
    char letter;      /* 0: none */
    OptionKind kind;
    int64_t lo, hi;
    const char *argument, *help; /* argument "" for a flag; "latency|throughput" for words */
    unsigned use;
} OptionRow;

OptionGroup option_group(const OptionRow *r);
const char *option_group_title(OptionGroup g);

/* Each reads a value as its row says; false when it cannot.  *ret of words is the index. */
bool option_read_whole(const OptionRow *r, const char *text, int64_t *ret);
bool option_read_real(const OptionRow *r, const char *text, double *ret);
bool option_read_time(const OptionRow *r, const char *text, int64_t *ret_ns);
bool option_read_word(const OptionRow *r, const char *text, int64_t *ret);

/* What a value must be: "a whole number from 1 to 1024". */
const char *option_expected(Arena *a, const OptionRow *r);

/* STATUS_USAGE, and a line that says what it must be, for a value that its row does not allow. */
Status option_check(const OptionRow *r, const char *value, Diag *diag);

#endif
