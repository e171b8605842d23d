/* Converts a model to opset 13, checks what the quantizer needs besides, and writes both files. */
#include "advisor/act/apply/apply_opset.h"

#include "advisor/message/markdown.h"
#include "advisor/message/phrase.h"
#include "graph/compile/machine.h"
#include "graph/compile/options.h"
#include "graph/compile/program.h"
#include "graph/onnx/onnx.h"
#include "graph/tflite/tflite.h"

static const char model_name[] = "model.onnx", changes_name[] = "CHANGES.md";

typedef struct {
    Arena *a;
    const Language *lang;
    Sdk sdk;
    const Model *converted;
    const OpsetReport *report;
} OpsetText;

static const char *number_text(const OpsetText *p, int64_t n)
{
    return arena_printf(p->a, "%lld", (long long)n);
}

/* The operators that it becomes; of the operator itself, that its inputs or attributes are others.
 */
static const char *form_text(Phrase *text, const OpsetText *p, const OpsetChange *c)
{
    if (strcmp(c->op, c->form) != 0)
        return c->form;
    return phrase_format(text, p->lang, PHRASE_OPSET_SAME, c->op, number_text(p, OPSET_CONVERTED),
                         NULL);
}

static void put_changed_operators(FILE *out, const OpsetText *p)
{
    const OpsetReport *r = p->report;
    Phrase text;
    if (r->nchange)
        fprintf(out, "\n%s\n|--|--|--|\n", phrase_text(p->lang, PHRASE_OPSET_COLUMNS));
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
        markdown_text(out, phrase_format(&paragraph, (p)->lang, __VA_ARGS__, NULL));               \
        putc('\n', out);                                                                           \
    } while (0)

void apply_opset_put(FILE *out, Arena *a, const Language *lang, const OpsetReport *report,
                     const Model *converted, Sdk sdk)
{
    const OpsetText *p = &(OpsetText){a, lang, sdk, converted, report};
    const OpsetReport *r = report;
    const char *before = number_text(p, r->opset), *after = number_text(p, OPSET_CONVERTED);
    Phrase text;
    fputs("\n## ", out);
    PhraseId title = r->opset == OPSET_CONVERTED ? PHRASE_OPSET_TITLE_KEPT : PHRASE_OPSET_TITLE;
    markdown_text(out, phrase_format(&text, p->lang, title, before, after, NULL));
    putc('\n', out);
    put_changed_operators(out, p);
    if (r->nolder)
        PUT_PARAGRAPH(out, p, PHRASE_OPSET_OLDER, number_text(p, r->nolder));
    if (p->converted->ir_version != r->ir_version)
        PUT_PARAGRAPH(out, p, PHRASE_OPSET_IR, number_text(p, r->ir_version),
                      number_text(p, p->converted->ir_version), sdk_text(p->sdk));
    PUT_PARAGRAPH(out, p, PHRASE_OPSET_VALUES, number_text(p, r->ndescribed));
    PUT_PARAGRAPH(out, p, PHRASE_OPSET_EQUAL);
}

Status apply_opset_convert(Arena *a, Model **m, Sdk sdk, Notes *notes, OpsetReport *ret_report,
                           Diag *diag)
{
    Status st = model_convert_opset(a, *m, program_newest_ir(sdk), m, ret_report, diag);
    if (!st && ret_report->unknown)
        notes_add(notes, "opset-unknown", phrase_arg(PHRASE_NOTE_OPSET_UNKNOWN),
                  arg_text(ret_report->unknown));
    return st;
}

static Status write_opset_files(Arena *a, const AdviseRequest *q, const char *folder,
                                const Model *converted, const OpsetReport *report, Diag *diag)
{
    const char *model = arena_printf(a, "%s/%s", folder, model_name);
    OutFile f;
    Phrase text;
    Status st = apply_make_folder(folder, diag);
    st = st ? st : apply_check_overwrite(q->model_path, model, diag);
    st = st ? st : onnx_write(converted, model, diag);
    st = st ? st : file_out_open(&f, arena_printf(a, "%s/%s", folder, changes_name), diag);
    if (st)
        return st;
    fputs("# ", f.stream);
    markdown_text(f.stream, phrase_format(&text, q->lang, PHRASE_CHANGES, model_name, NULL));
    putc('\n', f.stream);
    apply_opset_put(f.stream, a, q->lang, report, converted, q->baseline.compile.sdk);
    return file_out_commit(&f, diag);
}

Status apply_opset_write(Arena *a, const AdviseRequest *q, const char *folder, Applied *ret,
                         OpsetReport *ret_report, Diag *diag)
{
    static const char *const file[] = {model_name, changes_name};
    const CompileOptions *o = &q->baseline.compile;
    Model *loaded;
    Status st = model_load(a, q->model_path, q->notes, &loaded, diag);
    if (st)
        return st;
    bool widened;
    st = model_widen(a, &loaded, &widened, diag);
    Model *m = loaded;
    st = st ? st : model_bind_dims(a, &m, o->dim, o->ndim, diag);
    st = st ? st : apply_opset_convert(a, &m, o->sdk, q->notes, ret_report, diag);
    if (!st && widened)
        notes_add(q->notes, "float16", phrase_arg(PHRASE_WIDENED));
    if (!st && ret_report->refused)
        notes_add(q->notes, "opset-refused", phrase_arg(PHRASE_NOTE_OPSET_REFUSED),
                  arg_text(ret_report->refused));
    st = st ? st : write_opset_files(a, q, folder, m, ret_report, diag);
    model_close(loaded);
    *ret =
        (Applied){.file = file, .nfile = 2, .model = arena_printf(a, "%s/%s", folder, model_name)};
    CompileOptions next = *o;
    next.ndim = 0; /* the dimensions are bound in the model */
    ret->word = compile_options_argv(a, &next, &ret->nword);
    return st;
}
