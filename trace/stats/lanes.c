/* Recognises lanes of the NPU in the names of a trace's processes and threads. */
#include "trace/stats/gather.h"

/* "npu:0:0-1 (pid 7)", "npu:0:1", "npu0pe0-1"; an I/O thread is named after its lane. */
static bool lane_from_name(const char *name, DeviceLane *ret)
{
    const char *at = strstr(name, "npu");
    unsigned card, first, last;
    if (!at)
        return false;
    int n = sscanf(at, "npu:%3u:%3u-%3u", &card, &first, &last);
    if (n < 2)
        n = sscanf(at, "npu%3upe%3u-%3u", &card, &first, &last);
    if (n < 2)
        return false;
    if (n < 3 || last < first)
        last = first;
    *ret = (DeviceLane){(int)card, (int)first, (int)last};
    return true;
}

static size_t with_lane(DeviceLane *all, size_t n, size_t most, DeviceLane lane)
{
    if (LIST_ANY(i, n, memcmp(&all[i], &lane, sizeof lane) == 0))
        return n;
    if (n < most)
        all[n++] = lane;
    return n;
}

void gather_add_device_lane(Gather *g, TraceStats *s, const char *name)
{
    DeviceLane lane;
    FileMark *m = &g->now;
    if (!lane_from_name(name, &lane))
        return;
    s->ndevice_lane = with_lane(s->device_lane, s->ndevice_lane, DEVICE_LANES_MAX, lane);
    m->nlane = with_lane(m->lane, m->nlane, sizeof m->lane / sizeof *m->lane, lane);
}
