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
    if (args_parse(a, command_table, 4, argv, &args, &diag) ||
        config_for_model(a, &args, "model.onnx", CONFIG_GIVEN, &config, &diag)) {
        phrase_text("refused\n");
        return;
    }
    phrase_text("merged: %d\n", (int)config_merge(a, &config, &args, &merged, &diag));
    for (size_t i = 0; i < config.nfile; i++) /* the same text, had it been found in the tree */
        config.file[i]->decides = false;
    config_merge(a, &config, &args, &merged, &diag);
}

/* Any result will do: it is compared with what the baseline says. */
static void read_baseline(const char *path)
{
    static const char text[] =
        "{\"objective\":\"latency\",\"target\":\"warboy-2pe\",\"sdk\":\"0.10\","
        "\"options\":{\"batch\":1,\"workers\":1},\"recommendations\":[]}";
    Diag diag;
    Baseline b;
    cJSON *result = cJSON_Parse(text);
    if (!baseline_load(path, "m", result, &b, &diag) && b.tree) {
        cJSON *against = baseline_compare(&b, result, 5, 50e3);
        json_print(harness_said, against);
        cJSON_Delete(against);
        baseline_free(&b);
    }
    cJSON_Delete(result);
}

static void fuzz(Arena *a, const uint8_t *data, size_t size)
{
    const char *path = harness_file(data, size);
    Diag diag;
    PublishedPoint *point;
    size_t n;
    ValueFile value;
    read_config(a, path);
    read_baseline(path);
    if (!points_load(a, path, &point, &n, &diag))
        phrase_text("%zu points\n", n);
    if (!value_file_open(a, path, &value, &diag)) {
        phrase_text("a tensor of %s, %zu elements, rank %d\n", dtype_name(value.value.dtype),
                    (size_t)value.value.nelem, (int)value.shape.rank);
        value_file_close(&value);
    }
}
