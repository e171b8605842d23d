/* Names of all spans, from the three lists of the statistics. */
#include "advisor/trace_tables.h"

#include <stdlib.h>
#include <string.h>

static int by_total(const void *pa, const void *pb)
{
    const NameStat *const *pointer_a = pa, *const *pointer_b = pb;
    const NameStat *a = *pointer_a, *b = *pointer_b;
    if (a->total_ns != b->total_ns)
        return a->total_ns > b->total_ns ? -1 : 1;
    int names = strcmp(a->name, b->name);
    return names ? names : (a->kind > b->kind) - (a->kind < b->kind);
}

const NameStat **trace_span_names(Arena *a, const TraceStats *s, size_t *ret_count)
{
    const struct {
        const NameStat *name;
        size_t n;
    } list[] = {{s->npu_name, s->nnpu_name},
                {s->host_name, s->nhost_name},
                {s->other_name, s->nother_name}};
    const NameStat **all =
        ARENA_ARRAY(a, const NameStat *, s->nnpu_name + s->nhost_name + s->nother_name + 1);
    size_t n = 0;
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        for (size_t i = 0; i < list[k].n; i++)
            all[n++] = &list[k].name[i];
    if (n)
        qsort(all, n, sizeof *all, by_total);
    *ret_count = n;
    return all;
}
