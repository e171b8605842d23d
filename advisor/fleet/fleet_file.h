/* Writes the results of a fleet as one SQLite file (docs/schema/fleet.sql): models, steps, findings
 * and totals. */
#pragma once

#include "advisor/report/result_set.h"

enum { FLEET_FILE_VERSION = 2 };

/* Writes the results of a set, by rename, one in memory at a time. */
Status fleet_file_write(const ResultSet *set, const char *path, Diag *diag);

/* Whether a file begins as SQLite's do. */
bool fleet_file_recognise(const char *path);
