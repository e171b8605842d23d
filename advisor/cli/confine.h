/* Confines the process to the folders of its command line, before it reads any file. */
#pragma once

#include "advisor/options/command.h"

/* Starts the helper that runners need (c->helper), and enters the sandbox.  Readable are then the
 * folders of the paths of the command line, those above them that hold an npu-advise.json, and the
 * program's own data; writable the folders of the outputs, and with --verify the one for temporary
 * files.  `validate` starts runners from copies of itself and stays outside. */
Status confine(Context *c, const Args *args);
