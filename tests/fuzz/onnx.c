/* Fuzzes reading, inference, editing and writing of models. */
#include "graph/base/notes.h"
#include "graph/edit/edit.h"
#include "graph/onnx/foreign.h"
#include "graph/onnx/onnx.h"
#include "graph/infer/shape.h"
#include "tests/fuzz/harness.h"

/* A file that we wrote must be one that we read. */
static void write_and_read(Arena *a, const Model *m)
{
    Diag diag;
    Notes notes;
    Model *again;
    char *bytes = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&bytes, &size);
    notes_init(&notes, a);
    Status st = onnx_write_stream(m, out, &diag);
    fclose(out);
    fwrite(bytes, 1, size, harness_said);
    if (!st) {
        if (onnx_load_bytes(a, "written.onnx", (const uint8_t *)bytes, size, &notes, &again,
                            &diag)) {
            fprintf(stderr, "written, but not readable: %s\n", diag.text);
            abort();
        }
        model_close(again);
    }
    free(bytes);
}

static bool is_of_input(EditKind k)
{
    return k == EDIT_WIDTH || k == EDIT_HEIGHT || k == EDIT_INPUT_DTYPE || k == EDIT_PERMUTE_INPUT;
}

/* An edit that the bytes choose. */
static Edit choose(Arena *a, const Graph *g, uint64_t bits)
{
    static const char *const text[] = {"uint8", "int8", "float32", "0,3,1,2", "0,2,3,1", "Relu"};
    static const int64_t number[] = {1, 32, 64, 640};
    Edit e = {.kind = (EditKind)(bits % EDIT_COUNT),
              .text = text[bits >> 8 & 0xff ? (bits >> 8 & 0xff) % 6 : 0],
              .number = number[bits >> 16 & 3],
              .where = "x"};
    size_t at = (size_t)(bits >> 24);
    if (e.kind == EDIT_REPLACE_OP && g->nnode)
        e.where = g->node[at % g->nnode].name;
    else if (e.kind == EDIT_CUT_TAIL && g->ntensor)
        e.where = g->tensor[at % g->ntensor].name;
    else if (e.kind == EDIT_BIND_DIM && g->ninput)
        e.where = arena_printf(a, "%s:%d", g->tensor[g->input[at % g->ninput]].name,
                               (int)(bits >> 40 & 3));
    else if (is_of_input(e.kind) && g->ninput)
        e.where = g->tensor[g->input[at % g->ninput]].name;
    else if (g->noutput)
        e.where = g->tensor[g->output[at % g->noutput]].name;
    return e;
}

static void use(Arena *a, Model *m, uint64_t bits)
{
    Diag diag;
    Model *edited;
    shape_infer(m, NULL, 0, 1);
    write_and_read(a, m);
    const Edit edit[] = {choose(a, m->graph, bits), choose(a, m->graph, bits * HASH_SEED)};
    if (model_edit(a, m, edit, 2, &edited, &diag) && model_edit(a, m, edit, 1, &edited, &diag)) {
        harness_print("%s\n", diag.text);
        return;
    }
    shape_infer(edited, NULL, 0, 1);
    write_and_read(a, edited);
}

static void fuzz(Arena *a, const uint8_t *data, size_t size)
{
    Diag diag;
    Notes notes;
    Model *m;
    notes_init(&notes, a);
    if (onnx_load_bytes(a, "fuzz.onnx", data, size, &notes, &m, &diag)) {
        harness_print("%s\n", diag.text);
        return;
    }
    use(a, m, strmap_hash_bytes(HASH_SEED, data, size));
    model_close(m);
}
