/* Implements the levers, one function each. */
#include "advisor/rules/variant.h"

#include "graph/options/option.h"
#include "graph/edit/edit.h"

enum { THREADS_MAX = 1024 };

/* One setting that is applied to a variant. */
typedef struct {
    Arena *a;
    Variant *v;
    const Model *model;
    const LeverSetting *set;
    Diag *diag;
} Lift;

static Status lever_error(const Lift *l, const char *what)
{
    LeverWords words = lever_words(l->a, l->set);
    return diag_set(l->diag, STATUS_USAGE, NULL, words.lever, "%s (index '%s', value '%s')", what,
                    words.index, words.value);
}

static bool number_within(const LeverTerm *t, int64_t lo, int64_t hi)
{
    return t->kind == TERM_NUMBER && t->number >= lo && t->number <= hi;
}

/* Sets the compile option of the lever's name as the command line would. */
static Status set_option(const Lift *l, const char *value)
{
    const OptionRow *row = option_named(OPTION_OF_ADVISE, lever_table[l->set->lever].name);
    return compile_option_set(&l->v->compile, l->a, row->id, value, l->diag);
}

static Status lift_option(const Lift *l)
{
    return set_option(l, lever_term_text(l->a, &l->set->value));
}

static Status lift_compiler_config(const Lift *l)
{
    LeverWords words = lever_words(l->a, l->set);
    return set_option(l, arena_printf(l->a, "%s=%s", words.index, words.value));
}

/* A tensor that another setting makes an input or output is given by its name. */
static Status lift_io_dtype(const Lift *l)
{
    const LeverTerm *at = &l->set->index;
    const char *name = at->kind == TERM_TENSOR ? at->text : lever_port(l->model->graph, at);
    if (!name)
        return lever_error(l, "there is no such input or output");
    return set_option(l, arena_printf(l->a, "%s=%s", name, lever_term_text(l->a, &l->set->value)));
}

static Status lift_permute_input(const Lift *l)
{
    CompileOptions *o = &l->v->compile;
    size_t ninput = l->model->graph->ninput;
    if (!lever_port(l->model->graph, &l->set->index) || l->set->value.kind != TERM_AXES)
        return lever_error(l, "not a permutation of an input");
    Permutation *list = ARENA_ARRAY(l->a, Permutation, ninput);
    for (size_t k = 0; k < o->npermute && k < ninput; k++)
        list[k] = o->permute[k];
    Permutation *p = &list[l->set->index.number];
    *p = options_compose_permutation(*p, l->set->value.axes); /* of the axes as they are fed now */
    o->permute = list;
    o->npermute = ninput;
    return STATUS_OK;
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
    };
    const OptionRow *row = option_named(OPTION_OF_ADVISE, lever_table[l->set->lever].name);
    size_t i = LIST_INDEX(k, sizeof option / sizeof *option, option[k].id == row->id);
    assert(i < sizeof option / sizeof *option);
    if (!number_within(&l->set->value, (int64_t)row->lo, (int64_t)row->hi))
        return lever_error(l, arena_printf(l->a, "not a number of %s", option[i].what));
    *option[i].field = (int)l->set->value.number;
    run->workers_given |= option[i].field == &run->workers;
    return STATUS_OK;
}

static Status lift_application_threads(const Lift *l)
{
    if (!number_within(&l->set->value, 1, THREADS_MAX))
        return lever_error(l, "not a number of threads");
    l->v->run.application_threads = (int)l->set->value.number;
    return STATUS_OK;
}

static Status lift_spared_ns(const Lift *l)
{
    if (!number_within(&l->set->value, 0, 1LL << 40))
        return lever_error(l, "not a time in ns");
    l->v->run.spared_ns = (double)l->set->value.number;
    return STATUS_OK;
}

static Status lift_without(const Lift *l)
{
    const Graph *g = l->model->graph;
    const LeverSetting *s = l->set;
    if (s->index.kind == TERM_NONE && strcmp(s->value.text, "borders") == 0) {
        l->v->without_borders = true;
        return STATUS_OK;
    }
    if (strmap_get(&g->by_name, s->index.text) == STRMAP_NONE)
        return lever_error(l, "the model has no such tensor");
    const char **list = ARENA_ARRAY(l->a, const char *, l->v->nwithout + 1);
    for (size_t i = 0; i < l->v->nwithout; i++)
        list[i] = l->v->without[i];
    list[l->v->nwithout++] = s->index.text;
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

/* The edit of the lever's name; a stand-in replaces an operator. */
static Status lift_edit(const Lift *l)
{
    const LeverSetting *s = l->set;
    const Lever *lever = &lever_table[s->lever];
    Edit e = {EDIT_REPLACE_OP, s->index.text, 0, lever_term_text(l->a, &s->value)};
    edit_from_name(lever->name, &e.kind);
    if (lever->value == TERM_NUMBER && !number_within(&s->value, 1, 1 << 30))
        return lever_error(l, "not a width");
    if (lever->value == TERM_NUMBER)
        e.number = s->value.number;
    if (lever->index != TERM_TEXT && s->index.kind != TERM_TENSOR &&
        !(e.where = lever_port(l->model->graph, &s->index)))
        return lever_error(l, "there is no such input or output");
    add_edit(l, e);
    return STATUS_OK;
}

static Status lift_patch(const Lift *l)
{
    const char *input = lever_port(l->model->graph, &l->set->index);
    const LeverTerm *v = &l->set->value;
    if (!input || v->kind != TERM_PATCH)
        return lever_error(l, "not a part of an input, as 256x512*4");
    add_edit(l, (Edit){.kind = EDIT_HEIGHT, .where = input, .number = v->number, .text = ""});
    add_edit(l, (Edit){.kind = EDIT_WIDTH, .where = input, .number = v->width, .text = ""});
    l->v->run.patches = (int)v->count;
    return STATUS_OK;
}

const char **run_options_argv(Arena *a, const RunOptions *run, bool workers, size_t *ret_count)
{
    const struct {
        OptionId id;
        int value, preset;
    } option[] = {
#define RUN_OPTION(field, id, preset, what) {OPTION_##id, run->field, preset},
#include "graph/compile/run_options.def"
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

Status variant_apply(Arena *a, Variant *v, const Model *m, const LeverSetting *s, Diag *diag)
{
    static Status (*const lift[])(const Lift *) = {
#define LEVER(id, name, where, needs, effect, index, value, lift, help) lift_##lift,
#include "advisor/rules/levers.def"
    };
    Variant changed = *v;
    changed.compile = compile_options_copy(a, &v->compile);
    Lift l = {a, &changed, m, s, diag};
    Status st = lift[s->lever](&l);
    if (!st)
        *v = changed;
    return st;
}

bool variant_is_options_only(const Variant *v)
{
    return v->compile.nedit == 0 && v->nwithout == 0 && !v->without_borders;
}
