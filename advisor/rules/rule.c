/* Converts a validated XML document to a Rule and checks each XPath and template in it. */
#include "advisor/rules/rule.h"

#include "advisor/rules/template.h"
#include "graph/compile/machine.h"

static const struct {
    const char *name;
    double weight;
} applicability[] = {{"safe", 1.0}, {"check", 0.9}, {"manual", 0.5}, {"retrain", 0.25}};
static_assert(sizeof applicability / sizeof *applicability == APPLY_RETRAIN + 1,
              "a name and a weight for each");

const char *applicability_name(Applicability a)
{
    assert((unsigned)a <= APPLY_RETRAIN);
    return applicability[a].name;
}

double applicability_weight(Applicability a)
{
    assert((unsigned)a <= APPLY_RETRAIN);
    return applicability[a].weight;
}

static const char *const level_text[] = {"info", "warn", "error"};
static_assert(sizeof level_text / sizeof *level_text == LEVEL_ERROR + 1, "a name for each level");

const char *level_name(Level l)
{
    assert((unsigned)l <= LEVEL_ERROR);
    return level_text[l];
}

bool level_from_name(const char *name, Level *ret)
{
    for (size_t i = 0; i < sizeof level_text / sizeof *level_text; i++)
        if (strcmp(level_text[i], name) == 0) {
            *ret = (Level)i;
            return true;
        }
    return false;
}

/* Order of trial: the savings of later groups depend on the earlier ones. */
static const struct {
    const char *group;
    int order;
} group_order[] = {{"evidence", 0},   {"boundary", 10},    {"layout", 20},  {"io", 25},
                   {"placement", 30}, {"memory", 40},      {"compute", 50}, {"accuracy", 60},
                   {"runtime", 70},   {"experimental", 80}};

/* A file being read: errors name it and a line. */
typedef struct {
    Arena *a;
    const char *path;
    Diag *diag;
    XPathEngine *xpath; /* which checks every expression of the file */
    Status status;
} Reader;

static void rule_error(Reader *r, const xmlNode *at, const char *why)
{
    if (!r->status)
        r->status = diag_set(r->diag, STATUS_INPUT, r->path, xml_place(r->a, at), "%s", why);
}

static const char *checked_template(Reader *r, const xmlNode *at, const char *text)
{
    const char *why = template_check(r->xpath, text);
    if (why)
        rule_error(r, at, why);
    return text;
}

static const char *checked_xpath(Reader *r, const xmlNode *at, const char *expr)
{
    const char *why = template_xpath_check(r->xpath, expr);
    if (why)
        rule_error(r, at, why);
    return expr;
}

const char *rule_text(const RuleText *t, const Language *lang)
{
    return LIST_VALUE(i, t->nother, strcmp(t->other[i].tag, language_tag(lang)) == 0,
                      t->other[i].text, t->en);
}

/* The language of an element with xml:lang; NULL: English. */
static const char *tag_of(Arena *a, const xmlNode *n)
{
    xmlChar *lang = xmlGetNsProp(n, (const xmlChar *)"lang", XML_XML_NAMESPACE);
    const char *tag = arena_strdup(a, (const char *)lang);
    xmlFree(lang);
    return tag;
}

static bool is_translation(const xmlNode *n)
{
    return xmlHasNsProp(n, (const xmlChar *)"lang", XML_XML_NAMESPACE) != NULL;
}

/* The translation directly after `n`, of the same name; NULL when there is none. */
static const xmlNode *translation_after(const xmlNode *n)
{
    const xmlNode *next = xmlNextElementSibling((xmlNode *)(uintptr_t)n);
    return next && xmlStrcmp(next->name, n->name) == 0 && is_translation(next) ? next : NULL;
}

static RuleText text_at(Reader *r, const xmlNode *n, const char *(*read)(Reader *, const xmlNode *))
{
    Translation *list = NULL;
    size_t count = 0, cap = 0;
    for (const xmlNode *x = translation_after(n); x; x = translation_after(x))
        *VEC_PUSH(r->a, list, count, cap) = (Translation){tag_of(r->a, x), read(r, x)};
    return (RuleText){read(r, n), list, count};
}

static const char *plain_at(Reader *r, const xmlNode *n)
{
    return xml_text(r->a, n);
}

static const char *template_at(Reader *r, const xmlNode *n)
{
    return checked_template(r, n, xml_text(r->a, n));
}

static const char *label_at(Reader *r, const xmlNode *n)
{
    return xml_attr_or(r->a, n, "label", "");
}

static RuleText text_in(Reader *r, const xmlNode *rule, const char *name, const char *fallback)
{
    const xmlNode *n = xml_child(rule, name);
    return n ? text_at(r, n, template_at) : (RuleText){.en = fallback};
}

/* Other translations would be ignored, and so would a second one to a language. */
static void check_pairs(Reader *r, const xmlNode *root)
{
    const xmlNode *before = NULL;
    for (const xmlNode *n = xmlFirstElementChild((xmlNode *)(uintptr_t)root); n;
         before = n, n = xmlNextElementSibling((xmlNode *)(uintptr_t)n))
        if (is_translation(n) && (!before || translation_after(before) != n))
            rule_error(r, n, "a text with xml:lang must directly follow the English one");
}

static size_t count_children(const xmlNode *n, const char *name)
{
    size_t count = 0;
    for (xmlNode *c = xml_child(n, name); c; c = xml_next(c))
        count++;
    return count;
}

static void read_applies(Reader *r, const xmlNode *root, Rule *rule)
{
    RuleApplies *list = ARENA_ARRAY(r->a, RuleApplies, count_children(root, "applies"));
    rule->applies = list;
    for (xmlNode *n = xml_child(root, "applies"); n; n = xml_next(n))
        if (!is_translation(n))
            list[rule->napplies++] = (RuleApplies){
                .test = checked_xpath(r, n, xml_attr_or(r->a, n, "when", "")),
                .reason = text_at(r, n, template_at),
            };
}

static void read_levels(Reader *r, const xmlNode *root, Rule *rule)
{
    RuleLevel *list = ARENA_ARRAY(r->a, RuleLevel, count_children(root, "level"));
    rule->level_when = list;
    for (xmlNode *n = xml_child(root, "level"); n; n = xml_next(n)) {
        RuleLevel *l = &list[rule->nlevel_when++];
        l->test = checked_xpath(r, n, xml_attr_or(r->a, n, "when", ""));
        level_from_name(xml_attr_or(r->a, n, "is", "info"), &l->level);
    }
}

/* NULL where there is no such attribute. */
static const char *optional_xpath(Reader *r, const xmlNode *n, const char *name)
{
    const char *text = xml_attr(r->a, n, name);
    return text ? checked_xpath(r, n, text) : NULL;
}

static void read_settings(Reader *r, const xmlNode *n, const char *name, RuleTry *ret, RuleSet *set)
{
    for (xmlNode *c = xml_child(n, name); c; c = xml_next(c)) {
        RuleSet *s = &set[ret->nset++];
        const char *lever = xml_attr_or(r->a, c, "lever", "");
        s->lever = lever_find(lever);
        s->index = checked_template(r, c, xml_attr_or(r->a, c, "index", ""));
        s->value = checked_template(r, c, xml_attr_or(r->a, c, "value", ""));
        s->each = optional_xpath(r, c, "each");
        s->given = strcmp(name, "given") == 0;
        if (s->lever == LEVER_COUNT)
            rule_error(
                r, c,
                arena_printf(r->a, "there is no lever '%s'; `npu-advise rules` lists them", lever));
    }
}

static void read_try(Reader *r, const xmlNode *n, RuleTry *ret)
{
    RuleSet *set =
        ARENA_ARRAY(r->a, RuleSet, count_children(n, "set") + count_children(n, "given"));
    ret->set = set;
    ret->test = optional_xpath(r, n, "when");
    read_settings(r, n, "set", ret, set);
    read_settings(r, n, "given", ret, set);
}

static void read_tries(Reader *r, const xmlNode *root, Rule *rule)
{
    RuleTry *list = ARENA_ARRAY(r->a, RuleTry, count_children(root, "try"));
    rule->attempt = list;
    for (xmlNode *n = xml_child(root, "try"); n; n = xml_next(n))
        read_try(r, n, &list[rule->nattempt++]);
}

/* Of TensorRT 100 * major + minor (8.5: 805), of RKNN three numbers (2.3.2: 20302); else the SDK.
 */
Sdk rule_version(const char *of, const char *text)
{
    int major = 0, minor = 0, patch = 0;
    bool rknn = strstr(of, "rknn"), engine = strstr(of, "tensorrt");
    if (!rknn && !engine)
        return sdk_from_text(text);
    int n = sscanf(text, "%2d.%2d.%2d", &major, &minor, &patch);
    if (n < 2 || major < !rknn || minor < 0 || patch < 0)
        return 0;
    return rknn ? 10000 * major + 100 * minor + patch : 100 * major + minor;
}

const char *rule_version_text(Arena *a, const char *of, Sdk version)
{
    if (strstr(of, "rknn"))
        return arena_printf(a, "%d.%d.%d", version / 10000, version / 100 % 100, version % 100);
    if (!strstr(of, "tensorrt"))
        return sdk_text(version);
    return arena_printf(a, "%d.%d", version / 100, version % 100);
}

/* "0.9", "0.9..", "..0.8", "0.9..0.10" */
static void read_sdks(Reader *r, const xmlNode *n, const char *of, RuleFix *fix)
{
    const char *text = xml_attr_or(r->a, n, "sdk", "..");
    const char *dots = strstr(text, "..");
    const char *first = dots ? arena_strndup(r->a, text, (size_t)(dots - text)) : text;
    const char *last = dots ? dots + 2 : text;
    fix->since = *first ? rule_version(of, first) : 0;
    fix->until = *last ? rule_version(of, last) : 0;
    fix->since_text = first;
    fix->until_text = last;
    if ((*first && !fix->since) || (*last && !fix->until))
        rule_error(r, n, arena_printf(r->a, "sdk='%s': no such SDK version", text));
}

static const char *default_where(const Rule *rule)
{
    if (rule->nattempt == 0)
        return "application";
    LeverId lever = rule->attempt[0].set[0].lever;
    assert(lever < LEVER_COUNT); /* else the file has an error already */
    return lever_table[lever].where;
}

/* Fixes and withheld ones together, in file order. */
static void read_fixes(Reader *r, const xmlNode *root, Rule *rule)
{
    RuleFix *list =
        ARENA_ARRAY(r->a, RuleFix, count_children(root, "fix") + count_children(root, "withheld"));
    rule->fix = list;
    for (xmlNode *n = root->children; n && !r->status; n = n->next) {
        bool is_fix = n->type == XML_ELEMENT_NODE && strcmp((const char *)n->name, "fix") == 0;
        bool is_not = n->type == XML_ELEMENT_NODE && strcmp((const char *)n->name, "withheld") == 0;
        if ((!is_fix && !is_not) || is_translation(n))
            continue;
        RuleFix *f = &list[rule->nfix++];
        f->text = text_at(r, n, template_at);
        f->is_withheld = is_not;
        f->test = optional_xpath(r, n, "when");
        f->label = text_at(r, n, label_at);
        f->is_code = is_fix && *xml_attr_or(r->a, n, "as", "");
        f->where = is_fix ? xml_attr_or(r->a, n, "where", default_where(rule)) : NULL;
        read_sdks(r, n, rule->of, f);
    }
    if (rule->nfix == 0)
        rule_error(r, root, "a rule needs a <fix> or a <withheld>");
}

static bool is_rule_id(const char *s)
{
    size_t letters = strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    size_t digits = strspn(s + letters, "0123456789");
    return letters >= 2 && letters <= 8 && digits >= 3 && digits <= 5 && !s[letters + digits];
}

/* Ids of rules, separated by blanks or commas, in <name>. */
static const char *const *read_ids(Reader *r, const xmlNode *root, const char *name, size_t *ret_n)
{
    const xmlNode *n = xml_child(root, name);
    size_t cap = 0, count = 0;
    const char **list = NULL;
    for (const char *s = n ? xml_text(r->a, n) : ""; *s;) {
        size_t len = strcspn(s, " ,");
        const char *id = arena_strndup(r->a, s, len);
        if (len && !is_rule_id(id))
            rule_error(r, n, arena_printf(r->a, "'%s' is not a rule id", id));
        if (len)
            *VEC_PUSH(r->a, list, count, cap) = id;
        s += len + strspn(s + len, " ,");
    }
    *ret_n = count;
    return list;
}

static void read_sources(Reader *r, const xmlNode *root, Rule *rule)
{
    const char *joined = "";
    for (xmlNode *n = xml_child(root, "source"); n; n = xml_next(n))
        joined = arena_printf(r->a, "%s%s%s", joined, *joined ? "; " : "", xml_text(r->a, n));
    rule->source = joined;
}

/* Its text is not a template. */
static void read_example(Reader *r, const xmlNode *root, RuleExample *ret)
{
    const xmlNode *n = xml_child(root, "example");
    if (!n)
        return;
    ret->of_case = xml_attr_or(r->a, n, "case", "");
    ret->text = text_at(r, n, plain_at);
    ret->before = xml_attr_or(r->a, n, "before", "");
    ret->after = xml_attr_or(r->a, n, "after", "");
    ret->gain = xml_attr_or(r->a, n, "gain", "");
    ret->verified = xml_attr_or(r->a, n, "verified", "");
    ret->verdict = xml_attr_or(r->a, n, "verdict", "");
    ret->removable = xml_attr_or(r->a, n, "removable", "");
    ret->at_most = xml_attr_or(r->a, n, "at-most", "");
}

static void read_texts(Reader *r, const xmlNode *root, Rule *rule)
{
    rule->title = text_in(r, root, "title", "");
    rule->why = text_in(r, root, "why", "");
    rule->risk = text_in(r, root, "risk", "");
    rule->place = text_in(r, root, "place", "{@op} {@tensor}");
    rule->untried = text_in(r, root, "untried", "");
}

static void read_bound(Reader *r, const xmlNode *root, RuleBound *ret)
{
    const xmlNode *n = xml_child(root, "bound");
    if (n)
        *ret = (RuleBound){optional_xpath(r, n, "removes"), optional_xpath(r, n, "changes"),
                           optional_xpath(r, n, "saves"), optional_xpath(r, n, "ns"),
                           xml_number(n, "least", 0)};
}

static void read_trigger(Reader *r, const xmlNode *root, Rule *rule)
{
    const xmlNode *when = xml_child(root, "when");
    rule->each = checked_xpath(r, when, xml_attr_or(r->a, when, "each", ""));
    rule->cause = checked_template(r, when, xml_attr_or(r->a, when, "cause", ""));
    read_bound(r, root, &rule->bound);
    const char *risk = xml_attr_or(r->a, xml_child(root, "risk"), "applicability", "check");
    for (size_t i = 0; i < sizeof applicability / sizeof *applicability; i++)
        if (strcmp(applicability[i].name, risk) == 0)
            rule->applicability = (Applicability)i;
}

static void read_head(Reader *r, const xmlNode *root, Rule *rule)
{
    rule->id = xml_attr_or(r->a, root, "id", "");
    rule->name = xml_attr_or(r->a, root, "name", "");
    rule->of = xml_attr_or(r->a, root, "of", "onnx");
    rule->targets = xml_attr_or(r->a, root, "targets", "");
    rule->group = xml_attr_or(r->a, root, "group", "");
    level_from_name(xml_attr_or(r->a, root, "level", "info"), &rule->level);
    rule->file = arena_strdup(r->a, file_base_name(r->path));
    for (size_t i = 0; i < sizeof group_order / sizeof *group_order; i++)
        if (strcmp(group_order[i].group, rule->group) == 0)
            rule->order = group_order[i].order;
    rule->order = (int)xml_number(root, "order", rule->order);
}

Status rule_load(Arena *a, const char *path, XmlSchema *schema, Rule *ret, Diag *diag)
{
    xmlDoc *doc = NULL;
    Status st = xml_load_as(path, schema, &doc, diag);
    if (st)
        return st;
    const xmlNode *root = xmlDocGetRootElement(doc);
    Reader r = {.a = a, .path = path, .diag = diag, .xpath = template_xpath_open(a, NULL, NULL)};
    Rule rule = {.example = {"", {.en = ""}, "", "", "", "", "", "", ""}};
    check_pairs(&r, root);
    read_head(&r, root, &rule);
    read_trigger(&r, root, &rule);
    read_texts(&r, root, &rule);
    read_example(&r, root, &rule.example);
    read_applies(&r, root, &rule);
    read_levels(&r, root, &rule);
    read_tries(&r, root, &rule);
    if (!r.status) /* the default `where` of a fix is that of the first lever */
        read_fixes(&r, root, &rule);
    rule.conflicts = read_ids(&r, root, "conflicts", &rule.nconflicts);
    rule.enables = read_ids(&r, root, "enables", &rule.nenables);
    read_sources(&r, root, &rule);
    template_xpath_close(r.xpath);
    xmlFreeDoc(doc);
    if (!r.status)
        *ret = rule;
    return r.status;
}

bool rule_fix_fits(const RuleFix *f, Sdk sdk)
{
    return (f->since == 0 || sdk >= f->since) && (f->until == 0 || sdk <= f->until);
}
