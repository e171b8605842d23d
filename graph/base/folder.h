/* Lists the files of a folder. It is separate from file.h because names of <dirent.h> clash
 * with those of element types. */
#pragma once

#include "graph/base/diag.h"

enum { FOLDER_LIMIT = 4096 }; /* files listed */

/* Names in `dir` that end in `suffix` and do not start with a dot, sorted: the order of a directory
 * is not the same everywhere. */
Status folder_list(Arena *a, const char *dir, const char *suffix, const char ***ret_name,
                   size_t *ret_count, Diag *diag);

/* Folders in a folder, and its files that end in one of `suffix`; sorted by name, without those
 * that start with a dot.  Links to folders are left out: they may form a circle. */
typedef struct {
    const char *name;
    bool is_folder;
} FolderEntry;
Status folder_walk(Arena *a, const char *dir, const char *const *suffix, size_t nsuffix,
                   const FolderEntry **ret_entry, size_t *ret_count, Diag *diag);

/* Digest of the names, sizes and times of all files below a folder, in any order; `hex` holds 65
 * bytes. */
Status folder_digest(const char *dir, char hex[65], Diag *diag);
