/* Measured times of an engine: which file is which. */
#include "trace/readers/engine.h"
#include "trace/readers/engine_parts.h"

#include <ctype.h>
#include <string.h>

void engine_times_init(EngineTimes *t, Arena *a)
{
    *t = (EngineTimes){.arena = a};
    for (int i = 0; i < ENGINE_STAGE_COUNT; i++)
        t->stage[i].cv = -1;
}

enum { PROBE = 1 << 16 };

static bool has(const void *data, size_t size, const char *word)
{
    return size && memmem(data, size < PROBE ? size : PROBE, word, strlen(word));
}

/* "[ {": a log begins with a bracket, too. */
static bool is_list(const char *s, const char *end)
{
    if (*s != '[')
        return false;
    do
        s++;
    while (s < end && isspace((unsigned char)*s));
    return s == end || *s == '{' || *s == ']';
}

EngineFileKind engine_recognise(const void *data, size_t size)
{
    const char *s = data, *end = s + size;
    if (size >= 3 && !memcmp(s, "\xef\xbb\xbf", 3))
        s += 3;
    while (s < end && isspace((unsigned char)*s))
        s++;
    if (s == end)
        return ENGINE_NOTHING;
    bool list = is_list(s, end);
    if (list && (has(data, size, "\"averageMs\"") || has(data, size, "\"timeMs\"")))
        return ENGINE_PROFILE;
    if (list && (has(data, size, "\"startComputeMs\"") || has(data, size, "\"computeMs\"")))
        return ENGINE_TIMES;
    if (*s == '{' &&
        (has(data, size, "\"performance_summary\"") || has(data, size, "\"build_options\"") ||
         has(data, size, "\"inference_options\"")))
        return ENGINE_METADATA;
    if (*s != '{' && !list &&
        (has(data, size, "&&&& RUNNING TensorRT") || has(data, size, "[TRT]") ||
         has(data, size, " Options ===") || has(data, size, "=== Performance summary ===")))
        return ENGINE_LOG;
    return ENGINE_NOTHING;
}

Status engine_times_add(EngineTimes *t, InFile file, Diag *diag)
{
    EngineFileKind kind = engine_recognise(file.data, file.size);
    Status st = STATUS_OK;
    if (file.size > (size_t)ENGINE_FILE_MIB << 20)
        return diag_set(diag, STATUS_INPUT, file.path, NULL, "is larger than %d MiB",
                        ENGINE_FILE_MIB);
    if (kind == ENGINE_NOTHING)
        return diag_set(diag, STATUS_INPUT, file.path, NULL,
                        "is no profile, times or log of trtexec: give what --exportProfile, "
                        "--exportTimes or the run itself wrote");
    if (kind == ENGINE_PROFILE)
        st = engine_read_profile(t, file, diag);
    else if (kind == ENGINE_TIMES)
        st = engine_read_times(t, file, diag);
    else if (kind == ENGINE_METADATA)
        st = engine_read_metadata(t, file, diag);
    else
        st = engine_read_log(t, (const char *)file.data, file.size);
    if (st)
        return st;
    EngineFile *f = VEC_PUSH(t->arena, t->file, t->nfile, t->file_cap);
    f->path = arena_strdup(t->arena, file.path);
    f->kind = kind;
    sha256_hex(file.data, file.size, f->sha256);
    return STATUS_OK;
}
