/* Compares the files of a run by digests and figures, and drops, places or keeps each. */
#include "trace/stats/files.h"

#include "trace/readers/scan.h"

/* ---- the same spans again -------------------------------------------------------------------- */

static uint64_t mix_hash(uint64_t h, uint64_t v)
{
    h = (h ^ v) * UINT64_C(0xff51afd7ed558ccd);
    return h ^ h >> 32;
}

/* A sum: files that list the same spans in another order are the same. */
void file_span(Gather *g, const Span *s)
{
    uint64_t h = scan_hash(s->name, strlen(s->name), (uint64_t)s->kind);
    h = mix_hash(h, (uint64_t)s->start_ns);
    h = mix_hash(h, (uint64_t)s->dur_ns);
    h = mix_hash(mix_hash(h, (uint64_t)s->pid), (uint64_t)s->tid);
    h = mix_hash(mix_hash(h, s->trace_id), s->span_id);
    g->now.digest[0] += h;
    g->now.digest[1] += mix_hash(h, UINT64_C(0x9e3779b97f4a7c15));
}

void file_begin(Gather *g)
{
    g->now = (FileMark){.op = g->op.count,
                        .host = g->host.count,
                        .other = g->other.count,
                        .inference = g->ninference,
                        .task = g->ntask,
                        .label = g->nlabel,
                        .compile = g->ncompile,
                        .first_ns = g->first_ns};
    g->first_ns = INT64_MAX; /* of this file, until file_end */
}

static bool is_again(const Gather *g, const TraceStats *s, uint32_t *ret)
{
    const uint64_t *d = g->now.digest;
    for (uint32_t i = 0; i < g->file && s->file[g->file].spans > 0; i++)
        if (s->run[i].digest[0] == d[0] && s->run[i].digest[1] == d[1] &&
            s->file[i].spans == s->file[g->file].spans) {
            *ret = i;
            return true;
        }
    return false;
}

static void drop_file_rows(Gather *g)
{
    const FileMark *m = &g->now;
    rows_cut(&g->op, m->op);
    rows_cut(&g->host, m->host);
    rows_cut(&g->other, m->other);
    g->ninference = m->inference;
    g->ntask = m->task;
    g->nlabel = m->label;
    g->ncompile = m->compile;
}

/* ---- one run after the other ---- */

/* Times from here on (September 2001) count from 1970: files that overlap ran at the same time. */
#define CLOCK_OF_THE_WORLD_NS INT64_C(1000000000000000000)

/* End of the last inference of rows [from, to); INT64_MIN without any. */
static int64_t last_end_ns(const Gather *g, size_t from, size_t to)
{
    int64_t last = INT64_MIN;
    for (size_t i = from; i < to; i++) {
        int64_t end = g->inference[i].stat.start_ns + g->inference[i].stat.dur_ns;
        last = end > last ? end : last;
    }
    return last;
}

static int64_t start_of(const Gather *g, size_t from, size_t to)
{
    int64_t first = INT64_MAX;
    for (size_t i = from; i < to; i++)
        if (g->inference[i].stat.start_ns < first)
            first = g->inference[i].stat.start_ns;
    return first;
}

static void move_rows(Gather *g, int64_t by)
{
    const FileMark *m = &g->now;
    RowCursor op = rows_from(&g->op, m->op), host = rows_from(&g->host, m->host),
              other = rows_from(&g->other, m->other);
    for (OpRow *r; (r = rows_next(&g->op, &op));)
        r->start_ns += by;
    for (HostRow *r; (r = rows_next(&g->host, &host));)
        r->start_ns += by;
    for (OtherRow *r; (r = rows_next(&g->other, &other));)
        r->start_ns += by;
    for (size_t i = m->inference; i < g->ninference; i++)
        g->inference[i].stat.start_ns += by;
    for (size_t i = m->task; i < g->ntask; i++)
        g->task[i].stat.start_ns += by;
    for (size_t i = m->compile; i < g->ncompile; i++)
        g->compile[i].start_ns += by;
    for (size_t i = m->label; i < g->nlabel; i++) {
        g->label[i].start_ns += by;
        g->label[i].end_ns += by;
    }
    g->first_ns += by;
}

/* Times lie within a quarter of what an integer holds; so must they when they are moved. */
static bool may_move(int64_t by)
{
    return by < INT64_MAX / 8 && by > -INT64_MAX / 8;
}

static void place_file(Gather *g)
{
    int64_t before = last_end_ns(g, 0, g->now.inference),
            first = start_of(g, g->now.inference, g->ninference);
    if (before == INT64_MIN || first == INT64_MAX || first >= CLOCK_OF_THE_WORLD_NS)
        return;
    if (may_move(before) && may_move(first))
        move_rows(g, before - first);
}

/* ---- how it was set up ---- */

static double npu_per_inference(const Gather *g, const FileRun *r)
{
    double total = 0;
    for (size_t i = g->now.task; i < g->ntask; i++)
        total += (double)g->task[i].stat.total_ns;
    return total / (double)r->inferences;
}

static double concurrency_of(const Gather *g)
{
    double open = 0;
    int64_t first = start_of(g, g->now.inference, g->ninference),
            last = last_end_ns(g, g->now.inference, g->ninference);
    for (size_t i = g->now.inference; i < g->ninference; i++)
        open += (double)g->inference[i].stat.dur_ns;
    return last > first ? open / (double)(last - first) : 0;
}

/* How often an inference runs each operator, and for how long, by the number of its name. */
static NameShare *shares_of(Gather *g, const FileRun *r)
{
    NameShare *x = ARENA_ARRAY(g->arena, NameShare, g->nname);
    RowCursor c = rows_from(&g->host, g->now.host), d = rows_from(&g->op, g->now.op);
    for (HostRow *h; (h = rows_next(&g->host, &c));) {
        if (h->kind != SPAN_HOST_OPERATOR)
            continue;
        x[h->name].host_runs += 1 / (double)r->inferences;
        x[h->name].host_ns += (double)h->dur_ns / (double)r->inferences;
    }
    for (OpRow *o; (o = rows_next(&g->op, &d));) {
        x[o->name].npu_runs += 1 / (double)r->inferences;
        x[o->name].npu_ns += (double)o->dur_ns / (double)r->inferences;
    }
    return x;
}

/* Lanes of one width only tell what a program takes. */
static void see_lanes(const Gather *g, FileRun *r)
{
    for (size_t i = 0; i < g->now.nlane; i++) {
        const DeviceLane *l = &g->now.lane[i];
        int wide = l->last_pe - l->first_pe + 1;
        bool again = LIST_ANY(k, i, g->now.lane[k].card == l->card);
        r->cards += !again;
        r->pes = i == 0 || r->pes == wide ? wide : -1;
    }
    r->pes = r->pes < 0 ? 0 : r->pes;
}

typedef struct {
    Gather *g;
    TraceStats *s;
    uint32_t with; /* the first run */
} Comparison;

static void note_difference(Comparison *c, FileTrait trait, const char *name, double before,
                            double now)
{
    FileDifference *d = &c->s->differ;
    const char *kept = name ? arena_strdup(c->s->arena, name) : NULL;
    if (d->trait == FILES_ALIKE)
        *d = (FileDifference){trait, c->with, c->g->file, kept, before, now};
}

/* 0: a file that does not tell. */
static void compare_known(Comparison *c, FileTrait trait, double before, double now)
{
    if (before > 0 && now > 0 && before != now)
        note_difference(c, trait, NULL, before, now);
}

/* An operator that every second inference or more runs in one of them alone, or that takes four
 * times as long: a busy host doubles times, another type of the input is ten times as much. */
static void compare_host(Comparison *c, const NameShare *now)
{
    Gather *g = c->g;
    for (size_t i = 0; i < g->nname; i++) {
        NameShare a = i < g->nfirst_share ? g->first_share[i] : (NameShare){0}, b = now[i];
        const char *name = g->name[i];
        if (fabs(a.host_runs - b.host_runs) >= 0.5)
            note_difference(c, FILES_HOST_RUNS, name, round(a.host_runs), round(b.host_runs));
        else if (a.host_runs > 0 && b.host_runs > 0 && fmax(a.host_ns, b.host_ns) > 1e5 &&
                 fmax(a.host_ns, b.host_ns) > 4 * fmin(a.host_ns, b.host_ns))
            note_difference(c, FILES_HOST_TIME, name, a.host_ns, b.host_ns);
    }
}

/* The NPU takes a tenth longer for an inference, and not for each of its operators alike: that
 * would be another chip, or another clock.  Runs of one program differ by 1 % in the vendor's
 * tables. */
static void compare_npu(Comparison *c, const FileRun *a, const FileRun *b, const NameShare *now)
{
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < c->g->nfirst_share; i++) {
        NameShare x = c->g->first_share[i], y = now[i];
        double ratio = y.npu_ns * x.npu_runs / (x.npu_ns * y.npu_runs);
        if (x.npu_ns < 0.02 * a->npu_ns || y.npu_ns < 0.02 * b->npu_ns)
            continue; /* too small to tell, or there in one alone */
        least = fmin(least, ratio);
        most = fmax(most, ratio);
    }
    double longer = fmax(a->npu_ns, b->npu_ns), shorter = fmin(a->npu_ns, b->npu_ns);
    if (shorter > 0 && longer > 1.1 * shorter && most > 1.05 * least)
        note_difference(c, FILES_NPU_TIME, NULL, a->npu_ns, b->npu_ns);
}

/* Runs of one set-up keep as many requests in flight, but for their beginning and end: half a
 * request apart is another worker. */
static void compare_files(Gather *g, TraceStats *s, uint32_t with, const NameShare *shares)
{
    Comparison c = {g, s, with};
    const FileRun *a = &s->run[with], *b = &s->run[g->file];
    compare_known(&c, FILES_SDK, s->file[with].sdk, s->file[g->file].sdk);
    compare_known(&c, FILES_PES, a->pes, b->pes);
    compare_known(&c, FILES_CARDS, a->cards, b->cards);
    compare_host(&c, shares);
    if (fabs(a->concurrency - b->concurrency) >= 0.5)
        note_difference(&c, FILES_REQUESTS, NULL, a->concurrency, b->concurrency);
    compare_npu(&c, a, b, shares);
}

/* The first file with inferences is what the others are held against. */
static void see_run(Gather *g, TraceStats *s)
{
    FileRun *r = &s->run[g->file];
    uint32_t with = 0;
    if (r->inferences == 0)
        return;
    r->concurrency = concurrency_of(g);
    r->npu_ns = npu_per_inference(g, r);
    see_lanes(g, r);
    NameShare *shares = shares_of(g, r);
    while (with < g->file && (s->run[with].inferences == 0 || s->run[with].is_again))
        with++;
    if (with < g->file) {
        compare_files(g, s, with, shares);
        return;
    }
    g->first_share = shares;
    g->nfirst_share = g->nname;
}

/* ONNX Runtime with a provider for GPUs: the host's time for a node is the launch of its kernels,
 * which are the NPU's operators of that name. */
static void find_launches(Gather *g)
{
    bool *has_kernel = ARENA_ARRAY(g->arena, bool, g->nname);
    RowCursor c = rows_from(&g->op, g->now.op), d = rows_from(&g->host, g->now.host);
    for (OpRow *o; (o = rows_next(&g->op, &c));)
        has_kernel[o->name] = true;
    for (HostRow *h; (h = rows_next(&g->host, &d));)
        if (h->kind == SPAN_HOST_OPERATOR && has_kernel[h->name])
            h->kind = SPAN_SUBMIT;
}

/* ---- rows that are named after models ---- */

ORDER_BY(by_lane_outermost, InferenceRow, COMPARE(a->lane, b->lane),
         COMPARE(a->stat.start_ns, b->stat.start_ns), COMPARE(b->stat.dur_ns, a->stat.dur_ns),
         COMPARE(a->order, b->order))

/* On one thread the same work is drawn within itself, unless its ids say that it is another. */
static bool is_drawn_again(const InferenceRow *x, const InferenceRow *outer)
{
    const InferenceStat *a = &x->stat, *b = &outer->stat;
    bool apart = a->trace_id && b->trace_id && a->trace_id != b->trace_id;
    return x->lane == outer->lane && a->start_ns + a->dur_ns <= b->start_ns + b->dur_ns && !apart &&
           !strcmp(x->model, outer->model);
}

static void keep_outermost(Gather *g)
{
    InferenceRow *row = g->inference + g->now.inference;
    size_t n = g->ninference - g->now.inference, kept = 0;
    rows_sort(row, n, sizeof *row, by_lane_outermost);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || !is_drawn_again(&row[i], &row[kept - 1]))
            row[kept++] = row[i];
    g->ninference = g->now.inference + kept;
}

/* They count where nothing else in the file is an inference. */
static void settle_model_runs(Gather *g)
{
    InferenceRow *row = g->inference + g->now.inference;
    size_t n = g->ninference - g->now.inference, kept = 0;
    for (size_t i = 0; i < n; i++)
        if (!row[i].model)
            row[kept++] = row[i];
    if (kept == n)
        return;
    g->ninference = kept ? g->now.inference + kept : g->ninference;
    if (kept == 0)
        keep_outermost(g);
    RowCursor c = rows_from(&g->other, g->now.other);
    for (OtherRow *r; (r = rows_next(&g->other, &c));)
        if (r->kind == SPAN_MODEL_RUN)
            r->kind = kept ? SPAN_OTHER : SPAN_INFERENCE;
}

void file_end(Gather *g, TraceStats *s)
{
    FileRun *r = &s->run[g->file];
    settle_model_runs(g);
    if (s->file[g->file].format == TRACE_ONNXRUNTIME && g->op.count > g->now.op)
        find_launches(g);
    r->inferences = g->ninference - g->now.inference;
    if (!g->several)
        return;
    memcpy(r->digest, g->now.digest, sizeof r->digest);
    r->is_again = is_again(g, s, &r->same_as);
    if (r->is_again) {
        drop_file_rows(g);
        g->first_ns = g->now.first_ns;
        r->inferences = s->run[r->same_as].inferences;
        return;
    }
    see_run(g, s);
    place_file(g);
    g->first_ns = g->first_ns < g->now.first_ns ? g->first_ns : g->now.first_ns;
}
