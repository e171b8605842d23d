/* Builds the Landlock rules and the seccomp filter, and enters both. */
#include "graph/base/sandbox.h"

#include "graph/base/file.h"
#include "graph/base/limits.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* Newer than some headers that this is built with. */
#ifndef LANDLOCK_ACCESS_FS_REFER
#define LANDLOCK_ACCESS_FS_REFER (1ULL << 13)
#endif
#ifndef LANDLOCK_ACCESS_FS_TRUNCATE
#define LANDLOCK_ACCESS_FS_TRUNCATE (1ULL << 14)
#endif

#define READS          (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define WRITES_TO_FILE (LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_TRUNCATE)
#define WRITES                                                                                     \
    (WRITES_TO_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |             \
     LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REFER)
#define OTHERS                                                                                     \
    (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_SOCK |    \
     LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM)

void sandbox_may_read(SandboxPaths *p, const char *path)
{
    if (path && p->nread < SANDBOX_PATHS_MAX)
        p->read[p->nread++] = path;
}

void sandbox_may_write(SandboxPaths *p, const char *path)
{
    if (path && p->nwrite < SANDBOX_PATHS_MAX)
        p->write[p->nwrite++] = path;
}

/* "mine.xml-2pe" -> "mine.xml" */
static const char *without_fusion(Arena *a, const char *word)
{
    const char *dash = strrchr(word, '-');
    size_t digits = dash ? strspn(dash + 1, "0123456789") : 0;
    bool fusion = digits && !strcmp(dash + 1 + digits, "pe");
    return fusion ? arena_strndup(a, word, (size_t)(dash - word)) : word;
}

void sandbox_may_read_word(SandboxPaths *p, Arena *a, const char *word)
{
    char real[PATH_MAX];
    const char *path = access(word, F_OK) == 0 ? word : without_fusion(a, word);
    if (!realpath(path, real))
        return;
    sandbox_may_read(p, path);
    if (file_is_folder(path))
        return;
    sandbox_may_read(p, file_folder(a, path));
    sandbox_may_read(p, file_folder(a, arena_strdup(a, real)));
}

void sandbox_may_write_output(SandboxPaths *p, Arena *a, const char *path)
{
    sandbox_may_write(p, path);
    if (!file_is_folder(path))
        sandbox_may_write(p, file_folder(a, path));
}

int sandbox_landlock_version(void)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return version > 0 ? (int)version : 0;
}

bool sandbox_has_seccomp(void)
{
    return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0;
}

/* What the version at hand does not know must not be asked of it. */
static uint64_t supported_rights(int version, uint64_t rights)
{
    if (version < 2)
        rights &= ~(uint64_t)LANDLOCK_ACCESS_FS_REFER;
    if (version < 3)
        rights &= ~(uint64_t)LANDLOCK_ACCESS_FS_TRUNCATE;
    return rights;
}

static void allow_path(int ruleset, int version, const char *path, uint64_t rights)
{
    struct stat st;
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return;
    if (fstat(fd, &st) == 0 && !S_ISDIR(st.st_mode))
        rights &= LANDLOCK_ACCESS_FS_READ_FILE | WRITES_TO_FILE;
    struct landlock_path_beneath_attr beneath = {
        .allowed_access = supported_rights(version, rights), .parent_fd = fd};
    (void)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
    close(fd);
}

static bool restrict_files(const SandboxPaths *p)
{
    int version = sandbox_landlock_version();
    if (!version)
        return false;
    struct landlock_ruleset_attr all = {.handled_access_fs =
                                            supported_rights(version, READS | WRITES | OTHERS)};
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &all, sizeof all.handled_access_fs, 0);
    if (ruleset < 0)
        return false;
    for (size_t i = 0; i < p->nread; i++)
        allow_path(ruleset, version, p->read[i], READS);
    for (size_t i = 0; i < p->nwrite; i++)
        allow_path(ruleset, version, p->write[i], READS | WRITES);
    bool done = syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
    close(ruleset);
    return done;
}

enum { FILTER_MAX = 1024 }; /* instructions of the filter */

/* Named one by one: what this machine's C library may need another time is not foreseen here. */
static const int refused[] = {
#define CALL(name) SCMP_SYS(name),
#include "graph/base/sandbox_calls.def"
};

/* Writes the filter to `fd` as the kernel takes it. */
static bool export_filter(int fd)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    bool done = filter != NULL;
    for (size_t i = 0; done && i < sizeof refused / sizeof *refused; i++) {
#ifdef ARENA_DEBUG /* the leak checker of a sanitizer build stops its own threads */
        if (refused[i] == SCMP_SYS(ptrace))
            continue;
#endif
        int code = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), refused[i], 0);
        done = code == 0 || code == -EDOM; /* EDOM: this architecture has no such call */
    }
    return done && seccomp_export_bpf(filter, fd) == 0;
}

/* libseccomp (2.5) frees twice, or goes round for ever, when it runs out of memory: a copy of this
 * process makes the filter, and may die of it.  It takes a thousandth of this time. */
static bool make_filter(int fd)
{
    int status = 0;
    pid_t pid = fork();
    if (pid == 0) {
        int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
        if (null >= 0)
            dup2(null, STDERR_FILENO);
        signal(SIGABRT, SIG_DFL);
        setrlimit(RLIMIT_CPU, &(struct rlimit){1, 1});
        _exit(export_filter(fd) ? 0 : 1);
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool restrict_calls(void)
{
    struct sock_filter code[FILTER_MAX];
    if (!sandbox_has_seccomp())
        return false;
    int fd = memfd_create("filter", MFD_CLOEXEC);
    bool made = fd >= 0 && make_filter(fd);
    ssize_t size = made ? pread(fd, code, sizeof code, 0) : -1;
    close(fd);
    if (size <= 0 || size == (ssize_t)sizeof code)
        limits_out_of_memory(); /* going on with less than was promised is worse */
    struct sock_fprog filter = {(unsigned short)((size_t)size / sizeof *code), code};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

bool sandbox_enter(const SandboxPaths *p)
{
#ifdef COVERAGE /* what is counted is written beside the objects when the process ends */
    (void)p;
    return false;
#else
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return false;
    bool files = restrict_files(p), calls = restrict_calls();
    return files || calls;
#endif
}
