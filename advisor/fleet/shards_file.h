/* Reads and writes a plan of shards as NDJSON, for `npu-advise plan`, every shard, and the merge of
 * a run.
 *
 *   {"kind":"work","schema_version":1,"version":"0.1.0","told":["models"],
 *    "options":[["dim","N=1"]],"items":2}
 *   {"model":"a.onnx","file":"models/a.onnx","settings":[["sdk","0.9"]],"sha256":"…",
 *    "trace_sha256":null,"cost_us":21000}
 *
 * `told` are the words of the command line, `options` hold for every item, `settings` for one.
 * docs/schema/plan.json describes both lines. */
#pragma once

#include "advisor/fleet/shards.h"

typedef struct {
    const char *const *told;
    size_t ntold;
    const ShardSetting *option;
    size_t noption;
    size_t items;
} ShardHead;

void shards_file_write_head(FILE *out, const ShardHead *head);
void shards_file_write_item(FILE *out, const ShardItem *item);

/* The first line alone, which a process needs before it confines itself.  STATUS_INPUT for a file
 * that is not a plan, STATUS_USAGE for a plan of another version. */
Status shards_file_head(Arena *a, const char *path, ShardHead *ret, Diag *diag);

/* All of it: items, names, dimensions and digest of `ret` are set, nothing else. */
Status shards_file_read(Arena *a, const char *path, ShardPlan *ret, Diag *diag);
