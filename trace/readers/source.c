/* Reads and inflates into a buffer whose consumed part is overwritten. */
#include "trace/readers/source.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <zlib.h>

/* Real traces deflate to a tenth or a thirtieth; a bomb to a thousandth. */
enum { INFLATE_INPUT_BYTES = 128 << 10, INFLATE_FREE_BYTES = 64 << 20, INFLATE_MAX = 200 };

struct Inflater {
    z_stream z;
    bool ended; /* the last member is complete */
    bool in_eof;
    uint64_t stored_bytes, text_bytes; /* read, and made of it */
    unsigned char input[INFLATE_INPUT_BYTES];
};

static Status cannot_read(const Source *s, int error, Diag *diag)
{
    return diag_set(diag, STATUS_INPUT, s->path, NULL, "cannot read: %s", strerror(error));
}

/* Stored bytes; 0 at the end. */
static Status read_stored(Source *s, char *to, size_t size, size_t *ret, Diag *diag)
{
    ssize_t n;
    if (s->fd < 0) {
        n = (ssize_t)(s->nrest < size ? s->nrest : size);
        if (n > 0)
            memcpy(to, s->rest, (size_t)n);
        s->rest = n > 0 ? s->rest + n : s->rest;
        s->nrest -= (size_t)n;
    } else {
        do
            n = read(s->fd, to, size);
        while (n < 0 && errno == EINTR);
        if (n < 0)
            return cannot_read(s, errno, diag);
    }
    if (s->digest && n > 0)
        sha256_add(s->digest, to, (size_t)n);
    *ret = (size_t)n;
    return STATUS_OK;
}

/* A pipe without a writer must not hang: the first byte has PIPE_PATIENCE_MS to come. */
static Status await_pipe(Source *s, Diag *diag)
{
    enum { PIPE_PATIENCE_MS = 3000 };
    struct pollfd wait = {.fd = s->fd, .events = POLLIN};
    if (poll(&wait, 1, PIPE_PATIENCE_MS) == 0)
        return diag_set(diag, STATUS_INPUT, s->path, NULL, "is a pipe that no program writes to");
    fcntl(s->fd, F_SETFL, fcntl(s->fd, F_GETFL) & ~O_NONBLOCK);
    return STATUS_OK;
}

static Status refuse_what_is_no_file(Source *s, Diag *diag)
{
    struct stat st;
    if (fstat(s->fd, &st) != 0)
        return cannot_read(s, errno, diag);
    if (S_ISREG(st.st_mode))
        return STATUS_OK;
    if (S_ISDIR(st.st_mode))
        return diag_set(diag, STATUS_INPUT, s->path, NULL, "is a folder; give a trace file");
    if (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode))
        return await_pipe(s, diag);
    return diag_set(diag, STATUS_INPUT, s->path, NULL, "is a device, not a file");
}

static Status open_path(Source *s, const char *path, Diag *diag)
{
    if (strcmp(path, "-") == 0) {
        s->path = "stdin";
        s->fd = STDIN_FILENO;
        return STATUS_OK;
    }
    /* Non-blocking: opening a FIFO without a writer must not hang. */
    s->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (s->fd < 0)
        return diag_set(diag, STATUS_INPUT, path, NULL, "cannot open: %s", strerror(errno));
    return refuse_what_is_no_file(s, diag);
}

/* zlib's memory comes from the arena, so that nothing leaks however reading ends. */
static voidpf arena_zalloc(voidpf a, uInt count, uInt size)
{
    return arena_calloc(a, count ? count : 1, size ? size : 1);
}

static void arena_zfree(voidpf a, voidpf p)
{
    (void)a;
    (void)p;
}

static Status begin_inflating(Source *s, Diag *diag)
{
    Inflater *g = ARENA_NEW(s->arena, Inflater);
    g->z.zalloc = arena_zalloc;
    g->z.zfree = arena_zfree;
    g->z.opaque = s->arena;
    if (inflateInit2(&g->z, 16 + MAX_WBITS) != Z_OK)
        return diag_set(diag, STATUS_INPUT, s->path, NULL, "cannot start decompression");
    size_t n = (size_t)(s->end - s->p);
    memcpy(g->input, s->p, n);
    g->z.next_in = g->input;
    g->z.avail_in = (uInt)n;
    g->stored_bytes = n;
    s->end = s->p = s->base;
    s->gzip = g;
    return STATUS_OK;
}

static Status refill_input(Source *s, Diag *diag)
{
    Inflater *g = s->gzip;
    size_t n = 0;
    Status st = read_stored(s, (char *)g->input, sizeof g->input, &n, diag);
    g->z.next_in = g->input;
    g->z.avail_in = (uInt)n;
    g->in_eof = n == 0;
    g->stored_bytes += n;
    return st;
}

/* A member is complete: another may follow, anything else is not ours. */
static void next_member(Source *s)
{
    Inflater *g = s->gzip;
    g->ended = true;
    if (g->z.avail_in == 0)
        return;
    if (*g->z.next_in != 0x1f) {
        s->trailing = *g->z.next_in != 0; /* tape tools pad with zeros */
        g->in_eof = true;
        g->z.avail_in = 0;
        return;
    }
    inflateReset(&g->z);
    g->ended = false;
}

/* Text bytes; 0 at the end. Damage ends the text: what came before it is still worth reading. */
static Status read_text(Source *s, char *to, size_t size, size_t *ret, Diag *diag)
{
    Inflater *g = s->gzip;
    if (!g)
        return read_stored(s, to, size, ret, diag);
    g->z.next_out = (unsigned char *)to;
    g->z.avail_out = (uInt)size;
    while (g->z.avail_out == size && !s->damaged) {
        if (g->z.avail_in == 0 && !g->in_eof) {
            Status st = refill_input(s, diag);
            if (st)
                return st;
        }
        if (g->ended)
            next_member(s);
        if (g->z.avail_in == 0 && g->in_eof) {
            s->damaged = !g->ended;
            break;
        }
        if (g->ended)
            continue;
        int code = inflate(&g->z, Z_NO_FLUSH);
        if (code == Z_STREAM_END)
            next_member(s);
        else if (code != Z_OK && code != Z_BUF_ERROR)
            s->damaged = true;
    }
    *ret = size - g->z.avail_out;
    g->text_bytes += *ret;
    if (g->text_bytes > INFLATE_FREE_BYTES && g->text_bytes / INFLATE_MAX > g->stored_bytes)
        return diag_set(
            diag, STATUS_INPUT, s->path, NULL,
            "inflates to more than %d times its size; if that is meant, give it inflated",
            INFLATE_MAX);
    return STATUS_OK;
}

/* Moves what is unread to the start of a buffer. */
static void move_window(Source *s, char *to)
{
    size_t held = (size_t)(s->end - s->p);
    s->base_offset += (uint64_t)(s->p - s->base);
    if (held)
        memmove(to, s->p, held);
    s->p = s->base = to;
    s->end = to + held;
}

static void grow_window(Source *s, size_t cap)
{
    move_window(s, arena_alloc(s->arena, cap + WINDOW_PAD_BYTES));
    s->cap = cap;
}

Status source_more(Source *s, size_t limit_bytes, Diag *diag)
{
    if (s->p > s->base)
        move_window(s, s->base);
    size_t held = (size_t)(s->end - s->base);
    if (held >= limit_bytes)
        return diag_set(diag, STATUS_INPUT, s->path, NULL,
                        "byte %" PRIu64 ": one event is longer than %zu MiB", source_offset(s),
                        limit_bytes >> 20);
    if (held == s->cap)
        grow_window(s, 2 * s->cap);
    size_t n = 0;
    Status st = read_text(s, s->base + held, s->cap - held, &n, diag);
    if (st)
        return st;
    s->eof = n == 0;
    s->end = s->base + held + n;
    assert(s->p <= s->end && held + n <= s->cap);
    memset(s->base + held + n, 0, WINDOW_PAD_BYTES);
    if (s->check)
        json_check_feed(s->check, s->base + held, n);
    return STATUS_OK;
}

Status source_all(Source *s, size_t limit_bytes, const char **ret, size_t *ret_len, Diag *diag)
{
    while (!s->eof) {
        Status st = source_more(s, limit_bytes, diag);
        if (st)
            return st;
    }
    *ret = s->p;
    *ret_len = (size_t)(s->end - s->p);
    s->p = s->end;
    return STATUS_OK;
}

uint64_t source_offset(const Source *s)
{
    return s->base_offset + (uint64_t)(s->p - s->base);
}

/* Reads the first bytes and looks whether they are compressed. */
static Status start_reading(Source *s, size_t cap, Diag *diag)
{
    grow_window(s, cap);
    size_t n = 1, room = cap < INFLATE_INPUT_BYTES ? cap : INFLATE_INPUT_BYTES;
    while (n > 0 && s->end - s->p < 2) {
        size_t held = (size_t)(s->end - s->p);
        Status st = read_stored(s, s->base + held, room - held, &n, diag);
        if (st)
            return st;
        s->end += n;
    }
    s->eof = n == 0;
    if (s->end - s->p >= 2 && memcmp(s->p, "\x1f\x8b", 2) == 0)
        return begin_inflating(s, diag);
    return STATUS_OK;
}

Status source_open_bytes(Source *s, Arena *a, const char *path, const char *bytes, size_t size,
                         Diag *diag)
{
    *s = (Source){.arena = a, .path = path, .fd = -1, .rest = bytes, .nrest = size};
    return start_reading(s, size < WINDOW_BYTES ? size + 64 : (size_t)WINDOW_BYTES, diag);
}

Status source_open(Source *s, Arena *a, const char *path, SourceHash hash, Diag *diag)
{
    *s = (Source){.arena = a, .path = path, .fd = -1};
    Status st = open_path(s, path, diag);
    if (!st && hash == SOURCE_HASHED && s->fd != STDIN_FILENO)
        s->digest = sha256_begin();
    st = st ? st : start_reading(s, WINDOW_BYTES, diag);
    if (st)
        source_close(s, NULL);
    return st;
}

static void finish_hash(Source *s, char *hex)
{
    Diag ignored;
    for (size_t n = 1; n > 0;)
        if (read_stored(s, s->base, s->cap, &n, &ignored))
            break;
    sha256_end(s->digest, hex);
}

void source_close(Source *s, char *hex)
{
    char ignored[65];
    if (hex)
        *hex = '\0';
    if (s->digest)
        finish_hash(s, hex ? hex : ignored);
    if (s->gzip)
        inflateEnd(&s->gzip->z);
    if (s->fd > STDIN_FILENO)
        close(s->fd);
    s->digest = NULL;
    s->gzip = NULL;
    s->fd = -1;
}
