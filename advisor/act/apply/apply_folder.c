/* Makes the folder of a bundle, and refuses one that cannot be written. */
#include "advisor/act/apply/apply.h"

#include "graph/base/folder.h"

#include <sys/stat.h>

Status apply_check_overwrite(const char *model, const char *path, Diag *diag)
{
    struct stat a, b;
    if (stat(model, &a) || stat(path, &b) || a.st_dev != b.st_dev || a.st_ino != b.st_ino)
        return STATUS_OK;
    return diag_set(diag, STATUS_USAGE, path, NULL,
                    "is an input, which would be overwritten; give another file to write");
}

Status apply_make_folder(const char *path, Diag *diag)
{
    struct stat s;
    if (mkdir(path, 0777) == 0 || (errno == EEXIST && !stat(path, &s) && S_ISDIR(s.st_mode)))
        return STATUS_OK;
    return diag_set(diag, STATUS_USAGE, path, NULL, "cannot make this folder: %s", strerror(errno));
}

Status apply_check(Arena *a, const char *folder, Diag *diag)
{
    const char **name;
    size_t n = 0;
    bool is_there = access(folder, F_OK) == 0;
    Status st = apply_make_folder(folder, diag);
    if (!st && !folder_list(a, folder, "", &name, &n, diag) && n &&
        LIST_ALL(i, n, strcmp(name[i], "CHANGES.md") != 0)) /* which every bundle has */
        return diag_set(diag, STATUS_USAGE, folder, NULL,
                        "holds other files, which `apply` did not write: give a new folder");
    if (!st && access(folder, W_OK | X_OK) != 0)
        st = diag_set(diag, STATUS_USAGE, folder, NULL, "cannot write here: %s", strerror(errno));
    if (!is_there)
        rmdir(folder);
    return st;
}
