/* Writes the last section with what was analysed and with what, and the command that makes this
 * page again. */
#include "advisor/render/html/html.h"
#include "advisor/report/tree_setup_text.h"
#include "advisor/message/json.h"

static void write_tensor(Page *p, const cJSON *t)
{
    const cJSON *shape = json_at(t, "shape");
    html_open(p->h, "code", NULL);
    html_name(p->h, json_text(t, "name", "?"), PAGE_NAME);
    html_close(p->h);
    html_textf(p->h, " %s ", json_text(t, "dtype", "?"));
    for (const cJSON *dim = json_first(shape, ""); dim; dim = dim->next) {
        if (cJSON_IsNumber(dim))
            html_textf(p->h, "%.0f", dim->valuedouble);
        else
            html_name(p->h, cJSON_IsString(dim) ? dim->valuestring : "?", 24);
        html_text(p->h, dim->next ? "×" : "");
    }
    if (!cJSON_IsArray(shape))
        html_text(p->h, "?");
}

static void write_tensor_field(Page *p, PhraseId name, const char *path)
{
    page_field_open(p, name);
    for (const cJSON *t = json_first(p->r, path); t; t = t->next) {
        write_tensor(p, t);
        if (t->next)
            html_void(p->h, "br", NULL);
    }
    page_field_close(p);
}

static void write_trace_fields(Page *p)
{
    for (const cJSON *t = json_first(p->r, "traces"); t; t = t->next) {
        page_field_open(p, PHRASE_LABEL_TRACE);
        html_name(p->h, json_text(t, "file", "?"), PAGE_NAME);
        html_textf(p->h, " (%s)", json_text(t, "format", "?"));
        html_void(p->h, "br", NULL);
        html_leaf(p->h, "code", json_text(t, "sha256", ""), NULL);
        page_field_close(p);
    }
}

/* Every option with its value, as the result spells it. */
static void write_options(Page *p)
{
    page_field_open(p, PHRASE_OPTIONS);
    for (const cJSON *o = json_first(p->r, "options"); o; o = o->next) {
        char *value = cJSON_PrintUnformatted(o);
        html_open(p->h, "code", NULL);
        html_textf(p->h, "%s: ", o->string ? o->string : "?");
        html_name(p->h, value ? value : "?", PAGE_NAME);
        html_close(p->h);
        cJSON_free(value);
        if (o->next)
            html_void(p->h, "br", NULL);
    }
    page_field_close(p);
}

/* Every item of the set-up by who says it. */
static void write_setup(Page *p)
{
    static const char *const source[] = {"option", "settings", "trace", "default"};
    page_field_open(p, PHRASE_LABEL_SETUP);
    for (size_t i = 0, told = 0; i < sizeof source / sizeof *source; i++) {
        Phrase said;
        if (!*tree_setup_sentence(&said, p->r, source[i], p->lang))
            continue;
        if (told++)
            html_void(p->h, "br", NULL);
        html_text(p->h, said.text);
    }
    page_field_close(p);
}

static void write_notes(Page *p)
{
    if (json_count(p->r, "notes") == 0)
        return;
    page_heading(p, "h3", PHRASE_NOTES);
    html_open(p->h, "ul", NULL);
    for (const cJSON *n = json_first(p->r, "notes"); n; n = n->next)
        html_leaf(p->h, "li", cJSON_IsString(n) ? n->valuestring : "?", NULL);
    html_close(p->h);
}

static void unknown_operators(Page *p)
{
    page_field_open(p, PHRASE_COVERAGE_FIELD);
    page_number(p, json_number_or(p->r, "coverage.nodes_known", 0));
    html_text(p->h, " / ");
    page_number(p, json_number_or(p->r, "coverage.nodes", 0));
    for (const cJSON *op = json_first(p->r, "coverage.unknown_ops"); op; op = op->next) {
        html_text(p->h, op->prev && op->prev->next ? ", " : "; ");
        html_name(p->h, cJSON_IsString(op) ? op->valuestring : "?", PAGE_NAME);
    }
    page_field_close(p);
}

static const char *report_command(Page *p)
{
    return arena_printf(p->a, "npu-advise %s%s",
                        p->again ? p->again : render_command_words(p->a, p->r, WORDS_AS_IT_RAN),
                        p->d.verified ? " --verify" : "");
}

void html_environment(Page *p)
{
    static const PhraseId head[] = {PHRASE_COL_WHAT, PHRASE_COL_VALUE, PHRASE_COUNT};
    page_table_open(p, "environment", PHRASE_ENVIRONMENT_TABLE, head);
    page_field_open(p, PHRASE_TOOL);
    html_textf(p->h, "%s %s", json_text(p->r, "tool.name", "?"),
               json_text(p->r, "tool.version", "?"));
    page_field_close(p);
    page_field_open(p, PHRASE_LABEL_MODEL);
    html_name(p->h, json_text(p->r, "model.file", "?"), PAGE_NAME);
    if (json_number_or(p->r, "model.opset", 0) > 0)
        html_textf(p->h, ", opset %.0f", json_number_or(p->r, "model.opset", 0));
    html_void(p->h, "br", NULL);
    html_leaf(p->h, "code", json_text(p->r, "model.sha256", "?"), NULL);
    page_field_close(p);
    write_tensor_field(p, PHRASE_INPUTS, "model.inputs");
    write_tensor_field(p, PHRASE_OUTPUTS, "model.outputs");
    write_trace_fields(p);
    write_setup(p);
    unknown_operators(p);
    write_options(p);
    page_table_close(p);
    write_notes(p);
    page_heading(p, "h3", PHRASE_REPRODUCE);
    html_open(p->h, "pre", "class", "fix", "tabindex", "0", NULL);
    html_leaf(p->h, "code", report_command(p), NULL);
    html_close(p->h);
}
