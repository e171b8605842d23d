/* Layers of an engine tied to nodes of the model by what their names are made of. */
#include "advisor/advise/compiled/compiled.h"
#include "tests/unit/check.h"
#include "tests/unit/model_build.h"

#include <unistd.h>

static Arena *arena;
static char path[] = "/tmp/tie-XXXXXX.onnx";

static void write_model(void)
{
    ModelBuild m = {{0}};
    build_input(&m, "x", 1, DIMS(1, 4));
    build_node(&m, "Relu", "x", "A", NULL, 0);
    build_node(&m, "Relu", "A", "B", NULL, 0);
    build_node(&m, "Relu", "B", "C", NULL, 0);
    build_node(&m, "Relu", "C", "f(a,b)", NULL, 0);
    build_output(&m, "f(a,b)");
    Bytes_ all = build_model(&m);
    int fd = mkstemps(path, 5);
    if (fd < 0 || write(fd, all.data, all.size) != (ssize_t)all.size)
        exit(1);
    close(fd);
    free(all.data);
}

/* The nodes of one layer of this name, that names `given` itself; "tied …" with what is noted. */
static const char *tied(const char *name, const char *const *given, size_t ngiven, bool noted)
{
    Notes notes;
    Diag diag;
    notes_init(&notes, arena);
    ImportOp op[] = {{.name = name, .layer = {.node = given, .nnode = ngiven}}, {.name = "none"}};
    Imported g = {.op = op, .nop = 2};
    CompiledRun run = {.arena = arena, .notes = &notes, .graph = &g};
    if (compiled_tie(&run, path, &diag))
        return arena_strdup(arena, diag.text);
    const char *all = "";
    for (size_t i = 0; i < op[0].layer.nnode; i++)
        all = arena_printf(arena, "%s%s%s", all, i ? " " : "", op[0].layer.node[i]);
    const char *note = message_format(arena, NULL, notes.note[notes.nnote - 1].said);
    return noted ? arena_strndup(arena, note, strcspn(note, "/")) : all;
}

static void names(void)
{
    static const struct {
        const char *name, *expected;
    } check[] = {
        {"A", "A"},
        {"A + B", "A B"},
        {"A || B + C", "A B C"},
        {"A + A", "A"},
        {"A + Z + B", "A B"},
        {"A+B", ""},
        {"a", ""},
        {"", ""},
        /* What is in brackets is one part, unless they are of a fused node. */
        {"f(a,b) + A", "f(a,b) A"},
        {"(A + B)", ""},
        {"[A + B]", ""},
        {"{A + B}", ""},
        {") + A", "A"},
        {"] + A", "A"},
        {"} + A", "A"},
        {"((A) + B) + C", "C"},
        {"PWN(A)", "A"},
        {"PWN(A, B)", "A B"},
        {"PWN(A, PWN(B, C))", "A B C"},
        {"PWN(f(a,b), B)", "f(a,b) B"},
        {"fusedPointwiseNode(A, B) + C", "A B C"},
        {"XPWN(A, B)", ""},
        {"PWN(A, B)x", ""},
        {"PWN(A,B)", ""},
        {"PWN()", ""},
        {"PWN(PWN(PWN(PWN(PWN(PWN(PWN(PWN(A))))))))", "A"},
        {"PWN(PWN(PWN(PWN(PWN(PWN(PWN(PWN(PWN(A)))))))))", ""},
    };
    for (size_t i = 0; i < sizeof check / sizeof *check; i++)
        CHECK(same_text(tied(check[i].name, NULL, 0, false), check[i].expected));
}

/* What the metadata of a layer names goes before its name. */
static void given(void)
{
    static const char *const node[] = {"B", "Z", "B", "C"};
    CHECK(same_text(tied("A", node, 4, false), "B C"));
    static const char *const unknown[] = {"Z"};
    CHECK(same_text(tied("A", unknown, 1, false), ""));
    CHECK(strstr(tied("A", unknown, 1, true), "0 of 2"));
    CHECK(strstr(tied("A + B", NULL, 0, true), "1 of 2"));
}

int main(void)
{
    arena = arena_new(0);
    write_model();
    names();
    given();
    unlink(path);
    arena_free(arena);
    return check_failures() != 0;
}
