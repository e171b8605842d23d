/* Groups labels by thread and attributes them to the inferences that they surround or touch. */
#include "trace/stats/application.h"

enum { NAMES_MAX = 16, THREADS_MAX = 64 };

/* Labels of one name. */
typedef struct {
    const char *name;
    double own_ns;  /* summed */
    double busy_ns; /* of that, with an inference in flight */
    size_t count;
    bool holds_many; /* one of them holds several inferences: it is around a run, not a request */
    bool on_thread;  /* inferences are on its threads, too */
    uint32_t thread[THREADS_MAX];
    size_t nthread;
} Work;

typedef struct {
    const Gather *g;
    Work work[NAMES_MAX];
    size_t nwork;
    int64_t first_ns, last_ns; /* of the inferences */
} Survey;

/* ---- one label ---- */

typedef struct {
    double own_ns, busy_ns;
    size_t held;
    bool on_thread;
} Own;

/* An application names what comes before and after its inferences so. */
static bool is_beside(const char *name)
{
    return strncasecmp(name, "pre", 3) == 0 || strncasecmp(name, "post", 4) == 0;
}

/* More inferences than this are not open at once. */
enum { OPEN_LABELS_MAX = 256 };

/* Takes what inferences the label holds off its own time; the first two tell all there is. */
static void without_inferences(const Gather *g, const LabelRow *l, Own *own)
{
    size_t i = LIST_BOUND(k, g->ninference, g->inference[k].stat.start_ns < l->start_ns);
    i = i > OPEN_LABELS_MAX ? i - OPEN_LABELS_MAX : 0;
    for (; i < g->ninference && own->held < 2; i++) {
        const InferenceRow *x = &g->inference[i];
        int64_t start = x->stat.start_ns, end = start + x->stat.dur_ns;
        if (start >= l->end_ns)
            break;
        bool same = x->lane == l->lane;
        bool held = start >= l->start_ns && end <= l->end_ns && (same || !is_beside(l->name));
        own->on_thread |= same;
        own->held += held;
        *(held ? &own->own_ns : &own->busy_ns) +=
            (held ? -1 : 1) * (double)i64_overlap(l->start_ns, l->end_ns, start, end);
    }
}

/* Labels within it, which follow it; what lies in those is theirs, the inference too. */
static void without_labels(const Gather *g, size_t label, Own *own)
{
    const LabelRow *l = &g->label[label];
    int64_t until = l->start_ns;
    for (size_t i = label + 1; i < g->nlabel && g->label[i].lane == l->lane; i++) {
        const LabelRow *x = &g->label[i];
        if (x->start_ns >= l->end_ns)
            break;
        if (x->start_ns < until)
            continue;
        until = x->end_ns;
        Own inner = {0};
        without_inferences(g, x, &inner);
        own->own_ns -=
            (double)i64_overlap(l->start_ns, l->end_ns, x->start_ns, x->end_ns) + inner.own_ns;
    }
}

static Own own_of(const Gather *g, size_t label)
{
    const LabelRow *l = &g->label[label];
    Own own = {.own_ns = (double)(l->end_ns - l->start_ns)};
    without_inferences(g, l, &own);
    if (own.held < 2)
        without_labels(g, label, &own);
    own.own_ns = own.own_ns > 0 ? own.own_ns : 0;
    own.busy_ns = own.busy_ns < own.own_ns ? own.busy_ns : own.own_ns;
    return own;
}

/* ---- all of them ---- */

static Work *work_named(Survey *v, const char *name)
{
    for (size_t i = 0; i < v->nwork; i++)
        if (strcmp(v->work[i].name, name) == 0)
            return &v->work[i];
    if (v->nwork == NAMES_MAX)
        return NULL;
    v->work[v->nwork] = (Work){.name = name};
    return &v->work[v->nwork++];
}

static bool has_thread(const Work *w, uint32_t lane)
{
    return LIST_ANY(i, w->nthread, w->thread[i] == lane);
}

static void add_label(Survey *v, size_t label)
{
    const LabelRow *l = &v->g->label[label];
    Work *w = l->end_ns >= v->first_ns && l->start_ns <= v->last_ns ? work_named(v, l->name) : NULL;
    if (!w)
        return;
    Own own = own_of(v->g, label);
    w->own_ns += own.own_ns;
    w->busy_ns += own.busy_ns;
    w->holds_many |= own.held > 1;
    w->on_thread |= own.on_thread;
    w->count++;
    if (!has_thread(w, l->lane) && w->nthread < THREADS_MAX)
        w->thread[w->nthread++] = l->lane;
}

static bool is_of_requests(const Survey *v, const Work *w)
{
    return !w->holds_many && 2 * w->count >= v->g->ninference && w->count <= 2 * v->g->ninference;
}

/* The label itself and what else its threads do, for one inference. */
static Application application_of(const Survey *v, const Work *w)
{
    Application ret = {.label = w->name, .threads = (uint32_t)w->nthread};
    double own = 0, busy = 0, most = 0;
    bool on_thread = false;
    for (size_t i = 0; i < v->nwork; i++) {
        const Work *x = &v->work[i];
        if (!is_of_requests(v, x) || !LIST_ANY(k, w->nthread, has_thread(x, w->thread[k])))
            continue;
        double each = x->own_ns / (double)x->count;
        own += x->own_ns;
        busy += x->busy_ns;
        on_thread |= x->on_thread;
        ret.work_ns += 2 * x->count < 3 * v->g->ninference ? each : 2 * each;
        ret.label = each > most ? x->name : ret.label;
        most = each > most ? each : most;
    }
    ret.blocks = on_thread || (ret.threads == 1 && busy < 0.05 * own);
    return ret;
}

static double per_thread(const Application *x)
{
    return x->threads ? x->work_ns / x->threads : 0;
}

void application_collect(Gather *g, TraceStats *s)
{
    Survey v = {.g = g, .first_ns = INT64_MAX, .last_ns = INT64_MIN};
    for (size_t i = 0; i < g->ninference; i++) {
        int64_t start = g->inference[i].stat.start_ns, end = start + g->inference[i].stat.dur_ns;
        v.first_ns = start < v.first_ns ? start : v.first_ns;
        v.last_ns = end > v.last_ns ? end : v.last_ns;
    }
    for (size_t i = 0; i < g->nlabel && g->ninference > 0; i++)
        add_label(&v, i);
    for (size_t i = 0; i < v.nwork; i++) {
        if (!is_of_requests(&v, &v.work[i]))
            continue;
        Application x = application_of(&v, &v.work[i]);
        if (per_thread(&x) > per_thread(&s->application))
            s->application = x;
    }
}
