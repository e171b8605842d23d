/* Writes the data that the page's script draws from: columns of numbers and names, and the packed
 * result.  Rows of the operators are in the page already; nothing is in it twice. */
#include "advisor/render/html/html.h"

#include "advisor/message/json.h"
#include "advisor/message/plain.h"
#include "graph/base/limits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Larger results are left to --json: no more than a third of a page of a thousand nodes. */
enum { UNIT_NS = 100, RESULT_MAX = 50000 };

static void add_name(cJSON *list, const char *name)
{
    Plain shown;
    cJSON_AddItemToArray(list, cJSON_CreateString(plain(&shown, name, PAGE_NAME)));
}

static void add_names(Page *p, cJSON *o)
{
    cJSON *list = cJSON_AddArrayToObject(o, "names");
    for (const cJSON *name = json_first(p->r, "pictures.names"); name; name = name->next)
        add_name(list, span_name(p, cJSON_IsString(name) ? name->valuestring : "?"));
}

static void add_lanes(Page *p, cJSON *o)
{
    cJSON *list = cJSON_AddArrayToObject(o, "lanes");
    for (const cJSON *lane = json_first(p->r, "pictures.lanes"); lane; lane = lane->next) {
        LaneName name;
        const char *kind = json_text(lane, "lane", "?");
        cJSON *l = cJSON_CreateArray();
        cJSON_AddItemToArray(l, cJSON_CreateString(!strcmp(kind, "host")   ? "h"
                                                   : !strcmp(kind, "pcie") ? "p"
                                                                           : "n"));
        add_name(l, html_lane_name(p, lane, &name));
        cJSON_AddItemToArray(list, l);
    }
}

/* Spans name elements of the whole program; the page's are fewer where it is large. */
static cJSON *spans_of(const Page *p, const cJSON *spans)
{
    cJSON *list = cJSON_CreateArray();
    int at = 0;
    for (const cJSON *x = json_first(spans, ""); x; x = x->next) {
        double v = x->valuedouble;
        if (at % 6 == 5 && v >= 0)
            v = v < (double)p->elements.all ? (double)p->elements.of[(size_t)v] : -1;
        cJSON_AddItemToArray(list, cJSON_CreateNumber(v));
        at++;
    }
    return list;
}

static cJSON *run_of(Page *p, const cJSON *run)
{
    cJSON *o = cJSON_CreateObject();
    Plain shown;
    const char *label = phrase_by_key(p->lang, "RUN_", json_text(run, "label", "?"));
    cJSON_AddStringToObject(o, "label", plain(&shown, label, PAGE_NAME));
    cJSON_AddNumberToObject(o, "i", json_number_or(run, "inference", -1));
    cJSON_AddNumberToObject(o, "total", json_number_or(run, "total", 0));
    cJSON_AddNumberToObject(o, "omitted", json_number_or(run, "omitted", 0));
    cJSON_AddItemToObject(o, "s", spans_of(p, json_at(run, "spans")));
    return o;
}

static void add_runs(Page *p, cJSON *o)
{
    const cJSON *after = json_at(p->r, "pictures.after");
    cJSON *list = cJSON_AddArrayToObject(o, "runs");
    for (const cJSON *run = json_first(p->r, "pictures.runs"); run; run = run->next)
        cJSON_AddItemToArray(list, run_of(p, run));
    cJSON_AddItemToObject(o, "after",
                          cJSON_IsObject(after) ? run_of(p, after) : cJSON_CreateNull());
    const cJSON *all = json_at(p->r, "pictures.latencies");
    cJSON_AddItemToObject(o, "latencies",
                          cJSON_IsArray(all) ? cJSON_Duplicate(all, true) : cJSON_CreateArray());
    cJSON_AddNumberToObject(o, "warm", json_number_or(p->r, "pictures.warm_up", 0));
}

static double time_in_units(double ns)
{
    return isnan(ns) ? -1 : round(ns / UNIT_NS);
}

/* Per element the interval of the prediction; per row its element. */
static void add_elements(Page *p, cJSON *o)
{
    cJSON *row = cJSON_AddArrayToObject(o, "row"), *lo = cJSON_AddArrayToObject(o, "lo"),
          *hi = cJSON_AddArrayToObject(o, "hi");
    for (size_t i = 0; i < p->elements.n; i++) {
        cJSON_AddItemToArray(row, cJSON_CreateNumber(p->row[i]));
        cJSON_AddItemToArray(lo, cJSON_CreateNumber(time_in_units(p->elements.element[i].lo_ns)));
        cJSON_AddItemToArray(hi, cJSON_CreateNumber(time_in_units(p->elements.element[i].hi_ns)));
    }
}

static void add_blocks(Page *p, cJSON *o)
{
    cJSON *blocks = cJSON_AddArrayToObject(o, "blocks"),
          *groups = cJSON_AddArrayToObject(o, "groups");
    for (size_t i = 0; i < p->blocks.n; i++) {
        cJSON *b = cJSON_CreateArray();
        add_name(b, span_name(p, p->blocks.block[i].name));
        cJSON_AddItemToArray(b, cJSON_CreateNumber(p->blocks.block[i].from));
        cJSON_AddItemToArray(b, cJSON_CreateNumber(p->blocks.block[i].to));
        cJSON_AddItemToArray(blocks, b);
    }
    for (size_t i = 0; i < p->blocks.ngroup; i++) {
        const Group *g = &p->blocks.group[i];
        int number[] = {(int)g->first, (int)g->period, (int)g->repeats};
        cJSON_AddItemToArray(groups, cJSON_CreateIntArray(number, 3));
    }
}

/* The last element of a step: what hands its results on. */
static uint32_t last_of_step(const Elements *e, size_t step)
{
    size_t end = step + 1 < e->nstep ? e->first_of_step[step + 1] : e->all;
    return e->of[end - 1];
}

static void add_edge(cJSON *list, uint32_t to, uint32_t from)
{
    if (from == to)
        return;
    cJSON_AddItemToArray(list, cJSON_CreateNumber(to));
    cJSON_AddItemToArray(list, cJSON_CreateNumber(from));
}

static void add_edges(Page *p, cJSON *o)
{
    const Elements *e = &p->elements;
    cJSON *list = cJSON_AddArrayToObject(o, "edges");
    for (size_t i = 0; i < p->nstep && i < e->nstep; i++)
        for (const cJSON *dep = json_first(p->step[i], "deps"); dep; dep = dep->next)
            if (dep->valuedouble >= 0 && dep->valuedouble < (double)i)
                add_edge(list, e->of[e->first_of_step[i]], last_of_step(e, (size_t)dep->valueint));
    for (size_t i = 0; i < e->noperator; i++)
        for (const cJSON *dep = json_first(e->operator[i], "deps"); dep; dep = dep->next)
            if (dep->valuedouble >= 0 && dep->valuedouble < (double)i)
                add_edge(list, e->of_operator[i], e->of_operator[dep->valueint]);
}

static void add_findings(Page *p, cJSON *o)
{
    static const char *const path[] = {"recommendations", "observations"};
    cJSON *list = cJSON_AddArrayToObject(o, "advice");
    size_t k = 0;
    for (int i = 0; i < 2; i++) {
        for (const cJSON *finding = json_first(p->r, path[i]); finding; finding = finding->next) {
            const Touched *t = &p->marks.finding[k++];
            cJSON *f = cJSON_CreateObject(), *touched = cJSON_AddArrayToObject(f, "e");
            Plain shown;
            cJSON_AddStringToObject(f, "t",
                                    plain(&shown, json_text(finding, "title", "?"), PAGE_NAME));
            cJSON_AddStringToObject(
                f, "id", plain(&shown, json_text(finding, "fingerprint", ""), PAGE_NAME));
            for (size_t x = 0; x < t->n; x++)
                cJSON_AddItemToArray(touched, cJSON_CreateNumber(t->element[x]));
            cJSON_AddItemToArray(list, f);
        }
    }
}

/* Words that the script says by itself. */
static void add_words(Page *p, cJSON *o)
{
    static const struct {
        const char *key;
        PhraseId phrase;
    } word[] = {
        {"now", PHRASE_TOGGLE_NOW},
        {"after", PHRASE_TOGGLE_AFTER},
        {"waiting", PHRASE_LANE_WAITING},
        {"operators", PHRASE_LANE_OPERATORS},
        {"inference", PHRASE_JS_INFERENCE},
        {"warm", PHRASE_JS_WARM_UP},
        {"omitted", PHRASE_JS_OMITTED},
        {"handover", PHRASE_JS_HANDOVER},
        {"unexplained", PHRASE_JS_UNEXPLAINED},
        {"other", PHRASE_OTHER_REQUEST},
        {"from", PHRASE_STARTS_AT},
        {"share", PHRASE_JS_SHARE},
        {"made", PHRASE_JS_MADE},
        {"limited", PHRASE_JS_LIMITED},
        {"median", PHRASE_JS_MEDIAN},
        {"unmeasured", PHRASE_JS_UNMEASURED},
        {"predicted", PHRASE_LABEL_PREDICTED},
        {"measured", PHRASE_LABEL_MEASURED},
        {"advice", PHRASE_JS_ADVICE},
        {"none", PHRASE_JS_NO_ADVICE},
        {"see", PHRASE_JS_SEE},
        {"timeline", PHRASE_JS_TIMELINE},
        {"program", PHRASE_JS_PROGRAM},
        {"table", PHRASE_JS_TABLE},
        {"count", PHRASE_JS_COUNT},
        {"chosen", PHRASE_JS_CHOSEN},
        {"nothing", PHRASE_JS_NOTHING},
        {"longest", PHRASE_JS_LONGEST},
        {"found", PHRASE_JS_FOUND},
        {"unfold", PHRASE_JS_UNFOLD},
        {"fold", PHRASE_JS_FOLD},
        {"peak", PHRASE_JS_PEAK},
        {"dram", PHRASE_LIMIT_DRAM},
        {"noafter", PHRASE_JS_NO_AFTER},
        {"large", PHRASE_JS_LARGE},
    };
    cJSON *list = cJSON_AddObjectToObject(o, "words");
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        cJSON_AddStringToObject(list, word[i].key, phrase_text(p->lang, word[i].phrase));
}

static char *as_base64(Arena *a, const unsigned char *in, size_t n)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *text = ARENA_ARRAY(a, char, n / 3 * 4 + 8), *w = text;
    for (size_t i = 0; i < n; i += 3) {
        unsigned v = (unsigned)in[i] << 16 | (i + 1 < n ? (unsigned)in[i + 1] << 8 : 0) |
                     (i + 2 < n ? in[i + 2] : 0);
        *w++ = digit[v >> 18];
        *w++ = digit[v >> 12 & 63];
        *w++ = i + 1 < n ? digit[v >> 6 & 63] : '=';
        *w++ = i + 2 < n ? digit[v & 63] : '=';
    }
    return text;
}

/* gzip, as base64; NULL where it is more than `most` bytes. */
static char *gzip_base64(Page *p, const char *text, size_t most)
{
    z_stream z = {.next_in = (unsigned char *)(uintptr_t)text, .avail_in = (unsigned)strlen(text)};
    if (deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) != Z_OK)
        limits_out_of_memory(); /* a page without its data would look whole */
    size_t room = deflateBound(&z, z.avail_in);
    unsigned char *out = ARENA_ARRAY(p->a, unsigned char, room);
    z.next_out = out;
    z.avail_out = (unsigned)room;
    int end = deflate(&z, Z_FINISH);
    size_t n = z.total_out;
    deflateEnd(&z);
    return end == Z_STREAM_END && n <= most ? as_base64(p->a, out, n) : NULL;
}

/* An element that is not shown, with the text packed in it; empty where there is none. */
static void put_hidden(Page *p, const char *id, const char *text, size_t most)
{
    const char *in = text ? gzip_base64(p, text, most) : NULL;
    html_leaf(p->h, "div", in ? in : "", "id", id, "hidden", "", NULL);
}

/* Without what only the page draws from. */
static char *result_text_of(const Page *p)
{
    cJSON *copy = cJSON_CreateObject();
    for (const cJSON *x = json_first(p->r, ""); x; x = x->next)
        if (strcmp(x->string, "pictures") != 0)
            cJSON_AddItemReferenceToObject(copy, x->string, (cJSON *)(uintptr_t)x);
    char *text = cJSON_PrintUnformatted(copy);
    cJSON_Delete(copy);
    return text;
}

void html_data(Page *p)
{
    cJSON *o = cJSON_CreateObject();
    add_names(p, o);
    add_lanes(p, o);
    add_runs(p, o);
    add_elements(p, o);
    add_blocks(p, o);
    add_edges(p, o);
    add_findings(p, o);
    cJSON_AddNumberToObject(o, "peak", json_number_or(p->r, "machine.peak_macs_per_s", 0));
    cJSON_AddNumberToObject(o, "dram", json_number_or(p->r, "machine.dram_bytes_per_s", 0));
    add_words(p, o);
    char *text = cJSON_PrintUnformatted(o), *result = result_text_of(p);
    put_hidden(p, "data", text, SIZE_MAX);
    put_hidden(p, "blob", result, RESULT_MAX);
    cJSON_free(text);
    cJSON_free(result);
    cJSON_Delete(o);
}
