/* Limits and peers of the simulator and of its trace, for bench/exec.py:
 *
 *   bench-exec heap PENDING EVENTS     processor time in ns per event of a bare binary heap: take
 * the earliest, put one back bench-exec emit TRACE              ns per event of cJSON (build,
 * print, write) and of fwrite of the same bytes
 */
#include <cjson/cJSON.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_PENDING = 1 << 20, ROUNDS = 3 };

static double now_ns(void)
{
    return 1e9 * (double)clock() / CLOCKS_PER_SEC;
}

typedef struct {
    int64_t at;
    uint64_t order;
} Item;

static int before(const Item *a, const Item *b)
{
    return a->at != b->at ? a->at < b->at : a->order < b->order;
}

/* Lets the root sink: an event taken and one put, in one. */
static void sink(Item *heap, size_t n, Item e)
{
    size_t i = 0;
    for (size_t child = 1; child < n; i = child, child = 2 * i + 1) {
        if (child + 1 < n && before(&heap[child + 1], &heap[child]))
            child++;
        if (!before(&heap[child], &e))
            break;
        heap[i] = heap[child];
    }
    heap[i] = e;
}

static int heap(size_t pending, uint64_t events)
{
    Item *h = calloc(pending, sizeof *h);
    uint64_t random = 7;
    if (!h || pending == 0 || pending > MAX_PENDING)
        return 2;
    for (size_t i = 0; i < pending; i++)
        h[i] = (Item){(int64_t)i, i};
    double start = now_ns();
    for (uint64_t i = 0; i < events; i++) {
        random = random * UINT64_C(6364136223846793005) + 1;
        sink(h, pending, (Item){h[0].at + (int64_t)(random >> 44) + 1, i});
    }
    printf("%.2f\n", (now_ns() - start) / (double)events);
    free(h);
    return 0;
}

static char *read_all(const char *path, size_t *ret_size)
{
    FILE *f = fopen(path, "rb");
    if (!f || fseek(f, 0, SEEK_END))
        return NULL;
    *ret_size = (size_t)ftell(f);
    char *text = malloc(*ret_size + 1);
    rewind(f);
    if (!text || fread(text, 1, *ret_size, f) != *ret_size)
        return NULL;
    text[*ret_size] = 0;
    fclose(f);
    return text;
}

/* One event as a program that uses cJSON writes it: build, print, write, free. */
static void build_and_print(const cJSON *event, FILE *out)
{
    cJSON *copy = cJSON_CreateObject();
    for (const cJSON *m = event->child; m; m = m->next) {
        if (cJSON_IsNumber(m))
            cJSON_AddNumberToObject(copy, m->string, m->valuedouble);
        else if (cJSON_IsString(m))
            cJSON_AddStringToObject(copy, m->string, m->valuestring);
        else {
            cJSON *args = cJSON_AddObjectToObject(copy, m->string);
            for (const cJSON *a = m->child; a; a = a->next)
                cJSON_AddStringToObject(args, a->string, cJSON_IsString(a) ? a->valuestring : "");
        }
    }
    char *text = cJSON_PrintUnformatted(copy);
    fputs(text, out);
    fputs(",\n", out);
    free(text);
    cJSON_Delete(copy);
}

static int emit(const char *path)
{
    size_t size;
    char *text = read_all(path, &size);
    cJSON *root = text ? cJSON_Parse(text) : NULL;
    const cJSON *events = cJSON_GetObjectItemCaseSensitive(root, "traceEvents");
    int n = cJSON_GetArraySize(events);
    FILE *out = fopen("/dev/null", "wb");
    if (n == 0 || !out)
        return 2;
    double tree = 1e18, bytes = 1e18;
    size_t piece = size / (size_t)n + 1;
    for (int i = 0; i < ROUNDS; i++) {
        double start = now_ns();
        for (const cJSON *e = events->child; e; e = e->next)
            build_and_print(e, out);
        double middle = now_ns();
        for (size_t at = 0; at < size; at += piece)
            fwrite(text + at, 1, at + piece < size ? piece : size - at, out);
        double end = now_ns();
        tree = middle - start < tree ? middle - start : tree;
        bytes = end - middle < bytes ? end - middle : bytes;
    }
    printf("%d %.2f %.2f\n", n, tree / n, bytes / n);
    fclose(out);
    cJSON_Delete(root);
    free(text);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "heap") == 0)
        return heap(strtoul(argv[2], NULL, 10), strtoull(argv[3], NULL, 10));
    if (argc == 3 && strcmp(argv[1], "emit") == 0)
        return emit(argv[2]);
    fputs("bench-exec heap PENDING EVENTS | emit TRACE\n", stderr);
    return 2;
}
