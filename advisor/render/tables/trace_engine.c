/* Defines the table of trtexec's sums over its queries, for files without spans. */
#include "advisor/render/tables/trace_tables.h"
#include "trace/readers/engine.h"

/* Stages of the files, one file after the other. */
static const EngineTimes *times_of(const TraceView *v, size_t row)
{
    return v->stats->file[row / ENGINE_STAGE_COUNT].engine;
}

static bool engine_has(const TraceView *v, size_t row)
{
    const EngineTimes *t = times_of(v, row);
    return t && t->stage[row % ENGINE_STAGE_COUNT].known;
}

static void fill_engine(const TraceView *v, size_t row, Cell *cell)
{
    const EngineTimes *t = times_of(v, row);
    EngineStageKind kind = (EngineStageKind)(row % ENGINE_STAGE_COUNT);
    const EngineStage *s = &t->stage[kind];
    const double value[] = {s->min, s->median, s->mean, s->p90, s->p99, s->max};
    *cell++ = cell_word(engine_stage_key(kind));
    for (size_t i = 0; i < sizeof value / sizeof *value; i++)
        *cell++ = value[i] >= 0 ? cell_figure(value[i], figure_time) : cell_none();
    *cell = kind == ENGINE_LATENCY ? cell_known(t->throughput_per_s, figure_count) : cell_none();
}

TRACE_TABLE_OF(engine, "engine", ENGINE_COLUMNS, v->stats->nfile *ENGINE_STAGE_COUNT, fill_engine,
               .is_extra = true, .screen_rows = 10, .has = engine_has);
