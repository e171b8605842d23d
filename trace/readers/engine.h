/* Holds what trtexec measured of one engine, from all of its files.
 *
 * Recognised by content: the profile (--exportProfile: time of each layer), the times
 * (--exportTimes: stages of each query), the log (with --verbose or not), and the two
 * *.metadata.json of TensorRT's engine explorer.  Units are nanoseconds, as double: the files hold
 * milliseconds of six digits.  What no file says is unknown: has_… false, NULL, 0 records. */
#pragma once

#include "graph/base/file.h"
#include "trace/readers/reader_words.def"

enum { ENGINE_FILE_MIB = 64, ENGINE_ROWS_MAX = 1 << 20, ENGINE_MESSAGES_MAX = 4096 };

/* One layer of the profile.  Several may have one name. */
typedef struct {
    const char *name;  /* separators of fused names as " + " */
    double average_ns; /* per run; timeMs / count where the file has no average */
    double median_ns;  /* -1: the file has none (TensorRT before 8.4) */
} EngineRow;

/* Durations of a stage, of the queries' times if given, else of the summary. */
typedef struct {
    bool known;
    bool from_queries; /* counted here; else read from a summary, and cv is not known */
    size_t n;          /* queries; 0 of a summary */
    double min, mean, median, max;
    double p90, p99; /* -1 unknown */
    double cv;       /* standard deviation / mean; -1 unknown */
} EngineStage;

typedef enum {
    ENGINE_COMPUTE,
    ENGINE_H2D,
    ENGINE_D2H,
    ENGINE_LATENCY,
    ENGINE_ENQUEUE,
    ENGINE_STAGE_COUNT
} EngineStageKind;
const char *engine_stage_key(EngineStageKind s); /* "compute" "h2d" … */

/* "Precision: FP32+INT8" of "Build Options", also from the metadata. */
typedef struct {
    const char *section, *key,
        *value; /* in lower case with dashes: "build" "precision"; value as written */
} EngineOption;

typedef enum {
#define X(id, key) ENGINE_##id,
    ENGINE_MESSAGES(X)
#undef X
        ENGINE_MESSAGE_COUNT
} EngineMessageKind;
const char *engine_message_key(EngineMessageKind m);

typedef struct {
    EngineMessageKind kind;
    const char *subject; /* tensor or layer that the line names, or NULL */
} EngineMessage;

typedef enum {
    ENGINE_PROFILE,
    ENGINE_TIMES,
    ENGINE_LOG,
    ENGINE_METADATA,
    ENGINE_TABLE, /* of RKNN: the graph itself */
    ENGINE_TRACE, /* of a program: read by other readers */
    ENGINE_NOTHING
} EngineFileKind;
const char *
engine_file_key(EngineFileKind k); /* "tensorrt-profile" … as the result names the format */

typedef struct {
    const char *path;
    EngineFileKind kind;
    char sha256[65];
} EngineFile;

typedef struct EngineTimes {
    Arena *arena;
    EngineFile *file;
    size_t nfile, file_cap;
    EngineRow *row;
    size_t nrow, row_cap;
    size_t iterations; /* of the profile; 0 unknown */
    size_t bad_rows;   /* without a name or time */
    bool rows_of_log;  /* the rows are a table of the log: a profile replaces them */
    EngineStage stage[ENGINE_STAGE_COUNT];
    double wall_ns, gpu_ns;  /* totals of the run: host wall time, GPU compute; 0 unknown */
    double throughput_per_s; /* 0 unknown */
    EngineOption *option;
    size_t noption, option_cap;
    EngineMessage *message; /* at most ENGINE_MESSAGES_MAX kept */
    size_t nmessage, message_cap;
    size_t message_count[ENGINE_MESSAGE_COUNT];
    int version; /* 100 * major + minor (805, 1016); 0 unknown */
} EngineTimes;

/* Which of n > 0 sorted values trtexec calls the percentile of a share (0.9). */
size_t engine_percentile_index(size_t n, double share);

/* What kind of file the bytes are; ENGINE_NOTHING for all else. */
EngineFileKind engine_recognise(const void *data, size_t size);

/* A file as text in the arena: unpacked where it is gzip, UTF-8 where it is UTF-16 (what `>` writes
 * in PowerShell).  `ret_sha256` (65 bytes) is that of the bytes as stored, "" of stdin. */
Status engine_text(Arena *a, const char *path, InFile *ret, char *ret_sha256, Diag *diag);

void engine_times_init(EngineTimes *t, Arena *a);

/* Adds one text; `sha256` names the file that it came from.  STATUS_INPUT: it cannot be read, or
 * holds a second profile or second times. */
Status engine_times_add(EngineTimes *t, InFile text, const char *sha256, Diag *diag);
