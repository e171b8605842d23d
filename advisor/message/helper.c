/* Exchanges requests and answers over a pair of sockets, each preceded by its length. */
#include "advisor/message/helper.h"

#include "graph/base/exit_cleanup.h"
#include "graph/base/limits.h"
#include "graph/options/option.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>

enum { MESSAGE_MAX = 4 << 20, COMMAND_WORDS_MAX = 4096 };

struct Helper {
    int socket;
    const char *const *command;
    size_t ncommand;
};

typedef enum { RECEIVE, SEND } Direction;

static bool move_all(int fd, void *bytes, size_t size, Direction to)
{
    for (uint8_t *p = bytes; size > 0;) {
        ssize_t n = to == SEND ? write(fd, p, size) : read(fd, p, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        p += n;
        size -= (size_t)n;
    }
    return true;
}

static bool send_message(int fd, char *text, uint32_t size)
{
    return move_all(fd, &size, sizeof size, SEND) && move_all(fd, text, size, SEND);
}

/* NUL-terminated, the caller frees it; NULL at the end. */
static char *receive_message(int fd, uint32_t *ret_size)
{
    if (!move_all(fd, ret_size, sizeof *ret_size, RECEIVE) || *ret_size > MESSAGE_MAX)
        return NULL;
    char *text = limits_alloc((size_t)*ret_size + 1);
    text[*ret_size] = '\0';
    if (move_all(fd, text, *ret_size, RECEIVE))
        return text;
    free(text);
    return NULL;
}

/* A request: seconds, folder ("" for none), then the words, each with its NUL. */
static Status run_request(const Helper *h, char *text, uint32_t size, Diag *diag)
{
    const char *word[COMMAND_WORDS_MAX + 1];
    size_t n = 0;
    const char *end = text + size, *folder = memchr(text, 0, size), *p;
    int seconds = (int)strtol(text, NULL, 10);
    if (!folder || ++folder >= end)
        return diag_set(diag, STATUS_INPUT, NULL, "helper", "a request makes no sense");
    for (size_t i = 0; i < h->ncommand && n < COMMAND_WORDS_MAX; i++)
        word[n++] = h->command[i];
    for (p = folder + strlen(folder) + 1; p < end && n < COMMAND_WORDS_MAX; p += strlen(p) + 1)
        word[n++] = p;
    word[n] = NULL;
    /* The process that asked may have ended without removing its folder. */
    int kept = *folder ? exit_cleanup_add_folder(folder) : EXIT_CLEANUP_NONE;
    Status st = process_run(word, (ProcessLimits){seconds, *folder ? folder : NULL}, diag);
    exit_cleanup_cancel(kept);
    return st;
}

static _Noreturn void serve_requests(const Helper *h)
{
    char *text;
    uint32_t size;
    while ((text = receive_message(h->socket, &size))) {
        char answer[DIAG_TEXT_SIZE + 16];
        Diag diag = {0};
        Status st = run_request(h, text, size, &diag);
        int n = snprintf(answer, sizeof answer, "%d %s", (int)st, diag.text);
        free(text);
        if (n < 0 || !send_message(h->socket, answer, (uint32_t)n))
            break;
    }
    _exit(0);
}

Status helper_start(Arena *a, const char *const *command, Helper **ret, Diag *diag)
{
    int pair[2];
    Helper *h = ARENA_NEW(a, Helper);
    assert(command[0]);
    *h = (Helper){.command = command};
    while (command[h->ncommand])
        h->ncommand++;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return diag_set(diag, STATUS_INPUT, NULL, option_flag(OPTION_VERIFY), "no sockets: %s",
                        strerror(errno));
    pid_t parent = getpid();
    sigset_t before = exit_cleanup_block_signals();
    pid_t pid = fork();
    if (pid > 0)
        exit_cleanup_add_copy(pid);
    exit_cleanup_unblock_signals(before);
    if (pid == 0) {
        close(pair[0]);
        h->socket = pair[1];
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() != parent)
            _exit(0);
        serve_requests(h);
    }
    close(pair[1]);
    if (pid < 0) {
        close(pair[0]);
        return diag_set(diag, STATUS_INPUT, NULL, option_flag(OPTION_VERIFY), "no process: %s",
                        strerror(errno));
    }
    h->socket = pair[0];
    *ret = h;
    return STATUS_OK;
}

Status helper_run(Helper *h, const char *const *argv, ProcessLimits limits, Diag *diag)
{
    if (!h)
        return process_run(argv, limits, diag);
    char *text = NULL;
    size_t size = 0;
    for (size_t i = 0; i < h->ncommand; i++)
        assert(argv[i]); /* the words of the command, which the helper has */
    FILE *f = open_memstream(&text, &size);
    if (!f)
        limits_out_of_memory();
    fprintf(f, "%d%c%s%c", limits.seconds, 0, limits.folder ? limits.folder : "", 0);
    for (size_t i = h->ncommand; argv[i]; i++)
        fprintf(f, "%s%c", argv[i], 0);
    bool sent =
        fclose(f) == 0 && size <= MESSAGE_MAX && send_message(h->socket, text, (uint32_t)size);
    free(text);
    uint32_t n = 0;
    char *answer = sent ? receive_message(h->socket, &n) : NULL;
    if (!answer)
        return diag_set(diag, STATUS_INPUT, NULL, option_flag(OPTION_VERIFY),
                        "the process that starts runners ended");
    Status st = (Status)strtol(answer, NULL, 10);
    if (st)
        st = diag_set(diag, st, NULL, NULL, "%s", answer + strcspn(answer, " ") + 1);
    free(answer);
    return st;
}
