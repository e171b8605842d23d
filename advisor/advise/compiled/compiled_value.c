/* Converts numbers, sentences, fixes, rules and settings to values of the result. */
#include "advisor/advise/compiled/compiled_result.h"

#include "advisor/options/config.h"
#include "advisor/rules/rule.h"
#include "advisor/rules/rules_doc.h"
#include "graph/import/imported.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* JSON integers are exact up to here. */
#define INTEGER_LIMIT 9007199254740991.0

int64_t compiled_ns(double ns)
{
    double whole = isfinite(ns) ? round(ns) : 0;
    return (int64_t)fmin(fmax(whole, -INTEGER_LIMIT), INTEGER_LIMIT);
}

ResultInt compiled_ns_if(bool known, double ns)
{
    return (ResultInt){known ? compiled_ns(ns) : 0, known};
}

double compiled_real(double x)
{
    char text[64];
    snprintf(text, sizeof text, "%.6g", isfinite(x) ? x : 0);
    double rounded = strtod(text, NULL);
    return rounded == 0 ? 0 : rounded; /* no -0 */
}

ResultReal compiled_real_if(bool known, double x)
{
    return (ResultReal){known ? compiled_real(x) : 0, known};
}

ResultInts compiled_ids(Arena *a, const uint32_t *id, size_t n)
{
    int64_t *item = ARENA_ARRAY(a, int64_t, n);
    for (size_t i = 0; i < n; i++)
        item[i] = id[i];
    return (ResultInts){item, n};
}

const char *compiled_message(const CompiledRun *run, const Message *said)
{
    return said ? message_format(run->arena, run->request->lang, said) : NULL;
}

const char *compiled_version(const CompiledRun *run)
{
    if (run->graph->kind == IMPORT_TENSORRT)
        return run->times.version ? rule_version_text(run->arena, "tensorrt", run->times.version)
                                  : "unknown";
    return run->graph->sdk ? run->graph->sdk : "unknown";
}

ResultFix compiled_fix(const CompiledRun *run, const Match *m)
{
    return (ResultFix){.sdk = compiled_version(run),
                       .where = result_word(result_fix_where_words, m->fix_where),
                       .code = m->fix_rule && m->fix_rule->is_code,
                       .text = m->fix[0]};
}

ResultRuleList compiled_rules(const CompiledRun *run)
{
    ResultRule *item = ARENA_ARRAY(run->arena, ResultRule, run->book.nrule);
    for (size_t i = 0; i < run->book.nrule; i++) {
        const Rule *r = &run->book.rule[i];
        const char *title = rule_text(&r->title, run->request->lang);
        item[i] = (ResultRule){r->id, r->group, rules_template_text(run->arena, title)};
    }
    return (ResultRuleList){item, run->book.nrule};
}

/* Every settings file that was found, and its effect on the checks. */
ResultGate compiled_gate(const CompiledRun *run)
{
    const Config *c = &run->settings;
    ResultSetting *item = ARENA_ARRAY(run->arena, ResultSetting, c->nfile);
    for (size_t i = 0; i < c->nfile; i++) {
        const SettingsFile *f = c->file[i];
        item[i] = (ResultSetting){.file = f->file,
                                  .role = f->refused   ? RESULT_ROLE_REFUSED
                                          : f->decides ? RESULT_ROLE_DECIDES
                                                       : RESULT_ROLE_ADDS,
                                  .took_away = {f->took_away, f->ntook_away},
                                  .ignored = {f->ignored, f->nignored}};
    }
    return (ResultGate){.status = RESULT_STATUS_NONE, .settings = {item, c->nfile}};
}
