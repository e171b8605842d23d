/* Keeps accuracy measurements in a file, slice by slice, so that a run can continue.
 *
 * The first line says what was measured; each further line holds the runs of a change on a slice:
 *
 *   {"accuracy_of":"…"}           digest of the model, the data and all options
 *   {"change":"input-dtype 0 uint8","from":0,"images":1000,"runs":1000,"outputs":[…],"scores":{…}}
 *
 * An incomplete last line, from a process that was interrupted, is dropped. */
#pragma once

#include "graph/base/diag.h"

#include <cjson/cJSON.h>

typedef struct AccuracyLog AccuracyLog;

/* Opens or makes a log: STATUS_USAGE for another run's, other files, and locked ones. */
Status accuracy_log_open(Arena *a, const char *path, const char *of, AccuracyLog **ret, Diag *diag);
void accuracy_log_close(AccuracyLog *l); /* accepts NULL */

/* The line of a change from run `from` on; NULL: it was not measured.  Accepts NULL. */
const cJSON *accuracy_log_find(const AccuracyLog *l, const char *change, size_t from);

/* Takes ownership of the line (or NULL). A line that cannot be written is dropped. */
void accuracy_log_add(AccuracyLog *l, cJSON *line);

/* Sets the text that Ctrl-C prints: the progress, and how to continue. Accepts NULL. */
void accuracy_log_report(AccuracyLog *l, size_t done, size_t all);
void accuracy_log_quiet(void);
