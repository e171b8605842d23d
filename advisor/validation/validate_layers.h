/* Predicts the rows of a layer table that RKNN's runtime printed, to compare them with their times.
 */
#pragma once

#include "cost_model/predict.h"
#include "graph/import/imported.h"

typedef struct {
    const char *kind; /* of the row, in the table's word */
    double measured_ns;
    Interval predicted_ns;
} LayerOutcome;

typedef struct {
    LayerOutcome *row;
    size_t n, disturbed; /* disturbed: rows that are left out */
} LayerRows;

/* The table in `a`.  STATUS_INPUT: the file has none with times. */
Status validate_layers_read(Arena *a, const char *path, Imported **ret, Diag *diag);

/* The clock of the NPU's memory as the table's cycles show it; 0: they do not. */
int validate_layers_ddr_mhz(Arena *a, const Imported *table);

/* Rows with a time that are an operator or a step of their kind in the program.  Not those from the
 * first to the last that equal rows show to be disturbed (table_traits.h).  What each row of the
 * NPU takes at least is of the recording: the median of what they take beyond their predictions is
 * added to these. */
LayerRows validate_layers_predict(Arena *a, const Imported *table, const Program *p,
                                  const Prediction *t);
