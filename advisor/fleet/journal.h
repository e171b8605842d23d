/* Keeps the outcomes of a shard's models as lines (part.h) in one file, in the order in which they
 * finish.
 *
 * One of a plan from a file lies beside the part that it will be, PATH.unfinished, and outlives the
 * process: a run that was broken off goes on where it was.  Beside the outcomes it holds
 *
 *   {"kind":"run"}                another process took it over: models that were begun and have no
 *                                 outcome were broken off
 *   {"kind":"begun","index":3}
 *   {"kind":"stopped"}            by a signal that asks to stop: no model is to blame
 *
 * and its first line is the part's.  Once every outcome is there, the part is written in the order
 * of the plan, by rename, and the journal goes. */
#pragma once

#include "advisor/fleet/part.h"

typedef struct {
    int64_t offset;
    size_t size; /* 0: there is none yet */
    int tries;   /* how often it was begun by a run that broke off */
} JournalRow;

typedef struct {
    Arena *arena;
    const ShardPlan *plan;
    const char *path; /* of the part; NULL: a temporary file, of this process alone */
    FILE *file;
    JournalRow *row; /* of each model of the plan */
    int failed;      /* errno of the first line that could not be kept; none is kept after it */
    int kept;        /* slot of exit_cleanup.h: the line that a signal leaves */
} Journal;

/* In a temporary file. */
Status journal_open_temporary(Arena *a, const ShardPlan *p, Journal *ret, Diag *diag);

/* The journal of the part `path`, begun or taken over; an incomplete last line of an interrupted
 * process is dropped.  *ret_done: the part is there already, of this plan and
 * shard: nothing is left to do, and nothing is open.  STATUS_USAGE while another process holds it,
 * or when it is of another run. */
Status journal_open(Arena *a, const ShardPlan *p, const char *path, Journal *ret, bool *ret_done,
                    Diag *diag);

/* That model i is about to be looked at. */
void journal_begin(Journal *r, size_t i);

/* Its outcome: the line in the file `from`; false when there is no such file.  Or why there is
 * none. */
bool journal_read(Journal *r, size_t i, const char *from);
void journal_write(Journal *r, size_t i, int status, const char *error);

/* STATUS_INPUT when something could not be kept. */
Status journal_flush(Journal *r, Diag *diag);

/* The outcomes of the plan's shard as a set that reads from the journal, which stays open for it.
 */
Status journal_set(Journal *r, ResultSet *ret, Diag *diag);

/* Writes the part `path`; a journal beside it goes. */
Status journal_write_part(Journal *r, const char *path, Diag *diag);

void journal_close(Journal *r);
