/* Removes temporary files when a signal or error ends the process.
 *
 * Its table is the only global state: a signal has no other way to find it.  The table is fixed and
 * nothing here allocates; all but exit_cleanup_startup may be called from a signal handler. */
#pragma once

#include "graph/base/libc.h"

#include <signal.h>
#include <sys/types.h>

/* The printed line begins with `program`.  From here on SIGINT, SIGTERM, SIGHUP and SIGPIPE remove
 * everything kept before they end the process as they always do, and a mapped file that became
 * shorter while it was read ends in one line and status 2. */
void exit_cleanup_startup(const char *program);

/* Signals wait from exit_cleanup_block_signals to exit_cleanup_unblock_signals, which gets what
 * exit_cleanup_block_signals gave: around making something and keeping it, so that none comes in
 * between.  A copy that is forked there releases, too. */
sigset_t exit_cleanup_block_signals(void);
void exit_cleanup_unblock_signals(sigset_t before);

/* Kept until forgotten; each returns a slot for exit_cleanup_cancel, -1 when the table is full.
 * `path` is not copied.  A folder is removed with the plain files in it.  Only the process that
 * kept something removes it, not a forked copy of it. */
int exit_cleanup_add_file(const char *path);
int exit_cleanup_add_folder(const char *path);
int exit_cleanup_add_group(pid_t group); /* of a child; killed by exit_cleanup_kill_group */
int exit_cleanup_add_copy(pid_t copy);   /* forked, not executed; ended by SIGTERM and waited for */
int exit_cleanup_add_mapping(const void *start, size_t size, const char *path);
int exit_cleanup_add_line(int fd, const char *line); /* to be written there; `line` is not copied */
void exit_cleanup_cancel(int slot);

/* Whether all of it is in a kept mapping: in pages of a file that can be read again. */
bool exit_cleanup_is_mapped(const void *start, size_t size);

/* Kills all processes of the group of a child and waits until none is left, so that nothing writes
 * any more: orphans of the group are waited for as well if this process adopts them
 * (PR_SET_CHILD_SUBREAPER).  *ret_status (or NULL): how the child itself ended, as waitpid has it;
 * unchanged if it was waited for before. */
void exit_cleanup_kill_group(pid_t group, int *ret_status);

/* Removes a folder with the plain files in it, allocating nothing. */
void exit_cleanup_remove_folder(const char *path);

/* In a forked copy whose line another process tells: it goes to `fd` instead of stderr, without the
 * program's name and the end of the line. */
void exit_cleanup_report_to(int fd);

enum { EXIT_CLEANUP_NONE = -1 }; /* no slot */

/* Removes what is kept, prints "program: line" to stderr, ends the process with `status`; nothing
 * that is still in a buffer is written. */
_Noreturn void exit_cleanup_fail(int status, const char *line);
/* The same where the line has been told. */
_Noreturn void exit_cleanup_fail_silently(int status);
