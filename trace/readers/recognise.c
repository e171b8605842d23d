/* Scores the readers by how much they know of a sample; refuses the files of other tools. */
#include "trace/readers/recognise.h"

const char recognise_formats[] =
    "npu-advise reads traces of the Furiosa runtime (FURIOSA_PROFILER_OUTPUT_PATH=FILE), of "
    "npu-exec (--trace FILE), ONNX Runtime, PyTorch, MegEngine and trtexec, and Chrome traces";

/* ---- what is no trace ---- */

/* Files by their first bytes; `how`: what to do instead, or NULL. */
static const struct {
    const char *magic;
    size_t len;
    const char *what;
} binary[] = {
#define BINARY(magic, size, what) {magic, size, what},
#include "trace/readers/binary_files.def"
};

/* Texts of other tools: both words occur near the beginning (`also` may be empty). */
static const struct {
    const char *word, *also, *what, *how;
} stranger[] = {
#define STRANGER(word, also, what, how) {word, also, what, how},
#include "trace/readers/strangers.def"
    {"NVTX", "\000\001\002", "a report of Nsight Systems", ""}, /* no XML holds these bytes */
};

static bool has_text(const char *text, size_t len, const char *what)
{
    return memmem(text, len, what, strlen(what)) != NULL;
}

static Status refuse(const TraceRead *r, const char *what, const char *how)
{
    return diag_set(r->diag, STATUS_INPUT, r->info.path, NULL,
                    "is %s, which this command does not read; %s%s%s", what, how, *how ? "; " : "",
                    recognise_formats);
}

static Status refuse_binary(const TraceRead *r)
{
    size_t held = (size_t)(r->source.end - r->source.p);
    if (held == 0)
        return diag_set(r->diag, STATUS_INPUT, r->info.path, NULL, "is %s",
                        r->source.damaged ? "damaged gzip data" : "empty");
    return LIST_VALUE(
        i, sizeof binary / sizeof *binary,
        held >= binary[i].len && memcmp(r->source.p, binary[i].magic, binary[i].len) == 0,
        diag_set(r->diag, STATUS_INPUT, r->info.path, NULL, "is %s", binary[i].what), STATUS_OK);
}

/* Only a file in which no reader has recognised anything. */
static Status refuse_stranger(const TraceRead *r, const char *text, size_t len)
{
    for (size_t i = 0; i < sizeof stranger / sizeof *stranger; i++)
        if (has_text(text, len, stranger[i].word) && has_text(text, len, stranger[i].also))
            return refuse(r, stranger[i].what, stranger[i].how);
    if (len >= 16 && *text == '\n' && memchr(text, 0, 16))
        return refuse(r, "a trace of Perfetto (protobuf)",
                      "convert it with `traceconv json FILE trace.json`");
    bool is_text = *text && (*text == '[' || *text == '{' || len < 16 || !memchr(text, 0, 16));
    if (is_text && *text != '<')
        return STATUS_OK;
    return diag_set(r->diag, STATUS_INPUT, r->info.path, NULL, "is %s, no trace",
                    is_text ? "HTML or XML" : "binary data");
}

/* ---- what is one ---- */

enum { SIGN_WEIGHT = 16, CLUES = 3 }; /* a sign counts as so many events; clues that are named */

typedef struct {
    size_t events;           /* that the reader knows */
    const char *clue[CLUES]; /* distinct ones, in the order of the file */
    const char *sign;
} Score;

static void see_sign(Score *s, const TraceReader *reader, const char *text, size_t len)
{
    for (const Sign *g = reader->sign; g && g->text && !s->sign; g++)
        if (has_text(text, len, g->text) && (!g->also || has_text(text, len, g->also)))
            s->sign = g->text;
}

static void see_clue(Score *s, const char *clue)
{
    size_t i = 0;
    s->events++;
    while (i < CLUES && s->clue[i] && strcmp(s->clue[i], clue) != 0)
        i++;
    if (i < CLUES)
        s->clue[i] = clue;
}

static const char *text_copy(Arena *a, const Text *t)
{
    return t->n ? arena_strndup(a, t->p, t->n) : "";
}

/* Scores of all readers over the events of the sample; returns how many events it holds. */
static size_t see_events(const TraceRead *r, const char *text, size_t len, Score *score)
{
    enum { MAX_FAILURES = 64 };
    const char *p = text, *end = text + len, *next;
    Arena *scratch = arena_new(SIZE_MAX);
    size_t events = 0, failures = 0;
    Event e;
    while ((p = scan_find_event(p, end)) && failures < MAX_FAILURES) {
        if (scan_event(p, end, &e, &next) || !e.phase) {
            failures++;
            p++;
            continue;
        }
        const EventSample x = {text_copy(scratch, &e.cat),
                               text_copy(scratch, &e.name),
                               text_copy(scratch, &e.pid_name),
                               text_copy(scratch, &e.tid_name),
                               e.begin,
                               (size_t)(e.end - e.begin)};
        events++;
        bool merged = !strcmp(x.cat, TRACE_OWN_CATEGORY);
        for (size_t i = 0; r->readers[i] && !merged; i++) {
            const char *clue = r->readers[i]->clue ? r->readers[i]->clue(&x) : NULL;
            if (clue)
                see_clue(&score[i], clue);
        }
        p = next;
    }
    arena_free(scratch);
    return events;
}

static size_t weight_of(const Score *s)
{
    return s->events + (s->sign ? SIGN_WEIGHT : 0);
}

static const char *clues_of(Arena *a, const Score *s)
{
    const char *text = s->sign ? s->sign : NULL;
    for (size_t i = 0; i < CLUES && s->clue[i]; i++)
        text = arena_printf(a, "%s%s%s", text ? text : "", text ? ", " : "", s->clue[i]);
    return text;
}

/* A forced format may have several readers: the one that fits best, else the last. */
Status recognise_choose(TraceRead *r)
{
    const char *text = r->source.p;
    size_t held = (size_t)(r->source.end - r->source.p), best = SIZE_MAX, n = 0;
    size_t len = held < RECOGNISE_BYTES ? held : RECOGNISE_BYTES;
    Status st = refuse_binary(r);
    if (st)
        return st;
    while (r->readers[n])
        n++;
    Score *score = ARENA_ARRAY(r->arena, Score, n);
    size_t events = see_events(r, text, len, score);
    for (size_t i = 0; i < n; i++) {
        if (r->options->format && r->readers[i]->format != r->options->format)
            continue;
        see_sign(&score[i], r->readers[i], text, len);
        if (best == SIZE_MAX || weight_of(&score[i]) > weight_of(&score[best]) ||
            (r->options->format && !weight_of(&score[best])))
            best = i;
    }
    bool known = best != SIZE_MAX && weight_of(&score[best]) > 0;
    if (!known && !r->options->format)
        best = n - 1; /* the one that takes any Chrome trace */
    r->reader = r->readers[best];
    r->info.clues = clues_of(r->arena, &score[best]);
    r->info.events_alike = score[best].events;
    r->info.events_read = events;
    return known || events ? STATUS_OK : refuse_stranger(r, text, len);
}
