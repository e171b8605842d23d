/* Declares readers of option values, which refuse what they cannot use with STATUS_USAGE and one
 * line. */
#pragma once

#include "npu_exec/session/exec_options.h"

enum { QUEUE_MAX = 1 << 20 };

typedef Status OptionReader(ExecOptions *o, Arena *a, const char *value, Diag *diag);

OptionReader option_set_rate, option_set_duration, option_set_workload, option_set_profile,
    option_set_overhead, option_set_submit, option_set_receive, option_add_label, option_add_pause,
    option_set_memory, option_set_time, option_set_recipe, option_set_slice;
