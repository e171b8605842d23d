/* Sorts every setting of the plan by where it is made, then writes the files of
 * the bundle in that order. */
#include "advisor/act/apply/apply.h"

#include "advisor/act/apply/apply_opset.h"
#include "advisor/act/apply/bundle.h"
#include "advisor/candidate/quantize_model.h"
#include "advisor/message/figure.h"
#include "advisor/message/markdown.h"
#include "advisor/message/phrase.h"
#include "graph/model/stored_ranges.h"
#include "advisor/report/command_words.h"
#include "advisor/report/summary.h"
#include "advisor/report/verdict.h"
#include "advisor/rules/lever.h"
#include "graph/compile/machine.h"
#include "graph/compile/options.h"
#include "graph/edit/edit.h"
#include "graph/model/dtype.h"
#include "graph/onnx/onnx.h"
#include "graph/tflite/tflite.h"
#include "graph/tflite/tflite_write.h"
#include "graph/infer/ops.h"
#include "graph/infer/shape.h"
#include "graph/options/option.h"

/* Where a setting ends up. */
typedef enum { IN_MODEL, IN_QUANTIZE, IN_CONFIG, AT_COMPILER, AT_RUNTIME, BY_HAND, NOWHERE } Place;

typedef struct {
    Arena *a;
    const char *folder, *name; /* name: of the model file, without its folder */
    const Language *lang;      /* of CHANGES.md */
    Model *model, *edited;     /* as given; as written, where anything in it changed */
    bool widened;              /* the file's numbers are float16, those written float32 */
    bool quantized; /* the model carries its own QuantizeLinear: types are changed in it */
    Variant variant;
    size_t tail_choices; /* of rows, in tail.onnx before it works on them */
    bool sets_run, has_config, has_tail, converted, has_quantized;
    const char *refused;         /* why the quantizer takes the model in no form; NULL */
    const char *template_family; /* whose bundles are templates; NULL: FuriosaAI's quantizer */
    OpsetReport opset;
    Notes *notes;
    Sdk sdk_before;
    Edit *edit, *type; /* type: of inputs and outputs */
    size_t nedit, cap_edit, ntype, cap_type;
    const char **file;
    size_t nfile, cap_file;
    Diag *diag;
} Apply;

/* A float model gets its types from the vendor's quantizer, which has still to run. */
static Place lever_destination(const Apply *p, LeverId lever)
{
    const Lever *l = &lever_table[lever];
    if (l->effect == EFFECT_FIGURE)
        return NOWHERE;
    if (l->effect == EFFECT_EDIT)
        return IN_MODEL;
    if (lever == LEVER_INPUT_DTYPE || lever == LEVER_OUTPUT_DTYPE)
        return p->quantized                        ? IN_MODEL
               : p->model->source                  ? BY_HAND
               : p->variant.compile.sdk >= SDK_0_9 ? IN_QUANTIZE
                                                   : IN_CONFIG;
    if (lever == LEVER_PERMUTE_INPUT || lever == LEVER_COMPILER_CONFIG)
        return IN_CONFIG;
    return !strcmp(l->where, "runtime") ? AT_RUNTIME : AT_COMPILER;
}

/* A change of type that the model can carry itself. */
static Status add_type_edit(Apply *p, const LeverSetting *s)
{
    const char *port = lever_port(p->model->graph, &s->index);
    LeverWords words = lever_words(p->a, s);
    Edit e = {.kind = s->lever == LEVER_INPUT_DTYPE ? EDIT_INPUT_DTYPE : EDIT_OUTPUT_DTYPE,
              .where = port,
              .text = words.value};
    if (s->index.kind == TERM_TENSOR)
        e = (Edit){.kind = EDIT_OUTPUT_DTYPE, .where = s->index.text, .text = words.value};
    else if (!port)
        return diag_set(p->diag, STATUS_USAGE, NULL, words.lever,
                        "there is no input or output '%s'", words.index);
    *VEC_PUSH(p->a, p->type, p->ntype, p->cap_type) = e;
    return STATUS_OK;
}

static Status apply_lever(Apply *p, const ResultLever *lever)
{
    LeverId id = lever_find(lever->lever);
    if (id == LEVER_COUNT)
        return diag_set(p->diag, STATUS_USAGE, NULL, lever->lever, "no such lever");
    LeverSetting s = lever_setting(p->a, id, lever->index, lever->value);
    Place place = lever_destination(p, id);
    p->sets_run |= place == AT_RUNTIME || place == AT_COMPILER;
    if (place == NOWHERE)
        return STATUS_OK;
    if (place == IN_MODEL && lever_table[id].effect != EFFECT_EDIT)
        return add_type_edit(p, &s);
    return variant_apply(p->a, &p->variant, p->model, &s, p->diag);
}

/* Types come after what makes an output, or takes away what hides its scale, and before pads, which
 * hide the scale of a channel. */
static void add_edits(Apply *p, bool pads)
{
    const CompileOptions *o = &p->variant.compile;
    for (size_t i = 0; i < o->nedit; i++)
        if ((o->edit[i].kind == EDIT_PAD_OUTPUT) == pads)
            *VEC_PUSH(p->a, p->edit, p->nedit, p->cap_edit) = o->edit[i];
}

static Status apply_levers(Apply *p, const Chosen *chosen)
{
    const ResultLeverList *levers = &chosen->plan->levers;
    for (size_t i = 0; i < levers->count; i++) {
        Status st = apply_lever(p, &levers->item[i]);
        if (st)
            return st;
    }
    add_edits(p, false);
    for (size_t i = 0; i < p->ntype; i++)
        *VEC_PUSH(p->a, p->edit, p->nedit, p->cap_edit) = p->type[i];
    add_edits(p, true);
    p->variant.compile.nedit = 0;
    return STATUS_OK;
}

static const char *in_folder(const Apply *p, const char *name)
{
    return arena_printf(p->a, "%s/%s", p->folder, name);
}

/* NULL: nothing was written. */
static void add_file(Apply *p, const char *name)
{
    if (name)
        *VEC_PUSH(p->a, p->file, p->nfile, p->cap_file) = name;
}

/* A TensorFlow Lite model as such, where such a file can say the edits; else as ONNX. */
static Status write_edited(Apply *p, const Model *edited)
{
    bool done = false;
    Status st = STATUS_OK;
    if (p->model->source)
        st = tflite_write(p->a, p->model, edited, in_folder(p, "model.tflite"), &done, p->diag);
    if (done)
        p->name = "model.tflite";
    return st || done ? st : onnx_write(edited, in_folder(p, p->name), p->diag);
}

static bool is_float_onnx(const Apply *p)
{
    return !p->quantized && !p->model->source;
}

/* A float model has to be quantized again once it, a type at its border, or the quantizer is
 * another, or FuriosaAI's takes it only as converted here; the vendor's quantizer takes ONNX alone.
 */
static bool needs_quantizer(const Apply *p)
{
    const CompileOptions *o = &p->variant.compile;
    return is_float_onnx(p) &&
           (p->nedit || o->ninput_dtype || o->noutput_dtype || o->sdk != p->sdk_before ||
            (p->model->opset > OPSET_CONVERTED && !p->template_family));
}

/* The quantizer finds ranges of the float model's tensors: one that an edit makes has none. */
static Status check_ranges(const Apply *p)
{
    const Tensor *t = stored_ranges_first_without_range(p->edited, p->model);
    return t ? diag_set(p->diag, STATUS_INPUT, p->model->path, NULL,
                        "is quantized by SDK 0.10, and tensor '%s' of the changed graph has no "
                        "range; apply the change to the float model and quantize that",
                        t->name)
             : STATUS_OK;
}

/* What optimize_model of FuriosaAI's packages refuses. */
static Status convert_for_quantizer(Apply *p)
{
    if (!needs_quantizer(p) || p->template_family)
        return STATUS_OK;
    p->converted = true;
    Status st =
        apply_opset_convert(p->a, &p->edited, p->variant.compile.sdk, p->notes, &p->opset, p->diag);
    return st || !p->refused
               ? st
               : diag_set(p->diag, STATUS_INPUT, p->model->path, NULL, "%s", p->refused);
}

static Status edit_model(Apply *p)
{
    if (p->nedit == 0 && !p->widened && !needs_quantizer(p))
        return STATUS_OK;
    Status st = model_edit(p->a, p->model, p->edit, p->nedit, &p->edited, p->diag);
    st = st ? st : check_ranges(p);
    return st ? st : convert_for_quantizer(p);
}

static Status write_model(Apply *p)
{
    if (!p->edited)
        return STATUS_OK;
    Status st = apply_check_overwrite(p->model->path, in_folder(p, p->name), p->diag);
    st = st ? st : write_edited(p, p->edited);
    if (!st)
        add_file(p, p->name);
    return st;
}

/* With --data, writes the model as the quantizer of SDK 0.10 quantizes it. */
static void write_quantized(Apply *p, const AdviseRequest *q)
{
    CompileOptions o = p->variant.compile;
    const char *name = bundle_quantized_name(o.sdk);
    const QuantizeRequest asked = {.model = in_folder(p, p->name),
                                   .compile = &o,
                                   .data = q->data,
                                   .preprocess = q->preprocess,
                                   .images = q->images,
                                   .method = "min-max",
                                   .keeps_floats = true,
                                   .helper = q->helper,
                                   .notes = p->notes};
    QuantizeResult r;
    Diag diag;
    if (!q->data || !p->converted || o.sdk < SDK_0_10)
        return;
    o.ndim = 0;
    Status st = quantize_model(p->a, &asked, &r, &diag);
    st = st ? st : onnx_write(r.model, in_folder(p, name), &diag);
    p->has_quantized = !st;
    if (st)
        notes_add(p->notes, "not-quantized", phrase_arg(PHRASE_NOTE_NOT_QUANTIZED),
                  arg_text(diag.text));
    else
        add_file(p, name);
}

/* What a cut leaves over, for any ONNX runtime. */
static Status write_tail(Apply *p)
{
    const char *name = "tail.onnx";
    Model *tail;
    for (size_t i = 0; i < p->nedit; i++)
        p->has_tail |= p->edit[i].kind == EDIT_CUT_TAIL;
    if (!p->has_tail)
        return STATUS_OK;
    Status st = model_tail(p->a, p->model, p->edit, p->nedit, &tail, &p->tail_choices, p->diag);
    st = st ? st : onnx_write(tail, in_folder(p, name), p->diag);
    if (!st)
        add_file(p, name);
    return st;
}

/* The value of the option that permutes inputs, as it is spelled; NULL: none is needed. */
static const char *permute_option_value(const Apply *p)
{
    size_t n;
    const char **word = compile_options_argv(p->a, &p->variant.compile, &n);
    for (size_t i = 0; i + 1 < n; i++)
        if (!strcmp(word[i], option_flag(OPTION_PERMUTE_INPUT)))
            return word[i + 1];
    return NULL;
}

static bool is_given(const IoType *list, size_t n, const char *name)
{
    return LIST_ANY(i, n, strcmp(list[i].name, name) == 0);
}

/* Before 0.9 the compiler takes the conversion of pixels away, all inputs in one list. */
static void put_without_quantize(FILE *out, const Apply *p)
{
    const CompileOptions *o = &p->variant.compile;
    const Graph *g = p->model->graph;
    fputs("without_quantize:\n  parameters:\n", out);
    for (size_t i = 0; i < g->ninput; i++) {
        if (!is_given(o->input_dtype, o->ninput_dtype, g->tensor[g->input[i]].name))
            continue;
        fputs("  - {input_min: 0.0, input_max: 255.0", out);
        for (int k = 0; i < o->npermute && k < o->permute[i].rank; k++)
            fprintf(out, "%s%d%s", k ? ", " : ", permute: [", o->permute[i].axis[k],
                    k + 1 == o->permute[i].rank ? "]" : "");
        fputs("}\n", out);
    }
}

static Status write_config(Apply *p)
{
    const CompileOptions *o = &p->variant.compile;
    const char *permute = permute_option_value(p), *name = "compiler.yaml";
    bool old = o->sdk < SDK_0_9 && !p->quantized && o->ninput_dtype;
    OutFile f;
    p->has_config = permute || o->nconfig || old;
    if (!p->has_config)
        return STATUS_OK;
    Status st = file_out_open(&f, in_folder(p, name), p->diag);
    if (st)
        return st;
    if (old)
        put_without_quantize(f.stream, p);
    if (permute && o->sdk >= SDK_0_9)
        fprintf(f.stream, "permute_input: %s\n", permute);
    for (size_t i = 0; i < o->nconfig; i++)
        fprintf(f.stream, "%s: %s\n", o->compiler_config[i].key, o->compiler_config[i].value);
    st = file_out_commit(&f, p->diag);
    if (!st)
        add_file(p, name);
    return st;
}

static void put_where(FILE *out, const Apply *p, const ResultLeverList *levers)
{
    static const PhraseId text[] = {
        [IN_MODEL] = PHRASE_DONE_IN_MODEL,   [IN_QUANTIZE] = PHRASE_DONE_IN_QUANTIZE,
        [IN_CONFIG] = PHRASE_DONE_IN_CONFIG, [AT_COMPILER] = PHRASE_DO_AT_COMPILER,
        [AT_RUNTIME] = PHRASE_DO_AT_RUNTIME, [BY_HAND] = PHRASE_DO_BY_HAND,
        [NOWHERE] = PHRASE_DO_YOURSELF};
    static_assert(sizeof text / sizeof *text == NOWHERE + 1, "a phrase for each place");
    Phrase words;
    for (size_t i = 0; i < levers->count; i++) {
        const ResultLever *x = &levers->item[i];
        fputs("- ", out);
        markdown_text(out, phrase_text(p->lang, text[lever_destination(p, lever_find(x->lever))]));
        fputs(": ", out);
        markdown_text(out,
                      lever_sentence(&words, p->lang, (LeverWords){x->lever, x->index, x->value}));
        putc('\n', out);
    }
    if (levers->count == 0)
        fprintf(out, "- %s\n", phrase_text(p->lang, PHRASE_DO_BY_HAND));
}

/* A paragraph of CHANGES.md. */
static void put_phrase(FILE *out, const Apply *p, PhraseId id)
{
    char batch[24];
    Phrase text;
    snprintf(batch, sizeof batch, "%lld", (long long)p->variant.compile.batch);
    fputs("\n", out);
    markdown_text(out, phrase_format(&text, p->lang, id, batch, NULL));
    putc('\n', out);
}

/* What it saves after the changes above it, and where it is set. */
static void put_saving(FILE *out, const Apply *p, const ResultPlanChange *row,
                       const ResultChange *x, const char *unit)
{
    const char *where = result_fix_where_words[x->fix.where], *sdk = x->fix.sdk;
    const ResultInterval *v = row->saves;
    Figure f;
    Phrase text;
    where = phrase_by_key(p->lang, "WHERE_", where ? where : "?");
    if (v)
        fprintf(out, "\n%s",
                phrase_format(&text, p->lang,
                              !strcmp(unit, "ns") ? PHRASE_CHANGE_GAINS : PHRASE_CHANGE_ADDS,
                              figure_interval(&f, v->lo, v->mid, v->hi, unit), NULL));
    fprintf(out, "\n%s\n\n",
            phrase_format(&text, p->lang, x->fix.code ? PHRASE_CHANGE_SETS : PHRASE_CHANGE_PROSE,
                          sdk, where, NULL));
}

/* Code as a block, sentences as a list. */
static void put_fix(FILE *out, const Apply *p, const ResultFix *fix)
{
    if (fix->code)
        markdown_block(out, fix->text);
    for (const char *line = fix->code ? "" : fix->text; *line;) {
        size_t n = strcspn(line, "\n");
        fputs("- ", out);
        markdown_text(out, arena_strndup(p->a, line, n));
        putc('\n', out);
        line += n + (line[n] == '\n');
    }
}

static void put_change(FILE *out, const Apply *p, const Chosen *chosen, const ResultPlanChange *row)
{
    const ResultChange *x = summary_change(chosen->result, row->id);
    fprintf(out, "\n## %s%s", x->rule_id, *x->rule_id ? " " : "");
    markdown_text(out, x->title);
    fputs("\n\n", out);
    put_where(out, p, &x->levers);
    put_saving(out, p, row, x, summary_unit(chosen->result));
    put_fix(out, p, &x->fix);
    fprintf(out, "\n%s ", phrase_text(p->lang, PHRASE_CHANGE_RISKS));
    markdown_text(out, x->risk);
    putc('\n', out);
}

static void put_crossing(FILE *out, const Crossing *c, size_t index, const char *elsewhere)
{
    fprintf(out, "| %zu | ", index);
    markdown_code(out, c->name);
    fputs(" | ", out);
    markdown_text(out, c->shape);
    fprintf(out, " | %s | ", dtype_name(c->dtype));
    if (c->scaled && c->dtype != DT_FLOAT32)
        fprintf(out, "%.9g | %lld |\n", c->scale, (long long)c->zero);
    else
        fprintf(out, "%s | %s |\n", c->dtype == DT_FLOAT32 ? "-" : elsewhere,
                c->dtype == DT_FLOAT32 ? "-" : elsewhere);
}

/* Fed as float before, and as the codes of a model that is quantized already now. */
static bool became_codes(const Apply *p, const Crossing *c)
{
    const Graph *g = p->model->graph;
    return LIST_VALUE(i, g->ninput, strcmp(g->tensor[g->input[i]].name, c->name) == 0,
                      dtype_is_float(g->tensor[g->input[i]].dtype) && !dtype_is_float(c->dtype),
                      false);
}

/* Order, types, scales and zero points of the application's inputs and outputs. */
static void put_border(FILE *out, const Apply *p, const Bundle *b)
{
    size_t ninput, n;
    bool pixels = false, codes = false, fed = false, script = needs_quantizer(p);
    const Crossing *c = bundle_crossings(b, &ninput, &n);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || i == ninput) {
            fputs("\n## ", out);
            markdown_text(out, phrase_text(p->lang, i < ninput ? PHRASE_BORDER_INPUTS
                                                               : PHRASE_BORDER_OUTPUTS));
            fprintf(out, "\n\n%s\n|--|--|--|--|--|--|\n",
                    phrase_text(p->lang, PHRASE_BORDER_COLUMNS));
        }
        put_crossing(out, &c[i], i < ninput ? i : i - ninput, script ? "quantize.py" : "?");
        fed |= i < ninput && !script && became_codes(p, &c[i]);
        pixels |= i < ninput && c[i].dtype == DT_UINT8 && c[i].model_dtype == DT_FLOAT32;
        codes |= i >= ninput && c[i].dtype == DT_INT8;
    }
    fputs("\n", out);
    markdown_text(out, phrase_text(p->lang, PHRASE_BORDER_CODES));
    if (script) {
        putc(' ', out);
        markdown_text(out, phrase_text(p->lang, PHRASE_BORDER_SCRIPT));
    }
    putc('\n', out);
    if (fed)
        put_phrase(out, p, PHRASE_BORDER_FED);
    if (p->variant.compile.batch > 1)
        put_phrase(out, p, PHRASE_BORDER_BATCH);
    if (p->has_tail && LIST_ANY(i, p->nedit, p->edit[i].kind == EDIT_PAD_OUTPUT))
        put_phrase(out, p, PHRASE_BORDER_UNPAD);
    if (p->tail_choices)
        put_phrase(out, p, PHRASE_BORDER_CHOICES);
    if (p->has_tail && codes)
        put_phrase(out, p, PHRASE_BORDER_TAIL);
    if (pixels)
        put_phrase(out, p, PHRASE_BORDER_PIXELS);
}

static Status write_changes(Apply *p, const Bundle *b, const Chosen *chosen)
{
    const char *name = "CHANGES.md";
    OutFile f;
    Phrase title;
    Summary d = summary_of(chosen->result);
    Status st = file_out_open(&f, in_folder(p, name), p->diag);
    if (st)
        return st;
    fputs("# ", f.stream);
    markdown_text(f.stream, phrase_format(&title, p->lang, PHRASE_CHANGES_PLAN,
                                          chosen->result->model.file, chosen->plan->id, NULL));
    fputs("\n\n", f.stream);
    markdown_text(f.stream, verdict_plan(&title, chosen->result, &d, chosen->plan, p->lang));
    fputs("\n\n", f.stream);
    if (p->widened) {
        markdown_text(f.stream, chosen->result->widened);
        fputs("\n\n", f.stream);
    }
    markdown_code(f.stream,
                  arena_printf(p->a, "npu-advise apply %s --plan %s",
                               command_words(p->a, chosen->result, NULL), chosen->plan->id));
    putc('\n', f.stream);
    for (size_t i = 0; i < chosen->plan->changes.count; i++)
        put_change(f.stream, p, chosen, &chosen->plan->changes.item[i]);
    if (p->converted && (p->opset.opset != OPSET_CONVERTED || p->opset.nchange ||
                         p->opset.ir_version != p->edited->ir_version))
        apply_opset_put(f.stream, p->a, p->lang, &p->opset, p->edited, p->variant.compile.sdk);
    put_border(f.stream, p, b);
    st = file_out_commit(&f, p->diag);
    if (!st)
        add_file(p, name);
    return st;
}

/* Options of the written model: those given, less what is now in the model, plus the settings. */
static void spell_options(const Apply *p, Applied *ret)
{
    size_t n, nrun;
    CompileOptions compile = p->variant.compile;
    if (p->edited)
        compile.ndim = 0; /* they are bound in the model */
    compile_options_shorten_types(p->a, &compile, (p->edited ? p->edited : p->model)->graph);
    const char **given = compile_options_argv(p->a, &compile, &n);
    const RunOptions *o = &p->variant.run;
    const char **run = run_options_argv(p->a, o, o->workers_given, &nrun);
    const char **word = ARENA_ARRAY(p->a, const char *, n + nrun + 1);
    memcpy(word, given, n * sizeof *word);
    if (nrun)
        memcpy(word + n, run, nrun * sizeof *word);
    assert(!word[n + nrun]);
    ret->word = word;
    ret->nword = n + nrun;
}

static const char *ids_of(const Apply *p, const Chosen *chosen)
{
    const char *text = "";
    for (size_t i = 0; i < chosen->plan->changes.count; i++) {
        const ResultChange *x = summary_change(chosen->result, chosen->plan->changes.item[i].id);
        text =
            arena_printf(p->a, "%s%s%s", text, i ? ", " : "", *x->rule_id ? x->rule_id : x->title);
    }
    return text;
}

/* What stands beside the model. */
static Status write_bundle(Apply *p, const Chosen *chosen, const Applied *done)
{
    Bundle b = {.a = p->a,
                .folder = p->folder,
                .model = p->edited ? p->edited : p->model,
                .model_here = p->edited ? p->name : NULL,
                .variant = &p->variant,
                .has_config = p->has_config,
                .sets_run = p->sets_run,
                .quantizes = needs_quantizer(p),
                .has_quantized = p->has_quantized,
                .rules = ids_of(p, chosen),
                .option = done->word,
                .noption = done->nword,
                .goals = done->goals};
    const char *file[BUNDLE_FILES] = {NULL};
    Status st = STATUS_OK;
    if (p->template_family) {
        st = bundle_templates(&b, p->template_family, file, p->diag);
    } else {
        st = b.quantizes ? bundle_quantize(&b, &file[0], p->diag) : st;
        st = st ? st : bundle_runtime(&b, &file[1], p->diag);
        st = st ? st : bundle_reproduce(&b, &file[2], p->diag);
    }
    for (int i = 0; i < BUNDLE_FILES; i++)
        add_file(p, file[i]);
    return st ? st : write_changes(p, &b, chosen);
}

static Status set_option(Apply *p, OptionId id, const char *value)
{
    return compile_option_set(&p->variant.compile, p->a, id, value, p->diag);
}

/* A quantized model carries its types itself, those that were given too: its bundle has no other
 * place for them. */
static Status take_types(Apply *p, const ResultTextMap *types, bool input)
{
    const CompileOptions *o = &p->variant.compile;
    Status st = STATUS_OK;
    for (size_t i = 0; i < types->count && !st; i++) {
        const char *name = types->item[i].key, *text = types->item[i].value;
        if (p->quantized)
            *VEC_PUSH(p->a, p->edit, p->nedit, p->cap_edit) = (Edit){
                .kind = input ? EDIT_INPUT_DTYPE : EDIT_OUTPUT_DTYPE, .where = name, .text = text};
        else if (!(input ? is_given(o->input_dtype, o->ninput_dtype, name)
                         : is_given(o->output_dtype, o->noutput_dtype, name)))
            st = set_option(p, input ? OPTION_INPUT_DTYPE : OPTION_OUTPUT_DTYPE,
                            arena_printf(p->a, "%s=%s", name, text));
    }
    return st;
}

/* What was advised on is perhaps the trace's set-up, not that of the options. */
static Status take_setup(Apply *p, const Chosen *chosen)
{
    const ResultOptions *from = &chosen->result->options;
    RunOptions *run = &p->variant.run;
    CompileOptions *o = &p->variant.compile;
    int workers = from->workers.known ? (int)from->workers.value : run->workers;
    o->sdk = sdk_from_text(chosen->result->sdk);
    o->batch = from->batch.known ? from->batch.value : o->batch;
    run->workers_given |= workers != run->workers;
    run->workers = workers;
    run->devices = from->devices.known ? (int)from->devices.value : run->devices;
    Status st = set_option(p, OPTION_TARGET, chosen->result->target);
    st = st ? st : take_types(p, &from->input_dtype, true);
    st = st ? st : take_types(p, &from->output_dtype, false);
    if (st || from->permute_input.count == 0 || p->variant.compile.npermute)
        return st;
    return set_option(p, OPTION_PERMUTE_INPUT, command_permutation(p->a, &from->permute_input));
}

static Status read_family(Apply *p)
{
    Machine *machine;
    Status st = machine_load(p->a, p->variant.compile.target_name, &machine, p->diag);
    if (!st && bundle_has_templates(p->a, machine->family))
        p->template_family = machine->family;
    return st;
}

/* Dimensions of --dim; for the quantizer one image, too, where the first is free. */
static Status bind_dimensions(Apply *p)
{
    const CompileOptions *o = &p->variant.compile;
    if (is_float_onnx(p) && !p->template_family)
        return model_fix_dims(p->a, &p->model, o->dim, o->ndim, p->diag);
    return model_bind_dims(p->a, &p->model, o->dim, o->ndim, p->diag);
}

/* Constants alone have scales in a model whose weights are small and whose values are floats. */
static bool has_codes(const Graph *g, size_t node)
{
    const Node *n = &g->node[node];
    return n->op_id == OP_QuantizeLinear ||
           (n->op_id == OP_DequantizeLinear && !tensor_is_constant(g, n->input[0]));
}

Status apply_write(Arena *a, const AdviseRequest *q, const Chosen *chosen, const char *folder,
                   Applied *ret, Diag *diag)
{
    Apply p = {.a = a,
               .folder = folder,
               .lang = q->lang,
               .notes = q->notes,
               .variant = q->baseline,
               .refused = chosen->plan->bundle.refused,
               .diag = diag};
    Status st = model_load(a, q->model_path, q->notes, &p.model, diag);
    if (!st && chosen->result->widened)
        st = model_widen(a, &p.model, &p.widened, diag);
    if (st)
        return st;
    Model *loaded = p.model;
    const CompileOptions *o = &p.variant.compile;
    p.name = "model.onnx";
    p.quantized =
        p.model->stored_ranges || LIST_ANY(i, p.model->graph->nnode, has_codes(p.model->graph, i));
    compile_options_name_types(a, &p.variant.compile, p.model->graph);
    st = take_setup(&p, chosen);
    st = st ? st : read_family(&p);
    st = st ? st : bind_dimensions(&p);
    shape_infer(p.model, o->dim, o->ndim, 1); /* the compiler multiplies by the batch */
    p.sdk_before = p.variant.compile.sdk;
    st = st ? st : apply_levers(&p, chosen);
    st = st ? st : edit_model(&p);
    st = st ? st : apply_make_folder(folder, diag);
    st = st ? st : write_model(&p);
    if (!st)
        write_quantized(&p, q);
    st = st ? st : write_tail(&p);
    st = st ? st : write_config(&p);
    if (!st) {
        ret->model = p.edited ? in_folder(&p, p.name) : q->model_path;
        spell_options(&p, ret);
        ret->goals = command_goals(a, chosen->result);
        ret->simulated = !p.template_family;
        st = write_bundle(&p, chosen, ret);
    }
    if (!st) {
        ret->file = p.file;
        ret->nfile = p.nfile;
    }
    model_close(loaded);
    return st;
}
