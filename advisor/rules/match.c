/* Evaluates one rule at a time, from its conditions to the fix and the tries of each cause. */
#include "advisor/rules/match.h"

#include "advisor/rules/template.h"
#include "graph/compile/machine.h"
#include "passes/pass.h"

/* One rule being matched. */
typedef struct {
    Arena *a;
    XPathEngine *e;
    const Rule *rule;
    Sdk sdk;
    const char *family; /* of the target */
    const Language *lang;
    bool stopped;            /* a limit was reached, or an expression failed */
    const Message *withheld; /* why the current cause has no fix in this SDK; NULL when it has */
    Sdk newer;               /* the first that has one; 0 */
    MatchList *out;
    size_t cap;
    /* Of the current cause. */
    const RuleFix *fix;
    const RuleTry **attempt;
    size_t nattempt;
} Matching;

static const char *expand_as(Matching *m, TemplateKind kind, const char *text, xmlNode *const *at,
                             size_t n)
{
    const char *result = "";
    if (!template_expand(m->e, kind, text, at, n, &result))
        m->stopped = true;
    return result;
}

static const char *expand_template(Matching *m, const char *text, xmlNode *const *at, size_t n)
{
    return expand_as(m, TEMPLATE_PROSE, text, at, n);
}

static const char *expand_text(Matching *m, const RuleText *text, xmlNode *const *at, size_t n)
{
    return expand_template(m, rule_text(text, m->lang), at, n);
}

/* Fixes are code: inserted values are quoted. */
static const char *expand_fix(Matching *m, xmlNode *const *at, size_t n)
{
    return m->fix->is_withheld
               ? ""
               : expand_as(m, TEMPLATE_CODE, rule_text(&m->fix->text, m->lang), at, n);
}

/* An optional test at the first occurrence of a cause. */
static bool test_holds(Matching *m, const char *test, xmlNode *at)
{
    bool result = true;
    if (test && !template_xpath_test(m->e, at, test, &result))
        m->stopped = true;
    return result;
}

/* How many texts depend on the try: one where there is no try. */
static size_t text_count(const Matching *m)
{
    return m->nattempt ? m->nattempt : 1;
}

static uint32_t id_attr(Arena *a, const xmlNode *n, const char *name)
{
    const char *text = xml_attr(a, n, name);
    return text ? (uint32_t)strtoul(text, NULL, 10) : UINT32_MAX;
}

static IoKind io_of(const xmlNode *at)
{
    const char *name = (const char *)at->name;
    return !strcmp(name, pass_io_name(IO_INPUT))    ? IO_INPUT
           : !strcmp(name, pass_io_name(IO_OUTPUT)) ? IO_OUTPUT
                                                    : IO_NONE;
}

static const char *op_attr(Arena *a, const xmlNode *n)
{
    static const char *const name[] = {"op", "first-host-op", "last-host-op"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        const char *text = xml_attr(a, n, name[i]);
        if (text && *text && strcmp(text, "none") != 0)
            return text;
    }
    return NULL;
}

static LeverSetting expand_set(Matching *m, const RuleSet *s, xmlNode *at)
{
    const char *index = expand_as(m, TEMPLATE_SETTING, s->index, &at, 1);
    const char *value = expand_as(m, TEMPLATE_SETTING, s->value, &at, 1);
    LeverSetting x = lever_setting(m->a, s->lever, index, value);
    x.given = s->given;
    return x;
}

/* One setting, or one for each node that `each` selects. */
static Attempt expand_try(Matching *m, const RuleTry *t, xmlNode *at)
{
    LeverSetting *set = NULL;
    size_t n = 0, cap = 0;
    for (size_t i = 0; i < t->nset; i++) {
        xmlNode **node = &at;
        size_t count = 1;
        if (t->set[i].each && !template_xpath_nodes(m->e, at, t->set[i].each, &node, &count))
            m->stopped = true;
        for (size_t k = 0; k < count; k++)
            *VEC_PUSH(m->a, set, n, cap) = expand_set(m, &t->set[i], node[k]);
    }
    return (Attempt){set, n};
}

/* Layers that an XPath of the rule selects at an occurrence, and where `saves` is one, too, its
 * number at each. */
static uint32_t *layers_at(Matching *m, xmlNode *at, const char *expr, const char *saves,
                           size_t *ret_count, const double **ret_saves)
{
    xmlNode **node = NULL;
    size_t n = 0;
    if (expr && !template_xpath_nodes(m->e, at, expr, &node, &n))
        m->stopped = true;
    uint32_t *list = ARENA_ARRAY(m->a, uint32_t, n + 1);
    double *part = saves ? ARENA_ARRAY(m->a, double, n + 1) : NULL;
    for (size_t i = 0; i < n; i++) {
        list[i] = id_attr(m->a, node[i], "index");
        if (saves && !template_xpath_number(m->e, node[i], saves, &part[i]))
            m->stopped = true;
        if (saves && !(part[i] > 0))
            part[i] = 0;
    }
    *ret_count = n;
    *ret_saves = part;
    return list;
}

static OccurrenceBound bound_at(Matching *m, xmlNode *at)
{
    const RuleBound *b = &m->rule->bound;
    OccurrenceBound p = {.ns = 0};
    if (b->removes)
        p.removes = layers_at(m, at, b->removes, NULL, &p.nremoves, &p.saves);
    if (b->changes)
        p.changes = layers_at(m, at, b->changes, b->saves, &p.nchanges, &p.saves);
    if (b->ns && !template_xpath_number(m->e, at, b->ns, &p.ns))
        m->stopped = true;
    if (!(p.ns > 0 && p.ns < 1e18))
        p.ns = 0;
    return p;
}

/* {$value} is the first value of try number `t` from here on. */
static void set_value(Matching *m, const Attempt *attempt, size_t t)
{
    template_xpath_set_value(m->e,
                             m->nattempt ? lever_term_text(m->a, &attempt[t].set[0].value) : "");
}

static const RuleFix *fix_for(Matching *m, Sdk sdk, xmlNode *at)
{
    const Rule *r = m->rule;
    return LIST_FIND(i, r->fix, r->nfix,
                     rule_fix_fits(&r->fix[i], sdk) && test_holds(m, r->fix[i].test, at));
}

/* The fix of one cause depends on where it is: at an input, an output or between. */
static Occurrence make_place(Matching *m, xmlNode *at)
{
    const RuleFix *first = m->fix, *own = m->withheld ? NULL : fix_for(m, m->sdk, at);
    m->fix = own && !own->is_withheld ? own : first;
    Attempt *attempt = ARENA_ARRAY(m->a, Attempt, m->nattempt);
    const char **fix = ARENA_ARRAY(m->a, const char *, text_count(m));
    for (size_t i = 0; i < m->nattempt; i++)
        attempt[i] = expand_try(m, m->attempt[i], at);
    for (size_t i = 0; i < text_count(m); i++) {
        set_value(m, attempt, i);
        fix[i] = expand_fix(m, &at, 1);
    }
    m->fix = first;
    return (Occurrence){
        .io = io_of(at),
        .step = id_attr(m->a, at, "step-id"),
        .node = id_attr(m->a, at, "node-id"),
        .tensor = id_attr(m->a, at, "tensor-id"),
        .op = op_attr(m->a, at),
        .cost_ns = xml_number(at, "time-ns", 0),
        .text = expand_text(m, &m->rule->place, &at, 1),
        .fix = fix,
        .attempt = attempt,
        .bound = bound_at(m, at),
    };
}

/* The settings of try number `t` at all occurrences, each once. */
static Attempt join_tries(Arena *a, const Occurrence *place, size_t nplace, size_t t)
{
    size_t n = 0, all = 0;
    for (size_t i = 0; i < nplace; i++)
        all += place[i].attempt[t].nset;
    LeverSetting *set = ARENA_ARRAY(a, LeverSetting, all);
    StrMap seen;
    strmap_init(&seen, a, all);
    for (size_t i = 0; i < nplace; i++)
        for (size_t k = 0; k < place[i].attempt[t].nset; k++) {
            LeverWords s = lever_words(a, &place[i].attempt[t].set[k]);
            if (strmap_add(&seen, arena_printf(a, "%s\n%s\n%s", s.lever, s.index, s.value), 0))
                set[n++] = place[i].attempt[t].set[k];
        }
    assert(n <= all);
    return (Attempt){set, n};
}

enum { FIX_TEXT_LIMIT = 1 << 16 }; /* of all occurrences together; more are dropped */

/* A template with a list covers all occurrences at once; otherwise each has its own line. */
static const char *join_fixes(Matching *m, xmlNode *const *at, const Occurrence *place, size_t n,
                              size_t t)
{
    if (m->fix->is_withheld)
        return "";
    if (template_lists(rule_text(&m->fix->text, m->lang)))
        return expand_fix(m, at, n);
    char *joined = arena_alloc(m->a, FIX_TEXT_LIMIT);
    size_t len = 0;
    StrMap seen;
    strmap_init(&seen, m->a, n);
    for (size_t i = 0; i < n; i++) {
        const char *fix = place[i].fix[t];
        size_t more = strlen(fix);
        if (!strmap_add(&seen, fix, 0) || len + more + 2 > FIX_TEXT_LIMIT)
            continue;
        if (len)
            joined[len++] = '\n';
        memcpy(joined + len, fix, more);
        len += more;
    }
    assert(len <= FIX_TEXT_LIMIT);
    return arena_strndup(m->a, joined, len);
}

/* Chooses the fix of the next SDK that has one. */
static bool find_newer(Matching *m, xmlNode *at)
{
    const Rule *r = m->rule;
    Sdk first = 0;
    for (size_t i = 0; i < r->nfix; i++)
        if (!r->fix[i].is_withheld && r->fix[i].since > m->sdk &&
            (!first || r->fix[i].since < first))
            first = r->fix[i].since;
    const RuleFix *f = first ? fix_for(m, first, at) : NULL;
    if (!f || f->is_withheld)
        return false;
    m->fix = f;
    m->newer = first;
    return true;
}

/* Chooses the fix and the tries of a cause; false when the SDK has no setting. */
static bool choose_fix(Matching *m, xmlNode *const *at, size_t n)
{
    assert(n > 0);
    const Rule *r = m->rule;
    m->fix = fix_for(m, m->sdk, at[0]);
    m->nattempt = 0;
    m->attempt = ARENA_ARRAY(m->a, const RuleTry *, r->nattempt);
    for (size_t i = 0; i < r->nattempt; i++)
        if (test_holds(m, r->attempt[i].test, at[0]))
            m->attempt[m->nattempt++] = &r->attempt[i];
    m->withheld = NULL;
    m->newer = 0;
    if (m->fix && !m->fix->is_withheld)
        return true;
    m->withheld = m->fix ? message_verbatim(m->a, expand_text(m, &m->fix->text, at, n))
                         : MESSAGE(m->a, phrase_arg(PHRASE_NO_SETTING),
                                   arg_text(rule_version_text(m->a, r->of, m->sdk)));
    return find_newer(m, at[0]) || (m->fix && LIST_ALL(i, r->nfix, r->fix[i].is_withheld));
}

/* The texts for all occurrences together, for each try. */
static void expand_tries(Matching *m, xmlNode *const *at, Match *ret)
{
    Attempt *attempt = ARENA_ARRAY(m->a, Attempt, m->nattempt);
    const char **title = ARENA_ARRAY(m->a, const char *, text_count(m));
    const char **fix = ARENA_ARRAY(m->a, const char *, text_count(m));
    const Rule *r = m->rule;
    for (size_t t = 0; t < text_count(m); t++) {
        if (m->nattempt)
            attempt[t] = join_tries(m->a, ret->place, ret->nplace, t);
        set_value(m, ret->place[0].attempt, t);
        title[t] = expand_text(m, &r->title, at, ret->nplace);
        fix[t] = join_fixes(m, at, ret->place, ret->nplace, t);
    }
    ret->attempt = attempt;
    ret->nattempt = m->nattempt;
    ret->title = title;
    ret->fix = fix;
}

static void add_match(Matching *m, xmlNode *const *at, size_t n, const char *cause)
{
    if (!choose_fix(m, at, n) || m->stopped)
        return;
    const Rule *r = m->rule;
    Occurrence *place = ARENA_ARRAY(m->a, Occurrence, n);
    for (size_t i = 0; i < n && !m->stopped; i++)
        place[i] = make_place(m, at[i]);
    if (m->stopped)
        return;
    Match match = {
        .rule = r,
        .cause = cause,
        .place = place,
        .nplace = n,
        .level =
            LIST_VALUE(i, m->rule->nlevel_when, test_holds(m, m->rule->level_when[i].test, at[0]),
                       m->rule->level_when[i].level, m->rule->level),
        .why = expand_text(m, &r->why, at, n),
        .risk = expand_text(m, &r->risk, at, n),
        .fix_where = m->fix->where,
        .fix_rule = m->fix,
        .withheld = m->withheld,
        .newer = m->newer,
        .untried = *r->untried.en && !m->nattempt
                       ? message_verbatim(m->a, expand_text(m, &r->untried, at, n))
                       : NULL,
    };
    expand_tries(m, at, &match);
    if (!m->stopped)
        *VEC_PUSH(m->a, m->out->match, m->out->nmatch, m->cap) = match;
}

/* An element and the cause that it is grouped by. */
typedef struct {
    xmlNode *node;
    const char *cause;
    size_t order;
} Caused;

ORDER_BY(by_cause, Caused, strcmp(a->cause, b->cause), COMPARE(a->order, b->order))

/* A run of `list` with one cause. */
typedef struct {
    size_t first, count;
    size_t order; /* of its first element in the document */
} Group;

ORDER_BY(by_order, Group, COMPARE(a->order, b->order))

static void add_groups(Matching *m, const Caused *list, size_t n)
{
    xmlNode **at = ARENA_ARRAY(m->a, xmlNode *, n);
    Group *group = ARENA_ARRAY(m->a, Group, n);
    size_t ngroup = 0;
    for (size_t i = 0; i < n; i++) {
        at[i] = list[i].node;
        if (i && strcmp(list[i].cause, list[i - 1].cause) == 0)
            group[ngroup - 1].count++;
        else
            group[ngroup++] = (Group){i, 1, list[i].order};
    }
    assert(ngroup > 0 && ngroup <= n);
    ORDER_LIST(group, ngroup, by_order);
    for (size_t i = 0; i < ngroup && !m->stopped; i++)
        add_match(m, at + group[i].first, group[i].count, list[group[i].first].cause);
}

static void group_places(Matching *m, xmlNode *const *node, size_t n)
{
    Caused *list = ARENA_ARRAY(m->a, Caused, n);
    for (size_t i = 0; i < n && !m->stopped; i++)
        list[i] = (Caused){node[i], expand_template(m, m->rule->cause, &node[i], 1), i};
    if (m->stopped)
        return;
    ORDER_LIST(list, n, by_cause);
    add_groups(m, list, n);
}

static RuleOutcome not_applicable(const Matching *m, const Message *reason)
{
    return (RuleOutcome){m->rule, OUTCOME_NOT_APPLICABLE, reason, false};
}

static RuleOutcome stopped_outcome(const Matching *m)
{
    const Message *why = MESSAGE(m->a, phrase_arg(PHRASE_RULE_STOPPED), arg_text(m->rule->file),
                                 arg_count(XPATH_OPERATION_LIMIT), arg_count(XPATH_PLACES_LIMIT));
    return (RuleOutcome){m->rule, OUTCOME_NOT_APPLICABLE, why, true};
}

/* The first <applies> that does not hold gives the reason; NULL when all do. */
static const Message *why_not(Matching *m)
{
    return LIST_VALUE(i, m->rule->napplies, !test_holds(m, m->rule->applies[i].test, NULL),
                      message_verbatim(m->a, expand_text(m, &m->rule->applies[i].reason, NULL, 0)),
                      NULL);
}

/* Rules name the families of targets that they are for. */
static bool is_for_family(const Rule *rule, const char *family)
{
    size_t len = strlen(family);
    for (const char *w = rule->targets; *w; w += strspn(w, " ")) {
        size_t word = strcspn(w, " ");
        if (word == len && strncmp(w, family, len) == 0)
            return true;
        w += word;
    }
    return !*rule->targets;
}

static RuleOutcome match_rule(Matching *m)
{
    if (!is_for_family(m->rule, m->family))
        return not_applicable(m, MESSAGE(m->a, phrase_arg(PHRASE_OTHER_FAMILY),
                                         arg_text(m->rule->targets), arg_text(m->family)));
    const Message *reason = why_not(m);
    if (m->stopped)
        return stopped_outcome(m);
    if (reason)
        return not_applicable(m, reason);
    xmlNode **node = NULL;
    size_t n = 0, before = m->out->nmatch;
    if (!template_xpath_nodes(m->e, NULL, m->rule->each, &node, &n))
        return stopped_outcome(m);
    if (n == 0)
        return (RuleOutcome){m->rule, OUTCOME_PASSED, NULL, false};
    group_places(m, node, n);
    if (m->stopped) {
        m->out->nmatch = before;
        return stopped_outcome(m);
    }
    if (m->out->nmatch == before)
        return not_applicable(m, m->withheld);
    return (RuleOutcome){m->rule, OUTCOME_FIRED, NULL, false};
}

MatchList match_rules(Arena *a, const RuleBook *book, xmlDoc *facts, RuleScope made,
                      const Language *lang)
{
    MatchList out = {.outcome = ARENA_ARRAY(a, RuleOutcome, book->nrule)};
    XPathEngine *e = template_xpath_open(a, facts, lang);
    template_xpath_set_names(e, made.loaded, made.edited);
    Matching m = {
        .a = a, .e = e, .out = &out, .sdk = made.sdk, .family = made.family, .lang = lang};
    for (size_t i = 0; i < book->nrule; i++) {
        m.rule = &book->rule[i];
        m.stopped = false;
        m.withheld = NULL;
        out.outcome[out.noutcome++] = match_rule(&m);
    }
    template_xpath_close(e);
    assert(out.noutcome == book->nrule);
    return out;
}
