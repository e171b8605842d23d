/* Prints which files a bundle consists of and which command continues with it, for `apply` and
 * `tune`. */
#pragma once

#include "advisor/act/apply/apply.h"
#include "advisor/options/command.h"
#include "advisor/report/render.h"

/* A line for each file of `done`, which lie in `folder`; then "next:" with the options that belong
 * to them. */
void bundle_report(Context *c, const View *view, const Applied *done, const char *folder);
