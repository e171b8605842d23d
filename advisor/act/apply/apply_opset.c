/* Converts a model to opset 13, checks what the quantizer needs besides, and writes both files. */
#include "advisor/act/apply/apply_opset.h"

#include "advisor/act/apply/bundle.h"
#include "advisor/message/markdown.h"
#include "advisor/message/phrase.h"
#include "graph/compile/machine.h"
#include "graph/compile/options.h"
#include "graph/edit/edit.h"
#include "graph/onnx/onnx.h"
#include "graph/tflite/tflite.h"

static const char model_name[] = "model.onnx", changes_name[] = "CHANGES.md";

typedef struct {
    Arena *a;
    const AdviseRequest *q;
    const char *folder;
    Model *model, *converted;
    OpsetReport report;
    Diag *diag;
} OpsetApply;

static int64_t newest_ir_of(const CompileOptions *o)
{
    return o->sdk >= SDK_0_10 ? OPSET_IR_SDK_0_10 : OPSET_IR_SDK_0_9;
}

/* --dim NAME=VALUE: the quantizer refuses free dimensions. */
static Status bind_dimensions(OpsetApply *p)
{
    const CompileOptions *o = &p->q->baseline.compile;
    Edit *edit = ARENA_ARRAY(p->a, Edit, o->ndim + 1);
    for (size_t i = 0; i < o->ndim; i++)
        edit[i] = (Edit){.kind = EDIT_BIND_DIM, .where = o->dim[i].name, .number = o->dim[i].value};
    return o->ndim ? model_edit(p->a, p->model, edit, o->ndim, &p->model, p->diag) : STATUS_OK;
}

static const char *number_text(const OpsetApply *p, int64_t n)
{
    return arena_printf(p->a, "%lld", (long long)n);
}

/* The operators that it becomes; of the operator itself, that its inputs or attributes are others.
 */
static const char *form_text(Phrase *text, const OpsetApply *p, const OpsetChange *c)
{
    if (strcmp(c->op, c->form) != 0)
        return c->form;
    return phrase_format(text, p->q->lang, PHRASE_OPSET_SAME, c->op,
                         number_text(p, OPSET_CONVERTED), NULL);
}

static void put_changed_operators(FILE *out, const OpsetApply *p)
{
    const OpsetReport *r = &p->report;
    Phrase text;
    if (r->nchange)
        fprintf(out, "\n%s\n|--|--|--|\n", phrase_text(p->q->lang, PHRASE_OPSET_COLUMNS));
    for (size_t i = 0; i < r->nchange; i++) {
        fputs("| ", out);
        markdown_text(out, r->change[i].op);
        fprintf(out, " | %u | ", r->change[i].count);
        markdown_text(out, form_text(&text, p, &r->change[i]));
        fputs(" |\n", out);
    }
}

/* A paragraph; its arguments end with NULL. */
#define PUT_PARAGRAPH(out, p, ...)                                                                 \
    do {                                                                                           \
        Phrase paragraph;                                                                          \
        putc('\n', out);                                                                           \
        markdown_text(out, phrase_format(&paragraph, (p)->q->lang, __VA_ARGS__, NULL));            \
        putc('\n', out);                                                                           \
    } while (0)

static void put_changes(FILE *out, const OpsetApply *p)
{
    const OpsetReport *r = &p->report;
    const char *before = number_text(p, r->opset), *after = number_text(p, OPSET_CONVERTED);
    Phrase text;
    fputs("# ", out);
    markdown_text(out, phrase_format(&text, p->q->lang, PHRASE_CHANGES, model_name, NULL));
    fputs("\n\n## ", out);
    PhraseId title = r->opset == OPSET_CONVERTED ? PHRASE_OPSET_TITLE_KEPT : PHRASE_OPSET_TITLE;
    markdown_text(out, phrase_format(&text, p->q->lang, title, before, after, NULL));
    putc('\n', out);
    put_changed_operators(out, p);
    if (r->nolder)
        PUT_PARAGRAPH(out, p, PHRASE_OPSET_OLDER, number_text(p, r->nolder));
    if (p->converted->ir_version != r->ir_version)
        PUT_PARAGRAPH(out, p, PHRASE_OPSET_IR, number_text(p, r->ir_version),
                      number_text(p, p->converted->ir_version),
                      sdk_text(p->q->baseline.compile.sdk));
    PUT_PARAGRAPH(out, p, PHRASE_OPSET_VALUES, number_text(p, r->ndescribed));
    PUT_PARAGRAPH(out, p, PHRASE_OPSET_EQUAL);
}

static Status write_opset_files(OpsetApply *p)
{
    const char *model = arena_printf(p->a, "%s/%s", p->folder, model_name);
    const char *changes = arena_printf(p->a, "%s/%s", p->folder, changes_name);
    OutFile f;
    Status st = apply_make_folder(p->folder, p->diag);
    st = st ? st : apply_check_overwrite(p->model->path, model, p->diag);
    st = st ? st : onnx_write(p->converted, model, p->diag);
    st = st ? st : file_out_open(&f, changes, p->diag);
    if (st)
        return st;
    put_changes(f.stream, p);
    return file_out_commit(&f, p->diag);
}

/* What stops the quantizer although the opset is right. */
static void note_obstacles(const OpsetApply *p)
{
    if (p->report.unknown)
        notes_add(p->q->notes, "opset-unknown", phrase_arg(PHRASE_NOTE_OPSET_UNKNOWN),
                  arg_text(p->report.unknown));
    if (p->report.refused)
        notes_add(p->q->notes, "opset-refused", phrase_arg(PHRASE_NOTE_OPSET_REFUSED),
                  arg_text(p->report.refused));
}

static Status convert_and_write(OpsetApply *p)
{
    Status st = bind_dimensions(p);
    if (!st)
        st = model_convert_opset(p->a, p->model, newest_ir_of(&p->q->baseline.compile),
                                 &p->converted, &p->report, p->diag);
    st = st ? st : write_opset_files(p);
    if (!st)
        note_obstacles(p);
    return st;
}

/* Options to go on with: the dimensions are bound in the model. */
static void spell_target(const OpsetApply *p, Applied *ret)
{
    CompileOptions o = p->q->baseline.compile;
    o.ndim = 0;
    ret->word = compile_options_argv(p->a, &o, &ret->nword);
}

Status apply_opset_write(Arena *a, const AdviseRequest *q, const char *folder, Applied *ret,
                         OpsetReport *ret_report, Diag *diag)
{
    static const char *const file[] = {model_name, changes_name};
    OpsetApply p = {.a = a, .q = q, .folder = folder, .diag = diag};
    Model *loaded;
    Status st = model_load(a, q->model_path, q->notes, &loaded, diag);
    if (st)
        return st;
    p.model = loaded;
    st = convert_and_write(&p);
    model_close(loaded);
    *ret_report = p.report;
    *ret =
        (Applied){.file = file, .nfile = 2, .model = arena_printf(a, "%s/%s", folder, model_name)};
    spell_target(&p, ret);
    return st;
}
