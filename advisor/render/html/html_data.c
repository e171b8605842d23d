/* Writes the data that the page's script draws: the result itself, the words of the page and the
 * layout of its charts.  All is packed, and nothing is in the page twice. */
#include "advisor/render/html/html.h"

#include "advisor/message/json.h"
#include "graph/base/limits.h"

#include <zlib.h>

/* Of a large program, for how many steps and operators each element stands, and what the name of
 * such a sum says; else nothing. */
static void add_sums(Page *p, cJSON *o)
{
    const Elements *e = &p->elements;
    if (e->n == e->all)
        return;
    cJSON *count = cJSON_AddArrayToObject(o, "counts"), *more = cJSON_AddArrayToObject(o, "more");
    for (size_t i = 0; i < e->n; i++) {
        size_t n = e->element[i].count;
        cJSON_AddItemToArray(count, cJSON_CreateNumber((double)n));
        cJSON_AddItemToArray(
            more, cJSON_CreateString(n > 1 ? page_count(p, PHRASE_AND_MORE, n - 1).text : ""));
    }
}

static void add_blocks(Page *p, cJSON *o)
{
    cJSON *blocks = cJSON_AddArrayToObject(o, "blocks"),
          *groups = cJSON_AddArrayToObject(o, "groups");
    for (size_t i = 0; i < p->blocks.n; i++) {
        const GraphBlock *b = &p->blocks.block[i];
        cJSON *block = cJSON_CreateArray();
        cJSON_AddItemToArray(block, cJSON_CreateString(b->name));
        cJSON_AddItemToArray(block, cJSON_CreateNumber(b->from));
        cJSON_AddItemToArray(block, cJSON_CreateNumber(b->to));
        cJSON_AddItemToArray(blocks, block);
    }
    for (size_t i = 0; i < p->blocks.ngroup; i++) {
        const Group *g = &p->blocks.group[i];
        cJSON_AddItemToArray(groups, json_ids((uint32_t[]){g->first, g->period, g->repeats}, 3));
    }
}

/* ---- words ---- */

/* A name that the page has another word for, once. */
static void add_title(Page *p, cJSON *list, StrMap *seen, const char *name)
{
    const char *title = span_name(p, name);
    if (strcmp(title, name) && strmap_add(seen, name, 0))
        cJSON_AddStringToObject(list, name, title);
}

/* What steps, operators and spans are called. */
static void add_titles(Page *p, cJSON *o)
{
    const Result *r = p->result;
    cJSON *list = cJSON_AddObjectToObject(o, "titles");
    StrMap seen;
    strmap_init(&seen, p->a, 64);
    for (size_t i = 0; i < r->steps.count; i++)
        add_title(p, list, &seen, result_step_kind_words[r->steps.item[i].kind]);
    for (size_t i = 0; i < r->operators.count; i++)
        add_title(p, list, &seen, r->operators.item[i].kind);
    for (size_t i = 0; r->pictures && i < r->pictures->names.count; i++)
        add_title(p, list, &seen, r->pictures->names.item[i]);
}

/* The page's word for each value of an enum. */
static void add_phrases(Page *p, cJSON *o, const char *prefix, const char *const *words)
{
    for (size_t i = 1; words[i]; i++)
        cJSON_AddStringToObject(o, words[i], phrase_by_key(p->lang, prefix, words[i]));
}

/* Words that the script says by itself. */
static void add_words(Page *p, cJSON *list)
{
    static const char *const own[] = {
        "",        "inference",  "warm",    "omitted",  "handover",    "unexplained", "other",
        "from",    "share",      "made",    "limited",  "median",      "predicted",   "measured",
        "advice",  "none",       "see",     "timeline", "program",     "table",       "count",
        "chosen",  "nothing",    "longest", "found",    "unfold",      "fold",        "peak",
        "noafter", "unmeasured", "above",   "figures",  "sensitivity", NULL};
    static const char *const part[] = {"", "host", "io", "npu", NULL},
                             *const lane[] = {"", "waiting", "operators", NULL},
                             *const toggle[] = {"", "now", "after", NULL};
    add_phrases(p, list, "JS_", own);
    add_phrases(p, list, "PART_", part);
    add_phrases(p, list, "LANE_", lane);
    add_phrases(p, list, "TOGGLE_", toggle);
}

void html_packed(Page *p, const char *id, const char *text, size_t size)
{
    z_stream z = {.next_in = (unsigned char *)(uintptr_t)text, .avail_in = (unsigned)size};
    if (deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) != Z_OK)
        limits_out_of_memory(); /* a page without its data would look whole */
    size_t room = deflateBound(&z, z.avail_in);
    unsigned char *out = ARENA_ARRAY(p->a, unsigned char, room);
    z.next_out = out;
    z.avail_out = (unsigned)room;
    bool whole = deflate(&z, Z_FINISH) == Z_STREAM_END;
    assert(whole);
    (void)whole;
    deflateEnd(&z);
    const char *packed = html_base64(p->a, out, z.total_out);
    html_open(p->h, "div", "id", id, "hidden", "", "lang", "zxx", NULL); /* no language */
    html_raw(p->h, packed, strlen(packed));
    html_close(p->h);
}

static void put_document(Page *p, const char *id, const cJSON *document)
{
    char *text = cJSON_PrintUnformatted(document);
    html_packed(p, id, text, strlen(text));
    cJSON_free(text);
}

void html_data(Page *p)
{
    cJSON *o = cJSON_CreateObject(), *words = cJSON_AddObjectToObject(o, "words");
    add_words(p, words);
    add_phrases(p, cJSON_AddObjectToObject(words, "lanes"), "LANE_",
                result_pictures_lane_lane_words);
    add_phrases(p, cJSON_AddObjectToObject(words, "runs"), "RUN_", result_label_words);
    add_phrases(p, cJSON_AddObjectToObject(words, "limits"), "LIMIT_", result_limit_words);
    add_titles(p, o);
    add_sums(p, o);
    add_blocks(p, o);
    put_document(p, "data", o);
    put_document(p, "result", p->document);
    cJSON_Delete(o);
}
