/* Reads the <costs> part of a target file, and a calibration over it. */
#include "cost_model/costs.h"
#include "graph/options/option.h"
#include "graph/base/data.h"
#include "graph/base/xml.h"

typedef struct {
    Arena *arena;
    const char *path;
    Diag *diag;
} Reader;

static Status fail_at_node(const Reader *r, const xmlNode *node, const char *fact,
                           const char *about)
{
    return diag_set(r->diag, STATUS_INPUT, r->path, xml_place(r->arena, node), fact, about);
}

static const char *text_of(const Reader *r, const xmlNode *node, const char *name)
{
    const char *text = xml_attr(r->arena, node, name);
    return text ? text : "";
}

static Status read_kind(const Reader *r, const xmlNode *node, FigureInfo *ret)
{
    static_assert(KIND_COUNT == 6, "the message names every kind");
    ret->source = xml_attr(r->arena, node, "source");
    const char *kind = text_of(r, node, "kind");
    ret->kind = LIST_VALUE(k, KIND_COUNT, strcmp(kind, costs_figure_kind_text((FigureKind)k)) == 0,
                           (FigureKind)k, KIND_COUNT);
    if (ret->kind < KIND_COUNT)
        return STATUS_OK;
    return fail_at_node(
        r, node,
        "kind '%s' is not one of datasheet, config, published-fit, docs-trace, assumed, calibrated",
        kind);
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
    const char *name = text_of(r, node, "name");
    int index = costs_figure_index(c, name);
    if (index < 0)
        return fail_at_node(r, node, "no figure is called '%s'", name);
    FigureInfo *info = index < COST_COUNT ? &c->info[index] : &c->term_info[index - COST_COUNT];
    if (index < COST_COUNT)
        *info = (FigureInfo){.name = cost_names[index].name, .unit = cost_names[index].unit};
    const char *unit = xml_attr(r->arena, node, "unit");
    if (!unit || strcmp(unit, info->unit) != 0)
        return fail_at_node(r, node, "unit must be '%s'", info->unit);
    if (seen && seen[index])
        return fail_at_node(r, node, "figure '%s' is given twice", name);
    Interval value;
    Status st = read_interval(r, node, "value", "lo", "hi", &value);
    st = st ? st : read_kind(r, node, info);
    if (st)
        return st;
    costs_set_figure(c, index, value);
    if (seen)
        seen[index] = true;
    return STATUS_OK;
}

/* ---- terms ---- */

static Status read_form(const Reader *r, const xmlNode *node, TermForm *ret)
{
    const char *word = text_of(r, node, "form");
    *ret = LIST_VALUE(f, TERM_FORM_COUNT, strcmp(word, term_forms[f].word) == 0, (TermForm)f,
                      TERM_FORM_COUNT);
    return *ret < TERM_FORM_COUNT ? STATUS_OK
                                  : fail_at_node(r, node, "no term has the form '%s'", word);
}

static Status read_fused(const Reader *r, const xmlNode *node, FusedShare *ret)
{
    const char *word = text_of(r, node, "fused");
    *ret = LIST_VALUE(f, FUSED_COUNT, strcmp(word, fused_word((FusedShare)f)) == 0, (FusedShare)f,
                      FUSED_SAME);
    return !*word || strcmp(word, fused_word(*ret)) == 0
               ? STATUS_OK
               : fail_at_node(r, node, "'%s' is not one of same, divided, partly", word);
}

/* kinds="Conv2d Pool": those operators; without it, all. */
static Status read_kinds(const Reader *r, const xmlNode *node, uint32_t *ret)
{
    static_assert(LOWOP_KIND_COUNT < 32, "a bit for each kind");
    const char *kinds = xml_attr(r->arena, node, "kinds");
    char *text = kinds ? arena_strdup(r->arena, kinds) : NULL, *save = NULL;
    *ret = text ? 0 : (1u << LOWOP_KIND_COUNT) - 1;
    for (char *w = text ? strtok_r(text, " ", &save) : NULL; w; w = strtok_r(NULL, " ", &save)) {
        LowOpKind kind = program_lowop_from_word(w);
        if (kind == LOWOP_KIND_COUNT)
            return fail_at_node(r, node, "no low-level operator is called '%s'", w);
        *ret |= 1u << kind;
    }
    return STATUS_OK;
}

/* The term that runs beside this one, which is above it in the file. */
static Status read_beside(const Reader *r, const xmlNode *node, const Costs *c, int *ret)
{
    const char *name = xml_attr(r->arena, node, "beside");
    *ret = name ? costs_term(c, name) : -1;
    return name && *ret < 0 ? fail_at_node(r, node, "no term above it is called '%s'", name)
                            : STATUS_OK;
}

/* <term name="mac" form="array" fused="divided" value="1" unit="1" kind="datasheet" source="…"/> */
static Status read_term(const Reader *r, const xmlNode *node, Costs *c)
{
    Term t = {.name = xml_attr(r->arena, node, "name")};
    static_assert(TERM_MAX == 32, "the message names the limit");
    if (c->nterm == TERM_MAX)
        return fail_at_node(r, node, "more than 32 terms%s", "");
    if (!t.name || costs_figure_index(c, t.name) >= 0)
        return fail_at_node(r, node, "figure '%s' is given twice", t.name ? t.name : "");
    Status st = read_form(r, node, &t.form);
    st = st ? st : read_fused(r, node, &t.fused);
    st = st ? st : read_kinds(r, node, &t.kinds);
    st = st ? st : read_beside(r, node, c, &t.beside);
    if (st)
        return st;
    c->term[c->nterm] = t;
    c->term_info[c->nterm++] = (FigureInfo){.name = t.name, .unit = term_forms[t.form].unit};
    return read_figure(r, node, c, NULL);
}

static Status read_terms(const Reader *r, const xmlNode *parent, Costs *c)
{
    Status st = STATUS_OK;
    for (xmlNode *n = xml_child(parent, "term"); n && !st; n = xml_next(n))
        st = read_term(r, n, c);
    return st;
}

static Status read_sdk(const Reader *r, const xmlNode *node, const char *name, Sdk *ret)
{
    const char *text = xml_attr(r->arena, node, name);
    *ret = text ? sdk_from_text(text) : 0;
    return text && !*ret ? fail_at_node(r, node, "'%s' is not an SDK version", text) : STATUS_OK;
}

static Status read_dtype(const Reader *r, const xmlNode *node, const char *name, DType *ret)
{
    const char *text = xml_attr(r->arena, node, name);
    *ret = text ? dtype_from_name(text) : DT_UNKNOWN;
    bool bad = text && *ret == DT_UNKNOWN;
    return bad ? fail_at_node(r, node, "'%s' is not an element type", text) : STATUS_OK;
}

static Status read_unit(const Reader *r, const xmlNode *node, HostUnit *ret)
{
    static_assert(UNIT_COUNT == 9, "the message names every unit");
    const char *text = text_of(r, node, "unit");
    *ret = LIST_VALUE(u, UNIT_COUNT, strcmp(text, costs_host_unit_text((HostUnit)u)) == 0,
                      (HostUnit)u, UNIT_COUNT);
    if (*ret < UNIT_COUNT)
        return STATUS_OK;
    return fail_at_node(
        r, node,
        "unit '%s' is not one of element, byte-in, byte-out, byte, mac, weight-byte, "
        "gathered-byte, row, far-byte",
        text);
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
    HostCost h = {.op = ret->op, .of_operator = ret->of_operator};
    h.points = (int)xml_number(node, "points", 0);
    Status st = read_unit(r, node, &h.unit);
    st = st ? st : read_also(r, node, &h);
    st = st ? st : read_dtype(r, node, "from", &h.from);
    st = st ? st : read_dtype(r, node, "to", &h.to);
    st = st ? st : read_sdk(r, node, "since", &h.since);
    st = st ? st : read_sdk(r, node, "until", &h.until);
    st = st ? st : read_interval(r, node, "fixed_ns", "fixed_lo", "fixed_hi", &h.fixed_ns);
    if (!st)
        st = read_interval(r, node, "per_unit_ns", "per_unit_lo", "per_unit_hi", &h.per_unit_ns);
    st = st ? st : read_kind(r, node, &h.info);
    if (st)
        return st;
    h.info.name = h.op;
    h.info.unit = costs_host_unit_text(h.unit);
    *ret = h;
    return STATUS_OK;
}

static bool same_law(const HostCost *a, const HostCost *b)
{
    return strcmp(a->op, b->op) == 0 && a->of_operator == b->of_operator && a->from == b->from &&
           a->to == b->to && a->since == b->since && a->until == b->until && a->unit == b->unit;
}

/* Adds the law, or puts it in the place of the one for the same work when `over` allows that. */
static Status put_host(const Reader *r, const xmlNode *node, HostCost h, Costs *c, bool over)
{
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

/* operators="Relu Clip": the law of each of these ONNX operators; op="Quantize": of one step. */
static Status put_hosts(const Reader *r, const xmlNode *node, Costs *c, bool over)
{
    const char *list = xml_attr(r->arena, node, "operators");
    char *text = arena_strdup(r->arena, list ? list : text_of(r, node, "op")), *save = NULL;
    Status st = *text ? STATUS_OK : fail_at_node(r, node, "<host> needs '%s'", "op");
    for (char *w = strtok_r(text, " ", &save); w && !st; w = strtok_r(NULL, " ", &save))
        st = put_host(r, node, (HostCost){.op = w, .of_operator = list != NULL}, c, over);
    return st;
}

/* Every <figure> and <host> below `parent`; `seen` NULL: an override, which may repeat. */
static Status read_rows(const Reader *r, const xmlNode *parent, Costs *c, bool *seen)
{
    Status st = STATUS_OK;
    for (xmlNode *n = xml_child(parent, "p"); n && !st; n = xml_next(n))
        st = read_figure(r, n, c, seen);
    for (xmlNode *n = xml_child(parent, "host"); n && !st; n = xml_next(n))
        st = put_hosts(r, n, c, seen == NULL);
    return st;
}

/* <kind name="LowLevelConv2d" term="vector" factor="1.2"/>: of a calibration. */
static Status read_kind_factor(const Reader *r, const xmlNode *node, Costs *c)
{
    const char *name = text_of(r, node, "name"), *term = text_of(r, node, "term");
    int index = costs_term(c, term);
    double factor = xml_number(node, "factor", NAN);
    if (index < 0)
        return fail_at_node(r, node, "no term is called '%s'", term);
    int k =
        LIST_VALUE(i, LOWOP_KIND_COUNT, strcmp(name, program_lowop_name((LowOpKind)i)) == 0, i, -1);
    if (k < 0)
        return fail_at_node(r, node, "no low-level operator is called '%s'", name);
    if (!(factor >= 0 && factor < 1e6))
        return fail_at_node(r, node, "'%s' must be 0 or above, and below 1e6", "factor");
    c->kind_factor[k][index] *= factor;
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
    bool seen[FIGURE_MAX] = {false};
    Status st = read_terms(r, costs, c);
    for (int t = 0; t < c->nterm; t++)
        seen[COST_COUNT + t] = true;
    st = st ? st : read_rows(r, costs, c, seen);
    bool rows = xml_child(xml_child(root, "machine"), "rows") != NULL;
    for (int i = 0; i < COST_COUNT && !st && !rows; i++)
        if (!seen[i] && i != COST_residual_network)
            st = fail_at_node(r, costs, "figure '%s' is missing", cost_names[i].name);
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
        for (int i = 0; i < TERM_MAX; i++)
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

Status costs_at_ddr(Costs *c, const Machine *m, int mhz, Diag *diag)
{
    if (mhz && m->ddr_mhz == 1)
        return diag_set(diag, STATUS_USAGE, option_flag(OPTION_DDR_MHZ), NULL,
                        "the costs of %s hold for one memory", m->id);
    for (int t = 0; mhz && t < c->nterm; t++) {
        Term *x = &c->term[t];
        if (x->form == TERM_BYTES || x->form == TERM_WEIGHT || x->form == TERM_READ)
            x->figure = interval_scale(x->figure, (double)m->ddr_mhz / mhz);
    }
    return STATUS_OK;
}
