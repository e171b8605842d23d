/* Fuzzes reading results and every rendering of them. */
#include "advisor/act/diff/diff.h"
#include "advisor/report/render.h"
#include "advisor/report/result_json.h"
#include "graph/base/language.h"
#include "graph/base/file.h"
#include "tests/fuzz/harness.h"

static void render(const Result *result, FILE *out)
{
    Arena *a = arena_new(0);
    Diag diag;
    const Language *korean = NULL;
    language_named(a, "ko", &korean, &diag);
    const View views[] = {{.lang = NULL}, {.lang = korean, .verbose = true, .colour = true}};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        text_result(out, result, &views[i]);
        html_result(out, result, &views[i]);
    }
    arena_free(a);
    cJSON *tree = result_to_json(result);
    json_print(out, tree);
    cJSON_Delete(tree);
    cJSON *diff = diff_results(result, result, "a", "b");
    text_diff(out, diff, &views[0]);
    cJSON_Delete(diff);
}

static void fuzz(Arena *a, const uint8_t *data, size_t size)
{
    Diag diag;
    const Result *result;
    if (size <= 1 << 20 && !result_parse(a, "fuzz", data, size, &result, &diag))
        render(result, harness_said);
}
