/* npu-advise.json: what a project wants checked, kept beside its models.
 *
 *   { "sdk": "0.10", "target": "warboy", "objective": "latency", "workers": 1, "batch": 1,
 *     "aggregation": "median", "fail_on": "warn", "inconclusive": "fail",
 *     "min_share": 1, "min_gain": "20us", "latency_limit": "10ms",
 *     "regression_percent": 5, "regression_floor": "50us",
 *     "baseline": "baseline.json", "strict_baseline": true,
 *     "budgets": { "latency_ns": "4ms", "host:Quantize": 0 },
 *     "rules": { "NPU503": "off", "NPU101": "error" },
 *     "suppressions": [ { "fingerprint": "NPU101-…", "reason": "…", "owner": "…", "until":
 * "2027-01-01" } ], "models": [ { "model": "yolo*.onnx", "budgets": { "latency_ns": "9ms" } } ] }
 *
 * An entry of `models` holds for models whose name its pattern fits (* and ?; with a slash in it,
 * the path below the folder of the file) and has the same keys but `models`; it wins over what
 * stands above it, and the command line wins over all.  Suppressions and budgets add up. */
#ifndef ADVISOR_OPTIONS_CONFIG_H
#define ADVISOR_OPTIONS_CONFIG_H

#include "advisor/options/args.h"
#include "advisor/rules/rule_book.h"

typedef struct {
    const char *rule_id;
    bool off;
    Level level; /* unless off */
} RuleSetting;

/* A finding that is not held against the model, for a reason that somebody stands for. */
typedef struct {
    const char *fingerprint, *reason;
    const char *owner, *until; /* "YYYY-MM-DD", the last day it holds; NULL: none given */
} Suppression;

typedef struct {
    const char *path;          /* NULL: there is none */
    const GivenOption *option; /* its settings as options, in order: a later one wins */
    size_t noption;
    const RuleSetting *rule; /* likewise */
    size_t nrule;
    const Suppression *suppression;
    size_t nsuppression;
} Config;

/* --config FILE, else with `search` the first npu-advise.json in the model's folder or above it; an
 * empty configuration with --no-config or where there is none.  Unknown keys and values of the
 * wrong kind are STATUS_USAGE, naming file and key, with a "did you mean". */
Status config_for_model(Arena *a, const Args *args, const char *model_path, bool search,
                        Config *ret, Diag *diag);

/* The command line with the settings of the configuration before it, so that it wins. */
Status config_merge(Arena *a, const Config *c, const Args *args, Args *ret, Diag *diag);

/* The last setting for a rule, or NULL. */
const RuleSetting *config_rule(const Config *c, const char *rule_id);

/* STATUS_USAGE with a "did you mean" when a rule is configured that no rule file defines. */
Status config_check_rules(Arena *a, const Config *c, const RuleBook *book, Diag *diag);

/* True for "2027-01-31": four, two and two digits, month and day in range. */
bool config_is_date(const char *text);

#endif
