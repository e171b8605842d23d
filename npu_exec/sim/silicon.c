/* Reads the silicon file and checks its geometry against the machine. */
#include "npu_exec/sim/silicon.h"
#include "graph/base/data.h"
#include "graph/base/random.h"
#include "graph/base/xml.h"
#include "graph/compile/machine.h"
#include "graph/model/dtype.h"

enum { MILLI = 1000, PE_MAX = 8 };

/* Which machines need a constant. */
enum { OF_ANY = -1, OF_TASKS = 1 << MACHINE_TASKS, OF_ROWS = 1 << MACHINE_ROWS };

typedef struct {
    const char *name, *unit;
    size_t offset;
    int of;
    int64_t least;
} Constant;

static const Constant constants[] = {
#define SILICON(name, unit, of, least) {#name, unit, offsetof(Silicon, name), OF_##of, least},
#include "npu_exec/sim/silicon.def"
};
enum { NCONSTANT = sizeof constants / sizeof constants[0] };

static int64_t *constant_in(Silicon *s, const Constant *c)
{
    return (int64_t *)(void *)((char *)s + c->offset);
}

bool silicon_scaled_decimal(const char *text, int64_t scale, int64_t *ret)
{
    bool negative = *text == '-';
    const char *p = text + negative;
    int64_t whole = 0, fraction = 0, unit = 1;
    if (*p < '0' || *p > '9')
        return false;
    for (; *p >= '0' && *p <= '9'; p++) {
        if (whole > (INT64_MAX / scale - 9) / 10)
            return false;
        whole = whole * 10 + (*p - '0');
    }
    if (*p == '.')
        for (p++; *p >= '0' && *p <= '9'; p++)
            if (unit < INT64_C(1000000000)) {
                fraction = fraction * 10 + (*p - '0');
                unit *= 10;
            }
    if (*p != '\0')
        return false;
    int64_t value = i64_add(i64_mul(whole, scale), i64_mul_div(fraction, 2 * scale, unit) / 2 +
                                                       i64_mul_div(fraction, 2 * scale, unit) % 2);
    *ret = negative ? -value : value;
    return true;
}

Ps silicon_cycles(const Silicon *s, int64_t milli_cycles)
{
    return ps_service(i64_mul_div(milli_cycles, s->core_cycle, MILLI * MILLI));
}

/* The attribute as a non-negative number times `scale`. */
static Status read_number(Arena *a, const char *path, const xmlNode *node, const char *attr,
                          int64_t scale, int64_t *ret, Diag *diag)
{
    const char *text = xml_attr(a, node, attr);
    int64_t v = 0;
    if (text && (!silicon_scaled_decimal(text, scale, &v) || v < 0))
        return diag_set(diag, STATUS_INPUT, path, xml_place(a, node),
                        "%s=\"%s\" is not a non-negative number", attr, text);
    *ret = v;
    return STATUS_OK;
}

static const Constant *constant_named(const char *name)
{
    return LIST_FIND(i, constants, NCONSTANT, strcmp(constants[i].name, name) == 0);
}

static bool is_mechanism(const Constant *c)
{
    return strcmp(c->unit, "yes") == 0;
}

static Status read_constant(Arena *a, Silicon *s, bool *seen, const xmlNode *node, Diag *diag)
{
    const char *name = xml_attr_or(a, node, "name", ""), *unit = xml_attr(a, node, "unit");
    const Constant *c = constant_named(name);
    const char *place = xml_place(a, node);
    if (!c)
        return diag_set(diag, STATUS_INPUT, s->path, place, "no constant is called '%s'", name);
    if (!unit || strcmp(unit, c->unit) != 0)
        return diag_set(diag, STATUS_INPUT, s->path, place, "'%s' is in %s, not in %s", name,
                        c->unit, unit ? unit : "nothing");
    if (seen[c - constants])
        return diag_set(diag, STATUS_INPUT, s->path, place, "'%s' is stated twice", name);
    seen[c - constants] = true;
    return read_number(a, s->path, node, "value", MILLI, constant_in(s, c), diag);
}

static Status read_constants(Arena *a, Silicon *s, const xmlNode *root, MachineKind kind,
                             Diag *diag)
{
    bool seen[NCONSTANT] = {false};
    for (xmlNode *n = xml_child(root, "p"); n; n = xml_next(n)) {
        Status st = read_constant(a, s, seen, n, diag);
        if (st)
            return st;
    }
    if (!seen[constant_named("dma_overlap") - constants])
        s->dma_overlap = MILLI;
    for (size_t i = 0; i < NCONSTANT; i++)
        if (!seen[i] && !is_mechanism(&constants[i]) && constants[i].of & 1 << kind)
            return diag_set(diag, STATUS_INPUT, s->path, NULL, "lacks the constant '%s' (%s)",
                            constants[i].name, constants[i].unit);
    if (s->pe_count > PE_MAX)
        return diag_set(diag, STATUS_INPUT, s->path, "geometry", "more than %d PEs", PE_MAX);
    if (LIST_ANY(i, NCONSTANT, seen[i] && *constant_in(s, &constants[i]) < constants[i].least))
        return diag_set(diag, STATUS_INPUT, s->path, NULL,
                        "clock, sizes, rates and efficiencies must not be zero");
    return STATUS_OK;
}

/* Geometry is stated again so that a silicon file cannot silently run another chip's programs. */
static Status check_geometry(Arena *a, Silicon *s, const xmlNode *root, const Machine *m,
                             Diag *diag)
{
    const xmlNode *g = xml_child(root, "geometry");
    const struct {
        const char *name;
        int64_t machine, *keep;
    } field[] = {
#define X(field) {#field, m->field, &s->field},
        SILICON_GEOMETRY(X)
#undef X
    };
    for (size_t i = 0; i < sizeof field / sizeof field[0]; i++) {
        int64_t v = 0;
        Status st = g ? read_number(a, s->path, g, field[i].name, 1, &v, diag) : STATUS_OK;
        if (st)
            return st;
        if (v != field[i].machine)
            return diag_set(diag, STATUS_INPUT, s->path, "geometry",
                            "%s is %lld, but the machine '%s' has %lld: not the same chip",
                            field[i].name, (long long)v, m->id, (long long)field[i].machine);
        *field[i].keep = v;
    }
    return STATUS_OK;
}

static HostOp host_op_named(const char *name)
{
    return LIST_VALUE(i, HOST_OP_COUNT, i && name && !strcmp(program_host_op_name((HostOp)i), name),
                      (HostOp)i, HOST_NONE);
}

static DType type_or_any(const char *name)
{
    return name ? dtype_from_name(name) : DT_UNKNOWN;
}

static Status read_host(Arena *a, const Silicon *s, const xmlNode *node, SiliconHostCost *ret,
                        Diag *diag)
{
    SiliconHostCost h = {.op = host_op_named(xml_attr(a, node, "op")),
                         .from = type_or_any(xml_attr(a, node, "from")),
                         .to = type_or_any(xml_attr(a, node, "to"))};
    const char *since = xml_attr(a, node, "since"), *until = xml_attr(a, node, "until");
    h.since = since ? sdk_from_text(since) : SDK_OLDEST;
    h.until = until ? sdk_from_text(until) : INT_MAX; /* of any machine */
    if (h.op == HOST_NONE || h.since == 0 || h.until == 0)
        return diag_set(diag, STATUS_INPUT, s->path, xml_place(a, node),
                        "unknown host operator or SDK version");
    const struct {
        const char *name;
        int64_t scale;
        int64_t *to;
    } field[] = {
        {"call_us", PS_PER_US, &h.call},        {"row_ns", PS_PER_NS, &h.row},
        {"line_ns", PS_PER_NS, &h.line},        {"out_line_ns", PS_PER_NS, &h.out_line},
        {"element_ns", 1000000, &h.element_fs}, {"mac_ns", 1000000, &h.mac_fs},
        {"sigma", 1000000, &h.sigma_ppm},
    };
    Status st = STATUS_OK;
    for (size_t i = 0; i < sizeof field / sizeof field[0] && !st; i++)
        st = read_number(a, s->path, node, field[i].name, field[i].scale, field[i].to, diag);
    *ret = h;
    return st;
}

static Status read_hosts(Arena *a, Silicon *s, const xmlNode *root, Diag *diag)
{
    size_t cap = 0;
    for (xmlNode *n = xml_child(root, "host"); n; n = xml_next(n)) {
        SiliconHostCost h;
        const char *list = xml_attr(a, n, "operators");
        char *types = list ? arena_strdup(a, list) : NULL, *save = NULL;
        Status st = read_host(a, s, n, &h, diag);
        if (st)
            return st;
        do {
            h.type = types ? strtok_r(save ? NULL : types, " ", &save) : NULL;
            if (h.type || !types)
                *VEC_PUSH(a, s->host, s->nhost, cap) = h;
        } while (h.type);
    }
    return STATUS_OK;
}

/* <p name="table_rate" times="1.3"/>, <p name="join_copies" value="1"/>,
 * <host op="Quantize" from="float32" times="0.8"/> */
static Status read_change(Arena *a, const Silicon *s, const xmlNode *n, MemberChange *ret,
                          Diag *diag)
{
    bool host = strcmp((const char *)n->name, "host") == 0;
    const Constant *c = constant_named(xml_attr_or(a, n, "name", ""));
    MemberChange x = {.constant = c ? (int)(c - constants) : -1, .value = -1};
    if (host) {
        x.op = host_op_named(xml_attr(a, n, "op"));
        x.from = type_or_any(xml_attr(a, n, "from"));
    }
    if (host ? x.op == HOST_NONE : !c)
        return diag_set(diag, STATUS_INPUT, s->path, xml_place(a, n),
                        "a member changes a constant or host operator that is not known");
    Status st = STATUS_OK;
    if (xml_attr(a, n, "value"))
        st = read_number(a, s->path, n, "value", MILLI, &x.value, diag);
    else
        st = read_number(a, s->path, n, "times", 1000000, &x.times, diag);
    *ret = x;
    return st;
}

static Status read_members(Arena *a, Silicon *s, const xmlNode *root, Diag *diag)
{
    size_t cap = 0;
    for (xmlNode *n = xml_child(root, "member"); n; n = xml_next(n)) {
        if (s->nmember == MEMBERS_MAX)
            return diag_set(diag, STATUS_INPUT, s->path, "member", "more than %d members",
                            MEMBERS_MAX);
        Member *m = VEC_PUSH(a, s->member, s->nmember, cap);
        size_t changes = 0;
        *m = (Member){0};
        for (const xmlNode *x = n->children; x; x = x->next) {
            if (x->type != XML_ELEMENT_NODE)
                continue;
            Status st = read_change(a, s, x, VEC_PUSH(a, m->change, m->nchange, changes), diag);
            if (st)
                return st;
        }
    }
    return STATUS_OK;
}

static int64_t times_ppm(int64_t value, int64_t ppm)
{
    return i64_max(i64_mul_div(value, ppm, 1000000), value > 0);
}

static void change_host(Silicon *s, const MemberChange *x)
{
    for (size_t i = 0; i < s->nhost; i++) {
        SiliconHostCost *h = &s->host[i];
        int64_t *part[] = {&h->call, &h->row, &h->line, &h->element_fs, &h->mac_fs, &h->out_line};
        if (h->op != x->op || (x->from != DT_UNKNOWN && h->from != x->from))
            continue;
        for (size_t k = 0; k < sizeof part / sizeof part[0]; k++)
            *part[k] = times_ppm(*part[k], x->times);
    }
}

Silicon *silicon_member(Arena *a, const Silicon *from, uint32_t number)
{
    Silicon *s = ARENA_NEW(a, Silicon);
    *s = *from;
    s->host = ARENA_ARRAY(a, SiliconHostCost, from->nhost);
    if (from->nhost)
        memcpy(s->host, from->host, from->nhost * sizeof *s->host);
    const Member *m = number ? &from->member[number - 1] : &(Member){0};
    for (size_t i = 0; i < m->nchange; i++) {
        const MemberChange *x = &m->change[i];
        int64_t *v = x->constant < 0 ? NULL : constant_in(s, &constants[x->constant]);
        if (!v)
            change_host(s, x);
        else
            *v = x->value >= 0 ? x->value : times_ppm(*v, x->times);
    }
    return s;
}

Status silicon_load(Arena *a, const char *path, const Machine *machine, Silicon **ret, Diag *diag)
{
    Silicon *s = ARENA_NEW(a, Silicon);
    s->path = path ? path : data_silicon_path(a, arena_printf(a, "%s.xml", machine->id));
    xmlDoc *doc = NULL;
    Status st = xml_load(s->path, data_silicon_path(a, "silicon.rng"), &doc, diag);
    if (st)
        return st;
    const xmlNode *root = xmlDocGetRootElement(doc);
    st = check_geometry(a, s, root, machine, diag);
    st = st ? st : read_constants(a, s, root, machine->kind, diag);
    st = st ? st : read_hosts(a, s, root, diag);
    st = st ? st : read_members(a, s, root, diag);
    xmlFreeDoc(doc);
    if (!st)
        *ret = s;
    return st;
}

static int64_t perturb_value(int64_t value, uint64_t seed, uint64_t key, uint64_t draw)
{
    int64_t factor = 700000 + (int64_t)random_below(random_bits(seed, key, 0, draw), 700000);
    return i64_mul_div(value, factor, 1000000);
}

void silicon_perturb(Silicon *s, uint64_t seed)
{
    for (size_t i = 0; i < NCONSTANT; i++) {
        if (is_mechanism(&constants[i]))
            continue;
        int64_t *v = constant_in(s, &constants[i]);
        *v = i64_max(perturb_value(*v, seed, strmap_hash_string(HASH_SEED, constants[i].name), 0),
                     *v > 0);
    }
    for (size_t i = 0; i < s->nhost; i++) {
        SiliconHostCost *h = &s->host[i];
        int64_t *part[] = {&h->call, &h->row, &h->line, &h->element_fs, &h->mac_fs, &h->out_line};
        for (size_t k = 0; k < sizeof part / sizeof part[0]; k++)
            *part[k] = perturb_value(*part[k], seed, strmap_hash_bytes(HASH_SEED, &i, sizeof i), k);
    }
}

void silicon_set_clock(Silicon *s, int64_t mhz_of_file, int64_t mhz)
{
    s->dram_burst = i64_mul_div(s->dram_burst, mhz_of_file, mhz);
    s->dram_row_miss = i64_mul_div(s->dram_row_miss, mhz_of_file, mhz);
}

const SiliconHostCost *silicon_host_cost(const Silicon *s, Sdk sdk, const Step *step)
{
    const SiliconHostCost *h = s->host;
    return LIST_FIND(i, h, s->nhost,
                     h[i].op == step->host_op && sdk >= h[i].since && sdk <= h[i].until &&
                         (!h[i].type || strcmp(h[i].type, step->op) == 0 ||
                          (step->finer && strcmp(h[i].type, step->finer) == 0)) &&
                         (h[i].from == DT_UNKNOWN || h[i].from == step->from) &&
                         (h[i].to == DT_UNKNOWN || h[i].to == step->to));
}
