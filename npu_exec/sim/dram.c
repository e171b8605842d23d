/* Advances the requests on a channel together, each at its share of the bandwidth. */
#include "npu_exec/sim/dram.h"

void dram_init(Dram *d, const Silicon *s)
{
    *d = (Dram){.efficiency_permille = i64_max(1, s->dram_shared_efficiency / 1000)};
}

Ps dram_work(const Silicon *s, int64_t bytes)
{
    if (bytes <= 0)
        return 0;
    int64_t bursts = i64_ceil_div(i64_mul(bytes, 1000), s->dram_burst_bytes);
    int64_t rows = i64_ceil_div(i64_mul(bytes, 1000), s->dram_row_bytes);
    int64_t ps = i64_add(s->dram_first_access,
                         i64_add(i64_mul(bursts, s->dram_burst), i64_mul(rows, s->dram_row_miss)));
    return ps_service(ps); /* thousandths of a nanosecond are picoseconds */
}

/* Work done per requester in `elapsed` at the present number of active requests, none of which is
 * served faster than it is alone. */
static Ps dram_progress(const Dram *d, Ps elapsed)
{
    if (d->nactive <= 1)
        return elapsed;
    return i64_min(elapsed,
                   i64_mul_div(elapsed, d->efficiency_permille, 1000 * (int64_t)d->nactive));
}

static void advance_dram(Dram *d, Ps now)
{
    assert(now >= d->updated);
    Ps elapsed = now - d->updated, done = dram_progress(d, elapsed);
    if (d->nactive > 0)
        d->busy += elapsed;
    for (int i = 0; i < DRAM_MAX_REQUESTS; i++)
        if (d->left[i] > 0)
            d->left[i] = i64_max(d->left[i] - done, 1); /* it ends in dram_finish, not here */
    d->updated = now;
}

void dram_request(Dram *d, Ps now, uint32_t who, Ps work)
{
    assert(who < DRAM_MAX_REQUESTS && d->left[who] == 0 && work > 0);
    advance_dram(d, now);
    d->left[who] = work;
    d->nactive++;
    d->generation++;
}

Ps dram_left(const Dram *d, Ps now, uint32_t who)
{
    return i64_max(d->left[who] - dram_progress(d, now - d->updated), 0);
}

static Ps min_left(const Dram *d)
{
    Ps least = INT64_MAX;
    for (int i = 0; i < DRAM_MAX_REQUESTS; i++)
        if (d->left[i] > 0)
            least = i64_min(least, d->left[i]);
    return least;
}

bool dram_next(const Dram *d, Ps *ret_at)
{
    if (d->nactive == 0)
        return false;
    Ps least = min_left(d);
    if (d->nactive > 1) /* rounded up, so that at that time the work is done */
        least = i64_max(
            least,
            i64_add(i64_mul_div(least, 1000 * (int64_t)d->nactive, d->efficiency_permille), 1));
    *ret_at = d->updated + least;
    return true;
}

int dram_finish(Dram *d, Ps now)
{
    Ps done = dram_progress(d, now - d->updated);
    for (int i = 0; i < DRAM_MAX_REQUESTS; i++)
        if (d->left[i] > 0 && d->left[i] <= done) {
            advance_dram(d, now);
            d->left[i] = 0;
            d->nactive--;
            d->generation++;
            return i;
        }
    return -1;
}
