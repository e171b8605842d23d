/* Defines the table of trtexec's sums over its queries, for files without spans. */
#include "advisor/render/tables/trace_tables.h"
#include "trace/readers/engine.h"

static const Column engine_column[] = {ENGINE_COLUMNS(TRACE_COLUMN)};

/* Stages of the files, one file after the other. */
TABLE_LIMIT(engine_limit, v->stats->nfile *ENGINE_STAGE_COUNT)

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

const TraceTable trace_table_engine = {
    .key = "engine",
    TABLE_COLUMNS(engine_column),
    .is_extra = true,
    .screen_rows = 10,
    .limit = engine_limit,
    .has = engine_has,
    .fill = fill_engine,
};
