/* Paths of random spans, against looking at every instant. */
#include "graph/base/random.h"
#include "tests/unit/check.h"
#include "trace/stats/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SPANS = 40, LENGTH = 200, SCENES = 200, FIRST = 1000 };

static const SpanKind kinds[] = {SPAN_TRANSFER, SPAN_HOST_OPERATOR, SPAN_SUBMIT};
static char names[SPANS][16];

/* One after the other by start, the longer first; some begin before the inference or end behind it.
 */
static size_t make(uint64_t scene, OpSpan *span)
{
    size_t n = 1 + scene % SPANS;
    for (size_t i = 0; i < n; i++) {
        uint64_t r = random_bits(scene, 1, i, 0);
        span[i] = (OpSpan){.name = names[i],
                           .kind = kinds[r % 3],
                           .start_ns = FIRST - 20 + (int64_t)(r / 3 % (LENGTH + 40)),
                           .dur_ns = (int64_t)(r / 1024 % (scene % 2 ? 90 : 15))};
    }
    return n;
}

/* The rank of a kind, as path.h has it. */
static int rank(SpanKind k)
{
    return k == SPAN_TRANSFER ? 3 : k == SPAN_HOST_OPERATOR ? 2 : 1;
}

/* Within the inference. */
static int64_t begin(const OpSpan *s)
{
    return s->start_ns > FIRST ? s->start_ns : FIRST;
}
static int64_t end(const OpSpan *s)
{
    int64_t e = s->start_ns + s->dur_ns;
    return e < FIRST + LENGTH ? e : FIRST + LENGTH;
}

/* The latest begun is innermost: of those that begin together the one that ends first. */
static bool before(const OpSpan *a, const OpSpan *b)
{
    if (rank(a->kind) != rank(b->kind))
        return rank(a->kind) > rank(b->kind);
    if (begin(a) != begin(b))
        return begin(a) > begin(b);
    if (end(a) != end(b))
        return end(a) < end(b);
    return strcmp(a->name, b->name) > 0;
}

/* ns that each span explains; what nothing explains last. */
static void by_looking(const OpSpan *span, size_t n, int64_t *ns)
{
    memset(ns, 0, (SPANS + 1) * sizeof *ns);
    for (int64_t t = FIRST; t < FIRST + LENGTH; t++) {
        size_t best = SPANS;
        for (size_t i = 0; i < n; i++)
            if (begin(&span[i]) <= t && t < end(&span[i]) &&
                (best == SPANS || before(&span[i], &span[best])))
                best = i;
        ns[best]++;
    }
}

/* No gap is named by what takes no time. */
static bool is_of_some_time(const OpSpan *span, const char *end_name)
{
    if (end_name[0] != 's')
        return !strncmp(end_name, "begin", 5) || !strncmp(end_name, "end", 3);
    const OpSpan *s = &span[atoi(end_name + 1)];
    return end(s) > begin(s);
}

static bool is_sound(const OpSpan *span, const PathPart *p)
{
    const char *after = strstr(p->name, " … ");
    if (p->kind != SPAN_OTHER)
        return p->total_ns > 0;
    return p->total_ns > 0 && is_of_some_time(span, p->name) &&
           is_of_some_time(span, after + strlen(" … "));
}

static bool agrees(Arena *a, uint64_t scene)
{
    OpSpan span[SPANS];
    int64_t want[SPANS + 1], found[SPANS + 1] = {0}, latency = 0;
    size_t n = make(scene, span), nparts = 0;
    InferenceStat f = {.start_ns = FIRST, .dur_ns = LENGTH, .nhost = (uint32_t)n};
    TraceStats s = {.inference = &f, .ninference = 1, .host_span = span, .nhost_span = n};
    const PathPart *part = trace_path(a, &s, &nparts, &latency);
    by_looking(span, n, want);
    bool same = latency == LENGTH;
    for (size_t i = 0; i < nparts; i++) {
        size_t at = part[i].kind == SPAN_OTHER ? SPANS : (size_t)atoi(part[i].name + 1);
        found[at] += part[i].total_ns;
        same &= part[i].count == 1 && (i == 0 || part[i - 1].total_ns >= part[i].total_ns) &&
                (at == SPANS || part[i].kind == span[at].kind) && is_sound(span, &part[i]);
    }
    return same && !memcmp(want, found, sizeof want);
}

int main(void)
{
    Arena *a = arena_new(0);
    int good = 0;
    for (int i = 0; i < SPANS; i++)
        snprintf(names[i], sizeof names[i], "s%02d", i);
    for (uint64_t scene = 0; scene < SCENES; scene++)
        good += agrees(a, scene);
    CHECK(good == SCENES);
    arena_free(a);
    return check_failures() != 0;
}
