/* The threads of the library that is loaded, for our loops as well: two teams would be in each
 * other's way. */
#ifndef NPU_EXEC_VALUES_TEAM_H
#define NPU_EXEC_VALUES_TEAM_H

#include <stddef.h>
#include <stdint.h>

enum { TEAM_MOST = 64 };

/* Takes the OpenMP of a library that was opened by dlopen(), or of what it needs; without it a team
 * is one thread. */
void team_use(void *library);

/* Threads that team_run() has, 1 … TEAM_MOST. */
int team_size(void);

/* What the caller itself starts from now on has one thread (or as many as there are again). */
void team_alone(int alone);

/* task(user, i, thread) for each i in [0, n), in any order, `thread` in [0, team_size()). */
typedef void TeamTask(void *user, int64_t i, int thread);
void team_run(int64_t n, TeamTask *task, void *user);

/* The same for [0, n) cut into parts: part(user, from, to); one part where n times `bytes`, what
 * each is, is little. */
typedef void TeamPart(void *user, int64_t from, int64_t to);
void team_parts(int64_t n, int64_t bytes, TeamPart *part, void *user);

#endif
