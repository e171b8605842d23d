/* Writes the HTML report as one file that makes no request and needs no scripts.
 *
 * The policy allows exactly our style and script, by their hashes; nothing of the model ever gets
 * into them, and no element has a style or an event attribute. */
#include "advisor/render/html/html.h"

#include "advisor/report/result_json.h"

/* Of every page, and what the workbench has beside it. */
static const char style[] =
#include "advisor/render/html/style/report.css.inc"
    ;
static const char workbench_style[] =
#include "advisor/render/html/style/workbench.css.inc"
    ;
static const char script[] =
#include "advisor/render/html/style/report.js.inc"
    ;
static const char workbench_script[] =
#include "advisor/render/html/style/workbench.js.inc"
    ;

static const Section report[] = {
#define MODEL(id, name, title, write) {id, name, title, write},
#define COMPILED(id, name, title, write)
#include "advisor/render/html/page_sections.def"
    {NULL, PHRASE_COUNT, PHRASE_COUNT, NULL},
};

static const Section compiled[] = {
#define COMPILED(id, name, title, write) {id, name, title, write},
#define MODEL(id, name, title, write)
#include "advisor/render/html/page_sections.def"
    {NULL, PHRASE_COUNT, PHRASE_COUNT, NULL},
};

/* The last newline belongs to the file, not to the element: some checkers hash without it. */
static size_t text_size(const char *text)
{
    size_t n = strlen(text);
    return n && text[n - 1] == '\n' ? n - 1 : n;
}

/* SHA-256, as a policy spells it. */
static const char *policy_hash(Arena *a, const char *text)
{
    char hex[65];
    unsigned char byte[32];
    sha256_hex(text, text_size(text), hex);
    for (int i = 0; i < 32; i++)
        sscanf(hex + 2 * i, "%2hhx", &byte[i]);
    return arena_printf(a, "'sha256-%s'", html_base64(a, byte, sizeof byte));
}

/* "a.onnx", or "old → new". */
static void put_title(Page *p, const Sheet *sheet)
{
    html_name(p->h, sheet->title[0], PAGE_NAME);
    if (sheet->title[1]) {
        html_text(p->h, " → ");
        html_name(p->h, sheet->title[1], PAGE_NAME);
    }
}

static void put_element(Page *p, const char *tag, const char *text)
{
    html_open(p->h, tag, NULL);
    html_raw(p->h, text, text_size(text));
    html_close(p->h);
}

static void put_content_policy(Page *p)
{
    const char *text =
        arena_printf(p->a,
                     "default-src 'none'; style-src %s%s%s; script-src %s%s%s; img-src data:; "
                     "base-uri 'none'; form-action 'none'",
                     policy_hash(p->a, style), p->result ? " " : "",
                     p->result ? policy_hash(p->a, workbench_style) : "", policy_hash(p->a, script),
                     p->result ? " " : "", p->result ? policy_hash(p->a, workbench_script) : "");
    html_void(p->h, "meta", "http-equiv", "Content-Security-Policy", "content", text, NULL);
}

static void put_document_head(Page *p, const Sheet *sheet)
{
    html_open(p->h, "head", NULL);
    html_void(p->h, "meta", "charset", "utf-8", NULL);
    put_content_policy(p);
    html_void(p->h, "meta", "name", "viewport", "content", "width=device-width, initial-scale=1",
              NULL);
    html_void(p->h, "link", "rel", "icon", "href", "data:,", NULL);
    html_open(p->h, "title", NULL);
    html_text(p->h, "npu-advise: ");
    put_title(p, sheet);
    html_close(p->h);
    put_element(p, "style", style);
    if (p->result)
        put_element(p, "style", workbench_style);
    html_close(p->h);
}

/* Hatches, shared by all charts: kinds of work differ by more than their colour. */
static void put_hatch_patterns(Page *p)
{
    static const struct {
        const char *id, *path;
    } hatch[] = {{"hatch-host", "M-2 2L2 -2M0 8L8 0M6 10L10 6"},
                 {"hatch-io", "M2 0V8M6 0V8"},
                 {"hatch-lost", "M0 0L8 8M8 0L0 8"},
                 {"hatch-other", "M-2 6L2 10M0 0L8 8M6 -2L10 2"},
                 {"hatch-guess", "M-2 2L2 -2M0 8L8 0M6 10L10 6"}};
    html_open(p->h, "svg", "class", "hatches", "width", "0", "height", "0", "aria-hidden", "true",
              NULL);
    html_open(p->h, "defs", NULL);
    for (size_t i = 0; i < sizeof hatch / sizeof *hatch; i++) {
        html_open(p->h, "pattern", "id", hatch[i].id, "width", "8", "height", "8", "patternUnits",
                  "userSpaceOnUse", NULL);
        html_leaf(p->h, "rect", "", "class", hatch[i].id, "width", "8", "height", "8", NULL);
        html_leaf(p->h, "path", "", "d", hatch[i].path, "class", "line", NULL);
        html_close(p->h);
    }
    html_close(p->h);
    html_close(p->h);
}

static void put_navigation(Page *p, const Section *sections)
{
    html_open(p->h, "nav", "aria-label", phrase_text(p->lang, PHRASE_NAVIGATION), NULL);
    html_open(p->h, "ul", NULL);
    for (const Section *s = sections; s->id; s++) {
        html_open(p->h, "li", NULL);
        html_open(p->h, "a", NULL);
        html_attr(p->h, "href", "#%s", s->id);
        html_text(p->h, phrase_text(p->lang, s->name));
        html_close(p->h);
        html_close(p->h);
    }
    html_close(p->h);
    html_close(p->h);
}

static void find_node(Page *p)
{
    html_open(p->h, "label", "class", "js find", NULL);
    html_leaf(p->h, "span", phrase_text(p->lang, PHRASE_FIND_NODE), "class", "hidden", NULL);
    html_void(p->h, "input", "id", "find", "type", "search", "placeholder",
              phrase_text(p->lang, PHRASE_FIND_NODE), "aria-keyshortcuts", "/", "autocomplete",
              "off", NULL);
    html_close(p->h);
}

static void put_downloads(Page *p)
{
    static const struct {
        const char *id;
        PhraseId name;
    } file[] = {{"download-result", PHRASE_DOWNLOAD_RESULT},
                {"download-operators", PHRASE_DOWNLOAD_OPERATORS},
                {"download-advice", PHRASE_DOWNLOAD_ADVICE}};
    html_open(p->h, "details", "class", "js downloads", NULL);
    html_leaf(p->h, "summary", phrase_text(p->lang, PHRASE_DOWNLOAD), NULL);
    html_open(p->h, "div", NULL);
    for (size_t i = 0; i < sizeof file / sizeof *file; i++)
        page_tool(p, file[i].id, phrase_text(p->lang, file[i].name), PHRASE_COUNT);
    html_close(p->h);
    html_close(p->h);
}

static void put_page_header(Page *p, const Sheet *sheet)
{
    html_open(p->h, "header", "class", "top", NULL);
    html_open(p->h, "strong", "class", "name", NULL);
    put_title(p, sheet);
    html_close(p->h);
    put_navigation(p, sheet->section);
    if (p->result && !p->result->compiled)
        find_node(p);
    if (p->result)
        put_downloads(p);
    html_close(p->h);
}

/* Words that the script needs, where the policy lets nothing of ours into the script itself. */
static void script_words(Page *p)
{
    html_attr(p->h, "data-copy", "%s", phrase_text(p->lang, PHRASE_COPY));
    html_attr(p->h, "data-copied", "%s", phrase_text(p->lang, PHRASE_COPIED));
    html_attr(p->h, "data-filter", "%s", phrase_text(p->lang, PHRASE_FILTER));
    html_attr(p->h, "data-open", "%s", phrase_text(p->lang, PHRASE_OPEN_ALL));
    html_attr(p->h, "data-sort", "%s", phrase_text(p->lang, PHRASE_SORT_BY));
}

static void put_section(Page *p, const Section *s)
{
    html_open(p->h, "section", "id", s->id, NULL);
    html_attr(p->h, "aria-labelledby", "%s-heading", s->id);
    if (s->head != PHRASE_COUNT) {
        html_open(p->h, "h2", NULL);
        html_attr(p->h, "id", "%s-heading", s->id);
        html_text(p->h, phrase_text(p->lang, s->head));
        html_close(p->h);
    }
    s->write(p);
    html_close(p->h);
}

static void put_document_body(Page *p, const Sheet *sheet)
{
    html_open(p->h, "body", NULL);
    script_words(p);
    html_leaf(p->h, "a", phrase_text(p->lang, PHRASE_SKIP), "class", "skip", "href",
              "#recommendations", NULL);
    put_hatch_patterns(p);
    put_page_header(p, sheet);
    html_open(p->h, "main", NULL);
    if (sheet->section[0].head != PHRASE_COUNT) {
        html_leaf(p->h, "p", "npu-advise", "class", "context", NULL);
        html_open(p->h, "h1", NULL);
        put_title(p, sheet);
        html_close(p->h);
    }
    for (const Section *s = sheet->section; s->id; s++)
        put_section(p, s);
    html_close(p->h);
    if (p->result) {
        html_data(p);
        html_packed(p, "workbench", workbench_script, text_size(workbench_script));
    }
    put_element(p, "script", script);
    html_close(p->h);
}

static void prepare_page(Page *p)
{
    p->summary = summary_of(p->result);
    p->elements = elements_of(p->a, p->result);
    p->blocks = blocks_of(p->a, &p->elements);
    p->marks = marks_of(p->a, p->result, &p->elements);
    p->row = rows_of(p->a, &p->elements);
}

bool html_document(FILE *out, const View *view, const Sheet *sheet)
{
    Page p = {.h = html_new(out),
              .result = sheet->result,
              .document = sheet->document,
              .lang = view->lang,
              .again = view->again,
              .again_apply = view->again_apply,
              .a = arena_new(0)};
    strmap_init(&p.anchors, p.a, 64);
    if (p.result)
        prepare_page(&p);
    if (p.h) {
        html_open(p.h, "html", "lang", language_tag(p.lang), NULL);
        put_document_head(&p, sheet);
        put_document_body(&p, sheet);
    }
    bool ok = p.h && html_free(p.h);
    arena_free(p.a);
    return ok;
}

bool html_result(FILE *out, const Result *r, const View *view)
{
    cJSON *document = result_to_json(r);
    Sheet sheet = {.title = {r->model.file, NULL},
                   .section = r->compiled ? compiled : report,
                   .result = r,
                   .document = document};
    bool ok = html_document(out, view, &sheet);
    cJSON_Delete(document);
    return ok;
}
