/* Runs programs and copies of this process within limits of time and disk space. */
#pragma once

#include "graph/base/diag.h"

#define PROCESS_FILE_BYTES   (INT64_C(2) << 30) /* of one file that it writes, stderr included */
#define PROCESS_FOLDER_BYTES (INT64_C(4) << 30) /* of all files in the folder that it is given */

typedef struct {
    int seconds;
    const char *folder; /* its size is watched; NULL: none */
} ProcessLimits;

/* Runs argv (NULL-terminated; argv[0] is looked up in PATH unless it has a slash) with stdin and
 * stdout on /dev/null, in its own process group that is ended with it, under the memory limit that
 * this process was started with.  Its first line on stderr that is not a note goes into the error.
 * STATUS_INPUT when it cannot be started, ends with another status than 0, or reaches a limit. */
Status process_run(const char *const *argv, ProcessLimits limits, Diag *diag);

/* Calls work(user, i, process_map_path(a, folder, i)) for each i < n in a forked copy of this
 * process, at most `jobs` of them at a time, and returns when all have ended; a copy writes its
 * results to that file.  A copy that is interrupted leaves none.  `begins` and `ended` (or NULL)
 * are called in this process: before copy i starts, and with how it ended, as waitpid has it.
 * STATUS_INPUT when no process can be started. */
typedef struct {
    void (*begins)(void *user, size_t i);
    void (*work)(void *user, size_t i, const char *path);
    void (*ended)(void *user, size_t i, int wait_status);
    void *user;
} ProcessMap;
Status process_map(Arena *a, size_t n, int jobs, const char *folder, const ProcessMap *map,
                   Diag *diag);
const char *process_map_path(Arena *a, const char *folder, size_t i);

/* The words of a command line under construction. */
typedef struct {
    Arena *a;
    const char **word;
    size_t n, cap;
} WordList;
void word_list_add(WordList *l, const char *word); /* NULL ends the list for process_run */
/* Adds up to n words, those before a NULL. */
void word_list_extend(WordList *l, const char *const *word, size_t n);

/* Processors of this machine, at least 1. */
int process_count(void);

/* A file without a name below $TMPDIR or /tmp, to write and read; NULL with errno. */
FILE *process_temp_file(void);

/* A fresh folder below $TMPDIR or /tmp, in `a`; it is removed with the process (exit_cleanup.h). */
typedef struct {
    const char *path;
    int kept;
} TempFolder;
Status process_temp_folder_make(Arena *a, TempFolder *ret, Diag *diag);

/* Removes the folder and the plain files in it. */
void process_temp_folder_remove(TempFolder *f);
