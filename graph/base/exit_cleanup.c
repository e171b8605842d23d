/* Keeps a fixed table of things to remove, which the signal handlers walk. */
#include "graph/base/exit_cleanup.h"

#include "graph/base/log_command.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

typedef enum { FREE, TAKEN, A_FILE, A_FOLDER, A_GROUP, A_COPY, A_MAPPING, A_LINE } CleanupKind;
enum { CLEANUP_MAX = 256, STATUS_BAD_INPUT = 2 };

typedef struct {
    volatile int kind;  /* set last, so that a signal sees a whole entry or none */
    pid_t owner, child; /* the child leads a group, or is a copy of the owner */
    int fd;
    const char *path; /* of a line: its text */
    const unsigned char *start;
    size_t size;
} CleanupEntry;

static CleanupEntry kept[CLEANUP_MAX];
static const char *volatile program_name = "npu-advise";
static volatile int said_to = STDERR_FILENO;

static int register_cleanup(CleanupEntry k)
{
    k.owner = getpid();
    for (int i = 0; i < CLEANUP_MAX; i++) {
        int expected = FREE;
        if (!__atomic_compare_exchange_n(&kept[i].kind, &expected, TAKEN, false, __ATOMIC_SEQ_CST,
                                         __ATOMIC_SEQ_CST))
            continue;
        int kind = k.kind;
        kept[i].owner = k.owner;
        kept[i].child = k.child;
        kept[i].fd = k.fd;
        kept[i].path = k.path;
        kept[i].start = k.start;
        kept[i].size = k.size;
        __atomic_store_n(&kept[i].kind, kind, __ATOMIC_SEQ_CST);
        return i;
    }
    return EXIT_CLEANUP_NONE;
}

sigset_t exit_cleanup_block_signals(void)
{
    sigset_t all, before;
    sigfillset(&all);
    sigdelset(&all, SIGBUS);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    return before;
}

void exit_cleanup_unblock_signals(sigset_t before)
{
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

int exit_cleanup_add_file(const char *path)
{
    return register_cleanup((CleanupEntry){.kind = A_FILE, .path = path});
}

int exit_cleanup_add_folder(const char *path)
{
    return register_cleanup((CleanupEntry){.kind = A_FOLDER, .path = path});
}

int exit_cleanup_add_group(pid_t group)
{
    return register_cleanup((CleanupEntry){.kind = A_GROUP, .child = group});
}

int exit_cleanup_add_copy(pid_t copy)
{
    return register_cleanup((CleanupEntry){.kind = A_COPY, .child = copy});
}

int exit_cleanup_add_mapping(const void *start, size_t size, const char *path)
{
    return register_cleanup(
        (CleanupEntry){.kind = A_MAPPING, .start = start, .size = size, .path = path});
}

int exit_cleanup_add_line(int fd, const char *line)
{
    return register_cleanup((CleanupEntry){.kind = A_LINE, .fd = fd, .path = line});
}

void exit_cleanup_cancel(int slot)
{
    if (slot >= 0)
        __atomic_store_n(&kept[slot].kind, FREE, __ATOMIC_SEQ_CST);
}

/* What getdents64 fills in; opendir allocates, which a handler must not. */
typedef struct {
    uint64_t inode;
    int64_t next;
    uint16_t length;
    uint8_t type;
    char name[];
} Entry;

static void empty_folder(int fd)
{
    _Alignas(Entry) char buf[4096];
    for (long n; (n = syscall(SYS_getdents64, fd, buf, sizeof buf)) > 0;)
        for (long at = 0; at < n;) {
            const Entry *e = (const Entry *)(const void *)(buf + at);
            unlinkat(fd, e->name, 0);
            at += e->length;
        }
}

void exit_cleanup_remove_folder(const char *path)
{
    if (rmdir(path) == 0)
        return;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return;
    empty_folder(fd);
    close(fd);
    rmdir(path);
}

void exit_cleanup_kill_group(pid_t group, int *ret_status)
{
    int status;
    pid_t done;
    kill(-group, SIGKILL);
    while ((done = waitpid(-group, &status, 0)) > 0 || (done < 0 && errno == EINTR))
        if (done == group && ret_status)
            *ret_status = status;
}

/* A copy cleans up what it made itself; this process waits, so that nothing is written later. */
static void end_copy(pid_t copy)
{
    kill(copy, SIGTERM);
    while (waitpid(copy, NULL, 0) < 0 && errno == EINTR)
        ;
}

static void clean_up(void)
{
    pid_t me = getpid();
    for (int i = 0; i < CLEANUP_MAX; i++)
        if (kept[i].owner == me && kept[i].kind == A_GROUP)
            exit_cleanup_kill_group(kept[i].child, NULL);
    for (int i = 0; i < CLEANUP_MAX; i++)
        if (kept[i].owner == me && kept[i].kind == A_COPY)
            end_copy(kept[i].child);
    for (int i = 0; i < CLEANUP_MAX; i++) {
        if (kept[i].owner != me)
            continue;
        if (kept[i].kind == A_FILE)
            unlink(kept[i].path);
        if (kept[i].kind == A_FOLDER)
            exit_cleanup_remove_folder(kept[i].path);
        if (kept[i].kind == A_LINE) {
            ssize_t done = write(kept[i].fd, kept[i].path, strlen(kept[i].path));
            (void)done;
        }
    }
}

static size_t append_printable(char *line, size_t used, size_t size, const char *text)
{
    for (; *text && used + 1 < size; text++)
        line[used++] =
            (unsigned char)*text < ' ' || *text == 0x7f || log_command_at(text) ? '?' : *text;
    return used;
}

static _Noreturn void exit_with_message(int status, const char *before, const char *text)
{
    char line[1200];
    bool alone = said_to == STDERR_FILENO;
    clean_up();
    size_t n = append_printable(line, 0, sizeof line - 1, alone ? program_name : "");
    n = append_printable(line, n, sizeof line - 1, alone ? ": " : "");
    n = append_printable(line, n, sizeof line - 1, before);
    n = append_printable(line, n, sizeof line - 1, text);
    if (alone)
        line[n++] = '\n';
    ssize_t done = write(said_to, line, n);
    (void)done;
    _exit(status);
}

void exit_cleanup_report_to(int fd)
{
    said_to = fd;
}

bool exit_cleanup_is_mapped(const void *start, size_t size)
{
    const unsigned char *at = start;
    for (int i = 0; i < CLEANUP_MAX; i++)
        if (kept[i].kind == A_MAPPING && at >= kept[i].start &&
            at + size <= kept[i].start + kept[i].size)
            return true;
    return false;
}

_Noreturn void exit_cleanup_fail(int status, const char *line)
{
    exit_with_message(status, "", line);
}

_Noreturn void exit_cleanup_fail_silently(int status)
{
    clean_up();
    _exit(status);
}

static void end_by(int signal_number)
{
    clean_up();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void on_bus_error(int signal_number, siginfo_t *info, void *context)
{
    (void)context;
    const unsigned char *at = info->si_addr;
    for (int i = 0; i < CLEANUP_MAX; i++)
        if (kept[i].kind == A_MAPPING && at >= kept[i].start && at < kept[i].start + kept[i].size)
            exit_with_message(STATUS_BAD_INPUT, kept[i].path,
                              ": became shorter while it was read; let its writer finish first");
    end_by(signal_number);
}

void exit_cleanup_startup(const char *program)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    struct sigaction a = {.sa_handler = end_by, .sa_flags = (int)SA_RESETHAND}, before;
    program_name = program;
    sigfillset(&a.sa_mask);
    sigdelset(&a.sa_mask, SIGBUS);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (sigaction(ends[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(ends[i], &a, NULL);
    struct sigaction bus = {.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO};
    sigfillset(&bus.sa_mask);
    sigaction(SIGBUS, &bus, NULL);
}
