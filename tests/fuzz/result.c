/* Fuzzes reading results and every rendering of them.
 * Built with -DFUZZER it is a libFuzzer target; without, a program that replays the files given. */
#include "advisor/diff.h"
#include "advisor/render.h"
#include "graph/base/file.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void render(const cJSON *result, FILE *out)
{
    static const View views[] = {{.lang = "en", .top = 2},
                                 {.lang = "ko", .verbose = true, .colour = true}};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        text_result(out, result, &views[i]);
        html_result(out, result, &views[i]);
    }
    json_print(out, result);
    cJSON *diff = diff_results(result, result, "a", "b");
    text_diff(out, diff, &views[0]);
    cJSON_Delete(diff);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Diag diag;
    cJSON *result;
    if (size > 1 << 20 || result_parse("fuzz", data, size, &result, &diag))
        return 0;
    FILE *out = fopen("/dev/null", "w");
    if (!out)
        abort();
    render(result, out);
    fclose(out);
    cJSON_Delete(result);
    return 0;
}

#ifndef FUZZER
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        InFile f;
        Diag diag;
        if (infile_open(&f, argv[i], 1 << 20, &diag)) {
            fprintf(stderr, "%s\n", diag.text);
            return 1;
        }
        LLVMFuzzerTestOneInput(f.data, f.size);
        infile_close(&f);
    }
    printf("fuzz result: %d inputs replayed\n", argc - 1);
    return 0;
}
#endif
