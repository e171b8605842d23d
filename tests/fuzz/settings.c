/* Fuzzes the small files around a run: npu-advise.json, baselines, published points, and tensors
 * stored by themselves (.npy, .pb). */
#include "advisor/act/gate/baseline.h"
#include "advisor/options/command.h"
#include "advisor/options/config.h"
#include "advisor/validation/points.h"
#include "graph/model/dtype.h"
#include "graph/onnx/value_file.h"
#include "tests/fuzz/harness.h"

static void read_config(Arena *a, const char *path)
{
    char *argv[] = {"npu-advise", "model.onnx", "--config", (char *)path, NULL};
    Args args, merged;
    Config config;
    Diag diag;
    if (args_parse(a, 4, argv, &args, &diag) ||
        config_for_model(a, &args, "model.onnx", CONFIG_GIVEN, &config, &diag)) {
        harness_print("refused\n");
        return;
    }
    harness_print("merged: %d\n", (int)config_merge(a, &config, &args, &merged, &diag));
    for (size_t i = 0; i < config.nfile; i++) /* the same text, had it been found in the tree */
        config.file[i]->decides = false;
    config_merge(a, &config, &args, &merged, &diag);
}

/* Any result will do: it is compared with what the baseline says. */
static void read_baseline(Arena *a, const char *path)
{
    static const Result result = {.objective = RESULT_OBJECTIVE_LATENCY,
                                  .target = "warboy-2pe",
                                  .sdk = "0.10",
                                  .options = {.batch = {1, true}, .workers = {1, true}}};
    Diag diag;
    Baseline b;
    if (baseline_load(path, "m", &result, &b, &diag) || !b.tree)
        return;
    const ResultBaseline *against = baseline_compare(a, &b, &result, 5, 50e3);
    for (int s = 0; s < STATE_COUNT; s++) {
        const ResultFindingList *list = baseline_list(against, (BaselineState)s);
        for (size_t i = 0; i < list->count; i++)
            harness_print("%s %s of %s\n", baseline_state_name((BaselineState)s),
                          list->item[i].fingerprint, list->item[i].rule_id);
    }
    baseline_free(&b);
}

static void fuzz(Arena *a, const uint8_t *data, size_t size)
{
    const char *path = harness_file(data, size);
    Diag diag;
    PublishedPoint *point;
    size_t n;
    ValueFile value;
    read_config(a, path);
    read_baseline(a, path);
    if (!points_load(a, path, &(TargetFolders){0}, &point, &n, &diag))
        harness_print("%zu points\n", n);
    if (!value_file_open(a, path, &value, &diag)) {
        harness_print("a tensor of %s, %zu elements, rank %d\n", dtype_name(value.value.dtype),
                      (size_t)value.value.nelem, (int)value.shape.rank);
        value_file_close(&value);
    }
}
