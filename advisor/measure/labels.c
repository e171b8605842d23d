/* Maps folder names to class numbers, in the order of the names or by numbers in them. */
#include "advisor/measure/labels.h"

#include "graph/base/folder.h"

struct ClassLabels {
    const FolderEntry *entry; /* sorted by name */
    size_t n;
    int64_t largest; /* largest number in a name; -1: not all names are numbers */
};

static int64_t kernel_number_or(const char *name)
{
    size_t digits = strspn(name, "0123456789");
    return digits && digits < 10 && !name[digits] ? strtoll(name, NULL, 10) : -1;
}

static int64_t largest_number(const ClassLabels *t)
{
    int64_t most = -1;
    for (size_t i = 0; i < t->n; i++) {
        int64_t number = kernel_number_or(t->entry[i].name);
        if (number < 0)
            return -1;
        most = number > most ? number : most;
    }
    return most;
}

Status labels_open(Arena *a, const char *dir, ClassLabels **ret, Diag *diag)
{
    static const char *const any[] = {""};
    ClassLabels *t = ARENA_NEW(a, ClassLabels);
    Status st = folder_walk(a, dir, any, 1, &t->entry, &t->n, diag);
    bool classes = !st && t->n >= 2;
    for (size_t i = 0; classes && i < t->n; i++)
        classes = t->entry[i].is_folder;
    t->largest = classes ? largest_number(t) : -1;
    *ret = classes ? t : NULL;
    return st;
}

size_t labels_class_count(const ClassLabels *t)
{
    return t->n;
}

bool labels_fit_output(const ClassLabels *t, size_t width)
{
    return t->largest >= 0 ? (size_t)t->largest < width : t->n == width || t->n + 1 == width;
}

int64_t labels_class_of(const ClassLabels *t, const char *file, size_t width)
{
    size_t length = strcspn(file, "/");
    for (size_t i = 0; file[length] && i < t->n; i++)
        if (strlen(t->entry[i].name) == length && !memcmp(t->entry[i].name, file, length))
            return t->largest >= 0 ? kernel_number_or(t->entry[i].name)
                                   : (int64_t)(i + width - t->n);
    return -1;
}
