/* Starts, watches and ends child processes, and makes temporary files and folders. */
#include "advisor/message/process.h"

#include "graph/base/exit_cleanup.h"
#include "graph/base/file.h"
#include "graph/base/limits.h"
#include "graph/base/wording.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

/* In the child: only system calls, then exec in its own process group. */
static void exec_child(const char *const *argv, int err_fd, sigset_t before)
{
    const struct rlimit file = {PROCESS_FILE_BYTES, PROCESS_FILE_BYTES};
    int null = open("/dev/null", O_RDWR);
    exit_cleanup_unblock_signals(before);
    setpgid(0, 0);
    setrlimit(RLIMIT_FSIZE, &file);
    limits_lift();
    if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(err_fd, 2) < 0)
        _exit(126);
    execvp(argv[0], (char *const *)(uintptr_t)argv);
    _exit(127);
}

typedef enum { ENDED, TOO_LONG, TOO_LARGE } Ending;

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static bool is_too_large(const char *folder)
{
    struct stat st;
    double bytes = 0;
    DIR *d = folder ? opendir(folder) : NULL;
    for (struct dirent *e; d && (e = readdir(d));)
        if (fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode))
            bytes += (double)st.st_blocks * 512;
    if (d)
        closedir(d);
    return bytes > PROCESS_FOLDER_BYTES;
}

/* A runner may end before the processes that it started, so its group is ended, too.  Until then it
 * stays a zombie, so that its number cannot become another group's. */
static Ending wait_for(pid_t pid, const ProcessLimits *limits, int *ret_status)
{
    struct timespec pause = {0, 500 * 1000};
    double end = now_s() + limits->seconds;
    Ending ending = TOO_LONG;
    for (;;) {
        siginfo_t ended = {0};
        if (waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 ? ended.si_pid == pid
                                                                               : errno != EINTR)
            ending = ENDED;
        else if (is_too_large(limits->folder))
            ending = TOO_LARGE;
        if (ending != TOO_LONG || now_s() > end)
            break;
        nanosleep(&pause, NULL);
        if (pause.tv_nsec < 20 * 1000 * 1000)
            pause.tv_nsec *= 2;
    }
    exit_cleanup_kill_group(pid, ret_status);
    return ending;
}

static void first_line(FILE *err, char *line, size_t size)
{
    rewind(err);
    do {
        if (!fgets(line, (int)size, err))
            line[0] = '\0';
        line[strcspn(line, "\n")] = '\0';
    } while (strstr(line, wording_of(": note: "))); /* the reason follows the notes */
}

/* The lines that a program prints begin with its own name. */
static const char *without_name(const char *line, const char *name)
{
    size_t n = strlen(name);
    return strncmp(line, name, n) || strncmp(line + n, ": ", 2) ? line : line + n + 2;
}

static Status ended_badly(const char *program, int status, const char *line, Diag *diag)
{
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    const char *why = without_name(line, program);
    /* Errors name the program, not its folder on this machine. */
    return diag_set(diag, STATUS_INPUT, NULL, file_base_name(program), "ended with status %d%s%s",
                    code, *why ? ": " : "", why);
}

static const char *temp_base(void)
{
    const char *base = getenv("TMPDIR");
    return base && *base ? base : "/tmp";
}

FILE *process_temp_file(void)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/npu-advise-XXXXXX", temp_base());
    sigset_t before = exit_cleanup_block_signals();
    int fd = mkstemp(path);
    if (fd >= 0)
        unlink(path);
    exit_cleanup_unblock_signals(before);
    if (fd < 0)
        return NULL;
    FILE *f = fdopen(fd, "w+");
    if (!f)
        close(fd);
    return f;
}

Status process_run(const char *const *argv, ProcessLimits limits, Diag *diag)
{
    assert(argv[0] && limits.seconds > 0);
    FILE *err = process_temp_file();
    if (!err)
        return diag_set(diag, STATUS_INPUT, NULL, argv[0], "no temporary file: %s",
                        strerror(errno));
    /* Orphans of the runner become children of this process, which can wait for them. */
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    sigset_t before = exit_cleanup_block_signals();
    pid_t pid = fork();
    if (pid == 0)
        exec_child(argv, fileno(err), before);
    int status = 0, kept = EXIT_CLEANUP_NONE;
    if (pid > 0) {
        setpgid(pid, pid); /* as the child does: one of the two is first */
        kept = exit_cleanup_add_group(pid);
    }
    exit_cleanup_unblock_signals(before);
    if (pid < 0) {
        fclose(err);
        return diag_set(diag, STATUS_INPUT, NULL, argv[0], "cannot be started: %s",
                        strerror(errno));
    }
    Ending ending = wait_for(pid, &limits, &status);
    exit_cleanup_cancel(kept);
    char line[400];
    first_line(err, line, sizeof line);
    fclose(err);
    if (ending == TOO_LONG)
        return diag_set(diag, STATUS_INPUT, NULL, argv[0], "took longer than %d s", limits.seconds);
    if (ending == TOO_LARGE)
        return diag_set(diag, STATUS_INPUT, NULL, argv[0],
                        "filled its folder with more than %lld MiB",
                        (long long)(PROCESS_FOLDER_BYTES >> 20));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return STATUS_OK;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return diag_set(diag, STATUS_INPUT, NULL, argv[0], "cannot be started; is it installed?");
    return ended_badly(argv[0], status, line, diag);
}

void word_list_add(WordList *l, const char *word)
{
    *VEC_PUSH(l->a, l->word, l->n, l->cap) = word;
}

void word_list_extend(WordList *l, const char *const *word, size_t n)
{
    for (size_t i = 0; i < n && word[i]; i++)
        word_list_add(l, word[i]);
}

const char *process_map_path(Arena *a, const char *folder, size_t i)
{
    return arena_printf(a, "%s/%zu.part", folder, i);
}

int process_count(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > 64 ? 64 : (int)n;
}

typedef struct {
    pid_t *pid; /* of copy i; 0 once it has ended */
    int *kept;  /* of copy i (exit_cleanup.h) */
    size_t started;
    int running;
    const ProcessMap *map;
} Copies;

/* True when one of our copies has ended. */
static bool wait_for_any(Copies *c)
{
    pid_t done;
    int status = 0;
    do
        done = waitpid(-1, &status, 0);
    while (done < 0 && errno == EINTR);
    for (size_t i = 0; i < c->started && done > 0; i++) {
        if (c->pid[i] != done)
            continue;
        c->pid[i] = 0;
        exit_cleanup_cancel(c->kept[i]);
        c->running--;
        if (c->map->ended)
            c->map->ended(c->map->user, i, status);
    }
    return done > 0;
}

static bool start_copy(Arena *a, Copies *c, size_t i, const char *folder)
{
    pid_t parent = getpid();
    sigset_t before = exit_cleanup_block_signals();
    pid_t pid = fork();
    if (pid > 0) {
        c->kept[c->started] = exit_cleanup_add_copy(pid);
        c->pid[c->started++] = pid;
        c->running++;
    }
    exit_cleanup_unblock_signals(before);
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() == parent)
            c->map->work(c->map->user, i, process_map_path(a, folder, i));
        _exit(0);
    }
    return pid > 0;
}

Status process_map(Arena *a, size_t n, int jobs, const char *folder, const ProcessMap *map,
                   Diag *diag)
{
    Copies c = {
        .pid = ARENA_ARRAY(a, pid_t, n + 1), .kept = ARENA_ARRAY(a, int, n + 1), .map = map};
    bool failed = false;
    assert(jobs > 0 && map->work);
    for (size_t i = 0; i < n && !failed; i++) {
        while (c.running >= jobs && wait_for_any(&c))
            ;
        if (map->begins)
            map->begins(map->user, i);
        failed = !start_copy(a, &c, i, folder);
    }
    while (c.running > 0 && wait_for_any(&c))
        ;
    assert(failed || c.started == n);
    return failed ? diag_set(diag, STATUS_INPUT, NULL, NULL, "no process can be started: %s",
                             strerror(errno))
                  : STATUS_OK;
}

Status process_temp_folder_make(Arena *a, TempFolder *ret, Diag *diag)
{
    char *path = arena_printf(a, "%s/npu-advise-XXXXXX", temp_base());
    sigset_t before = exit_cleanup_block_signals();
    bool made = mkdtemp(path) != NULL;
    if (made)
        *ret = (TempFolder){path, exit_cleanup_add_folder(path)};
    exit_cleanup_unblock_signals(before);
    return made ? STATUS_OK
                : diag_set(diag, STATUS_INPUT, path, NULL, "no temporary folder: %s",
                           strerror(errno));
}

void process_temp_folder_remove(TempFolder *f)
{
    assert(f->path);
    exit_cleanup_remove_folder(f->path);
    exit_cleanup_cancel(f->kept);
}
