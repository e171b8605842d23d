/* Writes a model with edits: what graph/edit/edit.h can do, from a command line.
 *   edit_model IN OUT [KIND WHERE VALUE]...
 * Built by tests/tools/edit_model.sh.  Status 1 and one line when an edit does not apply. */
#include "graph/base/notes.h"
#include "graph/edit/edit.h"
#include "graph/onnx/onnx.h"
#include "graph/tflite/tflite.h"
#include "graph/infer/shape.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_EDITS = 16, MEMORY_LIMIT_MIB = 1024 };

static Status edit(Arena *a, const char *in, const char *out, const Edit *list, size_t n,
                   Diag *diag)
{
    Notes notes;
    Model *m, *edited;
    notes_init(&notes, a);
    Status st = model_load(a, in, &notes, &m, diag);
    if (st)
        return st;
    st = model_edit(a, m, list, n, &edited, diag);
    if (!st)
        st = onnx_write(edited, out, diag);
    model_close(m);
    return st;
}

int main(int argc, char **argv)
{
    Edit list[MOST_EDITS];
    size_t n = 0;
    if (argc < 3 || (argc - 3) % 3 || (argc - 3) / 3 > MOST_EDITS) {
        fprintf(stderr, "edit_model IN OUT [KIND WHERE VALUE]...\n");
        return 2;
    }
    for (char **word = argv + 3; *word; word += 3, n++) {
        list[n] = (Edit){.where = word[1], .text = word[2], .number = strtoll(word[2], NULL, 10)};
        if (!edit_from_name(word[0], &list[n].kind)) {
            fprintf(stderr, "edit_model: there is no edit '%s'\n", word[0]);
            return 2;
        }
    }
    Arena *a = arena_new((size_t)MEMORY_LIMIT_MIB << 20);
    Diag diag;
    Status st = edit(a, argv[1], argv[2], list, n, &diag);
    if (st)
        fprintf(stderr, "%s\n", diag.text);
    arena_free(a);
    return st ? 1 : 0;
}
