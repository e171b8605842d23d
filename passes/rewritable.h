/* Finds nodes where a rewrite fits and would save time. */
#pragma once

#include "graph/edit/rewrite.h"
#include "passes/node_time.h"

/* The scene of the program's model, for rewrite_refusal. */
Scene rewritable_scene(const PassInput *in);

/* A finding of that kind at every node where the rewrite fits and which costs time; `rewrite` is
 * one of its attributes.  Of spell-out: only an Add or Sub on the NPU. */
void rewritable_find(const PassInput *in, FindingList *out, const char *kind, RewriteKind rewrite);
