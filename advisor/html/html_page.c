/* The HTML report: one file, no request, readable with scripts off.
 *
 * The policy allows exactly our style and script, by their hashes; nothing of the model ever gets
 * into them, and no element has a style or an event attribute. */
#include "advisor/html/html.h"

#include "advisor/say/json.h"
#include "graph/base/file.h"

#include <string.h>

static const char style[] =
#include "advisor/html/style/report.css.inc"
    ;
static const char script[] =
#include "advisor/html/style/report.js.inc"
    ;

static const Section report[] = {
    {"verdict", SAY_SECTION_VERDICT, html_verdict},
    {"gains", SAY_SECTION_GAINS, html_gains},
    {"recommendations", SAY_SECTION_FINDINGS, html_findings},
    {"timeline", SAY_SECTION_TIMELINE, html_timeline},
    {"classes", SAY_SECTION_CLASSES, html_classes},
    {"operators", SAY_SECTION_OPERATORS, html_operators},
    {"graph", SAY_SECTION_GRAPH, html_graph},
    {"curves", SAY_SECTION_CURVES, html_curves},
    {"rules", SAY_SECTION_RULES, html_rules},
    {"environment", SAY_SECTION_ENVIRONMENT, html_environment},
    {NULL, SAY_COUNT, NULL},
};

static const Section compiled[] = {
    {"verdict", SAY_SECTION_VERDICT, html_verdict},
    {"recommendations", SAY_SECTION_FINDINGS, html_findings},
    {"timeline", SAY_SECTION_LAYER_AXIS, html_layer_axis},
    {"classes", SAY_SECTION_CLASSES, html_layer_shares},
    {"graph", SAY_SECTION_GRAPH, html_layer_graph},
    {"layers", SAY_SECTION_LAYERS, html_layer_table},
    {"rules", SAY_SECTION_RULES, html_rules},
    {"environment", SAY_SECTION_ENVIRONMENT, html_environment},
    {NULL, SAY_COUNT, NULL},
};

/* The last newline belongs to the file, not to the element: some checkers hash without it. */
static size_t text_size(const char *text)
{
    size_t n = strlen(text);
    return n && text[n - 1] == '\n' ? n - 1 : n;
}

/* base64 of SHA-256, as a policy spells it: 32 bytes are ten groups of three and one of two. */
static void policy_hash(const char *text, char hash[64])
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char hex[65];
    unsigned char byte[33] = {0};
    sha256_hex(text, text_size(text), hex);
    for (int i = 0; i < 32; i++) {
        unsigned v;
        sscanf(hex + 2 * i, "%2x", &v);
        byte[i] = (unsigned char)v;
    }
    char *out = hash + snprintf(hash, 64, "sha256-");
    for (int i = 0; i < 33; i += 3) {
        unsigned group = (unsigned)byte[i] << 16 | (unsigned)byte[i + 1] << 8 | byte[i + 2];
        for (int k = 3; k >= 0; k--)
            *out++ = digit[group >> 6 * k & 63];
    }
    out[-1] = '=';
    *out = '\0';
}

/* "npu-advise: a.onnx", or "npu-advise: old → new". */
static void put_title(Page *p, const char *const *title)
{
    html_name(p->h, title[0], PAGE_NAME);
    if (title[1]) {
        html_text(p->h, " → ");
        html_name(p->h, title[1], PAGE_NAME);
    }
}

static void head(Page *p, const char *const *title)
{
    char style_hash[64], script_hash[64], policy[320];
    policy_hash(style, style_hash);
    policy_hash(script, script_hash);
    snprintf(policy, sizeof policy,
             "default-src 'none'; style-src '%s'; script-src '%s'; img-src data:; "
             "base-uri 'none'; form-action 'none'",
             style_hash, script_hash);
    html_open(p->h, "head", NULL);
    html_void(p->h, "meta", "charset", "utf-8", NULL);
    html_void(p->h, "meta", "http-equiv", "Content-Security-Policy", "content", policy, NULL);
    html_void(p->h, "meta", "name", "viewport", "content", "width=device-width, initial-scale=1",
              NULL);
    html_void(p->h, "link", "rel", "icon", "href", "data:,", NULL);
    html_open(p->h, "title", NULL);
    html_text(p->h, "npu-advise: ");
    put_title(p, title);
    html_close(p->h);
    html_open(p->h, "style", NULL);
    html_raw(p->h, style, text_size(style));
    html_close(p->h);
    html_close(p->h);
}

/* Hatches, shared by every picture: kinds of work differ by more than their colour. */
static void hatches(Page *p)
{
    static const struct {
        const char *id, *path;
    } hatch[] = {{"hatch-host", "M-2 2L2 -2M0 8L8 0M6 10L10 6"},
                 {"hatch-io", "M2 0V8M6 0V8"},
                 {"hatch-lost", "M0 0L8 8M8 0L0 8"},
                 {"hatch-other", "M-2 6L2 10M0 0L8 8M6 -2L10 2"}};
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

static void banner(Page *p, const Section *sections, const char *const *title)
{
    html_open(p->h, "header", NULL);
    html_leaf(p->h, "p", "npu-advise", "class", "eyebrow", NULL);
    html_open(p->h, "h1", NULL);
    put_title(p, title);
    html_close(p->h);
    html_open(p->h, "nav", "aria-label", say(p->lang, SAY_NAVIGATION), NULL);
    html_open(p->h, "ul", NULL);
    for (const Section *s = sections; s->id; s++) {
        html_open(p->h, "li", NULL);
        html_open(p->h, "a", NULL);
        html_attr(p->h, "href", "#%s", s->id);
        html_text(p->h, say(p->lang, s->name));
        html_close(p->h);
        html_close(p->h);
    }
    html_close(p->h);
    html_close(p->h);
    html_close(p->h);
}

/* Words that the script needs, where the policy lets nothing of ours into the script itself. */
static void script_words(Page *p)
{
    html_attr(p->h, "data-copy", "%s", say(p->lang, SAY_COPY));
    html_attr(p->h, "data-copied", "%s", say(p->lang, SAY_COPIED));
    html_attr(p->h, "data-filter", "%s", say(p->lang, SAY_FILTER));
    html_attr(p->h, "data-open", "%s", say(p->lang, SAY_OPEN_ALL));
    html_attr(p->h, "data-sort", "%s", say(p->lang, SAY_SORT_BY));
}

static void body(Page *p, const Section *sections, const char *const *title)
{
    html_open(p->h, "body", NULL);
    script_words(p);
    html_leaf(p->h, "a", say(p->lang, SAY_SKIP), "class", "skip", "href", "#recommendations", NULL);
    hatches(p);
    banner(p, sections, title);
    html_open(p->h, "main", NULL);
    for (const Section *s = sections; s->id; s++) {
        html_open(p->h, "section", "id", s->id, NULL);
        html_attr(p->h, "aria-labelledby", "%s-heading", s->id);
        html_open(p->h, "h2", NULL);
        html_attr(p->h, "id", "%s-heading", s->id);
        html_text(p->h, say(p->lang, s->name));
        html_close(p->h);
        s->write(p);
        html_close(p->h);
    }
    html_close(p->h);
    html_open(p->h, "script", NULL);
    html_raw(p->h, script, text_size(script));
    html_close(p->h);
    html_close(p->h);
}

/* The items of a list by their place. */
static const cJSON **index_list(Arena *a, const cJSON *tree, const char *key, size_t *ret_count)
{
    const cJSON *item;
    size_t n = json_count(tree, key), i = 0;
    const cJSON **list = ARENA_ARRAY(a, const cJSON *, n + 1);
    cJSON_ArrayForEach(item, json_at(tree, key)) list[i++] = item;
    *ret_count = n;
    return list;
}

bool html_document(FILE *out, const cJSON *tree, const View *view, const Section *sections,
                   const char *const title[2])
{
    Page p = {
        .h = html_new(out), .r = tree, .d = digest_of(tree), .lang = view->lang, .a = arena_new(0)};
    p.step = index_list(p.a, tree, "steps", &p.nstep);
    p.op = index_list(p.a, tree, "operators", &p.nop);
    p.value = index_list(p.a, tree, "values", &p.nvalue);
    if (p.h) {
        html_open(p.h, "html", "lang", language_tag(p.lang), NULL);
        head(&p, title);
        body(&p, sections, title);
    }
    bool ok = p.h && html_free(p.h);
    arena_free(p.a);
    return ok;
}

bool html_result(FILE *out, const cJSON *result, const View *view)
{
    const char *const title[2] = {json_text(result, "model.file", "?"), NULL};
    bool layers = cJSON_IsObject(json_at(result, "compiled"));
    return html_document(out, result, view, layers ? compiled : report, title);
}
