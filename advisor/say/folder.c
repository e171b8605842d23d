/* Folders. */
#include "advisor/say/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int by_text(const void *pa, const void *pb)
{
    return strcmp(*(const char *const *)pa, *(const char *const *)pb);
}

static bool has_suffix(const char *s, const char *suffix)
{
    size_t n = strlen(s), k = strlen(suffix);
    return n > k && strcmp(s + n - k, suffix) == 0;
}

Status folder_list(Arena *a, const char *dir, const char *suffix, const char ***ret_name,
                   size_t *ret_count, Diag *diag)
{
    DIR *d = opendir(dir);
    if (!d)
        return diag_set(diag, STATUS_INPUT, dir, NULL, "cannot be read as a folder: %s",
                        strerror(errno));
    const char **name = NULL;
    size_t n = 0, cap = 0;
    for (struct dirent *e; (e = readdir(d)) && n < FOLDER_LIMIT;)
        if (e->d_name[0] != '.' && has_suffix(e->d_name, suffix))
            *VEC_PUSH(a, name, n, cap) = arena_strdup(a, e->d_name);
    closedir(d);
    if (n)
        qsort(name, n, sizeof *name, by_text);
    *ret_name = name;
    *ret_count = n;
    return STATUS_OK;
}
