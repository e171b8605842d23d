/* Writes the data that the page's script draws from: columns of numbers and names, and the packed
 * result.  Rows of the operators are in the page already; nothing is in it twice. */
#include "advisor/render/html/html.h"

#include "advisor/report/finding.h"
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

static void add_names(Page *p, cJSON *o, const ResultTexts *names)
{
    cJSON *list = cJSON_AddArrayToObject(o, "names");
    for (size_t i = 0; i < names->count; i++)
        add_name(list, span_name(p, names->item[i]));
}

static void add_lanes(Page *p, cJSON *o, const ResultPicturesLaneList *lanes)
{
    static const char *const letter[] = {[RESULT_PICTURES_LANE_LANE_HOST] = "h",
                                         [RESULT_PICTURES_LANE_LANE_PCIE] = "p",
                                         [RESULT_PICTURES_LANE_LANE_PE] = "n"};
    cJSON *list = cJSON_AddArrayToObject(o, "lanes");
    for (size_t i = 0; i < lanes->count; i++) {
        LaneName name;
        cJSON *l = cJSON_CreateArray();
        cJSON_AddItemToArray(l, cJSON_CreateString(letter[lanes->item[i].lane]));
        add_name(l, html_lane_name(p, &lanes->item[i], &name));
        cJSON_AddItemToArray(list, l);
    }
}

/* Spans name elements of the whole program; the page's are fewer where it is large. */
static cJSON *spans_of(const Page *p, const ResultInts *spans)
{
    const Elements *e = &p->elements;
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < spans->count; i++) {
        int64_t v = spans->item[i];
        if (i % 6 == 5 && v >= 0)
            v = (size_t)v < e->all ? (int64_t)e->of[v] : -1;
        cJSON_AddItemToArray(list, cJSON_CreateNumber((double)v));
    }
    return list;
}

static cJSON *run_of(Page *p, const ResultDrawnRun *run)
{
    cJSON *o = cJSON_CreateObject();
    Plain shown;
    const char *label = phrase_by_key(p->lang, "RUN_", result_label_words[run->label]);
    cJSON_AddStringToObject(o, "label", plain(&shown, label, PAGE_NAME));
    cJSON_AddNumberToObject(o, "i", run->inference.known ? (double)run->inference.value : -1);
    cJSON_AddNumberToObject(o, "total", (double)run->total);
    cJSON_AddNumberToObject(o, "omitted", (double)run->omitted);
    cJSON_AddItemToObject(o, "s", spans_of(p, &run->spans));
    return o;
}

static void add_runs(Page *p, cJSON *o, const ResultPictures *pictures)
{
    cJSON *list = cJSON_AddArrayToObject(o, "runs");
    for (size_t i = 0; i < pictures->runs.count; i++)
        cJSON_AddItemToArray(list, run_of(p, &pictures->runs.item[i]));
    cJSON_AddItemToObject(o, "after",
                          pictures->after ? run_of(p, pictures->after) : cJSON_CreateNull());
    list = cJSON_AddArrayToObject(o, "latencies");
    for (size_t i = 0; i < pictures->latencies.count; i++)
        cJSON_AddItemToArray(list, cJSON_CreateNumber((double)pictures->latencies.item[i]));
    cJSON_AddNumberToObject(o, "warm", (double)pictures->warm_up.value);
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
    for (size_t i = 0; i < e->nstep; i++) {
        const ResultInts *deps = &p->result->steps.item[i].deps;
        for (size_t k = 0; k < deps->count; k++)
            if ((size_t)deps->item[k] < i)
                add_edge(list, e->of[e->first_of_step[i]], last_of_step(e, (size_t)deps->item[k]));
    }
    for (size_t i = 0; i < e->noperator; i++) {
        const ResultInts *deps = &p->result->operators.item[i].deps;
        for (size_t k = 0; k < deps->count; k++)
            if ((size_t)deps->item[k] < i)
                add_edge(list, e->of_operator[i], e->of_operator[deps->item[k]]);
    }
}

static void add_findings(Page *p, cJSON *o)
{
    cJSON *list = cJSON_AddArrayToObject(o, "advice");
    for (size_t i = 0; i < p->marks.n; i++) {
        const Touched *t = &p->marks.finding[i];
        ReportedFinding finding = finding_at(p->result, i);
        cJSON *f = cJSON_CreateObject(), *touched = cJSON_AddArrayToObject(f, "e");
        Plain shown;
        cJSON_AddStringToObject(f, "t", plain(&shown, finding.title, PAGE_NAME));
        cJSON_AddStringToObject(f, "id", plain(&shown, finding.fingerprint, PAGE_NAME));
        for (size_t x = 0; x < t->n; x++)
            cJSON_AddItemToArray(touched, cJSON_CreateNumber(t->element[x]));
        cJSON_AddItemToArray(list, f);
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

void html_data(Page *p)
{
    static const ResultPictures nothing;
    const ResultPictures *pictures = p->result->pictures ? p->result->pictures : &nothing;
    const ResultMachine *machine = p->result->machine;
    cJSON *o = cJSON_CreateObject();
    add_names(p, o, &pictures->names);
    add_lanes(p, o, &pictures->lanes);
    add_runs(p, o, pictures);
    add_elements(p, o);
    add_blocks(p, o);
    add_edges(p, o);
    add_findings(p, o);
    cJSON_AddNumberToObject(o, "peak", machine ? machine->peak_macs_per_s : 0);
    cJSON_AddNumberToObject(o, "dram", machine ? machine->dram_bytes_per_s : 0);
    add_words(p, o);
    char *text = cJSON_PrintUnformatted(o), *result = cJSON_PrintUnformatted(p->document);
    put_hidden(p, "data", text, SIZE_MAX);
    put_hidden(p, "blob", result, RESULT_MAX);
    cJSON_free(text);
    cJSON_free(result);
    cJSON_Delete(o);
}
