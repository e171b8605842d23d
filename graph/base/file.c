/* Maps or reads input files, hashes bytes, and renames finished output files into place. */
#include "graph/base/file.h"

#include "graph/base/exit_cleanup.h"
#include "graph/base/limits.h"

#include <fcntl.h>
#include <nettle/sha2.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>

static Status read_stream(InFile *f, int fd, size_t limit, Diag *diag)
{
    size_t used = 0, cap = 64 << 10;
    uint8_t *buf = limits_alloc(cap);
    for (;;) {
        ssize_t n = read(fd, buf + used, cap - used);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            free(buf);
            return diag_set(diag, STATUS_INPUT, f->path, NULL, "cannot read: %s", strerror(errno));
        }
        if (n == 0)
            break;
        used += (size_t)n;
        if (used > limit) {
            free(buf);
            return diag_set(diag, STATUS_INPUT, f->path, NULL,
                            "longer than the limit of %zu MiB for a stream; give a regular file",
                            limit >> 20);
        }
        if (used == cap)
            buf = limits_realloc(buf, cap *= 2);
    }
    f->data = buf;
    f->size = used;
    f->mapped = false;
    return STATUS_OK;
}

static Status map_file(InFile *f, int fd, size_t size, Diag *diag)
{
    f->size = size;
    f->mapped = true;
    if (size == 0)
        return STATUS_OK;
    void *p = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (p == MAP_FAILED)
        return diag_set(diag, STATUS_INPUT, f->path, NULL, "cannot map: %s", strerror(errno));
    f->data = p;
    f->kept = exit_cleanup_add_mapping(p, size, f->path);
    return STATUS_OK;
}

/* A pipe without a writer must not hang: the first byte has PIPE_PATIENCE_MS to arrive. */
static Status read_pipe(InFile *f, int fd, size_t limit, Diag *diag)
{
    enum { PIPE_PATIENCE_MS = 4000 };
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    if (poll(&wait, 1, PIPE_PATIENCE_MS) == 0)
        return diag_set(diag, STATUS_INPUT, f->path, NULL, "is a pipe that no program writes to");
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    return read_stream(f, fd, limit, diag);
}

static Status open_fd(InFile *f, int fd, size_t limit, Diag *diag)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return diag_set(diag, STATUS_INPUT, f->path, NULL, "cannot read: %s", strerror(errno));
    if (S_ISREG(st.st_mode))
        return map_file(f, fd, (size_t)st.st_size, diag);
    if (S_ISDIR(st.st_mode))
        return diag_set(diag, STATUS_INPUT, f->path, NULL, "is a folder; give a file");
    if (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode))
        return read_pipe(f, fd, limit, diag);
    return diag_set(diag, STATUS_INPUT, f->path, NULL, "is a device, not a file");
}

Status file_in_open(InFile *f, const char *path, size_t limit_bytes, Diag *diag)
{
    *f = (InFile){.path = path};
    if (strcmp(path, "-") == 0) {
        f->path = "stdin";
        return read_stream(f, STDIN_FILENO, limit_bytes, diag);
    }
    /* Non-blocking: opening a FIFO without a writer must not hang. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return diag_set(diag, STATUS_INPUT, path, NULL, "cannot open: %s", strerror(errno));
    Status st = open_fd(f, fd, limit_bytes, diag);
    close(fd);
    return st;
}

void file_in_close(InFile *f)
{
    if (f->mapped && f->data) {
        exit_cleanup_cancel(f->kept);
        munmap((void *)(uintptr_t)f->data, f->size);
    } else
        free((void *)(uintptr_t)f->data);
    *f = (InFile){0};
}

size_t file_in_peek(const char *path, void *buf, size_t size)
{
    struct stat st;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
        return 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    ssize_t n;
    do
        n = read(fd, buf, size);
    while (n < 0 && errno == EINTR);
    close(fd);
    return n > 0 ? (size_t)n : 0;
}

const char *file_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *file_folder(Arena *a, const char *path)
{
    const char *slash = strrchr(path, '/');
    return !slash ? "." : slash == path ? "/" : arena_strndup(a, path, (size_t)(slash - path));
}

bool file_is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

struct Sha256 {
    struct sha256_ctx state;
};

Sha256 *sha256_begin(void)
{
    Sha256 *s = limits_alloc(sizeof *s);
    sha256_init(&s->state);
    return s;
}

void sha256_add(Sha256 *s, const void *data, size_t size)
{
    sha256_update(&s->state, size, data);
}

void sha256_end(Sha256 *s, char hex[65])
{
    uint8_t sum[SHA256_DIGEST_SIZE];
#if NETTLE_VERSION_MAJOR >= 4
    sha256_digest(&s->state, sum);
#else
    sha256_digest(&s->state, sizeof sum, sum);
#endif
    for (size_t i = 0; i < sizeof sum; i++)
        snprintf(hex + 2 * i, 3, "%02x", sum[i]);
    free(s);
}

void sha256_hex(const void *data, size_t size, char hex[65])
{
    Sha256 *s = sha256_begin();
    sha256_add(s, data ? data : "", size);
    sha256_end(s, hex);
}

/* A device or a pipe is written as it is: a rename would put a file in place of /dev/null. */
static Status open_special(OutFile *f, const struct stat *st, Diag *diag)
{
    if (S_ISDIR(st->st_mode))
        return diag_set(diag, STATUS_USAGE, f->path, NULL, "is a folder; give a file");
    f->stream = fopen(f->path, "we");
    if (!f->stream)
        return diag_set(diag, STATUS_USAGE, f->path, NULL, "cannot write here: %s",
                        strerror(errno));
    return STATUS_OK;
}

/* The standard stream that the path links to, as /dev/stdout does; -1 when it links to none. */
static int standard_stream(const char *path)
{
    struct stat link, to, open;
    if (lstat(path, &link) != 0 || !S_ISLNK(link.st_mode) || stat(path, &to) != 0)
        return -1;
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
        if (fstat(fd, &open) == 0 && open.st_dev == to.st_dev && open.st_ino == to.st_ino)
            return fd;
    return -1;
}

/* A rename would put a file in place of the link, and take the file from those who write to it. */
static Status open_standard(OutFile *f, int fd, Diag *diag)
{
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    f->stream = copy < 0 ? NULL : fdopen(copy, "w");
    if (!f->stream)
        return diag_set(diag, STATUS_USAGE, f->path, NULL, "cannot write here: %s",
                        strerror(errno));
    return STATUS_OK;
}

static bool leads_nowhere(const char *path)
{
    struct stat st;
    return stat(path, &st) != 0 && lstat(path, &st) == 0;
}

/* Creates a new file beside the target, never one that existed before; -1 on failure. */
static int temporary_open(OutFile *f, Diag *diag)
{
    size_t len = strlen(f->path) + 8;
    f->tmp_path = limits_alloc(len);
    snprintf(f->tmp_path, len, "%s.XXXXXX", f->path);
    sigset_t before = exit_cleanup_block_signals();
    int fd = mkstemp(f->tmp_path);
    if (fd >= 0)
        f->kept = exit_cleanup_add_file(f->tmp_path);
    exit_cleanup_unblock_signals(before);
    if (fd < 0) {
        diag_set(diag, STATUS_USAGE, f->path, NULL, "cannot write here: %s", strerror(errno));
        free(f->tmp_path);
        f->tmp_path = NULL;
        return -1;
    }
    mode_t mask = umask(0); /* the only way to read it; mkstemp made the file 0600 */
    umask(mask);
    fchmod(fd, 0666 & ~mask);
    return fd;
}

Status file_out_open(OutFile *f, const char *path, Diag *diag)
{
    struct stat st;
    *f = (OutFile){.path = path};
    if (strcmp(path, "-") == 0) {
        f->stream = stdout;
        return STATUS_OK;
    }
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return open_special(f, &st, diag);
    int fd = standard_stream(path);
    if (fd >= 0)
        return open_standard(f, fd, diag);
    if (leads_nowhere(path))
        return diag_set(diag, STATUS_USAGE, path, NULL, "cannot write here: %s", strerror(ENOENT));
    fd = temporary_open(f, diag);
    if (fd < 0)
        return STATUS_USAGE;
    f->stream = fdopen(fd, "w");
    if (!f->stream)
        limits_out_of_memory(); /* the file is kept: the exit removes it */
    return STATUS_OK;
}

Status file_out_check(const char *path, Diag *diag)
{
    struct stat st;
    OutFile f;
    if (strcmp(path, "-") == 0 || (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) ||
        standard_stream(path) >= 0)
        return STATUS_OK;
    Status bad = file_out_open(&f, path, diag);
    if (!bad)
        file_out_abort(&f);
    return bad;
}

Status file_out_reserve(OutFile *f, const char *path, Diag *diag)
{
    struct stat st;
    *f = (OutFile){.path = path};
    if ((stat(path, &st) == 0 && !S_ISREG(st.st_mode)) || standard_stream(path) >= 0)
        return diag_set(diag, STATUS_USAGE, path, NULL, "is not a file that can be replaced");
    int fd = temporary_open(f, diag);
    if (fd >= 0)
        close(fd);
    return fd < 0 ? STATUS_USAGE : STATUS_OK;
}

/* On the disk before the name is: a machine that stops in between shows the old file or the new
 * one. What cannot be synced (some file systems) is no error. */
static int sync_file(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    int failed = fsync(fd) != 0 && errno != EINVAL && errno != ENOTSUP && errno != EROFS;
    close(fd);
    return failed ? -1 : 0;
}

Status file_out_commit(OutFile *f, Diag *diag)
{
    errno = 0;
    bool failed = f->stream && (fflush(f->stream) != 0 || ferror(f->stream));
    if (!f->tmp_path) {
        if (f->stream != stdout)
            failed |= fclose(f->stream) != 0;
        return failed ? diag_set(diag, STATUS_USAGE, f->path, NULL, "cannot write") : STATUS_OK;
    }
    failed = failed || sync_file(f->tmp_path) != 0;
    int error = errno;
    if (f->stream && fclose(f->stream) != 0 && !failed) {
        failed = true;
        error = errno;
    }
    f->stream = NULL;
    if (!failed && rename(f->tmp_path, f->path) != 0) {
        failed = true;
        error = errno;
    }
    if (failed) {
        file_out_abort(f);
        return diag_set(diag, STATUS_USAGE, f->path, NULL, "cannot write: %s",
                        error ? strerror(error) : "the device took less than it was given");
    }
    exit_cleanup_cancel(f->kept);
    free(f->tmp_path);
    f->tmp_path = NULL;
    return STATUS_OK;
}

void file_out_abort(OutFile *f)
{
    if (!f->tmp_path) {
        if (f->stream && f->stream != stdout)
            fclose(f->stream);
        *f = (OutFile){0};
        return;
    }
    if (f->stream)
        fclose(f->stream);
    unlink(f->tmp_path);
    exit_cleanup_cancel(f->kept);
    free(f->tmp_path);
    *f = (OutFile){0};
}

Status file_out_write_text(const char *path, char *text, Diag *diag)
{
    OutFile f;
    if (!text)
        return diag_set(diag, STATUS_INPUT, path, NULL, "not enough memory to write it");
    Status st = file_out_open(&f, path, diag);
    if (!st) {
        fprintf(f.stream, "%s\n", text);
        st = file_out_commit(&f, diag);
    }
    free(text);
    return st;
}
