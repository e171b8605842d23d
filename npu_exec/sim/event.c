/* Keeps events in a binary heap. */
#include "npu_exec/sim/event.h"

enum { PRIORITY_SHIFT = 56 };

static bool is_event_before(const SimEvent *x, const SimEvent *y)
{
    return x->at != y->at ? x->at < y->at : x->order < y->order;
}

void event_put(EventHeap *h, Ps at, uint8_t priority, uint32_t kind, uint32_t arg)
{
    assert(at >= h->now);
    SimEvent e = {.at = at,
                  .order = (uint64_t)priority << PRIORITY_SHIFT | h->sequence++,
                  .kind = kind,
                  .arg = arg};
    (void)VEC_PUSH(h->arena, h->event, h->count, h->cap);
    size_t i = h->count - 1;
    for (; i > 0 && is_event_before(&e, &h->event[(i - 1) / 2]); i = (i - 1) / 2)
        h->event[i] = h->event[(i - 1) / 2];
    h->event[i] = e;
}

/* Puts `e` where the root was and lets it sink. */
static void sift_down(EventHeap *h, SimEvent e)
{
    size_t i = 0;
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= h->count)
            break;
        if (child + 1 < h->count && is_event_before(&h->event[child + 1], &h->event[child]))
            child++;
        if (!is_event_before(&h->event[child], &e))
            break;
        h->event[i] = h->event[child];
        i = child;
    }
    h->event[i] = e;
}

bool event_take(EventHeap *h, SimEvent *ret)
{
    if (h->count == 0)
        return false;
    SimEvent first = h->event[0];
    SimEvent last = h->event[--h->count];
    if (h->count > 0)
        sift_down(h, last);
    assert(first.at >= h->now);
    h->now = first.at;
    *ret = first;
    return true;
}
