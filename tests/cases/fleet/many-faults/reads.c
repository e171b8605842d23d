/* Preloaded: from the READ_AT-th fread on, what is read does not come. */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

size_t fread(void *p, size_t size, size_t n, FILE *f)
{
    static long count, at;
    static size_t (*real)(void *, size_t, size_t, FILE *);
    if (!real) {
        void *found = dlsym(RTLD_NEXT, "fread");
        __builtin_memcpy(&real, &found, sizeof real);
        at = getenv("READ_AT") ? atol(getenv("READ_AT")) : 0;
    }
    if (!at || ++count < at)
        return real(p, size, n, f);
    errno = getenv("READ_SHORT") ? 0 : EIO;
    return getenv("READ_SHORT") ? real(p, size, n, f) / 2 : 0;
}
