/* Preloaded: in the middle of a run, behind its sandbox, tries what a hostile input would make it
 * do, and says how each ended.  PLANT_READ names a file, PLANT_WRITE one to make. */
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void phrase_text(const char *what, int failed)
{
    char line[200];
    int n =
        snprintf(line, sizeof line, "planted %s: %s\n", what, failed ? strerror(errno) : "DONE");
    if (write(2, line, (size_t)n) < 0)
        _exit(99);
}

static void try_all(void)
{
    const char *reads = getenv("PLANT_READ"), *writes = getenv("PLANT_WRITE");
    char *const argv[] = {"/bin/true", NULL};
    struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_port = htons(9), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    unsetenv("LD_PRELOAD");
    phrase_text("read", open(reads, O_RDONLY) < 0);
    phrase_text("write", open(writes, O_WRONLY | O_CREAT, 0600) < 0);
    int s = socket(AF_INET, SOCK_STREAM, 0);
    phrase_text("socket", s < 0);
    phrase_text("connect", connect(s < 0 ? 0 : s, (struct sockaddr *)&to, sizeof to) < 0 &&
                               errno != ECONNREFUSED);
    phrase_text("program", execv(argv[0], argv) < 0);
}

/* The first thing that a result, and a run's statistics, are made of. */
void *cJSON_CreateObject(void);
void *cJSON_CreateObject(void)
{
    static int planted;
    void *(*real)(void) = dlsym(RTLD_NEXT, "cJSON_CreateObject");
    if (!planted++)
        try_all();
    return real();
}
