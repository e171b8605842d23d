/* Reads any Chrome trace, whose spans have no known meaning. */
#include "trace/readers/readers.h"

const TraceReader reader_chrome = {
    .format = TRACE_CHROME,
    .name = "chrome",
};
