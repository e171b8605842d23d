/* Restricts what the process may do once it reads files of strangers.
 *
 * Landlock: files are read below the given folders only, written below others only, nothing is
 * executed.  seccomp: no network, no other program, no debugging, no mounts, no keys; such a call
 * fails with EPERM.  Where the kernel has neither, the process goes on without. */
#pragma once

#include "graph/base/arena.h"

enum { SANDBOX_PATHS_MAX = 512 };

/* Folders and single files; missing ones are skipped.  Paths are not copied. */
typedef struct {
    const char *read[SANDBOX_PATHS_MAX], *write[SANDBOX_PATHS_MAX];
    size_t nread, nwrite;
} SandboxPaths;

/* More than fit are passed over: then they cannot be read. */
void sandbox_may_read(SandboxPaths *p, const char *path);
void sandbox_may_write(SandboxPaths *p, const char *path);

/* What a word of the command line names, if it is there: the file, what lies beside it, and beside
 * where it leads; a target's file without its "-2pe".  What is made of it lives in `a`. */
void sandbox_may_read_word(SandboxPaths *p, Arena *a, const char *word);

/* An output: the file, and the folder that it is to be made in. */
void sandbox_may_write_output(SandboxPaths *p, Arena *a, const char *path);

/* What this kernel offers: 0 for no Landlock, else the version of its interface. */
int sandbox_landlock_version(void);
bool sandbox_has_seccomp(void);

/* For the rest of this process and what it forks.  False when neither was to be had. */
bool sandbox_enter(const SandboxPaths *p);
