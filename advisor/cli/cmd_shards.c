/* Implements `npu-advise plan MODEL…`, which writes what a run over many models covers, for shards
 * and `merge`. */
#include "advisor/cli/shards_args.h"
#include "advisor/advise/compiled/compiled.h"
#include "advisor/fleet/cost.h"
#include "advisor/fleet/models.h"
#include "advisor/fleet/shards_file.h"
#include "advisor/options/args.h"
#include "advisor/message/json.h"
#include "advisor/message/process.h"
#include "graph/tflite/tflite.h"
#include "graph/options/option.h"

#include <sys/stat.h>

/* ---- settings: every combination of the values of the axes ---- */

enum { AXES_MAX = 8, VALUES_MAX = 64 };

typedef struct {
    OptionId option;
    const char *value[VALUES_MAX];
    size_t count;
} Axis;

typedef struct {
    Arena *a;
    const Args *args;
    Axis axis[AXES_MAX];
    size_t naxis;
    Diag *diag;
} Matrix;

static Status bad_axis(const Matrix *m, const char *text, const char *fact)
{
    return diag_set(m->diag, STATUS_USAGE, NULL, NULL, "--matrix '%s' %s", text, fact);
}

/* The option that may be an axis whose name `text` begins with, before "="; OPTION_NONE: none. */
static OptionId axis_option(Arena *a, const char *text)
{
    size_t n = strcspn(text, "=");
    const OptionRow *row =
        text[n] ? option_named(OPTION_OF_ADVISE, arena_strndup(a, text, n)) : NULL;
    bool may_be = row && row->kind != OPTION_KIND_FLAG && shards_args_decides(row->id) &&
                  row->id != OPTION_MATRIX;
    return may_be ? row->id : OPTION_NONE;
}

/* Each value is one that the option allows. */
static Status check_value(const Matrix *m, const Axis *x, const char *value)
{
    Args scratch = *m->args;
    return LIST_ANY(i, x->count, !strcmp(x->value[i], value))
               ? bad_axis(m, value, "is there twice")
               : args_set(m->a, &scratch, x->option, value, m->diag);
}

static Status add_values(Matrix *m, Axis *x, const char *text, const char *list)
{
    Status st = STATUS_OK;
    for (const char *at = list; !st; at++) {
        size_t n = strcspn(at, ",");
        const char *value = arena_strndup(m->a, at, n);
        if (x->count == VALUES_MAX)
            return bad_axis(m, text, "has more than 64 values");
        st = check_value(m, x, value);
        x->value[x->count++] = value;
        at += n;
        if (!*at)
            break;
    }
    return st;
}

static Status add_axis(Matrix *m, const char *text)
{
    OptionId option = axis_option(m->a, text);
    if (!option || !args_command_takes(m->args->command, option))
        return bad_axis(m, text,
                        "is not OPTION=A,B… of an option that decides what is found, such as "
                        "sdk=0.9,0.10");
    if (m->naxis == AXES_MAX)
        return bad_axis(m, text, "is one too many: there may be eight");
    bool given = args_flag(m->args, option) || LIST_ANY(i, m->naxis, m->axis[i].option == option);
    if (given)
        return bad_axis(m, text, "is of an option that is given already");
    Axis *x = &m->axis[m->naxis++];
    x->option = option;
    return add_values(m, x, text, strchr(text, '=') + 1);
}

static size_t count_combinations(const Matrix *m)
{
    size_t n = 1;
    for (size_t i = 0; i < m->naxis && n <= MODELS_MAX; i++)
        n *= m->axis[i].count;
    return n;
}

/* Combination k: the last axis turns fastest. */
static const ShardSetting *settings_of(const Matrix *m, size_t k)
{
    ShardSetting *s = ARENA_ARRAY(m->a, ShardSetting, m->naxis + 1);
    for (size_t i = m->naxis; i-- > 0; k /= m->axis[i].count)
        s[i] =
            (ShardSetting){option_name(m->axis[i].option), m->axis[i].value[k % m->axis[i].count]};
    return s;
}

/* ---- what each model is: looked at in a copy of this process, since strangers made it ---- */

typedef struct {
    Arena *a;
    const ModelList *list;
    TempFolder folder;
} Look;

static size_t count_nodes(Arena *a, const char *path)
{
    enum { BYTES_PER_LAYER = 400 };
    struct stat st;
    Notes notes;
    Diag ignored = {0};
    Model *m;
    notes_init(&notes, a);
    if (compiled_recognise(path))
        return stat(path, &st) == 0 ? (size_t)st.st_size / BYTES_PER_LAYER : 0;
    return model_load(a, path, &notes, &m, &ignored) ? 0 : m->graph->nnode;
}

static void probe_model(void *user, size_t i, const char *out)
{
    const Look *l = user;
    const char *path = l->list->file[i].path, *trace = models_trace_beside(l->a, path);
    char hex[65];
    struct stat st;
    Diag ignored = {0};
    cJSON *o = cJSON_CreateObject();
    if (!shards_args_digest(path, hex, &ignored))
        cJSON_AddStringToObject(o, "sha256", hex);
    if (trace && !shards_args_digest(trace, hex, &ignored))
        cJSON_AddStringToObject(o, "trace_sha256", hex);
    int64_t bytes = trace && stat(trace, &st) == 0 ? st.st_size : 0;
    cJSON_AddNumberToObject(o, "cost_us",
                            (double)cost_of_advice_us(count_nodes(l->a, path), bytes));
    json_save(o, out, NULL, &ignored);
}

/* A model that broke its copy has the cost of a small one, and is in the plan all the same. */
static void take_look(const Look *l, size_t i, ShardItem *ret)
{
    Diag ignored = {0};
    cJSON *o = NULL;
    const char *path = process_map_path(l->a, l->folder.path, i);
    if (access(path, R_OK) == 0)
        json_load(path, &o, &ignored);
    *ret = (ShardItem){.model = l->list->file[i],
                       .sha256 = arena_strdup(l->a, json_text(o, "sha256", NULL)),
                       .trace_sha256 = arena_strdup(l->a, json_text(o, "trace_sha256", NULL)),
                       .cost_us =
                           (int64_t)json_number_or(o, "cost_us", (double)cost_of_advice_us(0, 0))};
    cJSON_Delete(o);
}

/* A word that is not a model is told now, not by every shard. */
static Status check_there(const ModelList *list, Diag *diag)
{
    return LIST_VALUE(i, list->count, access(list->file[i].path, R_OK) != 0,
                      diag_set(diag, STATUS_INPUT, list->file[i].path, NULL, "cannot be read: %s",
                               strerror(errno)),
                      STATUS_OK);
}

static Status look_at_all(Context *c, const Args *args, const ModelList *list, ShardItem **ret)
{
    Look l = {.a = c->arena, .list = list};
    const ProcessMap map = {.work = probe_model, .user = &l};
    int jobs = (int)args_int(args, OPTION_JOBS, process_count());
    Status st = process_temp_folder_make(c->arena, &l.folder, c->diag);
    if (st)
        return st;
    *ret = ARENA_ARRAY(c->arena, ShardItem, list->count + 1);
    st = process_map(c->arena, list->count, jobs, l.folder.path, &map, c->diag);
    for (size_t i = 0; i < list->count && !st; i++)
        take_look(&l, i, &(*ret)[i]);
    process_temp_folder_remove(&l.folder);
    return st;
}

/* ---- the plan ---- */

/* Words that are axes may follow one --matrix: --matrix sdk=0.9,0.10 objective=latency.
 */
static Status read_matrix(Matrix *m, const char ***ret_told, size_t *ret_ntold)
{
    size_t n;
    const char **axis = args_all(m->a, m->args, OPTION_MATRIX, &n);
    Status st = STATUS_OK;
    *ret_told = ARENA_ARRAY(m->a, const char *, m->args->npositional + 1);
    *ret_ntold = 0;
    for (size_t i = 0; i < n && !st; i++)
        st = add_axis(m, axis[i]);
    for (size_t i = 0; i < m->args->npositional && !st; i++) {
        const char *word = m->args->positional[i];
        if (n && axis_option(m->a, word) && access(word, F_OK) != 0)
            st = add_axis(m, word);
        else
            (*ret_told)[(*ret_ntold)++] = word;
    }
    return st;
}

static const ShardSetting *options_of(Arena *a, const Args *args, size_t *ret_n)
{
    ShardSetting *s = ARENA_ARRAY(a, ShardSetting, args->ngiven + 1);
    *ret_n = 0;
    for (size_t i = 0; i < args->ngiven; i++)
        if (shards_args_decides(args->given[i].id) && args->given[i].id != OPTION_MATRIX)
            s[(*ret_n)++] = (ShardSetting){option_name(args->given[i].id), args->given[i].value};
    return s;
}

static bool is_of_throughput(const Matrix *m, const ShardItem *item)
{
    const char *objective = args_text(m->args, OPTION_OBJECTIVE, "latency");
    for (size_t i = 0; i < item->nsetting; i++)
        if (m->axis[i].option == OPTION_OBJECTIVE)
            objective = item->setting[i].value;
    return !strcmp(objective, "throughput");
}

static void write_items(FILE *out, const Matrix *m, const ModelList *list, const ShardItem *item)
{
    size_t n = count_combinations(m);
    for (size_t i = 0; i < list->count; i++)
        for (size_t k = 0; k < n; k++) {
            ShardItem one = item[i];
            one.setting = settings_of(m, k);
            one.nsetting = m->naxis;
            if (is_of_throughput(m, &one))
                one.cost_us = cost_under_throughput_us(one.cost_us);
            shards_file_write_item(out, &one);
        }
}

static Status write_plan(Context *c, const Args *args, const Matrix *m, const ShardHead *head,
                         const ModelList *list, const ShardItem *item)
{
    OutFile f;
    Status st = file_out_open(&f, args_text(args, OPTION_OUTPUT, "-"), c->diag);
    if (st)
        return st;
    shards_file_write_head(f.stream, head);
    write_items(f.stream, m, list, item);
    return file_out_commit(&f, c->diag);
}

Status cmd_shards(Context *c, const Args *args)
{
    Matrix m = {.a = c->arena, .args = args, .diag = c->diag};
    ShardHead head = {0};
    ModelList list;
    ShardItem *item;
    const char **told;
    Status st = args_positional(args, 1, SIZE_MAX, "MODEL…", c->diag);
    st = st ? st : read_matrix(&m, &told, &head.ntold);
    if (!st && head.ntold == 0)
        st = diag_set(c->diag, STATUS_USAGE, NULL, NULL,
                      "shards needs MODEL…; `npu-advise shards --help`");
    st = st ? st : models_find(c->arena, told, head.ntold, &list, c->diag);
    st = st ? st : check_there(&list, c->diag);
    if (!st && count_combinations(&m) > MODELS_MAX / list.count)
        st = diag_set(c->diag, STATUS_USAGE, NULL, NULL, "more than %d items", MODELS_MAX);
    st = st ? st : look_at_all(c, args, &list, &item);
    if (st)
        return st;
    head.told = told;
    head.option = options_of(c->arena, args, &head.noption);
    head.items = list.count * count_combinations(&m);
    return write_plan(c, args, &m, &head, &list, item);
}
