/* The executor's parts by themselves: heap order, exact decimals, noise tables, the DRAM channel,
 * and the two forms of the tile engine, which must agree to the picosecond. */
#include "graph/base/random.h"
#include "npu_exec/sim/recurrence.h"
#include "npu_exec/sim/stream.h"
#include "npu_exec/sim/noise.h"

#include <stdio.h>
#include <string.h>

static int failures;

static void check(bool ok, const char *what)
{
    printf("%s: %s\n", ok ? "ok" : "FAILED", what);
    failures += !ok;
}

static void test_heap(Arena *a)
{
    EventHeap h = {.arena = a};
    for (uint32_t i = 0; i < 1000; i++)
        event_put(&h, (Ps)random_below(random_bits(1, 0, i, 0), 50), (uint8_t)(i % 3), 0, i);
    SimEvent e, last = {.at = -1};
    bool sorted = true;
    size_t n = 0;
    for (; event_take(&h, &e); last = e, n++)
        sorted &= e.at > last.at || (e.at == last.at && e.order > last.order);
    check(sorted && n == 1000, "events come out by time, priority, sequence");
}

static void test_decimal(void)
{
    int64_t v = 0;
    check(silicon_scaled_decimal("49.3", 1000000, &v) && v == 49300000, "49.3 ns is 49,300,000 fs");
    check(silicon_scaled_decimal("0.0005", 1000, &v) && v == 1, "0.0005 rounds to 0.001");
    check(silicon_scaled_decimal("18446744073709551615", 1, &v) == false, "an overflow is refused");
    check(!silicon_scaled_decimal("1e3", 1, &v) && !silicon_scaled_decimal("", 1, &v) &&
              !silicon_scaled_decimal("1.2.3", 1, &v),
          "what is no decimal is refused");
}

static void test_noise(void)
{
    check(noise_exp_q16(0) == NOISE_ONE, "exp 0 is 1");
    int64_t e = noise_exp_q16(65536); /* 2.718282 * 2^20 = 2,850,325 */
    check(e > 2850325 - 60 && e < 2850325 + 60, "exp 1 within 2e-5");
    int64_t product = noise_exp_q16(40000) * noise_exp_q16(-40000) >> 20;
    check(product > NOISE_ONE - 30 && product < NOISE_ONE + 30, "exp x * exp -x is 1");
    int64_t sum = 0, squares = 0, above = 0;
    enum { N = 20000 };
    for (uint64_t i = 0; i < N; i++) {
        int64_t z = noise_normal_q16(random_bits(7, 0, i, 0)) / 64; /* in 1/1024 */
        sum += z;
        squares += z * z;
        above += noise_factor(7, 0, i, 0, 400000) > NOISE_ONE;
    }
    check(sum > -N * 15 && sum < N * 15, "normal deviates have mean 0 within 0.015");
    check(squares / N > 1024 * 1010 && squares / N < 1024 * 1038, "and variance 1 within 1.4 %");
    check(above > N / 2 - 300 && above < N / 2 + 300, "factors have median 1");
    check(noise_factor(7, 0, 3, 0, 0) == NOISE_ONE, "sigma 0 is no noise");
}

static Silicon dram_silicon(void)
{
    return (Silicon){.dram_burst_bytes = 256000,
                     .dram_burst = 4000,
                     .dram_row_bytes = 2048000,
                     .dram_row_miss = 40000,
                     .dram_first_access = 100000,
                     .dram_shared_efficiency = 800000};
}

static void test_dram(void)
{
    Silicon s = dram_silicon();
    check(dram_work(&s, 0) == 0, "no bytes, no time");
    /* 4096 B = 16 bursts of 4 ns + 2 rows of 40 ns + 100 ns */
    check(dram_work(&s, 4096) == 244000, "4,096 bytes take 244 ns");
    Dram d;
    Ps at = 0;
    dram_init(&d, &s);
    dram_request(&d, 1000, 0, 500);
    check(dram_next(&d, &at) && at == 1500, "alone, work is time");
    dram_request(&d, 1100, 1, 1000); /* 400 left of the first; each now gets 0.4 of the channel */
    check(dram_next(&d, &at) && at == 1100 + 1000 + 1, "two share: 400 / 0.4");
    check(dram_finish(&d, at) == 0 && dram_finish(&d, at) == -1,
          "the first is done, the second not");
    check(dram_next(&d, &at) && at >= 2101 + 599 && at <= 2101 + 601, "the second goes on alone");
    check(dram_finish(&d, at) == 1 && !dram_next(&d, &at), "and ends");
}

static uint64_t draw(uint64_t seed, uint64_t *n, uint64_t below)
{
    return random_below(random_bits(seed, 42, (*n)++, 0), below);
}

static TaskPlan random_plan(Arena *a, uint64_t seed)
{
    uint64_t n = 0;
    TaskPlan p = {.nentry = 2 + (uint32_t)draw(seed, &n, 30), .overlap = seed % 4 != 0};
    p.entry = ARENA_ARRAY(a, PlanEntry, p.nentry);
    for (uint32_t i = 0; i < p.nentry; i++) {
        PlanEntry *e = &p.entry[i];
        *e = (PlanEntry){.op = i, .nblock = 1 + (uint32_t)draw(seed, &n, 6), .first = p.nblock};
        e->after = i == 0 ? 0 : (uint32_t)draw(seed, &n, i + 1);
        Ps *part[] = {&e->command, &e->reload, &e->weights, &e->feed,   &e->load,
                      &e->array,   &e->vector, &e->store,   &e->barrier};
        for (size_t k = 0; k < sizeof part / sizeof part[0]; k++)
            *part[k] = draw(seed, &n, 3) == 0 ? 0 : (Ps)draw(seed, &n, 1000);
        e->load_bytes = e->load * 3;
        e->store_bytes = e->store * 5;
        e->first_bytes = (e->weights + e->reload) * 7;
        p.nblock += e->nblock;
    }
    p.entry[p.nentry - 1].waits_store = true;
    return p;
}

/* What each engine has to do in all; the DMA's bytes. */
static int64_t work_of(const TaskPlan *p, Ps ret_work[ENGINE_COUNT])
{
    int64_t bytes = 0;
    for (int k = 0; k < ENGINE_COUNT; k++)
        ret_work[k] = 0;
    for (uint32_t i = 0; i < p->nentry; i++) {
        const PlanEntry *e = &p->entry[i];
        Ps n = e->nblock;
        ret_work[ENGINE_DMA] += n * (e->load + e->store) + e->weights + e->reload;
        ret_work[ENGINE_FEED] += e->feed;
        ret_work[ENGINE_ARRAY] += n * e->array + e->command;
        ret_work[ENGINE_VECTOR] += n * e->vector;
        ret_work[ENGINE_RETIRE] += e->barrier;
        bytes += n * (e->load_bytes + e->store_bytes) + e->first_bytes;
    }
    return bytes;
}

/* An engine that did two things at once would have been busy for less than its work. */
static bool is_conserved(const TaskPlan *p, const Stream *s, Ps elapsed)
{
    Ps work[ENGINE_COUNT];
    int64_t bytes = work_of(p, work);
    bool ok = s->moved_at[p->nentry - 1] == bytes;
    for (int k = 0; k < ENGINE_COUNT; k++)
        ok &= s->busy_time[k] == work[k] && s->busy_time[k] <= elapsed;
    for (uint32_t i = 1; i < p->nentry; i++)
        ok &= s->moved_at[i] >= s->moved_at[i - 1];
    return ok;
}

/* Runs the plan as events on a channel of its own from `start`. */
static bool run_events(Arena *a, const TaskPlan *p, Ps start, Ps *ret_retired, bool *ret_conserved)
{
    enum { DRAM_EVENT = 100, START_EVENT = 101 };
    Silicon s = dram_silicon();
    EventHeap h = {.arena = a};
    Dram d;
    Stream stream;
    dram_init(&d, &s);
    stream_init(&stream, &h, &d, 0, 0, 0);
    event_put(&h, start, 0, START_EVENT, 0);
    bool done = false;
    int64_t *moved = ARENA_ARRAY(a, int64_t, p->nentry);
    for (SimEvent e; !done && event_take(&h, &e);) {
        uint32_t before = d.generation;
        if (e.kind == START_EVENT)
            stream_start(&stream, p, ret_retired, moved);
        else if (e.kind == DRAM_EVENT)
            done = e.arg == d.generation && dram_finish(&d, h.now) == 0 &&
                   stream_done(&stream, ENGINE_DMA);
        else
            done = stream_done(&stream, (Engine)e.kind);
        Ps at = 0;
        if (d.generation != before && dram_next(&d, &at))
            event_put(&h, at, 0, DRAM_EVENT, d.generation);
    }
    *ret_conserved = done && is_conserved(p, &stream, h.now - start);
    return done;
}

static void test_engine(Arena *a)
{
    bool same = true, ordered = true, conserved = true;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        TaskPlan p = random_plan(a, seed);
        Ps *x = ARENA_ARRAY(a, Ps, p.nentry), *y = ARENA_ARRAY(a, Ps, p.nentry);
        Ps start = (Ps)(seed * 977);
        bool kept = false;
        same &= run_events(a, &p, start, x, &kept);
        conserved &= kept;
        recurrence(&p, y);
        for (uint32_t i = 0; i < p.nentry; i++) {
            same &= x[i] == y[i] + start;
            ordered &= i == 0 || y[i] >= y[i - 1];
        }
    }
    check(same, "300 random plans: events and recurrence agree to the picosecond");
    check(ordered, "entries retire in order");
    check(conserved, "no engine does two things at once, and all bytes are moved once");
}

/* Load 100; A: array 50, vector 30, barrier 5; B after A: weights 200 loaded meanwhile, array 40.
 */
static void test_engine_by_hand(Arena *a)
{
    bool kept = false;
    PlanEntry entry[] = {
        {.nblock = 1, .first = 0, .load = 100},
        {.nblock = 1, .first = 1, .after = 1, .array = 50, .vector = 30, .barrier = 5},
        {.nblock = 1, .first = 2, .after = 2, .weights = 200, .command = 7, .array = 40},
        {.nblock = 1, .first = 3, .after = 3, .store = 60, .waits_store = true},
    };
    TaskPlan p = {.entry = entry, .nentry = 4, .nblock = 4, .overlap = true};
    Ps t[4];
    recurrence(&p, t);
    /* Load retires at 100, A at 100+50+30+5 = 185.  B's weights may come once block 0 has left the
     * array (100): 300; B computes until 347, is stored until 407. */
    check(t[0] == 100 && t[1] == 185 && t[2] == 347 && t[3] == 407,
          "hand-calculated task: 100 185 347 407");
    check(run_events(a, &p, 0, t, &kept) && t[3] == 407, "and the same as events");
}

int main(void)
{
    Arena *a = arena_new(0);
    test_heap(a);
    test_decimal();
    test_noise();
    test_dram();
    test_engine(a);
    test_engine_by_hand(a);
    arena_free(a);
    return failures != 0;
}
