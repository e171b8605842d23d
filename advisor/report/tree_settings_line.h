/* Describes in one line, for every output, how a settings file changed the checks. */
#ifndef ADVISOR_REPORT_TREE_SETTINGS_LINE_H
#define ADVISOR_REPORT_TREE_SETTINGS_LINE_H

#include "advisor/message/json.h"
#include "graph/base/language.h"

/* "npu-advise.json decides; takes away rules.NPU503: off" of an entry of gate.settings, in `a`.
 * Names are raw: the caller makes them plain. */
const char *tree_settings_line(Arena *a, const cJSON *entry, const Language *lang);

#endif
