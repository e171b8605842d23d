/* Implements `npu-advise inspect`, which lists tensors, MACs, totals and unknowns. */
#include "advisor/options/command.h"
#include "advisor/render/program/inspect.h"
#include "advisor/render/program/vendor_show.h"

#include "advisor/options/args.h"
#include "advisor/message/json.h"
#include "advisor/message/phrase.h"
#include "graph/compile/compile.h"
#include "graph/compile/machine.h"
#include "graph/import/imported.h"
#include "graph/infer/shape.h"
#include "graph/onnx/onnx.h"
#include "graph/tflite/tflite.h"
#include "graph/onnx/value_file.h"

/* DIR/input_<index>.pb or .npy; NULL when there is neither. */
static const char *value_path(Arena *a, const char *dir, size_t index)
{
    static const char *const ending[] = {"pb", "npy"};
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
        const char *path = arena_printf(a, "%s/input_%zu.%s", dir, index, ending[i]);
        if (access(path, R_OK) == 0)
            return path;
    }
    return NULL;
}

/* Inputs with a given value are constants: shapes that depend on them become known.  The files stay
 * mapped, `file` has room for one per input. */
static Status take_values(Context *c, Model *m, const char *dir, ValueFile *file, size_t *ret_nfile)
{
    Graph *g = m->graph;
    size_t n = 0;
    Status st = STATUS_OK;
    for (size_t i = 0; i < g->ninput && !st; i++) {
        Tensor *t = &g->tensor[g->input[i]];
        const char *path = value_path(c->arena, dir, i);
        if (!path || t->dtype == DT_UNKNOWN) /* a sequence is no tensor */
            continue;
        st = value_file_open(c->arena, path, &file[n], c->diag);
        if (st)
            break;
        t->shape = file[n].shape;
        if (t->dtype == file[n].value.dtype) /* bfloat16 is often stored as uint16 */
            t->value = &file[n].value;
        n++;
    }
    *ret_nfile = n;
    return st;
}

static void note_unused_dims(Context *c, const CompileOptions *o, const Model *m)
{
    for (size_t i = 0; i < o->ndim; i++)
        if (!shape_can_bind(m, o->dim[i].name))
            notes_add(c->notes, arena_printf(c->arena, "unused-dim %s", o->dim[i].name),
                      phrase_arg(PHRASE_NOTE_UNUSED_DIM), arg_text(o->dim[i].name));
}

/* Where it would run, unless inputs were given as constants; else the reason in `ret`. */
static Status add_program(Context *c, const Args *args, const Model *m, Inspection *ret)
{
    Machine *machine;
    Program *p;
    Diag *why = ARENA_NEW(c->arena, Diag);
    if (args_text(args, OPTION_INPUT_DIR, NULL))
        return STATUS_OK;
    Status st = machine_load(c->arena, args->compile.target_name, &machine, c->diag);
    if (!st && compile_model(c->arena, m, machine, &args->compile, NULL, &p, why))
        ret->refusal = why->text;
    else if (!st)
        ret->program = p;
    return st;
}

static Status print_inspection(Context *c, const Args *args, Model *m)
{
    const char *json = args_text(args, OPTION_JSON, NULL);
    note_unused_dims(c, &args->compile, m);
    Inspection x = {.file = file_base_name(args->positional[0]),
                    .every = args_flag(args, OPTION_VERBOSE)};
    bool only_json = json && strcmp(json, "-") == 0;
    Status st = only_json ? STATUS_OK : add_program(c, args, m, &x);
    if (st)
        return st;
    shape_infer(m, args->compile.dim, args->compile.ndim, args->compile.batch);
    cJSON *tree = json ? inspect_json(c->arena, m, NULL) : NULL;
    st = json ? json_save(tree, json, c->out, c->diag) : STATUS_OK;
    cJSON_Delete(tree);
    if (st || only_json)
        return st;
    x.tree = tree = inspect_json(c->arena, m, c->language);
    inspect_text(&(PhraseOut){c->out, c->language, c->arena}, &x);
    cJSON_Delete(tree);
    return st;
}

enum { PROBE_BYTES = 1 << 16 };

static bool is_vendor_graph(Context *c, const char *path)
{
    uint8_t *beginning = arena_alloc(c->arena, PROBE_BYTES);
    size_t n = file_in_peek(path, beginning, PROBE_BYTES);
    return n && imported_is_vendor((InFile){.data = beginning, .size = n});
}

static Status inspect_vendor_graph(Context *c, const Args *args)
{
    InFile file;
    Imported *g;
    Status st = file_in_open(&file, args->positional[0], 0, c->diag);
    if (st)
        return st;
    st = imported_read(c->arena, file, &g, c->diag);
    if (!st)
        vendor_show_text(&(PhraseOut){c->out, c->language, c->arena}, g->vendor,
                         args_flag(args, OPTION_VERBOSE));
    file_in_close(&file);
    return st;
}

Status cmd_inspect(Context *c, const Args *args)
{
    Model *m;
    Status st = args_positional(args, 1, 1, "a model", c->diag);
    if (!st && !args_text(args, OPTION_JSON, NULL) && is_vendor_graph(c, args->positional[0]))
        return inspect_vendor_graph(c, args);
    st = st ? st : model_load(c->arena, args->positional[0], c->notes, &m, c->diag);
    if (st)
        return st;
    const char *dir = args_text(args, OPTION_INPUT_DIR, NULL);
    ValueFile *file = ARENA_ARRAY(c->arena, ValueFile, m->graph->ninput + 1);
    size_t nfile = 0;
    if (dir)
        st = take_values(c, m, dir, file, &nfile);
    st = st ? st : print_inspection(c, args, m);
    for (size_t i = 0; i < nfile; i++)
        value_file_close(&file[i]);
    model_close(m);
    return st;
}
