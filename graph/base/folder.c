/* Folders. */
#include "graph/base/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

static int by_name(const void *pa, const void *pb)
{
    const FolderEntry *a = pa, *b = pb;
    return strcmp(a->name, b->name);
}

static bool ends_in_one(const char *name, const char *const *suffix, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (has_suffix(name, suffix[i]))
            return true;
    return false;
}

/* False for what is neither a folder nor a wanted file. */
static bool classify(DIR *d, const char *name, const char *const *suffix, size_t n,
                     FolderEntry *ret)
{
    struct stat st;
    if (name[0] == '.' || fstatat(dirfd(d), name, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return false;
    ret->is_folder = S_ISDIR(st.st_mode);
    return ret->is_folder || (!S_ISDIR(st.st_mode) && ends_in_one(name, suffix, n));
}

Status folder_walk(Arena *a, const char *dir, const char *const *suffix, size_t nsuffix,
                   const FolderEntry **ret_entry, size_t *ret_count, Diag *diag)
{
    DIR *d = opendir(dir);
    if (!d)
        return diag_set(diag, STATUS_INPUT, dir, NULL, "cannot be read as a folder: %s",
                        strerror(errno));
    FolderEntry *entry = NULL, found;
    size_t n = 0, cap = 0;
    for (struct dirent *e; (e = readdir(d));)
        if (classify(d, e->d_name, suffix, nsuffix, &found)) {
            found.name = arena_strdup(a, e->d_name);
            *VEC_PUSH(a, entry, n, cap) = found;
        }
    closedir(d);
    if (n)
        qsort(entry, n, sizeof *entry, by_name);
    *ret_entry = entry;
    *ret_count = n;
    return STATUS_OK;
}
