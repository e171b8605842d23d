/* Describes which models a run covers, with which settings each, and which shard has which.
 *
 * A plan is made of a command line, or read from a file that `npu-advise plan` wrote
 * (shards_file.h). */
#pragma once

#include "advisor/fleet/models.h"

enum { SHARDS_MAX = 100000 };

/* An option of one item, as the command line spells it. */
typedef struct {
    const char *name, *value;
} ShardSetting;

typedef struct {
    ModelFile model;
    const ShardSetting *setting; /* of this item alone */
    size_t nsetting;
    const char *settings;     /* the same in words, "sdk=0.9 objective=latency"; "" for none */
    const char *sha256;       /* of the file when the plan was made */
    const char *trace_sha256; /* of the trace beside it then; NULL: there was none */
    int64_t cost_us;          /* predicted time of the processor, at least 1 */
} ShardItem;

typedef struct {
    const char *settings; /* the options that decide results, as they were given */
    int shard, of;        /* 1 of 1: everything */
    const char *const *model;
    size_t nmodel;          /* names, each once: the model's, followed by the item's settings */
    const char *const *dim; /* names that --dim gave a value: one of the models has each of them */
    size_t ndim;
    const ShardItem *item; /* of each; NULL: of no file */
    const char *digest;    /* SHA-256 of the file; NULL: of no file */
    const int *part;       /* the shard of each; NULL: they take turns */
} ShardPlan;

/* "I/N" with 1 <= I <= N; STATUS_USAGE else. */
Status shards_parse(const char *text, int *ret_shard, int *ret_of, Diag *diag);

/* Gives each of a plan's `of` shards about the same predicted time: the dearest item first, each to
 * the shard that has least (Graham's rule: the longest is at most 4/3 of the best there is).  Of a
 * plan from a file; others take turns. */
void shards_balance(Arena *a, ShardPlan *p);

/* The shard of model i, from 1; and whether it is the plan's own. */
int shards_shard_of(const ShardPlan *p, size_t i);
bool shards_has(const ShardPlan *p, size_t i);

/* Model i as results tell of it, without its settings; its settings, NULL for none. */
const char *shards_model_name(const ShardPlan *p, size_t i);
const char *shards_settings(const ShardPlan *p, size_t i);
