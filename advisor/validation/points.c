/* Checks each published point as it reads it, and derives the model's file name from its flags. */
#include "advisor/validation/points.h"

#include "graph/compile/machine.h"

enum { POINTS_MAX = 100000, WORDS_MAX = 64, WORKERS_OF_A_THROUGHPUT_RUN = 8 };

/* "… 4 workers …": the number before the word. */
static int workers_of(const char *meaning, const char *round)
{
    const char *word = strstr(meaning, " worker");
    const char *digit = word;
    while (digit && digit > meaning && digit[-1] >= '0' && digit[-1] <= '9')
        digit--;
    if (digit && digit < word && word - digit < 6)
        return atoi(digit);
    return round ? WORKERS_OF_A_THROUGHPUT_RUN : 1;
}

/* "warboy-2pe": a target that ships, else one of the folders' targets/. */
static bool find_target(Arena *a, const char *text, const TargetFolders *more, PublishedPoint *ret)
{
    bool found = options_read_target(a, text, &ret->target, &ret->pe);
    const char *name = ret->target;
    for (size_t i = 0; i < more->n && !found; i++) {
        ret->target = arena_printf(a, "%s/targets/%s.xml", more->folder[i], name);
        found = !strchr(name, '/') && machine_exists(a, ret->target);
    }
    return found;
}

static Status read_point(Arena *a, const cJSON *row, const char *path, size_t index,
                         const TargetFolders *more, PublishedPoint *ret, Diag *diag)
{
    char place[32];
    snprintf(place, sizeof place, "point %zu", index);
    const char *text = json_text(row, "target", TARGET_DEFAULT "-2pe");
    const char *table = json_text(row, "table", NULL);
    PublishedPoint p = {
        .model = arena_strdup(a, json_text(row, "model", "")),
        .flags = arena_strdup(a, json_text(row, "flags", json_text(row, "model", ""))),
        .metric = arena_strdup(a, json_text(row, "metric", "")),
        .meaning = arena_strdup(a, json_text(row, "meaning", "")),
        .source = arena_strdup(a, json_text(row, "source", "")),
        .op = arena_strdup(a, json_text(row, "operator", NULL)),
        .family = arena_strdup(a, json_text(row, "family", NULL)),
        .round = arena_strdup(a, json_text(row, "scenario", NULL)),
        .table = table ? arena_printf(a, "%s/%s", file_folder(a, path), table) : NULL,
        .target_stated = !cJSON_IsFalse(json_at(row, "target_stated")),
        .batch = (int64_t)json_number_or(row, "batch", 1),
        .measured_ns = json_number_or(row, "value_ms", 0) * 1e6,
        .images_per_query = (int64_t)json_number_or(row, "images_per_query", 1),
    };
    if (!*p.model || !*p.metric || !(p.table || p.measured_ns > 0) || p.images_per_query < 1)
        return diag_set(diag, STATUS_INPUT, path, place,
                        "needs model, metric and value_ms above 0 (or a table)");
    if (!find_target(a, text, more, &p))
        return diag_set(diag, STATUS_INPUT, path, place, "there is no target '%s'", text);
    const char *sdk = json_text(row, "sdk", NULL);
    p.sdk = sdk ? sdk_from_text(sdk) : 0;
    p.bare = p.round && strncmp(p.round, "MLPerf", 6) == 0;
    p.workers = workers_of(p.meaning, p.round);
    *ret = p;
    return STATUS_OK;
}

Status points_load(Arena *a, const char *path, const TargetFolders *more, PublishedPoint **ret,
                   size_t *ret_count, Diag *diag)
{
    cJSON *tree = NULL;
    Status st = json_load(path, &tree, diag);
    if (st)
        return st;
    int n = cJSON_IsArray(tree) ? cJSON_GetArraySize(tree) : -1;
    if (n < 0 || n > POINTS_MAX)
        st = diag_set(diag, STATUS_INPUT, path, NULL, "is not a list of at most %d points",
                      POINTS_MAX);
    PublishedPoint *point = st ? NULL : ARENA_ARRAY(a, PublishedPoint, (size_t)n + 1);
    size_t count = 0;
    for (const cJSON *row = tree->child; row && !st; row = row->next, count++)
        st = read_point(a, row, path, count, more, &point[count], diag);
    cJSON_Delete(tree);
    if (st)
        return st;
    assert(count == (size_t)n);
    *ret = point;
    *ret_count = count;
    return STATUS_OK;
}

/* The flags that name a file, in the order of the name. */
typedef struct {
    const char *model, *dtype, *input, *size, *layout, *heads, *batch, *act, *relu, *weights;
    const char *extra[WORDS_MAX];
    size_t nextra;
} Flags;

static const char **flag_of(Flags *f, const char *word)
{
    const struct {
        const char *word, **value;
    } table[] = {
        {"--dtype", &f->dtype},   {"--input", &f->input}, {"--size", &f->size},
        {"--layout", &f->layout}, {"--heads", &f->heads}, {"--batch", &f->batch},
        {"--act", &f->act},       {"--relu", &f->relu},   {"--weights", &f->weights},
    };
    return LIST_VALUE(i, sizeof table / sizeof *table, strcmp(word, table[i].word) == 0,
                      table[i].value, NULL);
}

static Flags flags_read(Arena *a, const char *text)
{
    Flags f = {.dtype = "fp32",
               .input = "f32",
               .layout = "nchw",
               .heads = "raw",
               .batch = "1",
               .act = "u8",
               .relu = "fold",
               .weights = "shared"};
    char *save = NULL, *words = arena_strdup(a, text);
    for (char *w = strtok_r(words, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
        if (strncmp(w, "--", 2) != 0) {
            f.model = w;
            continue;
        }
        const char **value = flag_of(&f, w);
        char *next = strtok_r(NULL, " ", &save);
        if (!next)
            break;
        if (value)
            *value = next;
        else if (f.nextra < WORDS_MAX) /* an option of another catalogue of networks */
            f.extra[f.nextra++] = next;
    }
    return f;
}

/* "640x640" is written "640". */
static const char *size_part(Arena *a, const char *size)
{
    const char *x = strchr(size, 'x');
    if (x && (size_t)(x - size) == strlen(x + 1) && strncmp(size, x + 1, strlen(x + 1)) == 0)
        return arena_strndup(a, size, (size_t)(x - size));
    return size;
}

static const char *file_name(Arena *a, const Flags *f, bool with_size)
{
    const char *name = arena_printf(a, "%s-%s-%s", f->model ? f->model : "", f->dtype, f->input);
    const struct {
        bool there;
        const char *text;
    } part[] = {
        {with_size && f->size, f->size ? size_part(a, f->size) : ""},
        {strcmp(f->layout, "nchw") != 0, f->layout},
        {strcmp(f->heads, "raw") != 0, f->heads},
        {strcmp(f->batch, "1") != 0, arena_printf(a, "b%s", f->batch)},
        {strcmp(f->dtype, "qdq") == 0 && strcmp(f->act, "s8") == 0, "s8"},
        {strcmp(f->dtype, "qdq") == 0 && strcmp(f->relu, "keep") == 0, "relu"},
    };
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        if (part[i].there)
            name = arena_printf(a, "%s-%s", name, part[i].text);
    for (size_t i = 0; i < f->nextra; i++)
        name = arena_printf(a, "%s-%s", name, f->extra[i]);
    return arena_printf(a, "%s%s.onnx", name, strcmp(f->weights, "real") == 0 ? "-real" : "");
}

const char *point_model_path(Arena *a, const char *dir, const PublishedPoint *p,
                             const char **ret_name)
{
    Flags f = flags_read(a, p->flags);
    for (int with_size = 1; with_size >= 0; with_size--) {
        const char *name = file_name(a, &f, with_size);
        if (with_size && ret_name)
            *ret_name = name;
        if (strchr(name, '/')) /* a name, never a way out of the folder */
            return NULL;
        const char *path = arena_printf(a, "%s/%s", dir, name);
        if (access(path, R_OK) == 0)
            return path;
    }
    return NULL;
}
