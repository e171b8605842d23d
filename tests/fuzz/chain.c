/* Fuzzes the whole chain: a model, a trace and settings, through advice and the gate, to every
 * output. The input is the three texts, with a line of "%%%%" between them; what is missing is not
 * given. */
#include "advisor/render/forms/formats.h"
#include "advisor/act/gate/gate.h"
#include "advisor/options/args.h"
#include "advisor/options/command.h"
#include "advisor/options/config.h"
#include "advisor/advise/advise.h"
#include "advisor/report/render.h"
#include "advisor/advise/request.h"
#include "advisor/report/result_json.h"
#include "advisor/report/result_set.h"
#include "advisor/rules/rule_book.h"
#include "advisor/message/json.h"
#include "graph/base/language.h"
#include "graph/base/xml.h"
#include "tests/fuzz/harness.h"

enum { PARTS = 3 };
static const char between[] = "\n%%%%\n";

static Arena *fixed; /* lives as long as the program */
static RuleBook book;
static const Language *korean;

/* A file of its own for each part. */
static const char *part_file(size_t i, const uint8_t *data, size_t size)
{
    static int fd[PARTS] = {-1, -1, -1};
    static char path[PARTS][64];
    if (fd[i] < 0)
        fd[i] = memfd_create("part", 0);
    if (fd[i] < 0 || ftruncate(fd[i], 0) != 0 || pwrite(fd[i], data, size, 0) != (ssize_t)size)
        abort();
    snprintf(path[i], sizeof path[i], "/proc/self/fd/%d", fd[i]);
    return path[i];
}

static size_t split(const uint8_t *data, size_t size, const char **path)
{
    size_t n = 0;
    for (; n < PARTS; n++) {
        const uint8_t *at = size ? memmem(data, size, between, sizeof between - 1) : NULL;
        size_t len = at && n + 1 < PARTS ? (size_t)(at - data) : size;
        path[n] = part_file(n, data, len);
        if (len == size)
            return n + 1;
        data += len + sizeof between - 1;
        size -= len + sizeof between - 1;
    }
    return n;
}

static void show(const Result *result, const Language *lang)
{
    const View view = {.lang = lang, .verbose = true};
    FILE *out = harness_said;
    text_result(out, result, &view);
    html_result(out, result, &view);
    cJSON *tree = result_to_json(result);
    json_print(out, tree);
    cJSON_Delete(tree);
    ResultEntry entry;
    const ResultSet set = result_set_of(result, &entry);
    for (const OutputFormat *f = output_format_table; f->name; f++)
        f->write(out, &set, &view);
}

/* A gate passes only what it has looked at. */
static void check_promise(const ResultAssertionList *list, int code)
{
    for (size_t i = 0; i < list->count; i++)
        if (!list->item[i].pass.value && code == 0)
            abort();
}

/* What a result says once its gate was put in. */
static void judge(Arena *a, const Result *made, const GateRequest *q, Notes *notes,
                  const Language *lang)
{
    Result r;
    Diag diag;
    if (gate_judge(a, made, q, notes, &r, &diag))
        return;
    check_promise(&r.gate.assertions,
                  gate_exit_code(&r.gate, q->inconclusive == 1 ? 0 : q->inconclusive));
    show(&r, lang);
}

static void advise_one(Arena *a, const Args *given, uint64_t bits)
{
    Args args;
    Config config;
    AdviseRequest q;
    GateRequest gate;
    Notes notes;
    Diag diag;
    const Result *result = NULL;
    notes_init(&notes, a);
    if (config_for_model(a, given, given->positional[0], CONFIG_GIVEN, &config, &diag) ||
        config_merge(a, &config, given, &args, &diag) ||
        request_from_args(a, &args, &notes, &q, &diag) ||
        gate_request_from_args(a, &args, &config, &gate, &diag)) {
        harness_print("%s\n", diag.text);
        return;
    }
    q.config = &config;
    q.book = &book;
    q.pictures = true;
    q.lang = bits & 1 ? korean : NULL;
    Status st = advise(a, &q, &result, &diag);
    harness_print("status %d: %s\n", (int)st, st ? diag.text : "");
    for (size_t i = 0; i < notes.nnote; i++)
        harness_print("%s\n", message_format(a, NULL, notes.note[i].said));
    if (result)
        judge(a, result, &gate, &notes, q.lang);
}

static void start(void)
{
    Diag diag;
    xml_startup();
    fixed = arena_new(0);
    if (rules_load(fixed, NULL, 0, &book, &diag) || language_named(fixed, "ko", &korean, &diag)) {
        fprintf(stderr, "%s\n", diag.text);
        abort();
    }
}

static void fuzz(Arena *a, const uint8_t *data, size_t size)
{
    const char *path[PARTS] = {0};
    uint64_t bits = strmap_hash_bytes(HASH_SEED, data, size);
    Diag diag;
    Args args;
    if (!fixed)
        start();
    split(data, size, path);
    const char *argv[12] = {"npu-advise", path[0], "--budget", "host_steps=3"};
    int n = 4;
    if (bits & 2)
        argv[n++] = "--objective=throughput";
    if (bits & 4)
        argv[n++] = "--batch=3";
    if (path[1] && (bits & 8 || path[2])) {
        argv[n++] = "--trace";
        argv[n++] = path[1];
    }
    if (path[2]) {
        argv[n++] = "--config";
        argv[n++] = path[2];
    }
    if (!args_parse(a, n, (char **)argv, &args, &diag))
        advise_one(a, &args, bits);
}
