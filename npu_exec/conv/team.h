/* Threads for loops and convolutions.
 *
 * Not those of OpenMP, which oneDNN has: at the end of a loop these would wait until each of them
 * was awake, which on a busy machine takes longer than the loop.  Here nobody waits for a thread
 * that has taken nothing, and what comes soon is waited for awake. */
#ifndef NPU_EXEC_CONV_TEAM_H
#define NPU_EXEC_CONV_TEAM_H

#include <stddef.h>
#include <stdint.h>

enum { TEAM_MOST = 64 };

/* As many threads as the OpenMP of a library has (OMP_NUM_THREADS, or the processors there are),
 * which was opened by dlopen(); until then a team is one thread. */
void team_use(void *library);

/* Threads that team_run() has, 1 … TEAM_MOST. */
int team_size(void);

/* What the library is asked for by the caller from now on has one thread (or as many as there are
 * again).  The team's own threads are always alone. */
void team_alone(int alone);

/* task(user, i, thread) for each i in [0, n), in any order, `thread` in [0, team_size()).  By one
 * caller at a time. */
typedef void TeamTask(void *user, int64_t i, int thread);
void team_run(int64_t n, TeamTask *task, void *user);

/* The same for [0, n) cut into parts: part(user, from, to); one part where n times `bytes`, what
 * each is, is little. */
typedef void TeamPart(void *user, int64_t from, int64_t to);
void team_parts(int64_t n, int64_t bytes, TeamPart *part, void *user);

#endif
