/* Describes in one line, for every output, how a settings file changed the checks. */
#pragma once

#include "advisor/report/result.h"
#include "graph/base/language.h"

/* "npu-advise.json decides; takes away rules.NPU503: off" of an entry of gate.settings, in `a`.
 * Names are raw: the caller makes them plain. */
const char *settings_line(Arena *a, const ResultSetting *entry, const Language *lang);
