/* Derives from a table of RKNN what rules ask of its rows, and how far the recording can be
 * trusted.
 *
 * Cycles count at 1 GHz, so that they compare with nanoseconds; a law of the chip that is not known
 * gives 0. */
#pragma once

#include "advisor/advise/compiled/layer_times.h"
#include "graph/import/rknn_table.h"

typedef struct {
    double cin, cout, kernel_h, kernel_w; /* of a convolution; 0 of other rows */
    double read, made;                    /* pixels in and out, all images of a batch */
    bool depthwise, first;                /* first: the convolution of the image */
    bool tail;                            /* after the last convolution with a kernel */
    bool splits;                          /* runs on several cores */
    bool unsteady;                        /* slower than an equal row by half */
    double fastest_ns;                    /* of the rows equal to it; 0: none is */
    double table_ns;   /* that the table unit of SiLU and Sigmoid works longer than the MAC array */
    double padding_ns; /* for channels that only fill up the array */
    double memory_ns;  /* beyond arithmetic and table unit, where DDR takes more cycles than they */
    double stem_ns;    /* that a space-to-depth stem computes less */
} TableRow;

typedef struct TableTraits {
    const RknnTable *table;
    TableRow *row;
    const char *chip;   /* NULL unknown */
    bool chip_by_cores; /* else the log names it */
    size_t cores;
    double cin, cout;                  /* channels that the chip computes together; 0 unknown */
    double ddr_mhz;                    /* by DDR cycles; 0 unknown */
    double full_ddr_mhz, full_npu_mhz; /* of the chip, on the vendor's boards; 0 unknown */
    double plain_ns;          /* a run without the table, by log or application; -1 unknown */
    size_t ngroup, nunsteady; /* groups of equal rows that disagree, and their slow rows */
    double sum_us, sum_kb;    /* of the rows */
} TableTraits;

/* Equal rows may differ by this factor; 1.13 is the worst in good recordings. */
#define TABLE_STEADY 1.5

/* Of a graph that is a table. */
TableTraits *table_traits(Arena *a, const Imported *g);

/* Adds the rows of the table as times of its layers, and the plain run as a latency. */
void table_times(EngineTimes *t, const Imported *g);

/* Sets the traits, the grade and the issues of a graph that is a table; nothing of others. */
void table_judge(Arena *a, LayerTimes *x);
