/* Pairs begin and end events, B/E and asynchronous ones, to complete spans.
 *
 * B and E nest per thread.  Real files lose, rename and reorder them, so an E closes the innermost
 * open span of its name; one that finds none waits for a B that comes late.  What is still open at
 * the end of the file is paired by nesting, whatever the names say, unless names are to be trusted
 * (where spans get lost, an E of another name means just that). */
#pragma once

#include "trace/readers/span.h"

#include "graph/base/arena.h"

enum {
    PAIR_MAX_OPEN = 1 << 20,   /* spans open at once, over all threads */
    PAIR_MAX_SEARCH = 1 << 10, /* how deep an E looks for its B */
    PAIR_MAX_WAITING = 1 << 6, /* E events per thread that wait for their B */
    PAIR_WINDOW = 63,        /* events of a thread that are sorted by time before they are paired */
    PAIR_MAX_HELD = 1 << 17, /* the same, over all threads */
};

/* `nested_in_itself`: its enclosing span has the same name. */
typedef void (*PairSink)(void *user, Span *complete, bool nested_in_itself);

typedef struct {
    uint64_t unmatched_begin, unmatched_end, renamed_end, out_of_order, negative_duration;
} PairRepairs;

typedef struct Pairs Pairs;

Pairs *pairs_new(Arena *a, PairSink sink, void *user);

/* `s` has start_ns; its duration is not looked at.  False when too many are open.  Pairs are given
 * out later, when their events are no longer among the latest of their thread. */
bool pairs_begin(Pairs *p, const Span *s);

/* `e` has start_ns = the time of the end; name NULL closes whatever is innermost.  Indices that the
 * beginning lacks are taken from here. */
void pairs_end(Pairs *p, const Span *e);

/* Asynchronous: `key` says which belong together; they nest within their key. */
bool pairs_async_begin(Pairs *p, uint64_t key, const Span *s);
void pairs_async_end(Pairs *p, uint64_t key, const Span *e);

/* Whether a complete span repeats the previous one of its thread (same name, one in the other). */
bool pairs_repeats(Pairs *p, const Span *s);

/* End of the file. */
void pairs_finish(Pairs *p, bool trust_names, PairRepairs *ret);
