/* Holds a performance table of Rockchip's RKNN, as runtime or compiler prints it.
 *
 * Forms: eval_perf of 1.4 to 1.6 and its CSV, PERF_DETAIL and eval_perf of 2.x, and build with
 * verbose=True, which has no times.  Cycles are the compiler's, counted at 1 GHz: never a time.
 * Texts are as printed; fields that a form does not have are NULL or -1. */
#pragma once

#include "graph/base/arena.h"

enum { RKNN_CORES_MAX = 8 };

typedef enum { RKNN_NPU, RKNN_CPU, RKNN_GPU, RKNN_TARGET_COUNT } RknnTarget;
const char *rknn_target_name(RknnTarget t); /* "NPU" "CPU" "GPU" */

typedef struct {
    int64_t id;
    RknnTarget target;
    const char *type, *dtype, *in_shape, *out_shape, *mac_usage, *work_load, *full_name;
    int64_t ddr_cycles, npu_cycles, total_cycles;
    double time_us, rw_kb;
    double load[RKNN_CORES_MAX]; /* percent of each core */
    size_t ncore;                /* cells of work_load */
} RknnRow;

typedef enum { RKNN_CPU_CLOCK, RKNN_NPU_CLOCK, RKNN_DDR_CLOCK, RKNN_CLOCK_COUNT } RknnClock;
typedef enum { RKNN_TOOLKIT, RKNN_RUNTIME, RKNN_DRIVER, RKNN_PLATFORM, RKNN_WORD_COUNT } RknnWord;

/* A line of accuracy_analysis: how alike int8 and float make a tensor, each layer by itself; or,
 * with float_by, a tensor in float16 by the settings of hybrid quantization. */
typedef struct {
    const char *tensor;
    double cosine;
    const char *float_by; /* "user", "toolkit"; else NULL */
} RknnLoss;

/* What stands around the tables. */
typedef struct {
    RknnLoss *loss;
    size_t nloss, loss_cap;
    size_t ntable;                     /* the last whole one is read */
    double plain_us, fps;              /* of a run without the table */
    double clock_hz[RKNN_CLOCK_COUNT]; /* the highest of each list */
    double weight_kib, internal_kib;
    const char *word[RKNN_WORD_COUNT]; /* versions, and "rk3588" */
} RknnLog;

typedef struct RknnTable {
    RknnRow *row; /* one for each operator of the graph */
    size_t nrow, row_cap;
    bool timed, whole;          /* whole: a rule or footer ends it */
    size_t bad_rows, lost_rows; /* that cannot be read; whose numbers are missing */
    double total_us, rw_kb;     /* of the footer */
    RknnLog log;
} RknnTable;

/* A head line of such a table: ID, OpType and the columns that follow. */
bool rknn_is_head(const char *line);

/* Columns of a head line, in order. */
enum { RKNN_COLUMNS_MAX = 24 };
typedef struct {
    uint8_t column[RKNN_COLUMNS_MAX];
    size_t ncolumn;
    bool timed, comma; /* comma: cells of a CSV */
} RknnHead;
RknnHead rknn_read_head(const char *line);

/* Reads one row; its texts are copied into `a` only where it is one. */
bool rknn_read_row(Arena *a, const RknnHead *head, const char *text, RknnRow *ret);

/* Adds tensors in float16 to log->loss, those of the user first; the number of a line that cannot
 * be read, or 0. */
size_t rknn_read_hybrid(Arena *a, const char *text, size_t size, RknnLog *log);
