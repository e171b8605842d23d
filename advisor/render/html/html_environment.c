/* Writes the last section, with the model, traces and set-up of the analysis and the command that
 * makes this page again. */
#include "advisor/render/html/html.h"
#include "advisor/report/command_words.h"
#include "advisor/report/setup_text.h"

static void write_tensor(Page *p, const ResultTensor *t)
{
    html_open(p->h, "code", NULL);
    html_name(p->h, t->name, PAGE_NAME);
    html_close(p->h);
    html_textf(p->h, " %s ", t->dtype);
    for (size_t i = 0; i < t->shape.count; i++) {
        const ResultDim *dim = &t->shape.item[i];
        html_text(p->h, i ? "×" : "");
        if (dim->size.known)
            html_textf(p->h, "%lld", (long long)dim->size.value);
        else
            html_name(p->h, dim->name ? dim->name : "?", 24);
    }
    if (!t->shape.item)
        html_text(p->h, "?");
}

static void write_tensor_field(Page *p, PhraseId name, const ResultTensorList *tensors)
{
    page_field_open(p, name);
    for (size_t i = 0; i < tensors->count; i++) {
        if (i)
            html_void(p->h, "br", NULL);
        write_tensor(p, &tensors->item[i]);
    }
    page_field_close(p);
}

static void write_trace_fields(Page *p)
{
    for (size_t i = 0; i < p->result->traces.count; i++) {
        const ResultTrace *t = &p->result->traces.item[i];
        page_field_open(p, PHRASE_LABEL_TRACE);
        html_name(p->h, t->file, PAGE_NAME);
        html_textf(p->h, " (%s)", t->format);
        html_void(p->h, "br", NULL);
        html_leaf(p->h, "code", t->sha256, NULL);
        page_field_close(p);
    }
}

/* Every item of the set-up by who says it. */
static void write_setup(Page *p)
{
    static const ResultSetupSource source[] = {
        RESULT_SETUP_SOURCE_OPTION, RESULT_SETUP_SOURCE_SETTINGS, RESULT_SETUP_SOURCE_TRACE,
        RESULT_SETUP_SOURCE_DEFAULT};
    page_field_open(p, PHRASE_LABEL_SETUP);
    for (size_t i = 0, told = 0; i < sizeof source / sizeof *source; i++) {
        Phrase said;
        if (!*setup_sentence(&said, p->result->setup, source[i], p->lang))
            continue;
        if (told++)
            html_void(p->h, "br", NULL);
        html_text(p->h, said.text);
    }
    page_field_close(p);
}

static void write_notes(Page *p)
{
    const ResultTexts *notes = &p->result->notes;
    if (notes->count == 0)
        return;
    page_heading(p, "h3", PHRASE_NOTES);
    html_open(p->h, "ul", NULL);
    for (size_t i = 0; i < notes->count; i++)
        html_leaf(p->h, "li", notes->item[i], NULL);
    html_close(p->h);
}

static void unknown_operators(Page *p)
{
    const ResultCoverage *coverage = &p->result->coverage;
    page_field_open(p, PHRASE_COVERAGE_FIELD);
    page_number(p, (double)coverage->nodes_known);
    html_text(p->h, " / ");
    page_number(p, (double)coverage->nodes);
    for (size_t i = 0; i < coverage->unknown_ops.count; i++) {
        html_text(p->h, i ? ", " : "; ");
        html_name(p->h, coverage->unknown_ops.item[i], PAGE_NAME);
    }
    page_field_close(p);
}

static const char *report_command(Page *p)
{
    const ResultPlan *plan = p->summary.plan;
    bool ran = plan && plan->after.source != RESULT_SOURCE_PREDICTED;
    return arena_printf(p->a, "npu-advise %s%s%s", p->result->rate ? "tune " : "",
                        p->again ? p->again : command_words(p->a, p->result, NULL),
                        ran && !p->again ? " --verify" : "");
}

void html_environment(Page *p)
{
    static const PhraseId head[] = {PHRASE_COL_WHAT, PHRASE_COL_VALUE, PHRASE_COUNT};
    const ResultModel *model = &p->result->model;
    page_table_open(p, "environment", PHRASE_ENVIRONMENT_TABLE, head);
    page_field_open(p, PHRASE_TOOL);
    html_textf(p->h, "npu-advise %s", p->result->tool.version);
    page_field_close(p);
    page_field_open(p, PHRASE_LABEL_MODEL);
    html_name(p->h, model->file, PAGE_NAME);
    if (model->opset > 0)
        html_textf(p->h, ", opset %lld", (long long)model->opset);
    html_void(p->h, "br", NULL);
    html_leaf(p->h, "code", model->sha256, NULL);
    page_field_close(p);
    write_tensor_field(p, PHRASE_INPUTS, &model->inputs);
    write_tensor_field(p, PHRASE_OUTPUTS, &model->outputs);
    write_trace_fields(p);
    if (p->result->setup)
        write_setup(p);
    unknown_operators(p);
    page_table_close(p);
    write_notes(p);
    page_heading(p, "h3", PHRASE_REPRODUCE);
    page_command(p, report_command(p));
}
