/* Writes the parts of a program and their times as elements and attributes of one XML tree. */
#include "advisor/rules/facts.h"

#include "graph/compile/machine.h"
#include "graph/compile/program.h"
#include "cost_model/terms.h"
#include "advisor/rules/fact_rows.def"

void facts_clean_text(const char *in, char *out, size_t size)
{
    size_t n = 0;
    assert(size > 0);
    for (const unsigned char *s = (const unsigned char *)in; *s && n + 5 < size;) {
        int len = 4;
        int code = xmlGetUTF8Char(s, &len);
        if (code < 0) {
            len = 1;
            code = '?';
        } else if (code < 0x20 || code == 0x7f || code == 0xfffe || code == 0xffff) {
            code = '?';
        }
        if (code == '?')
            out[n++] = '?';
        else
            for (int i = 0; i < len; i++)
                out[n++] = (char)s[i];
        s += len;
    }
    out[n] = '\0';
}

void facts_attach_message(xmlNode *n, const char *name, const Message *said)
{
    xmlAttr *at = xmlHasProp(n, (const xmlChar *)name);
    if (at)
        at->_private = (void *)(uintptr_t)said;
}

/* The first value of an attribute is kept.  `said` is attached to its English sentence. */
static void set_message(xmlNode *n, const char *name, const char *value, const Message *said)
{
    char clean[4096];
    facts_clean_text(value ? value : "", clean, sizeof clean);
    if (xmlHasProp(n, (const xmlChar *)name))
        return;
    xmlNewProp(n, (const xmlChar *)name, (const xmlChar *)clean);
    facts_attach_message(n, name, said);
}

const Message *facts_message(const xmlNode *n)
{
    return n->type == XML_ATTRIBUTE_NODE ? n->_private : NULL;
}

static void set_text(xmlNode *n, const char *name, const char *value)
{
    set_message(n, name, value, NULL);
}

static void set_int(xmlNode *n, const char *name, int64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, value);
    set_text(n, name, text);
}

static void set_real(xmlNode *n, const char *name, double value)
{
    char text[64];
    snprintf(text, sizeof text, "%.6g", value);
    set_text(n, name, text);
}

static void set_known_text(xmlNode *n, const char *name, const char *value)
{
    if (value)
        set_text(n, name, value);
}

static xmlNode *add_element(xmlNode *parent, const char *name)
{
    return xmlNewTextChild(parent, NULL, (const xmlChar *)name, NULL);
}

static void set_interval(xmlNode *n, const char *name, Interval v)
{
    char lo[64], hi[64];
    snprintf(lo, sizeof lo, "%s-lo", name);
    snprintf(hi, sizeof hi, "%s-hi", name);
    set_int(n, name, (int64_t)v.mid);
    set_int(n, lo, (int64_t)v.lo);
    set_int(n, hi, (int64_t)v.hi);
}

#define ROW(set, name, value) set_##set(n, name, value);

static void add_program(xmlNode *root, const Program *p)
{
    xmlNode *n = add_element(root, "program");
    PROGRAM_FACTS(ROW)
}

static void add_time(xmlNode *root, const Prediction *t, double small_ns)
{
    xmlNode *n = add_element(root, "time");
    TIME_FACTS(ROW)
}

static void add_measured(Arena *a, xmlNode *root, const Reconciliation *r)
{
    if (!r)
        return;
    xmlNode *n = add_element(root, "measured");
    MEASURED_FACTS(ROW)
    char grade[2] = {r->grade, '\0'};
    set_text(n, "grade", grade);
    for (size_t i = 0; i < r->nissue; i++) {
        xmlNode *issue = add_element(n, "issue");
        set_text(issue, "code", r->issue[i].code);
        set_message(issue, "text", message_format(a, NULL, r->issue[i].said), r->issue[i].said);
    }
}

static void add_step(xmlNode *root, const Program *p, const Step *s, const Prediction *t,
                     const Reconciliation *r)
{
    static const char *const io[] = {"none", "input", "output"};
    static_assert(sizeof io / sizeof *io == IO_OUTPUT + 1, "a name for each side");
    assert(s->id < p->nstep && (unsigned)s->io <= IO_OUTPUT);
    xmlNode *n = add_element(root, "step");
    STEP_FACTS(ROW)
    if (s->nnode) {
        set_int(n, "node-id", s->node[0]);
        set_text(n, "node", p->model->graph->node[s->node[0]].name);
    }
    set_text(n, "known", t->step[s->id].known ? "yes" : "no");
    set_int(n, "time-ns", t->step[s->id].known ? (int64_t)t->step[s->id].total_ns.mid : 0);
    set_text(n, "limited-by", limit_key(t->step[s->id].limit));
    if (r && r->step[s->id].count)
        set_int(n, "measured-ns", r->step[s->id].median_ns);
}

static const char *attr_of(const Finding *f, const char *name)
{
    return LIST_VALUE(i, f->nattr, strcmp(f->attr[i].name, name) == 0, f->attr[i].value, "");
}

/* Elements made so far, by kind and index, so that passes add to the same one. */
typedef struct {
    const Program *program;
    xmlNode *root;
    xmlNode **input, **output;
} Sheet;

/* NULL when the finding is of no input or output. */
static xmlNode **border_of(const Sheet *s, const Finding *f)
{
    const Graph *g = s->program->model->graph;
    bool is_input = strcmp(f->kind, "input") == 0;
    if (!is_input && strcmp(f->kind, "output") != 0)
        return NULL;
    size_t i = strtoul(attr_of(f, "index"), NULL, 10);
    return i >= (is_input ? g->ninput : g->noutput) ? NULL
           : is_input                               ? &s->input[i]
                                                    : &s->output[i];
}

static xmlNode *element_of(const Sheet *s, const Finding *f)
{
    xmlNode **border = border_of(s, f);
    if (border && *border)
        return *border;
    xmlNode *n = add_element(s->root, border ? f->kind : "finding");
    if (border)
        return *border = n;
    set_text(n, "pass", f->pass);
    set_text(n, "kind", f->kind);
    return n;
}

static void add_finding(const Sheet *s, const Finding *f)
{
    const Graph *g = s->program->model->graph;
    xmlNode *n = element_of(s, f);
    assert(f->step == STEP_NONE || f->step < s->program->nstep);
    assert(f->node == NODE_NONE || f->node < g->nnode);
    assert(f->tensor == TENSOR_NONE || f->tensor < g->ntensor);
    for (size_t i = 0; i < f->nattr; i++)
        set_message(n, f->attr[i].name, f->attr[i].value, f->attr[i].said);
    if (f->step != STEP_NONE)
        set_int(n, "step-id", f->step);
    if (f->node != NODE_NONE) {
        set_int(n, "node-id", f->node);
        set_text(n, "node", g->node[f->node].name);
    }
    if (f->tensor != TENSOR_NONE) {
        set_int(n, "tensor-id", f->tensor);
        set_text(n, "tensor", g->tensor[f->tensor].name);
    }
}

static void set_options(xmlNode *n, const Program *p, const RunOptions *run, Objective objective)
{
    const CompileOptions *o = &p->options;
    OPTION_FACTS(ROW)
#define RUN_OPTION(field, id, preset, what)                                                        \
    if (&run->field != &run->workers)                                                              \
        set_int(n, option_name(OPTION_##id), run->field);
#include "graph/compile/run_options.def"
#include "graph/options/option.h"
    set_int(n, "host-cores", o->host_cores);
    set_text(n, "objective", objective == OBJECTIVE_LATENCY ? "latency" : "throughput");
}

xmlDoc *facts_build(const Program *p, const Prediction *time, const Reconciliation *rec,
                    const RunOptions *run, Objective objective, double small_ns,
                    const FindingList *findings)
{
    xmlDoc *doc = xmlNewDoc((const xmlChar *)"1.0");
    xmlNode *root = xmlNewNode(NULL, (const xmlChar *)"facts");
    xmlDocSetRootElement(doc, root);
    set_options(root, p, run, objective);
    set_text(root, "has-trace", rec ? "yes" : "no");
    xmlNode *n = add_element(root, "model");
    MODEL_FACTS(ROW)
    add_program(root, p);
    add_time(root, time, small_ns);
    add_measured(findings->arena, root, rec);
    const Graph *g = p->model->graph;
    Sheet sheet = {p, root, ARENA_ARRAY(findings->arena, xmlNode *, g->ninput),
                   ARENA_ARRAY(findings->arena, xmlNode *, g->noutput)};
    for (size_t i = 0; i < findings->nitem; i++)
        add_finding(&sheet, &findings->item[i]);
    for (size_t i = 0; i < p->nstep; i++)
        add_step(root, p, &p->step[i], time, rec);
    return doc;
}
