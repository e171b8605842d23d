/* Tells what a compiled program takes of a card's memory, and whether it fits.
 *
 * Bytes of one worker: weights and activations that do not fit SRAM, and the tensors that a task
 * reads and writes.  Each worker holds its own (a runtime log of SDK 0.10 has 102 MiB for each of
 * 16 workers of YOLOv8l on one PE, of which 42 are weights).  One image's activations reuse SRAM;
 * those of several images that do not fit beside each other lie in DRAM without reuse.  Four lines
 * of runtime logs are met within 12 %. */
#pragma once

#include "graph/compile/program.h"

/* What a program does not fit. */
typedef enum {
    MEMORY_LIMIT_NONE,
    MEMORY_LIMIT_OPERATOR, /* inputs and outputs of one operator exceed SRAM: not published */
    MEMORY_LIMIT_DRAM,     /* all workers of a card together exceed its DRAM */
} MemoryLimit;

typedef struct {
    int64_t weight_bytes, activation_bytes, io_bytes; /* DRAM of one worker */
    int64_t worker_bytes;                             /* their sum */
    int64_t dram_bytes, dram_limit_bytes;             /* of the card with the most workers */
    int64_t sram_peak_bytes, sram_bytes;
    int64_t largest_op_bytes; /* of one image, widths padded; compared with sram_bytes */
    MemoryLimit limit;        /* the first that is exceeded */
    bool fits;
} MemoryNeed;

/* Of a program that `workers` workers run on `devices` cards. */
MemoryNeed memory_need(const Program *p, int workers, int devices);

/* Workers of one card that fit its DRAM. */
int64_t memory_workers_max(const MemoryNeed *m);
