/* Recognises the files of trtexec and passes each to its reader. */
#include "trace/readers/engine.h"
#include "trace/readers/engine_parts.h"
#include "trace/readers/source.h"

void engine_times_init(EngineTimes *t, Arena *a)
{
    *t = (EngineTimes){.arena = a};
    for (int i = 0; i < ENGINE_STAGE_COUNT; i++)
        t->stage[i].cv = -1;
}

enum { PROBE = 1 << 16 };

static bool has_word(const void *data, size_t size, const char *word)
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
    if (list && (has_word(data, size, "\"averageMs\"") || has_word(data, size, "\"timeMs\"")))
        return ENGINE_PROFILE;
    if (list &&
        (has_word(data, size, "\"startComputeMs\"") || has_word(data, size, "\"computeMs\"")))
        return ENGINE_TIMES;
    if (*s == '{' && (has_word(data, size, "\"performance_summary\"") ||
                      has_word(data, size, "\"build_options\"") ||
                      has_word(data, size, "\"inference_options\"")))
        return ENGINE_METADATA;
    if (*s != '{' && !list &&
        (has_word(data, size, "&&&& RUNNING TensorRT") || has_word(data, size, "[TRT]") ||
         has_word(data, size, " Options ===") || has_word(data, size, "=== Profile (") ||
         has_word(data, size, "=== Performance summary ===")))
        return ENGINE_LOG;
    return ENGINE_NOTHING;
}

/* Little endian, after its mark; surrogates, which are halves of a pair, become '?'. */
static InFile from_utf16(Arena *a, InFile file)
{
    const uint8_t *s = file.data, *end = s + file.size / 2 * 2;
    uint8_t *out = arena_alloc(a, file.size / 2 * 3 + 1), *to = out;
    for (s += 2; s < end; s += 2) {
        unsigned c = s[0] | (unsigned)s[1] << 8;
        if (c >= 0xd800 && c < 0xe000)
            c = '?';
        if (c >= 0x800) {
            *to++ = (uint8_t)(0xe0 | c >> 12);
            *to++ = (uint8_t)(0x80 | (c >> 6 & 0x3f));
        } else if (c >= 0x80) {
            *to++ = (uint8_t)(0xc0 | c >> 6);
        }
        *to++ = (uint8_t)(c < 0x80 ? c : 0x80 | (c & 0x3f));
    }
    *to = '\0';
    file.data = out;
    file.size = (size_t)(to - out);
    return file;
}

Status engine_text(Arena *a, const char *path, InFile *ret, char *ret_sha256, Diag *diag)
{
    Source s;
    const char *text;
    size_t size;
    Status st = source_open(&s, a, path, SOURCE_HASHED, diag);
    if (st)
        return st;
    st = source_all(&s, (size_t)ENGINE_FILE_MIB << 20, &text, &size, diag);
    if (!st && s.gzip)
        text = arena_strndup(a, text, size); /* closing reads on, to the end of the stored bytes */
    source_close(&s, ret_sha256);
    *ret = (InFile){.path = path, .data = (const uint8_t *)text, .size = st ? 0 : size};
    if (!st && size >= 2 && !memcmp(text, "\xff\xfe", 2))
        *ret = from_utf16(a, *ret);
    return st;
}

Status engine_times_add(EngineTimes *t, InFile file, const char *sha256, Diag *diag)
{
    EngineFileKind kind = engine_recognise(file.data, file.size);
    Status st = STATUS_OK;
    if (kind == ENGINE_NOTHING)
        return diag_set(diag, STATUS_INPUT, file.path, NULL,
                        "is not a profile, times or log of trtexec: give what --exportProfile, "
                        "--exportTimes or the run itself wrote");
    if (kind == ENGINE_PROFILE)
        st = engine_read_profile(t, file, diag);
    else if (kind == ENGINE_TIMES)
        st = engine_read_times(t, file, diag);
    else if (kind == ENGINE_METADATA)
        st = engine_read_metadata(t, file, diag);
    else
        engine_read_log(t, (const char *)file.data, file.size);
    if (st)
        return st;
    EngineFile *f = VEC_PUSH(t->arena, t->file, t->nfile, t->file_cap);
    f->path = arena_strdup(t->arena, file.path);
    f->kind = kind;
    snprintf(f->sha256, sizeof f->sha256, "%s", sha256);
    return STATUS_OK;
}
