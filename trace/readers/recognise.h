/* Tells the format of a trace by its beginning: by its keys, and by the categories and names of the
 * events there.  What is known to be something else is refused with its name. */
#pragma once

#include "trace/readers/readers.h"

enum { RECOGNISE_BYTES = 64 << 10 }; /* of a file that are looked at */

/* "npu-advise reads …", for messages about files that are no trace. */
extern const char recognise_formats[];

/* Sets the reader and what told it from the window, which holds the beginning of the file. */
Status recognise_choose(TraceRead *r);
