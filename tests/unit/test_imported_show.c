/* Graphs compiled elsewhere, shown: counts, lists at their ends, and what is not known. */
#include "advisor/render/program/imported_show.h"
#include "graph/base/arena.h"
#include "tests/unit/check.h"

#include <stdlib.h>
#include <string.h>

/* Reads tensor 0, and makes tensor `made`, of a graph whose operators all do. */
static ImportOp op(const char *name, const char *type, ImportWork work, uint32_t made)
{
    static uint32_t id[] = {0, 1, 2};
    return (ImportOp){.name = name,
                      .type = type,
                      .work = work,
                      .subgraph = IMPORT_NONE,
                      .input = id,
                      .ninput = 1,
                      .output = &id[made],
                      .noutput = 1};
}

static void check_text(const Imported *g, bool verbose, const char *expected)
{
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    imported_text(&(PhraseOut){out, NULL, g->arena}, g, verbose);
    fclose(out);
    bool same = !strcmp(text, expected);
    if (!same)
        printf("  said: %s\n", text);
    CHECK(same);
    free(text);
}

/* `key` NULL: all of it. */
static void check_json(const Imported *g, const char *key, const char *expected)
{
    cJSON *o = imported_json(g);
    char *text = cJSON_PrintUnformatted(key ? cJSON_GetObjectItem(o, key) : o);
    bool same = !strcmp(text, expected);
    if (!same)
        printf("  said: %s\n", text);
    CHECK(same);
    cJSON_free(text);
    cJSON_Delete(o);
}

static void check_structure(Arena *a)
{
    ImportOp list[] = {op("a", NULL, WORK_UNKNOWN, 1)};
    const char *name[] = {"first", "middle", "last"};
    Imported g = {.arena = a, .kind = IMPORT_DOT, .op = list};
    check_text(&g, false,
               "vendor-dot: 0 operators, 0 tensors\nthe file tells the structure only: no types, "
               "shapes or sizes\n");
    g.nop = g.ntensor = g.nsubgraph = g.ncut = g.ncrossing = 1;
    g.subgraph = name;
    check_text(&g, false,
               "vendor-dot: 1 operator, 1 tensor; 1 subgraph, 1 cut between them that 1 tensor "
               "crosses\nthe file tells the structure only: no types, shapes or sizes\n");
    check_json(&g, "subgraphs", "[{\"name\":\"first\",\"operators\":0}]");
    g.nsubgraph = 3;
    g.ncut = g.ncrossing = 2;
    list[0].subgraph = 2;
    check_text(
        &g, false,
        "vendor-dot: 1 operator, 1 tensor; 3 subgraphs (first to last), 2 cuts between them that 2 "
        "tensors cross\nthe file tells the structure only: no types, shapes or sizes\n");
    check_json(&g, "subgraphs",
               "[{\"name\":\"first\",\"operators\":0},{\"name\":\"middle\",\"operators\":0},{"
               "\"name\":\"last\",\"operators\":1}]");
}

/* The most frequent first, those as frequent by name; twelve types are told in the text, all in the
 * tree. */
static void check_types(Arena *a)
{
    static const char *const type[] = {"M", "L", "K", "J", "I", "H", "G", "F",
                                       "E", "D", "C", "B", "A", "C", "M", "C"};
    enum { N = sizeof type / sizeof *type };
    ImportOp list[N + 1];
    Imported g = {.arena = a, .kind = IMPORT_TENSORRT, .op = list, .nop = N + 1, .ntensor = 2};
    for (size_t i = 0; i < N; i++)
        list[i] = op("n", type[i], WORK_COMPUTE, 1);
    list[N] = op("n", NULL, WORK_COMPUTE, 1);
    check_text(&g, false,
               "tensorrt-layers: 17 operators, 2 tensors\noperators by type: C 3, M 2, A 1, B 1, D "
               "1, E 1, F 1, G 1, H 1, I 1, J 1, K 1\n");
    check_json(&g, "types",
               "[{\"type\":\"C\",\"count\":3},{\"type\":\"M\",\"count\":2},{\"type\":\"A\","
               "\"count\":1},{\"type\":\"B\",\"count\":1},{\"type\":\"D\",\"count\":1},{\"type\":"
               "\"E\",\"count\":1},{\"type\":\"F\",\"count\":1},{\"type\":\"G\",\"count\":1},{"
               "\"type\":\"H\",\"count\":1},{\"type\":\"I\",\"count\":1},{\"type\":\"J\",\"count\":"
               "1},{\"type\":\"K\",\"count\":1},{\"type\":\"L\",\"count\":1}]");
}

#define ONE    "  t\n      unknown format -> int8 CHW, 2.00 KiB\n"
#define TWELVE ONE ONE ONE ONE ONE ONE ONE ONE ONE ONE ONE ONE

/* Twelve of a list, unless all are asked for; of each from what to what, its bytes, and what it
 * comes after. */
static void check_changes(Arena *a)
{
    ImportTensor tensor[] = {{.name = "x", .producer = IMPORT_NONE, .bytes = -1},
                             {.name = "y", .format = "int8 CHW", .producer = 0, .bytes = 2048},
                             {.name = "z", .format = "int8 HWC", .producer = 1, .bytes = -1}};
    ImportOp list[13];
    Imported g = {.arena = a, .kind = IMPORT_LOWERED, .op = list, .nop = 3, .tensor = tensor};
    g.ntensor = 3;
    list[0] = op("turn", "Reorder", WORK_LAYOUT, 1);
    list[1] = op("call", "Reorder", WORK_RENAME, 2);
    list[2] = op("gap", "Quantize", WORK_TYPE, 2);
    list[2].input = list[0].output;
    check_text(
        &g, false,
        "lowered.json: 3 operators, 3 tensors\noperators by type: Reorder 2, Quantize 1\nlayout "
        "moves (copies): 1\n  turn\n      unknown format -> int8 CHW, 2.00 KiB\nlayout changes "
        "that need no copy: 1\n  call\n      unknown format -> int8 HWC\nQ/DQ gaps: quantize or "
        "dequantize as a separate operator: 1\n  gap\n      int8 CHW -> int8 HWC, after turn\n");
    check_json(&g, "layout_moves",
               "[{\"name\":\"turn\",\"type\":\"Reorder\",\"from\":null,\"to\":\"int8 "
               "CHW\",\"bytes\":2048,\"copies\":true,\"after\":null},{\"name\":\"call\",\"type\":"
               "\"Reorder\",\"from\":null,\"to\":\"int8 "
               "HWC\",\"bytes\":null,\"copies\":false,\"after\":null}]");
    check_json(&g, "type_changes",
               "[{\"name\":\"gap\",\"type\":\"Quantize\",\"from\":\"int8 CHW\",\"to\":\"int8 "
               "HWC\",\"bytes\":null,\"copies\":true,\"after\":\"turn\"}]");
    list[2].ninput = list[2].noutput = 0;
    check_json(&g, "type_changes",
               "[{\"name\":\"gap\",\"type\":\"Quantize\",\"from\":null,\"to\":null,\"bytes\":null,"
               "\"copies\":true,\"after\":null}]");
    for (size_t i = 0; i < 13; i++)
        list[i] = op("t", "R", WORK_TYPE, 1);
    g.nop = 12;
    check_text(&g, false,
               "lowered.json: 12 operators, 3 tensors\noperators by type: R 12\nQ/DQ gaps: "
               "quantize or dequantize as a separate operator: 12\n" TWELVE);
    g.nop = 13;
    check_text(&g, false,
               "lowered.json: 13 operators, 3 tensors\noperators by type: R 13\nQ/DQ gaps: "
               "quantize or dequantize as a separate operator: 13\n" TWELVE
               "  … and 1 more (--verbose)\n");
    check_text(&g, true,
               "lowered.json: 13 operators, 3 tensors\noperators by type: R 13\nQ/DQ gaps: "
               "quantize or dequantize as a separate operator: 13\n" TWELVE ONE);
}

/* Names take so many columns: of the operator 90, of formats 70, of what made it 60, of a type and
 * a subgraph 40. */
static void check_names(Arena *a)
{
    static char name[101];
    memset(name, 'n', sizeof name - 1);
    ImportTensor tensor[] = {{.name = "x", .format = name, .producer = 0, .bytes = 0},
                             {.name = "y", .format = name, .producer = 0, .bytes = 0}};
    ImportOp list[] = {op(name, name, WORK_LAYOUT, 1)};
    const char *subgraph[] = {name, name};
    Imported g = {.arena = a, .kind = IMPORT_LOWERED, .op = list, .nop = 1, .tensor = tensor};
    g.ntensor = g.nsubgraph = 2;
    g.subgraph = subgraph;
    check_text(
        &g, false,
        "lowered.json: 1 operator, 2 tensors; 2 subgraphs "
        "(nnnnnnnnnnnnnnnnnnnn…nnnnnnnnnnnnnnnnnnn to nnnnnnnnnnnnnnnnnnnn…nnnnnnnnnnnnnnnnnnn), 0 "
        "cuts between them that 0 tensors cross\noperators by type: "
        "nnnnnnnnnnnnnnnnnnnn…nnnnnnnnnnnnnnnnnnn 1\nlayout moves (copies): 1\n  "
        "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn…nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"
        "\n      nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn…nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn -> "
        "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn…nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn, 0 B, after "
        "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnn…nnnnnnnnnnnnnnnnnnnnnnnnnnnnn\n");
}

static void check_whole(Arena *a)
{
    ImportTensor tensor[] = {{.name = "x", .producer = IMPORT_NONE, .bytes = 0},
                             {.name = "y", .producer = 0, .bytes = 0}};
    ImportOp list[] = {op("turn", "Reorder", WORK_LAYOUT, 1), op("gap", "Quantize", WORK_TYPE, 1)};
    Imported g = {.arena = a, .kind = IMPORT_LOWERED, .op = list, .nop = 2, .tensor = tensor};
    g.ntensor = 2;
    g.ncrossing = 3;
    g.ncut = 4;
    check_json(
        &g, NULL,
        "{\"schema_version\":1,\"imported\":\"lowered.json\",\"operators\":2,\"tensors\":2,"
        "\"subgraphs\":[],\"crossing\":3,\"cuts\":4,\"types\":[{\"type\":\"Quantize\","
        "\"count\":1},{\"type\":\"Reorder\",\"count\":1}],\"layout_moves\":[{\"name\":\"turn\","
        "\"type\":\"Reorder\",\"from\":null,\"to\":null,\"bytes\":0,\"copies\":true,"
        "\"after\":null}],\"type_changes\":[{\"name\":\"gap\",\"type\":\"Quantize\","
        "\"from\":null,\"to\":null,\"bytes\":0,\"copies\":true,\"after\":null}],"
        "\"findings\":[{\"id\":\"layout-moves\",\"places\":1,\"bytes\":0,\"fact\":\"operators "
        "that only change the order in memory; each reads and writes a whole tensor\","
        "\"what_to_do\":\"use one layout for neighbours: feed the layout of the first operator,"
        " and keep operators that force another (Reshape, Transpose, a plugin) out of chains "
        "of convolutions\",\"gain\":null},{\"id\":\"type-gaps\",\"places\":1,\"bytes\":0,"
        "\"fact\":\"operators that only quantize or dequantize, and float parts between int8 "
        "parts\",\"what_to_do\":\"quantize the float part, or remove a Q/DQ pair around "
        "operators that only move data\",\"gain\":null},{\"id\":\"cuts\",\"places\":4,"
        "\"bytes\":null,\"fact\":\"pairs of subgraphs with a tensor from one to the other\","
        "\"what_to_do\":\"check the operator at each cut: replacing it joins its neighbours\","
        "\"gain\":null}],\"reason_if_no_gain\":\"it holds what was compiled, not the model "
        "that a change would compile anew; give the .onnx that it was made from\"}");
    tensor[1].bytes = -1;
    check_json(
        &g, "findings",
        "[{\"id\":\"layout-moves\",\"places\":1,\"bytes\":null,\"fact\":\"operators that only "
        "change the order in memory; each reads and writes a whole tensor\","
        "\"what_to_do\":\"use one layout for neighbours: feed the layout of the first operator,"
        " and keep operators that force another (Reshape, Transpose, a plugin) out of chains "
        "of convolutions\",\"gain\":null},{\"id\":\"type-gaps\",\"places\":1,\"bytes\":null,"
        "\"fact\":\"operators that only quantize or dequantize, and float parts between int8 "
        "parts\",\"what_to_do\":\"quantize the float part, or remove a Q/DQ pair around "
        "operators that only move data\",\"gain\":null},{\"id\":\"cuts\",\"places\":4,"
        "\"bytes\":null,\"fact\":\"pairs of subgraphs with a tensor from one to the other\","
        "\"what_to_do\":\"check the operator at each cut: replacing it joins its neighbours\","
        "\"gain\":null}]");
}

int main(void)
{
    Arena *a = arena_new(0);
    check_structure(a);
    check_types(a);
    check_changes(a);
    check_names(a);
    check_whole(a);
    arena_free(a);
    return check_failures() != 0;
}
