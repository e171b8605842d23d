/* Sums up a set of results, with a short row per model, for terminal and page. */
#pragma once

#include "advisor/report/result_set.h"
#include "advisor/message/phrase.h"

/* {status, files, counts[4] by exit status, models[{model, file|null, settings|null, status,
 * error|null, verdict, grade|null, now|null, measured, unit, rule_id|null, title|null, gain|null,
 * failed[], page|null}]}: `now` and `gain` in `unit`, `failed` the assertions that did not pass, in
 * words, `page` the number of its page; and what they say together (set_sums_write).  The caller
 * owns the tree. */
cJSON *result_set_summary(const ResultSet *set, const Language *lang);

enum { SET_STATUSES = 4 };

/* How a row ended, by exit status, and the word for it. */
int result_set_status_of(const cJSON *row);
const char *result_set_status_word(int status, const Language *lang);

/* "24 results of 6 models: 1 failed, 23 passed", the worst first; "6 models: …" where there is one
 * result of each. */
const char *result_set_heading(Phrase *p, const cJSON *summary, const Language *lang);

/* ---- what they say together (set_sums.c) ----
 *
 * Sums that grow with rules, operators and SDKs, and with the models by one number each. */

typedef struct SetSums SetSums;

SetSums *set_sums_new(Arena *a);

/* The entry's result; NULL where it has none. */
void set_sums_add(SetSums *s, const ResultEntry *entry, const Result *result);

/* Adds to `o`:
 *   rules[{rule_id, title, unit, models, gain}]  predicted gains above 0, of one rule in one model
 *                        together; most models first
 *   host[{op, models, steps, ns, measured_steps}]  time on the host, measured where it was, else
 *                        predicted; most time first
 *   sdks[{old, new, models, faster, slower, same, broken, repaired}]  models that are there with
 *                        both SDKs and alike in all else, by predicted latency beyond 1 % */
void set_sums_write(const SetSums *s, cJSON *o);
