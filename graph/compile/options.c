/* Parses and checks the values of the compile options. */
#include "graph/compile/options.h"

#include "graph/base/messages.h"
#include "graph/compile/compiler_config.h"
#include "graph/model/model.h"

enum { PERMUTE_MAX_INPUTS = 1024 };
enum { PES_MAX = 64, TARGET_NAME_MAX = 200 };

void compile_options_init(CompileOptions *o)
{
    *o = (CompileOptions){.target = TARGET_DEFAULT "-2pe",
                          .target_name = TARGET_DEFAULT,
                          .pe = 2,
                          .sdk = SDK_DEFAULT,
                          .batch = 1,
                          .host_cores = HOST_CORES_DEFAULT};
}

const char *target_text(TargetText *t, const char *name, int pe)
{
    int n = snprintf(t->text, sizeof t->text, "%.200s", name);
    if (pe > 1)
        snprintf(t->text + n, sizeof t->text - (size_t)n, "-%dpe", pe);
    return t->text;
}

/* `list` with one more entry after its n: lists are short, so a copy per entry is no cost. */
static void *copy_with_room(Arena *a, const void *list, size_t n, size_t size)
{
    char *copy = arena_calloc(a, n + 1, size);
    if (n)
        memcpy(copy, list, n * size);
    return copy;
}
#define APPEND(a, list, n, ...)                                                                    \
    ((list) = copy_with_room((a), (list), (n), sizeof *(list)), (list)[(n)++] = (__VA_ARGS__))

CompileOptions compile_options_copy(Arena *a, const CompileOptions *from)
{
    CompileOptions o = *from;
    o.dim = copy_with_room(a, o.dim, o.ndim, sizeof *o.dim);
    o.input_dtype = copy_with_room(a, o.input_dtype, o.ninput_dtype, sizeof *o.input_dtype);
    o.output_dtype = copy_with_room(a, o.output_dtype, o.noutput_dtype, sizeof *o.output_dtype);
    o.permute = copy_with_room(a, o.permute, o.npermute, sizeof *o.permute);
    o.compiler_config = copy_with_room(a, o.compiler_config, o.nconfig, sizeof *o.compiler_config);
    o.edit = copy_with_room(a, o.edit, o.nedit, sizeof *o.edit);
    return o;
}

static bool whole_number(const OptionRow *row, const char *text, int64_t *ret)
{
    uint64_t n;
    if (!option_read_whole(row, text, &n))
        return false;
    *ret = (int64_t)n;
    return true;
}

static Status refuse_option(Diag *diag, OptionId option, const char *value, const char *want)
{
    return diag_set(diag, STATUS_USAGE, NULL, NULL, "%s '%s': expected %s", option_flag(option),
                    value, want);
}

/* Splits "NAME=VALUE" at the last '=', because names of tensors may hold one. */
static bool split_option(Arena *a, const char *text, const char **ret_name, const char **ret_value)
{
    const char *eq = strrchr(text, '=');
    if (!eq || eq == text || !eq[1])
        return false;
    *ret_name = arena_strndup(a, text, (size_t)(eq - text));
    *ret_value = eq + 1;
    return true;
}

static Status set_dim(CompileOptions *o, Arena *a, const char *value, Diag *diag)
{
    static const OptionRow size = {.lo = 1, .hi = INT32_MAX};
    DimBinding b;
    const char *number;
    if (!split_option(a, value, &b.name, &number) || !whole_number(&size, number, &b.value))
        return refuse_option(diag, OPTION_DIM, value,
                             "NAME=VALUE or INPUT:AXIS=VALUE with a positive whole number");
    APPEND(a, o->dim, o->ndim, b);
    return STATUS_OK;
}

static Status set_whole(int *to, OptionId id, const char *range, const char *value, Diag *diag)
{
    int64_t n;
    if (!whole_number(option_row(OPTION_OF_EXEC, id), value, &n))
        return refuse_option(diag, id, value, range);
    *to = (int)n;
    return STATUS_OK;
}

/* Without an explicit target, a program of two PEs uses the PEs that are available. */
static Status set_pes(CompileOptions *o, Arena *a, const char *value, Diag *diag)
{
    Status st = set_whole(&o->pes, OPTION_PES, "a number from 1 to 64", value, diag);
    if (st || o->target_given || o->pe <= o->pes)
        return st;
    TargetText text;
    o->pe = o->pes;
    o->target = arena_strdup(a, target_text(&text, o->target_name, o->pe));
    return STATUS_OK;
}

int compile_options_pes(const CompileOptions *o, const Machine *m)
{
    return o->pes > 0 && o->pes < m->pe_count ? o->pes : m->pe_count;
}

int compile_options_lanes(const CompileOptions *o, const Machine *m)
{
    int lanes = compile_options_pes(o, m) / o->pe;
    return lanes > 1 ? lanes : 1;
}

static Status set_host_cores(CompileOptions *o, Arena *a, const char *value, Diag *diag)
{
    (void)a;
    return set_whole(&o->host_cores, OPTION_HOST_CORES, "a number from 1 to 4096", value, diag);
}

static Status set_ddr_mhz(CompileOptions *o, Arena *a, const char *value, Diag *diag)
{
    (void)a;
    return set_whole(&o->ddr_mhz, OPTION_DDR_MHZ, "a number from 100 to 20000", value, diag);
}

static Status set_unknown_on(CompileOptions *o, Arena *a, const char *value, Diag *diag)
{
    const OptionRow *row = option_row(OPTION_OF_EXEC, OPTION_UNKNOWN_ON);
    int word;
    if (!option_read_word(row, value, &word))
        return refuse_option(diag, OPTION_UNKNOWN_ON, value, option_expected(a, row));
    o->unknown_on = (UnknownOn)word;
    o->unknown_on_given = true;
    return STATUS_OK;
}

const char *compile_unknown_on_word(const CompileOptions *o)
{
    if (o->unknown_on == UNKNOWN_ON_NPU)
        return "npu";
    return o->unknown_on_given ? "host" : NULL;
}

/* "NAME-4pe": the number, and how much of the text is NAME; 1 and all of it for anything else. */
static int fused_pes(const char *value, size_t *ret_name)
{
    const char *dash = strrchr(value, '-');
    char *end;
    long pe = dash && isdigit((unsigned char)dash[1]) ? strtol(dash + 1, &end, 10) : 0;
    *ret_name = strlen(value);
    if (pe < 2 || pe > PES_MAX || strcmp(end, "pe") != 0)
        return 1;
    *ret_name = (size_t)(dash - value);
    return (int)pe;
}

bool options_read_target(Arena *a, const char *text, const char **ret_name, int *ret_pe)
{
    size_t length;
    *ret_pe = fused_pes(text, &length);
    *ret_name = arena_printf(a, "%.*s", (int)length, text);
    return length > 0 && length <= TARGET_NAME_MAX && machine_exists(a, *ret_name);
}

static Status set_target(CompileOptions *o, Arena *a, const char *value, Diag *diag)
{
    int pe;
    const char *name;
    if (!options_read_target(a, value, &name, &pe))
        return refuse_option(diag, OPTION_TARGET, value,
                             "the name of a target, as in " TARGET_DEFAULT ", or " TARGET_DEFAULT
                             "-2pe for two fused PEs");
    bool other = strcmp(o->target_name, name) != 0; /* else only the PEs change */
    o->target = arena_strdup(a, value);
    o->target_name = name;
    o->pe = pe;
    o->target_given = true;
    Machine *m;
    Diag unread = {0}; /* what is wrong with the file is said where it is compiled for */
    if (other && !o->sdk_given && !machine_load(a, name, &m, &unread))
        o->sdk = m->newest;
    return STATUS_OK;
}

static Status set_sdk(CompileOptions *o, Arena *a, const char *value, Diag *diag)
{
    Sdk sdk = sdk_from_text(value);
    if (sdk < SDK_OLDEST_TAKEN)
        return refuse_option(diag, OPTION_SDK, value, arena_printf(a, "one of %s", sdk_choice(a)));
    o->sdk = sdk;
    o->sdk_given = true;
    return STATUS_OK;
}

static Status set_batch(CompileOptions *o, Arena *a, const char *value, Diag *diag)
{
    (void)a;
    if (!whole_number(option_row(OPTION_OF_EXEC, OPTION_BATCH), value, &o->batch))
        return refuse_option(diag, OPTION_BATCH, value, "a positive whole number");
    o->batch_given = true;
    return STATUS_OK;
}

Permutation options_compose_permutation(Permutation first, Permutation then)
{
    Permutation both = then;
    bool moves = false;
    for (int i = 0; first.rank == then.rank && i < then.rank; i++)
        both.axis[i] = first.axis[then.axis[i]];
    for (int i = 0; i < both.rank; i++)
        moves |= both.axis[i] != i;
    both.rank = moves ? both.rank : 0;
    return both;
}

/* Reads "[0,3,1,2]" (or "[]": not permuted) at *p and moves on. */
static bool permutation_parse(const char **p, Permutation *ret)
{
    Permutation r = {.rank = 0};
    unsigned seen = 0;
    const char *s = *p;
    if (*s++ != '[')
        return false;
    while (*s != ']') {
        if (r.rank == PERMUTE_MAX_RANK || *s < '0' || *s >= '0' + PERMUTE_MAX_RANK)
            return false;
        seen |= 1u << (*s - '0');
        r.axis[r.rank++] = (int8_t)(*s++ - '0');
        if (*s == ',' && s[1] != ']')
            s++;
        else if (*s != ']')
            return false;
    }
    if (seen != (1u << r.rank) - 1)
        return false; /* an axis twice, or one left out */
    *p = s + 1;
    *ret = r;
    return true;
}

static bool permutations_parse(Arena *a, const char *s, CompileOptions *o)
{
    Permutation *list = NULL;
    size_t n = 0;
    if (*s++ != '[')
        return false;
    while (*s != ']') {
        Permutation one;
        if (n == PERMUTE_MAX_INPUTS || !permutation_parse(&s, &one))
            return false;
        APPEND(a, list, n, one);
        if (*s == ',' && s[1] != ']')
            s++;
        else if (*s != ']')
            return false;
    }
    if (s[1])
        return false;
    o->permute = list;
    o->npermute = n;
    return true;
}

static Status set_permute_input(CompileOptions *o, Arena *a, const char *value, Diag *diag)
{
    char *dense = arena_strdup(a, value), *w = dense;
    for (const char *r = value; *r; r++)
        if (!isspace((unsigned char)*r))
            *w++ = *r;
    *w = '\0';
    if (!permutations_parse(a, dense, o))
        return refuse_option(diag, OPTION_PERMUTE_INPUT, value,
                             "one list of axes per input, such as [[0,3,1,2]]");
    return STATUS_OK;
}

static Status add_io_type(Arena *a, OptionId option, const char *value, IoType **list, size_t *n,
                          Diag *diag)
{
    const char *type = value;
    IoType t = {"", DT_UNKNOWN};
    if (strchr(value, '=') && !split_option(a, value, &t.name, &type))
        return refuse_option(diag, option, value, "TYPE, or NAME=TYPE");
    t.dtype = dtype_from_name(type);
    if (t.dtype != DT_UINT8 && t.dtype != DT_INT8 && t.dtype != DT_FLOAT32)
        return refuse_option(diag, option, value, "the type uint8, int8 or float32");
    APPEND(a, *list, *n, t);
    return STATUS_OK;
}

static Status set_input_dtype(CompileOptions *o, Arena *a, const char *value, Diag *diag)
{
    return add_io_type(a, OPTION_INPUT_DTYPE, value, &o->input_dtype, &o->ninput_dtype, diag);
}

static Status set_output_dtype(CompileOptions *o, Arena *a, const char *value, Diag *diag)
{
    return add_io_type(a, OPTION_OUTPUT_DTYPE, value, &o->output_dtype, &o->noutput_dtype, diag);
}

bool compile_type_converts(DType t)
{
    return dtype_is_float(t) || t == DT_UINT8 || t == DT_INT8;
}

/* Each entry in its place, so that a later one still wins. */
static void name_types(Arena *a, const Graph *g, const TensorId *id, size_t nid, IoType **list,
                       size_t *n)
{
    IoType *all = ARENA_ARRAY(a, IoType, *n * (nid + 1) + 1);
    size_t k = 0;
    for (size_t i = 0; i < *n; i++) {
        size_t before = k;
        for (size_t j = 0; j < nid && !*(*list)[i].name; j++) {
            DType t = tensor_dtype(&g->tensor[id[j]]);
            if (t == DT_UNKNOWN || compile_type_converts(t)) /* unknown: the compiler will know */
                all[k++] = (IoType){g->tensor[id[j]].name, (*list)[i].dtype};
        }
        if (k == before)
            all[k++] = (*list)[i];
    }
    *list = all;
    *n = k;
}

void compile_options_name_types(Arena *a, CompileOptions *o, const Graph *g)
{
    name_types(a, g, g->input, g->ninput, &o->input_dtype, &o->ninput_dtype);
    name_types(a, g, g->output, g->noutput, &o->output_dtype, &o->noutput_dtype);
}

void compile_options_take_sdk(CompileOptions *o, const Model *m, Notes *notes)
{
    if (o->sdk_given || !m->source || strcmp(m->source->format, "dfg") != 0 ||
        strcmp(o->target_name, TARGET_DEFAULT) != 0)
        return;
    o->sdk = SDK_0_9;
    if (notes)
        notes_add(notes, "dfg-sdk", MESSAGE_ID(DFG_SDK), arg_text(sdk_text(o->sdk)));
}

static DType type_given(const IoType *list, size_t n, const char *name)
{
    DType t = DT_UNKNOWN;
    for (size_t i = 0; i < n; i++)
        if (!*list[i].name || !strcmp(list[i].name, name))
            t = list[i].dtype;
    return t;
}

static void shorten_types(Arena *a, const Graph *g, const TensorId *id, size_t nid, IoType **list,
                          size_t *n)
{
    DType all = *n ? (*list)->dtype : DT_UNKNOWN;
    if (*n == 0 || nid == 0)
        return;
    for (size_t i = 0; i < nid; i++)
        if (type_given(*list, *n, g->tensor[id[i]].name) != all)
            return;
    *list = ARENA_NEW(a, IoType);
    **list = (IoType){"", all};
    *n = 1;
}

void compile_options_shorten_types(Arena *a, CompileOptions *o, const Graph *g)
{
    shorten_types(a, g, g->input, g->ninput, &o->input_dtype, &o->ninput_dtype);
    shorten_types(a, g, g->output, g->noutput, &o->output_dtype, &o->noutput_dtype);
}

static Status set_compiler_config(CompileOptions *o, Arena *a, const char *value, Diag *diag)
{
    KeyValue *pair = NULL;
    size_t n = 0;
    const char *eq = strchr(value, '=');
    if (eq && eq > value) {
        KeyValue one = {arena_strndup(a, value, (size_t)(eq - value)), eq + 1};
        APPEND(a, pair, n, one);
    } else {
        Status st = compiler_config_read(a, value, &pair, &n, diag);
        if (st)
            return st;
    }
    for (size_t i = 0; i < n; i++) {
        if (strcmp(pair[i].key, "permute_input") == 0) {
            /* The only official key has a separate option. */
            Status st = set_permute_input(o, a, pair[i].value, diag);
            if (st)
                return st;
        } else {
            APPEND(a, o->compiler_config, o->nconfig, pair[i]);
        }
    }
    return STATUS_OK;
}

bool compile_outputs_are_pixels(const CompileOptions *o)
{
    return o->sdk == 9;
}

Status compile_option_set(CompileOptions *o, Arena *a, OptionId id, const char *value, Diag *diag)
{
    static const struct {
        OptionId id;
        Status (*set)(CompileOptions *o, Arena *a, const char *value, Diag *diag);
    } setter[] = {
#define SETS(id, set) {OPTION_##id, set},
#include "graph/compile/option_setters.def"
    };
    size_t i = 0;
    assert(option_is_compile(id));
    while (setter[i].id != id)
        i++;
    return setter[i].set(o, a, value, diag);
}

typedef struct {
    Arena *arena;
    const char **word;
    size_t n;
} Words;

static void word_add(Words *w, OptionId option, const char *value)
{
    APPEND(w->arena, w->word, w->n, option_flag(option));
    APPEND(w->arena, w->word, w->n, value);
}

const char *options_axes_text(Arena *a, const Permutation *p)
{
    const char *text = "";
    for (int i = 0; i < p->rank; i++)
        text = arena_printf(a, "%s%s%d", text, i ? "," : "", p->axis[i]);
    return text;
}

static const char *permutations_text(Arena *a, const CompileOptions *o)
{
    const char *text = "";
    for (size_t i = 0; i < o->npermute; i++)
        text =
            arena_printf(a, "%s%s[%s]", text, i ? "," : "", options_axes_text(a, &o->permute[i]));
    return arena_printf(a, "[%s]", text);
}

static void io_words(Words *w, OptionId option, const IoType *t, size_t n)
{
    for (size_t i = 0; i < n; i++)
        word_add(w, option,
                 arena_printf(w->arena, "%s%s%s", t[i].name, *t[i].name ? "=" : "",
                              dtype_name(t[i].dtype)));
}

const char **compile_options_argv(Arena *a, const CompileOptions *o, size_t *ret_count)
{
    Words w = {.arena = a};
    word_add(&w, OPTION_TARGET, o->target);
    word_add(&w, OPTION_SDK, sdk_text(o->sdk));
    if (o->batch != 1)
        word_add(&w, OPTION_BATCH, arena_printf(a, "%lld", (long long)o->batch));
    for (size_t i = 0; i < o->ndim; i++)
        word_add(&w, OPTION_DIM,
                 arena_printf(a, "%s=%lld", o->dim[i].name, (long long)o->dim[i].value));
    if (o->npermute)
        word_add(&w, OPTION_PERMUTE_INPUT, permutations_text(a, o));
    io_words(&w, OPTION_INPUT_DTYPE, o->input_dtype, o->ninput_dtype);
    io_words(&w, OPTION_OUTPUT_DTYPE, o->output_dtype, o->noutput_dtype);
    for (size_t i = 0; i < o->nconfig; i++)
        word_add(&w, OPTION_COMPILER_CONFIG,
                 arena_printf(a, "%s=%s", o->compiler_config[i].key, o->compiler_config[i].value));
    if (o->pes > 0)
        word_add(&w, OPTION_PES, arena_printf(a, "%d", o->pes));
    if (o->ddr_mhz)
        word_add(&w, OPTION_DDR_MHZ, arena_printf(a, "%d", o->ddr_mhz));
    if (o->host_cores != HOST_CORES_DEFAULT)
        word_add(&w, OPTION_HOST_CORES, arena_printf(a, "%d", o->host_cores));
    if (compile_unknown_on_word(o))
        word_add(&w, OPTION_UNKNOWN_ON, compile_unknown_on_word(o));
    *ret_count = w.n;
    w.word = copy_with_room(a, w.word, w.n, sizeof *w.word); /* leaves a NULL at the end */
    return w.word;
}
