/* Reads /proc/self/exe or, where /proc is missing, the path that the kernel gave the program. */
#include "graph/base/executable.h"

#include <sys/auxv.h>

/* The kernel's answer; where /proc is missing, the path with which exec started the program. */
static bool program_path(char buf[static PATH_MAX])
{
    ssize_t n = readlink("/proc/self/exe", buf, PATH_MAX - 1);
    if (n <= 0) {
        const char *started = (const char *)(uintptr_t)getauxval(AT_EXECFN);
        return started && realpath(started, buf);
    }
    buf[n] = '\0';
    return true;
}

const char *executable_folder(Arena *a)
{
    char path[PATH_MAX];
    char *slash = program_path(path) ? strrchr(path, '/') : NULL;
    return slash ? arena_strndup(a, path, (size_t)(slash - path)) : NULL;
}

const char *executable_sibling(Arena *a, const char *name)
{
    const char *folder = executable_folder(a);
    return folder ? arena_printf(a, "%s/%s", folder, name) : NULL;
}
