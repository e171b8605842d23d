/* Reads and appends lines of JSON, and prints how to continue when a signal ends the run. */
#include "advisor/measure/accuracy_log.h"

#include "advisor/message/json.h"
#include "advisor/message/phrase.h"
#include "graph/base/file.h"
#include "graph/base/exit_cleanup.h"
#include "graph/options/option.h"

#include <sys/file.h>

struct AccuracyLog {
    Arena *arena;
    const char *path;
    FILE *file;
    cJSON **line;
    size_t nline, cap;
};

/* Printed by a signal handler, so it must not move. */
static char stopped[320];
static int stopped_slot = EXIT_CLEANUP_NONE;

static Status resume_error(const AccuracyLog *l, const char *fact, Diag *diag)
{
    return diag_set(diag, STATUS_USAGE, l->path, option_flag(OPTION_RESUME), "%s", fact);
}

/* Reads the complete lines; returns where the first incomplete one begins. */
static size_t read_lines(AccuracyLog *l, const char *text, size_t size)
{
    size_t good = 0;
    for (const char *end; good < size && (end = memchr(text + good, '\n', size - good));
         good = (size_t)(end + 1 - text)) {
        cJSON *line = cJSON_ParseWithLength(text + good, (size_t)(end - text) - good);
        if (!cJSON_IsObject(line)) {
            cJSON_Delete(line);
            break;
        }
        *VEC_PUSH(l->arena, l->line, l->nline, l->cap) = line;
    }
    return good;
}

static Status read_log(AccuracyLog *l, const char *of, Diag *diag)
{
    const size_t limit = (size_t)JSON_FILE_LIMIT_MIB << 20;
    InFile f;
    Status st = file_in_open(&f, l->path, limit, diag);
    if (st)
        return st;
    size_t size = f.size, good = size <= limit ? read_lines(l, (const char *)f.data, size) : 0;
    file_in_close(&f);
    if (size > limit || (size && l->nline == 0 && good == 0 && size > strlen(of) + 32))
        return resume_error(l, "is not a file that --resume made", diag);
    if (l->nline == 0) {
        good = 0;
    } else if (strcmp(json_text(l->line[0], "accuracy_of", ""), of) != 0) {
        return resume_error(
            l,
            "was measured with another model, other images or options; name another "
            "file, or remove it",
            diag);
    }
    if (ftruncate(fileno(l->file), (off_t)good) != 0 || fseeko(l->file, 0, SEEK_END) != 0)
        return resume_error(l, strerror(errno), diag);
    return STATUS_OK;
}

Status accuracy_log_open(Arena *a, const char *path, const char *of, AccuracyLog **ret, Diag *diag)
{
    AccuracyLog *l = ARENA_NEW(a, AccuracyLog);
    *l = (AccuracyLog){.arena = a, .path = path, .file = fopen(path, "a+")};
    if (!l->file)
        return diag_set(diag, STATUS_USAGE, path, option_flag(OPTION_RESUME),
                        "cannot be written: %s", strerror(errno));
    Status st = flock(fileno(l->file), LOCK_EX | LOCK_NB) == 0
                    ? read_log(l, of, diag)
                    : resume_error(l, "another process is measuring into it", diag);
    if (!st && l->nline == 0) {
        cJSON *head = cJSON_CreateObject();
        cJSON_AddStringToObject(head, "accuracy_of", of);
        accuracy_log_add(l, head);
    }
    if (st)
        accuracy_log_close(l);
    else
        *ret = l;
    return st;
}

void accuracy_log_close(AccuracyLog *l)
{
    accuracy_log_quiet();
    if (!l || !l->file)
        return;
    for (size_t i = 0; i < l->nline; i++)
        cJSON_Delete(l->line[i]);
    fclose(l->file);
    l->file = NULL;
}

const cJSON *accuracy_log_find(const AccuracyLog *l, const char *change, size_t from)
{
    for (size_t i = 0; l && i < l->nline; i++)
        if (!strcmp(json_text(l->line[i], "change", ""), change) &&
            json_number_or(l->line[i], "from", -1) == (double)from)
            return l->line[i];
    return NULL;
}

void accuracy_log_add(AccuracyLog *l, cJSON *line)
{
    if (!l) {
        cJSON_Delete(line);
        return;
    }
    json_print_line(l->file, line);
    fflush(l->file);
    *VEC_PUSH(l->arena, l->line, l->nline, l->cap) = line;
}

/* ---- Ctrl-C ---- */

void accuracy_log_quiet(void)
{
    exit_cleanup_cancel(stopped_slot);
    stopped_slot = EXIT_CLEANUP_NONE;
}

void accuracy_log_report(AccuracyLog *l, size_t done, size_t all)
{
    Phrase far, how;
    const Language *lang = language_spoken();
    accuracy_log_quiet();
    phrase_format(&far, lang, done ? PHRASE_STOPPED_AFTER : PHRASE_STOPPED_BEFORE, COUNTED(done),
                  COUNTED(all), NULL);
    phrase_format(&how, lang, l ? PHRASE_STOPPED_RESUMED : PHRASE_STOPPED_LOST, far.text,
                  l ? l->path : "", NULL);
    snprintf(stopped, sizeof stopped, "\nnpu-advise: %.*s\n", (int)sizeof stopped - 20, how.text);
    stopped_slot = exit_cleanup_add_line(STDERR_FILENO, stopped);
}
