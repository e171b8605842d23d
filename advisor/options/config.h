/* Reads npu-advise.json: the settings and checks that a project keeps beside its models.
 *
 *   { "sdk": "0.10", "target": "warboy", "objective": "latency", "workers": 1, "batch": 1,
 *     "aggregation": "median", "fail_on": "warn", "inconclusive": "fail",
 *     "min_share": 1, "min_gain": "20us", "latency_limit": "10ms",
 *     "regression_percent": 5, "regression_floor": "50us",
 *     "trace": "model.json", "baseline": "baseline.json", "strict_baseline": true,
 *     "budgets": { "latency_ns": "4ms", "host:Quantize": 0 },
 *     "rules": { "NPU503": "off", "NPU101": "error" },
 *     "suppressions": [ { "fingerprint": "NPU101-…", "reason": "…", "owner": "…",
 *                         "until": "2027-01-01" } ],
 *     "models": [ { "model": "yolo*.onnx", "budgets": { "latency_ns": "9ms" } } ] }
 *
 * An entry of `models` applies to models whose name matches its pattern (* and ?; with a slash in
 * it, the path below the folder of the file, or of the root where the file lies elsewhere) and has
 * the same keys except `models`; it wins over the settings above it, and the command line wins over
 * all.  Suppressions and budgets add up. docs/schema/npu-advise.json is its JSON Schema.
 *
 * Who decides: a merge request brings its own files, so a gate is decided by the command line and
 * by the files that it names (--config, --baseline).  Where it names none, the file of the root
 * decides: the folder of --root, else the next one above the model with a .git that is not a
 * submodule's, else the working folder if the model lies below it, else the model's own.  All other
 * files, from the root down to the model's folder, only add checks: entries that would remove one,
 * or change what is measured, are ignored and listed.  A file of another owner is not read, and
 * makes the gate inconclusive. */
#pragma once

#include "advisor/options/args.h"
#include "advisor/rules/rule_book.h"

/* One file, and how it changed the checks, in its spelling: "rules.NPU503: off". */
typedef struct {
    const char *file;       /* from the root, or as given by --config */
    bool decides;           /* else it only adds */
    const char *refused;    /* why it was not read; NULL */
    const char **took_away; /* checks that it took away */
    const char **ignored;   /* entries that only a deciding file may have */
    size_t ntook_away, nignored, took_away_cap, ignored_cap;
} SettingsFile;

typedef struct {
    const char *rule_id;
    bool off;
    Level level; /* unless off */
    SettingsFile *file;
} RuleSetting;

/* A finding that is accepted, with a reason and an owner. */
typedef struct {
    const char *fingerprint, *reason;
    const char *owner, *until; /* "YYYY-MM-DD", the last day it holds; NULL: none given */
    SettingsFile *file;
} Suppression;

typedef struct {
    OptionGiven option; /* as the command line would spell it */
    SettingsFile *file;
} FileOption;

typedef struct {
    SettingsFile **file; /* from the root downwards */
    size_t nfile, file_cap;
    FileOption *option; /* in order: a later one wins */
    size_t noption, option_cap;
    RuleSetting *rule; /* likewise */
    size_t nrule, rule_cap;
    Suppression *suppression;
    size_t nsuppression, suppression_cap;
    size_t nadded_budget; /* set by config_merge: the last so many budgets hold beside all others */
} Config;

/* Which files are read: the one of --config alone, or those of the model's folders as well. */
typedef enum { CONFIG_GIVEN, CONFIG_IN_TREE } ConfigScope;

/* Reads the files that apply to a model (see above); none with --isolated.  Unknown and doubled
 * keys and values of the wrong type are STATUS_USAGE, naming file and key, with a "did you mean".
 * Entries that are not allowed in files that only add are ignored and listed. */
Status config_for_model(Arena *a, const Args *args, const char *model_path, ConfigScope scope,
                        Config *ret, Diag *diag);

/* The command line with the settings of the deciding file before it, so that the command line wins,
 * and those of the other files after it, where they are stricter. */
Status config_merge(Arena *a, Config *c, const Args *args, Args *ret, Diag *diag);

/* Checks the settings of rules against the book: `ret` keeps the effective ones, and lists the
 * checks that they remove with their files. STATUS_USAGE, with a "did you mean", for an unknown
 * rule. */
Status config_resolve_rules(Arena *a, const Config *c, const RuleBook *book, Config *ret,
                            Diag *diag);

/* From resolved settings (NULL: none): whether a rule is off, and the level of a finding whose own
 * level is `level`; a file that only adds never lowers it. */
bool config_is_off(const Config *c, const char *rule_id);
Level config_level(const Config *c, const char *rule_id, Level level);

/* True for "2027-01-31": four, two and two digits, month and day in range. */
bool config_is_date(const char *text);
