/* Implements `npu-advise doctor`, which checks that what the program needs is sound. */
#include "advisor/cli/output.h"
#include "graph/base/folder.h"
#include "advisor/message/helper.h"
#include "advisor/message/process.h"
#include "advisor/rules/rule_book.h"
#include "advisor/message/text_out.h"
#include "cost_model/costs.h"
#include "graph/base/data.h"
#include "graph/base/executable.h"
#include "graph/base/sandbox.h"
#include "graph/compile/machine.h"
#include "graph/options/option.h"

#include <libxml/parser.h>
#include <protobuf-c/protobuf-c.h>
#include <zlib.h>

#define SCRIPT(id, text) static const char id##_script[] = text;
#include "advisor/cli/doctor_scripts.def"

/* A fact in the language of `c`. */
#define FACT(c, ...) message_format((c)->arena, (c)->language, MESSAGE((c)->arena, __VA_ARGS__))

/* One check: what, whether it is sound (STATUS_OK), and the fact. */
static void add_check(cJSON *list, const char *name, Status st, const char *fact)
{
    assert(fact);
    cJSON *o = json_add_row(list);
    cJSON_AddStringToObject(o, "name", name);
    cJSON_AddBoolToObject(o, "ok", st == STATUS_OK);
    cJSON_AddStringToObject(o, "fact", fact);
}

static void check_libraries(Context *c, cJSON *list)
{
    add_check(list, "npu-advise", STATUS_OK, NPU_ADVISE_VERSION);
    int xml = (int)strtol(xmlParserVersion, NULL, 10); /* 20914 is 2.9.14 */
    add_check(list, "libxml2", STATUS_OK,
              arena_printf(c->arena, "%d.%d.%d", xml / 10000, xml / 100 % 100, xml % 100));
    add_check(list, "cJSON", STATUS_OK, cJSON_Version());
    add_check(list, "protobuf-c", STATUS_OK, protobuf_c_version());
    /* zlib's own rule: the first digits must agree. */
    add_check(
        list, "zlib", zlibVersion()[0] == ZLIB_VERSION[0] ? STATUS_OK : STATUS_INPUT,
        FACT(c, phrase_arg(PHRASE_DOCTOR_ZLIB), arg_text(zlibVersion()), arg_text(ZLIB_VERSION)));
}

static void check_data(Context *c, cJSON *list)
{
    Diag diag = {0};
    Status st = data_check(data_path(c->arena, "schema"), &diag);
    add_check(list, "data", st, st ? diag.text : data_path(c->arena, ""));
}

static void check_rules(Context *c, const Args *args, cJSON *list)
{
    RuleBook book;
    Diag diag = {0};
    size_t ndir;
    const char **dir = args_all(c->arena, args, OPTION_RULES, &ndir);
    Status st = rules_load(c->arena, dir, ndir, &book, &diag);
    add_check(list, "rules", st,
              st ? diag.text
                 : FACT(c, phrase_arg(PHRASE_DOCTOR_RULES), arg_size(book.nrule),
                        arg_text(data_path(c->arena, ""))));
}

static void check_xml(cJSON *list, const char *name, const char *path)
{
    xmlDoc *doc = NULL;
    Diag diag = {0};
    Status st = xml_load(path, NULL, &doc, &diag);
    if (doc)
        xmlFreeDoc(doc);
    add_check(list, name, st, st ? diag.text : path);
}

/* npu-exec need not simulate a machine of rows. */
static void check_silicon(Context *c, cJSON *list, const char *target)
{
    Machine *m;
    Diag said = {0}; /* by the check of the target */
    if (!machine_load(c->arena, target, &m, &said) && m->kind == MACHINE_ROWS &&
        !data_has_silicon(c->arena, target))
        return;
    check_xml(list, "silicon",
              data_silicon_path(c->arena, arena_printf(c->arena, "%s.xml", target)));
}

static void check_target(Context *c, cJSON *list, const char *target)
{
    Machine *machine;
    Costs *costs;
    Diag diag = {0};
    Status st = machine_load(c->arena, target, &machine, &diag);
    add_check(
        list, "target", st,
        st ? diag.text
           : FACT(c, phrase_arg(PHRASE_DOCTOR_TARGET),
                  arg_text(data_path(c->arena, arena_printf(c->arena, "targets/%s.xml", target))),
                  arg_count(machine->pe_count), arg_size(machine->nrow)));
    st = costs_load(c->arena, target, NULL, &costs, &diag);
    add_check(list, "costs", st,
              st ? diag.text : FACT(c, phrase_arg(PHRASE_DOCTOR_COSTS), arg_size(costs->nhost)));
}

/* Of every target that ships, and of those that the user has added beside them. */
static void check_targets(Context *c, cJSON *list,
                          void (*check)(Context *c, cJSON *list, const char *target))
{
    const char **file = NULL;
    size_t n = 0;
    Diag diag = {0};
    if (folder_list(c->arena, data_path(c->arena, "targets"), ".xml", &file, &n, &diag))
        add_check(list, "target", STATUS_INPUT, diag.text);
    for (size_t i = 0; i < n; i++)
        check(c, list, arena_strndup(c->arena, file[i], strlen(file[i]) - strlen(".xml")));
}

static void check_runner(Context *c, cJSON *list)
{
    const char *path = executable_sibling(c->arena, "npu-exec");
    bool ok = path && access(path, X_OK) == 0;
    add_check(list, "npu-exec", ok ? STATUS_OK : STATUS_INPUT,
              ok ? path : phrase_text(c->language, PHRASE_DOCTOR_NO_EXEC));
}

/* What a program writes as JSON to the file that is its last word. */
static Status ask_program(Context *c, Helper *helper, const char *const word[3], cJSON **ret,
                          Diag *diag)
{
    enum { SECONDS = 20 };
    TempFolder folder;
    Status st = process_temp_folder_make(c->arena, &folder, diag);
    if (st)
        return st;
    const char *path = arena_printf(c->arena, "%s/doctor.json", folder.path);
    const char *lang =
        arena_printf(c->arena, "%s=%s", option_flag(OPTION_LANG), language_tag(c->language));
    const char *const argv[] = {word[0], word[1], word[2] ? word[2] : path, word[2] ? path : lang,
                                NULL};
    st = helper_run(helper, argv, (ProcessLimits){SECONDS, folder.path}, diag);
    st = st ? st : json_load(path, ret, diag);
    process_temp_folder_remove(&folder);
    return st;
}

/* npu-advise works without it. */
static void check_optional(Context *c, cJSON *list, const char *name, Helper *helper,
                           const char *const word[3])
{
    Diag diag = {0};
    cJSON *said = NULL;
    Status st = ask_program(c, helper, word, &said, &diag);
    add_check(list, name, STATUS_OK, st ? diag.text : json_text(said, "fact", "?"));
    cJSON_AddBoolToObject(list->child->prev, "less", st || !cJSON_IsTrue(json_at(said, "fast")));
    cJSON_Delete(said);
}

/* The executor's kernels, and the packages that the scripts of a bundle import. */
static void check_programs(Context *c, cJSON *list)
{
    const char *program = executable_sibling(c->arena, "npu-exec");
    const char *code = arena_printf(
        c->arena, packages_script,
        FACT(c, phrase_arg(PHRASE_DOCTOR_LACKS), arg_text("SCRIPT"), arg_text("NAMES")));
    if (program && !access(program, X_OK))
        check_optional(c, list, "oneDNN", c->helper,
                       (const char *const[]){program, option_flag(OPTION_DOCTOR), NULL});
    check_optional(c, list, "python3", c->python, (const char *const[]){"python3", "-c", code});
}

/* A kernel with neither fails the check; the text names the parts that it lacks. */
static void check_sandbox(Context *c, const Args *args, cJSON *list)
{
    int landlock = sandbox_landlock_version();
    bool calls = sandbox_has_seccomp(), off = args_flag(args, OPTION_NO_SANDBOX);
    PhraseId files = landlock ? PHRASE_DOCTOR_LANDLOCK : PHRASE_DOCTOR_NO_LANDLOCK,
             network = calls ? PHRASE_DOCTOR_SECCOMP : PHRASE_DOCTOR_NO_SECCOMP;
    add_check(list, "sandbox", (landlock || calls) && !off ? STATUS_OK : STATUS_INPUT,
              off ? phrase_text(c->language, PHRASE_DOCTOR_NO_SANDBOX)
                  : FACT(c, phrase_arg(network),
                         arg_text(FACT(c, phrase_arg(files), arg_count(landlock)))));
}

static size_t print_checks(Context *c, const cJSON *list, const View *view, bool quiet)
{
    TextOut t = {.out = c->out, .colour = view->colour, .lang = view->lang};
    size_t failed = 0;
    for (const cJSON *o = json_first(list, ""); o; o = o->next) {
        bool ok = cJSON_IsTrue(json_at(o, "ok"));
        failed += !ok;
        if (quiet)
            continue;
        text_line(&t, 0, 26);
        bool less = cJSON_IsTrue(json_at(o, "less"));
        text_put(&t, ok ? STYLE_GOOD : STYLE_BAD,
                 phrase_text(t.lang, !ok    ? PHRASE_DOCTOR_BAD
                                     : less ? PHRASE_DOCTOR_LESS
                                            : PHRASE_DOCTOR_OK));
        text_cell(&t, 5, STYLE_NONE, phrase_by_key(t.lang, "CHECK_", json_text(o, "name", "?")));
        text_cell(&t, 26, STYLE_NONE, json_text(o, "fact", "?"));
        text_end(&t);
    }
    return failed;
}

static cJSON *checks_tree(Context *c, const Args *args)
{
    static const char *const schema[] = {"rule", "facts", "target", "calibration"};
    cJSON *root = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(root, "checks");
    check_libraries(c, list);
    check_sandbox(c, args, list);
    check_data(c, list);
    check_rules(c, args, list);
    check_targets(c, list, check_target);
    for (size_t i = 0; i < sizeof schema / sizeof *schema; i++)
        check_xml(list, arena_printf(c->arena, "schema %s", schema[i]),
                  data_path(c->arena, arena_printf(c->arena, "schema/%s.rng", schema[i])));
    check_runner(c, list);
    check_programs(c, list);
    check_targets(c, list, check_silicon);
    return root;
}

Status cmd_doctor(Context *c, const Args *args)
{
    bool taken;
    Context english = *c;
    Status st = args_positional(args, 0, 0, "no argument", c->diag);
    if (st)
        return st;
    View view = view_from_args(c, args);
    english.language = NULL;
    cJSON *tree = checks_tree(&english, args), *shown = c->language ? checks_tree(c, args) : tree;
    st = output_json(c, args, tree, &taken);
    size_t failed = st ? 0 : print_checks(c, json_at(shown, "checks"), &view, taken);
    cJSON_Delete(tree);
    if (shown != tree)
        cJSON_Delete(shown);
    if (failed)
        return diag_set(c->diag, STATUS_INPUT, NULL, NULL, "%zu of the checks failed", failed);
    return st;
}
