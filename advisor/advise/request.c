/* Reads the options of goals, runs and accuracy, and checks those that depend on each other. */
#include "advisor/advise/request.h"
#include "advisor/advise/source_model.h"
#include "advisor/rules/need.h"
#include "trace/readers/trace_formats.h"

#include "graph/onnx/onnx.h"

#include <sys/stat.h>

Status trace_format_from_args(const Args *g, TraceFormat *ret, Diag *diag)
{
    const char *name = args_text(g, OPTION_TRACE_FORMAT, NULL);
    char known[256] = "";
    if (!name)
        return STATUS_OK;
    TraceFormat found = trace_format_from_name(name);
    for (int f = TRACE_UNKNOWN + 1; f < TRACE_FORMAT_COUNT && !found; f++)
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s",
                 f > TRACE_UNKNOWN + 1 ? ", " : "", trace_format_name((TraceFormat)f));
    if (!found)
        return diag_set(diag, STATUS_USAGE, NULL, NULL, "--trace-format '%s' is not one of %s",
                        name, known);
    *ret = found;
    return STATUS_OK;
}

Status request_check_traces(const char *const *path, size_t n, Diag *diag)
{
    for (size_t i = 0; i < n; i++)
        if (onnx_begins(path[i]))
            return diag_set(
                diag, STATUS_USAGE, path[i], NULL,
                "is an ONNX model, not a trace; `npu-exec MODEL --trace FILE` writes one "
                "in simulation");
    return STATUS_OK;
}

static void run_options(const Args *g, RunOptions *ret)
{
#define RUN_OPTION(field, id, preset, what)                                                        \
    ret->field = (int)args_int(g, OPTION_##id, ret->field ? ret->field : preset);
#include "graph/compile/run_options.def"
#include "graph/options/option.h"
    ret->workers_given = args_flag(g, OPTION_WORKERS);
    ret->devices_given = args_flag(g, OPTION_DEVICES);
}

/* The throughput goal of a --budget, which the gate evaluates. */
static double throughput_goal(Arena *a, const Args *g)
{
    static const char metric[] = "throughput_per_s=";
    size_t n = 0;
    const char *const *budget = args_all(a, g, OPTION_BUDGET, &n);
    double goal = 0;
    for (size_t i = 0; i < n; i++)
        if (strncmp(budget[i], metric, sizeof metric - 1) == 0)
            goal = strtod(budget[i] + sizeof metric - 1, NULL);
    return goal > 0 && goal < 1e12 ? goal : 0;
}

/* The old words of --effort. */
static NeedSet needs_of_effort(int word)
{
    static const NeedSet needs[] = {NEED_NONE, NEED_ALL & ~(NeedSet)NEED_RETRAIN,
                                    NEED_ALL & ~(NeedSet)NEED_RETRAIN, NEED_ALL};
    return needs[word];
}

static Status read_needs(const Args *g, AdviseRequest *q, Diag *diag)
{
    const char *text = args_text(g, OPTION_NEEDS, NULL);
    q->allow_sdk = args_flag(g, OPTION_ALLOW_SDK);
    if (args_flag(g, OPTION_EFFORT))
        q->needs = needs_of_effort(args_word(g, OPTION_EFFORT, 1));
    if (!text || need_read(text, &q->needs))
        return STATUS_OK;
    return diag_set(diag, STATUS_USAGE, NULL, option_flag(OPTION_NEEDS),
                    "'%s': expected none, all, or of requests,accuracy,input,output,retrain", text);
}

static void read_goals(const Args *g, AdviseRequest *q)
{
    q->objective = args_word(g, OPTION_OBJECTIVE, 0) ? OBJECTIVE_THROUGHPUT : OBJECTIVE_LATENCY;
    q->pictures = args_text(g, OPTION_JSON, NULL) || args_text(g, OPTION_HTML, NULL) ||
                  !strcmp(args_text(g, OPTION_FORMAT, "text"), "json");
    q->front = args_text(g, OPTION_HTML, NULL) &&
               !g->of_set; /* a page over many models has no pages of single ones */
    q->latency_limit_ns = args_time_ns(g, OPTION_LATENCY_LIMIT, 0);
    q->min_gain_ns = args_time_ns(g, OPTION_MIN_GAIN, q->min_gain_ns);
    q->min_gain_given = args_flag(g, OPTION_MIN_GAIN);
    q->min_share = args_real(g, OPTION_MIN_SHARE, q->min_share * 100) / 100;
}

static void read_verification(const Args *g, AdviseRequest *q)
{
    q->seed = (uint64_t)args_int(g, OPTION_SEED, 1);
    q->runs = (int)args_int(g, OPTION_RUNS, 0);
    q->verify = args_flag(g, OPTION_VERIFY);
    q->runner = args_text(g, OPTION_RUNNER, NULL);
    if (q->runs && !q->verify)
        notes_add(q->notes, "unused-runs", phrase_arg(PHRASE_NOTE_UNUSED_RUNS));
}

/* "1%", "0.01" (a share) or "30dB". */
static Status read_loss(const char *text, AdviseRequest *q, Diag *diag)
{
    char *end = NULL;
    double v = strtod(text, &end);
    bool number = *text >= '0' && *text <= '9' && v < 1000;
    q->loss_limited = true;
    q->loss_text = text;
    q->loss_in_db = !strcmp(end, "dB");
    q->loss_limit = !strcmp(end, "%") ? v / 100 : v;
    if (number && (q->loss_in_db || ((!*end || !strcmp(end, "%")) && q->loss_limit <= 1)))
        return STATUS_OK;
    return diag_set(diag, STATUS_USAGE, NULL, option_flag(OPTION_MAX_ACCURACY_LOSS),
                    "'%s': expected a share such as 1%% or 0.01, or a level such as 30dB", text);
}

static Status read_accuracy_options(const Args *g, AdviseRequest *q, Diag *diag)
{
    const char *loss = args_text(g, OPTION_MAX_ACCURACY_LOSS, NULL);
    struct stat is;
    q->data = args_text(g, OPTION_DATA, NULL);
    q->preprocess = args_text(g, OPTION_PREPROCESS, NULL);
    q->images = args_text(g, OPTION_IMAGES, NULL);
    q->resume = args_text(g, OPTION_RESUME, NULL);
    q->metric = args_text(g, OPTION_METRIC, NULL);
    if (!q->data && (q->preprocess || q->images || q->resume || q->metric || loss))
        return diag_set(diag, STATUS_USAGE, NULL, NULL,
                        "--preprocess, --images, --resume, --metric and --max-accuracy-loss are "
                        "about --data DIR");
    if (q->data && (stat(q->data, &is) || !S_ISDIR(is.st_mode)))
        return diag_set(diag, STATUS_INPUT, q->data, NULL, "--data: is not a folder");
    return loss ? read_loss(loss, q, diag) : STATUS_OK;
}

ENUM_WORDS(application_stage_name, ApplicationStage, STAGE_COUNT, "preprocess", "inputs_set", "run",
           "outputs_get", "postprocess")

/* "inputs_set=1.8ms" */
static Status read_stage(const char *text, AdviseRequest *q, Diag *diag)
{
    const OptionRow *row = option_row(OPTION_OF_ADVISE, OPTION_APP);
    for (int s = 0; s < STAGE_COUNT; s++) {
        size_t n = strlen(application_stage_name((ApplicationStage)s));
        if (!strncmp(text, application_stage_name((ApplicationStage)s), n) && text[n] == '=' &&
            option_read_time(row, text + n + 1, &q->stage_ns[s]))
            return STATUS_OK;
    }
    return diag_set(diag, STATUS_USAGE, NULL, option_flag(OPTION_APP),
                    "'%s': expected preprocess, inputs_set, run, outputs_get or postprocess, and "
                    "its time, such as run=15.2ms",
                    text);
}

static Status read_stages(Arena *a, const Args *g, AdviseRequest *q, Diag *diag)
{
    size_t n = 0;
    const char *const *text = args_all(a, g, OPTION_APP, &n);
    Status st = STATUS_OK;
    for (size_t i = 0; i < n && !st; i++)
        st = read_stage(text[i], q, diag);
    return st;
}

Status request_from_args(Arena *a, const Args *g, Notes *notes, AdviseRequest *ret, Diag *diag)
{
    AdviseRequest q;
    advise_request_init(&q);
    Status st = args_positional(g, 1, 1, "MODEL", diag);
    if (st)
        return st;
    q.model_path = g->positional[0];
    q.trace = args_all(a, g, OPTION_TRACE, &q.ntrace);
    q.calibration = args_text(g, OPTION_CALIBRATION, NULL);
    q.rules_dir = args_all(a, g, OPTION_RULES, &q.nrules_dir);
    q.baseline.compile = g->compile;
    q.goal_per_s = throughput_goal(a, g);
    q.notes = notes;
    st = request_check_traces(q.trace, q.ntrace, diag);
    st = st ? st : trace_format_from_args(g, &q.trace_options.format, diag);
    run_options(g, &q.baseline.run);
    read_goals(g, &q);
    read_verification(g, &q);
    st = st ? st : read_needs(g, &q, diag);
    st = st ? st : read_accuracy_options(g, &q, diag);
    st = st ? st : read_stages(a, g, &q, diag);
    st = st ? st : source_model_take(a, g, &q, diag);
    if (!st)
        *ret = q;
    return st;
}

#define RATE_MIN 1e-3
#define RATE_MAX 1e9

/* "500" or "fixed:500". */
static Status read_rate(const Args *args, TuneQuestion *ret, Diag *diag)
{
    static const char fixed[] = "fixed:";
    const char *text = args_text(args, OPTION_RATE, NULL), *number = text;
    char *end = NULL;
    if (!text)
        return STATUS_OK;
    ret->equal_gaps = !strncmp(text, fixed, sizeof fixed - 1);
    number += ret->equal_gaps ? sizeof fixed - 1 : 0;
    bool plain = *number && !number[strspn(number, "0123456789.")];
    ret->images_per_s = plain ? strtod(number, &end) : 0;
    if (!plain || *end || !(ret->images_per_s >= RATE_MIN && ret->images_per_s <= RATE_MAX))
        return diag_set(diag, STATUS_USAGE, NULL, option_flag(OPTION_RATE),
                        "'%s': expected images per second, such as 500 or fixed:500", text);
    return STATUS_OK;
}

Status tune_question_from_args(const Args *args, TuneQuestion *ret, Diag *diag)
{
    static const double quantile[] = {0.5, 0.9, 0, 0.99}; /* in the order of the option's words */
    *ret = (TuneQuestion){0};
    ret->quantile = quantile[args_word(args, OPTION_AGGREGATION, 3)];
    Status st = read_rate(args, ret, diag);
    if (!st && !(ret->quantile > 0))
        st = diag_set(diag, STATUS_USAGE, NULL, option_flag(OPTION_AGGREGATION),
                      "pessimistic is one of a gate; a rate takes median, p90 or p99");
    if (!st && args_flag(args, OPTION_AGGREGATION) && !(ret->images_per_s > 0))
        st = diag_set(diag, STATUS_USAGE, NULL, option_flag(OPTION_AGGREGATION), "needs --rate");
    return st;
}
