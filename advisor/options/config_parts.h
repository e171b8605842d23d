/* Declares the functions that find and read the settings files of a model. */
#pragma once

#include "advisor/options/config.h"

/* No path that can be opened has more folders above it; of one settings file. */
enum { CONFIG_DEPTH = PATH_MAX / 2, CONFIG_LIMIT_MIB = 1 };

/* A settings file that exists: its path, and whether it decides or only adds. */
typedef struct {
    const char *path;
    const char *shown; /* from the root, or as it was given */
    const char *root;  /* the model's */
    bool decides;
    const char *refused; /* why it must not be read; NULL */
} FoundFile;

/* The files for a model: that of --config, then with CONFIG_IN_TREE those of the root and of each
 * folder below it down to the model's.  STATUS_USAGE for a root that is not above the model,
 * STATUS_INPUT for a model so deep that the folders above it cannot be found. */
Status config_find(Arena *a, const Args *args, const char *model_path, ConfigScope scope,
                   FoundFile **ret, size_t *ret_count, Diag *diag);

/* Adds the settings of one file to the lists of `c`, with `file` as their source; they are not
 * merged yet.  A file that is not above the model matches the path of the model below `root`. */
Status config_read(Arena *a, Config *c, SettingsFile *file, const char *path, const char *root,
                   const char *model_path, Diag *diag);

/* An option as files spell it: "min_gain". */
const char *config_key(Arena *a, OptionId id);

/* An absolute path without links; the path itself where there is no file (a stream). */
const char *config_path_resolve(Arena *a, const char *path);

/* Whether `path` is `above` or lies below it; both absolute. */
bool config_path_is_within(const char *path, const char *above);
