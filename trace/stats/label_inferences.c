/* Counts inferences by a label of the user's, where nothing else tells them. */
#include "trace/stats/gather.h"

enum { LABELS_MAX = 32 }; /* names that are looked at */
#define COVERS 0.8        /* of the operators' time that the label around inferences encloses */

typedef struct {
    const char *name;
    size_t runs;
    double covered_ns, total_ns;
} LabelSum;

ORDER_BY_POINTED(by_lane_and_start, HostRow, COMPARE(a->lane, b->lane),
                 COMPARE(a->start_ns, b->start_ns))

ORDER_BY(by_name_and_start, LabelRow, strcmp(a->name, b->name), COMPARE(a->lane, b->lane),
         COMPARE(a->start_ns, b->start_ns))

/* Sums up the n labels of one name, and what they enclose of the operators, both by lane and start.
 */
static LabelSum sum_label(const LabelRow *l, size_t n, HostRow *const *row, size_t nrow)
{
    LabelSum sum = {.name = l->name, .runs = n};
    for (size_t i = 0, k = 0; i < n; i++) {
        sum.total_ns += (double)(l[i].end_ns - l[i].start_ns);
        while (k < nrow && (row[k]->lane < l[i].lane ||
                            (row[k]->lane == l[i].lane && row[k]->start_ns < l[i].start_ns)))
            k++;
        for (; k < nrow && row[k]->lane == l[i].lane && row[k]->start_ns <= l[i].end_ns; k++)
            if (row[k]->start_ns + row[k]->dur_ns <= l[i].end_ns)
                sum.covered_ns += (double)row[k]->dur_ns;
    }
    return sum;
}

/* The outermost that repeats; else the outermost. */
static bool is_better(const LabelSum *a, const LabelSum *b)
{
    if (!b->name || (a->runs > 1) != (b->runs > 1))
        return !b->name || a->runs > 1;
    return a->total_ns > b->total_ns;
}

static size_t operators_of(const Gather *g, HostRow **ret, double *ret_ns)
{
    size_t n = 0;
    RowCursor c = rows_begin(&g->host);
    *ret_ns = 0;
    for (HostRow *h; (h = rows_next(&g->host, &c));)
        if (h->kind == SPAN_HOST_OPERATOR) {
            ret[n++] = h;
            *ret_ns += (double)h->dur_ns;
        }
    rows_sort(ret, n, sizeof *ret, by_lane_and_start);
    return n;
}

static LabelSum find_label(Gather *g, Arena *scratch)
{
    double all_ns;
    LabelSum best = {0};
    HostRow **row = ARENA_ARRAY(scratch, HostRow *, g->host.count);
    size_t nrow = operators_of(g, row, &all_ns), names = 0;
    rows_sort(g->label, g->nlabel, sizeof *g->label, by_name_and_start);
    for (size_t i = 0, end; i < g->nlabel && names < LABELS_MAX; i = end, names++) {
        for (end = i; end < g->nlabel && !strcmp(g->label[end].name, g->label[i].name);)
            end++;
        LabelSum sum = sum_label(g->label + i, end - i, row, nrow);
        if (sum.covered_ns > 0 && sum.covered_ns >= COVERS * all_ns && is_better(&sum, &best))
            best = sum;
    }
    return best;
}

void gather_count_labels(Gather *g)
{
    Arena *scratch = arena_new(SIZE_MAX);
    LabelSum found = find_label(g, scratch);
    for (size_t i = 0; i < g->nlabel && found.name; i++) {
        const LabelRow *l = &g->label[i];
        if (strcmp(l->name, found.name) != 0)
            continue;
        *VEC_PUSH(g->arena, g->inference, g->ninference, g->inference_cap) =
            (InferenceRow){.stat = {.start_ns = l->start_ns,
                                    .dur_ns = l->end_ns - l->start_ns,
                                    .pid = l->pid,
                                    .tid = l->tid},
                           .order = i,
                           .lane = l->lane};
    }
    arena_free(scratch);
}
