/* Reads the parts of a point of tune.json as changes to apply. */
#include "advisor/act/apply/apply.h"
#include "advisor/message/json.h"
#include "advisor/report/result_json.h"
#include "graph/base/arena.h"

static const char *text_at(Arena *a, const cJSON *o, const char *path)
{
    return arena_strdup(a, json_text(o, path, NULL));
}

static ResultLeverList levers_of(Arena *a, const cJSON *list)
{
    ResultLever *item = ARENA_ARRAY(a, ResultLever, json_count(list, "") + 1);
    size_t n = 0;
    for (const cJSON *x = json_first(list, ""); x; x = x->next)
        item[n++] =
            (ResultLever){text_at(a, x, "lever"), text_at(a, x, "index"), text_at(a, x, "value")};
    return (ResultLeverList){item, n};
}

static const ResultFix *fix_of(Arena *a, const cJSON *o)
{
    ResultFix *fix = ARENA_NEW(a, ResultFix);
    unsigned where = result_word(result_fix_where_words, json_text(o, "where", NULL));
    *fix = (ResultFix){text_at(a, o, "sdk"), (ResultFixWhere)where,
                       cJSON_IsTrue(json_at(o, "code")), text_at(a, o, "text")};
    return fix;
}

static const ResultGain *gain_of(Arena *a, const cJSON *o)
{
    ResultGain *gain = ARENA_ARRAY(a, ResultGain, 1);
    ResultInterval *predicted = ARENA_ARRAY(a, ResultInterval, 1);
    if (!cJSON_IsObject(o))
        return NULL;
    gain->unit = (ResultUnit)result_word(result_unit_words, json_text(o, "unit", NULL));
    if (json_number(o, "predicted.lo", &predicted->lo) &&
        json_number(o, "predicted.mid", &predicted->mid) &&
        json_number(o, "predicted.hi", &predicted->hi))
        gain->predicted = predicted;
    return gain;
}

static ResultInt int_at(const cJSON *o, const char *path)
{
    double v = 0;
    bool known = json_number(o, path, &v);
    return (ResultInt){(int64_t)v, known};
}

static ResultTextMap texts_of(Arena *a, const cJSON *map)
{
    ResultTextPair *item = ARENA_ARRAY(a, ResultTextPair, json_count(map, "") + 1);
    size_t n = 0;
    for (const cJSON *x = json_first(map, ""); x; x = x->next)
        item[n++] = (ResultTextPair){arena_strdup(a, x->string), arena_strdup(a, x->valuestring)};
    return (ResultTextMap){item, n};
}

static ResultInts axes_of(Arena *a, const cJSON *list)
{
    int64_t *item = ARENA_ARRAY(a, int64_t, json_count(list, "") + 1);
    size_t n = 0;
    for (const cJSON *x = json_first(list, ""); x; x = x->next)
        item[n++] = (int64_t)x->valuedouble;
    return (ResultInts){item, n};
}

static ResultIntLists permutations_of(Arena *a, const cJSON *list)
{
    ResultInts *item = ARENA_ARRAY(a, ResultInts, json_count(list, "") + 1);
    size_t n = 0;
    for (const cJSON *x = json_first(list, ""); x; x = x->next)
        item[n++] = axes_of(a, x);
    return (ResultIntLists){item, n};
}

/* Those that apply_write takes over. */
static ResultOptions options_of(Arena *a, const cJSON *o)
{
    return (ResultOptions){.batch = int_at(o, "batch"),
                           .workers = int_at(o, "workers"),
                           .devices = int_at(o, "devices"),
                           .input_dtype = texts_of(a, json_at(o, "input_dtype")),
                           .output_dtype = texts_of(a, json_at(o, "output_dtype")),
                           .permute_input = permutations_of(a, json_at(o, "permute_input"))};
}

void apply_choose_point(Arena *a, const cJSON *tune, const cJSON *point, Chosen *ret)
{
    *ret = (Chosen){.change = ARENA_ARRAY(a, ApplyChange, json_count(point, "parts") + 1),
                    .target = text_at(a, tune, "target"),
                    .sdk = text_at(a, tune, "sdk"),
                    .options = options_of(a, json_at(tune, "options"))};
    for (const cJSON *part = json_first(point, "parts"); part; part = part->next)
        ret->change[ret->nchange++] = (ApplyChange){.rule_id = text_at(a, part, "rule_id"),
                                                    .fingerprint = text_at(a, part, "fingerprint"),
                                                    .title = text_at(a, part, "title"),
                                                    .risk = text_at(a, part, "risk"),
                                                    .levers = levers_of(a, json_at(part, "levers")),
                                                    .fix = fix_of(a, json_at(part, "fix")),
                                                    .gain = gain_of(a, json_at(part, "gain"))};
}
