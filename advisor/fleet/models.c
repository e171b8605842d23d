/* Walks folders and expands patterns, and takes each file once. */
#include "advisor/fleet/models.h"

#include "advisor/advise/compiled/compiled.h"
#include "graph/base/folder.h"

#include <glob.h>
#include <sys/stat.h>

typedef struct {
    Arena *a;
    ModelList list;
    size_t cap;
    StrMap seen;
    Diag *diag;
} Search;

/* The first are models whatever they hold, so that a broken one is seen; the last where it holds a
 * compiled graph.  DOT is taken where it is told by name alone: any drawing may be DOT. */
static const char *const suffixes[] = {".onnx", ".tflite", ".json"};
enum { ALWAYS_MODELS = 2 };

static bool is_model(const char *path)
{
    const char *end = path + strlen(path);
    for (size_t i = 0; i < ALWAYS_MODELS; i++) {
        size_t n = strlen(suffixes[i]);
        if ((size_t)(end - path) >= n && !strcmp(end - n, suffixes[i]))
            return true;
    }
    return compiled_is_graph(path);
}

static Status add_model_file(Search *s, const char *path, const char *name)
{
    if (!strmap_add(&s->seen, path, 1))
        return STATUS_OK;
    if (s->list.count == MODELS_MAX)
        return diag_set(s->diag, STATUS_USAGE, NULL, NULL, "more than %d models", MODELS_MAX);
    *VEC_PUSH(s->a, s->list.file, s->list.count, s->cap) = (ModelFile){path, name};
    return STATUS_OK;
}

static const char *join_path(Arena *a, const char *folder, const char *name)
{
    size_t n = strlen(folder);
    return arena_printf(a, "%s%s%s", folder, n && folder[n - 1] != '/' ? "/" : "", name);
}

static Status walk_folder(Search *s, const char *folder, const char *shown, int depth)
{
    if (depth == MODELS_DEPTH)
        return diag_set(s->diag, STATUS_INPUT, folder, NULL, "lies deeper than %d folders",
                        MODELS_DEPTH);
    const FolderEntry *entry;
    size_t n;
    Status st = folder_walk(s->a, folder, suffixes, sizeof suffixes / sizeof *suffixes, &entry, &n,
                            s->diag);
    for (size_t i = 0; i < n && !st; i++) {
        const char *path = join_path(s->a, folder, entry[i].name),
                   *name = *shown ? join_path(s->a, shown, entry[i].name) : entry[i].name;
        if (entry[i].is_folder)
            st = walk_folder(s, path, name, depth + 1);
        else if (is_model(path))
            st = add_model_file(s, path, name);
    }
    return st;
}

static Status take_folder(Search *s, const char *path)
{
    size_t before = s->list.count;
    Status st = walk_folder(s, path, *path == '/' ? "" : path, 0);
    if (!st && s->list.count == before)
        return diag_set(s->diag, STATUS_USAGE, path, NULL,
                        "holds no model: no .onnx, no .tflite and no compiled graph");
    return st;
}

static Status take_word(Search *s, const char *word)
{
    return file_is_folder(word) ? take_folder(s, word) : add_model_file(s, word, word);
}

static bool is_there(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0;
}

static Status take_pattern(Search *s, const char *word)
{
    glob_t found;
    int bad = glob(word, 0, NULL, &found);
    Status st =
        bad ? diag_set(s->diag, STATUS_USAGE, word, NULL, "no file fits this pattern") : STATUS_OK;
    if (is_there(word))
        st = take_word(s, word);
    for (size_t i = 0; !bad && i < found.gl_pathc && !st; i++)
        st = take_word(s, arena_strdup(s->a, found.gl_pathv[i]));
    if (!bad)
        globfree(&found);
    return st;
}

/* A file whose name equals the pattern must not hide the other files that match it. */
static bool fits_others(const char *word)
{
    glob_t found;
    if (glob(word, 0, NULL, &found))
        return false;
    bool others = found.gl_pathc > 1 || strcmp(found.gl_pathv[0], word) != 0;
    globfree(&found);
    return others;
}

static bool is_pattern(const char *word)
{
    return strpbrk(word, "*?[") && (!is_there(word) || fits_others(word));
}

bool models_are_many(const char *const *told, size_t n)
{
    return n > 1 || LIST_ANY(i, n, file_is_folder(told[i]) || is_pattern(told[i]));
}

Status models_find(Arena *a, const char *const *told, size_t n, ModelList *ret, Diag *diag)
{
    Search s = {.a = a, .diag = diag, .list.many = models_are_many(told, n)};
    Status st = STATUS_OK;
    strmap_init(&s.seen, a, n);
    for (size_t i = 0; i < n && !st; i++)
        st = is_pattern(told[i]) ? take_pattern(&s, told[i]) : take_word(&s, told[i]);
    *ret = s.list;
    return st;
}

const char *models_trace_beside(Arena *a, const char *model_path)
{
    const char *slash = strrchr(model_path, '/'), *base = slash ? slash + 1 : model_path,
               *dot = strrchr(base, '.');
    size_t stem = dot && dot > base ? (size_t)(dot - model_path) : strlen(model_path);
    size_t length[] = {strlen(model_path), stem};
    static const char *const ending[] = {".trace.json", ".trace.json.gz"};
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < 2; k++) {
            const char *path = arena_printf(a, "%.*s%s", (int)length[i], model_path, ending[k]);
            if (is_there(path))
                return path;
        }
    return NULL;
}
