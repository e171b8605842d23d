/* A class is the name of a folder. */
#include "advisor/measure/truth.h"

#include "graph/base/folder.h"

#include <stdlib.h>
#include <string.h>

struct Truth {
    const FolderEntry *entry; /* sorted by name */
    size_t n;
    int64_t largest; /* number that one is called by; -1: not all are called by numbers */
};

static int64_t number_of(const char *name)
{
    size_t digits = strspn(name, "0123456789");
    return digits && digits < 10 && !name[digits] ? strtoll(name, NULL, 10) : -1;
}

static int64_t largest_number(const Truth *t)
{
    int64_t most = -1;
    for (size_t i = 0; i < t->n; i++) {
        int64_t number = number_of(t->entry[i].name);
        if (number < 0)
            return -1;
        most = number > most ? number : most;
    }
    return most;
}

Status truth_open(Arena *a, const char *dir, Truth **ret, Diag *diag)
{
    static const char *const any[] = {""};
    Truth *t = ARENA_NEW(a, Truth);
    Status st = folder_walk(a, dir, any, 1, &t->entry, &t->n, diag);
    bool classes = !st && t->n >= 2;
    for (size_t i = 0; classes && i < t->n; i++)
        classes = t->entry[i].is_folder;
    t->largest = classes ? largest_number(t) : -1;
    *ret = classes ? t : NULL;
    return st;
}

size_t truth_classes(const Truth *t)
{
    return t->n;
}

bool truth_fits(const Truth *t, size_t width)
{
    return t->largest >= 0 ? (size_t)t->largest < width : t->n == width || t->n + 1 == width;
}

int64_t truth_class(const Truth *t, const char *file, size_t width)
{
    size_t length = strcspn(file, "/");
    for (size_t i = 0; file[length] && i < t->n; i++)
        if (strlen(t->entry[i].name) == length && !memcmp(t->entry[i].name, file, length))
            return t->largest >= 0 ? number_of(t->entry[i].name) : (int64_t)(i + width - t->n);
    return -1;
}
