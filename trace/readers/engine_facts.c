/* Fills in the facts about an engine's run that the readers of its files find. */
#include "trace/readers/engine_parts.h"

ENUM_WORDS(engine_stage_key, EngineStageKind, ENGINE_STAGE_COUNT, "compute", "h2d", "d2h",
           "latency", "enqueue")

#define X(id, key) key,
ENUM_WORDS(engine_message_key, EngineMessageKind, ENGINE_MESSAGE_COUNT, ENGINE_MESSAGES(X))
#undef X

ENUM_WORDS(engine_file_key, EngineFileKind, ENGINE_NOTHING + 1, "tensorrt-profile",
           "tensorrt-times", "tensorrt-log", "tensorrt-metadata", "rknn-table", "trace", "unknown")

static const char *dashed_key(Arena *a, const char *text)
{
    char *s = arena_strdup(a, text);
    for (char *c = s; *c; c++)
        *c = isalnum((unsigned char)*c) ? (char)tolower((unsigned char)*c) : '-';
    return s;
}

void engine_add_option(EngineTimes *t, const char *section, const char *key, const char *value)
{
    if (t->noption >= ENGINE_MESSAGES_MAX)
        return;
    *VEC_PUSH(t->arena, t->option, t->noption, t->option_cap) = (EngineOption){
        arena_strdup(t->arena, section), dashed_key(t->arena, key), arena_strdup(t->arena, value)};
}

size_t engine_percentile_index(size_t n, double share)
{
    size_t left_out = n * (size_t)(1000 - lround(share * 1000)) / 1000; /* of the largest */
    return left_out < n ? n - 1 - left_out : 0;
}

void engine_summary(EngineTimes *t, const char *metric, const EngineSummary *ms)
{
    static const struct {
        const char *metric;
        EngineStageKind stage;
    } known[] = {{"GPU Compute Time", ENGINE_COMPUTE}, {"GPU Compute", ENGINE_COMPUTE},
                 {"H2D Latency", ENGINE_H2D},          {"D2H Latency", ENGINE_D2H},
                 {"Latency", ENGINE_LATENCY},          {"Host Latency", ENGINE_LATENCY},
                 {"Enqueue Time", ENGINE_ENQUEUE}};
    bool whole = ms->min >= 0 && ms->max >= 0 && ms->mean >= 0 && ms->median >= 0;
    for (size_t i = 0; whole && i < sizeof known / sizeof *known; i++) {
        EngineStage *s = &t->stage[known[i].stage];
        bool better = s->from_queries && known[i].stage != ENGINE_ENQUEUE;
        bool unmeasured = known[i].stage == ENGINE_COMPUTE && !(ms->mean > 0);
        if (strcmp(metric, known[i].metric) != 0 || better || unmeasured)
            continue;
        *s = (EngineStage){.known = true,
                           .min = ms->min * 1e6,
                           .max = ms->max * 1e6,
                           .mean = ms->mean * 1e6,
                           .median = ms->median * 1e6,
                           .p90 = ms->p90 < 0 ? -1 : ms->p90 * 1e6,
                           .p99 = ms->p99 < 0 ? -1 : ms->p99 * 1e6,
                           .cv = -1};
    }
}

void engine_total(EngineTimes *t, const char *metric, double value)
{
    if (!(value > 0 && value < 1e12))
        return;
    if (!strcasecmp(metric, "Throughput"))
        t->throughput_per_s = value;
    else if (!strcmp(metric, "Total Host Walltime") || !strcmp(metric, "walltime"))
        t->wall_ns = value * 1e9;
    else if (!strcmp(metric, "Total GPU Compute Time"))
        t->gpu_ns = value * 1e9;
}
