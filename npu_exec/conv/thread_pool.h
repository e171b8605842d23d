/* Runs loops and convolutions on several threads.
 *
 * Not those of OpenMP, which oneDNN has: at the end of a loop these would wait until each of them
 * was awake, which on a busy machine takes longer than the loop.  Here nobody waits for a thread
 * that has taken nothing, and what comes soon is waited for awake. */
#ifndef NPU_EXEC_CONV_THREAD_POOL_H
#define NPU_EXEC_CONV_THREAD_POOL_H

#include <stddef.h>
#include <stdint.h>

enum { THREAD_POOL_MAX = 64 };

/* As many threads as the OpenMP of a library has (OMP_NUM_THREADS, or the processors there are),
 * which was opened by dlopen(); until then a team is one thread. */
void thread_pool_use_library(void *library);

/* Threads that thread_pool_run() has, 1 … THREAD_POOL_MAX. */
int thread_pool_size(void);

/* What the library is asked for by the caller from now on has one thread (or as many as there are
 * again).  The team's own threads are always alone. */
void thread_pool_limit_library(int alone);

/* task(user, i, thread) for each i in [0, n), in any order, `thread` in [0, thread_pool_size()). By
 * one caller at a time. */
typedef void PoolTask(void *user, int64_t i, int thread);
void thread_pool_run(int64_t n, PoolTask *task, void *user);

/* The same for [0, n) cut into parts: part(user, from, to); one part where n times `bytes`, what
 * each is, is little. */
typedef void PoolPart(void *user, int64_t from, int64_t to);
void thread_pool_run_parts(int64_t n, int64_t bytes, PoolPart *part, void *user);

#endif
