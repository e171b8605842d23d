/* Any Chrome trace: spans without a meaning of ours. */
#include "trace/readers/readers.h"

const TraceReader reader_chrome = {
    .format = TRACE_CHROME,
    .name = "chrome",
};
