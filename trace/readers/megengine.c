/* Reads traces and profiles of MegEngine. The dynamic graph's profiler writes Chrome events
 * (chrome_timeline.json), the static graph's get_profile() one JSON document:
 * graph_exec.operator names the operators, profiler.device and profiler.host say when each ran,
 * in seconds, profiler.opr_footprint what it computed. */
#include "trace/readers/readers.h"
#include "trace/readers/shapes.h"

#include <cjson/cJSON.h>

/* ---- dynamic ------------------------------------------------------------------------------- */

/* "Put 12", "Input 7": the number is the tensor's. */
static size_t strip_tensor_number(const char *name, size_t len)
{
    size_t n = len;
    while (n > 0 && name[n - 1] >= '0' && name[n - 1] <= '9')
        n--;
    return n < len && n > 1 && name[n - 1] == ' ' ? n - 1 : len;
}

static SpanKind megengine_kind(const char *cat, const char *name)
{
    static const char *const submit[] = {"OpDispatch", "TensorWaitProp", "TensorGetProp", NULL};
    if (strcmp(cat, "Kernel") == 0)
        return SPAN_NPU_OPERATOR;
    if (strcmp(name, "HostToDevice") == 0)
        return SPAN_TRANSFER;
    return name_in(submit, name) ? SPAN_SUBMIT : SPAN_OTHER;
}

/* Version 1.0 and 1.1 call a row "host" or by the device, and number operators in args. */
static const char number_key[] = "\"__id__\"";

static const char *megengine_clue(const EventSample *e)
{
    static const char *const own[] = {"OpDispatch", "KernelLaunch", "TensorLink", NULL};
    for (size_t i = 0; own[i]; i++)
        if (!strcmp(e->name, own[i]) || !strcmp(e->cat, own[i]))
            return own[i];
    return *e->tid && memmem(e->json, e->len, number_key, sizeof number_key - 1) ? number_key
                                                                                 : NULL;
}

static void megengine_refine(TraceRead *r, const Event *e, Span *s)
{
    (void)r;
    if (s->kind != SPAN_OTHER || !e->tid_name.n ||
        !memmem(e->begin, (size_t)(e->end - e->begin), number_key, sizeof number_key - 1))
        return;
    s->kind = text_is(&e->tid_name, "host") ? SPAN_HOST_OPERATOR : SPAN_NPU_OPERATOR;
}

const TraceReader reader_megengine = {
    .format = TRACE_MEGENGINE,
    .name = "megengine",
    .clue = megengine_clue,
    .strip = strip_tensor_number,
    .kind = megengine_kind,
    .refine = megengine_refine,
};

/* ---- static -------------------------------------------------------------------------------- */

static const Sign static_sign[] = {
    {"\"graph_exec\"", NULL},
    {"\"opr_footprint\"", NULL},
    {NULL, NULL},
};

enum { DOCUMENT_LIMIT_BYTES = 64 << 20 };

static bool read_seconds(const cJSON *o, const char *key, int64_t *ret)
{
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(o, key);
    if (!cJSON_IsNumber(v) || !(fabs(v->valuedouble) < 4e7))
        return false;
    *ret = llround(v->valuedouble * 1e9);
    return true;
}

static const char *member_name(TraceRead *r, const cJSON *o, const char *key, const char *fallback)
{
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(o, key);
    return cJSON_IsString(v) ? reader_name(r, v->valuestring, strlen(v->valuestring)) : fallback;
}

/* Members of an object by key: the document may hold many. */
typedef struct {
    StrMap index;
    const cJSON **item;
} Members;

static Members members_of(Arena *a, const cJSON *o)
{
    Members m;
    size_t n = (size_t)cJSON_GetArraySize(o), i = 0;
    const cJSON *c;
    strmap_init(&m.index, a, n + 1);
    m.item = ARENA_ARRAY(a, const cJSON *, n);
    cJSON_ArrayForEach(c, o)
    {
        if (!c->string)
            continue;
        m.item[i] = c;
        strmap_put(&m.index, c->string, (uint32_t)i++);
    }
    return m;
}

static const cJSON *members_get(const Members *m, const char *key)
{
    uint32_t i = strmap_get(&m->index, key);
    return i == STRMAP_NONE ? NULL : m->item[i];
}

typedef struct {
    const cJSON *profiler;
    Members operators, footprints;
} Profile;

static double positive_number(const cJSON *o, const char *key)
{
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(o, key);
    return cJSON_IsNumber(v) && v->valuedouble > 0 ? v->valuedouble : 0;
}

static const OpDetail *detail_of(Arena *a, const cJSON *footprint, const char *op)
{
    if (!footprint && !op)
        return NULL;
    OpDetail *d = ARENA_NEW(a, OpDetail);
    d->op = op;
    d->in_shapes =
        shapes_text(a, cJSON_GetObjectItemCaseSensitive(footprint, "in_shapes"), &d->shapes_key);
    d->out_shapes =
        shapes_text(a, cJSON_GetObjectItemCaseSensitive(footprint, "out_shapes"), &d->shapes_key);
    d->flop = positive_number(footprint, "computation");
    d->memory_bytes = positive_number(footprint, "memory");
    return d;
}

/* One run of an operator, on one device or thread. */
static void on_run(TraceRead *r, const Profile *p, const char *id, const cJSON *run, Span s)
{
    const cJSON *named = members_get(&p->operators, id);
    const cJSON *footprint = members_get(&p->footprints, id);
    int64_t end;
    r->info.events++;
    r->has_event = true;
    if (!read_seconds(run, "start", &s.start_ns) || !read_seconds(run, "end", &end)) {
        r->info.repairs.bad_event++;
        return;
    }
    s.name = member_name(r, named, "name", reader_name(r, id, strlen(id)));
    s.op = member_name(r, named, "type", NULL);
    if (s.op && !strcmp(s.op, "imperative")) /* of all operators: their names are their types */
        s.op = s.name;
    s.detail = detail_of(r->arena, footprint, s.op);
    s.dur_ns = end - s.start_ns;
    s.order = r->order++;
    if (s.dur_ns < 0) {
        r->info.repairs.negative_duration++;
        s.dur_ns = 0;
    }
    reader_emit(r, &s, false);
}

static void name_row(const TraceRead *r, TraceRow row)
{
    if (r->options->named)
        r->options->named(r->options->named_user, &row);
}

/* The row of a device, channel or worker ("gpu0:0", "main"): the same for all operators. */
static int64_t row_of(TraceRead *r, StrMap *rows, int64_t *nrow, int64_t pid, const char *name)
{
    uint32_t row = strmap_get(rows, name);
    if (row != STRMAP_NONE)
        return row;
    const char *kept = reader_name(r, name, strlen(name));
    strmap_put(rows, kept, (uint32_t)*nrow);
    name_row(r, (TraceRow){pid, *nrow, true, kept});
    return (*nrow)++;
}

/* Of an operator on several devices the one that takes longest is its time. */
static const cJSON *longest_run(const cJSON *runs)
{
    const cJSON *run, *longest = NULL;
    int64_t start, end, most = INT64_MIN;
    cJSON_ArrayForEach(run, runs)
    {
        if (!read_seconds(run, "start", &start) || !read_seconds(run, "end", &end) ||
            end - start <= most)
            continue;
        most = end - start;
        longest = run;
    }
    return longest;
}

static void on_side(TraceRead *r, const Profile *p, const char *side, SpanKind as)
{
    const cJSON *runs, *run;
    int64_t nrow = 0;
    StrMap rows;
    Span s = span_empty();
    strmap_init(&rows, r->arena, 8);
    s.pid = as == SPAN_HOST_OPERATOR;
    name_row(r, (TraceRow){.pid = s.pid, .name = side});
    cJSON_ArrayForEach(runs, cJSON_GetObjectItemCaseSensitive(p->profiler, side))
    {
        const cJSON *longest = longest_run(runs);
        cJSON_ArrayForEach(run, runs)
        {
            s.kind = as == SPAN_HOST_OPERATOR || run == longest ? as : SPAN_OTHER;
            s.tid = row_of(r, &rows, &nrow, s.pid, run->string ? run->string : "");
            on_run(r, p, runs->string ? runs->string : "", run, s);
        }
    }
}

static Status read_profile(TraceRead *r)
{
    const char *text;
    size_t len;
    Status st = source_all(&r->source, DOCUMENT_LIMIT_BYTES, &text, &len, r->diag);
    if (st)
        return st;
    cJSON *root = cJSON_ParseWithLength(text, len);
    if (!root)
        return diag_set(r->diag, STATUS_INPUT, r->info.path, NULL,
                        "a MegEngine profile, but not valid JSON");
    const cJSON *graph = cJSON_GetObjectItemCaseSensitive(root, "graph_exec");
    Profile p = {.profiler = cJSON_GetObjectItemCaseSensitive(root, "profiler")};
    p.operators = members_of(r->arena, cJSON_GetObjectItemCaseSensitive(graph, "operator"));
    p.footprints =
        members_of(r->arena, cJSON_GetObjectItemCaseSensitive(p.profiler, "opr_footprint"));
    on_side(r, &p, "device", SPAN_NPU_OPERATOR);
    on_side(r, &p, "host", SPAN_HOST_OPERATOR);
    cJSON_Delete(root);
    return STATUS_OK;
}

const TraceReader reader_megengine_static = {
    .format = TRACE_MEGENGINE,
    .name = "megengine",
    .sign = static_sign,
    .whole = read_profile,
};
