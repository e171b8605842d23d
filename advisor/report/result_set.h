/* Holds the results that an output is made of, in the order of their models.
 *
 * One result is in memory.  Those of many models stay in the file that they were written to
 * and are read one by one: an output needs memory for one of them, however many there are. */
#pragma once

#include "advisor/message/json.h"
#include "advisor/report/result.h"

/* What came of one model. */
typedef struct {
    const char *model;           /* its path, with settings where a plan has several */
    const char *file, *settings; /* the two parts of that; NULL where there is only the path */
    int status;                  /* 0 passed, 1 a gate failed, 2 unreadable, 3 inconclusive */
    const char *error; /* one line where there is no result, or it is incomplete; else NULL */
    bool has_result;
    FILE *store; /* where its line (advisor/fleet/part.h) lies, `size` bytes at `offset` */
    int64_t offset;
    size_t size;
} ResultEntry;

typedef struct {
    bool many; /* of a run over several models: every part of an output names its model */
    size_t count;
    ResultEntry *entry;
    const Result *one; /* unless many: the result */
} ResultSet;

/* A set of one result; the caller owns `entry`. */
ResultSet result_set_of(const Result *result, ResultEntry *entry);

/* Reads the line of `model` again; the caller frees it. One that cannot be read ends the process
 * with one line and status 2 (exit_cleanup.h): no output may be incomplete. */
char *result_set_read_line(FILE *store, int64_t offset, size_t size, const char *model);

/* The result of entry i in `a`, or NULL.  Ends the process if its line changed. */
const Result *result_set_read(Arena *a, const ResultSet *s, size_t i);

/* The part of a set from entry `from` on, at most `count` of them. */
ResultSet result_set_slice(const ResultSet *s, size_t from, size_t count);

/* One status for all: the worst by 2, 1, 3, 0. */
int result_set_status(const ResultSet *s);

/* {"model","status","error","result"} of entry i on one line, without a line end. */
void result_set_print_line(FILE *out, const ResultSet *s, size_t i);
