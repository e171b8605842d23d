/* Implements the levers, one function each, and the table that names them. */
#include "advisor/rules/variant.h"

#include "graph/compile/options.h"
#include "graph/edit/edit.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* One setting that is applied to a variant. */
struct Lift {
    Arena *a;
    Variant *v;
    const Model *model;
    const LeverSetting *set;
    Diag *diag;
};

static Status lever_error(const Lift *l, const char *what)
{
    return diag_set(l->diag, STATUS_USAGE, NULL, l->set->lever, "%s (index '%s', value '%s')", what,
                    l->set->index, l->set->value);
}

static bool parse_number(const char *text, long lo, long hi, long *ret)
{
    char *end = NULL;
    errno = 0;
    long n = strtol(text, &end, 10);
    if (errno || end == text || *end || n < lo || n > hi)
        return false;
    *ret = n;
    return true;
}

/* Sets a compile option as the command line would. */
static Status set_option(const Lift *l, OptionId id, const char *value)
{
    return compile_option_set(&l->v->compile, l->a, id, value, l->diag);
}

/* A tensor that another setting makes an input or output is given by its name. */
#define BY_NAME "tensor:"

const char *lever_tensor(const LeverSetting *set)
{
    size_t prefix = strlen(BY_NAME);
    return strncmp(set->index, BY_NAME, prefix) == 0 ? set->index + prefix : NULL;
}

static Status set_io_dtype(const Lift *l, const TensorId *io, size_t nio, OptionId option)
{
    long i = 0;
    const char *tensor = lever_tensor(l->set);
    if (tensor)
        return set_option(l, option, arena_printf(l->a, "%s=%s", tensor, l->set->value));
    if (!parse_number(l->set->index, 0, (long)nio - 1, &i))
        return lever_error(l, "there is no such input or output");
    const char *name = l->model->graph->tensor[io[i]].name;
    return set_option(l, option, arena_printf(l->a, "%s=%s", name, l->set->value));
}

static Status lift_input_dtype(const Lift *l)
{
    const Graph *g = l->model->graph;
    return set_io_dtype(l, g->input, g->ninput, OPTION_INPUT_DTYPE);
}

static Status lift_output_dtype(const Lift *l)
{
    const Graph *g = l->model->graph;
    return set_io_dtype(l, g->output, g->noutput, OPTION_OUTPUT_DTYPE);
}

static bool parse_axes(const char *text, Permutation *ret)
{
    Permutation p = {0};
    unsigned seen = 0;
    for (const char *s = text; *s;) {
        char *end = NULL;
        long axis = strtol(s, &end, 10);
        if (end == s || axis < 0 || axis >= PERMUTE_MAX_RANK || p.rank == PERMUTE_MAX_RANK)
            return false;
        p.axis[p.rank++] = (int8_t)axis;
        seen |= 1u << axis;
        s = end + strspn(end, ", ");
    }
    *ret = p;
    return p.rank > 0 && seen == (1u << p.rank) - 1;
}

static Status lift_permute_input(const Lift *l)
{
    CompileOptions *o = &l->v->compile;
    size_t ninput = l->model->graph->ninput;
    long i = 0;
    Permutation p;
    if (!parse_number(l->set->index, 0, (long)ninput - 1, &i) || !parse_axes(l->set->value, &p))
        return lever_error(l, "not a permutation of an input");
    Permutation *list = ARENA_ARRAY(l->a, Permutation, ninput);
    for (size_t k = 0; k < o->npermute && k < ninput; k++)
        list[k] = o->permute[k];
    assert(i >= 0 && (size_t)i < ninput);
    list[i] = options_compose_permutation(list[i], p); /* of the axes as they are fed now */
    o->permute = list;
    o->npermute = ninput;
    return STATUS_OK;
}

/* A lever that is a compile option of its name. */
static Status lift_option(const Lift *l)
{
    return set_option(l, option_named(OPTION_OF_ADVISE, l->set->lever)->id, l->set->value);
}

static Status lift_compiler_config(const Lift *l)
{
    return set_option(l, OPTION_COMPILER_CONFIG,
                      arena_printf(l->a, "%s=%s", l->set->index, l->set->value));
}

/* A lever that is an option of the run. */
static Status lift_run(const Lift *l)
{
    RunOptions *run = &l->v->run;
    const struct {
        OptionId id;
        const char *what;
        int *field;
    } option[] = {
#define RUN_OPTION(field, id, preset, what) {OPTION_##id, what, &run->field},
#include "graph/compile/run_options.def"
#include "graph/options/option.h"
#undef RUN_OPTION
    };
    long n = 0;
    size_t i = 0;
    const OptionRow *row = option_named(OPTION_OF_ADVISE, l->set->lever);
    while (i < sizeof option / sizeof *option && option[i].id != row->id)
        i++;
    assert(i < sizeof option / sizeof *option);
    if (!parse_number(l->set->value, (long)row->lo, (long)row->hi, &n))
        return lever_error(l, arena_printf(l->a, "not a number of %s", option[i].what));
    *option[i].field = (int)n;
    run->workers_given |= option[i].field == &run->workers;
    return STATUS_OK;
}

static Status lift_application_threads(const Lift *l)
{
    long n = 0;
    if (!parse_number(l->set->value, 1, THREADS_MAX, &n))
        return lever_error(l, "not a number of threads");
    l->v->run.application_threads = (int)n;
    return STATUS_OK;
}

static Status lift_spared_ns(const Lift *l)
{
    long n = 0;
    if (!parse_number(l->set->value, 0, 1L << 40, &n))
        return lever_error(l, "not a time in ns");
    l->v->run.spared_ns = (double)n;
    return STATUS_OK;
}

static Status lift_without(const Lift *l)
{
    const Graph *g = l->model->graph;
    if (!*l->set->index && strcmp(l->set->value, "borders") == 0) {
        l->v->without_borders = true;
        return STATUS_OK;
    }
    if (strmap_get(&g->by_name, l->set->index) == STRMAP_NONE)
        return lever_error(l, "the model has no such tensor");
    const char **list = ARENA_ARRAY(l->a, const char *, l->v->nwithout + 1);
    for (size_t i = 0; i < l->v->nwithout; i++)
        list[i] = l->v->without[i];
    list[l->v->nwithout++] = l->set->index;
    l->v->without = list;
    return STATUS_OK;
}

static void add_edit(const Lift *l, Edit e)
{
    CompileOptions *o = &l->v->compile;
    Edit *list = ARENA_ARRAY(l->a, Edit, o->nedit + 1);
    for (size_t i = 0; i < o->nedit; i++)
        list[i] = o->edit[i];
    list[o->nedit++] = e;
    o->edit = list;
}

/* An edit of the model.  An input or output is given by its number. */
static Status lift_edit(const Lift *l)
{
    const Graph *g = l->model->graph;
    Edit e = {.where = l->set->index, .text = l->set->value};
    long n = 0;
    if (!edit_from_name(l->set->lever, &e.kind))
        return lever_error(l, "no such edit");
    bool wants_number = e.kind == EDIT_WIDTH || e.kind == EDIT_PAD_OUTPUT;
    if (wants_number && !parse_number(l->set->value, 1, 1L << 30, &n))
        return lever_error(l, "not a width");
    e.number = n;
    bool of_input = e.kind == EDIT_WIDTH;
    const TensorId *io = of_input ? g->input : g->output;
    size_t nio = of_input ? g->ninput : g->noutput;
    if (e.kind != EDIT_REPLACE_OP && e.kind != EDIT_CUT_TAIL && e.kind != EDIT_REWRITE) {
        if (!parse_number(l->set->index, 0, (long)nio - 1, &n))
            return lever_error(l, "there is no such input or output");
        e.where = g->tensor[io[n]].name;
    }
    add_edit(l, e);
    return STATUS_OK;
}

static Status lift_stand_in(const Lift *l)
{
    LeverSetting set = {"replace-op", l->set->index, l->set->value, false};
    Lift edit = *l;
    edit.set = &set;
    return lift_edit(&edit);
}

static Status lift_patch(const Lift *l)
{
    const Graph *g = l->model->graph;
    long index = 0, h = 0, w = 0, count = 0;
    char *at = arena_strdup(l->a, l->set->value), *width = strchr(at, 'x');
    char *parts = width ? strchr(width, '*') : NULL;
    if (!parse_number(l->set->index, 0, (long)g->ninput - 1, &index) || !parts)
        return lever_error(l, "not a part of an input, as 256x512*4");
    *width++ = *parts++ = '\0';
    if (!parse_number(at, 1, 1L << 30, &h) || !parse_number(width, 1, 1L << 30, &w) ||
        !parse_number(parts, 1, PATCHES_MAX, &count))
        return lever_error(l, "not a part of an input, as 256x512*4");
    const char *input = g->tensor[g->input[index]].name;
    add_edit(l, (Edit){.kind = EDIT_HEIGHT, .where = input, .number = h, .text = ""});
    add_edit(l, (Edit){.kind = EDIT_WIDTH, .where = input, .number = w, .text = ""});
    l->v->run.patches = (int)count;
    return STATUS_OK;
}

const Lever lever_table[] = {
    {"input-dtype", "quantizer", false, false, lift_input_dtype,
     "index: input; value: element type"},
    {"output-dtype", "quantizer", false, false, lift_output_dtype,
     "index: output, or tensor:NAME of one that is cut out; value: element type"},
    {"permute-input", "compiler", false, false, lift_permute_input,
     "index: input; value: axes of what is fed now, as 0,3,1,2"},
    {"batch", "compiler", false, false, lift_option, "value: factor on the first dimension"},
    {"target", "compiler", false, false, lift_option,
     "value: a target, as " TARGET_DEFAULT " or " TARGET_DEFAULT "-2pe"},
    {LEVER_COMPILER_CONFIG, "compiler", false, false, lift_compiler_config,
     "index: key; value: its value"},
    {"workers", "runtime", false, false, lift_run, "value: requests processed at the same time"},
    {"devices", "runtime", false, false, lift_run, "value: cards"},
    {"queue-depth", "application", false, false, lift_run,
     "value: requests that the application keeps under way"},
    {"io-threads", "runtime", false, false, lift_run, "value: threads for transfers, per card"},
    {"application-threads", "application", false, false, lift_application_threads,
     "value: threads of the application that share its own work around the inferences"},
    {"spared-ns", "application", false, true, lift_spared_ns,
     "value: work before an inference that is no longer done"},
    {"width", "model", true, false, lift_edit, "index: input; value: new width"},
    {"patch", "model", true, false, lift_patch,
     "index: input; value: height x width * number of parts, as 256x512*4"},
    {"pad-output", "model", true, false, lift_edit, "index: output; value: width padded to"},
    {"permute-output", "model", true, false, lift_edit, "index: output; value: axes, as 0,3,1,2"},
    {"cut-tail", "model", true, false, lift_edit, "index: tensor that becomes the output"},
    {"drop-output", "model", true, false, lift_edit, "index: output"},
    {"replace-op", "model", true, false, lift_edit, "index: node; value: operator type"},
    {LEVER_STAND_IN, "model", true, true, lift_stand_in,
     "index: node; value: operator type of equal shape, for the figure alone"},
    {LEVER_WITHOUT, "model", false, true, lift_without,
     "index: result of a node that runs on the host; its work, and the conversions around it, are "
     "left out: a bound; of an input, the padding of its width; or no index and value: borders, "
     "the conversions at all inputs and outputs"},
    {"rewrite", "model", true, false, lift_edit,
     "index: result of the node; value: drop-qdq, cancel-transposes, fold-pad …"},
    {"sdk", "runtime", false, false, lift_option, "value: an SDK version, as 0.10"},
    {NULL, NULL, false, false, NULL, NULL},
};

const char **run_options_argv(Arena *a, const RunOptions *run, bool workers, size_t *ret_count)
{
    const struct {
        OptionId id;
        int value, preset;
    } option[] = {
#define RUN_OPTION(field, id, preset, what) {OPTION_##id, run->field, preset},
#include "graph/compile/run_options.def"
#undef RUN_OPTION
    };
    enum { OPTIONS = sizeof option / sizeof *option };
    const char **word = ARENA_ARRAY(a, const char *, 2 * OPTIONS);
    size_t n = 0;
    for (size_t i = 0; i < OPTIONS; i++) {
        bool is_first = i == 0; /* the workers */
        if (is_first ? !workers : option[i].value <= option[i].preset)
            continue;
        word[n++] = option_flag(option[i].id);
        word[n++] = arena_printf(a, "%d", option[i].value);
    }
    assert(n <= 2 * OPTIONS);
    *ret_count = n;
    return word;
}

const Lever *lever_find(const char *name)
{
    for (const Lever *l = lever_table; l->name; l++)
        if (strcmp(l->name, name) == 0)
            return l;
    return NULL;
}

Status variant_apply(Arena *a, Variant *v, const Model *m, const LeverSetting *s, Diag *diag)
{
    const Lever *lever = lever_find(s->lever);
    if (!lever)
        return diag_set(diag, STATUS_USAGE, NULL, s->lever, "no such lever");
    Variant changed = *v;
    changed.compile = compile_options_copy(a, &v->compile);
    Lift l = {a, &changed, m, s, diag};
    Status st = lever->lift(&l);
    if (!st)
        *v = changed;
    return st;
}

bool variant_is_options_only(const Variant *v)
{
    return v->compile.nedit == 0 && v->nwithout == 0 && !v->without_borders;
}
