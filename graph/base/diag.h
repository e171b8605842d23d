/* Reports bad input as a Status and one line of text.
 *
 * Bad input ends in a Status and one Diag line, recorded once by the callee that knows the
 * reason and passed up untouched.  A line names the file, the place, the fact, and what to do:
 *     model.onnx: node 'conv_12': attribute 'pads' has 3 values, expected 4
 * Analysis goes on past trouble that concerns one node only; that is a Note (notes.h). */
#pragma once

#include "graph/base/strmap.h"

typedef enum {
    STATUS_OK = 0,
    STATUS_USAGE,     /* the command line or a config file asks for something impossible: exit 2 */
    STATUS_INPUT,     /* a model, trace, rule, target … cannot be used: exit 2 */
    STATUS_UNDECIDED, /* the input is fine but does not carry an answer: exit 3 */
} Status;

enum { DIAG_TEXT_SIZE = 1024 };

typedef struct {
    char text[DIAG_TEXT_SIZE]; /* one line, no newline, control characters made visible */
} Diag;

/* Records "file: place: fact" and returns `st`.  `file` and `place` may be NULL. */
Status diag_set(Diag *d, Status st, const char *file, const char *place, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));

/* Replaces control characters, which would forge lines or colours in terminals and logs, by '?'. */
void text_make_visible(char *text);

/* Process exit status of a Status (0, 2, 2, 3). */
int status_exit_code(Status st);
