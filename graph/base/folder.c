/* Reads directories, sorts what they hold, and hashes names, sizes and times. */
#include "graph/base/folder.h"

#include "graph/base/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

ORDER_BY_POINTED(by_text, char, strcmp(a, b))

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
    ORDER_LIST(name, n, by_text);
    *ret_name = name;
    *ret_count = n;
    return STATUS_OK;
}

ORDER_BY(by_name, FolderEntry, strcmp(a->name, b->name))

/* False for an entry that is neither a folder nor a wanted file. */
static bool classify_entry(DIR *d, const char *name, const char *const *suffix, size_t n,
                           FolderEntry *ret)
{
    struct stat st;
    if (name[0] == '.' || fstatat(dirfd(d), name, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return false;
    ret->is_folder = S_ISDIR(st.st_mode);
    return ret->is_folder || (!S_ISDIR(st.st_mode) && LIST_ANY(i, n, has_suffix(name, suffix[i])));
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
        if (classify_entry(d, e->d_name, suffix, nsuffix, &found)) {
            found.name = arena_strdup(a, e->d_name);
            *VEC_PUSH(a, entry, n, cap) = found;
        }
    closedir(d);
    ORDER_LIST(entry, n, by_name);
    *ret_entry = entry;
    *ret_count = n;
    return STATUS_OK;
}

enum { DEPTH_MAX = 8, DIGEST = 65 };

/* The sum of the digests of its entries, so that their order is none of its business. */
static bool add_entries(int at, const char *above, int depth, uint64_t sum[4])
{
    DIR *d = at >= 0 ? fdopendir(at) : NULL;
    if (!d) {
        if (at >= 0)
            close(at);
        return false;
    }
    for (struct dirent *e; (e = readdir(d));) {
        char line[4096], hex[DIGEST];
        struct stat is;
        if (e->d_name[0] == '.' || fstatat(dirfd(d), e->d_name, &is, 0) != 0)
            continue;
        int n = snprintf(line, sizeof line, "%s/%s %lld %lld.%09ld", above, e->d_name,
                         (long long)is.st_size, (long long)is.st_mtim.tv_sec, is.st_mtim.tv_nsec);
        if (S_ISDIR(is.st_mode)) {
            if (depth < DEPTH_MAX)
                add_entries(openat(dirfd(d), e->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
                            e->d_name, depth + 1, sum);
            continue;
        }
        sha256_hex(line, n > 0 && n < (int)sizeof line ? (size_t)n : sizeof line - 1, hex);
        for (int k = 0; k < 4; k++) {
            char part[17] = {0};
            memcpy(part, hex + 16 * k, 16);
            sum[k] += strtoull(part, NULL, 16);
        }
    }
    closedir(d);
    return true;
}

Status folder_digest(const char *dir, char hex[65], Diag *diag)
{
    uint64_t sum[4] = {0};
    if (!add_entries(open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), "", 0, sum))
        return diag_set(diag, STATUS_INPUT, dir, NULL, "cannot be read as a folder: %s",
                        strerror(errno));
    snprintf(hex, DIGEST, "%016llx%016llx%016llx%016llx", (unsigned long long)sum[0],
             (unsigned long long)sum[1], (unsigned long long)sum[2], (unsigned long long)sum[3]);
    return STATUS_OK;
}
