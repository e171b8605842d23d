/* Parses device names of the vendor's runtime. */
#include "npu_exec/sim/devices.h"

typedef struct {
    const char *text, *target;
    uint32_t pe, pe_count;
    DeviceSet set;
    Diag *diag;
} Parse;

static Status refuse_devices(const Parse *p, const char *expected)
{
    return diag_set(p->diag, STATUS_USAGE, NULL, NULL, "--devices '%s': %s", p->text, expected);
}

static Status wrong_width(const Parse *p, uint32_t pe)
{
    return diag_set(p->diag, STATUS_USAGE, NULL, NULL,
                    "--devices '%s': lanes of %u PE%s, but the program takes %u; see --target",
                    p->text, pe, pe == 1 ? "" : "s", p->pe);
}

static Status add_lane(Parse *p, uint32_t device, uint32_t pe)
{
    DeviceSet *s = &p->set;
    if (s->nlane == SIM_MAX_LANES || device >= SIM_MAX_DEVICES)
        return refuse_devices(p, "at most 8 cards and 16 lanes");
    if (LIST_ANY(i, s->nlane, s->lane[i].device == device && s->lane[i].pe == pe))
        return refuse_devices(p, "names a PE twice");
    s->lane[s->nlane++] = (PePlace){device, pe};
    s->ndevice = device + 1 > s->ndevice ? device + 1 : s->ndevice;
    return STATUS_OK;
}

/* The first `n` lanes, card by card. */
static Status add_lanes(Parse *p, uint32_t n)
{
    uint32_t per_card = p->pe_count / p->pe;
    Status st = n == 0 ? refuse_devices(p, "expected at least one") : STATUS_OK;
    for (uint32_t i = 0; i < n && !st; i++)
        st = add_lane(p, i / per_card, i % per_card * p->pe);
    return st;
}

/* "npu:0:0-1", "npu:0:1" and the older "npu0pe0-1", "npu0pe1". */
static Status add_named(Parse *p, const char *name)
{
    uint32_t device, first, last;
    int end = -1;
    if (sscanf(name, "npu:%2u:%2u%n", &device, &first, &end) < 2 &&
        sscanf(name, "npu%2upe%2u%n", &device, &first, &end) < 2)
        return diag_set(p->diag, STATUS_USAGE, NULL, NULL,
                        "--devices '%s': expected a number of cards, %s(PEs)*N, or names such as "
                        "npu:0:0-1",
                        p->text, p->target);
    last = first;
    int more = 0;
    if (name[end] == '-' && sscanf(name + end, "-%2u%n", &last, &more) == 1)
        end += more;
    if (name[end] != '\0' || last < first || last >= p->pe_count)
        return refuse_devices(p, "expected PEs such as npu:0:0, npu:0:1 or npu:0:0-1");
    if (last - first + 1 != p->pe)
        return wrong_width(p, last - first + 1);
    return add_lane(p, device, first);
}

static Status add_list(Parse *p)
{
    char name[32];
    Status st = STATUS_OK;
    for (const char *at = p->text; !st; at++) {
        size_t len = strcspn(at, ",");
        if (len >= sizeof name)
            return refuse_devices(p, "expected names such as npu:0:0-1");
        memcpy(name, at, len);
        name[len] = '\0';
        st = add_named(p, name);
        at += len;
        if (*at == '\0')
            break;
    }
    return st;
}

/* "NAME(1)*2", NAME being the target's. */
static bool read_lanes(const Parse *p, unsigned *ret_width, unsigned *ret_count)
{
    size_t len = strlen(p->target);
    int end = -1;
    return strncmp(p->text, p->target, len) == 0 &&
           sscanf(p->text + len, "(%2u)*%3u%n", ret_width, ret_count, &end) == 2 &&
           p->text[len + (size_t)end] == '\0';
}

Status devices_parse(const char *text, const char *target, uint32_t pe, uint32_t pe_count,
                     DeviceSet *ret, Diag *diag)
{
    Parse p = {.text = text, .target = target, .pe = pe, .pe_count = pe_count, .diag = diag};
    unsigned width, count;
    int end = -1;
    Status st;
    if (pe > pe_count)
        st = wrong_width(&p, pe_count);
    else if (read_lanes(&p, &width, &count))
        st = width == pe ? add_lanes(&p, count) : wrong_width(&p, width);
    else if (sscanf(text, "%3u%n", &count, &end) == 1 && text[end] == '\0')
        st = add_lanes(&p, count * (pe_count / pe));
    else
        st = add_list(&p);
    if (!st)
        *ret = p.set;
    return st;
}
