/* Our side of bench/graph.py: reads a model and infers its shapes, and says what each costs.
 *   graph MODEL     prints {"load_s", "infer_s", "nodes", "anonymous_kb"}: processor time, and
 * private memory */
#include "graph/onnx/onnx.h"
#include "graph/tflite/tflite.h"
#include "graph/infer/shape.h"

#include <time.h>

enum { MEMORY_LIMIT_MIB = 4096 };

static double cpu_s(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* RssAnon of this process: its memory without the mapped file. */
static long anonymous_kb(void)
{
    char line[256];
    long kb = -1;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, "RssAnon:", 8) == 0)
            sscanf(line + 8, "%ld", &kb);
    if (f)
        fclose(f);
    return kb;
}

int main(int argc, char **argv)
{
    Arena *a = arena_new((size_t)MEMORY_LIMIT_MIB << 20);
    Notes notes;
    Diag diag;
    Model *m;
    notes_init(&notes, a);
    double start = cpu_s();
    if (argc != 2 || model_load(a, argv[1], &notes, &m, &diag)) {
        fprintf(stderr, "%s\n", argc == 2 ? diag.text : "graph MODEL");
        return 1;
    }
    double loaded = cpu_s();
    shape_infer(m, NULL, 0, 1);
    double inferred = cpu_s();
    printf("{\"load_s\": %.6f, \"infer_s\": %.6f, \"nodes\": %zu, \"anonymous_kb\": %ld}\n",
           loaded - start, inferred - loaded, m->graph->nnode, anonymous_kb());
    model_close(m);
    arena_free(a);
    return 0;
}
