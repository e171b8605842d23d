/* Reads the <costs> part of a target file, and a calibration over it. */
#include "cost_model/costs.h"
#include "graph/base/data.h"
#include "graph/base/xml.h"

#include <assert.h>
#include <math.h>
#include <string.h>

typedef struct {
    Arena *arena;
    const char *path;
    Diag *diag;
} Reader;

static const struct {
    const char *name, *unit;
} figure_table[COST_COUNT] = {
#define X(field, name, unit) {name, unit},
    COSTS(X)
#undef X
};

static Status fail_at_node(const Reader *r, const xmlNode *node, const char *fact,
                           const char *about)
{
    char place[32];
    snprintf(place, sizeof place, "line %ld", xmlGetLineNo(node));
    return diag_set(r->diag, STATUS_INPUT, r->path, place, fact, about);
}

static Status read_kind(const Reader *r, const xmlNode *node, FigureInfo *ret)
{
    static_assert(KIND_COUNT == 6, "the message names every kind");
    ret->source = xml_attr(r->arena, node, "source");
    const char *kind = xml_attr(r->arena, node, "kind");
    for (int k = 0; kind && k < KIND_COUNT; k++) {
        if (strcmp(kind, costs_figure_kind_text((FigureKind)k)) == 0) {
            ret->kind = (FigureKind)k;
            return STATUS_OK;
        }
    }
    return fail_at_node(
        r, node,
        "kind '%s' is not one of datasheet, config, published-fit, docs-trace, assumed, calibrated",
        kind ? kind : "");
}

/* Attributes NAME, and for the range LO and HI; without these the range is a point. */
static Status read_interval(const Reader *r, const xmlNode *node, const char *name, const char *lo,
                            const char *hi, Interval *ret)
{
    Interval v = {0, xml_number(node, name, NAN), 0};
    v.lo = xml_number(node, lo, v.mid);
    v.hi = xml_number(node, hi, v.mid);
    if (!(v.lo >= 0 && v.lo <= v.mid && v.mid <= v.hi && v.hi < 1e18))
        return fail_at_node(r, node,
                            "'%s' is missing, no number, negative, or outside its own range", name);
    *ret = v;
    return STATUS_OK;
}

static Status read_figure(const Reader *r, const xmlNode *node, Costs *c, bool *seen)
{
    const char *name = xml_attr(r->arena, node, "name");
    int index = name ? costs_figure_index(name) : -1;
    if (index < 0)
        return fail_at_node(r, node, "no figure is called '%s'", name ? name : "");
    const char *unit = xml_attr(r->arena, node, "unit");
    if (!unit || strcmp(unit, figure_table[index].unit) != 0)
        return fail_at_node(r, node, "unit must be '%s'", figure_table[index].unit);
    if (seen && seen[index])
        return fail_at_node(r, node, "figure '%s' is given twice", name);
    Interval value;
    FigureInfo info = {.name = figure_table[index].name, .unit = figure_table[index].unit};
    Status st = read_interval(r, node, "value", "lo", "hi", &value);
    if (!st)
        st = read_kind(r, node, &info);
    if (st)
        return st;
    costs_set_figure(c, index, value);
    c->info[index] = info;
    if (seen)
        seen[index] = true;
    return STATUS_OK;
}

static Status read_sdk(const Reader *r, const xmlNode *node, const char *name, Sdk *ret)
{
    const char *text = xml_attr(r->arena, node, name);
    Sdk sdk = text ? sdk_from_text(text) : 0;
    if (text && !sdk)
        return fail_at_node(r, node, "'%s' is not an SDK version", text);
    *ret = sdk;
    return STATUS_OK;
}

static Status read_dtype(const Reader *r, const xmlNode *node, const char *name, DType *ret)
{
    const char *text = xml_attr(r->arena, node, name);
    DType t = text ? dtype_from_name(text) : DT_UNKNOWN;
    if (text && t == DT_UNKNOWN)
        return fail_at_node(r, node, "'%s' is not an element type", text);
    *ret = t;
    return STATUS_OK;
}

static Status read_unit(const Reader *r, const xmlNode *node, HostUnit *ret)
{
    static_assert(UNIT_COUNT == 8, "the message names every unit");
    const char *text = xml_attr(r->arena, node, "unit");
    for (int u = 0; text && u < UNIT_COUNT; u++) {
        if (strcmp(text, costs_host_unit_text((HostUnit)u)) == 0) {
            *ret = (HostUnit)u;
            return STATUS_OK;
        }
    }
    return fail_at_node(
        r, node,
        "unit '%s' is not one of element, byte-in, byte-out, byte, mac, weight-byte, "
        "gathered-byte, far-byte",
        text ? text : "");
}

/* <also unit="byte" per_unit_ns="0.1"/> */
static Status read_also(const Reader *r, const xmlNode *node, HostCost *h)
{
    Status st = STATUS_OK;
    for (xmlNode *n = xml_child(node, "also"); n && !st; n = xml_next(n)) {
        static_assert(HOST_ALSO_MAX == 3, "the message names the limit");
        if (h->nalso == HOST_ALSO_MAX)
            return fail_at_node(r, n, "more than 3 <also>%s", "");
        HostTerm *t = &h->also[h->nalso++];
        st = read_unit(r, n, &t->unit);
        if (!st)
            st = read_interval(r, n, "per_unit_ns", "per_unit_lo", "per_unit_hi", &t->per_unit_ns);
    }
    return st;
}

static Status read_host(const Reader *r, const xmlNode *node, HostCost *ret)
{
    HostCost h = {.op = xml_attr(r->arena, node, "op")};
    if (!h.op || !*h.op)
        return fail_at_node(r, node, "<host> needs '%s'", "op");
    h.points = (int)xml_number(node, "points", 0);
    Status st = read_unit(r, node, &h.unit);
    if (!st)
        st = read_also(r, node, &h);
    if (!st)
        st = read_dtype(r, node, "from", &h.from);
    if (!st)
        st = read_dtype(r, node, "to", &h.to);
    if (!st)
        st = read_sdk(r, node, "since", &h.since);
    if (!st)
        st = read_sdk(r, node, "until", &h.until);
    if (!st)
        st = read_interval(r, node, "fixed_ns", "fixed_lo", "fixed_hi", &h.fixed_ns);
    if (!st)
        st = read_interval(r, node, "per_unit_ns", "per_unit_lo", "per_unit_hi", &h.per_unit_ns);
    if (!st)
        st = read_kind(r, node, &h.info);
    if (st)
        return st;
    h.info.name = h.op;
    h.info.unit = costs_host_unit_text(h.unit);
    *ret = h;
    return STATUS_OK;
}

static bool same_law(const HostCost *a, const HostCost *b)
{
    return strcmp(a->op, b->op) == 0 && a->from == b->from && a->to == b->to &&
           a->since == b->since && a->until == b->until && a->unit == b->unit;
}

/* Adds the law, or puts it in the place of the one for the same work when `over` allows that. */
static Status put_host(const Reader *r, const xmlNode *node, Costs *c, bool over)
{
    HostCost h;
    Status st = read_host(r, node, &h);
    if (st)
        return st;
    for (size_t i = 0; i < c->nhost; i++) {
        if (!same_law(&c->host[i], &h))
            continue;
        if (!over)
            return fail_at_node(r, node, "the law for '%s' is given twice", h.op);
        c->host[i] = h;
        return STATUS_OK;
    }
    static_assert(HOST_COSTS_MAX == 256, "the message names the limit");
    if (c->nhost == HOST_COSTS_MAX)
        return fail_at_node(r, node, "more than 256 <host> laws%s", "");
    c->host[c->nhost++] = h;
    return STATUS_OK;
}

/* Every <figure> and <host> below `parent`; `seen` NULL: an override, which may repeat. */
static Status read_rows(const Reader *r, const xmlNode *parent, Costs *c, bool *seen)
{
    Status st = STATUS_OK;
    for (xmlNode *n = xml_child(parent, "p"); n && !st; n = xml_next(n))
        st = read_figure(r, n, c, seen);
    for (xmlNode *n = xml_child(parent, "host"); n && !st; n = xml_next(n))
        st = put_host(r, n, c, seen == NULL);
    return st;
}

/* <kind name="LowLevelConv2d" term="vector" factor="1.2"/>: of a calibration. */
static Status read_kind_factor(const Reader *r, const xmlNode *node, Costs *c)
{
    const char *name = xml_attr(r->arena, node, "name");
    const char *term = xml_attr(r->arena, node, "term");
    int index = term ? term_from_name(term) : -1;
    double factor = xml_number(node, "factor", NAN);
    if (index < 0)
        return fail_at_node(r, node, "no term is called '%s'", term ? term : "");
    for (int k = 0; k < LOWOP_KIND_COUNT; k++) {
        if (!name || strcmp(name, program_lowop_name((LowOpKind)k)) != 0)
            continue;
        if (!(factor >= 0 && factor < 1e6))
            return fail_at_node(r, node, "'%s' must be 0 or above, and below 1e6", "factor");
        c->kind_factor[k][index] *= factor;
        return STATUS_OK;
    }
    return fail_at_node(r, node, "no low-level operator is called '%s'", name ? name : "");
}

/* <like multiply="0.3" … side="0.5"/>: the blend of a fitted network. */
static Status read_likes(const Reader *r, const xmlNode *parent, Costs *c)
{
    Blend *like = ARENA_ARRAY(r->arena, Blend, LIKE_MAX);
    for (xmlNode *n = xml_child(parent, "like"); n; n = xml_next(n)) {
        static_assert(LIKE_MAX == 1024, "the message names the limit");
        if (c->nlike == LIKE_MAX)
            return fail_at_node(r, n, "more than 1024 <like>%s", "");
        for (int k = 0; k < BLEND_COUNT; k++) {
            double v = xml_number(n, fit_distance_part_name((BlendPart)k), NAN);
            if (!(v >= 0 && v <= 10))
                return fail_at_node(r, n, "'%s' is missing, or not a number from 0 to 10",
                                    fit_distance_part_name((BlendPart)k));
            like[c->nlike].part[k] = v;
        }
        c->nlike++;
    }
    c->like = like;
    return STATUS_OK;
}

static Costs *costs_copy(Arena *a, const Costs *from)
{
    Costs *c = ARENA_NEW(a, Costs);
    *c = *from;
    c->host = ARENA_ARRAY(a, HostCost, HOST_COSTS_MAX);
    assert(from->nhost <= HOST_COSTS_MAX);
    if (from->nhost)
        memcpy(c->host, from->host, from->nhost * sizeof *c->host);
    return c;
}

static Status read_target(const Reader *r, const xmlDoc *doc, Costs *c)
{
    const xmlNode *root = xmlDocGetRootElement(doc);
    const xmlNode *costs = root ? xml_child(root, "costs") : NULL;
    if (!costs)
        return diag_set(r->diag, STATUS_INPUT, r->path, NULL, "has no <costs>");
    bool seen[COST_COUNT] = {false};
    Status st = read_rows(r, costs, c, seen);
    if (!st)
        st = read_likes(r, costs, c);
    for (int i = 0; i < COST_COUNT && !st; i++)
        if (!seen[i])
            st = fail_at_node(r, costs, "figure '%s' is missing", figure_table[i].name);
    const xmlNode *physical = xml_child(costs, "profile");
    if (st || !physical)
        return st;
    Costs *p = costs_copy(r->arena, c);
    st = read_rows(r, physical, p, NULL);
    c->physical = p;
    return st;
}

static Status read_calibration(const Reader *r, const xmlDoc *doc, Costs *c)
{
    const xmlNode *root = xmlDocGetRootElement(doc);
    if (!root || strcmp((const char *)root->name, "calibration") != 0)
        return diag_set(r->diag, STATUS_INPUT, r->path, NULL,
                        "is not a calibration: write one with `npu-advise calibrate`");
    Status st = read_rows(r, root, c, NULL);
    for (xmlNode *n = xml_child(root, "kind"); n && !st; n = xml_next(n))
        st = read_kind_factor(r, n, c);
    return st;
}

typedef Status (*ReadDoc)(const Reader *r, const xmlDoc *doc, Costs *c);

static Status with_file(const Reader *r, const char *schema, ReadDoc read, Costs *c)
{
    xmlDoc *doc = NULL;
    Status st = xml_load(r->path, schema, &doc, r->diag);
    if (st)
        return st;
    st = read(r, doc, c);
    xmlFreeDoc(doc);
    return st;
}

static char *target_path(Arena *a, const char *target)
{
    size_t len = strlen(target);
    bool is_path = strchr(target, '/') || (len > 4 && strcmp(target + len - 4, ".xml") == 0);
    return is_path ? arena_strdup(a, target)
                   : data_path(a, arena_printf(a, "targets/%s.xml", target));
}

Status costs_load(Arena *a, const char *target, const char *calibration, Costs **ret, Diag *diag)
{
    Costs *c = ARENA_NEW(a, Costs);
    c->host = ARENA_ARRAY(a, HostCost, HOST_COSTS_MAX);
    for (int k = 0; k < LOWOP_KIND_COUNT; k++)
        for (int i = 0; i < TERM_COUNT; i++)
            c->kind_factor[k][i] = 1;
    Reader r = {a, target_path(a, target), diag};
    c->source_path = r.path;
    Status st = with_file(&r, data_path(a, "schema/target.rng"), read_target, c);
    if (!st && calibration) {
        r.path = c->calibration = arena_strdup(a, calibration);
        st = with_file(&r, data_path(a, "schema/calibration.rng"), read_calibration, c);
    }
    if (st)
        return st;
    *ret = c;
    return STATUS_OK;
}
